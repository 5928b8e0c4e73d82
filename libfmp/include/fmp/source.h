/* SPDX-License-Identifier: GPL-2.0 */
/* The key of everything: an IPv4 address, an IPv6 prefix or a MAC. */
#ifndef FMP_SOURCE_H
#define FMP_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include <fmp/error.h>

#ifdef __cplusplus
extern "C" {
#endif

enum fmp_family {
	FMP_FAMILY_NONE = 0,
	FMP_FAMILY_IPV4 = 4,
	FMP_FAMILY_IPV6 = 6,
	FMP_FAMILY_MAC = 48,
};

/**
 * struct fmp_addr - an address or a prefix; plain value, comparable with fmp_addr_equal()
 *
 * Bytes stand in network order; those behind the prefix are zero, as is all
 * that the family does not use. {0} is "no address".
 */
struct fmp_addr {
	uint8_t family; /**< enum fmp_family */
	uint8_t prefix_len; /**< bits that count: up to 32, 128, 48 */
	uint8_t bytes[16];
};

/** Longest text with its NUL: a full IPv6 address with "/128". */
#define FMP_ADDR_STRLEN	 50
/** Longest zone (RFC 4007 11) that fmp_addr_parse() cuts: '%' and the name of a device. */
#define FMP_ADDR_ZONELEN 16

/**
 * fmp_addr_parse() - "192.0.2.1", "2001:db8::/64", "02:00:5e:00:53:01"
 *
 * IPv4-mapped IPv6 becomes IPv4. Bits behind a prefix must be zero. The zone of an IPv6 address
 * ("fe80::1%wlan0", RFC 4007 11) is cut: a key has no device.
 * Return: 0, FMP_ERR_SYNTAX.
 */
FMP_API FMP_MUST_CHECK int fmp_addr_parse(const char *text, struct fmp_addr *out,
					  struct fmp_error *err);

/**
 * fmp_addr_is_source() - can a message come from it?
 *
 * One whole IP address, IPv4-mapped only as IPv4; neither unspecified, nor multicast, nor 255.255.255.255.
 * The one check of addresses that others name: proxies, PAM, logs, reports, the gateway's events.
 */
FMP_API bool fmp_addr_is_source(const struct fmp_addr *a);
/** fmp_addr_parse_source() - fmp_addr_parse() and fmp_addr_is_source(). Return: 0, FMP_ERR_SYNTAX;
 * *out changes only on success. */
FMP_API FMP_MUST_CHECK int fmp_addr_parse_source(const char *text, struct fmp_addr *out,
						 struct fmp_error *err);

/** fmp_addr_format() - text into buf of at least FMP_ADDR_STRLEN bytes; the prefix only if shorter
 * than full. Return: buf. "none" for no address. */
FMP_API const char *fmp_addr_format(const struct fmp_addr *a, char *buf, size_t size);

/** fmp_addr_from_sockaddr() - address and port (host order; port may be NULL); mapped becomes IPv4. */
FMP_API FMP_MUST_CHECK int fmp_addr_from_sockaddr(const struct sockaddr *sa, struct fmp_addr *out,
						  uint16_t *port);

FMP_API struct fmp_addr fmp_addr_ipv4(const void *bytes4);
FMP_API struct fmp_addr fmp_addr_ipv6(const void *bytes16);
FMP_API struct fmp_addr fmp_addr_mac(const void *bytes6);

/** fmp_addr_max_prefix() - 32, 128, 48; 0 for no address. */
FMP_API uint8_t fmp_addr_max_prefix(uint8_t family);

/** fmp_addr_mask() - a cut to prefix_len bits (never longer than it was). */
FMP_API struct fmp_addr fmp_addr_mask(struct fmp_addr a, uint8_t prefix_len);

FMP_API bool fmp_addr_equal(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_contains() - is b, address or prefix, wholly inside a? */
FMP_API bool fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_overlaps() - has any address both? */
FMP_API bool fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_compare() - a total order, for sorting. */
FMP_API int fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_hash() - keyed by seed, so that an attacker can't choose collisions. */
FMP_API uint64_t fmp_addr_hash(const struct fmp_addr *a, uint64_t seed);

/** Most prefixes of a network's own translators. */
#define FMP_TRANSLATORS_MAX 8

/** struct fmp_translators - prefixes of NAT64 and SIIT (RFC 6052) beside 64:ff9b::/96 and 64:ff9b:1::/48 */
struct fmp_translators {
	uint32_t n;
	struct fmp_addr prefix[FMP_TRANSLATORS_MAX];
};

/** fmp_addr_is_translated() - is it an IPv4 host, written by a translator? @own may be NULL. */
FMP_API bool fmp_addr_is_translated(const struct fmp_addr *a, const struct fmp_translators *own);

/** struct fmp_key_rule - what a source is one by */
struct fmp_key_rule {
	uint8_t ipv6_prefix; /**< length; whoever has one of it is one source */
	const struct fmp_translators *translators; /**< NULL: the well-known ones alone */
	/** is the prefix shared with us, or with who is protected? NULL: none is */
	bool (*shared)(const struct fmp_addr *prefix, void *ctx);
	void *ctx;
};

/**
 * fmp_addr_key() - the key of a source: the same for connections, rates, events and blocks
 *
 * IPv4: the address. IPv6: the prefix that one customer has; but the whole address on the link (link-local,
 * or its prefix is shared with us: neighbours are somebody else each) and behind a translator, where the
 * prefix is shared by all of IPv4 and the address is one IPv4 host's. A translated address stays IPv6,
 * for that is what the frames to be dropped carry.
 */
FMP_API struct fmp_addr fmp_addr_key(const struct fmp_addr *a, const struct fmp_key_rule *rule);

static inline bool fmp_addr_is_ip(const struct fmp_addr *a)
{
	return a->family == FMP_FAMILY_IPV4 || a->family == FMP_FAMILY_IPV6;
}

#ifdef __cplusplus
}
#endif
#endif
