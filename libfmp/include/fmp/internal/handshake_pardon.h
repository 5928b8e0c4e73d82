/* SPDX-License-Identifier: GPL-2.0 */
/*
 * TLS handshakes for nothing, broken off for want of trust or for the request of a page: how many of a source are pardoned;
 * by the gateway, and by a service in process.
 *
 * A browser that does not know our certificate, or has none to show, breaks off each handshake that a
 * page's links bring about, and a program that was set up wrongly does so again and again: nobody means
 * it. So does the browser that trusts us, with a full handshake before each request of a page that we refuse
 * and charge nobody for. But a handshake costs us a private key's work, which must not be had for nothing without end.
 */
#ifndef FMP_HANDSHAKE_PARDON_H
#define FMP_HANDSHAKE_PARDON_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

/** Of one source: so many at once, and one more each second. */
#define FMP_HANDSHAKE_PARDON	     200u
#define FMP_HANDSHAKE_PARDON_NS	     1000000000ull
/** Sources whose token bucket can be other than full at once. */
#define FMP_HANDSHAKE_PARDON_SOURCES 256u

/** struct fmp_handshake_pardon - token buckets; starts as all 0 */
struct fmp_handshake_pardon {
	struct {
		struct fmp_addr addr;
		uint64_t full_ns; /* when all tokens are back */
	} source[FMP_HANDSHAKE_PARDON_SOURCES];
};

/** fmp_handshake_pardon_take() - Return: true: there was a token left; false: this one is to be charged. */
bool fmp_handshake_pardon_take(struct fmp_handshake_pardon *s, const struct fmp_addr *source,
			       uint64_t now_ns);

#endif
