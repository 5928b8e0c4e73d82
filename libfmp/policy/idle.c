// SPDX-License-Identifier: GPL-2.0
/*
 * Warnings on settings that have no effect, or another one than it seems. Each names its place, for
 * whoever wrote the setting relies on it. It is an error only where messages would pass that the
 * user means to refuse.
 */
#include <fmp/internal/policy_xml.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(f) offsetof(struct fmp_policy, f)
/* No source sends more messages a second for long: a threshold that needs more is never reached. */
#define RATE_MAX 10000.0

static const struct fmp_position *setting_position(const struct fmpi_reader *r, size_t field)
{
	return &r->where.at[fmpi_setting_by_offset(field) - fmpi_settings];
}

static bool is_signed(const struct fmp_policy_gateway *g)
{
	return g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;
}

static bool is_encrypted(const struct fmp_policy_gateway *g)
{
	return g->security == FMP_SECURITY_BCE || g->security == FMP_SECURITY_BCES;
}

/* A schema is also there to be answered from. */
static bool is_validated(const struct fmp_policy_gateway *g)
{
	return g->security >= FMP_SECURITY_BCV || g->describe == FMP_DESCRIBE_ANSWER;
}

/* Only what is accepted once can be repeated. */
static bool is_accepted_once(const struct fmp_policy_gateway *g)
{
	return g->security != FMP_SECURITY_OS &&
	       (is_signed(g) || g->passwords[0] || g->saml.n_issuers);
}

/* Under BcS it decrypts keys that sign messages, and parts of the header. */
static bool uses_key(const struct fmp_policy_gateway *g)
{
	return is_encrypted(g) || is_signed(g);
}

struct requirement {
	size_t field;
	const char *needs;
	bool (*is_met)(const struct fmp_policy_gateway *g);
};

static const struct requirement requirements[] = {
	{ FIELD(gateway.schema), "BcV, BcS, BcE or BcES", is_validated },
	{ FIELD(gateway.port), "BcV, BcS, BcE or BcES", is_validated },
	{ FIELD(gateway.catalog), "BcV, BcS, BcE or BcES", is_validated },
	{ FIELD(gateway.trust), "BcS or BcES", is_signed },
	{ FIELD(gateway.crl), "BcS or BcES", is_signed },
	{ FIELD(gateway.certificates), "BcS or BcES", is_signed },
	{ FIELD(gateway.purpose), "BcS or BcES", is_signed },
	{ FIELD(gateway.key), "BcS, BcE or BcES", uses_key },
	{ FIELD(gateway.require_signed), "BcS or BcES", is_signed },
	{ FIELD(gateway.symmetric), "BcS or BcES", is_signed },
	{ FIELD(gateway.repeats), "BcS, BcES, <username> or <saml>", is_accepted_once },
	{ FIELD(gateway.fast_signatures), "BcS or BcES", is_signed },
};

/* Does any service (the gateway, if there are none) use the setting? CRLs and fast signatures
 * also serve assertions. */
static bool is_met_anywhere(const struct fmp_policy *p, const struct requirement *u)
{
	bool by_saml = u->field == FIELD(gateway.crl) || u->field == FIELD(gateway.fast_signatures);
	bool any = false;

	for (size_t i = 0; i < p->n_services; i++)
		any |= u->is_met(&p->services[i].demands) ||
		       (by_saml && p->services[i].demands.saml.n_issuers);
	return any || (!p->n_services &&
		       (u->is_met(&p->gateway) || (by_saml && p->gateway.saml.n_issuers)));
}

/* security is not written, and its default lets pass what these settings are there to refuse. */
static int check_default_security(struct fmpi_reader *r)
{
	static const size_t fields[] = { FIELD(gateway.trust), FIELD(gateway.schema),
					 FIELD(gateway.key) };
	const struct fmp_position *at;

	if (setting_position(r, FIELD(gateway.security))->line)
		return 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct requirement *u = requirements;

		while (u->field != fields[i])
			u++;
		at = setting_position(r, fields[i]);
		if (!at->line || is_met_anywhere(r->policy, u))
			continue;
		(void)fmp_error_at(
			r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file, at->line,
			at->column,
			"%s=\"FILE\" does nothing: security is not written, and its default "
			"%s lets messages pass without it; write security=\"%s\" (it needs %s), or "
			"leave it out",
			fmpi_setting_by_offset(fields[i])->attribute,
			fmp_security_name(r->policy->gateway.security),
			fields[i] == FIELD(gateway.trust)    ? "BcS"
			: fields[i] == FIELD(gateway.schema) ? "BcV"
							     : "BcES",
			u->needs);
		if (r->err)
			snprintf(r->err->path, sizeof(r->err->path), "/policy/gateway/@%s",
				 fmpi_setting_by_offset(fields[i])->attribute);
		return FMP_ERR_CONFLICT;
	}
	return 0;
}

