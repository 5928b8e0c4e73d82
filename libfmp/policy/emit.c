// SPDX-License-Identifier: GPL-2.0
/* Writes a policy, element by element, into a sink. */
#include <policy/emit.h>

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int emit_setting(struct fmpi_sink *sink, const struct fmpi_setting *s, const void *field)
{
	char value[FMPI_VALUE_MAX];

	fmpi_setting_format(s, field, value);
	return *value ? sink->attribute(sink, s->attribute, value) : 0;
}

/* One element without child elements. @pairs: attributes, NULL-terminated */
static int emit_leaf(struct fmpi_sink *sink, const char *element, const char *key,
		     const char *const *pairs, const char *text)
{
	int rc = sink->open(sink, element, key);

	for (; !rc && pairs && pairs[0]; pairs += 2)
		rc = sink->attribute(sink, pairs[0], pairs[1]);
	if (!rc && text)
		rc = sink->text(sink, text);
	return rc ? rc : sink->close(sink, element);
}

/* ---- elements that may occur more than once ---- */

static int emit_event(struct fmpi_sink *sink, unsigned kind, const struct fmp_policy_suspicion *s,
		      bool is_ranked, bool is_counted)
{
	uint64_t within_ms = s->count[kind].within_ms;
	char rank[16], count[16], within[FMPI_VALUE_MAX];
	const char *pairs[9] = { "kind", fmp_event_kind_name(kind) };
	unsigned n = 2;

	snprintf(rank, sizeof(rank), "%u", s->rank[kind]);
	snprintf(count, sizeof(count), "%u", s->count[kind].count);
	fmpi_duration_format(within_ms, within, sizeof(within));
	if (is_ranked) {
		pairs[n++] = "rank";
		pairs[n++] = rank;
	}
	if (is_counted) {
		pairs[n++] = "count";
		pairs[n++] = count;
	}
	if (is_counted && within_ms) {
		pairs[n++] = "within";
		pairs[n++] = within;
	}
	return emit_leaf(sink, "event", pairs[1], pairs, NULL);
}

static bool equal_counts(const struct fmp_policy_count *a, const struct fmp_policy_count *b)
{
	return a->count == b->count && a->within_ms == b->within_ms;
}

/* ---- overrides: the messages they apply to, and what differs from the policy ---- */

static const void *override_field(const struct fmp_policy_override *o, const struct fmpi_setting *s)
{
	struct fmp_policy_override *all = (struct fmp_policy_override *)o;

	return fmpi_overridable_field(s, &all->suspicion, &all->block);
}

static int emit_override(const struct fmp_policy *p, const struct fmp_policy_override *o,
			 struct fmpi_sink *sink, const char *element)
{
	char key[48] = "", port[8] = "", mine[FMPI_VALUE_MAX], all[FMPI_VALUE_MAX];
	const struct fmpi_setting *s;
	int rc;

	if (o->port)
		snprintf(port, sizeof(port), "%u", o->port);
	snprintf(key, sizeof(key), "%s%s%s", o->service, *o->service && *port ? " " : "", port);
	rc = sink->open(sink, element, key);
	if (!rc && *o->service)
		rc = sink->attribute(sink, "service", o->service);
	if (!rc && *port)
		rc = sink->attribute(sink, "port", port);
	if (!rc && !o->pool)
		rc = sink->attribute(sink, "pool", "no");
	for (size_t i = 0; !rc && (s = fmpi_overridable_setting(i)); i++) {
		fmpi_setting_format(s, override_field(o, s), mine);
		fmpi_setting_format(s, (const char *)p + s->offset, all);
		if (strcmp(mine, all))
			rc = sink->attribute(sink, s->attribute, mine);
	}
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS && !rc; k++)
		if (o->suspicion.rank[k] != p->suspicion.rank[k] ||
		    !equal_counts(&o->suspicion.count[k], &p->suspicion.count[k]))
			rc = emit_event(sink, k, &o->suspicion, true,
					o->suspicion.count[k].count || p->suspicion.count[k].count);
	return rc ? rc : sink->close(sink, element);
}

static int emit_overrides(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_overrides && !rc; i++)
		rc = emit_override(p, &p->overrides[i], sink, element);
	return rc;
}

/* ---- groups: their sources, and their own settings ---- */

static int emit_group(const struct fmp_policy *p, const struct fmp_policy_group *g,
		      struct fmpi_sink *sink, const char *element)
{
	char addresses[FMP_GROUP_ADDRESSES_MAX * FMP_ADDR_STRLEN] = "", value[FMPI_VALUE_MAX];
	struct fmp_policy_group *all = (struct fmp_policy_group *)g;
	const struct fmpi_setting *s;
	int rc = sink->open(sink, element, g->name);
	size_t len = 0;

