// SPDX-License-Identifier: GPL-2.0
#include "source.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

static int append_source(struct flood_sources *s, const struct fmp_addr *addr,
			 struct fmp_error *err)
{
	if (s->n == FLOOD_SOURCES_MAX)
		return fmp_error_set(err, FMP_ERR_LIMIT, "more than %u sources", FLOOD_SOURCES_MAX);
	if (s->n == s->cap) {
		uint32_t cap = s->cap ? s->cap * 2 : 16;
		struct flood_source *list = realloc(s->list, cap * sizeof(*list));

		if (!list)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the sources");
		s->list = list;
		s->cap = cap;
	}
	memset(&s->list[s->n], 0, sizeof(s->list[0]));
	s->list[s->n++].addr = *addr;
	return 0;
}

int flood_sources_add(struct flood_sources *s, const char *text, struct fmp_error *err)
{
	struct fmp_addr addr;
	int rc = fmp_addr_parse(text, &addr, err);

	if (rc)
		return rc;
	if (!fmp_addr_is_ip(&addr) || addr.prefix_len != fmp_addr_max_prefix(addr.family))
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "source \"%.60s\" is not one IP address; see --sources", text);
	return append_source(s, &addr, err);
}

/* Increment an address. */
static void increment_addr(struct fmp_addr *a)
{
	int i = a->family == FMP_FAMILY_IPV4 ? 3 : 15;

	while (i >= 0 && !++a->bytes[i])
		i--;
}

int flood_sources_add_range(struct flood_sources *s, const char *text, struct fmp_error *err)
{
	char copy[FMP_ADDR_STRLEN];
	const char *sep = strrchr(text, '/');
	struct fmp_addr prefix, addr;
	unsigned long count, i;
	char *end;
	int rc;

	if (!sep || (size_t)(sep - text) >= sizeof(copy) || sep[1] < '1' || sep[1] > '9')
		goto bad;
	count = strtoul(sep + 1, &end, 10);
	if (*end || count > FLOOD_SOURCES_MAX)
		goto bad;
	memcpy(copy, text, (size_t)(sep - text));
	copy[sep - text] = 0;
	rc = fmp_addr_parse(copy, &prefix, err);
	if (rc)
		return rc;
	if (!fmp_addr_is_ip(&prefix))
		goto bad;
	addr = prefix;
	addr.prefix_len = fmp_addr_max_prefix(addr.family);
	/* The first address of a prefix is the network itself. */
	if (prefix.prefix_len != addr.prefix_len)
		increment_addr(&addr);
	for (i = 0; i < count; i++, increment_addr(&addr)) {
		if (prefix.prefix_len != addr.prefix_len && !fmp_addr_contains(&prefix, &addr))
			return fmp_error_set(err, FMP_ERR_LIMIT, "%s has no %lu addresses", copy,
					     count);
		rc = append_source(s, &addr, err);
		if (rc)
			return rc;
	}
	return 0;
bad:
	return fmp_error_set(err, FMP_ERR_SYNTAX,
			     "sources \"%.60s\": write PREFIX/COUNT, as in 192.0.2.0/24/50", text);
}

int flood_sources_ready(struct flood_sources *s, uint8_t family, struct fmp_error *err)
{
	static const struct fmp_addr any = { 0 };
	char text[FMP_ADDR_STRLEN];
	uint32_t i;

	if (!s->n)
		return append_source(s, &any, err);
	for (i = 0; i < s->n; i++)
		if (s->list[i].addr.family != family)
			return fmp_error_set(err, FMP_ERR_INVALID,
					     "source %s and target are of different families",
					     fmp_addr_format(&s->list[i].addr, text, sizeof(text)));
	return 0;
}

void flood_sources_free(struct flood_sources *s)
{
	free(s->list);
	memset(s, 0, sizeof(*s));
}

uint32_t flood_sources_next(struct flood_sources *s)
{
	uint32_t at = s->next;

	s->next = at + 1 < s->n ? at + 1 : 0;
	return at;
}

int flood_source_socket(const struct flood_source *src, uint8_t family)
{
	struct sockaddr_storage sa;
	const int on = 1;
	socklen_t len;
	int fd, err;

	fd = socket(family == FMP_FAMILY_IPV4 ? AF_INET : AF_INET6,
		    SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
	if (fd < 0)
		return -errno;
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	if (src->addr.family == FMP_FAMILY_NONE)
		return fd;
	/* Choose the port at connect, by the whole 4-tuple: 64 k ports for each source. */
	(void)setsockopt(fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof(on));
	len = flood_sockaddr(&src->addr, 0, &sa);
	if (!bind(fd, (struct sockaddr *)&sa, len))
		return fd;
	err = errno;
	close(fd);
	return -err;
}

int flood_sources_check(const struct flood_sources *s, uint8_t family, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	uint32_t i;

	for (i = 0; i < s->n; i++) {
		int fd = flood_source_socket(&s->list[i], family);

		if (fd < 0)
			return fmp_error_sys(err, FMP_ERR_IO, -fd, "cannot send from %s",
					     fmp_addr_format(&s->list[i].addr, text, sizeof(text)));
		close(fd);
	}
	return 0;
}

void flood_sources_end(struct flood_sources *s, uint32_t at, enum flood_outcome o,
		       uint64_t began_ns)
{
	struct flood_block *b = &s->list[at].block;
	bool was = flood_block_is_blocked(b);

	flood_block_end(b, o, began_ns);
	if (was != flood_block_is_blocked(b))
		s->blocked += was ? -1 : 1;
}
