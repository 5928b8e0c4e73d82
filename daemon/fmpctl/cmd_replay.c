// SPDX-License-Identifier: GPL-2.0
/* Replays a log under one policy or two, and prints their decisions. */
#include "lib/fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/dryrun.h>

#include "replay/pcap_reader.h"
#include "log/log_reader.h"
#include "replay/replay_text.h"
#include "lib/control_client.h"

enum {
	OPT_POLICY = 256,
	OPT_AGAINST,
	OPT_FORMAT,
	OPT_MAP,
	OPT_TIMELINE,
	OPT_PORT,
	OPT_LINK
};

#define PORT	  8080 /* default port of the gateway in captures */
#define LINKS_MAX 8

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "against", required_argument, NULL, OPT_AGAINST },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "map", required_argument, NULL, OPT_MAP },
	{ "timeline", no_argument, NULL, OPT_TIMELINE },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "link", required_argument, NULL, OPT_LINK },
	{ 0 },
};

static struct {
	const char *policy, *against;
	enum log_format format;
	struct access_map map;
	bool has_map, timeline;
	uint16_t port;
	struct fmp_addr links[LINKS_MAX];
	unsigned n_links;
} options = { .port = PORT };

static int parse_port(const char *arg)
{
	char *end;
	unsigned long n = strtoul(arg, &end, 10);

	if (*arg < '1' || *arg > '9' || *end || n > UINT16_MAX)
		return usage_error("replay", "--port takes 1 to 65535; not %s", arg);
	options.port = (uint16_t)n;
	return 0;
}

static int parse_link(const char *arg)
{
	struct fmp_addr prefix;
	int rc = parse_addr_argument("replay", arg, &prefix);

	if (rc)
		return rc;
	if (!fmp_addr_is_ip(&prefix))
		return usage_error("replay", "--link takes a prefix; not %s", arg);
	if (options.n_links == LINKS_MAX)
		return usage_error("replay", "--link at most %u times", LINKS_MAX);
	options.links[options.n_links++] = prefix;
	return 0;
}

static int parse_option(int c, const char *arg)
{
	char hint[SUGGESTION_MAX];

	switch (c) {
	case OPT_POLICY:
		options.policy = arg;
		return 0;
	case OPT_AGAINST:
		options.against = arg;
		return 0;
	case OPT_FORMAT:
		if (log_format_parse(arg, &options.format))
			return usage_error("replay",
					   "--format takes auto, timeline, watch, access or pcap; "
					   "not %s%s",
					   arg, suggest_value(arg, "format", hint));
		return 0;
	case OPT_TIMELINE:
		options.timeline = true;
		return 0;
	case OPT_PORT:
		return parse_port(arg);
	case OPT_LINK:
		return parse_link(arg);
	default:
		if (!options.has_map)
			access_map_default(&options.map);
		options.has_map = true;
		if (access_map_add(&options.map, arg))
			return usage_error("replay",
					   "--map takes such as 404=http, 4xx=none; not %s", arg);
		return 0;
	}
}

/* Both runs read the same lines, side by side. */
struct runs {
	struct fmp_policy *policy[2];
	struct fmp_dryrun *run[2];
	unsigned n;
	struct pcap_reader *capture; /* NULL: none read yet */
};

static int play_line(const char *text, size_t len, void *ctx, struct fmp_error *err)
{
	struct runs *r = ctx;
	int rc = 0;

	for (unsigned i = 0; i < r->n && !rc; i++)
		rc = fmp_dryrun_line(r->run[i], text, len, err);
	return rc;
}

static int open_capture(struct runs *r, struct fmp_error *err)
{
	int rc = pcap_reader_new(r->policy[0], options.port, &r->capture, err);

	for (unsigned i = 0; !rc && i < options.n_links; i++)
		rc = pcap_reader_add_link(r->capture, &options.links[i]);
	return rc;
}

/* Captured requests are evaluated once, by the gateway of the first policy, for both runs. */
static int read_capture(struct log_reader *reader, FILE *f, const char *file, struct fmp_error *err)
{
	struct runs *r = reader->ctx;
	int rc = 0;

	if (!r->policy[0])
		rc = fmp_error_set(err, FMP_ERR_IO,
				   "%s is a capture, which is evaluated by the gateway of a "
				   "policy: give --policy",
				   file);
	else if (!r->capture)
		rc = open_capture(r, err);
	if (!rc)
		return pcap_reader_read(r->capture, f, file, reader, err);
	if (f != stdin)
		fclose(f);
	return rc;
}