	for (size_t i = 0; !rc && (s = fmpi_group_setting(i)); i++)
		rc = emit_setting(sink, s, (const char *)g + s->offset);
	for (unsigned i = 0; i < g->n_addresses; i++) {
		if (i)
			addresses[len++] = ' ';
		fmp_addr_format(&g->addresses[i], addresses + len, FMP_ADDR_STRLEN);
		len += strlen(addresses + len);
	}
	if (!rc)
		rc = sink->attribute(sink, "address", addresses);
	for (size_t i = 0; !rc && (s = fmpi_overridable_setting(i)); i++) {
		if (!(g->own_settings & 1u << i))
			continue;
		fmpi_setting_format(s, fmpi_overridable_field(s, &all->suspicion, &all->block),
				    value);
		rc = sink->attribute(sink, s->attribute, value);
	}
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS && !rc; k++)
		if ((g->own_ranks | g->own_counts) & 1u << k)
			rc = emit_event(sink, k, &g->suspicion, g->own_ranks & 1u << k,
					g->own_counts & 1u << k);
	return rc ? rc : sink->close(sink, element);
}

static int emit_groups(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_groups && !rc; i++)
		rc = emit_group(p, &p->groups[i], sink, element);
	return rc;
}

static int emit_blocklists(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_blocklists && !rc; i++) {
		const struct fmp_policy_blocklist *b = &p->blocklists[i];
		const struct fmpi_setting *s;

		rc = sink->open(sink, element, b->set);
		for (size_t a = 0; !rc && (s = fmpi_blocklist_setting(a)); a++)
			rc = emit_setting(sink, s, (const char *)b + s->offset);
		if (!rc)
			rc = sink->close(sink, element);
	}
	return rc;
}

static int emit_ranks(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	int rc = 0;

	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS && !rc; k++)
		rc = emit_event(sink, k, &p->suspicion, true, p->suspicion.count[k].count != 0);
	return rc;
}

static bool is_proxy(const struct fmp_policy *p, const struct fmp_addr *a)
{
	for (unsigned i = 0; i < p->gateway.n_proxies; i++)
		if (fmp_addr_equal(&p->gateway.proxies[i].address, a))
			return true;
	return false;
}

/* A proxy is protected implicitly: writing it here would list it twice. */
static int emit_protected(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	bool macs = !strcmp(element, "mac");
	char text[FMP_ADDR_STRLEN];
	int rc = 0;

	for (size_t i = 0; i < p->n_protect && !rc; i++) {
		const struct fmp_addr *a = &p->protect[i];

		if (macs != (a->family == FMP_FAMILY_MAC) || is_proxy(p, a))
			continue;
		fmp_addr_format(a, text, sizeof(text));
		rc = emit_leaf(sink, element, text, NULL, text);
	}
	return rc;
}

static int emit_devices(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	const struct fmp_policy_enforce *e = &p->enforce;
	char layers[32];
	const char *pairs[] = { "layers", layers, NULL };
	int rc = 0;

	for (unsigned i = 0; i < e->n_devices && !rc; i++) {
		fmp_layers_format(e->device_layers[i], layers, sizeof(layers));
		rc = emit_leaf(sink, element, e->devices[i],
			       e->device_layers[i] == FMP_LAYERS_ALL ? NULL : pairs, e->devices[i]);
	}
	return rc;
}

static int emit_proxies(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	char text[FMP_ADDR_STRLEN];
	int rc = 0;

	for (unsigned i = 0; i < p->gateway.n_proxies && !rc; i++) {
		const struct fmp_policy_proxy *proxy = &p->gateway.proxies[i];
		const char *tells = proxy->tells == FMP_PROXY_PROTOCOL ? "proxy-protocol"
								       : "x-forwarded-for";
		const char *pairs[] = { "address", text, "tells", tells, NULL };

		fmp_addr_format(&proxy->address, text, sizeof(text));
		rc = emit_leaf(sink, element, text, pairs, NULL);
	}
	return rc;
}

static int emit_issuers(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	const struct fmp_policy_saml *saml = &p->gateway.saml;
	int rc = 0;

	for (unsigned i = 0; i < saml->n_issuers && !rc; i++) {
		const char *pairs[] = { "name", saml->issuers[i].name, "trust",
					saml->issuers[i].trust, NULL };

		rc = emit_leaf(sink, element, saml->issuers[i].name, pairs, NULL);
	}
	return rc;
}

/* ---- rules on the content ---- */

