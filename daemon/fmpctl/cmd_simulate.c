// SPDX-License-Identifier: GPL-2.0
/* Simulates an attack under a policy, and prints or draws its course. */
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log/simulate.h"
#include "log/simulate_plot.h"
#include "lib/control_client.h"
#include "lib/text.h"

/* Number of samples shown, beside those at decisions. */
#define SHOWN 20

enum {
	OPT_POLICY = 256,
	OPT_KIND,
	OPT_EVERY,
	OPT_FOR,
	OPT_AFTER,
	OPT_GOOD,
	OPT_SOURCES,
	OPT_SOURCE,
	OPT_MAC,
	OPT_OWN,
	OPT_CPU,
	OPT_PORT,
	OPT_SERVICE,
	OPT_PLOT
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "kind", required_argument, NULL, OPT_KIND },
	{ "every", required_argument, NULL, OPT_EVERY },
	{ "for", required_argument, NULL, OPT_FOR },
	{ "after", required_argument, NULL, OPT_AFTER },
	{ "good", required_argument, NULL, OPT_GOOD },
	{ "sources", required_argument, NULL, OPT_SOURCES },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "mac", required_argument, NULL, OPT_MAC },
	{ "own", required_argument, NULL, OPT_OWN },
	{ "cpu", required_argument, NULL, OPT_CPU },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "service", required_argument, NULL, OPT_SERVICE },
	{ "plot", required_argument, NULL, OPT_PLOT },
	{ 0 },
};

static const struct column columns[] = {
	{ FMP_F_AT_MS, NULL },	   { FMP_F_STATE, NULL },	 { FMP_F_RANK, NULL },
	{ FMP_F_EVENTS, "Bad" },   { FMP_F_GOOD, NULL },	 { FMP_F_KEPT_OUT, NULL },
	{ FMP_F_GOOD_LOST, NULL }, { FMP_F_ACTION, "Decision" }, { FMP_F_RATE, NULL },
	{ FMP_F_DEST_PORT, NULL }, { FMP_F_DURATION_MS, "For" }, { FMP_F_MAC, NULL },
	{ FMP_F_PAIR_MAC, NULL },  { FMP_F_REASON, NULL },
};

static struct {
	const char *policy, *plot;
	struct attack attack;
} options = { .attack = { .kind = FMP_EVENT_SCHEMA,
			  .addr = { .family = FMP_FAMILY_IPV4,
				    .prefix_len = 32,
				    .bytes = { 192, 0, 2, 1 } },
			  .sources = 1,
			  .every_ms = 1000,
			  .for_ms = 600000 } };

static int parse_duration(const char *name, const char *arg, uint64_t min, uint64_t *out)
{
	if (fmp_duration_parse(arg, out) || *out < min || *out > UINT64_C(1) << 40)
		return usage_error("simulate",
				   "--%s takes a duration such as 500ms, 10s, 2h; not %s", name,
				   arg);
	return 0;
}

static int parse_number(const char *name, const char *arg, uint64_t min, uint64_t max,
			uint64_t *out)
{
	char *end;

	*out = strtoull(arg, &end, 10);
	if (*arg < '0' || *arg > '9' || *end || *out < min || *out > max)
		return usage_error("simulate",
				   "--%s takes a number from %" PRIu64 " to %" PRIu64 "; not %s",
				   name, min, max, arg);
	return 0;
}

static int parse_mac(const char *arg)
{
	int rc = parse_addr_argument("simulate", arg, &options.attack.mac);

	if (!rc && options.attack.mac.family != FMP_FAMILY_MAC)
		return usage_error("simulate", "--mac takes a MAC; not %s", arg);
	return rc;
}

static int parse_source(const char *name, const char *arg, struct fmp_addr *a)
{
	int rc = parse_addr_argument("simulate", arg, a);

	if (rc)
		return rc;
	if (!fmp_addr_is_ip(a) || a->prefix_len != fmp_addr_max_prefix(a->family))
		return usage_error("simulate", "--%s takes an IP address; not %s", name, arg);
	return 0;
}

