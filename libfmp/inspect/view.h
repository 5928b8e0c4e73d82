/* SPDX-License-Identifier: GPL-2.0 */
/* A text that has passed screen, parser and SOAP envelope, as all later stages see it. */
#ifndef FMPI_INSPECT_VIEW_H
#define FMPI_INSPECT_VIEW_H

#include "inspector.h"
#include "base/buffer.h"
#include "xml/screen.h"
#include "soap/soap.h"

/** struct fmpi_view - a parsed message, or a decrypted one (the plaintext view) */
struct fmpi_view {
	const uint8_t *text; /**< behind the XML declaration if it was UTF-16 */
	size_t len;
	struct fmpi_shape shape; /**< its payload lies in text */
	xmlDocPtr doc;
	struct fmpi_soap soap;
};

/**
 * fmpi_view_open() - screen, parse and read the envelope of a message
 *
 * Large payloads are validated while they are parsed, before there is a tree. The caller closes
 * *out whatever is returned: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_view_open(struct fmp_inspector *i, const struct fmp_message *m, enum fmpi_screen_mode mode,
		   const uint8_t *text, size_t len, struct fmpi_view *out,
		   struct fmp_inspection *v);

/**
 * fmpi_view_open_plaintext() - the same for decrypted text
 * @may_be_empty: the Body, which was not encrypted
 *
 * The parser takes the same time for well-formed and malformed text, so that the time of an answer
 * tells nothing of the plaintext. Return: as fmpi_view_open().
 */
int fmpi_view_open_plaintext(struct fmp_inspector *i, const uint8_t *text, size_t len,
			     bool may_be_empty, struct fmpi_view *out, struct fmp_inspection *v);
void fmpi_view_close(struct fmpi_view *w);

#endif
