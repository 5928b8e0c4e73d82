// SPDX-License-Identifier: GPL-2.0
/*
 * Settings that do nothing, or not what they seem to. Whoever writes one believes in it: he is told,
 * with its place. An error only where messages would pass that he means to refuse.
 */
#include <fmp/internal/policy_xml.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARNINGS_MAX 64
#define FIELD(f)     offsetof(struct fmp_policy, f)
/* No source sends more messages than that for long: what needs more is never reached. */
#define RATE_MAX     10000.0

int fmp_policy_warn(struct fmp_policy *p, const struct fmp_position *at, const char *fmt, ...)
{
	struct fmp_error *more;
	char text[sizeof(more->message)];
	va_list ap;

	if (p->n_warnings == WARNINGS_MAX)
		return 0;
	more = realloc(p->warnings, (p->n_warnings + 1) * sizeof(*more));
	if (!more)
		return FMP_ERR_NOMEM;
	p->warnings = more;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	memset(&more[p->n_warnings], 0, sizeof(*more));
	(void)fmp_error_at(&more[p->n_warnings], FMP_ERR_CONFLICT, at->file ? at->file : p->file,
			   at->line, at->column, "%s", text);
	p->n_warnings++;
	return 0;
}

static const struct fmp_position *place_of(const struct fmpi_reader *r, size_t field)
{
	return &r->where.at[fmpi_setting_of(field) - fmpi_settings];
}

static bool is_signed(const struct fmp_policy_gateway *g)
{
	return g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;
}

static bool is_encrypted(const struct fmp_policy_gateway *g)
{
	return g->security == FMP_SECURITY_BCE || g->security == FMP_SECURITY_BCES;
}

static bool is_validated(const struct fmp_policy_gateway *g)
{
	return g->security >= FMP_SECURITY_BCV;
}

struct use {
	size_t field;
	const char *needs;
	bool (*used)(const struct fmp_policy_gateway *g);
};

static const struct use uses[] = {
	{ FIELD(gateway.schema), "BcV, BcS, BcE or BcES", is_validated },
	{ FIELD(gateway.port), "BcV, BcS, BcE or BcES", is_validated },
	{ FIELD(gateway.trust), "BcS or BcES", is_signed },
	{ FIELD(gateway.crl), "BcS or BcES", is_signed },
	{ FIELD(gateway.certificates), "BcS or BcES", is_signed },
	{ FIELD(gateway.purpose), "BcS or BcES", is_signed },
	{ FIELD(gateway.key), "BcE or BcES", is_encrypted },
	{ FIELD(gateway.require_signed), "BcS or BcES", is_signed },
	{ FIELD(gateway.fast_signatures), "BcS or BcES", is_signed },
};

/* Under any of the services, or the gateway where there are none; or for an assertion, or answers. */
static bool is_used(const struct fmp_policy *p, const struct use *u)
{
	bool by_saml = u->field == FIELD(gateway.crl) || u->field == FIELD(gateway.fast_signatures);
	bool any = false;

	for (size_t i = 0; i < p->n_services; i++)
		any |= u->used(&p->services[i].demands) ||
		       (by_saml && p->services[i].demands.saml.n_issuers);
	return any ||
	       (!p->n_services && (u->used(&p->gateway) || (by_saml && p->gateway.saml.n_issuers)));
}

