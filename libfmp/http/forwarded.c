// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/forwarded.h>

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define COMMAND_LOCAL 0x20 /* version 2 in the upper half */
#define COMMAND_PROXY 0x21
#define OVER_TCP4     0x11
#define OVER_TCP6     0x21
#define TCP4_BYTES    12 /* two addresses, two ports */
#define TCP6_BYTES    36
#define TLV_HEAD      3
#define TOKEN_MAX     (FMP_ADDR_STRLEN + FMP_ADDR_ZONELEN + 8) /* "[address%zone]:port" */

static uint16_t get_be16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

size_t fmp_proxy_protocol_length(const uint8_t *head)
{
	static const char signature[] = "\r\n\r\n\0\r\nQUIT\n";
	size_t len = FMP_PROXY_PROTOCOL_HEAD + (size_t)get_be16(head + 14);

	return memcmp(head, signature, sizeof(signature) - 1) || len > FMP_PROXY_PROTOCOL_MAX ? 0
											      : len;
}

/* TLVs behind the addresses are ignored, but their lengths must add up. */
static bool are_tlvs_complete(const uint8_t *p, size_t len)
{
	while (len >= TLV_HEAD) {
		size_t n = TLV_HEAD + (size_t)get_be16(p + 1);

		if (n > len)
			return false;
		p += n;
		len -= n;
	}
	return !len;
}

/* An IPv4-mapped address becomes IPv4, as everywhere. */
static const char *set_client(const struct sockaddr *sa, struct fmp_forwarded_client *out)
{
	struct fmp_forwarded_client got;

	if (fmp_addr_from_sockaddr(sa, &got.source, &got.source_port) ||
	    !fmp_addr_is_source(&got.source))
		return "PROXY header: the source is not the address of one host";
	*out = got;
	return NULL;
}

static const char *parse_tcp4(const uint8_t *p, struct fmp_forwarded_client *out)
{
	struct sockaddr_in sa = { .sin_family = AF_INET };

	memcpy(&sa.sin_addr, p, sizeof(sa.sin_addr));
	memcpy(&sa.sin_port, p + 8, sizeof(sa.sin_port));
	return set_client((struct sockaddr *)&sa, out);
}

static const char *parse_tcp6(const uint8_t *p, struct fmp_forwarded_client *out)
{
	struct sockaddr_in6 sa = { .sin6_family = AF_INET6 };

	memcpy(&sa.sin6_addr, p, sizeof(sa.sin6_addr));
	memcpy(&sa.sin6_port, p + 32, sizeof(sa.sin6_port));
	return set_client((struct sockaddr *)&sa, out);
}

const char *fmp_proxy_protocol_parse(const uint8_t *bytes, size_t len,
				     struct fmp_forwarded_client *out)
{
	const uint8_t *p = bytes + FMP_PROXY_PROTOCOL_HEAD;
	size_t rest = len - FMP_PROXY_PROTOCOL_HEAD, addresses;

	memset(out, 0, sizeof(*out));
	if (bytes[12] == COMMAND_LOCAL)
		return NULL; /* a health check of the proxy; ignore the rest */
	if (bytes[12] != COMMAND_PROXY)
		return "PROXY header: unknown version or command";
	if (bytes[13] != OVER_TCP4 && bytes[13] != OVER_TCP6)
		return "PROXY header: neither TCP over IPv4 nor over IPv6";
	addresses = bytes[13] == OVER_TCP4 ? TCP4_BYTES : TCP6_BYTES;
	if (rest < addresses)
		return "PROXY header: shorter than its addresses";
	if (!are_tlvs_complete(p + addresses, rest - addresses))
		return "PROXY header: a field is longer than the header";
	return bytes[13] == OVER_TCP4 ? parse_tcp4(p, out) : parse_tcp6(p, out);
}

const struct fmp_policy_proxy *fmp_forwarded_find_proxy(const struct fmp_policy_gateway *g,
							const struct fmp_addr *a)
{
	const struct fmp_policy_proxy *best = NULL;

	for (unsigned i = 0; i < g->n_proxies; i++)
		if (fmp_addr_contains(&g->proxies[i].address, a) &&
		    (!best || g->proxies[i].address.prefix_len > best->address.prefix_len))
			best = &g->proxies[i];
	return best;
}

static bool is_port(const char *s)
{
	size_t digits = strspn(s, "0123456789");

	return digits && digits <= 5 && !s[digits] && strtoul(s, NULL, 10) <= UINT16_MAX;
}

/* "192.0.2.1", "192.0.2.1:80", "2001:db8::1", "[2001:db8::1]", "[2001:db8::1]:80" */
static bool parse_list_element(const char *text, size_t n, struct fmp_addr *out)
{
	char buf[TOKEN_MAX], *host = buf, *end;

	while (n && (text[n - 1] == ' ' || text[n - 1] == '\t'))
		n--;
	while (n && (*text == ' ' || *text == '\t')) {
		text++;
		n--;
	}
	if (!n || n >= sizeof(buf))
		return false;
	memcpy(buf, text, n);
	buf[n] = 0;
	end = *buf == '[' ? strchr(buf, ']') : strchr(buf, ':');
	if (*buf == '[') {
		if (!end || (end[1] && (end[1] != ':' || !is_port(end + 2))))
			return false;
		host++;
		*end = 0;
	} else if (end && end == strrchr(buf, ':')) {
		if (!is_port(end + 1))
			return false;
		*end = 0; /* one colon: a port behind an IPv4 address */
	}
	return !fmp_addr_parse_source(host, out, NULL);
}

const char *fmp_forwarded_chain(const struct fmp_policy_gateway *g, const char *list,
				struct fmp_addr *out)
{
	size_t end = strlen(list);
	struct fmp_addr hop;

	for (;;) {
		size_t start = end;

		while (start && list[start - 1] != ',')
			start--;
		if (!parse_list_element(list + start, end - start, &hop))
			return NULL;
		if (!start || !fmp_forwarded_find_proxy(g, &hop)) {
			*out = hop;
			return list + start;
		}
		end = start - 1;
	}
}

bool fmp_forwarded_for(const struct fmp_policy_gateway *g, const char *list, struct fmp_addr *out)
{
	return fmp_forwarded_chain(g, list, out);
}
