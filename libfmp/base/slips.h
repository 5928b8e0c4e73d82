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
#ifndef FMPI_BASE_SLIPS_H
#define FMPI_BASE_SLIPS_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

/** Of one source: so many at once, and one more each second. */
#define FMPI_SLIPS	   200u
#define FMPI_SLIPS_NS	   1000000000ull
/** Sources whose token bucket can be other than full at once. */
#define FMPI_SLIPS_SOURCES 256u

/** struct fmpi_slips - token buckets; starts as all 0 */
struct fmpi_slips {
	struct {
		struct fmp_addr addr;
		uint64_t full_ns; /* when all tokens are back */
	} source[FMPI_SLIPS_SOURCES];
};

/** fmpi_slips_take() - Return: true: there was a token left; false: this one is to be charged. */
bool fmpi_slips_take(struct fmpi_slips *s, const struct fmp_addr *source, uint64_t now_ns);

#endif
