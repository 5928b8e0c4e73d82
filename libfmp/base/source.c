// SPDX-License-Identifier: GPL-2.0
/* The source key: parse, format, mask, compare and hash an address or a prefix. */
#include <fmp/source.h>

#include <arpa/inet.h>
#include <endian.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "hex.h"

static const uint8_t mapped_start[12] = { [10] = 0xff, [11] = 0xff };

uint8_t fmp_addr_max_prefix(uint8_t family)
{
	switch (family) {
	case FMP_FAMILY_IPV4:
		return 32;
	case FMP_FAMILY_IPV6:
		return 128;
	case FMP_FAMILY_MAC:
		return 48;
	default:
		return 0;
	}
}

static struct fmp_addr make_address(uint8_t family, const void *bytes)
{
	struct fmp_addr a = { .family = family, .prefix_len = fmp_addr_max_prefix(family) };

	memcpy(a.bytes, bytes, a.prefix_len / 8);
	return a;
}

struct fmp_addr fmp_addr_ipv4(const void *bytes4)
{
	return make_address(FMP_FAMILY_IPV4, bytes4);
}

struct fmp_addr fmp_addr_ipv6(const void *bytes16)
{
	return make_address(FMP_FAMILY_IPV6, bytes16);
}

struct fmp_addr fmp_addr_mac(const void *bytes6)
{
	return make_address(FMP_FAMILY_MAC, bytes6);
}

/*
 * An IPv4-mapped address becomes IPv4: a host has one key, whichever kind of socket it connects to.
 */
static struct fmp_addr unmap_ipv4(struct fmp_addr a)
{
	struct fmp_addr v4;

	if (a.family != FMP_FAMILY_IPV6 || a.prefix_len < 96 ||
	    memcmp(a.bytes, mapped_start, sizeof(mapped_start)))
		return a;
	v4 = fmp_addr_ipv4(a.bytes + sizeof(mapped_start));
	v4.prefix_len = a.prefix_len - 96;
	return v4;
}

struct fmp_addr fmp_addr_mask(struct fmp_addr a, uint8_t prefix_len)
{
	if (prefix_len > a.prefix_len)
		return a;
	a.prefix_len = prefix_len;
	for (unsigned i = 0; i < sizeof(a.bytes); i++) {
		unsigned bit = i * 8;

		if (bit >= prefix_len)
			a.bytes[i] = 0;
		else if (prefix_len - bit < 8)
			a.bytes[i] &= (uint8_t)(0xff00 >> (prefix_len - bit));
	}
	return a;
}

bool fmp_addr_equal(const struct fmp_addr *a, const struct fmp_addr *b)
{
	return !fmp_addr_compare(a, b);
}

int fmp_addr_compare(const struct fmp_addr *a, const struct fmp_addr *b)
{
	int d = (int)a->family - (int)b->family;

	if (!d)
		d = memcmp(a->bytes, b->bytes, sizeof(a->bytes));
	if (!d)
		d = (int)a->prefix_len - (int)b->prefix_len;
	return d;
}

/*
 * Compare the first @bits bits of two addresses as two 64-bit words, not sixteen bytes: every block
 * and every message is compared with the protected set.
 */
static bool same_start(const struct fmp_addr *a, const struct fmp_addr *b, unsigned bits)
{
	uint64_t x[2], y[2];

	memcpy(x, a->bytes, sizeof(x));
	memcpy(y, b->bytes, sizeof(y));
	for (unsigned i = 0; i < 2 && bits; i++) {
		unsigned some = bits < 64 ? bits : 64;

		if (be64toh(x[i] ^ y[i]) >> (64 - some))
			return false;
		bits -= some;
	}
	return true;
}

bool fmp_addr_contains(const struct fmp_addr *a, const struct fmp_addr *b)
{
	return a->family == b->family && a->family && a->prefix_len <= b->prefix_len &&
	       same_start(a, b, a->prefix_len);
}

bool fmp_addr_overlaps(const struct fmp_addr *a, const struct fmp_addr *b)
{
	return fmp_addr_contains(a, b) || fmp_addr_contains(b, a);
}

static bool parse_mac(const char *s, uint8_t bytes[6])
{
	if (strlen(s) != 17)
		return false;
	for (int i = 0; i < 6; i++, s += 3) {
		int high = fmpi_hex_digit(s[0]), low = fmpi_hex_digit(s[1]);

		if (high < 0 || low < 0 || s[2] != (i < 5 ? ':' : '\0'))
			return false;
		bytes[i] = (uint8_t)(high << 4 | low);
	}
	return true;
}

