/* SPDX-License-Identifier: GPL-2.0 */
/* Is a number that a key is to be applied to an encoding of EMSA-PSS (RFC 8017 9.1)? */
#ifndef GW_PSS_H
#define GW_PSS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * gw_pss_is_encoding() - of a digest and salt as TLS has them (RFC 8446 4.2.3): SHA-256, SHA-384 or
 * SHA-512, for MGF1 too, and a salt as long as the digest
 * @em: @len bytes
 * @bits: of the modulus, less 1
 *
 * Whose digest it is can't be seen. Another number, as a ciphertext or a PKCS #1 v1.5 signature's,
 * is one by chance with a probability below 2^-400 for 2048 bits.
 */
bool gw_pss_is_encoding(const uint8_t *em, size_t len, unsigned bits);

#endif
