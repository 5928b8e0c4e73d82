/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Certificates that a message may name instead of carrying them. They are not trusted for that:
 * trust.c checks a certificate found here as it checks one from a message.
 */
#ifndef FMPI_WSS_CERT_STORE_H
#define FMPI_WSS_CERT_STORE_H

#include "keyinfo.h"

struct fmpi_cert_store;

/** struct fmpi_certificate - its DER, owned by the store */
struct fmpi_certificate {
	const uint8_t *der;
	size_t len;
};

/**
 * fmpi_cert_store_load() - read a PEM file, or a directory of them (*.pem, *.crt)
 *
 * Return: 0; FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_NOTFOUND, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
int fmpi_cert_store_load(const char *path, struct fmpi_cert_store **out, struct fmp_error *err);
void fmpi_cert_store_free(struct fmpi_cert_store *k);

/**
 * fmpi_cert_store_find() - find the certificate that a KeyInfo names
 * @store: NULL: the policy lists none
 * @now_s: prefer one that is valid now among several with the same name
 *
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_cert_store_find(const struct fmpi_cert_store *store, const struct fmpi_keyinfo *key,
			 int64_t now_s, struct fmpi_certificate *out, struct fmp_inspection *v);

#endif
