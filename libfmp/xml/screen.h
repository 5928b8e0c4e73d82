/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The byte pre-scan: one pass, no allocation, about a nanosecond a byte. It
 * refuses what would make a parser work or fetch, before a parser sees it, and
 * bounds everything that a parser's cost grows with. It does not replace the
 * parser: of what a name is made, and what a prefix or a number stands for, is checked there.
 */
#ifndef FMPI_XML_SCREEN_H
#define FMPI_XML_SCREEN_H

#include "verdict/refuse.h"

/** libxml2 goes no deeper, whatever the policy says. */
#define FMPI_MAX_DEPTH	    256u
/** Namespace declarations in scope at one place: a look-up is a walk over them. */
#define FMPI_MAX_NAMESPACES 128u
/**
 * Elements, attributes and comments before the last element at depth 3: those of a Header.
 * It is in the tree while a Body is decrypted, which makes one more tree.
 */
#define FMPI_MAX_HEADER	    4096u

enum fmpi_screen_mode {
	FMPI_SCREEN_UTF8 = 0, /**< a message as it came */
	FMPI_SCREEN_UTF16, /**< a message that was UTF-16: its declaration may say so */
};

/** What the scan has seen of the message's shape; offsets into the bytes. */
struct fmpi_shape {
	size_t prolog; /**< bytes of the mark and the XML declaration */
	size_t payload_start; /**< the last element at depth 3, the Body's child: its '<' ... */
	size_t payload_end; /**< ... and the byte behind its end tag; both 0 if there was none */
	size_t siblings; /**< elements at depth 3 beside it, in the same element */
	size_t nodes; /**< of the tree that it makes, at most */
	size_t longest; /**< bytes of the longest text or value */
};

/**
 * fmpi_screen() - scan UTF-8
 * @limits: depth is cut to FMPI_MAX_DEPTH; body_bytes is not looked at
 *
 * Text between two tags counts as one, comments and CDATA sections included; the
 * limit on elements counts attributes, comments and CDATA sections too.
 * Return: 0 with *shape, FMPI_REFUSED with *v.
 */
int fmpi_screen(const struct fmp_policy_limits *limits, enum fmpi_screen_mode mode,
		const uint8_t *bytes, size_t len, struct fmpi_shape *shape,
		struct fmp_inspection *v);

#endif
