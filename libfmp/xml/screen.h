/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Byte scan in front of the parser: one pass, no allocation, about a nanosecond per byte. It
 * refuses what would make a parser work hard or fetch files, and limits everything that a parser's
 * cost grows with. It does not replace the parser, which checks the characters of names, and what
 * prefixes and character references stand for.
 */
#ifndef FMPI_XML_SCREEN_H
#define FMPI_XML_SCREEN_H

#include "verdict/refuse.h"

/** Limit of libxml2, whatever the policy allows. */
#define FMPI_MAX_DEPTH	    256u
/** Namespace declarations in scope at one position: looking up a prefix walks over them. */
#define FMPI_MAX_NAMESPACES 128u
/**
 * Elements, attributes and comments in front of the last element at depth 3: those of a Header.
 * They stay in memory while a Body is decrypted, which makes a second tree.
 */
#define FMPI_MAX_HEADER	    4096u

enum fmpi_screen_mode {
	FMPI_SCREEN_UTF8 = 0, /**< a message as received */
	FMPI_SCREEN_UTF16, /**< a message converted from UTF-16: its declaration may say so */
};

/** The shape of a message; offsets into its bytes. */
struct fmpi_shape {
	size_t prolog; /**< bytes of the byte order mark and the XML declaration */
	size_t payload_start; /**< start of the last element at depth 3, the Body's child ... */
	size_t payload_end; /**< ... and the byte behind its end tag; both 0: there is none */
	size_t siblings; /**< its siblings in the same element */
	size_t nodes; /**< upper limit on nodes of the tree */
	size_t longest; /**< bytes of the longest text or attribute value */
};

/**
 * fmpi_screen() - scan UTF-8
 * @limits: depth is limited to FMPI_MAX_DEPTH as well; body_bytes is not checked here
 *
 * All text between two tags counts together, with comments and CDATA sections; the limit on
 * elements counts attributes, comments and CDATA sections too.
 * Return: 0 with *shape, FMPI_REFUSED with *v.
 */
int fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		struct fmp_inspection *v);

#endif
