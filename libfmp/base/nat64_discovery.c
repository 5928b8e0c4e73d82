// SPDX-License-Identifier: GPL-2.0
/* Parsers of PREF64 options (RFC 8781) and of DNS answers for ipv4only.arpa (RFC 7050). */
#include <fmp/internal/nat64_discovery.h>

#include <string.h>

const char *fmp_nat64_found_by_name(unsigned by)
{
	return by == FMP_NAT64_BY_RA ? "RFC 8781" : by == FMP_NAT64_BY_DNS ? "RFC 7050" : "unknown";
}

static void put_prefix(struct fmp_nat64_found *f, const struct fmp_addr *prefix)
{
	f->prefix_len = prefix->prefix_len;
	memcpy(f->prefix, prefix->bytes, sizeof(f->prefix));
}

bool fmp_nat64_found_prefix(const struct fmp_nat64_found *f, struct fmp_addr *out)
{
	struct fmp_addr prefix = fmp_addr_ipv6(f->prefix), cut;
	bool unicast = (f->prefix[0] & 0xe0) == 0x20 || (f->prefix[0] & 0xfe) == 0xfc;

	if ((f->by != FMP_NAT64_BY_RA && f->by != FMP_NAT64_BY_DNS) || f->prefix_len > 96 ||
	    !unicast)
		return false;
	cut = fmp_addr_mask(prefix, f->prefix_len);
	if (memcmp(cut.bytes, f->prefix, sizeof(f->prefix)) || !fmp_translator_valid(&cut))
		return false;
	*out = cut;
	return true;
}

/* ---- RFC 8781 ---- */

#define PREF64_TYPE   38u
#define PREF64_BYTES  16u
#define LIFETIME_UNIT 8u /* seconds */

bool fmp_pref64_parse(const uint8_t *option, size_t len, struct fmp_nat64_found *out)
{
	/* Indexed by the prefix length code (RFC 8781 4); 6 and 7 are unassigned. */
	static const uint8_t lengths[] = { 96, 64, 56, 48, 40, 32 };
	struct fmp_addr prefix = { .family = FMP_FAMILY_IPV6, .prefix_len = 128 };
	struct fmp_addr ignored;
	unsigned scaled, code;

	if (len < PREF64_BYTES || option[0] != PREF64_TYPE || option[1] != PREF64_BYTES / 8)
		return false;
	scaled = (unsigned)option[2] << 8 | option[3];
	code = scaled & 7;
	if (code >= sizeof(lengths))
		return false;
	memcpy(prefix.bytes, option + 4, 12);
	prefix = fmp_addr_mask(prefix, lengths[code]);
	*out = (struct fmp_nat64_found){ .by = FMP_NAT64_BY_RA,
					 .lifetime_s = (scaled >> 3) * LIFETIME_UNIT };
	put_prefix(out, &prefix);
	return fmp_nat64_found_prefix(out, &ignored);
}

/* ---- RFC 7050 ---- */

bool fmp_ipv4only_prefix(const uint8_t address[16], struct fmp_addr *out)
{
	static const uint8_t lengths[] = { 32, 40, 48, 56, 64, 96 };
	static const uint8_t well_known[3] = { 192, 0, 0 };
	struct fmp_addr a = fmp_addr_ipv6(address), prefix, ipv4;
	unsigned places = 0;

	for (size_t i = 0; i < sizeof(lengths); i++) {
		prefix = fmp_addr_mask(a, lengths[i]);
		if (!fmp_addr_extract(&a, &prefix, &ipv4) ||
		    memcmp(ipv4.bytes, well_known, sizeof(well_known)) ||
		    (ipv4.bytes[3] != 170 && ipv4.bytes[3] != 171))
			continue;
		places++;
		*out = prefix;
	}
	return places == 1;
}

/* A DNS message (RFC 1035 4.1), read from its start to its end. */
struct reader {
	const uint8_t *bytes;
	size_t len, at;
};

static bool skip_bytes(struct reader *r, size_t n)
{
	if (n > r->len - r->at)
		return false;
	r->at += n;
	return true;
}

static bool read_u16(struct reader *r, unsigned *v)
{
	const uint8_t *p = r->bytes + r->at;

	if (!skip_bytes(r, 2))
		return false;
	*v = (unsigned)p[0] << 8 | p[1];
	return true;
}

/* The name itself does not matter, so compression pointers are not followed. */
static bool skip_name(struct reader *r)
{
	while (r->at < r->len) {
		uint8_t n = r->bytes[r->at];

		if ((n & 0xc0) == 0xc0)
			return skip_bytes(r, 2);
		if (n & 0xc0 || !skip_bytes(r, 1u + n))
			return false;
		if (!n)
			return true;
	}
	return false;
}

static int add_prefix(const struct fmp_addr *prefix, uint32_t ttl_s, struct fmp_nat64_found *out,
		      int n)
{
	struct fmp_nat64_found f = { .by = FMP_NAT64_BY_DNS, .lifetime_s = ttl_s };
	struct fmp_addr ignored;

	put_prefix(&f, prefix);
	if (!fmp_nat64_found_prefix(&f, &ignored))
		return n;
	for (int i = 0; i < n; i++)
		if (out[i].prefix_len == f.prefix_len &&
		    !memcmp(out[i].prefix, f.prefix, sizeof(f.prefix))) {
			if (ttl_s < out[i].lifetime_s)
				out[i].lifetime_s = ttl_s;
			return n;
		}
	if ((unsigned)n < FMP_NAT64_FOUND_MAX)
		out[n++] = f;
	return n;
}

/*
 * Read the head of one record. Return: bytes of its data, which follow at @r; -1: the message is
 * truncated.
 */
static int read_record_head(struct reader *r, unsigned *type, unsigned *class, uint32_t *ttl_s)
{
	unsigned high, low, bytes;

	if (!skip_name(r) || !read_u16(r, type) || !read_u16(r, class) || !read_u16(r, &high) ||
	    !read_u16(r, &low) || !read_u16(r, &bytes) || bytes > r->len - r->at)
		return -1;
	*ttl_s = (uint32_t)high << 16 | low;
	/* RFC 2181 8: a TTL with the top bit set counts as 0. */
	if (high & 0x8000)
		*ttl_s = 0;
	return (int)bytes;
}

int fmp_ipv4only_parse(const uint8_t *message, size_t len, struct fmp_nat64_found *out)
{
	struct reader r = { message, len, 4 };
	unsigned questions, answers, type, class;
	struct fmp_addr prefix;
	uint32_t ttl_s;
	int n = 0;

	/* QR must be set and RCODE zero: an answer without an error. */
	if (len < 12 || !(message[2] & 0x80) || message[3] & 0x0f)
		return -1;
	if (!read_u16(&r, &questions) || !read_u16(&r, &answers) || !skip_bytes(&r, 4))
		return -1;
	while (questions--)
		if (!skip_name(&r) || !skip_bytes(&r, 4))
			return -1;
	while (answers--) {
		int bytes = read_record_head(&r, &type, &class, &ttl_s);

		if (bytes < 0)
			return -1;
		if (type == 28 && class == 1 && bytes == 16 &&
		    fmp_ipv4only_prefix(r.bytes + r.at, &prefix))
			n = add_prefix(&prefix, ttl_s, out, n);
		r.at += (size_t)bytes;
	}
	return n;
}