/* The default lets through what these settings are there to refuse. */
static int check_unsaid_security(struct fmpi_reader *r)
{
	static const size_t fields[] = { FIELD(gateway.trust), FIELD(gateway.schema),
					 FIELD(gateway.key) };
	const struct fmp_position *at;

	if (place_of(r, FIELD(gateway.security))->line)
		return 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct use *u = uses;

		while (u->field != fields[i])
			u++;
		at = place_of(r, fields[i]);
		if (!at->line || is_used(r->policy, u))
			continue;
		(void)fmp_error_at(
			r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file, at->line,
			at->column,
			"%s=\"FILE\" does nothing: security is not written, and its default "
			"%s lets messages pass without it; write security=\"%s\" (it needs %s), or "
			"leave it out",
			fmpi_setting_of(fields[i])->attribute,
			fmp_security_name(r->policy->gateway.security),
			fields[i] == FIELD(gateway.trust)    ? "BcS"
			: fields[i] == FIELD(gateway.schema) ? "BcV"
							     : "BcES",
			u->needs);
		if (r->err)
			snprintf(r->err->path, sizeof(r->err->path), "/policy/gateway/@%s",
				 fmpi_setting_of(fields[i])->attribute);
		return FMP_ERR_CONFLICT;
	}
	return 0;
}

static int warn_unused(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy;
	int rc = 0;

	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]) && !rc; i++) {
		const struct fmp_position *at = place_of(r, uses[i].field);

		/* A base serves policies of any security: what this one leaves of it is no mistake. */
		if (!at->line || is_used(p, &uses[i]) || fmpi_reader_is_base(r, at->file))
			continue;
		rc = fmp_policy_warn(p, at, "%s does nothing under security=\"%s\": it needs %s",
				     fmpi_setting_of(uses[i].field)->attribute,
				     fmp_security_name(p->gateway.security), uses[i].needs);
	}
	return rc;
}

/* Good messages are those that the gateway has looked into; under Os it looks into none. */
static int warn_credit(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy;
	const struct fmp_position *at = place_of(r, FIELD(suspicion.credit.points));
	bool looks = !p->n_services && p->gateway.security >= FMP_SECURITY_BC;

	for (size_t i = 0; i < p->n_services; i++)
		looks |= p->services[i].demands.security >= FMP_SECURITY_BC;
	if (!at->line || looks || !p->suspicion.credit.points)
		return 0;
	return fmp_policy_warn(
		p, at,
		"<credit> is for messages that were found good: under security=\"Os\" "
		"every message is, whatever is in it, so that anyone earns it");
}

/* ---- settings of what is switched off ---- */

static bool has_limits(const struct fmp_policy *p)
{
	bool any = p->suspicious.limit;

	for (size_t i = 0; i < p->n_groups; i++)
		any |= p->groups[i].action == FMP_GROUP_LIMIT;
	return any;
}

static bool is_limited(const struct fmp_policy *p)
{
	return p->suspicious.limit;
}

static bool is_narrowed(const struct fmp_policy *p)
{
	return p->block.shared.narrow != FMP_NARROW_NO;
}

static bool is_rolled_up(const struct fmp_policy *p)
{
	return p->block.rollup.sources != 0;
}

static bool has_credit(const struct fmp_policy *p)
{
	return p->suspicion.credit.points != 0;
}

static bool blocks_macs(const struct fmp_policy *p)
{
	return p->block.mac && (p->block.layers & ~FMP_LAYER_BIT(FMP_LAYER_IP));
}

static bool has_replays(const struct fmp_policy *p)
{
	return p->gateway.replay_entries != 0;
}

static bool has_metrics_file(const struct fmp_policy *p)
{
	return *p->metrics.file != '\0';
}

static const struct {
	size_t field;
	const char *needs;
	bool (*is_on)(const struct fmp_policy *p);
} switched[] = {
	{ FIELD(suspicious.rate), "action=\"limit\", here or in a <group>", has_limits },
	{ FIELD(suspicious.duration_ms), "action=\"limit\"", is_limited },
	{ FIELD(block.shared.credit), "narrow=\"port\" or \"limit\"", is_narrowed },
	{ FIELD(block.shared.up_to), "narrow=\"port\" or \"limit\"", is_narrowed },
	{ FIELD(block.shared.rate), "narrow=\"port\" or \"limit\"", is_narrowed },
	{ FIELD(block.rollup.ipv4_prefix), "sources=\"N\"", is_rolled_up },
	{ FIELD(block.rollup.ipv6_prefix), "sources=\"N\"", is_rolled_up },
	{ FIELD(block.rollup.veto_ms), "sources=\"N\"", is_rolled_up },
	{ FIELD(suspicion.credit.max), "points=\"N\"", has_credit },
	{ FIELD(suspicion.credit.half_life_ms), "points=\"N\"", has_credit },
	{ FIELD(block.local_mac_ms), "mac=\"yes\", and mac or premac in layers", blocks_macs },
	{ FIELD(gateway.replay_per_signer), "entries=\"N\"", has_replays },
	{ FIELD(metrics.interval_ms), "file=\"FILE\"", has_metrics_file },
};