/* Accepts decimal digits without a sign or leading zeros, up to max. */
static bool parse_prefix(const char *s, uint8_t max, uint8_t *out)
{
	unsigned v = 0;

	if (!*s || strlen(s) > 3 || (s[0] == '0' && s[1]))
		return false;
	for (; *s; s++) {
		if (*s < '0' || *s > '9')
			return false;
		v = v * 10 + (unsigned)(*s - '0');
	}
	if (v > max)
		return false;
	*out = (uint8_t)v;
	return true;
}

/*
 * Is it a zone (RFC 4007 11.2)? Accepts numbers and the names that the kernel allows for a device.
 */
static bool is_zone(const char *s, size_t len)
{
	if (!len || len >= FMP_ADDR_ZONELEN)
		return false;
	for (size_t i = 0; i < len; i++)
		if (s[i] <= ' ' || s[i] > '~' || s[i] == ':' || s[i] == '%')
			return false;
	return true;
}

int fmp_addr_parse(const char *text, struct fmp_addr *out, struct fmp_error *err)
{
	const char *slash = strchr(text, '/'), *zone;
	size_t whole = slash ? (size_t)(slash - text) : strlen(text), len;
	uint8_t bytes[16], prefix;
	char host[FMP_ADDR_STRLEN];
	struct fmp_addr a, cut;

	zone = memchr(text, '%', whole);
	len = zone ? (size_t)(zone - text) : whole;
	if (!len || len >= sizeof(host) || (zone && !is_zone(zone + 1, whole - len - 1)))
		return fmp_error_set(err, FMP_ERR_SYNTAX, "\"%.64s\" is not an IP address or a MAC",
				     text);
	memcpy(host, text, len);
	host[len] = '\0';

	if (!zone && inet_pton(AF_INET, host, bytes) == 1)
		a = fmp_addr_ipv4(bytes);
	else if (inet_pton(AF_INET6, host, bytes) == 1)
		a = fmp_addr_ipv6(bytes);
	else if (!zone && parse_mac(host, bytes))
		a = fmp_addr_mac(bytes);
	else
		return fmp_error_set(err, FMP_ERR_SYNTAX, "\"%.64s\" is not an IP address or a MAC",
				     text);

	if (slash) {
		if (a.family == FMP_FAMILY_MAC)
			return fmp_error_set(err, FMP_ERR_SYNTAX,
					     "\"%.64s\": a MAC takes no prefix length", text);
		if (!parse_prefix(slash + 1, a.prefix_len, &prefix))
			return fmp_error_set(
				err, FMP_ERR_SYNTAX,
				"\"%.64s\": the prefix length is not a number of 0 to %u", text,
				a.prefix_len);
		cut = fmp_addr_mask(a, prefix);
		if (memcmp(cut.bytes, a.bytes, sizeof(a.bytes))) {
			fmp_addr_format(&cut, host, sizeof(host));
			return fmp_error_set(err, FMP_ERR_SYNTAX,
					     "\"%.64s\" has bits behind its prefix: is %s meant?",
					     text, host);
		}
		a = cut;
	}
	*out = unmap_ipv4(a);
	return 0;
}

bool fmp_addr_is_source(const struct fmp_addr *a)
{
	static const uint8_t zero[16], ones[4] = { 0xff, 0xff, 0xff, 0xff };
	size_t n = fmp_addr_max_prefix(a->family) / 8;

	if (!fmp_addr_is_ip(a) || a->prefix_len != n * 8 || !memcmp(a->bytes, zero, n))
		return false;
	if (a->family == FMP_FAMILY_IPV4)
		return (a->bytes[0] & 0xf0) != 0xe0 && memcmp(a->bytes, ones, n) != 0;
	return a->bytes[0] != 0xff && memcmp(a->bytes, mapped_start, sizeof(mapped_start)) != 0;
}

int fmp_addr_parse_source(const char *text, struct fmp_addr *out, struct fmp_error *err)
{
	struct fmp_addr a;
	int rc = fmp_addr_parse(text, &a, err);

	if (rc)
		return rc;
	if (!fmp_addr_is_source(&a))
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "\"%.64s\" is not the IP address of one host", text);
	*out = a;
	return 0;
}

