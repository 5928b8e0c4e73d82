// SPDX-License-Identifier: GPL-2.0
#include "learn.h"

#include <stdlib.h>

#include <fmp/internal/addrmap.h>

#include "learn_gateway.h"

/* The limits of the policy's reader. */
#define POINTS_MAX 1000000u
#define BODY_MIN   1024u
#define BODY_MAX   (256u << 20)

struct learn {
	struct fmp_policy policy; /* a copy, with thresholds out of reach */
	struct fmp_player *player;
	struct fmp_addrmap peaks; /* source -> most points * 2, + 1 if it sent something good */
	struct fmp_event last; /* the engine has taken it when the next event arrives */
	bool has_last;
	struct observed observed; /* of good messages */
	uint32_t suspicious; /* of the policy */
	int failed;
	uint64_t good, bad;
	uint32_t bytes;
};

/* Record the points of the last event's source at the time of that event: they have decayed since. */
static void record_last_peak(struct learn *l)
{
	uint64_t now_ms = l->last.time_ns / 1000000;
	struct fmp_source_info info;
	uint64_t *peak;

	if (!l->has_last || !l->last.proven ||
	    fmp_engine_get(fmp_player_engine(l->player), &l->last.source, now_ms, &info))
		return;
	peak = fmp_addrmap_get(&l->peaks, &info.source);
	if (!peak) {
		l->failed = FMP_ERR_NOMEM;
		return;
	}
	if (info.rank > *peak / 2)
		*peak = info.rank * UINT64_C(2) + (*peak & 1);
	if (l->last.kind != FMP_EVENT_GOOD)
		return;
	*peak |= 1;
	if (observed_add(&l->observed, &info.source, l->last.detail))
		l->failed = FMP_ERR_NOMEM;
}

static bool on_message(const struct fmp_event *ev, void *ctx)
{
	struct learn *l = ctx;
	bool good = ev->kind == FMP_EVENT_GOOD && ev->proven;

	record_last_peak(l);
	l->last = *ev;
	l->has_last = true;
	l->good += good;
	l->bad += !good;
	if (good && ev->bytes > l->bytes)
		l->bytes = ev->bytes;
	return true;
}

int learn_new(const struct fmp_policy *policy, const char *name, struct learn **out,
	      struct fmp_error *err)
{
	static const struct fmp_player_ops ops = { .arrives = on_message };
	struct learn *l = calloc(1, sizeof(*l));
	int rc;

	if (!l)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	l->policy = *policy;
	l->suspicious = policy->suspicion.suspicious;
	l->policy.suspicion.suspicious = l->policy.suspicion.malicious = POINTS_MAX;
	l->policy.suspicious.limit = false;
	rc = fmp_player_new(&l->policy, 0, name, &ops, l, &l->player, err);
	if (rc)
		free(l);
	else
		*out = l;
	return rc;
}

void learn_free(struct learn *l)
{
	if (!l)
		return;
	fmp_player_free(l->player);
	fmp_addrmap_free(&l->peaks);
	observed_exit(&l->observed);
	free(l);
}

int learn_line(struct learn *l, const char *text, size_t len, struct fmp_error *err)
{
	int rc = fmp_player_line(l->player, text, len, err);

	record_last_peak(l);
	l->has_last = false;
	if (!rc && l->failed)
		rc = fmp_error_set(err, l->failed, "no memory for more sources");
	return rc;
}

void learn_get(struct learn *l, struct learned *out)
{
	*out = (struct learned){ .good = l->good, .bad = l->bad, .bytes = l->bytes };
	for (size_t i = 0; i < l->peaks.cap; i++) {
		const struct fmp_addrmap_entry *e = &l->peaks.v[i];

		if (!e->addr.family)
			continue;
		if (l->good && !(e->value & 1)) {
			out->left_out++;
			continue;
		}
		out->sources++;
		if (e->value / 2 > out->peak) {
			out->peak = (uint32_t)(e->value / 2);
			out->peak_source = e->addr;
		}
	}
}

static uint32_t clamp_value(uint64_t v, uint32_t min, uint32_t max)
{
	return v < min ? min : v > max ? max : (uint32_t)v;
}

struct proposal learn_propose(const struct fmp_policy *policy, const struct learned *seen,
			      uint32_t margin_pct)
{
	const struct fmp_policy_suspicion *s = &policy->suspicion;
	struct proposal p = { 0 };
	uint32_t worst = 0;
	uint64_t malicious;

	if (!seen->sources)
		return p;
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (s->rank[k] > worst)
			worst = s->rank[k];
	p.suspicious = clamp_value((uint64_t)seen->peak * margin_pct / 100 + 1, 1, POINTS_MAX - 1);
	malicious = ((uint64_t)p.suspicious * s->malicious + s->suspicious - 1) / s->suspicious;
	if (malicious <= p.suspicious)
		malicious = p.suspicious + 1;
	if (malicious <= worst) {
		malicious = worst + 1;
		if ((uint64_t)p.suspicious * s->malicious < malicious * s->suspicious)
			p.suspicious =
				clamp_value(malicious * s->suspicious / s->malicious, 1, worst);
	}
	p.malicious = clamp_value(malicious, p.suspicious, POINTS_MAX);
	/* The log has the size of compressed bodies; the limit is for expanded ones. */
	if (seen->bytes && !policy->gateway.http.compressed)
		p.body_bytes =
			clamp_value(((uint64_t)seen->bytes * margin_pct / 100 + 1023) / 1024 * 1024,
				    BODY_MIN, BODY_MAX);
	return p;
}

/* It sent something good, and was never suspicious. */
static bool source_is_clean(const struct fmp_addr *source, void *ctx)
{
	const struct learn *l = ctx;
	const uint64_t *peak = fmp_addrmap_find(&l->peaks, source);

	return peak && *peak & 1 && *peak / 2 < l->suspicious;
}

int learn_propose_gateway(struct learn *l, uint32_t margin_pct, struct fmp_policy *policy,
			  struct fmp_policy_service **services, struct findings *out)
{
	/* The log has the size of compressed messages; the limits are for expanded ones. */
	const struct learn_gateway how = { .observed = &l->observed,
					   .counts = source_is_clean,
					   .ctx = l,
					   .margin_pct = margin_pct,
					   .largest = l->policy.gateway.http.compressed
							      ? 0
							      : l->bytes };

	return learn_gateway_propose(&how, policy, services, out);
}
