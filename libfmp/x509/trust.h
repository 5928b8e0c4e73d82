/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trust: which certificates may sign. A PEM bundle of CAs, their CRLs, and caches of accepted and
 * rejected certificates.
 */
#ifndef FMPI_X509_TRUST_H
#define FMPI_X509_TRUST_H

#include <openssl/evp.h>

#include "path.h"
#include "verdict/refuse.h"

/** Largest certificate accepted from a message. */
#define FMPI_MAX_CERTIFICATE 8192u

struct fmpi_trust;

/** SHA-256 of a public key. */
#define FMPI_KEY_ID 32

/** struct fmpi_signer - a signer's key and certificate */
struct fmpi_signer {
	EVP_PKEY *key; /**< borrowed until the next call with the same trust */
	uint8_t id[FMPI_KEY_ID];
	const uint8_t *der; /**< its certificate, borrowed as well; NULL: none */
	size_t der_len;
	bool tls_only; /**< all purposes of its certificate are for TLS */
};

/**
 * fmpi_trust_load() - load CAs and CRLs
 * @path: PEM file of CAs
 * @crl: PEM file of their CRLs; NULL: no revocation. With it every CA that issues signers needs a
 * CRL. If that has expired, all signers of the CA are refused, because their revocation is unknown.
 * A CA that is revoked, or is below a revoked one, is ignored.
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_trust_load(const char *path, const char *crl, struct fmpi_trust **out,
		    struct fmp_error *err);
void fmpi_trust_free(struct fmpi_trust *t);

/**
 * fmpi_trust_set_purposes() - require one of these extended key usages, or anyExtendedKeyUsage
 * @text: value of <gateway purpose>; "any": no requirement
 *
 * Return: 0, FMP_ERR_INVALID, FMP_ERR_NOMEM.
 */
int fmpi_trust_set_purposes(struct fmpi_trust *t, const char *text, struct fmp_error *err);

/**
 * fmpi_trust_crl_missing() - are all signers of a CA refused now for lack of a CRL?
 * @out: which CA's; otherwise which CRL is ignored because no CA of the file has signed it
 *
 * Return: is there something to report?
 */
bool fmpi_trust_crl_missing(struct fmpi_trust *t, int64_t now_s, struct fmp_error *out);

/**
 * fmpi_trust_check() - does this certificate chain to a trusted CA now, and may it sign?
 * @out: its public key, RSA of 2048 to 8192 bits or EC on P-256, P-384 or P-521
 *
 * The chain goes up as far as the file does. Path lengths and name constraints of every CA in it
 * apply; it need not end with a root. Accepted certificates are cached while the whole chain is
 * valid and no CRL starts or expires; rejected ones for a minute, or until they or a CRL become
 * valid (reject_cache.h). A valid certificate whose CA has no CRL now is accepted this once with
 * v->crl_error set: the caller refuses the message when everything else in it is valid.
 * Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, struct fmpi_signer *out, struct fmp_inspection *v);

/**
 * fmpi_trust_check_path() - the same of a token that brings certificates of CAs
 * @der: up to FMPI_PATH_MAX certificates, the signer's as the last
 * @kind: not FMPI_PATH_ONE
 *
 * Those of CAs are not trusted, but may lead to a trusted one. With CRLs each that is used needs one
 * of its issuer, as the signer does. The cache keeps the token as a whole.
 */
int fmpi_trust_check_path(struct fmpi_trust *t, const uint8_t *der, size_t len,
			  enum fmpi_path_kind kind, int64_t now_s, unsigned line,
			  struct fmpi_signer *out, struct fmp_inspection *v);

/**
 * fmpi_trust_refuse_without_crl() - refuse because a CRL is missing; not charged to the sender.
 * Return: FMPI_REFUSED.
 */
int fmpi_trust_refuse_without_crl(struct fmp_inspection *v);

/**
 * fmpi_key_identify() - identify a key, not a certificate: a key may have several. Return: false:
 * failed.
 */
bool fmpi_key_identify(EVP_PKEY *key, uint8_t id[FMPI_KEY_ID]);

/** fmpi_trust_hits() / _reject_hits() - chain verifications saved by each cache, for tests. */
uint64_t fmpi_trust_hits(const struct fmpi_trust *t);
uint64_t fmpi_trust_reject_hits(const struct fmpi_trust *t);

#endif
