// SPDX-License-Identifier: GPL-2.0
#include "pss.h"

#include <openssl/evp.h>
#include <string.h>

#define DIGEST_MAX 64
#define EM_MAX	   1024 /* of RSA with 8192 bits */

/* MGF1 (RFC 8017 B.2.1). @mask: room for DIGEST_MAX bytes more than @len. */
static bool make_mask(uint8_t *mask, size_t len, const uint8_t *seed, size_t n, const EVP_MD *md)
{
	uint8_t in[DIGEST_MAX + 4] = { 0 };
	uint8_t count = 0;

	memcpy(in, seed, n);
	for (size_t done = 0; done < len; done += n) {
		in[n + 3] = count++;
		if (!EVP_Digest(in, n + 4, mask + done, NULL, md, NULL))
			return false;
	}
	return true;
}

/* DB, once its mask is removed, is zeros, a 1 and the salt; the mask is made of H. */
static bool has_salt(const uint8_t *em, size_t len, unsigned unused_bits, const EVP_MD *md)
{
	size_t n = (size_t)EVP_MD_get_size(md), db = len - n - 1;
	uint8_t mask[EM_MAX + DIGEST_MAX];

	if (len < 2 * n + 2 || !make_mask(mask, db, em + db, n, md))
		return false;
	mask[0] ^= em[0];
	mask[0] &= 0xffu >> unused_bits;
	for (size_t i = 1; i < db - n; i++)
		mask[i] ^= em[i];
	for (size_t i = 0; i + 1 < db - n; i++)
		if (mask[i])
			return false;
	return mask[db - n - 1] == 1;
}

bool gw_pss_is_encoding(const uint8_t *em, size_t len, unsigned bits)
{
	const EVP_MD *const digests[] = { EVP_sha256(), EVP_sha384(), EVP_sha512() };
	unsigned unused_bits = (unsigned)(8 - bits % 8) % 8;

	/* With a multiple of 8 bits before it, the encoding is one byte shorter than the modulus. */
	if (len && !(bits % 8)) {
		if (*em)
			return false;
		em++;
		len--;
	}
	if (!len || len > EM_MAX || em[len - 1] != 0xbc ||
	    (unused_bits && em[0] >> (8 - unused_bits)))
		return false;
	for (size_t i = 0; i < sizeof(digests) / sizeof(*digests); i++)
		if (has_salt(em, len, unused_bits, digests[i]))
			return true;
	return false;
}
