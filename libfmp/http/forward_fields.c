// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/forward_fields.h>
#include <fmp/internal/identity_fields.h>

#include <string.h>
#include <strings.h>

/* Why a field is not forwarded. */
enum {
	OF_REQUEST = 1, /* of one hop, or made by the gateway, in requests */
	OF_ANSWER = 2, /* the same, in answers */
	ABOUT_BODY = 4, /* describes the bytes of the body */
	ACCEPT_FIELDS = 8,
	IS_LOCATION = 16, /* of answers: may name the backend */
	BEGINS = 32, /* names that begin so */
	FORGEABLE = 64, /* of requests: by default not forwarded, but the policy may keep it */
};

#define BOTH (OF_REQUEST | OF_ANSWER)

struct name_rule {
	const char *name; /* in lower case */
	unsigned char len, why;
};

#define NAME(text, reason)                                               \
	{                                                                \
		.name = (text), .len = sizeof(text) - 1, .why = (reason) \
	}

/*
 * The second part are names by which services learn the client or another URL. Only the gateway
 * knows what is true, so it does not forward what any client can write. "Proxy" becomes a variable
 * that changes the service's own proxy (httpoxy).
 */
static const struct name_rule rules[] = {
	NAME("connection", BOTH),
	NAME("keep-alive", BOTH),
	NAME("proxy-connection", BOTH),
	NAME("proxy-authorization", BOTH),
	NAME("proxy-authenticate", BOTH),
	NAME("proxy-authentication-info", BOTH),
	NAME("te", BOTH),
	NAME("trailer", BOTH),
	NAME("transfer-encoding", BOTH),
	NAME("upgrade", BOTH),
	NAME("http2-settings", BOTH),
	NAME("content-length", BOTH),
	NAME("content-type", BOTH),
	NAME("host", OF_REQUEST),
	NAME("soapaction", OF_REQUEST),
	NAME("expect", OF_REQUEST),
	NAME("content-encoding", OF_REQUEST | ABOUT_BODY),
	NAME("content-md5", ABOUT_BODY),
	NAME("digest", ABOUT_BODY),
	NAME("content-digest", ABOUT_BODY),
	NAME("repr-digest", ABOUT_BODY),
	NAME("etag", ABOUT_BODY),
	NAME("accept-encoding", ACCEPT_FIELDS),
	NAME("location", IS_LOCATION),
	NAME("content-location", IS_LOCATION),
	NAME("forwarded", OF_REQUEST),
	NAME("x-forwarded-", OF_REQUEST | BEGINS),
	NAME("x-fmp-", OF_REQUEST | BEGINS),
	/* The client's address. */
	NAME("x-real-ip", FORGEABLE),
	NAME("x-client-ip", FORGEABLE),
	NAME("x-cluster-client-ip", FORGEABLE),
	NAME("x-remote-ip", FORGEABLE),
	NAME("x-remote-addr", FORGEABLE),
	NAME("x-originating-ip", FORGEABLE),
	NAME("true-client-ip", FORGEABLE),
	NAME("client-ip", FORGEABLE),
	NAME("fastly-client-ip", FORGEABLE),
	NAME("cf-connecting-ip", FORGEABLE | BEGINS),
	NAME("proxy-client-ip", FORGEABLE),
	NAME("wl-proxy-", FORGEABLE | BEGINS),
	/* Its certificate (RFC 9440, and what servers call it), its user. */
	NAME("client-cert", FORGEABLE),
	NAME("client-cert-chain", FORGEABLE),
	NAME("x-client-cert", FORGEABLE | BEGINS),
	NAME("x-client-dn", FORGEABLE),
	NAME("x-client-verify", FORGEABLE),
	NAME("x-ssl-client-", FORGEABLE | BEGINS),
	NAME("ssl-client-", FORGEABLE | BEGINS),
	NAME("x-arr-clientcert", FORGEABLE),
	NAME("x-ssl-cert", FORGEABLE | BEGINS),
	NAME("x-tls-client-", FORGEABLE | BEGINS),
	NAME("x-amzn-mtls-", FORGEABLE | BEGINS),
	NAME("remote-user", FORGEABLE),
	NAME("remote-groups", FORGEABLE),
	NAME("remote-name", FORGEABLE),
	NAME("remote-email", FORGEABLE),
	NAME("proxy-remote-user", FORGEABLE),
	NAME("x-remote-user", FORGEABLE),
	NAME("x-remote-group", FORGEABLE | BEGINS),
	NAME("x-remote-extra-", FORGEABLE | BEGINS),
	/* What single sign-on gateways and log-in modules write: SiteMinder, ISAM, OAM. */
	NAME("sm-", FORGEABLE | BEGINS),
	NAME("iv-", FORGEABLE | BEGINS),
	NAME("oam-", FORGEABLE | BEGINS),
	NAME("osso-", FORGEABLE | BEGINS),
	/* Shibboleth, with its attributes; CAS, OpenID Connect, proxies that log in. */
	NAME("shib-", FORGEABLE | BEGINS),
	NAME("ajp-", FORGEABLE | BEGINS),
	NAME("eppn", FORGEABLE),
	NAME("persistent-id", FORGEABLE),
	NAME("targeted-id", FORGEABLE),
	NAME("affiliation", FORGEABLE),
	NAME("unscoped-affiliation", FORGEABLE),
	NAME("entitlement", FORGEABLE),
	NAME("cas-user", FORGEABLE),
	NAME("oidc-", FORGEABLE | BEGINS),
	NAME("x-auth-request-", FORGEABLE | BEGINS),
	NAME("x-authenticated-", FORGEABLE | BEGINS),
	NAME("x-webauth-", FORGEABLE | BEGINS),
	NAME("x-proxy-user", FORGEABLE),
	NAME("x-proxy-remote-user", FORGEABLE),
	/* API gateways and clouds. */
	NAME("x-consumer-", FORGEABLE | BEGINS),
	NAME("x-credential-", FORGEABLE | BEGINS),
	NAME("x-anonymous-consumer", FORGEABLE),
	NAME("x-ms-client-principal", FORGEABLE | BEGINS),
	NAME("x-ms-token-", FORGEABLE | BEGINS),
	NAME("x-goog-authenticated-user-", FORGEABLE | BEGINS),
	NAME("x-goog-iap-", FORGEABLE | BEGINS),
	NAME("x-amzn-oidc-", FORGEABLE | BEGINS),
	NAME("cf-access-authenticated-", FORGEABLE | BEGINS),
	/* All of these and the connection, for WebSphere ($WSRU) and Jetty. */
	NAME("-ws", FORGEABLE | BEGINS),
	NAME("x-proxied-https", FORGEABLE),
	NAME("proxy-auth-cert", FORGEABLE),
	NAME("proxy-ssl-id", FORGEABLE),
	/* The method. */
	NAME("x-http-method-override", FORGEABLE),
	NAME("x-http-method", FORGEABLE),
	NAME("x-method-override", FORGEABLE),
	/* The URL, and what the service itself asks others by. */
	NAME("x-original-url", FORGEABLE),
	NAME("x-rewrite-url", FORGEABLE),
	NAME("proxy", FORGEABLE),
};

