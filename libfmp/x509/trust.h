/* SPDX-License-Identifier: GPL-2.0 */
/* Which certificates may sign: a PEM bundle of CAs, what they have revoked, a cache of each kind. */
#ifndef FMPI_X509_TRUST_H
#define FMPI_X509_TRUST_H

#include <openssl/evp.h>

#include "verdict/refuse.h"

/** Largest certificate taken from a message. */
#define FMPI_MAX_CERTIFICATE 8192u

struct fmpi_trust;

/** SHA-256 of a public key. */
#define FMPI_KEY_ID 32

/** struct fmpi_signer - whose key it is */
struct fmpi_signer {
	EVP_PKEY *key; /**< borrowed until the trust is asked again */
	uint8_t id[FMPI_KEY_ID];
	const uint8_t *der; /**< its certificate, borrowed as well; NULL: it has none */
	size_t der_len;
	bool tls_only; /**< of its certificate's purposes none is but for TLS */
};

/**
 * fmpi_trust_load()
 * @path: PEM file of CAs
 * @crl: PEM file of their revocation lists; NULL: nobody is revoked. With it every CA
 *	 that issues signers needs one, and one that is out of date refuses all of its
 *	 signers: who is revoked is then not known. A CA that is revoked itself, or is
 *	 below one, is as if it were not in the file.
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_trust_load(const char *path, const char *crl, struct fmpi_trust **out,
		    struct fmp_error *err);
void fmpi_trust_free(struct fmpi_trust *t);

/**
 * fmpi_trust_set_purposes() - signers' certificates must have one of these extended key usages, or the any one
 * @text: as <gateway purpose> has them; "any": they need none. Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_trust_set_purposes(struct fmpi_trust *t, const char *text, struct fmp_error *err);

/**
 * fmpi_trust_crl_missing() - are all signers of a CA refused now, for want of a list?
 * @out: which CA's; or else which list is ignored, as no CA of the file has signed it
 *
 * Return: is there something to say?
 */
bool fmpi_trust_crl_missing(struct fmpi_trust *t, int64_t now_s, struct fmp_error *out);

/**
 * fmpi_trust_check() - does this certificate chain to a CA of ours now, and may it sign?
 * @out: its public key, RSA of 2048..8192 bits or EC on P-256/384/521
 *
 * The chain goes up as far as the file does; path lengths and name constraints of every CA in it count, and it
 * need not end with a root. Good certificates are remembered, byte by byte, for as long as the whole chain is
 * valid and no revocation list begins or ends; refused ones for a minute, or until they
 * or a list begin to be valid (reject_cache.h). One that is good, but whose CA has no list
 * now, passes for this once, and v->crl_error says so: its message is to be refused
 * when all else of it is found good. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, struct fmpi_signer *out, struct fmp_inspection *v);

/** fmpi_trust_refuse_without_crl() - for want of a list; nobody's offence. Return: FMPI_REFUSED. */
int fmpi_trust_refuse_without_crl(struct fmp_inspection *v);

/** fmpi_key_identify() - of the key, not of a certificate: a key may have several. Return: good? */
bool fmpi_key_identify(EVP_PKEY *key, uint8_t id[FMPI_KEY_ID]);

/** fmpi_trust_hits() / _bad_hits() - how often a chain was spared, for tests. */
uint64_t fmpi_trust_hits(const struct fmpi_trust *t);
uint64_t fmpi_trust_reject_hits(const struct fmpi_trust *t);

#endif