static int print_line(const char *text, size_t len, void *ctx, struct fmp_error *err)
{
	fwrite(text, 1, len, stdout);
	putchar('\n');
	return 0;
}

static void runs_free(struct runs *r)
{
	pcap_reader_free(r->capture);
	for (unsigned i = 0; i < 2; i++) {
		fmp_dryrun_free(r->run[i]);
		fmp_policy_free(r->policy[i]);
	}
}

static int runs_new(struct runs *r, const char *log, struct fmp_error *err)
{
	const char *const files[] = { options.policy, options.against };
	int rc = 0;

	r->n = options.against ? 2 : 1;
	for (unsigned i = 0; i < r->n && !rc; i++) {
		rc = fmp_policy_load(files[i], NULL, &r->policy[i], err);
		if (!rc)
			rc = fmp_dryrun_new(r->policy[i], log, &r->run[i], err);
	}
	return rc;
}

static int read_all(struct log_reader *reader, int argc, char **argv, struct fmp_error *err)
{
	int rc = 0;

	for (int i = 0; i < argc && !rc; i++)
		rc = log_read(reader, argv[i], err);
	return rc;
}

static int exit_code_of(int rc)
{
	return rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED;
}

static int run_timeline(const struct ctl *ctl, struct log_reader *reader, struct runs *r, int argc,
			char **argv)
{
	struct fmp_error err;
	int rc;

	reader->line = print_line;
	if (options.policy && fmp_policy_load(options.policy, NULL, &r->policy[0], &err))
		return control_print_error(ctl, EXIT_USAGE, &err);
	rc = read_all(reader, argc, argv, &err);
	return rc ? control_print_error(ctl, exit_code_of(rc), &err) : EXIT_OK;
}

static int run_policies(const struct ctl *ctl, struct log_reader *reader, struct runs *r, int argc,
			char **argv)
{
	struct pcap_counts counts = { 0 };
	struct fmp_error err;
	int rc;

	reader->line = play_line;
	if (runs_new(r, argv[0], &err))
		return control_print_error(ctl, EXIT_USAGE, &err);
	rc = read_all(reader, argc, argv, &err);
	if (rc)
		return control_print_error(ctl, exit_code_of(rc), &err);
	if (r->capture)
		pcap_reader_finish(r->capture, &counts);
	return replay_print(ctl, reader, &counts, &(struct replay_side){ r->policy[0], r->run[0] },
			    r->n == 2 ? &(struct replay_side){ r->policy[1], r->run[1] } : NULL);
}

static int run_replay(const struct ctl *ctl, int argc, char **argv)
{
	struct runs r = { 0 };
	struct log_reader reader = {
		.format = options.format, .map = options.map, .capture = read_capture, .ctx = &r
	};
	int rc;

	if (!argc)
		return usage_error("replay", "takes one or more logs");
	if (!options.timeline && !options.policy)
		return usage_error("replay", "needs --policy");
	if (!options.has_map)
		access_map_default(&reader.map);
	rc = (options.timeline ? run_timeline : run_policies)(ctl, &reader, &r, argc, argv);
	runs_free(&r);
	return rc;
}

const struct command cmd_replay = {
	.name = "replay",
	.args = "--policy P [--against P2] [--format F] [--map STATUS=KIND]... [--port N] [--link PREFIX]... [--json] LOG...\n"
		"       fmpctl replay --timeline [--policy P] [--format F] [--map STATUS=KIND]... [--port N] [--link PREFIX]... LOG...",
	.summary = "replay a log under a policy, and print its decisions",
	.help = "  --policy P       the policy\n"
		"  --against P2     a second policy: print the sources that the two treat differently\n"
		"  --format F       timeline, watch (of fmpctl --json watch), access (of a Web server\n"
		"                   or the gateway), pcap (packets, also pcapng), auto (the default: by\n"
		"                   the first bytes)\n"
		"  --map S=K        event kind for an HTTP status: 404=http, 4xx=none\n"
		"  --port N         in captures: the port of the gateway (8080)\n"
		"  --link PREFIX    in captures: its hosts are on-link, with MACs of their own\n"
		"  --timeline       print the log as a timeline; only captures need the policy\n\n"
		"Needs no fmpd and changes nothing. Requests in captured connections to the port are read,\n"
		"evaluated and decided upon as gateway and fmpd would under P. Messages of a blocked source\n"
		"count as kept out, good ones among them as lost. - is standard input; several logs are\n"
		"read as one, in the order given. fmpctl(8) describes the language of timelines.\n"
		"Exit status: 0 done, 1 a log does not parse, 2 a file or an option can't be used.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_replay,
};
