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

/* What is proposed as the policy, and how. */
struct outcome {
	const struct learned *seen;
	const struct proposal *limits;
	const struct fmp_policy *policy; /* with the proposal */
	struct findings found;
};

static void print_findings(FILE *out, const struct findings *found)
{
	for (unsigned i = 0; i < found->n; i++) {
		const struct finding *f = &found->v[i];

		/* No comment may hold two hyphens. */
		if (f->name && strstr(f->name, "--"))
			continue;
		fprintf(out, "\n     %s: %s%s%s ",
			*finding_reason(f->state) ? "Not proposed" : "Proposed", f->service,
			*f->service ? ": " : "", f->setting);
		if (f->name)
			fprintf(out, "%s, of %zu of %zu sources", f->name, f->sources, f->of);
		else
			fprintf(out, "%" PRIu64 ", above what %zu sources sent", f->value,
				f->sources);
		fprintf(out, "%s%s.", *finding_reason(f->state) ? ": " : "",
			finding_reason(f->state));
	}
}

static void print_comment(FILE *out, const struct outcome *o, const char *where)
{
	const struct learned *seen = o->seen;
	char addr[FMP_ADDR_STRLEN] = "no source";

	if (seen->peak)
		fmp_addr_format(&seen->peak_source, addr, sizeof(addr));
	fprintf(out,
		"<!-- Learned from %" PRIu64 " good and %" PRIu64 " bad messages of %" PRIu64
		" sources, with a margin of %" PRIu32 "%%.\n"
		"     Highest rank: %" PRIu32 ", %s.",
		seen->good, seen->bad, seen->sources, options.margin, seen->peak, addr);
	if (seen->bytes)
		fprintf(out, " Largest good message: %" PRIu32 " bytes.", seen->bytes);
	if (seen->left_out)
		fprintf(out, "\n     Left out: %" PRIu64 " sources that sent nothing good.",
			seen->left_out);
	print_findings(out, &o->found);
	fprintf(out, "\n     %s -->\n", where);
}

static void print_derived(FILE *out, const struct outcome *o)
{
	const struct proposal *p = o->limits;
	char base[32];

	policy_base_name(options.policy, base, sizeof(base));
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	print_comment(out, o,
		      *base ? "Keep it beside its base."
			    : "It needs the ranks of the policy it was learned with.");
	fputs("<policy xmlns=\"urn:fmp:policy:1\" name=\"learned\"", out);
	if (*base)
		fprintf(out, " base=\"%s\"", base);
	fprintf(out, ">\n  <suspicion suspicious=\"%" PRIu32 "\" malicious=\"%" PRIu32 "\"/>\n",
		p->suspicious, p->malicious);
	if (p->body_bytes)
		fprintf(out, "  <gateway><limits body=\"%" PRIu32 "KiB\"/></gateway>\n",
			p->body_bytes / 1024);
	fputs("</policy>\n", out);
}

struct whole {
	FILE *out;
	const struct outcome *outcome;
};

static int print_line(const char *text, void *ctx)
{
	const struct whole *w = ctx;

	fprintf(w->out, "%s\n", text);
	if (!strncmp(text, "<?xml", 5))
		print_comment(w->out, w->outcome, "It is the whole policy: no base is needed.");
	return 0;
}

/*
 * <headers> and <fields> replace what they inherit, and a policy can't change the services of its base: a proposal for these
 * is the whole policy. Return: the text, for free(); NULL without memory.
 */
static char *format_policy(const struct outcome *o)
{
	char *text = NULL;
	size_t len;
	struct whole w = { .out = open_memstream(&text, &len), .outcome = o };
	int rc = 0;

	if (!w.out)
		return NULL;
	if (o->found.proposed)
		rc = fmp_policy_print(o->policy, print_line, &w);
	else
		print_derived(w.out, o);
	if (fclose(w.out) || rc) {
		free(text);
		return NULL;
	}
	return text;
}

static int add_learned(struct records *l, const struct outcome *o, const char *text)
{
	const struct learned *seen = o->seen;
	const struct proposal *p = o->limits;
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
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
	record_set_text(&r, FMP_F_VALUE, text);
	return records_add(l, &r);
}

static int add_observed(struct records *l, const struct finding *f)
{
	struct record r;
	char value[24];

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	snprintf(value, sizeof(value), "%" PRIu64, f->value);
	record_set_text(&r, FMP_F_RECORD, "observed");
	if (*f->service)
		record_set_text(&r, FMP_F_SERVICE, f->service);
	record_set_text(&r, FMP_F_NAME, f->setting);
	record_set_text(&r, FMP_F_VALUE, f->name ? f->name : value);
	record_set_number(&r, FMP_F_SOURCES, f->sources);
	record_set_text(&r, FMP_F_STATE, finding_state_name(f->state));
	if (*finding_reason(f->state))
		record_set_text(&r, FMP_F_REASON, finding_reason(f->state));
	return records_add(l, &r);
}

static int print_records(const struct outcome *o, const char *text)
{
	struct records l = { 0 };
	int rc = add_learned(&l, o, text);

	for (unsigned i = 0; i < o->found.n && !rc; i++)
		rc = add_observed(&l, &o->found.v[i]);
	if (!rc)
		print_json(&l);
	records_free(&l);
	return rc;
}

static int print_outcome(const struct ctl *ctl, const struct outcome *o)
{
	char *text = format_policy(o);
	int rc = text ? 0 : FMP_ERR_NOMEM;

	if (!rc && ctl->json)
		rc = print_records(o, text);
	else if (!rc)
		fputs(text, stdout);
	free(text);
	return rc;
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
	struct fmp_policy with = *policy; /* a shallow copy */
	struct fmp_policy_service *services = NULL;
	struct fmp_error err;
	struct proposal p;
	struct learned seen;
	struct outcome o = { .seen = &seen, .limits = &p, .policy = &with };
	int rc;

	learn_get(l, &seen);
	p = learn_propose(policy, &seen, options.margin);
	if (!p.malicious) {
		fmp_error_set(&err, FMP_ERR_NOTFOUND, "there are no messages to learn from");
		return control_print_error(ctl, EXIT_REFUSED, &err);
	}
	warn_if_few(&seen);
	if (check_thresholds(policy, &p, &err))
		return control_print_error(ctl, EXIT_REFUSED, &err);
	snprintf(with.name, sizeof(with.name), "learned");
	with.suspicion.suspicious = p.suspicious;
	with.suspicion.malicious = p.malicious;
	if (p.body_bytes)
		with.gateway.limits.body_bytes = p.body_bytes;
	rc = learn_propose_gateway(l, options.margin, &with, &services, &o.found);
	if (!rc)
		rc = print_outcome(ctl, &o);
	free(services);
	if (!rc)
		return EXIT_OK;
	fmp_error_set(&err, (enum fmp_code)rc, "no memory");
	return control_print_error(ctl, EXIT_REFUSED, &err);
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
		"Sources without a good message do not count. Fewer than 1000 messages cause a warning.\n"
		"Of a gateway that observes it also proposes header blocks and fields that several sources\n"
		"sent and that did not reach the service.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_learn,
};
