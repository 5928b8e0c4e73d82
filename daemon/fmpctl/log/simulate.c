// SPDX-License-Identifier: GPL-2.0
#include "simulate.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

FMP_PRINTF(3, 4)
static int play_line(struct fmp_dryrun *run, struct fmp_error *err, const char *fmt, ...)
{
	char line[256];
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	return fmp_dryrun_line(run, line, (size_t)n, err);
}

static uint64_t active_decision(const struct fmp_source_info *info)
{
	return info->blocked_until_ms ? info->decision_id : 0;
}

static uint64_t last_active_decision(const struct simulation *s)
{
	return s->n ? s->samples[s->n - 1].decision_id : 0;
}

static int add_sample(struct simulation *s, const struct attack *a, uint64_t at_ms,
		      struct fmp_error *err)
{
	struct sample now = { .at_ms = at_ms };
	struct fmp_source_info info;
	struct fmp_dryrun_totals t;

	if (s->n == s->cap) {
		size_t cap = s->cap ? s->cap * 2 : 1024;
		struct sample *more = reallocarray(s->samples, cap, sizeof(*more));

		if (!more)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
		s->samples = more;
		s->cap = cap;
	}
	if (!fmp_engine_get(fmp_dryrun_engine(s->run), &a->addr, at_ms, &info)) {
		now.rank = info.rank;
		now.state = info.state;
		now.decision_id = active_decision(&info);
	}
	fmp_dryrun_get_totals(s->run, &t);
	now.bad = t.bad;
	now.good = t.good;
	now.kept_out = t.kept_out_bad;
	now.good_lost = t.kept_out_good;
	now.decided = now.decision_id != last_active_decision(s);
	s->samples[s->n++] = now;
	return 0;
}

static int send_message(struct simulation *s, const struct attack *a, uint64_t i,
			struct fmp_error *err)
{
	bool good = (i + 1) * a->good / 100 != i * a->good / 100;
	char addr[FMP_ADDR_STRLEN], mac[FMP_ADDR_STRLEN] = "", port[16] = "";

	if (a->port)
		snprintf(port, sizeof(port), " port=%u", a->port);
	if (a->mac.family)
		fmp_addr_format(&a->mac, mac, sizeof(mac));
	return play_line(s->run, err,
			 "%" PRIu64 "ms event %s %s sources=%" PRIu64 " cpu=%" PRIu64
			 "ms%s%s%s%s%s",
			 i * a->every_ms, fmp_addr_format(&a->addr, addr, sizeof(addr)),
			 fmp_event_kind_name(good ? FMP_EVENT_GOOD : a->kind), a->sources,
			 good ? 0 : a->cpu_ms, *mac ? " mac=" : "", mac, port,
			 a->service ? " service=" : "", a->service ? a->service : "");
}

/* Return: has the decision about the first source changed since the last sample? */
static bool has_new_decision(const struct simulation *s, const struct attack *a, uint64_t at_ms)
{
	struct fmp_source_info info;

	return !s->n || (!fmp_engine_get(fmp_dryrun_engine(s->run), &a->addr, at_ms, &info) &&
			 active_decision(&info) != last_active_decision(s));
}

static int run_attack(struct simulation *s, const struct attack *a, struct fmp_error *err)
{
	uint64_t end = a->for_ms + a->after_ms, step = end / SIMULATE_SAMPLES;
	uint64_t n = (a->for_ms - 1) / a->every_ms + 1, next = 0, i = 0;
	char own[FMP_ADDR_STRLEN];
	int rc = 0;

	if (!step)
		step = 1;
	if (a->own.family)
		rc = play_line(s->run, err, "0 own %s", fmp_addr_format(&a->own, own, sizeof(own)));
	while (!rc && next <= end) {
		uint64_t at = i < n ? i * a->every_ms : UINT64_MAX;

		if (at <= next) {
			rc = send_message(s, a, i++, err);
			if (!rc && has_new_decision(s, a, at))
				rc = add_sample(s, a, at, err);
			continue;
		}
		rc = play_line(s->run, err, "%" PRIu64 "ms wait", next);
		if (!rc)
			rc = add_sample(s, a, next, err);
		next += step;
	}
	return rc;
}

int simulate(const struct fmp_policy *policy, const struct attack *a, struct simulation *out,
	     struct fmp_error *err)
{
	int rc;

	*out = (struct simulation){ 0 };
	if (a->for_ms / a->every_ms >= SIMULATE_MESSAGES_MAX / a->sources)
		return fmp_error_set(err, FMP_ERR_LIMIT, "these are more than %u messages",
				     SIMULATE_MESSAGES_MAX);
	rc = fmp_dryrun_new(policy, "simulation", &out->run, err);
	if (!rc)
		rc = run_attack(out, a, err);
	if (rc)
		simulation_free(out);
	return rc;
}

void simulation_free(struct simulation *s)
{
	fmp_dryrun_free(s->run);
	free(s->samples);
	*s = (struct simulation){ 0 };
}