static int emit_rule(struct fmpi_sink *sink, const struct fmp_policy_rule *rule)
{
	const char *element = rule->list ? "list" : "rule";
	char text[80];
	int rc = sink->open(sink, element, rule->name);

	for (unsigned i = 0; i < rule->n_namespaces && rule->xpath && !rc; i++) {
		snprintf(text, sizeof(text), "xmlns:%s", rule->namespaces[i].prefix);
		rc = sink->attribute(sink, text, rule->namespaces[i].uri);
	}
	if (!rc)
		rc = sink->attribute(sink, "name", rule->name);
	if (!rc && rule->xpath)
		rc = sink->attribute(sink, "xpath", rule->xpath);
	if (!rc && rule->regex)
		rc = sink->attribute(sink, "regex", rule->regex);
	if (!rc && rule->fold)
		rc = sink->attribute(sink, "fold", "yes");
	snprintf(text, sizeof(text), "%u", rule->max);
	if (!rc && rule->list)
		rc = sink->attribute(sink, "max", text);
	return rc ? rc : sink->close(sink, element);
}

/* Rules and lists in their common order, in which they are tried; those of a rules file are
 * written out. */
static int emit_rules(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	const struct fmp_policy_content *c = p->gateway.content;
	int rc = 0;

	for (unsigned i = 0; c && i < c->n_rules && !rc; i++)
		rc = emit_rule(sink, &c->rules[i]);
	return rc;
}

/* A service without rules under a gateway with rules needs an empty <content/>. */
static int emit_own_rules(const struct fmp_policy *p, const struct fmp_policy_service *svc,
			  struct fmpi_sink *sink)
{
	const struct fmp_policy_content *c = svc->demands.content;
	int rc;

	if (c == p->gateway.content)
		return 0;
	rc = sink->open(sink, "content", NULL);
	if (!rc && !c)
		rc = sink->text(sink, "");
	for (unsigned i = 0; c && i < c->n_rules && !rc; i++)
		rc = emit_rule(sink, &c->rules[i]);
	return rc ? rc : sink->close(sink, "content");
}

/* ---- header blocks ---- */

static int emit_header(struct fmpi_sink *sink, const struct fmp_policy_header *h)
{
	static const char *const is_signed[] = {
		[FMP_HEADER_SIGNED_YES] = "yes", [FMP_HEADER_SIGNED_NO] = "no"
	};
	char name[sizeof(h->ns) + sizeof(h->local) + 2];
	const char *pairs[11] = { "name",	name,
				  "understood", h->understood ? "yes" : "no",
				  "required",	h->required ? "yes" : "no",
				  "handed-on",	h->forwarded ? "yes" : "no" };

	snprintf(name, sizeof(name), "{%s}%s", h->ns, h->local);
	if (h->is_signed != FMP_HEADER_SIGNED_DEFAULT) {
		pairs[8] = "signed";
		pairs[9] = is_signed[h->is_signed];
	}
	return emit_leaf(sink, "header", name, pairs, NULL);
}

static int emit_headers(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	const struct fmp_policy_headers *h = &p->gateway.header_blocks;
	int rc = 0;

	for (unsigned i = 0; i < h->n && !rc; i++)
		rc = emit_header(sink, &h->block[i]);
	return rc;
}

/* A service without named blocks under a gateway with some needs an empty <headers/>. */
static int emit_own_headers(const struct fmp_policy *p, const struct fmp_policy_service *svc,
			    struct fmpi_sink *sink)
{
	const struct fmp_policy_headers *h = &svc->demands.header_blocks;
	int rc;

	if (!memcmp(h, &p->gateway.header_blocks, sizeof(*h)))
		return 0;
	rc = sink->open(sink, "headers", NULL);
	if (!rc && !h->n)
		rc = sink->text(sink, "");
	for (unsigned i = 0; i < h->n && !rc; i++)
		rc = emit_header(sink, &h->block[i]);
	return rc ? rc : sink->close(sink, "headers");
}

/* ---- fields of HTTP ---- */

static int emit_field_rules(const struct fmp_policy_fields *f, struct fmpi_sink *sink)
{
	int rc = 0;

	for (unsigned i = 0; i < f->n && !rc; i++) {
		const struct fmp_policy_field_rule *r = &f->rule[i];
		const char *pairs[] = { "name",
					r->name,
					r->keep ? NULL : "in",
					r->requests && r->answers ? "both"
					: r->answers		  ? "answers"
								  : "requests",
					*r->value ? "value" : NULL,
					r->value,
					NULL };

		rc = emit_leaf(sink,
			       r->keep	   ? "keep"
			       : *r->value ? "set"
					   : "remove",
			       r->name, pairs, NULL);
	}
	return rc;
}

/* All kinds in their common order: only the first kind writes them. */
static int emit_fields(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	return emit_field_rules(&p->gateway.fields, sink);
}

static bool equal_fields(const struct fmp_policy_fields *a, const struct fmp_policy_fields *b)
{
	return a->n == b->n && !memcmp(a->rule, b->rule, a->n * sizeof(a->rule[0]));
}

