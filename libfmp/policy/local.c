// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/policy_local.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/un.h>

static int parse_path(const char *path, struct sockaddr_storage *out, socklen_t *len)
{
	struct sockaddr_un *sun = (struct sockaddr_un *)out;
	size_t n = strlen(path);

	if (*path != '/' || n >= sizeof(sun->sun_path))
		return FMP_ERR_SYNTAX;
	sun->sun_family = AF_UNIX;
	memcpy(sun->sun_path, path, n + 1);
	*len = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n + 1);
	return 0;
}

/* Accept digits only; strtoul() would also accept signs and blanks. */
static int parse_port(const char *text, in_port_t *port)
{
	size_t n = strspn(text, "0123456789");
	unsigned long v;

	if (!n || n > 5 || text[n])
		return FMP_ERR_SYNTAX;
	v = strtoul(text, NULL, 10);
	if (v > UINT16_MAX)
		return FMP_ERR_SYNTAX;
	*port = htons((uint16_t)v);
	return 0;
}

static int parse_ipv4(const char *host, const char *port, struct sockaddr_storage *out,
		      socklen_t *len)
{
	struct sockaddr_in *sin = (struct sockaddr_in *)out;

	if (inet_pton(AF_INET, host, &sin->sin_addr) != 1 || parse_port(port, &sin->sin_port))
		return FMP_ERR_SYNTAX;
	sin->sin_family = AF_INET;
	*len = sizeof(*sin);
	return ntohl(sin->sin_addr.s_addr) >> 24 == 127 ? 0 : FMP_ERR_DENIED;
}

static int parse_ipv6(const char *host, const char *port, struct sockaddr_storage *out,
		      socklen_t *len)
{
	struct sockaddr_in6 *sin6 = (struct sockaddr_in6 *)out;

	if (inet_pton(AF_INET6, host, &sin6->sin6_addr) != 1 || parse_port(port, &sin6->sin6_port))
		return FMP_ERR_SYNTAX;
	sin6->sin6_family = AF_INET6;
	*len = sizeof(*sin6);
	return IN6_IS_ADDR_LOOPBACK(&sin6->sin6_addr) ? 0 : FMP_ERR_DENIED;
}

int fmp_local_parse(const char *text, struct sockaddr_storage *out, socklen_t *len)
{
	const char *colon = strrchr(text, ':');
	char host[INET6_ADDRSTRLEN];
	size_t n;

	memset(out, 0, sizeof(*out));
	if (!strncmp(text, "unix:", 5))
		return parse_path(text + 5, out, len);
	if (!colon)
		return FMP_ERR_SYNTAX;
	n = (size_t)(colon - text);
	if (n >= 2 && text[0] == '[' && text[n - 1] == ']') {
		n -= 2;
		text++;
	} else if (memchr(text, ':', n)) {
		return FMP_ERR_SYNTAX;
	}
	if (n >= sizeof(host))
		return FMP_ERR_SYNTAX;
	memcpy(host, text, n);
	host[n] = '\0';
	return memchr(host, ':', n) ? parse_ipv6(host, colon + 1, out, len)
				    : parse_ipv4(host, colon + 1, out, len);
}