/* Write a byte in decimal. Return: the position behind it. */
static char *put_byte(char *to, unsigned v)
{
	if (v >= 100)
		*to++ = (char)('0' + v / 100);
	if (v >= 10)
		*to++ = (char)('0' + v / 10 % 10);
	*to++ = (char)('0' + v % 10);
	return to;
}

/* Not inet_ntop(): it uses sprintf(), which is a third of the cost of logging a block. */
static void put_ipv4(const uint8_t b[4], char *to)
{
	for (unsigned i = 0; i < 4; i++) {
		if (i)
			*to++ = '.';
		to = put_byte(to, b[i]);
	}
	*to = '\0';
}

const char *fmp_addr_format(const struct fmp_addr *a, char *buf, size_t size)
{
	char host[INET6_ADDRSTRLEN + sizeof("/128")] = "none", *end;
	const uint8_t *b = a->bytes;
	size_t len;

	if (!size)
		return "";
	switch (a->family) {
	case FMP_FAMILY_IPV4:
		put_ipv4(b, host);
		break;
	case FMP_FAMILY_IPV6:
		inet_ntop(AF_INET6, b, host, sizeof(host));
		break;
	case FMP_FAMILY_MAC:
		snprintf(host, sizeof(host), "%02x:%02x:%02x:%02x:%02x:%02x", b[0], b[1], b[2],
			 b[3], b[4], b[5]);
		break;
	}
	len = strlen(host);
	if (a->prefix_len < fmp_addr_max_prefix(a->family)) {
		host[len++] = '/';
		end = put_byte(host + len, a->prefix_len);
		len = (size_t)(end - host);
	}
	if (len >= size)
		len = size - 1;
	memcpy(buf, host, len);
	buf[len] = '\0';
	return buf;
}

int fmp_addr_from_sockaddr(const struct sockaddr *sa, struct fmp_addr *out, uint16_t *port)
{
	/* Copied, for the caller's buffer may have any alignment. */
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	switch (sa->sa_family) {
	case AF_INET:
		memcpy(&v4, sa, sizeof(v4));
		*out = fmp_addr_ipv4(&v4.sin_addr);
		if (port)
			*port = ntohs(v4.sin_port);
		return 0;
	case AF_INET6:
		memcpy(&v6, sa, sizeof(v6));
		*out = unmap_ipv4(fmp_addr_ipv6(&v6.sin6_addr));
		if (port)
			*port = ntohs(v6.sin6_port);
		return 0;
	default:
		return FMP_ERR_INVALID;
	}
}

struct sip {
	uint64_t v0, v1, v2, v3;
};

static uint64_t rotate_left(uint64_t x, int n)
{
	return x << n | x >> (64 - n);
}

static void sip_round(struct sip *s)
{
	s->v0 += s->v1;
	s->v1 = rotate_left(s->v1, 13) ^ s->v0;
	s->v0 = rotate_left(s->v0, 32);
	s->v2 += s->v3;
	s->v3 = rotate_left(s->v3, 16) ^ s->v2;
	s->v0 += s->v3;
	s->v3 = rotate_left(s->v3, 21) ^ s->v0;
	s->v2 += s->v1;
	s->v1 = rotate_left(s->v1, 17) ^ s->v2;
	s->v2 = rotate_left(s->v2, 32);
}

/*
 * SipHash-1-3 over the three words of an address. The second half of the key is derived from the
 * seed: 64 unknown bits are enough to hide which bucket an address falls into.
 */
uint64_t fmp_addr_hash(const struct fmp_addr *a, uint64_t seed)
{
	uint64_t words[3], key1 = rotate_left(seed, 29) * 0x9e3779b97f4a7c15u;
	struct sip s = {
		seed ^ 0x736f6d6570736575u,
		key1 ^ 0x646f72616e646f6du,
		seed ^ 0x6c7967656e657261u,
		key1 ^ 0x7465646279746573u,
	};

	memcpy(words, a->bytes, sizeof(a->bytes));
	words[2] = (uint64_t)sizeof(*a) << 56 | (uint64_t)a->prefix_len << 8 | a->family;
	for (int i = 0; i < 3; i++) {
		s.v3 ^= words[i];
		sip_round(&s);
		s.v0 ^= words[i];
	}
	s.v2 ^= 0xff;
	for (int i = 0; i < 3; i++)
		sip_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}
