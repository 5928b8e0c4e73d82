// SPDX-License-Identifier: GPL-2.0
#include "learn_gateway.h"

#include <stdlib.h>
#include <string.h>

/* The least that the policy's reader takes. */
#define HEADER_MIN 1024u
#define FIELDS_MIN 16u
#define TARGET_MIN 128u

const char *finding_state_name(enum finding_state state)
{
	static const char *const names[FINDING_STATES] = { "proposed", "few",  "unsigned", "mixed",
							   "stripped", "full", "sampled" };

	return names[state];
}

const char *finding_reason(enum finding_state state)
{
	static const char *const reasons[FINDING_STATES] = {
		[FINDING_PROPOSED] = "",
		[FINDING_FEW] = "too few sources sent it",
		[FINDING_UNSIGNED] = "nobody signs it, so anyone on the way can add it",
		[FINDING_MIXED] = "not all who send it sign it, and they would be refused",
		[FINDING_STRIPPED] = "the policy has headers=\"strip\"",
		[FINDING_SAMPLED] =
			"only some messages are observed, and larger ones may have come",
		[FINDING_FULL] = "the policy has no room for another one",
	};

	return reasons[state];
}

/* One service: what was observed of it, and its settings in the proposal. */
struct target {
	const struct learn_gateway *learn;
	unsigned service;
	const char *name;
	struct fmp_policy_gateway *demands;
	size_t sources; /* that count */
	struct findings *out;
};

static void add_finding(struct target *t, const struct finding *f)
{
	t->out->proposed |= f->state == FINDING_PROPOSED;
	/* A client can send many names, and must not displace others. */
	if (t->out->n == LEARN_FINDINGS_MAX ||
	    (f->state == FINDING_FEW && t->out->n_few++ >= LEARN_FEW_MAX))
		return;
	t->out->v[t->out->n] = *f;
	t->out->v[t->out->n].service = t->name;
	t->out->v[t->out->n++].of = t->sources;
}

static bool source_counts(const struct learn_gateway *l, const struct fmp_addr *source)
{
	return l->counts(source, l->ctx);
}

static size_t count_sources(const struct learn_gateway *l, const struct fmp_addrmap *m,
			    uint64_t bits)
{
	size_t n = 0;

	for (size_t i = 0; i < m->cap; i++)
		n += m->v[i].addr.family && m->v[i].value & bits && source_counts(l, &m->v[i].addr);
	return n;
}

/* Are these enough of all sources of the service? */
static bool is_usual(const struct target *t, size_t sources, unsigned share_pct)
{
	return sources >= LEARN_SOURCES_MIN && sources * 100 >= t->sources * share_pct;
}

/* ---- header blocks ---- */

static bool verifies_signatures(const struct fmp_policy_gateway *g)
{
	return g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;
}

/* A log may have been written by anybody: "*" would be all of the namespace. */
static bool is_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
				      "0123456789.-";

	return *text > '9' && !text[strspn(text, letters)];
}

/* Split "{NAMESPACE}LOCAL". Return: false: the policy can't name it. */
static bool split_header(const char *text, struct fmp_policy_header *h)
{
	const char *close = strchr(text, '}');
	size_t n = (size_t)(close - text) - 1;

	if (!n || n >= sizeof(h->ns) || strlen(close + 1) >= sizeof(h->local))
		return false;
	memcpy(h->ns, text + 1, n);
	strcpy(h->local, close + 1);
	return !strpbrk(h->ns, "{}") && is_name(h->local);
}

static bool is_header_named(const struct fmp_policy_headers *all, const struct fmp_policy_header *h)
{
	for (unsigned i = 0; i < all->n; i++)
		if (!strcmp(all->block[i].ns, h->ns) &&
		    (!strcmp(all->block[i].local, h->local) || !strcmp(all->block[i].local, "*")))
			return true;
	return false;
}

static enum finding_state check_header(const struct target *t, size_t sources,
				       size_t with_signature, size_t clear)
{
	bool verifies = verifies_signatures(t->demands);

	if (verifies && t->demands->headers == FMP_HEADERS_STRIP)
		return FINDING_STRIPPED;
	if (!is_usual(t, verifies && with_signature ? with_signature : sources, LEARN_HEADER_SHARE))
		return FINDING_FEW;
	if (verifies && !with_signature)
		return FINDING_UNSIGNED;
	if (verifies && clear)
		return FINDING_MIXED;
	return t->demands->header_blocks.n == FMP_HEADER_BLOCKS_MAX ? FINDING_FULL
								    : FINDING_PROPOSED;
}

