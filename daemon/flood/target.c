// SPDX-License-Identifier: GPL-2.0
#include "target.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdlib.h>
#include <string.h>

socklen_t flood_sockaddr(const struct fmp_addr *addr, uint16_t port, struct sockaddr_storage *sa)
{
	memset(sa, 0, sizeof(*sa));
	if (addr->family == FMP_FAMILY_IPV4) {
		struct sockaddr_in *in = (struct sockaddr_in *)sa;

		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		memcpy(&in->sin_addr, addr->bytes, 4);
		return sizeof(*in);
	}
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)sa;

	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	memcpy(&in6->sin6_addr, addr->bytes, 16);
	return sizeof(*in6);
}

static int set_url_error(const char *url, const char *why, struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_SYNTAX, "url \"%.80s\": %s", url, why);
}

static int parse_port(const char *text, size_t len, uint16_t *port)
{
	unsigned v = 0;
	size_t i;

	if (!len || len > 5)
		return -1;
	for (i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return -1;
		v = v * 10 + (unsigned)(text[i] - '0');
	}
	if (!v || v > 65535)
		return -1;
	*port = (uint16_t)v;
	return 0;
}

/* Refuse control characters and spaces, which would break the request line. */
static int copy_path(struct flood_target *t, const char *path)
{
	const char *c;

	if (strlen(path) >= sizeof(t->path))
		return -1;
	for (c = path; *c; c++)
		if (*c <= ' ' || *c == 0x7f)
			return -1;
	strcpy(t->path, *path ? path : "/");
	return 0;
}

int flood_target_parse(struct flood_target *t, const char *url, struct fmp_error *err)
{
	const char *at = url, *host, *host_end, *authority, *end;
	char text[FMP_ADDR_STRLEN];
	int rc;

	memset(t, 0, sizeof(*t));
	if (strncmp(at, "http://", 7))
		return set_url_error(url, "must begin with http://", err);
	authority = host = at + 7;
	end = authority + strcspn(authority, "/");
	if (*host == '[') {
		host++;
		host_end = memchr(host, ']', (size_t)(end - host));
		at = host_end ? host_end + 1 : end;
	} else {
		host_end = memchr(host, ':', (size_t)(end - host));
		if (!host_end)
			host_end = end;
		at = host_end;
	}
	if (!host_end || host_end == host || (size_t)(host_end - host) >= sizeof(text) ||
	    (size_t)(end - authority) >= sizeof(t->host))
		return set_url_error(url, "no address in it", err);
	t->port = 80;
	if (at < end && (*at != ':' || parse_port(at + 1, (size_t)(end - at - 1), &t->port)))
		return set_url_error(url, "the port is not a number from 1 to 65535", err);
	if (copy_path(t, end))
		return set_url_error(url, "the path is too long or has spaces", err);
	memcpy(text, host, (size_t)(host_end - host));
	text[host_end - host] = 0;
	memcpy(t->host, authority, (size_t)(end - authority));
	rc = fmp_addr_parse(strcmp(text, "localhost") ? text : "127.0.0.1", &t->addr, err);
	if (rc || !fmp_addr_is_ip(&t->addr) ||
	    t->addr.prefix_len != fmp_addr_max_prefix(t->addr.family))
		return set_url_error(url, "the host must be a numeric address or localhost", err);
	t->sa_len = flood_sockaddr(&t->addr, t->port, &t->sa);
	return 0;
}

static bool is_own_address(const struct fmp_addr *addr)
{
	struct ifaddrs *list, *i;
	bool found = false;

	if (getifaddrs(&list))
		return false;
	for (i = list; i && !found; i = i->ifa_next) {
		struct fmp_addr own;

		if (i->ifa_addr && !fmp_addr_from_sockaddr(i->ifa_addr, &own, NULL))
			found = fmp_addr_equal(&own, addr);
	}
	freeifaddrs(list);
	return found;
}

int flood_target_allowed(const struct fmp_addr *addr, struct fmp_error *err)
{
	static const char *const ranges[] = {
		"127.0.0.0/8",	  "10.0.0.0/8",	  "172.16.0.0/12",   "192.168.0.0/16",
		"169.254.0.0/16", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",
		"198.18.0.0/15",  "::1",	  "fe80::/10",	     "fc00::/7",
		"2001:db8::/32",  "3fff::/20",	  "2001:2::/48",
	};
	char text[FMP_ADDR_STRLEN];
	struct fmp_addr range;
	size_t i;

	for (i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
		if (!fmp_addr_parse(ranges[i], &range, NULL) && fmp_addr_contains(&range, addr))
			return 0;
	if (is_own_address(addr))
		return 0;
	return fmp_error_set(err, FMP_ERR_DENIED,
			     "%s is a public address; say --i-own-the-target if it is yours",
			     fmp_addr_format(addr, text, sizeof(text)));
}
