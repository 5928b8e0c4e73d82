// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/policy_suggest.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe/description_files.h"
#include "describe/needs.h"
#include "xml/document.h"
#include "xml/names.h"

#define SERVICES_MAX 32

struct port {
	const char *name, *location;
	const xmlNode *binding;
	bool soap12, encoded;
	char path[128];
};

struct suggestion {
	const struct fmp_policy_suggestion *s;
	const xmlDoc *const *trees;
	char **text;
	unsigned n;
	struct port port[SERVICES_MAX];
	unsigned n_ports, n_left_out;
	struct fmpi_needs common; /* of all policies */
	FILE *out;
};

/* ---- text ---- */

/* A value from a WSDL: no quote ends it, and it ends no comment. */
static void put_value(FILE *out, const char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '&')
			fputs("&amp;", out);
		else if (c == '<')
			fputs("&lt;", out);
		else if (c == '"')
			fputs("&quot;", out);
		else if (c == '-' && text[1] == '-')
			fputs("-&#45;", out), text++;
		else if (c >= ' ')
			fputc(c, out);
	}
}

static void put_name(FILE *out, const char *text)
{
	unsigned n = 0;

	for (; *text && n < 28; text++, n++)
		fputc(strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-",
			     *text)
			      ? *text
			      : '_',
		      out);
	if (!n)
		fputs("service", out);
}

/* The path of an address, as far as a policy takes it. */
static void set_path(struct port *p)
{
	const char *host = p->location ? strstr(p->location, "://") : NULL;
	const char *path = host ? strchr(host + 3, '/') : NULL;
	size_t n = path ? strcspn(path, "?#") : 0;

	snprintf(p->path, sizeof(p->path), "/");
	if (n && n < 120) {
		memcpy(p->path, path, n);
		p->path[n] = '\0';
	}
	if (strpbrk(p->path, "%\\*\"'<>& ") || strstr(p->path, "//") || strstr(p->path, "/."))
		strcpy(p->path, "/");
}

/* ---- ports ---- */

static const xmlNode *find_binding(const struct suggestion *g, const char *qname)
{
	const char *colon = qname ? strchr(qname, ':') : NULL, *name = colon ? colon + 1 : qname;

	for (unsigned i = 0; i < g->n && name; i++)
		for (const xmlNode *b = fmpi_first(xmlDocGetRootElement(g->trees[i])); b;
		     b = fmpi_next(b)) {
			const char *is = fmpi_attribute(b, NULL, "name");

			if (fmpi_is(b, NS_WSDL, "binding") && is && strcmp(is, name) == 0)
				return b;
		}
	return NULL;
}

static bool is_encoded(const xmlNode *binding)
{
	for (const xmlNode *n = binding; n; n = fmpi_walk_next(binding, n)) {
		const char *use = fmpi_attribute(n, NULL, "use");

		if (use && xmlStrEqual(n->name, (const xmlChar *)"body"))
			return strcmp(use, "encoded") == 0;
	}
	return false;
}

static void add_port(struct suggestion *g, const xmlNode *n)
{
	struct port p = { .name = fmpi_attribute(n, NULL, "name") };
	const xmlNode *address = NULL;

	for (const xmlNode *a = fmpi_first(n); a && !address; a = fmpi_next(a))
		if (fmpi_is(a, NS_WSDL_SOAP, "address") || fmpi_is(a, NS_WSDL_SOAP12, "address"))
			address = a;
	if (!address || !p.name || (g->s->port && strcmp(g->s->port, p.name) != 0))
		return;
	p.soap12 = fmpi_is_in_namespace(address, NS_WSDL_SOAP12);
	p.location = fmpi_attribute(address, NULL, "location");
	p.binding = find_binding(g, fmpi_attribute(n, NULL, "binding"));
	p.encoded = is_encoded(p.binding);
	set_path(&p);
	if (g->n_ports == SERVICES_MAX)
		g->n_left_out++;
	else
		g->port[g->n_ports++] = p;
}