static unsigned reasons_against(const struct fmp_field *f)
{
	char first = fmp_field_name_fold(*f->name);

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++) {
		const struct name_rule *r = &rules[i];
		bool fits;

		if (*r->name != first)
			continue;
		fits = r->why & BEGINS ? f->name_len >= r->len : f->name_len == r->len;
		if (fits && fmp_field_name_is(f->name, r->len, r->name))
			return r->why;
	}
	return 0;
}

/* The names in all Connection fields. */
struct hop_names {
	struct {
		const char *p;
		size_t n;
	} name[FMP_HTTP_HOP_NAMES];
	unsigned n;
};

static void read_hop_value(struct hop_names *out, const struct fmp_field *f)
{
	const char *p = f->value, *end = p + f->value_len;

	for (size_t n; p < end; p += n + 1) {
		n = 0;
		while (p + n < end && p[n] != ',' && p[n] != ' ' && p[n] != '\t')
			n++;
		/* These two name no field, and are not counted. */
		if (!n || out->n == FMP_HTTP_HOP_NAMES || fmp_field_name_is(p, n, "close") ||
		    fmp_field_name_is(p, n, "keep-alive"))
			continue;
		out->name[out->n].p = p;
		out->name[out->n++].n = n;
	}
}

static void read_hop_names(const struct fmp_http *h, struct hop_names *out)
{
	struct fmp_field f;
	size_t at = 0;

	out->n = 0;
	while (h->names_fields && fmp_field_list_next(&h->fields, &at, &f))
		if (fmp_field_name_is(f.name, f.name_len, "connection"))
			read_hop_value(out, &f);
}