/* What is written as it is by default was not meant to change anything. */
static int warn_switched(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy, *standard = fmp_policy_default();
	int rc = standard ? 0 : FMP_ERR_NOMEM;

	for (size_t i = 0; i < sizeof(switched) / sizeof(switched[0]) && !rc; i++) {
		const struct fmpi_setting *s = fmpi_setting_of(switched[i].field);
		const struct fmp_position *at = place_of(r, switched[i].field);

		if (!at->line || switched[i].is_on(p) || fmpi_reader_is_base(r, at->file) ||
		    !memcmp((char *)p + s->offset, (char *)standard + s->offset, s->size))
			continue;
		rc = fmp_policy_warn(p, at, "%s of <%s> does nothing: it needs %s", s->attribute,
				     s->element, switched[i].needs);
	}
	fmp_policy_free(standard);
	return rc;
}

/* ---- thresholds ---- */

/* The least counts only kinds that take intent; an accident's point is not what a block is for. */
static void rank_bounds(const struct fmp_policy_suspicion *s, uint32_t *least, uint32_t *most)
{
	*least = UINT32_MAX;
	*most = 0;
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS; k++) {
		uint32_t rank = s->rank[k];

		if (rank > *most)
			*most = rank;
		if (rank && rank < *least && k < FMP_EVENT_BROWSER)
			*least = rank;
	}
}

static int warn_threshold(struct fmp_policy *p, const struct fmp_policy_suspicion *s,
			  const struct fmp_position *at)
{
	uint32_t malicious = s->malicious;
	uint32_t least, most;
	double need, half_life_s = (double)s->half_life_ms / 1000;
	bool is_counted = false;

	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++) {
		is_counted |= s->count[k].count != 0;
		if (s->count[k].count == 1 &&
		    fmp_policy_warn(p, at,
				    "count=\"1\" of %s: a single message of that kind blocks its "
				    "source",
				    fmp_event_kind_name(k)))
			return FMP_ERR_NOMEM;
	}
	rank_bounds(s, &least, &most);
	if (!most && is_counted)
		return 0;
	if (!most)
		return fmp_policy_warn(p, at,
				       "no kind of event has a rank: nobody ever reaches "
				       "malicious=\"%u\"",
				       malicious);
	if (least != UINT32_MAX && malicious <= least)
		return fmp_policy_warn(
			p, at,
			"malicious=\"%u\" is no more than the least rank of an event, %u: a single "
			"message of any kind, also an accident, blocks its source",
			malicious, least);
	if (half_life_s <= 0 || is_counted)
		return 0;
	need = (double)malicious / most * M_LN2 / half_life_s;
	if (need > RATE_MAX && !s->rank_per_cpu_ms)
		return fmp_policy_warn(
			p, at,
			"nobody reaches malicious=\"%u\": with half-life=\"%.3gs\" it takes %.0f "
			"messages a second of the worst kind (rank %u)",
			malicious, half_life_s, need, most);
	return 0;
}

static int warn_thresholds(struct fmpi_reader *r)
{
	struct fmp_position at = *place_of(r, FIELD(suspicion.malicious));

	if (!at.line)
		at = *place_of(r, FIELD(suspicion.half_life_ms));
	for (unsigned k = 0; k < FMP_EVENT_KINDS && !at.line; k++)
		at = r->event_at[k];
	/* Of the defaults nobody needs to be told. */
	return at.line ? warn_threshold(r->policy, &r->policy->suspicion, &at) : 0;
}