static void propose_header(struct target *t, const struct observed_name *n)
{
	struct fmp_policy_header h = { .understood = true, .forwarded = true };
	size_t with_signature = count_sources(t->learn, &n->sources, OBSERVED_SIGNED);
	size_t clear = count_sources(t->learn, &n->sources, OBSERVED_CLEAR);
	size_t sources = count_sources(t->learn, &n->sources, OBSERVED_SIGNED | OBSERVED_CLEAR);
	struct finding f = { .setting = "headers/header", .name = n->text, .sources = sources };

	if (!sources || t->demands->security == FMP_SECURITY_OS || !split_header(n->text, &h) ||
	    is_header_named(&t->demands->header_blocks, &h))
		return;
	f.state = check_header(t, sources, with_signature, clear);
	if (f.state == FINDING_PROPOSED)
		t->demands->header_blocks.block[t->demands->header_blocks.n++] = h;
	add_finding(t, &f);
}

/* ---- fields of HTTP ---- */

static void propose_field(struct target *t, const struct observed_name *n)
{
	struct fmp_policy_fields *fields = &t->demands->fields;
	struct fmp_policy_field_rule rule = { .requests = true, .keep = true };
	struct finding f = { .setting = "fields/keep",
			     .name = n->text,
			     .sources = count_sources(t->learn, &n->sources, OBSERVED_CLEAR) };

	if (!f.sources || strlen(n->text) >= sizeof(rule.name) ||
	    n->text[strspn(n->text, "abcdefghijklmnopqrstuvwxyz0123456789-")])
		return;
	/* The field was observed because no rule of the policy in force names it; one of this policy may. */
	for (unsigned i = 0; i < fields->n; i++)
		if (!strcasecmp(fields->rule[i].name, n->text))
			return;
	if (!is_usual(t, f.sources, LEARN_FIELD_SHARE))
		f.state = FINDING_FEW;
	else if (fields->n == FMP_FIELD_RULES_MAX)
		f.state = FINDING_FULL;
	if (f.state == FINDING_PROPOSED) {
		strcpy(rule.name, n->text);
		fields->rule[fields->n++] = rule;
	}
	add_finding(t, &f);
}

static void propose_names(struct target *t)
{
	const struct observed *o = t->learn->observed;

	for (unsigned i = 0; i < o->n_names; i++) {
		if (o->name[i].service != t->service)
			continue;
		if (o->name[i].what == OBSERVED_HEADER)
			propose_header(t, &o->name[i]);
		else
			propose_field(t, &o->name[i]);
	}
}

/* ---- limits: never above those of the policy, so no client can raise them ---- */

/*
 * @limit: NULL: it is shown, not proposed, as a message that was not observed may have had more
 * @most: of the policy
 * @unit: the limit is a multiple of it
 */
static void propose_limit(struct target *t, const char *setting, uint32_t *limit, uint32_t most,
			  uint64_t seen, uint32_t least, uint32_t unit, size_t sources)
{
	uint64_t value = seen * t->learn->margin_pct / 100;
	struct finding f = { .setting = setting,
			     .sources = sources,
			     .state = limit ? FINDING_PROPOSED : FINDING_SAMPLED };

	value = (value + unit - 1) / unit * unit;
	if (value < least)
		value = least;
	if (!seen || seen > UINT32_MAX || value >= most)
		return;
	if (limit)
		*limit = (uint32_t)value;
	f.value = value;
	add_finding(t, &f);
}