/* Does Connection name it? */
static bool is_of_this_hop(const struct hop_names *hop, const struct fmp_field *of)
{
	for (unsigned i = 0; i < hop->n; i++)
		if (hop->name[i].n == of->name_len &&
		    !strncasecmp(hop->name[i].p, of->name, of->name_len))
			return true;
	return false;
}

/* X_Site must not stand in for what the policy sets as X-Site. */
static bool equal_names(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (fmp_field_name_fold(a[i]) != fmp_field_name_fold(b[i]))
			return false;
	return true;
}

/* Does the policy's rule name it? */
static bool is_named_by(const struct fmp_policy_field_rule *r, const struct fmp_field *f)
{
	size_t n = strlen(r->name);

	if (n && r->name[n - 1] == '*')
		return f->name_len >= n - 1 && equal_names(r->name, f->name, n - 1);
	return f->name_len == n && equal_names(r->name, f->name, n);
}

static bool matches_rule(const struct fmp_policy_field_rule *r,
			 const struct fmp_forward_fields *how)
{
	return how->answer ? r->answers : r->requests;
}

/* What is set replaces what was received. @keep: look for rules to keep a field, else for the others */
static bool is_in_policy(const struct fmp_field *f, const struct fmp_forward_fields *how, bool keep)
{
	for (unsigned i = 0; i < how->policy->n; i++)
		if (how->policy->rule[i].keep == keep && matches_rule(&how->policy->rule[i], how) &&
		    is_named_by(&how->policy->rule[i], f))
			return true;
	return false;
}

static bool set_by_policy(struct fmp_field_list *out, const struct fmp_forward_fields *how)
{
	for (unsigned i = 0; i < how->policy->n; i++) {
		const struct fmp_policy_field_rule *r = &how->policy->rule[i];

		if (matches_rule(r, how) && *r->value &&
		    !fmp_field_list_add(out, r->name, r->value))
			return false;
	}
	return true;
}

static bool forward_field(struct fmp_field_list *out, const struct fmp_field *f,
			  const struct fmp_forward_fields *how, unsigned why)
{
	if (!(why & IS_LOCATION) || !how->service)
		return fmp_field_list_append(out, f->line, f->line_len);
	return fmp_field_list_begin(out, f->name, f->name_len) &&
	       fmp_target_unmap(out, how->service, f->value, f->value_len) &&
	       fmp_field_list_end(out);
}

bool fmp_forward_withholds(const struct fmp_field *f, const struct fmp_policy_fields *policy)
{
	const struct fmp_forward_fields how = { .policy = policy };

	return (reasons_against(f) & FORGEABLE) && !is_in_policy(f, &how, true) &&
	       !is_in_policy(f, &how, false);
}

bool fmp_forward_fields(struct fmp_field_list *out, const struct fmp_http *h,
			const struct fmp_forward_fields *how)
{
	unsigned against = (how->answer ? OF_ANSWER : OF_REQUEST | FORGEABLE) |
			   (how->changed ? ABOUT_BODY : 0) |
			   (how->reads_answer ? ACCEPT_FIELDS : 0);
	struct hop_names hop;
	struct fmp_field f;
	size_t at = 0;

	read_hop_names(h, &hop);
	while (fmp_field_list_next(&h->fields, &at, &f)) {
		unsigned why = reasons_against(&f);

		if ((why & FORGEABLE) && how->policy->n && is_in_policy(&f, how, true))
			why = 0;
		if ((why & against) || is_of_this_hop(&hop, &f) ||
		    (how->policy->n && is_in_policy(&f, how, false)) ||
		    (how->identity && fmp_identity_is_field(how->identity, f.name, f.name_len)))
			continue;
		if (!forward_field(out, &f, how, why))
			return false;
	}
	/* RFC 9110 7.6.3: behind the entries of those before us. */
	return set_by_policy(out, how) &&
	       fmp_field_list_add(out, "Via", h->version == 10 ? "1.0 fmp" : "1.1 fmp");
}

/* Does the value begin with this authentication scheme (RFC 9110 11.4)? */
static bool has_scheme(const struct fmp_field *f, const char *scheme)
{
	size_t n = strlen(scheme);

	return f->value_len >= n && !strncasecmp(f->value, scheme, n) &&
	       (f->value_len == n || strchr(" \t,", f->value[n]));
}

bool fmp_forward_is_of_connection(const struct fmp_field_list *l)
{
	struct fmp_field f;
	size_t at = 0;

	while (fmp_field_list_next(l, &at, &f))
		if (fmp_field_name_is(f.name, f.name_len, "authorization") &&
		    (has_scheme(&f, "ntlm") || has_scheme(&f, "negotiate")))
			return true;
	return false;
}

