/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes WS-Security headers: an X.509 BinarySecurityToken, a Timestamp, and a signature over Timestamp and Body
 * (exclusive c14n, SHA-256, RSA or ECDSA).
 *
 * Signed elements are written in canonical form, so that the bytes sent are the bytes digested. No document is
 * built and nothing is canonicalized: a slow sender pays for the key operation only.
 */
#ifndef FLOOD_SIGN_H
#define FLOOD_SIGN_H

#include <fmp/error.h>

#include "random.h"
#include "text.h"

#define FLOOD_NS_SOAP "http://schemas.xmlsoap.org/soap/envelope/"
#define FLOOD_NS_WSU \
	"http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd"

struct flood_signer;

/*
 * key: PEM private key; NULL: only forged signatures can be written.
 * cert: PEM certificate; NULL, without a key: a self-signed one is made, which no gateway trusts.
 * ca: PEM file of CAs, one of which must have issued cert; NULL: not checked.
 * Return: 0, FMP_ERR_IO, FMP_ERR_INVALID (key and certificate do not match, not RSA or P-256), FMP_ERR_NOMEM.
 */
int flood_signer_new(const char *key, const char *cert, const char *ca, struct flood_signer **out,
		     struct fmp_error *err);
void flood_signer_free(struct flood_signer *s);
bool flood_signer_has_key(const struct flood_signer *s);

/*
 * Appends a wsse:Security element to out.
 * body: the canonical soapenv:Body element, whose wsu:Id is "body-ID".
 * forge: the SignatureValue is random bytes of the right size; digests are right.
 * Return: 0, FMP_ERR_INVALID without a key unless forge is set, FMP_ERR_NOMEM.
 */
int flood_sign(const struct flood_signer *s, const struct flood_text *body, uint64_t id,
	       int64_t now_s, bool forge, struct flood_random *random, struct flood_text *out,
	       struct fmp_error *err);

#endif
