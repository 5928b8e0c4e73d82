/* SPDX-License-Identifier: GPL-2.0 */
/* Which certificates may sign: a PEM bundle of CAs, and a cache of those found good. */
#ifndef FMPI_INSPECT_TRUST_H
#define FMPI_INSPECT_TRUST_H

#include <openssl/evp.h>

#include "inspect/refuse.h"

/** Largest certificate taken from a message. */
#define FMPI_MAX_CERTIFICATE 8192u

struct fmpi_trust;

/** fmpi_trust_load() - Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOMEM. */
int fmpi_trust_load(const char *path, struct fmpi_trust **out, struct fmp_error *err);
void fmpi_trust_free(struct fmpi_trust *t);

/**
 * fmpi_trust_check() - does this certificate chain to a CA of ours now, and may it sign?
 * @key: its public key, RSA of 2048..8192 bits or EC on P-256/384/521; borrowed until
 *	 the next call
 *
 * Good certificates are remembered, byte by byte, for as long as the whole chain is valid. Return: 0, FMPI_REFUSED, FMP_ERR_NOMEM.
 */
int fmpi_trust_check(struct fmpi_trust *t, const uint8_t *der, size_t len, int64_t now_s,
		     unsigned line, EVP_PKEY **key, struct fmp_inspection *v);

/** fmpi_trust_hits() - how often the cache spared a chain, for tests. */
uint64_t fmpi_trust_hits(const struct fmpi_trust *t);

#endif
