/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network's own NAT64 prefix, as router advertisements (RFC 8781) and the AAAA records of ipv4only.arpa
 * (RFC 7050) say it: bytes from the network in, at most a handful of valid prefixes out. No I/O.
 */
#ifndef FMP_NAT64_DISCOVERY_H
#define FMP_NAT64_DISCOVERY_H

#include <fmp/source.h>

/** Prefixes of one way that count at a time, and of one answer that are looked at. */
#define FMP_NAT64_FOUND_MAX 2u

enum fmp_nat64_found_by {
	FMP_NAT64_BY_RA = 1, /* RFC 8781 */
	FMP_NAT64_BY_DNS = 2, /* RFC 7050 */
};
/** fmp_nat64_found_by_name() - "RFC 8781", "RFC 7050"; "unknown". */
const char *fmp_nat64_found_by_name(unsigned by);

/** struct fmp_nat64_found - what the process that finds prefixes says to fmpd, as it is */
struct fmp_nat64_found {
	uint8_t by; /* enum fmp_nat64_found_by */
	uint8_t prefix_len;
	uint16_t zero;
	uint32_t lifetime_s; /* 0: it is taken back */
	uint8_t prefix[16];
};
_Static_assert(sizeof(struct fmp_nat64_found) == 24, "a record has no gap");

/** fmp_nat64_found_prefix() - the prefix of a record, as far as it can be one. Return: false: it can't; also if it is
 * no unicast prefix of a site (2000::/3, fc00::/7); 64:ff9b::/96 and 64:ff9b:1::/48 are known without. */
bool fmp_nat64_found_prefix(const struct fmp_nat64_found *f, struct fmp_addr *out);

/** fmp_pref64_parse() - the option of RFC 8781 4, @len bytes of options from its type on. Return: false: it
 * is another option, or says nothing. */
bool fmp_pref64_parse(const uint8_t *option, size_t len, struct fmp_nat64_found *out);

/** fmp_ipv4only_prefix() - where 192.0.0.170 or 192.0.0.171 stands in an address of ipv4only.arpa (RFC 7050 3).
 * Return: false: nowhere, or at more than one place of RFC 6052 2.2. */
bool fmp_ipv4only_prefix(const uint8_t address[16], struct fmp_addr *out);

/** fmp_ipv4only_parse() - the prefixes of an answer to the question for AAAA records of ipv4only.arpa
 * @out: room for FMP_NAT64_FOUND_MAX; each has the shortest TTL of its records
 *
 * Return: how many; -1: it is no whole DNS message. */
int fmp_ipv4only_parse(const uint8_t *message, size_t len, struct fmp_nat64_found *out);

#endif