static int parse_option(int c, const char *arg)
{
	struct attack *a = &options.attack;
	char hint[SUGGESTION_MAX];
	uint64_t good, port;
	int rc;

	switch (c) {
	case OPT_POLICY:
		options.policy = arg;
		return 0;
	case OPT_KIND:
		if (fmp_event_kind_parse(arg, &a->kind))
			return usage_error("simulate", "--kind takes a kind of event; not %s%s",
					   arg, suggest_kind(arg, hint));
		return 0;
	case OPT_EVERY:
		return parse_duration("every", arg, 1, &a->every_ms);
	case OPT_FOR:
		return parse_duration("for", arg, 1, &a->for_ms);
	case OPT_AFTER:
		return parse_duration("after", arg, 0, &a->after_ms);
	case OPT_CPU:
		return parse_duration("cpu", arg, 0, &a->cpu_ms);
	case OPT_GOOD:
		rc = parse_number("good", arg, 0, 100, &good);
		a->good = (unsigned)good;
		return rc;
	case OPT_PORT:
		rc = parse_number("port", arg, 1, UINT16_MAX, &port);
		a->port = (uint16_t)port;
		return rc;
	case OPT_SERVICE:
		a->service = arg;
		return 0;
	case OPT_SOURCES:
		return parse_number("sources", arg, 1, 100000, &a->sources);
	case OPT_SOURCE:
		return parse_source("source", arg, &a->addr);
	case OPT_OWN:
		return parse_source("own", arg, &a->own);
	case OPT_MAC:
		return parse_mac(arg);
	default:
		options.plot = arg;
		return 0;
	}
}

/* Return: the block that begins at a sample; NULL: a block ends there. */
static const struct fmp_dryrun_block *find_block(const struct simulation *s, const struct sample *x)
{
	const struct fmp_dryrun_block *b;
	size_t n;

	b = fmp_dryrun_blocks(s->run, &n);
	for (size_t i = 0; i < n && x->decision_id; i++)
		if (b[i].id == x->decision_id)
			return &b[i];
	return NULL;
}

static void set_decision(const struct simulation *s, const struct sample *x, struct record *r)
{
	const struct fmp_dryrun_block *b = find_block(s, x);

	record_set_text(r, FMP_F_ACTION, b ? fmp_action_kind_name(b->action_kind) : "unblock");
	if (!b)
		return;
	record_set_number(r, FMP_F_DURATION_MS,
			  b->until_ms == UINT64_MAX ? 0 : b->until_ms - b->from_ms);
	if (b->mac.family)
		record_set_addr(r, FMP_F_MAC, &b->mac);
	else if (b->mac_veto != FMP_MAC_OK)
		record_set_text(r, FMP_F_MAC_VETO, fmp_mac_veto_text(b->mac_veto));
	if (b->pair_mac.family)
		record_set_addr(r, FMP_F_PAIR_MAC, &b->pair_mac);
	if (b->rate)
		record_set_number(r, FMP_F_RATE, b->rate);
	if (b->dest_port)
		record_set_number(r, FMP_F_DEST_PORT, b->dest_port);
	record_set_text(r, FMP_F_REASON, b->reason);
}

static int add_sample(const struct simulation *s, const struct sample *x, struct records *l)
{
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	record_set_text(&r, FMP_F_RECORD, "sample");
	record_set_number(&r, FMP_F_AT_MS, x->at_ms);
	record_set_text(&r, FMP_F_STATE, fmp_source_state_name(x->state));
	record_set_number(&r, FMP_F_RANK, x->rank);
	record_set_number(&r, FMP_F_EVENTS, x->bad);
	record_set_number(&r, FMP_F_GOOD, x->good);
	record_set_number(&r, FMP_F_KEPT_OUT, x->kept_out);
	record_set_number(&r, FMP_F_GOOD_LOST, x->good_lost);
	if (x->decided)
		set_decision(s, x, &r);
	return records_add(l, &r);
}

static int print_samples(const struct ctl *ctl, const struct simulation *s)
{
	uint64_t end = s->samples[s->n - 1].at_ms, next = 0;
	struct records l = { 0 };
	int rc = 0;

	for (size_t i = 0; i < s->n && !rc; i++) {
		const struct sample *x = &s->samples[i];

		if (!x->decided && x->at_ms < next && i + 1 < s->n)
			continue;
		rc = add_sample(s, x, &l);
		if (x->at_ms >= next)
			next = x->at_ms + end / SHOWN;
	}
	if (!rc && ctl->json)
		print_json(&l);
	else if (!rc)
		text_table(&l, "sample", columns, sizeof(columns) / sizeof(columns[0]), "");
	records_free(&l);
	return rc;
}

