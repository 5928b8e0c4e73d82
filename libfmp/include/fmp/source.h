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

/** Most prefixes of translators that a policy lists. */
#define FMP_TRANSLATORS_MAX 8

/** struct fmp_translators - prefixes of NAT64 and SIIT (RFC 6052) beside 64:ff9b::/96 and 64:ff9b:1::/48 */
struct fmp_translators {
	uint32_t n;
	struct fmp_addr prefix[FMP_TRANSLATORS_MAX];
};

/** fmp_translator_valid() - an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits, bits 64 to 71 zero (RFC 6052 2.2) */
FMP_API bool fmp_translator_valid(const struct fmp_addr *prefix);
/** fmp_addr_embed() - the form that an IPv4 host has behind a translator's prefix. Return: false: @ipv4 is no
 * whole IPv4 address, or @prefix none of a translator. */
FMP_API bool fmp_addr_embed(const struct fmp_addr *ipv4, const struct fmp_addr *prefix,
			    struct fmp_addr *out);
/** fmp_addr_extract() - the IPv4 host of which @a is the form behind @prefix: the opposite of fmp_addr_embed().
 * Bits behind the IPv4 address say nothing (RFC 6052 2.2). Return: false: @a is not in @prefix, or bits 64 to 71 are
 * not zero. */
FMP_API bool fmp_addr_extract(const struct fmp_addr *a, const struct fmp_addr *prefix,
			      struct fmp_addr *ipv4);
/** fmp_addr_is_form() - is @a what fmp_addr_embed() makes of an IPv4 host that can be a source? */
FMP_API bool fmp_addr_is_form(const struct fmp_addr *a, const struct fmp_addr *prefix);
/** fmp_addr_is_translated() - is it in a translator's prefix? @own may be NULL. */
FMP_API bool fmp_addr_is_translated(const struct fmp_addr *a, const struct fmp_translators *own);
/** fmp_addr_is_found() - the same of prefixes that were found (RFC 8781, RFC 7050), not listed: only what
 * fmp_addr_is_form() takes. @found may be NULL. */
FMP_API bool fmp_addr_is_found(const struct fmp_addr *a, const struct fmp_translators *found);
/**
 * fmp_addr_ipv4_host() - the IPv4 host that a translated address is
 * @own: prefixes that the policy lists; NULL: none
 *
 * The longest prefix counts. 64:ff9b:1::/48 is for prefixes of any length in it (RFC 8215 3): those of 48 and of
 * 96 bits are told apart by where zeros are, others have to be listed.
 *
 * Return: false: it is no form of an IPv4 host that can be a source; or of one whose address is private, which a
 * translator of 64:ff9b::/96 must drop (RFC 6052 3.1), and which others elsewhere have as well.
 */
FMP_API bool fmp_addr_ipv4_host(const struct fmp_addr *a, const struct fmp_translators *own,
				struct fmp_addr *ipv4);

/** Most forms that fmp_addr_forms() gives. */
#define FMP_FORMS_MAX (FMP_TRANSLATORS_MAX + 3u)
/** fmp_addr_forms() - what an IPv4 host is called behind each translator whose prefix is known or listed, in the order of
 * the list. @out: room for FMP_FORMS_MAX. Return: how many. */
FMP_API size_t fmp_addr_forms(const struct fmp_addr *ipv4, const struct fmp_translators *own,
			      struct fmp_addr *out);

/** struct fmp_key_rule - what a source is one by */
struct fmp_key_rule {
	uint8_t ipv6_prefix; /**< length; whoever has one of it is one source */
	const struct fmp_translators *translators; /**< NULL: the well-known ones alone */
	const struct fmp_translators *found; /**< by RFC 8781 or RFC 7050; NULL: none */
	/** is the prefix shared with us, or with who is protected? NULL: none is */
	bool (*shared)(const struct fmp_addr *prefix, void *ctx);
	void *ctx;
	/** A form is its IPv4 host's (fmp_addr_ipv4_host()), whichever translator it comes by: for connections and
	 * rates. false: it is a source as the frames carry it, and ranks of all forms are added up. */
	bool by_host;
};

/**
 * fmp_addr_key() - the key of a source: the same for connections, rates, events and blocks
 *
 * IPv4: the address. IPv6: the prefix that one customer has; but the whole address on the link (link-local,
 * or its prefix is shared with us: neighbours are somebody else each) and behind a translator, where the
 * prefix is shared by all of IPv4 and the address is one IPv4 host's. A translated address stays IPv6 but by_host,
 * for that is what the frames to be dropped carry.
 *
 * Of a prefix that was found, not listed, only what fmp_addr_is_form() takes is a host's by itself. Whoever could
 * make us believe in a prefix of native hosts would get very few keys by it, if the prefix is short.
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
