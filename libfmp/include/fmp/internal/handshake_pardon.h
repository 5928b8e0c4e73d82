/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many useless TLS handshakes of a source are pardoned. Used by the gateway and by a service in
 * process.
 *
 * A browser that does not know our certificate, or has no certificate of its own, breaks off each
 * handshake that a page's links cause; a misconfigured program does so again and again. Neither is
 * an attack. A browser that trusts us makes a full handshake before each request of a page that is
 * refused without charge. But every handshake costs a private-key operation, which must not be free
 * without limit.
 */
#ifndef FMP_HANDSHAKE_PARDON_H
#define FMP_HANDSHAKE_PARDON_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

/** Tokens of one source: burst size, and one more each second. */
#define FMP_HANDSHAKE_PARDON	     200u
#define FMP_HANDSHAKE_PARDON_NS	     1000000000ull
/** Sources whose token bucket can be less than full at the same time. */
#define FMP_HANDSHAKE_PARDON_SOURCES 256u

/** struct fmp_handshake_pardon - token buckets; starts zeroed */
struct fmp_handshake_pardon {
	struct {
		struct fmp_addr addr;
		uint64_t full_ns; /* when the bucket is full again */
	} source[FMP_HANDSHAKE_PARDON_SOURCES];
};

/**
 * fmp_handshake_pardon_take() - Return: true: a token was left; false: charge this handshake to the
 * source.
 */
bool fmp_handshake_pardon_take(struct fmp_handshake_pardon *s, const struct fmp_addr *source,
			       uint64_t now_ns);

#endif
