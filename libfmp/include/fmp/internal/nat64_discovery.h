/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The NAT64 prefix of the local network, from router advertisements (RFC 8781) and the AAAA records
 * of ipv4only.arpa (RFC 7050). Turns untrusted bytes into a few valid prefixes; does no I/O.
 */
#ifndef FMP_NAT64_DISCOVERY_H
#define FMP_NAT64_DISCOVERY_H

#include <fmp/source.h>

/** Maximum number of prefixes per method, and of prefixes read from one answer. */
#define FMP_NAT64_FOUND_MAX 2u

enum fmp_nat64_found_by {
	FMP_NAT64_BY_RA = 1, /* RFC 8781 */
	FMP_NAT64_BY_DNS = 2, /* RFC 7050 */
};
/** fmp_nat64_found_by_name() - "RFC 8781", "RFC 7050" or "unknown". */
const char *fmp_nat64_found_by_name(unsigned by);

/** struct fmp_nat64_found - a record that the discovery process sends to fmpd as it is */
struct fmp_nat64_found {
	uint8_t by; /* enum fmp_nat64_found_by */
	uint8_t prefix_len;
	uint16_t zero;
	uint32_t lifetime_s; /* 0: the prefix is withdrawn */
	uint8_t prefix[16];
};
_Static_assert(sizeof(struct fmp_nat64_found) == 24, "a record has no gap");

/**
 * fmp_nat64_found_prefix() - the prefix of a record. Return: false: it is not a valid translator
 * prefix, or not unicast (2000::/3, fc00::/7); 64:ff9b::/96 and 64:ff9b:1::/48 need no discovery.
 */
bool fmp_nat64_found_prefix(const struct fmp_nat64_found *f, struct fmp_addr *out);

/**
 * fmp_pref64_parse() - parse the option of RFC 8781 4; @len bytes of options from its type on.
 * Return: false: another option, or no valid prefix.
 */
bool fmp_pref64_parse(const uint8_t *option, size_t len, struct fmp_nat64_found *out);

/**
 * fmp_ipv4only_prefix() - the prefix of an address of ipv4only.arpa: find 192.0.0.170 or
 * 192.0.0.171 in it (RFC 7050 3). Return: false: at none, or at more than one, of the positions of
 * RFC 6052 2.2.
 */
bool fmp_ipv4only_prefix(const uint8_t address[16], struct fmp_addr *out);

/**
 * fmp_ipv4only_parse() - the prefixes in a DNS answer with the AAAA records of ipv4only.arpa
 * @out: room for FMP_NAT64_FOUND_MAX; each prefix has the shortest TTL of its records
 *
 * Return: how many; -1: not a complete DNS message.
 */
int fmp_ipv4only_parse(const uint8_t *message, size_t len, struct fmp_nat64_found *out);

#endif
