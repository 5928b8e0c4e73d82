// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <stdio.h>
#include <string.h>

#include "lib/control_client.h"
#include "lib/text.h"

static const struct column columns[] = {
	{ FMP_F_NAME, "Counter" },
	{ FMP_F_COUNT, NULL },
};

/* Format "layer/ip/dropped": kind of the record, its own name, field. */
static void format_name(const struct record *r, const char *field, char *buf, size_t size)
{
	const char *which = record_is(r, "device") ? record_string(r, FMP_F_NAME)
			    : record_is(r, "step") ? record_string(r, FMP_F_STEP)
						   : record_string(r, FMP_F_LAYER);

	snprintf(buf, size, "%s/%s%s%s", record_string(r, FMP_F_RECORD), which, *which ? "/" : "",
		 field);
}

static int add_counters(const struct record *r, struct records *out)
{
	const struct fmp_ctl_field_info *info;
	struct record counter;
	char name[128];

	for (uint16_t id = 1; id < FMP_F_MAX; id++) {
		info = fmp_ctl_field_info(id);
		if (!record_has(r, id) || (info->type != FMP_V_U64 && info->type != FMP_V_BYTES) ||
		    id == FMP_F_PID)
			continue;
		if (record_new(&counter))
			return FMP_ERR_NOMEM;
		format_name(r, info->name, name, sizeof(name));
		record_set_text(&counter, FMP_F_RECORD, "counter");
		record_set_text(&counter, FMP_F_NAME, name);
		record_set_number(&counter, FMP_F_COUNT, record_number(r, id));
		if (records_add(out, &counter))
			return FMP_ERR_NOMEM;
	}
	return 0;
}

static int run_stats(const struct ctl *ctl, int argc, char **argv)
{
	struct records l, counters = { 0 };
	struct control_request req;
	int rc;

	if (argc)
		return usage_error("stats", "unexpected argument %s", argv[0]);
	control_request_begin(&req, FMP_CTL_STATUS);
	rc = control_call(ctl, &req, &l);
	for (size_t i = 0; i < l.n && !rc; i++)
		if (add_counters(&l.r[i], &counters))
			rc = EXIT_PARTLY;
	if (ctl->json && counters.n)
		print_json(&counters);
	else if (!ctl->json)
		text_table(&counters, "counter", columns, sizeof(columns) / sizeof(columns[0]), "");
	records_free(&counters);
	records_free(&l);
	return rc;
}

const struct command cmd_stats = {
	.name = "stats",
	.args = "",
	.summary = "all counters, one a line",
	.help = "The content of status as names and numbers: of fmpd, layers, devices, the gateway and its\n"
		"steps. Most count since the start of fmpd; those of the module since it was loaded.\n",
	.run = run_stats,
};
