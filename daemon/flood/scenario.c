// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WEIGHT_MAX 1000000u

static const char *const names[FLOOD_KINDS] = {
	[FLOOD_GOOD] = "good",		 [FLOOD_WELLFORMED] = "wellformed",
	[FLOOD_SCHEMA] = "schema",	 [FLOOD_UNSIGNED] = "unsigned",
	[FLOOD_SIGNATURE] = "signature", [FLOOD_OVERSIZE] = "oversize",
	[FLOOD_NESTING] = "nesting",	 [FLOOD_DTD] = "dtd",
	[FLOOD_HTTP] = "http",
};

const char *flood_kind_name(unsigned kind)
{
	return kind < FLOOD_KINDS ? names[kind] : NULL;
}

static int parse_kind(const char *name, size_t len, struct fmp_error *err)
{
	unsigned k;

	for (k = 0; k < FLOOD_KINDS; k++)
		if (strlen(names[k]) == len && !memcmp(names[k], name, len))
			return (int)k;
	return fmp_error_set(err, FMP_ERR_SYNTAX,
			     "mix: no kind \"%.*s\"; kinds are good, wellformed, schema, unsigned, "
			     "signature, oversize, nesting, dtd, http",
			     (int)(len > 40 ? 40 : len), name);
}

static int parse_weight(const char *text, size_t len, uint32_t *out, struct fmp_error *err)
{
	char copy[16];
	char *end;
	unsigned long v;

	if (!len || len >= sizeof(copy) || text[0] < '0' || text[0] > '9')
		goto bad;
	memcpy(copy, text, len);
	copy[len] = 0;
	v = strtoul(copy, &end, 10);
	if (*end || v > WEIGHT_MAX)
		goto bad;
	*out = (uint32_t)v;
	return 0;
bad:
	return fmp_error_set(err, FMP_ERR_SYNTAX,
			     "mix: weight \"%.*s\" is not a number from 0 to %u",
			     (int)(len > 40 ? 40 : len), text, WEIGHT_MAX);
}

int flood_scenario_parse(struct flood_scenario *s, const char *mix, struct fmp_error *err)
{
	const char *at = mix;

	memset(s, 0, sizeof(*s));
	while (*at) {
		size_t len = strcspn(at, ",");
		const char *eq = memchr(at, '=', len);
		int kind = parse_kind(at, eq ? (size_t)(eq - at) : len, err);
		uint32_t weight = 1;

		if (kind < 0)
			return kind;
		if (eq) {
			int rc = parse_weight(eq + 1, len - (size_t)(eq + 1 - at), &weight, err);

			if (rc)
				return rc;
		}
		if (s->weight[kind])
			return fmp_error_set(err, FMP_ERR_SYNTAX, "mix: \"%s\" stands twice",
					     names[kind]);
		s->weight[kind] = weight;
		s->total += weight;
		at += len;
		if (*at == ',')
			at++;
	}
	if (!s->total)
		return fmp_error_set(err, FMP_ERR_SYNTAX, "mix: nothing to send");
	return 0;
}

enum flood_kind flood_scenario_next(struct flood_scenario *s)
{
	unsigned best = FLOOD_KINDS;
	unsigned k;

	for (k = 0; k < FLOOD_KINDS; k++) {
		if (!s->weight[k])
			continue;
		s->credit[k] += s->weight[k];
		if (best == FLOOD_KINDS || s->credit[k] > s->credit[best])
			best = k;
	}
	s->credit[best] -= (int64_t)s->total;
	return (enum flood_kind)best;
}