/* Of the layers that a device is said to have, those that no block is asked of. */
static int warn_device_layers(struct fmpi_reader *r)
{
	const struct fmp_policy *p = r->policy;
	unsigned used = p->block.layers;
	char layers[32];
	int rc = 0;

	for (size_t i = 0; i < p->n_overrides; i++)
		used |= p->overrides[i].block.layers;
	for (size_t i = 0; i < p->n_groups; i++)
		used |= p->groups[i].block.layers;
	for (unsigned i = 0; i < p->enforce.n_devices && !rc; i++) {
		unsigned idle = p->enforce.device_layers[i] & ~used & ~FMP_LAYER_BIT(FMP_LAYER_IP);

		/* Without the attribute it has all, whatever is used. */
		if (!idle || p->enforce.device_layers[i] == FMP_LAYERS_ALL)
			continue;
		fmp_layers_format(idle, layers, sizeof(layers));
		rc = fmp_policy_warn(r->policy, &r->device_at[i],
				     "the layers of device %s name %s, which <block> does not use: "
				     "it does nothing there",
				     p->enforce.devices[i], layers);
	}
	return rc;
}

int fmpi_policy_check_idle(struct fmpi_reader *r)
{
	int rc = check_unsaid_security(r);

	if (!rc)
		rc = warn_unused(r);
	if (!rc)
		rc = warn_credit(r);
	if (!rc)
		rc = warn_switched(r);
	if (!rc)
		rc = warn_thresholds(r);
	if (!rc)
		rc = warn_device_layers(r);
	if (!rc)
		rc = fmpi_policy_warn_risks(r);
	return rc == FMP_ERR_NOMEM ? fmp_error_set(r->err, rc, "out of memory") : rc;
}

int fmpi_idle_rules(struct fmpi_reader *r, const xmlNode *node,
		    const struct fmp_policy_suspicion *s)
{
	const struct fmp_policy_suspicion *all = &r->policy->suspicion;
	struct fmp_position at = fmpi_reader_locate(r, node, NULL);
	int rc = 0;

	/* What it shares with the policy is told of there. */
	if (s->malicious != all->malicious || memcmp(s->rank, all->rank, sizeof(s->rank)) ||
	    memcmp(s->count, all->count, sizeof(s->count)))
		rc = warn_threshold(r->policy, s, &at);
	return rc ? fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory") : 0;
}

static bool is_same_place(const struct fmp_position *a, const struct fmp_position *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

int fmpi_idle_service(struct fmpi_reader *r, const struct fmp_policy_service *svc,
		      const struct fmp_positions *before)
{
	bool is_said = place_of(r, FIELD(gateway.security))->line != 0;
	const struct fmp_policy_gateway *g = &svc->demands;
	int rc = 0;

	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]) && !rc; i++) {
		const struct fmp_position *at = place_of(r, uses[i].field);
		const char *name = fmpi_setting_of(uses[i].field)->attribute;
		bool by_saml = g->saml.n_issuers && uses[i].field != FIELD(gateway.schema);

		/* What it inherits, others may use. */
		if (!at->line || uses[i].used(g) || by_saml ||
		    is_same_place(at, &before->at[fmpi_setting_of(uses[i].field) - fmpi_settings]))
			continue;
		if (is_said) {
			rc = fmp_policy_warn(r->policy, at,
					     "%s of \"%s\" does nothing under security=\"%s\": it "
					     "needs %s",
					     name, svc->name, fmp_security_name(g->security),
					     uses[i].needs);
			continue;
		}
		return fmp_error_at(r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file,
				    at->line, at->column,
				    "%s of \"%s\" does nothing: security is not written, and its "
				    "default %s lets messages pass without it; it needs %s",
				    name, svc->name, fmp_security_name(g->security), uses[i].needs);
	}
	return rc ? fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory") : 0;
}
