/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_X509_DN_H
#define FMPI_X509_DN_H

#include <openssl/x509.h>

/** Longest distinguished name accepted. */
#define FMPI_MAX_DN 1024u

/**
 * fmpi_dn_parse() - parse a distinguished name as XML-DSig writes it (RFC 2253, RFC 4514)
 *
 * Attribute types by short name or OID; values as text with escapes, in quotes, or as "#" and the
 * DER in hexadecimal; blanks around separators are skipped. OpenSSL can only write such names.
 * Return: for X509_NAME_free(); NULL: not valid.
 */
X509_NAME *fmpi_dn_parse(const char *text);

#endif