/* A WSDL may have no service at all: the bindings tell the rest. */
static void add_bindings(struct suggestion *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const xmlNode *b = fmpi_first(xmlDocGetRootElement(g->trees[i]));

		for (; b && g->n_ports < SERVICES_MAX; b = fmpi_next(b)) {
			struct port p = { .name = fmpi_attribute(b, NULL, "name"), .binding = b };
			const xmlNode *extension = fmpi_first(b);

			p.soap12 = extension && fmpi_is(extension, NS_WSDL_SOAP12, "binding");
			if (!fmpi_is(b, NS_WSDL, "binding") || !p.name ||
			    (!p.soap12 && !fmpi_is(extension, NS_WSDL_SOAP, "binding")))
				continue;
			p.encoded = is_encoded(b);
			set_path(&p);
			g->port[g->n_ports++] = p;
		}
	}
}

static void find_ports(struct suggestion *g)
{
	for (unsigned i = 0; i < g->n; i++) {
		const xmlNode *root = xmlDocGetRootElement(g->trees[i]);

		fmpi_needs_of_policies(g->trees[i], &g->common);
		for (const xmlNode *s = fmpi_first(root); s; s = fmpi_next(s))
			for (const xmlNode *p = fmpi_is(s, NS_WSDL, "service") ? fmpi_first(s)
									       : NULL;
			     p; p = fmpi_next(p))
				if (fmpi_is(p, NS_WSDL, "port"))
					add_port(g, p);
	}
	if (!g->n_ports && !g->s->port)
		add_bindings(g);
}

/* ---- a service ---- */

/* Ports of one path are one service: SOAP 1.1 and 1.2, as a rule. Return: how many there are. */
static unsigned count_path(const struct suggestion *g, const struct port *p, unsigned before)
{
	unsigned n = 0;

	for (unsigned i = 0; i < before; i++)
		n += strcmp(g->port[i].path, p->path) == 0 && !g->port[i].encoded;
	return n;
}

static const char *choose_security(const struct fmpi_needs *needs)
{
	bool is_signed = needs->is_signed || needs->is_symmetric;

	if (is_signed)
		return needs->is_encrypted ? "BcES" : "BcS";
	return needs->is_encrypted ? "BcE" : "BcV";
}

static void put_remarks(FILE *out, const struct fmpi_needs *needs)
{
	static const char begin[] = "      <!-- ", end[] = " -->\n";

	if (needs->is_symmetric)
		fprintf(out,
			"%sWS-SecurityPolicy asks for a symmetric binding (EncryptedKey, HMAC): "
			"see the manual for what is verified of it%s",
			begin, end);
	if (needs->transport)
		fprintf(out,
			"%sWS-SecurityPolicy asks for TLS: give <gateway> a <tls certificate= "
			"key=>%s",
			begin, end);
	if (needs->saml)
		fprintf(out, "%sasks for a SAML token: name its issuers in <saml> of <gateway>%s",
			begin, end);
	if (needs->other_token)
		fprintf(out,
			"%sasks for an issued, Kerberos or secure conversation token, which is "
			"not verified here%s",
			begin, end);
	if (needs->addressing)
		fprintf(out,
			"%suses WS-Addressing: <require signed=\"To Action MessageID\"/> demands "
			"that it is signed%s",
			begin, end);
	if (needs->attachments)
		fprintf(out, "%shas attachments (MTOM or MIME): bound them with <attachments>%s",
			begin, end);
	if (needs->one_way)
		fprintf(out,
			"%shas one-way operations: 202 or 204 without a body is their answer%s",
			begin, end);
}

static void put_headers(FILE *out, const struct fmpi_needs *needs)
{
	if (!needs->n_headers)
		return;
	fputs("        <headers>\n", out);
	for (unsigned i = 0; i < needs->n_headers; i++) {
		fputs("          <header name=\"{", out);
		put_value(out, needs->header[i].ns);
		fputs("}", out);
		put_value(out, needs->header[i].local);
		fputs("\"/>\n", out);
	}
	fputs("        </headers>\n", out);
}

static void put_security(FILE *out, const char *security)
{
	fprintf(out, "\n               security=\"%s\"", security);
	if (strchr(security, 'S'))
		fputs(" trust=\"ca.pem\"", out);
	if (strchr(security + 1, 'E'))
		fputs(" key=\"key.pem\"", out);
}

/* A policy names a port in ASCII. */
static bool can_be_named(const char *port)
{
	size_t n = strlen(port);

	for (size_t i = 0; i < n; i++)
		if (port[i] <= ' ' || port[i] >= 0x7f || strchr("\"'<>\\", port[i]))
			return false;
	return n && n <= 63;
}

