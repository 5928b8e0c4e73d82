/* SPDX-License-Identifier: GPL-2.0 */
/* The source key: an IPv4 address, an IPv6 prefix or a MAC. */
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
 * struct fmp_addr - an address or a prefix; a plain value, compared with fmp_addr_equal()
 *
 * Bytes are in network order. Bits behind the prefix and bytes that the family does not use are
 * zero. {0} is "no address".
 */
struct fmp_addr {
	uint8_t family; /**< enum fmp_family */
	uint8_t prefix_len; /**< significant bits: up to 32, 128, 48 */
	uint8_t bytes[16];
};

/** Buffer size for the longest text: a full IPv6 address with "/128" and NUL. */
#define FMP_ADDR_STRLEN	 50
/** Longest zone (RFC 4007 11) that fmp_addr_parse() strips: '%' and a device name. */
#define FMP_ADDR_ZONELEN 16

/**
 * fmp_addr_parse() - parse "192.0.2.1", "2001:db8::/64", "02:00:5e:00:53:01"
 *
 * An IPv4-mapped IPv6 address becomes IPv4. Bits behind the prefix must be zero. The zone of an
 * IPv6 address ("fe80::1%wlan0", RFC 4007 11) is stripped: a key names no device.
 * Return: 0, FMP_ERR_SYNTAX.
 */
FMP_API FMP_MUST_CHECK int fmp_addr_parse(const char *text, struct fmp_addr *out,
					  struct fmp_error *err);

/**
 * fmp_addr_is_source() - can a message come from this address?
 *
 * True for one whole IP address (IPv4-mapped only as IPv4) that is neither unspecified, nor
 * multicast, nor 255.255.255.255. Every address that another party names is checked here: by
 * proxies, PAM, logs, reports, the gateway's events.
 */
FMP_API bool fmp_addr_is_source(const struct fmp_addr *a);
/**
 * fmp_addr_parse_source() - fmp_addr_parse() and fmp_addr_is_source(). *out changes only on
 * success. Return: 0, FMP_ERR_SYNTAX.
 */
FMP_API FMP_MUST_CHECK int fmp_addr_parse_source(const char *text, struct fmp_addr *out,
						 struct fmp_error *err);

/**
 * fmp_addr_format() - write the address to buf of at least FMP_ADDR_STRLEN bytes; "none" for no
 * address. The prefix length is written only if it is shorter than the address. Return: buf.
 */
FMP_API const char *fmp_addr_format(const struct fmp_addr *a, char *buf, size_t size);

/**
 * fmp_addr_from_sockaddr() - address and port (host order; port may be NULL); IPv4-mapped becomes
 * IPv4.
 */
FMP_API FMP_MUST_CHECK int fmp_addr_from_sockaddr(const struct sockaddr *sa, struct fmp_addr *out,
						  uint16_t *port);

FMP_API struct fmp_addr fmp_addr_ipv4(const void *bytes4);
FMP_API struct fmp_addr fmp_addr_ipv6(const void *bytes16);
FMP_API struct fmp_addr fmp_addr_mac(const void *bytes6);

/** fmp_addr_max_prefix() - 32, 128 or 48; 0 for no address. */
FMP_API uint8_t fmp_addr_max_prefix(uint8_t family);

/** fmp_addr_mask() - shorten a to prefix_len bits; never lengthens it. */
FMP_API struct fmp_addr fmp_addr_mask(struct fmp_addr a, uint8_t prefix_len);

FMP_API bool fmp_addr_equal(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_contains() - is the address or prefix b wholly inside a? */
FMP_API bool fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_overlaps() - do a and b have an address in common? */
FMP_API bool fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_compare() - a total order, for sorting. */
FMP_API int fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b);
/** fmp_addr_hash() - keyed by seed, so that an attacker can't choose colliding addresses. */
FMP_API uint64_t fmp_addr_hash(const struct fmp_addr *a, uint64_t seed);

/** Maximum number of translator prefixes in a policy. */
#define FMP_TRANSLATORS_MAX 8

/**
 * struct fmp_translators - NAT64 and SIIT prefixes (RFC 6052) in addition to 64:ff9b::/96 and
 * 64:ff9b:1::/48
 */
struct fmp_translators {
	uint32_t n;
	struct fmp_addr prefix[FMP_TRANSLATORS_MAX];
};

/**
 * fmp_translator_valid() - is it an IPv6 prefix of 32, 40, 48, 56, 64 or 96 bits, with bits 64 to
 * 71 zero (RFC 6052 2.2)?
 */