/* ---- the client ---- */

static bool append_text(struct fmp_field_list *out, const char *text)
{
	return fmp_field_list_append(out, text, strlen(text));
}

/* RFC 7239 6: what contains colons is quoted, an IPv6 address also has brackets. */
static bool append_node(struct fmp_field_list *out, const char *node, size_t n)
{
	const char *colon = memchr(node, ':', n);
	bool v6 = colon && *node != '[' && memchr(colon + 1, ':', n - (size_t)(colon + 1 - node));

	return append_text(out, colon ? v6 ? "for=\"[" : "for=\"" : "for=") &&
	       fmp_field_list_append(out, node, n) &&
	       append_text(out, colon ? v6 ? "]\"" : "\"" : "");
}

/* Return: the next element of a list; its length without white space: @n. NULL behind the last. */
static const char *next_element(const char *p, size_t *n)
{
	p += strspn(p, ", \t");
	*n = strcspn(p, ", \t");
	return *n ? p : NULL;
}

/* It stands in quotes: other characters would have to be escaped, and no host has them. */
static bool is_plain_host(const char *host)
{
	return *host && !host[strspn(host, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					   "0123456789.-_:[]~%")];
}

/* The scheme and host that the client used, as the listed proxy says. */
static void read_proxy_fields(const struct fmp_http *h, const char **proto, char *host, size_t size)
{
	struct fmp_field f;
	char text[FMP_HTTP_ORIGIN];

	if (fmp_field_find(&h->fields, "x-forwarded-proto", &f)) {
		if (fmp_field_name_is(f.value, f.value_len, "https"))
			*proto = "https";
		else if (fmp_field_name_is(f.value, f.value_len, "http"))
			*proto = "http";
	}
	if (fmp_field_find(&h->fields, "x-forwarded-host", &f) && f.value_len < sizeof(text)) {
		memcpy(text, f.value, f.value_len);
		text[f.value_len] = '\0';
		if (is_plain_host(text) && f.value_len < size)
			memcpy(host, text, f.value_len + 1);
	}
}

static bool append_forwarded(struct fmp_field_list *out, const struct fmp_forwarded_by *by,
			     const char *peer, const char *proto, const char *host)
{
	bool ok = fmp_field_list_begin(out, "Forwarded", strlen("Forwarded"));
	size_t n;

	for (const char *p = by->chain; p && (p = next_element(p, &n)) && ok; p += n)
		ok = append_node(out, p, n) && append_text(out, ", ");
	ok = ok && append_node(out, peer, strlen(peer));
	if (*host)
		ok = ok && append_text(out, ";host=\"") && append_text(out, host) &&
		     append_text(out, "\"");
	return ok && append_text(out, ";proto=") && append_text(out, proto) &&
	       fmp_field_list_end(out);
}

static bool append_forwarded_for(struct fmp_field_list *out, const struct fmp_forwarded_by *by,
				 const char *peer)
{
	bool ok = fmp_field_list_begin(out, "X-Forwarded-For", strlen("X-Forwarded-For"));
	size_t n;

	for (const char *p = by->chain; p && (p = next_element(p, &n)) && ok; p += n)
		ok = fmp_field_list_append(out, p, n) && append_text(out, ", ");
	return ok && append_text(out, peer) && fmp_field_list_end(out);
}

const char *fmp_forward_origin(const struct fmp_http *h, const struct fmp_forwarded_by *by,
			       char host[FMP_HTTP_ORIGIN])
{
	const char *proto = by->tls ? "https" : "http";

	*host = '\0';
	if (is_plain_host(fmp_http_host(h)))
		strcpy(host, fmp_http_host(h));
	if (by->listed_proxy)
		read_proxy_fields(h, &proto, host, FMP_HTTP_ORIGIN);
	return proto;
}

bool fmp_forward_client(struct fmp_field_list *out, const struct fmp_http *h,
			const struct fmp_forwarded_by *by)
{
	char host[FMP_HTTP_ORIGIN], peer[FMP_ADDR_STRLEN];
	const char *proto = fmp_forward_origin(h, by, host);

	fmp_addr_format(by->peer, peer, sizeof(peer));
	return append_forwarded_for(out, by, peer) &&
	       fmp_field_list_add(out, "X-Forwarded-Proto", proto) &&
	       (!*host || fmp_field_list_add(out, "X-Forwarded-Host", host)) &&
	       append_forwarded(out, by, peer, proto, host);
}