static bool is_name_taken(const struct suggestion *g, unsigned at)
{
	for (unsigned i = 0; i < at; i++)
		if (strncmp(g->port[i].name, g->port[at].name, 28) == 0)
			return true;
	return false;
}

static void put_service(struct suggestion *g, unsigned at)
{
	const struct port *p = &g->port[at];
	struct fmpi_needs needs = g->common;
	const char *security, *backend = g->s->backend ? g->s->backend : p->location;
	bool alone = count_path(g, p, g->n_ports) == 1 && g->n_ports > 1;

	if (p->binding)
		fmpi_needs_of_binding(p->binding, g->trees, g->n, &needs);
	security = choose_security(&needs);
	put_remarks(g->out, &needs);
	fputs("      <service name=\"", g->out);
	put_name(g->out, p->name);
	if (is_name_taken(g, at))
		fprintf(g->out, "-%u", at);
	fprintf(g->out, "\" path=\"%s\" schema=\"", p->path);
	put_value(g->out, g->s->wsdl);
	if ((alone || g->s->port) && can_be_named(p->name)) {
		fputs("\" port=\"", g->out);
		put_value(g->out, p->name);
	}
	fputs("\"", g->out);
	put_security(g->out, security);
	fputs("\n               backend=\"", g->out);
	put_value(g->out, backend ? backend : "http://127.0.0.1:8080/");
	fputs("\"", g->out);
	if (backend && !strncmp(backend, "https://", 8))
		fputs(" ca=\"backend-ca.pem\"", g->out);
	fputs(">\n", g->out);
	if (needs.username)
		fprintf(g->out, "        <username passwords=\"passwords\" text=\"%s\"/>\n",
			needs.password_digest ? "no" : "yes");
	put_headers(g->out, &needs);
	fputs("      </service>\n", g->out);
}

static void put_policy(struct suggestion *g)
{
	FILE *out = g->out;

	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- Suggested for ", out);
	put_value(out, g->s->wsdl);
	fputs(". Check the backends, files and demands, then:\n"
	      "     fmpctl policy check FILE -->\n"
	      "<policy xmlns=\"urn:fmp:policy:1\" name=\"suggested\">\n"
	      "  <gateway>\n    <services>\n",
	      out);
	for (unsigned i = 0; i < g->n_ports; i++) {
		const struct port *p = &g->port[i];

		if (p->encoded || count_path(g, p, i)) {
			fputs("      <!-- port ", out);
			put_value(out, p->name);
			fputs(p->encoded
				      ? ": left out, its binding is encoded, which is not validated -->\n"
				      : ": of the same path as a port above, by whose service it is "
					"served -->\n",
			      out);
			continue;
		}
		fprintf(out, "      <!-- port ");
		put_value(out, p->name);
		fprintf(out, ", SOAP %s -->\n", p->soap12 ? "1.2" : "1.1");
		put_service(g, i);
	}
	if (g->n_left_out)
		fprintf(out, "      <!-- %u more ports: a policy has at most %d services -->\n",
			g->n_left_out, SERVICES_MAX);
	fputs("    </services>\n  </gateway>\n</policy>\n", out);
}

static int write_policy(struct suggestion *g, char **out, struct fmp_error *err)
{
	bool any = false;
	size_t size;

	for (unsigned i = 0; i < g->n_ports; i++)
		any = any || !g->port[i].encoded;
	if (!any)
		return fmp_error_at(
			err, FMP_ERR_NOTFOUND, g->s->wsdl, 0, 0,
			g->s->port ? "has no SOAP port \"%.80s\" whose messages can be checked"
				   : "has no SOAP port whose messages can be checked%s",
			g->s->port ? g->s->port : "");
	g->out = open_memstream(out, &size);
	if (!g->out)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	put_policy(g);
	return fclose(g->out) ? fmp_error_set(err, FMP_ERR_NOMEM, "no memory") : 0;
}

static int use_trees(const xmlDoc *const *trees, unsigned n, void *ctx, struct fmp_error *err)
{
	struct suggestion *g = ctx;

	g->trees = trees;
	g->n = n;
	find_ports(g);
	return write_policy(g, g->text, err);
}

int fmp_policy_suggest(const struct fmp_policy_suggestion *s, char **out, struct fmp_error *err)
{
	struct suggestion g = { .s = s, .text = out };

	*out = NULL;
	return fmpi_description_read(s->wsdl, use_trees, &g, err);
}