static int warn_unused(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy;
	int rc = 0;

	for (size_t i = 0; i < sizeof(requirements) / sizeof(requirements[0]) && !rc; i++) {
		const struct fmp_position *at = setting_position(r, requirements[i].field);

		/* A base serves policies of any security: what this policy does not use of it is
		 * no mistake. */
		if (!at->line || is_met_anywhere(p, &requirements[i]) ||
		    fmpi_reader_is_base(r, at->file))
			continue;
		rc = fmp_policy_warn(p, at, "%s does nothing under security=\"%s\": it needs %s",
				     fmpi_setting_by_offset(requirements[i].field)->attribute,
				     fmp_security_name(p->gateway.security), requirements[i].needs);
	}
	return rc;
}

/* A message counts as good after the gateway has inspected it; under Os it inspects none. */
static int warn_credit(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy;
	const struct fmp_position *at = setting_position(r, FIELD(suspicion.credit.points));
	bool inspects = !p->n_services && p->gateway.security >= FMP_SECURITY_BC;

	for (size_t i = 0; i < p->n_services; i++)
		inspects |= p->services[i].demands.security >= FMP_SECURITY_BC;
	if (!at->line || inspects || !p->suspicion.credit.points)
		return 0;
	return fmp_policy_warn(
		p, at,
		"<credit> is for messages that were found good: under security=\"Os\" "
		"every message is, whatever is in it, so that anyone earns it");
}

/* ---- settings of features that are off ---- */

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
} dependent[] = {
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
	{ FIELD(gateway.repeats), "<replay> entries", has_replays },
	{ FIELD(metrics.interval_ms), "file=\"FILE\"", has_metrics_file },
};

/* Writing the default value was not meant to change anything. */
static int warn_switched_off(struct fmpi_reader *r)
{
	struct fmp_policy *p = r->policy, *standard = fmp_policy_default();
	int rc = standard ? 0 : FMP_ERR_NOMEM;

	for (size_t i = 0; i < sizeof(dependent) / sizeof(dependent[0]) && !rc; i++) {
		const struct fmpi_setting *s = fmpi_setting_by_offset(dependent[i].field);
		const struct fmp_position *at = setting_position(r, dependent[i].field);

		if (!at->line || dependent[i].is_on(p) || fmpi_reader_is_base(r, at->file) ||
		    !memcmp((char *)p + s->offset, (char *)standard + s->offset, s->size))
			continue;
		rc = fmp_policy_warn(p, at, "%s of <%s> does nothing: it needs %s", s->attribute,
				     s->element, dependent[i].needs);
	}
	fmp_policy_free(standard);
	return rc;
}

/* ---- thresholds ---- */

/* Kinds that happen without intent. They are named one by one: a new kind follows them in the enumeration. */
static bool is_unintended(unsigned kind)
{
	return kind == FMP_EVENT_BROWSER || kind == FMP_EVENT_UNSUPPORTED ||
	       kind == FMP_EVENT_OUTAGE;
}

/* @least ignores kinds that happen without intent: a single point for an accident says nothing
 * about blocking. */
static void find_rank_bounds(const struct fmp_policy_suspicion *s, uint32_t *least, uint32_t *most)
{
	*least = UINT32_MAX;
	*most = 0;
	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS; k++) {
		uint32_t rank = s->rank[k];

		if (rank > *most)
			*most = rank;
		if (rank && rank < *least && !is_unintended(k))
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
	find_rank_bounds(s, &least, &most);
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
	struct fmp_position at = *setting_position(r, FIELD(suspicion.malicious));

	if (!at.line)
		at = *setting_position(r, FIELD(suspicion.half_life_ms));
	for (unsigned k = 0; k < FMP_EVENT_KINDS && !at.line; k++)
		at = r->event_at[k];
	/* If all of this is default, there is nothing to warn about. */
	return at.line ? warn_threshold(r->policy, &r->policy->suspicion, &at) : 0;
}

/* Warn of a device's layers that no block uses. */
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

		/* Without the attribute a device has all layers, used or not. */
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

/* ---- settings that weaken the protection beside them ---- */

