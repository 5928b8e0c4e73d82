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

/*
 * The second part are names by which services learn the client or another URL. Only the gateway
 * knows what is true, so it does not forward what any client can write. "Proxy" becomes a variable
 * that changes the service's own proxy (httpoxy).
 */
#define RULES(RULE)                                                                         \
	RULE("connection", BOTH)                                                            \
	RULE("keep-alive", BOTH)                                                            \
	RULE("proxy-connection", BOTH)                                                      \
	RULE("proxy-authorization", BOTH)                                                   \
	RULE("proxy-authenticate", BOTH)                                                    \
	RULE("proxy-authentication-info", BOTH)                                             \
	RULE("te", BOTH)                                                                    \
	RULE("trailer", BOTH)                                                               \
	RULE("transfer-encoding", BOTH)                                                     \
	RULE("upgrade", BOTH)                                                               \
	RULE("http2-settings", BOTH)                                                        \
	RULE("content-length", BOTH)                                                        \
	RULE("content-type", BOTH)                                                          \
	RULE("host", OF_REQUEST)                                                            \
	RULE("soapaction", OF_REQUEST)                                                      \
	RULE("expect", OF_REQUEST)                                                          \
	RULE("content-encoding", OF_REQUEST | ABOUT_BODY)                                   \
	RULE("content-md5", ABOUT_BODY)                                                     \
	RULE("digest", ABOUT_BODY)                                                          \
	RULE("content-digest", ABOUT_BODY)                                                  \
	RULE("repr-digest", ABOUT_BODY)                                                     \
	RULE("etag", ABOUT_BODY)                                                            \
	RULE("accept-encoding", ACCEPT_FIELDS)                                              \
	RULE("location", IS_LOCATION)                                                       \
	RULE("content-location", IS_LOCATION)                                               \
	RULE("forwarded", OF_REQUEST)                                                       \
	RULE("x-forwarded-", OF_REQUEST | BEGINS)                                           \
	RULE("x-fmp-", OF_REQUEST | BEGINS)                                                 \
	/* The client's address. */                                                         \
	RULE("x-real-ip", FORGEABLE)                                                        \
	RULE("x-client-ip", FORGEABLE)                                                      \
	RULE("x-cluster-client-ip", FORGEABLE)                                              \
	RULE("x-remote-ip", FORGEABLE)                                                      \
	RULE("x-remote-addr", FORGEABLE)                                                    \
	RULE("x-originating-ip", FORGEABLE)                                                 \
	RULE("true-client-ip", FORGEABLE)                                                   \
	RULE("client-ip", FORGEABLE)                                                        \
	RULE("fastly-client-ip", FORGEABLE)                                                 \
	RULE("cf-connecting-ip", FORGEABLE | BEGINS)                                        \
	RULE("proxy-client-ip", FORGEABLE)                                                  \
	RULE("wl-proxy-", FORGEABLE | BEGINS)                                               \
	/* Its certificate (RFC 9440, and what servers call it), its user. */               \
	RULE("client-cert", FORGEABLE)                                                      \
	RULE("client-cert-chain", FORGEABLE)                                                \
	RULE("x-client-cert", FORGEABLE | BEGINS)                                           \
	RULE("x-client-dn", FORGEABLE)                                                      \
	RULE("x-client-verify", FORGEABLE)                                                  \
	RULE("x-ssl-client-", FORGEABLE | BEGINS)                                           \
	RULE("ssl-client-", FORGEABLE | BEGINS)                                             \
	RULE("x-arr-clientcert", FORGEABLE)                                                 \
	RULE("x-ssl-cert", FORGEABLE | BEGINS)                                              \
	RULE("x-tls-client-", FORGEABLE | BEGINS)                                           \
	RULE("x-amzn-mtls-", FORGEABLE | BEGINS)                                            \
	RULE("remote-user", FORGEABLE)                                                      \
	RULE("remote-groups", FORGEABLE)                                                    \
	RULE("remote-name", FORGEABLE)                                                      \
	RULE("remote-email", FORGEABLE)                                                     \
	RULE("proxy-remote-user", FORGEABLE)                                                \
	RULE("x-remote-user", FORGEABLE)                                                    \
	RULE("x-remote-group", FORGEABLE | BEGINS)                                          \
	RULE("x-remote-extra-", FORGEABLE | BEGINS)                                         \
	/* What single sign-on gateways and log-in modules write: SiteMinder, ISAM, OAM. */ \
	RULE("sm-", FORGEABLE | BEGINS)                                                     \
	RULE("iv-", FORGEABLE | BEGINS)                                                     \
	RULE("oam-", FORGEABLE | BEGINS)                                                    \
	RULE("osso-", FORGEABLE | BEGINS)                                                   \
	/* Shibboleth, with its attributes; CAS, OpenID Connect, proxies that log in. */    \
	RULE("shib-", FORGEABLE | BEGINS)                                                   \
	RULE("ajp-", FORGEABLE | BEGINS)                                                    \
	RULE("eppn", FORGEABLE)                                                             \
	RULE("persistent-id", FORGEABLE)                                                    \
	RULE("targeted-id", FORGEABLE)                                                      \
	RULE("affiliation", FORGEABLE)                                                      \
	RULE("unscoped-affiliation", FORGEABLE)                                             \
	RULE("entitlement", FORGEABLE)                                                      \
	RULE("cas-user", FORGEABLE)                                                         \
	RULE("oidc-", FORGEABLE | BEGINS)                                                   \
	RULE("x-auth-request-", FORGEABLE | BEGINS)                                         \
	RULE("x-authenticated-", FORGEABLE | BEGINS)                                        \
	RULE("x-webauth-", FORGEABLE | BEGINS)                                              \
	RULE("x-proxy-user", FORGEABLE)                                                     \
	RULE("x-proxy-remote-user", FORGEABLE)                                              \
	/* API gateways and clouds. */                                                      \
	RULE("x-consumer-", FORGEABLE | BEGINS)                                             \
	RULE("x-credential-", FORGEABLE | BEGINS)                                           \
	RULE("x-anonymous-consumer", FORGEABLE)                                             \
	RULE("x-ms-client-principal", FORGEABLE | BEGINS)                                   \
	RULE("x-ms-token-", FORGEABLE | BEGINS)                                             \
	RULE("x-goog-authenticated-user-", FORGEABLE | BEGINS)                              \
	RULE("x-goog-iap-", FORGEABLE | BEGINS)                                             \
	RULE("x-amzn-oidc-", FORGEABLE | BEGINS)                                            \
	RULE("cf-access-authenticated-", FORGEABLE | BEGINS)                                \
	/* All of these and the connection, for WebSphere ($WSRU) and Jetty. */             \
	RULE("-ws", FORGEABLE | BEGINS)                                                     \
	RULE("x-proxied-https", FORGEABLE)                                                  \
	RULE("proxy-auth-cert", FORGEABLE)                                                  \
	RULE("proxy-ssl-id", FORGEABLE)                                                     \
	/* The method. */                                                                   \
	RULE("x-http-method-override", FORGEABLE)                                           \
	RULE("x-http-method", FORGEABLE)                                                    \
	RULE("x-method-override", FORGEABLE)                                                \
	/* The URL, and what the service itself asks others by. */                          \
	RULE("x-original-url", FORGEABLE)                                                   \
	RULE("x-rewrite-url", FORGEABLE)                                                    \
	RULE("proxy", FORGEABLE)

#define NAME_RULE(text, reason)	   { .name = (text), .len = sizeof(text) - 1, .why = (reason) },
#define FIRST_LETTER(text, reason) (text)[0],

static const struct name_rule rules[] = { RULES(NAME_RULE) };
/* Of each rule, in one line of a cache or two: most fields have no rule, and each is looked up. */
static const char first_letters[] = { RULES(FIRST_LETTER) };

static unsigned reasons_against(const struct fmp_field *f)
{
	const char *end = first_letters + sizeof(first_letters), *p = first_letters;
	char first = fmp_field_name_fold(*f->name);

	for (; (p = memchr(p, first, (size_t)(end - p))); p++) {
		const struct name_rule *r = &rules[p - first_letters];
		bool fits = r->why & BEGINS ? f->name_len >= r->len : f->name_len == r->len;

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
