/* SPDX-License-Identifier: GPL-2.0 */
/*
 * HTTP fields that tell a service who was verified. Values are ASCII without control characters:
 * what a certificate or token says can add neither a field nor a line.
 */
#ifndef FMP_IDENTITY_FIELDS_H
#define FMP_IDENTITY_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/inspect.h>

#define FMP_IDENTITY_VALUE 1536 /**< longest value with its NUL: each byte may become "%XX" */
#define FMP_IDENTITY_USER  384

/** struct fmp_identity_fields - values; "": the field is not sent */
struct fmp_identity_fields {
	unsigned methods; /**< FMP_ASSURANCE_BIT()s */
	char subject[FMP_IDENTITY_VALUE];
	char issuer[FMP_IDENTITY_VALUE];
	char user[FMP_IDENTITY_USER];
};

/**
 * fmp_identity_fields_from() - encode an identity
 *
 * Subject and issuer are those of the certificate that signed, else of the assertion; the user is
 * that of the UsernameToken, else the subject of the assertion. Bytes that are not printable ASCII,
 * and '%', become "%XX" (RFC 3986 2.1). A value that does not fit is left out, never cut.
 */
void fmp_identity_fields_from(const struct fmp_identity *id, struct fmp_identity_fields *out);

/**
 * fmp_identity_fields_add_tls() - add the certificate of the connection's client
 *
 * Its names are used if the message has none of its own.
 */
void fmp_identity_fields_add_tls(const struct fmp_identity *tls, struct fmp_identity_fields *out);

/** fmp_identity_value_is_valid() - may a worker's value become the value of a field? */
bool fmp_identity_value_is_valid(const char *value);

/** Most bytes of fmp_identity_fields_format(). */
#define FMP_IDENTITY_FIELDS_MAX (2 * FMP_IDENTITY_VALUE + FMP_IDENTITY_USER + 512)

/**
 * fmp_identity_fields_format() - write the fields as lines of a header
 * @names: of the policy
 *
 * Return: their length, less than @size.
 */
size_t fmp_identity_fields_format(const struct fmp_policy_identity *names,
				  const struct fmp_identity_fields *f, char *buf, size_t size);

/**
 * fmp_identity_is_field() - does a field of a client look like one of these?
 * @names: of the policy; NULL: only the default names
 *
 * Names are compared without case, and '_' or '.' equals '-': CGI and many servers map both to one
 * variable. Whatever begins with "X-Fmp-" is one.
 */
bool fmp_identity_is_field(const struct fmp_policy_identity *names, const char *name, size_t len);

#endif
