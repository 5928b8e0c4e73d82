/* SPDX-License-Identifier: GPL-2.0 */
/* The names of a certificate as text. */
#ifndef FMP_CERTIFICATE_NAMES_H
#define FMP_CERTIFICATE_NAMES_H

#include <fmp/inspect.h>

struct x509_st;

/**
 * fmp_certificate_names() - subject, issuer and serial number of a certificate
 * @out: these members are set
 *
 * Names are written as RFC 4514 has it, in UTF-8, with control characters escaped. One that is too
 * long, or has bytes that are no character, becomes "".
 */
void fmp_certificate_names(const struct x509_st *cert, struct fmp_identity *out);

#endif
