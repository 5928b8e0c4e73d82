// SPDX-License-Identifier: GPL-2.0
/* Proposes thresholds and limits from a period of good traffic. */
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/policy_settings.h>

#include "log/learn.h"
#include "log/learn_live.h"
#include "log/log_reader.h"
#include "lib/control_client.h"

/* Fewer messages cause a warning. */
#define MESSAGES_MIN 1000u

enum {
	OPT_POLICY = 256,
	OPT_DURATION,
	OPT_MARGIN,
	OPT_FORMAT,
	OPT_MAP
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "margin", required_argument, NULL, OPT_MARGIN },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "map", required_argument, NULL, OPT_MAP },
	{ 0 },
};

static struct {
	const char *policy;
	uint64_t duration_ms;
	uint32_t margin;
	struct log_reader reader;
	bool has_map;
} options = { .margin = 150 };

static int parse_map(const char *arg)
{
	if (!options.has_map)
		access_map_default(&options.reader.map);
	options.has_map = true;
	if (access_map_add(&options.reader.map, arg))
		return usage_error("learn", "--map takes such as 404=http, 4xx=none; not %s", arg);
	return 0;
}

static int parse_option(int c, const char *arg)
{
	char *end, hint[SUGGESTION_MAX];

	switch (c) {
	case OPT_POLICY:
		options.policy = arg;
		return 0;
	case OPT_DURATION:
		if (fmp_duration_parse(arg, &options.duration_ms) || !options.duration_ms ||
		    options.duration_ms > UINT64_C(1) << 40)
			return usage_error("learn", "--duration takes such as 10min, 1d; not %s",
					   arg);
		return 0;
	case OPT_MARGIN:
		options.margin = (uint32_t)strtoul(arg, &end, 10);
		if (*arg < '1' || *arg > '9' || (*end && strcmp(end, "%") != 0) ||
		    strlen(arg) > 5 || options.margin < 100)
			return usage_error("learn", "--margin takes 100%% or more; not %s", arg);
		return 0;
	case OPT_FORMAT:
		if (log_format_parse(arg, &options.reader.format))
			return usage_error(
				"learn", "--format takes auto, timeline, watch or access; not %s%s",
				arg, suggest_value(arg, "format", hint));
		return 0;
	default:
		return parse_map(arg);
	}
}

static int on_line(const char *text, size_t len, void *ctx, struct fmp_error *err)
{
	return learn_line(ctx, text, len, err);
}

static int read_logs(struct learn *l, int argc, char **argv, struct fmp_error *err)
{
	int rc = 0;

	if (!options.has_map)
		access_map_default(&options.reader.map);
	options.reader.line = on_line;
	options.reader.ctx = l;
	for (int i = 0; i < argc && !rc; i++)
		rc = log_read(&options.reader, argv[i], err);
	return rc;
}

/* The name by which another policy in the same folder can use this one as its base; "": none. */
static void policy_base_name(const char *file, char *base, size_t size)
{
	const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
	size_t n = strlen(name);

	*base = '\0';
	/* The characters that a base may have. */
	if (n > 4 && n - 4 < size && !strcmp(name + n - 4, ".xml") &&
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == n)
		snprintf(base, size, "%.*s", (int)(n - 4), name);
}

static void print_policy(const struct learned *seen, const struct proposal *p)
{
	char base[32], addr[FMP_ADDR_STRLEN] = "no source";

	policy_base_name(options.policy, base, sizeof(base));
	if (seen->peak)
		fmp_addr_format(&seen->peak_source, addr, sizeof(addr));
	printf("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	       "<!-- Learned from %" PRIu64 " good and %" PRIu64 " bad messages of %" PRIu64
	       " sources, with a margin of %" PRIu32 "%%.\n"
	       "     Highest rank: %" PRIu32 ", %s.",
	       seen->good, seen->bad, seen->sources, options.margin, seen->peak, addr);
	if (seen->bytes)
		printf(" Largest good message: %" PRIu32 " bytes.", seen->bytes);
	if (seen->left_out)
		printf("\n     Left out: %" PRIu64 " sources that sent nothing good.",
		       seen->left_out);
	printf("\n     %s -->\n<policy xmlns=\"urn:fmp:policy:1\" name=\"learned\"",
	       *base ? "Keep it beside its base."
		     : "It needs the ranks of the policy it was learned with.");
	if (*base)
		printf(" base=\"%s\"", base);
	printf(">\n  <suspicion suspicious=\"%" PRIu32 "\" malicious=\"%" PRIu32 "\"/>\n",
	       p->suspicious, p->malicious);
	if (p->body_bytes)
		printf("  <gateway><limits body=\"%" PRIu32 "KiB\"/></gateway>\n",
		       p->body_bytes / 1024);
	puts("</policy>");
}