static int draw_plot(const struct fmp_policy *policy, const struct simulation *s, bool json,
		     struct fmp_error *err)
{
	int rc = strcmp(options.plot, "-") ? plot_file(policy, s, options.plot, err) : 0;

	if (rc == FMP_ERR_UNSUPPORTED && !json) {
		fprintf(stderr, "fmpctl: %s: drawn here instead\n", err->message);
		rc = 0;
	} else if (rc || strcmp(options.plot, "-") || json) {
		return rc;
	}
	putchar('\n');
	plot_text(policy, s, text_width());
	return rc;
}

/* Refuse names that the policy lacks: overrides only match its own services. */
static int check_service(const struct fmp_policy *p, struct fmp_error *err)
{
	const char *service = options.attack.service;
	char names[200] = "";
	size_t len = 0;

	for (size_t i = 0; service && i < p->n_services; i++) {
		if (!strcmp(p->services[i].name, service))
			return 0;
		if (len < sizeof(names))
			len += (size_t)snprintf(names + len, sizeof(names) - len, "%s%s",
						i ? ", " : "", p->services[i].name);
	}
	return !service ? 0
			: fmp_error_set(err, FMP_ERR_NOTFOUND,
					"--service %.31s is none of %s's services (%s)", service,
					options.policy, *names ? names : "it has none");
}

static int run_simulate(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_policy *policy;
	struct simulation s;
	struct fmp_error err;
	int rc;

	if (argc)
		return usage_error("simulate", "unexpected argument %s", argv[0]);
	if (!options.policy)
		return usage_error("simulate", "needs --policy");
	if (fmp_policy_load(options.policy, NULL, &policy, &err))
		return control_print_error(ctl, EXIT_USAGE, &err);
	rc = check_service(policy, &err);
	if (!rc)
		rc = simulate(policy, &options.attack, &s, &err);
	if (rc) {
		rc = control_print_error(
			ctl,
			rc == FMP_ERR_LIMIT || rc == FMP_ERR_NOTFOUND ? EXIT_USAGE : EXIT_REFUSED,
			&err);
	} else {
		rc = print_samples(ctl, &s);
		if (rc)
			fmp_error_set(&err, FMP_ERR_NOMEM, "no memory");
		else if (options.plot)
			rc = draw_plot(policy, &s, ctl->json, &err);
		if (rc)
			rc = control_print_error(&(struct ctl){ 0 }, EXIT_REFUSED, &err);
		simulation_free(&s);
	}
	fmp_policy_free(policy);
	return rc;
}

const struct command cmd_simulate = {
	.name = "simulate",
	.args = "--policy P [--kind K] [--every D] [--for D] [--after D] [--good N]\n"
		"                       [--sources N] [--source ADDR] [--mac MAC] [--own ADDR] [--cpu D]\n"
		"                       [--port N] [--service NAME] [--plot FILE] [--json]",
	.summary = "simulate an attack under a policy",
	.help = "  --policy P     the policy\n"
		"  --kind K       kind of the bad messages (schema)\n"
		"  --every D      time between two messages of a source (1s)\n"
		"  --for D        duration of the attack (10min)\n"
		"  --after D      time simulated after it (0)\n"
		"  --good N       percentage of good messages (0)\n"
		"  --sources N    number of sources, each with its own address (1)\n"
		"  --source ADDR  address of the first one (192.0.2.1)\n"
		"  --mac MAC      of all sources\n"
		"  --own ADDR     of this machine: sources in its IPv6 prefix are judged one by one, and\n"
		"                 together by their MAC\n"
		"  --cpu D        CPU time of a bad message (0)\n"
		"  --port N       destination port, as <override port=...> matches it\n"
		"  --service NAME service of the policy\n"
		"  --plot FILE    FILE.svg or FILE.png by gnuplot; without gnuplot, and for -, in\n"
		"                 characters\n\n"
		"Needs no fmpd. Rank and state are of the first source, counts of all sources.\n",
	.options = long_options,
	.option = parse_option,
	.run = run_simulate,
};
