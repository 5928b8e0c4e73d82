// SPDX-License-Identifier: GPL-2.0
/*
 * Addresses behind NAT64 and SIIT translators: an IPv4 address embedded in an IPv6 one (RFC 6052).
 */
#include <fmp/source.h>

#include <string.h>

/* RFC 6052 2.1, RFC 8215 3 */
static const struct fmp_addr well_known = { .family = FMP_FAMILY_IPV6,
					    .prefix_len = 96,
					    .bytes = { 0, 0x64, 0xff, 0x9b } };
static const struct fmp_addr local_use = { .family = FMP_FAMILY_IPV6,
					   .prefix_len = 48,
					   .bytes = { 0, 0x64, 0xff, 0x9b, 0, 1 } };

#define U_BYTE 8 /* bits 64 to 71: zero in every format (RFC 6052 2.2) */

bool fmp_translator_valid(const struct fmp_addr *prefix)
{
	uint8_t len = prefix->prefix_len;

	return prefix->family == FMP_FAMILY_IPV6 && !prefix->bytes[U_BYTE] &&
	       ((len >= 32 && len <= 64 && len % 8 == 0) || len == 96);
}

bool fmp_addr_embed(const struct fmp_addr *ipv4, const struct fmp_addr *prefix,
		    struct fmp_addr *out)
{
	struct fmp_addr a = *prefix;

	if (ipv4->family != FMP_FAMILY_IPV4 || ipv4->prefix_len != 32 ||
	    !fmp_translator_valid(prefix))
		return false;
	a.prefix_len = 128;
	for (unsigned i = 0, at = prefix->prefix_len / 8; i < 4; i++, at++) {
		at += at == U_BYTE;
		a.bytes[at] = ipv4->bytes[i];
	}
	*out = a;
	return true;
}

bool fmp_addr_extract(const struct fmp_addr *a, const struct fmp_addr *prefix,
		      struct fmp_addr *ipv4)
{
	uint8_t bytes[4];

	if (a->prefix_len != 128 || a->bytes[U_BYTE] || !fmp_translator_valid(prefix) ||
	    !fmp_addr_contains(prefix, a))
		return false;
	for (unsigned i = 0, at = prefix->prefix_len / 8; i < 4; i++, at++) {
		at += at == U_BYTE;
		bytes[i] = a->bytes[at];
	}
	*ipv4 = fmp_addr_ipv4(bytes);
	return true;
}

bool fmp_addr_is_translated(const struct fmp_addr *a, const struct fmp_translators *own)
{
	if (fmp_addr_contains(&well_known, a) || fmp_addr_contains(&local_use, a))
		return true;
	for (uint32_t i = 0; own && i < own->n; i++)
		if (fmp_addr_contains(&own->prefix[i], a))
			return true;
	return false;
}

/*
 * In 64:ff9b:1::/48 a prefix of 96 bits has zeros in front of the IPv4 address, where every other
 * format has the address itself.
 */
static struct fmp_addr local_prefix(const struct fmp_addr *a)
{
	static const uint8_t zero[4];

	return memcmp(a->bytes + 8, zero, 4) ? local_use : fmp_addr_mask(*a, 96);
}

/*
 * RFC 6890: neither private, shared nor link-local. Documentation addresses count as global,
 * because tests use them.
 */
static bool is_global(const struct fmp_addr *ipv4)
{
	const uint8_t *b = ipv4->bytes;

	return !(b[0] == 10 || (b[0] == 172 && (b[1] & 0xf0) == 16) ||
		 (b[0] == 192 && b[1] == 168) || (b[0] == 100 && (b[1] & 0xc0) == 64) ||
		 (b[0] == 169 && b[1] == 254));
}

static bool is_host(const struct fmp_addr *ipv4)
{
	return fmp_addr_is_source(ipv4) && ipv4->bytes[0] && ipv4->bytes[0] != 127 &&
	       ipv4->bytes[0] < 240;
}

/*
 * Return: the longest listed prefix that contains @a; else the well-known prefix that does; NULL:
 * none.
 */
static const struct fmp_addr *prefix_of(const struct fmp_addr *a, const struct fmp_translators *own,
					struct fmp_addr *storage)
{
	const struct fmp_addr *best = NULL;

	for (uint32_t i = 0; own && i < own->n; i++)
		if (fmp_addr_contains(&own->prefix[i], a) &&
		    (!best || own->prefix[i].prefix_len > best->prefix_len))
			best = &own->prefix[i];
	if (best)
		return best;
	if (fmp_addr_contains(&well_known, a))
		return &well_known;
	if (!fmp_addr_contains(&local_use, a))
		return NULL;
	*storage = local_prefix(a);
	return storage;
}

bool fmp_addr_ipv4_host(const struct fmp_addr *a, const struct fmp_translators *own,
			struct fmp_addr *ipv4)
{
	struct fmp_addr storage, host;
	const struct fmp_addr *prefix = prefix_of(a, own, &storage);

	if (!prefix || !fmp_addr_extract(a, prefix, &host) || !is_host(&host) || !is_global(&host))
		return false;
	*ipv4 = host;
	return true;
}

static bool add_form(const struct fmp_addr *ipv4, const struct fmp_addr *prefix,
		     const struct fmp_translators *own, struct fmp_addr *out)
{
	struct fmp_addr host;

	/* Skip a form that a longer prefix would decode to another host. */
	return fmp_addr_embed(ipv4, prefix, out) && fmp_addr_ipv4_host(out, own, &host) &&
	       fmp_addr_equal(&host, ipv4);
}

size_t fmp_addr_forms(const struct fmp_addr *ipv4, const struct fmp_translators *own,
		      struct fmp_addr *out)
{
	const struct fmp_addr local_96 = fmp_addr_mask(fmp_addr_ipv6(local_use.bytes), 96);
	size_t n = 0;

	n += add_form(ipv4, &well_known, own, &out[n]);
	n += add_form(ipv4, &local_use, own, &out[n]);
	n += add_form(ipv4, &local_96, own, &out[n]);
	for (uint32_t i = 0; own && i < own->n; i++)
		n += add_form(ipv4, &own->prefix[i], own, &out[n]);
	return n;
}

bool fmp_addr_is_form(const struct fmp_addr *a, const struct fmp_addr *prefix)
{
	struct fmp_addr host, form;

	return fmp_addr_extract(a, prefix, &host) && is_host(&host) &&
	       fmp_addr_embed(&host, prefix, &form) && fmp_addr_equal(&form, a);
}

bool fmp_addr_is_found(const struct fmp_addr *a, const struct fmp_translators *found)
{
	for (uint32_t i = 0; found && i < found->n; i++)
		if (fmp_addr_is_form(a, &found->prefix[i]))
			return true;
	return false;
}