FMP_API bool fmp_translator_valid(const struct fmp_addr *prefix);
/**
 * fmp_addr_embed() - the IPv6 form of an IPv4 host behind a translator's prefix. Return: false:
 * @ipv4 is not a whole IPv4 address, or @prefix is not valid for a translator.
 */
FMP_API bool fmp_addr_embed(const struct fmp_addr *ipv4, const struct fmp_addr *prefix,
			    struct fmp_addr *out);
/**
 * fmp_addr_extract() - the IPv4 host whose form behind @prefix is @a: the reverse of
 * fmp_addr_embed(). Bits behind the IPv4 address are ignored (RFC 6052 2.2). Return: false: @a is
 * not in @prefix, or bits 64 to 71 are not zero.
 */
FMP_API bool fmp_addr_extract(const struct fmp_addr *a, const struct fmp_addr *prefix,
			      struct fmp_addr *ipv4);
/** fmp_addr_is_form() - is @a what fmp_addr_embed() makes of an IPv4 host that can be a source? */
FMP_API bool fmp_addr_is_form(const struct fmp_addr *a, const struct fmp_addr *prefix);
/** fmp_addr_is_translated() - is it inside a translator's prefix? @own may be NULL. */
FMP_API bool fmp_addr_is_translated(const struct fmp_addr *a, const struct fmp_translators *own);
/**
 * fmp_addr_is_found() - the same for discovered prefixes (RFC 8781, RFC 7050), where only the forms
 * that fmp_addr_is_form() accepts count. @found may be NULL.
 */
FMP_API bool fmp_addr_is_found(const struct fmp_addr *a, const struct fmp_translators *found);
/**
 * fmp_addr_ipv4_host() - the IPv4 host behind a translated address
 * @own: prefixes that the policy lists; NULL: none
 *
 * The longest prefix wins. 64:ff9b:1::/48 may hold prefixes of any length (RFC 8215 3): those of 48
 * and of 96 bits are distinguished by the position of zeros, others must be listed.
 *
 * Return: false: it is not the form of an IPv4 host that can be a source, or that host's address is
 * private: a translator of 64:ff9b::/96 must drop it (RFC 6052 3.1), and hosts elsewhere have the
 * same address.
 */
FMP_API bool fmp_addr_ipv4_host(const struct fmp_addr *a, const struct fmp_translators *own,
				struct fmp_addr *ipv4);

/** Maximum number of forms that fmp_addr_forms() writes. */
#define FMP_FORMS_MAX (FMP_TRANSLATORS_MAX + 3u)
/**
 * fmp_addr_forms() - the IPv6 forms of an IPv4 host behind each translator that is well-known or
 * listed, in the order of the list. @out: room for FMP_FORMS_MAX. Return: how many.
 */
FMP_API size_t fmp_addr_forms(const struct fmp_addr *ipv4, const struct fmp_translators *own,
			      struct fmp_addr *out);

/** struct fmp_key_rule - how addresses are grouped into sources */
struct fmp_key_rule {
	uint8_t ipv6_prefix; /**< prefix length: all addresses with the same prefix are one source */
	const struct fmp_translators *translators; /**< NULL: only the well-known prefixes */
	const struct fmp_translators *found; /**< discovered by RFC 8781 or RFC 7050; NULL: none */
	/** does this machine or a protected host have an address with this prefix? NULL: no */
	bool (*shared)(const struct fmp_addr *prefix, void *ctx);
	void *ctx;
	/**
	 * true: all forms of an IPv4 host are one source (fmp_addr_ipv4_host()), whichever
	 * translator it uses: for connections and rates. false: each form is a source of its own,
	 * as the frames carry it, and the ranks of all forms are added up.
	 */
	bool by_host;
};

/**
 * fmp_addr_key() - the key of a source: the same for connections, rates, events and blocks
 *
 * IPv4: the address. IPv6: the prefix of one customer. The whole IPv6 address counts where hosts
 * share a prefix: on the local link (link-local, or a prefix that this machine has as well) and
 * behind a translator, whose prefix is common to all IPv4 hosts. A translated address stays IPv6
 * unless by_host is set, because that is what the frames to be dropped carry.
 *
 * A discovered prefix makes only those addresses keys of their own that fmp_addr_is_form() accepts.
 * An attacker that makes us believe in a prefix of native hosts gains very few keys by it, if the
 * prefix is short.
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