/* A service without rules under a gateway with rules needs an empty <fields/>. */
static int emit_own_fields(const struct fmp_policy *p, const struct fmp_policy_service *svc,
			   struct fmpi_sink *sink)
{
	int rc;

	if (equal_fields(&svc->demands.fields, &p->gateway.fields))
		return 0;
	rc = sink->open(sink, "fields", NULL);
	if (!rc && !svc->demands.fields.n)
		rc = sink->text(sink, "");
	if (!rc)
		rc = emit_field_rules(&svc->demands.fields, sink);
	return rc ? rc : sink->close(sink, "fields");
}

/* ---- services: their own settings, and those that differ from <gateway> ---- */

static int emit_demand(const struct fmp_policy *p, const struct fmp_policy_service *svc,
		       struct fmpi_sink *sink, const struct fmpi_setting *s)
{
	size_t at = s->offset - offsetof(struct fmp_policy, gateway);
	char own[FMPI_VALUE_MAX], inherited[FMPI_VALUE_MAX];

	fmpi_setting_format(s, (const char *)&svc->demands + at, own);
	fmpi_setting_format(s, (const char *)&p->gateway + at, inherited);
	return strcmp(own, inherited) ? sink->attribute(sink, s->attribute, own) : 0;
}

static int emit_service(const struct fmp_policy *p, const struct fmp_policy_service *svc,
			struct fmpi_sink *sink, const char *element)
{
	/* a <client> has no <answers>, the last one */
	static const char *const children[] = { "require",  "algorithms",  "username", "limits",
						"identity", "attachments", "answers" };
	const size_t n = COUNT(children) - svc->client;
	const struct fmpi_setting *s;
	int rc = sink->open(sink, element, svc->name);

	for (size_t i = 0; !rc && (s = fmpi_service_setting(i)); i++)
		rc = emit_setting(sink, s, (const char *)svc + s->offset);
	for (size_t i = 0; i < fmpi_n_settings && !rc; i++)
		if (fmpi_is_service_setting(&fmpi_settings[i]))
			rc = emit_demand(p, svc, sink, &fmpi_settings[i]);
	for (size_t c = 0; c < n && !rc; c++) {
		rc = sink->open(sink, children[c], NULL);
		for (size_t i = 0; i < fmpi_n_settings && !rc; i++)
			if (!strcmp(fmpi_settings[i].element, children[c]))
				rc = emit_demand(p, svc, sink, &fmpi_settings[i]);
		if (!rc)
			rc = sink->close(sink, children[c]);
	}
	if (!rc)
		rc = emit_own_rules(p, svc, sink);
	if (!rc)
		rc = emit_own_headers(p, svc, sink);
	if (!rc)
		rc = emit_own_fields(p, svc, sink);
	return rc ? rc : sink->close(sink, element);
}

/* Services and clients in their common order: it decides between two that share a path. */
static int emit_services(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element)
{
	int rc = 0;

	for (size_t i = 0; i < p->n_services && !rc; i++)
		rc = emit_service(p, &p->services[i], sink,
				  p->services[i].client ? "client" : "service");
	return rc;
}

/* ---- all elements ---- */

static const struct {
	const char *element;
	int (*emit)(const struct fmp_policy *p, struct fmpi_sink *sink, const char *element);
} emitters[] = {
	{ "event", emit_ranks },      { "address", emit_protected },
	{ "mac", emit_protected },    { "device", emit_devices },
	{ "proxy", emit_proxies },    { "issuer", emit_issuers },
	{ "service", emit_services }, { "override", emit_overrides },
	{ "group", emit_groups },     { "blocklist", emit_blocklists },
	{ "rule", emit_rules },	      { "header", emit_headers },
	{ "rule", emit_rules },	      { "remove", emit_fields },
};

static int emit_element(const struct fmp_policy *p, struct fmpi_sink *sink,
			const struct fmpi_element *e)
{
	int rc;

	if (e->many) {
		for (size_t i = 0; i < COUNT(emitters); i++)
			if (!strcmp(emitters[i].element, e->name))
				return emitters[i].emit(p, sink, e->name);
		return 0;
	}
	rc = sink->open(sink, e->name, NULL);
	for (size_t i = 0; i < fmpi_n_settings && !rc; i++)
		if (!strcmp(fmpi_settings[i].element, e->name))
			rc = emit_setting(sink, &fmpi_settings[i],
					  (const char *)p + fmpi_settings[i].offset);
	for (size_t i = 0; i < fmpi_n_elements && !rc; i++)
		if (fmpi_elements[i].parent && !strcmp(fmpi_elements[i].parent, e->name))
			rc = emit_element(p, sink, &fmpi_elements[i]);
	return rc ? rc : sink->close(sink, e->name);
}

int fmpi_policy_emit(const struct fmp_policy *p, struct fmpi_sink *sink)
{
	return emit_element(p, sink, &fmpi_elements[0]);
}