static void print_record(const struct learned *seen, const struct proposal *p)
{
	struct record r;

	if (record_new(&r))
		return;
	record_set_text(&r, FMP_F_RECORD, "learned");
	record_set_number(&r, FMP_F_GOOD, seen->good);
	record_set_number(&r, FMP_F_EVENTS, seen->bad);
	record_set_number(&r, FMP_F_SOURCES, seen->sources);
	record_set_number(&r, FMP_F_LEFT_OUT, seen->left_out);
	record_set_number(&r, FMP_F_RANK, seen->peak);
	if (seen->peak)
		record_set_addr(&r, FMP_F_ADDR, &seen->peak_source);
	record_set_number(&r, FMP_F_SUSPICIOUS, p->suspicious);
	record_set_number(&r, FMP_F_MALICIOUS, p->malicious);
	if (p->body_bytes)
		record_set_number(&r, FMP_F_BYTES, p->body_bytes);
	print_json(&(struct records){ &r, 1, 1 });
	record_free(&r);
}

/* Check the new thresholds against the rest of the policy. Return: 0, FMP_ERR_CONFLICT. */
static int check_thresholds(const struct fmp_policy *policy, const struct proposal *p,
			    struct fmp_error *err)
{
	struct fmp_policy with = *policy; /* a shallow copy */
	struct fmp_positions *nowhere = calloc(1, sizeof(*nowhere));
	struct fmp_error why;
	int rc;

	if (!nowhere)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	with.suspicion.suspicious = p->suspicious;
	with.suspicion.malicious = p->malicious;
	rc = fmp_policy_check_rules(&with, nowhere, &why);
	free(nowhere);
	return rc ? fmp_error_set(err, (enum fmp_code)rc,
				  "suspicious=\"%u\" malicious=\"%u\" was learned, but does not go "
				  "with the rest of %s: %s",
				  p->suspicious, p->malicious, options.policy, why.message)
		  : 0;
}

/* A short period has low peaks: thresholds from them would block ordinary sources later. */
static void warn_if_few(const struct learned *seen)
{
	if (seen->good + seen->bad < MESSAGES_MIN)
		fprintf(stderr,
			"fmpctl: learned from %" PRIu64
			" messages only: below %u the thresholds say little about usual traffic; learn for "
			"longer, over a busy day at least\n",
			seen->good + seen->bad, MESSAGES_MIN);
}

static int propose_policy(const struct ctl *ctl, const struct fmp_policy *policy, struct learn *l)
{
	struct fmp_error err;
	struct proposal p;
	struct learned seen;

	learn_get(l, &seen);
	p = learn_propose(policy, &seen, options.margin);
	if (!p.malicious) {
		fmp_error_set(&err, FMP_ERR_NOTFOUND, "there are no messages to learn from");
		return control_print_error(ctl, EXIT_REFUSED, &err);
	}
	warn_if_few(&seen);
	if (check_thresholds(policy, &p, &err))
		return control_print_error(ctl, EXIT_REFUSED, &err);
	if (ctl->json)
		print_record(&seen, &p);
	else
		print_policy(&seen, &p);
	return EXIT_OK;
}

static int learn_from(const struct ctl *ctl, const struct fmp_policy *policy, int argc, char **argv)
{
	struct fmp_error err;
	struct learn *l;
	int rc = learn_new(policy, argc ? argv[0] : "fmpd", &l, &err);

	if (rc)
		return control_print_error(ctl, EXIT_REFUSED, &err);
	rc = argc ? read_logs(l, argc, argv, &err) : learn_live(ctl, l, options.duration_ms, &err);
	if (rc)
		rc = control_print_error(ctl,
					 rc == FMP_ERR_SYNTAX ? EXIT_REFUSED
					 : argc		      ? EXIT_USAGE
							      : EXIT_NO_DAEMON,
					 &err);
	else
		rc = propose_policy(ctl, policy, l);
	learn_free(l);
	return rc;
}

static int run_learn(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_policy *policy;
	struct fmp_error err;
	int rc;

	if (!options.policy)
		return usage_error("learn", "needs --policy");
	if (!argc == !options.duration_ms)
		return usage_error("learn", "takes logs, or --duration");
	if (fmp_policy_load(options.policy, NULL, &policy, &err))
		return control_print_error(ctl, EXIT_USAGE, &err);
	rc = learn_from(ctl, policy, argc, argv);
	fmp_policy_free(policy);
	return rc;
}

const struct command cmd_learn = {
	.name = "learn",
	.args = "--policy P [--margin 150%] (--duration D | [--format F] [--map S=K]... LOG...)",
	.summary = "propose thresholds and limits from a period of good traffic",
	.help = "  --policy P    the policy with ranks and half-life\n"
		"  --margin M    of the thresholds, above the traffic seen (150%)\n"
		"  --duration D  use the events of fmpd from now on, for this time\n"
		"  --format, --map, LOG  as for replay\n\n"
		"Prints a policy with P as its base, under which no source seen would have been suspicious.\n"
		"Sources without a good message do not count. Fewer than 1000 messages cause a warning.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_learn,
};