static bool accepts_cbc(const struct fmp_policy_gateway *g)
{
	return (is_encrypted(g) || (is_signed(g) && g->key[0])) &&
	       g->algorithms.encryption & FMP_CIPHERS_CBC;
}

static int warn_cbc(struct fmp_policy *p, const struct fmp_policy_gateway *g, const char *service,
		    const struct fmp_position *at)
{
	if (!accepts_cbc(g))
		return 0;
	return fmp_policy_warn(
		p, at,
		"%s%s%sencryption takes CBC, which does not notice changed bytes: how changed copies "
		"of a captured message are refused can tell its text. %s: take GCM alone unless a "
		"peer has nothing else",
		*service ? "service \"" : "", service, *service ? "\": " : "",
		is_signed(g) ? "So few are decrypted"
			     : "So few are decrypted, and who uses them up stops all under CBC");
}

static int warn_risks(struct fmpi_reader *r)
{
	const struct fmpi_setting *s =
		fmpi_setting_by_offset(offsetof(struct fmp_policy, gateway.algorithms.encryption));
	struct fmp_policy *p = r->policy;
	int rc = 0;

	if (!p->n_services)
		return warn_cbc(p, &p->gateway, "", &r->where.at[s - fmpi_settings]);
	for (size_t i = 0; i < p->n_services && !rc; i++) {
		const struct fmp_policy_service *svc = &p->services[i];
		const struct fmp_position at = { .line = svc->line, .column = svc->column };

		rc = warn_cbc(p, &svc->demands, svc->name, &at);
	}
	return rc;
}

int fmpi_policy_check_idle(struct fmpi_reader *r)
{
	int rc = check_default_security(r);

	if (!rc)
		rc = warn_unused(r);
	if (!rc)
		rc = warn_credit(r);
	if (!rc)
		rc = warn_switched_off(r);
	if (!rc)
		rc = warn_thresholds(r);
	if (!rc)
		rc = warn_device_layers(r);
	if (!rc)
		rc = warn_risks(r);
	return rc == FMP_ERR_NOMEM ? fmp_error_set(r->err, rc, "out of memory") : rc;
}

int fmpi_rules_check_idle(struct fmpi_reader *r, const xmlNode *node,
			  const struct fmp_policy_suspicion *s)
{
	const struct fmp_policy_suspicion *all = &r->policy->suspicion;
	struct fmp_position at = fmpi_reader_locate(r, node, NULL);
	int rc = 0;

	/* What it shares with the policy is warned about there. */
	if (s->malicious != all->malicious || memcmp(s->rank, all->rank, sizeof(s->rank)) ||
	    memcmp(s->count, all->count, sizeof(s->count)))
		rc = warn_threshold(r->policy, s, &at);
	return rc ? fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory") : 0;
}

static bool equal_positions(const struct fmp_position *a, const struct fmp_position *b)
{
	return a->line == b->line && a->column == b->column && a->file == b->file;
}

int fmpi_service_check_idle(struct fmpi_reader *r, const struct fmp_policy_service *svc,
			    const struct fmp_positions *before)
{
	bool is_written = setting_position(r, FIELD(gateway.security))->line != 0;
	const struct fmp_policy_gateway *g = &svc->demands;
	int rc = 0;

	for (size_t i = 0; i < sizeof(requirements) / sizeof(requirements[0]) && !rc; i++) {
		const struct fmp_position *at = setting_position(r, requirements[i].field);
		const char *name = fmpi_setting_by_offset(requirements[i].field)->attribute;
		bool by_saml = g->saml.n_issuers && requirements[i].field != FIELD(gateway.schema);

		/* Other services may use what this one inherits. */
		if (!at->line || requirements[i].is_met(g) || by_saml ||
		    equal_positions(at, &before->at[fmpi_setting_by_offset(requirements[i].field) -
						    fmpi_settings]))
			continue;
		if (is_written) {
			rc = fmp_policy_warn(r->policy, at,
					     "%s of \"%s\" does nothing under security=\"%s\": it "
					     "needs %s",
					     name, svc->name, fmp_security_name(g->security),
					     requirements[i].needs);
			continue;
		}
		return fmp_error_at(r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file,
				    at->line, at->column,
				    "%s of \"%s\" does nothing: security is not written, and its "
				    "default %s lets messages pass without it; it needs %s",
				    name, svc->name, fmp_security_name(g->security),
				    requirements[i].needs);
	}
	return rc ? fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory") : 0;
}
