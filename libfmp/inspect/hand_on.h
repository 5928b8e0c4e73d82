/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The ladder's last step: what has passed becomes octets or, where the configuration says
 * so, a tree for the service.
 */
#ifndef FMPI_INSPECT_HAND_ON_H
#define FMPI_INSPECT_HAND_ON_H

#include "inspect/ladder_private.h"

/**
 * fmpi_hand_on_signed() - the Body that was signed
 *
 * Return, of this and of the others: 0, FMPI_REFUSED by a rule on the content, FMP_ERR_NOMEM.
 */
int fmpi_hand_on_signed(struct fmp_inspector *i, struct fmpi_view *w, const struct fmpi_proof *p,
			struct fmp_inspection *v);

/**
 * fmpi_hand_on_decrypted() - a Body that was encrypted, then signed
 * @w: the message as it was signed, for its header
 * @inner: what it hid, with its text
 */
int fmpi_hand_on_decrypted(struct fmp_inspector *i, struct fmpi_view *w, const struct fmpi_proof *p,
			   struct fmpi_view *inner, struct fmpi_octets *text,
			   struct fmp_inspection *v);

/**
 * fmpi_hand_on_body() - what no signature vouches for: without the header, which was for us
 * @username: the UsernameToken of somebody known; NULL: none
 */
int fmpi_hand_on_body(struct fmp_inspector *i, struct fmpi_view *w, const xmlNode *username,
		      struct fmp_inspection *v);

/** fmpi_hand_on_all() - as it came. Return: 0. */
int fmpi_hand_on_all(struct fmp_inspector *i, struct fmpi_view *w, struct fmp_inspection *v);

/**
 * fmpi_hand_on_wrap() - a new Envelope around a Body
 * @blocks: of its Header; NULL or of no length: it has none
 * @out: set, with an error too
 */
int fmpi_hand_on_wrap(const char *soap_ns, const struct fmpi_octets *blocks,
		      const struct fmpi_octets *body, struct fmpi_octets *out);

/** fmpi_hand_on_octets() - all but the first of *o, which is taken. */
void fmpi_hand_on_octets(struct fmp_inspection *v, struct fmpi_octets *o, size_t skip);

#endif
