// SPDX-License-Identifier: GPL-2.0
#include "apf_rules.h"

#include <stdlib.h>
#include <string.h>

#include "control_client.h"
#include "list_file.h"

static int add_rule(struct apf_rules *l, const struct fmp_apf_rule *rule)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 256;
		struct fmp_apf_rule *more = reallocarray(l->v, cap, sizeof(*more));

		if (!more)
			return FMP_ERR_NOMEM;
		l->v = more;
		l->cap = cap;
	}
	l->v[l->n++] = *rule;
	return 0;
}

void apf_rules_free(struct apf_rules *l)
{
	free(l->v);
	*l = (struct apf_rules){ 0 };
}

/* Round down, so that no block lasts too long; but not to 0, which means without end. */
static uint32_t whole_seconds(uint64_t ms)
{
	if (ms >= UINT32_MAX * 1000ull)
		return UINT32_MAX;
	return ms >= 1000 ? (uint32_t)(ms / 1000) : 1;
}

static uint32_t seconds_left(const struct record *r, uint16_t field)
{
	return record_has(r, field) ? whole_seconds(record_number(r, field)) : 0;
}

static int add_decision(struct apf_rules *l, const struct record *r)
{
	struct fmp_apf_rule rule = { .addr = *record_addr(r, FMP_F_ADDR),
				     .pair_mac = *record_addr(r, FMP_F_PAIR_MAC),
				     .left_s = seconds_left(r, FMP_F_LEFT_MS) };
	int rc;

	if (record_number(r, FMP_F_OBSERVE)) {
		l->observed++;
		return 0;
	}
	if (strcmp(record_string(r, FMP_F_MEASURE), "block") != 0 ||
	    record_has(r, FMP_F_DEST_PORT)) {
		l->narrowed++;
		return 0;
	}
	rc = add_rule(l, &rule);
	if (rc || rule.pair_mac.family || !record_has(r, FMP_F_MAC))
		return rc;
	rule.addr = *record_addr(r, FMP_F_MAC);
	if (record_has(r, FMP_F_MAC_LEFT_MS))
		rule.left_s = seconds_left(r, FMP_F_MAC_LEFT_MS);
	return add_rule(l, &rule);
}

static int on_record(struct record *r, void *ctx)
{
	struct apf_rules *l = ctx;
	int rc = 0;

	if (record_is(r, "decision")) {
		rc = add_decision(l, r);
	} else if (record_is(r, "protected")) {
		const struct fmp_apf_rule rule = { .addr = *record_addr(r, FMP_F_ADDR),
						   .protect = true };

		rc = add_rule(l, &rule);
	}
	record_free(r);
	return rc;
}

int apf_rules_of_fmpd(const struct ctl *ctl, struct apf_rules *l)
{
	struct control_request req;
	int rc;

	/* What is protected comes first: a list of blocks without it would be wrong. */
	control_request_begin(&req, FMP_CTL_PROTECT_LIST);
	rc = control_stream(ctl, &req, on_record, l);
	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_DECISIONS);
	return control_stream(ctl, &req, on_record, l);
}

int apf_rules_of_file(const struct ctl *ctl, struct apf_rules *l, const char *file, bool protect)
{
	struct fmp_blocklist list = { 0 };
	struct fmp_error err = { 0 };
	int rc = list_file_load(&list, file, &err);

	for (size_t i = 0; !rc && i < list.n; i++) {
		struct fmp_apf_rule rule = { .addr = list.addr[i], .protect = protect };

		if (!protect && list.ms[i] && list.ms[i] != FMP_BLOCKLIST_NO_TIME)
			rule.left_s = whole_seconds(list.ms[i]);
		rc = add_rule(l, &rule);
		if (rc)
			fmp_error_set(&err, FMP_ERR_NOMEM, "out of memory");
	}
	fmp_blocklist_free(&list);
	if (!rc)
		return EXIT_OK;
	return control_print_error(
		ctl, rc == FMP_ERR_SYNTAX || rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED, &err);
}
