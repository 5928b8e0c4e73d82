/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_X509_DN_H
#define FMPI_X509_DN_H

#include <openssl/x509.h>

/** Longest distinguished name that is read. */
#define FMPI_MAX_DN 1024u

/**
 * fmpi_dn_parse() - a distinguished name as XML-DSig writes it (RFC 2253, RFC 4514)
 *
 * Attribute types by short name or OID, values as text with escapes, in quotes, or
 * as "#" and the hexadecimal DER; blanks around separators are passed over. OpenSSL
 * only writes such names. Return: X509_NAME_free(); NULL if it is none.
 */
X509_NAME *fmpi_dn_parse(const char *text);

#endif
