// SPDX-License-Identifier: GPL-2.0
#include "backend_url.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#include <fmp/policy.h>

#include "backend_tls.h"

#define SCHEME	   "http://"
#define SCHEME_TLS "https://"

/* The parts of "http://host[:port]/path". */
struct url_parts {
	char host[256], port[8];
	const char *path; /* "" or starts with '/' */
	bool tls;
};

static bool split_url(const char *url, struct url_parts *out)
{
	const char *p, *end;
	size_t n;

	out->tls = !strncasecmp(url, SCHEME_TLS, strlen(SCHEME_TLS));
	if ((!out->tls && strncasecmp(url, SCHEME, strlen(SCHEME))) || strpbrk(url, " \t\r\n@"))
		return false;
	p = url + strlen(out->tls ? SCHEME_TLS : SCHEME);
	if (*p == '[') {
		end = strchr(++p, ']');
		if (!end)
			return false;
		n = (size_t)(end++ - p);
	} else {
		n = strcspn(p, ":/");
		end = p + n;
	}
	if (!n || n >= sizeof(out->host))
		return false;
	memcpy(out->host, p, n);
	out->host[n] = 0;
	strcpy(out->port, out->tls ? "443" : "80");
	if (*end == ':') {
		n = strspn(++end, "0123456789");
		if (!n || n >= sizeof(out->port) || atoi(end) < 1 || atoi(end) > 65535)
			return false;
		memcpy(out->port, end, n);
		out->port[n] = 0;
		end += n;
	}
	out->path = end;
	return !*end || *end == '/';
}

bool gw_backend_url_add(struct gw_backend_url *u, const struct sockaddr *sa)
{
	struct sockaddr_in *v4 = (struct sockaddr_in *)&u->sa[u->n];
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)&u->sa[u->n];
	const void *address;

	if (u->n >= GW_BACKEND_ADDRESSES)
		return false;
	if (sa->sa_family == AF_INET) {
		memcpy(v4, sa, sizeof(*v4));
		v4->sin_port = htons(u->port);
		u->sa_len[u->n] = sizeof(*v4);
		address = &v4->sin_addr;
	} else if (sa->sa_family == AF_INET6) {
		memcpy(v6, sa, sizeof(*v6));
		v6->sin6_port = htons(u->port);
		u->sa_len[u->n] = sizeof(*v6);
		address = &v6->sin6_addr;
	} else {
		return false;
	}
	if (!inet_ntop(sa->sa_family, address, u->address[u->n], sizeof(u->address[0])))
		return false;
	u->n++;
	return true;
}

/* A host name has no address yet. */
static void add_numeric_address(struct gw_backend_url *u)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
				  .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV },
			*list = NULL;

	if (getaddrinfo(u->name, NULL, &hints, &list))
		return;
	for (const struct addrinfo *a = list; a; a = a->ai_next)
		gw_backend_url_add(u, a->ai_addr);
	freeaddrinfo(list);
}

int gw_backend_url_new(const char *url, const struct fmp_policy_backend_tls *tls,
		       const struct fmp_key_source *keys, struct gw_backend_url **out,
		       struct fmp_error *err)
{
	struct gw_backend_url *u;
	struct url_parts parts;
	bool v6;
	int rc;

	if (strlen(url) >= sizeof(u->path) || !split_url(url, &parts))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "backend \"%.100s\" is not http://HOST[:PORT]/PATH", url);
	if (parts.tls && !*tls->ca)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "backend \"%.100s\": https needs ca=\"FILE\", the CAs that "
				     "vouch for it",
				     url);
	u = calloc(1, sizeof(*u));
	if (!u)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	v6 = strchr(parts.host, ':');
	snprintf(u->host, sizeof(u->host), "%s%s%s:%s", v6 ? "[" : "", parts.host, v6 ? "]" : "",
		 parts.port);
	snprintf(u->path, sizeof(u->path), "%s", parts.path);
	u->port = (uint16_t)atoi(parts.port);
	snprintf(u->name, sizeof(u->name), "%s", parts.host);
	snprintf(u->server_name, sizeof(u->server_name), "%s",
		 *tls->server_name ? tls->server_name : parts.host);
	add_numeric_address(u);
	rc = parts.tls ? gw_backend_tls_new(tls, keys, &u->tls, err) : 0;
	if (rc)
		free(u);
	else
		*out = u;
	return rc;
}

void gw_backend_url_free(struct gw_backend_url *url)
{
	if (url)
		gw_backend_tls_free(url->tls);
	free(url);
}