static void propose_attachments(struct target *t)
{
	const struct observed_service *s = &t->learn->observed->service[t->service];
	struct fmp_policy_attachments *a = &t->demands->attachments;
	struct observed_sizes most = { 0 };
	size_t sources = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct observed_sizes *z = &s->sizes[i];

		if (!z->parts || !source_counts(t->learn, &z->source))
			continue;
		sources++;
		most.parts = z->parts > most.parts ? z->parts : most.parts;
		most.part = z->part > most.part ? z->part : most.part;
		most.bytes = z->bytes > most.bytes ? z->bytes : most.bytes;
	}
	if (!a->allowed || !is_usual(t, sources, LEARN_HEADER_SHARE))
		return;
	propose_limit(t, "attachments/parts", NULL, a->parts, most.parts, 1, 1, sources);
	/* No attachment is longer than the largest message. */
	if (t->learn->largest > most.bytes)
		most.bytes = t->learn->largest;
	if (t->learn->largest > most.part)
		most.part = t->learn->largest;
	propose_limit(t, "attachments/part-bytes", t->learn->largest ? &a->part_bytes : NULL,
		      a->part_bytes, most.part, 1024, 1024, sources);
	propose_limit(t, "attachments/bytes", t->learn->largest ? &a->bytes : NULL, a->bytes,
		      most.bytes, 1024, 1024, sources);
}

/* Of all services: their requests are read before it is known which one they are for. */
static void propose_http(const struct learn_gateway *l, struct fmp_policy *policy,
			 struct findings *out)
{
	const struct fmp_policy_http *h = &policy->gateway.http;
	struct target t = { .learn = l, .name = "", .demands = &policy->gateway, .out = out };
	struct observed_sizes most = { 0 };

	for (unsigned k = 0; k < l->observed->n_services; k++) {
		const struct observed_service *s = &l->observed->service[k];

		for (size_t i = 0; i < s->n; i++) {
			const struct observed_sizes *z = &s->sizes[i];

			if (!source_counts(l, &z->source))
				continue;
			t.sources++;
			most.head = z->head > most.head ? z->head : most.head;
			most.fields = z->fields > most.fields ? z->fields : most.fields;
			most.target = z->target > most.target ? z->target : most.target;
		}
	}
	if (t.sources < LEARN_SOURCES_MIN)
		return;
	propose_limit(&t, "http/header", NULL, h->header_bytes, most.head, HEADER_MIN, 1024,
		      t.sources);
	propose_limit(&t, "http/fields", NULL, h->fields, most.fields, FIELDS_MIN, 1, t.sources);
	propose_limit(&t, "http/target", NULL, h->target_bytes, most.target, TARGET_MIN, 1,
		      t.sources);
}

/* ---- services ---- */

/* The settings of the service; NULL: the policy has none of that name, or a remote one. */
static struct fmp_policy_gateway *find_demands(struct fmp_policy *policy, const char *name)
{
	if (!policy->n_services)
		return &policy->gateway;
	for (size_t i = 0; i < policy->n_services; i++)
		if (!strcmp(policy->services[i].name, name) && !policy->services[i].client)
			return &policy->services[i].demands;
	return NULL;
}

/* Services that share a path share their attachments: the policy's reader refuses others. */
static void share_attachments(struct fmp_policy *policy, struct fmp_policy_service *services,
			      const struct fmp_policy_gateway *from)
{
	const char *path = NULL;

	for (size_t i = 0; i < policy->n_services; i++)
		if (&services[i].demands == from)
			path = services[i].path;
	for (size_t i = 0; path && i < policy->n_services; i++)
		if (!services[i].client && !strcmp(services[i].path, path))
			services[i].demands.attachments = from->attachments;
}

int learn_gateway_propose(const struct learn_gateway *l, struct fmp_policy *policy,
			  struct fmp_policy_service **services, struct findings *out)
{
	size_t size = policy->n_services * sizeof(**services);

	*services = NULL;
	*out = (struct findings){ 0 };
	if (size) {
		*services = malloc(size);
		if (!*services)
			return FMP_ERR_NOMEM;
		memcpy(*services, policy->services, size);
		policy->services = *services;
	}
	for (unsigned k = 0; k < l->observed->n_services; k++) {
		const struct observed_service *s = &l->observed->service[k];
		struct target t = { .learn = l,
				    .service = k,
				    .name = policy->n_services ? s->name : "",
				    .demands = find_demands(policy, s->name),
				    .out = out };

		if (!t.demands)
			continue;
		for (size_t i = 0; i < s->n; i++)
			t.sources += source_counts(l, &s->sizes[i].source);
		propose_names(&t);
		propose_attachments(&t);
		share_attachments(policy, *services, t.demands);
	}
	propose_http(l, policy, out);
	return 0;
}
