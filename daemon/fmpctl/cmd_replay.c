// SPDX-License-Identifier: GPL-2.0
/* What would have been decided of a log, under one policy or two. */
#include "fmpctl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <fmp/dryrun.h>

#include "log_reader.h"
#include "replay_text.h"
#include "talk.h"

enum {
	OPT_POLICY = 256,
	OPT_AGAINST,
	OPT_FORMAT,
	OPT_MAP,
	OPT_TIMELINE
};

static const struct option options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "against", required_argument, NULL, OPT_AGAINST },
	{ "format", required_argument, NULL, OPT_FORMAT },
	{ "map", required_argument, NULL, OPT_MAP },
	{ "timeline", no_argument, NULL, OPT_TIMELINE },
	{ 0 },
};

static struct {
	const char *policy, *against;
	enum log_format format;
	struct access_map map;
	bool has_map, timeline;
} said;

static int option(int c, const char *arg)
{
	switch (c) {
	case OPT_POLICY:
		said.policy = arg;
		return 0;
	case OPT_AGAINST:
		said.against = arg;
		return 0;
	case OPT_FORMAT:
		if (log_format_parse(arg, &said.format))
			return usage_error("replay",
					   "--format takes auto, timeline, watch or access; not %s",
					   arg);
		return 0;
	case OPT_TIMELINE:
		said.timeline = true;
		return 0;
	default:
		if (!said.has_map)
			access_map_default(&said.map);
		said.has_map = true;
		if (access_map_add(&said.map, arg))
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
};

static int play(const char *text, size_t len, void *ctx, struct fmp_error *err)
{
	struct runs *r = ctx;
	int rc = 0;

	for (unsigned i = 0; i < r->n && !rc; i++)
		rc = fmp_dryrun_line(r->run[i], text, len, err);
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
	for (unsigned i = 0; i < 2; i++) {
		fmp_dryrun_free(r->run[i]);
		fmp_policy_free(r->policy[i]);
	}
}

static int runs_new(struct runs *r, const char *log, struct fmp_error *err)
{
	const char *const files[] = { said.policy, said.against };
	int rc = 0;

	r->n = said.against ? 2 : 1;
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

static int run(const struct ctl *ctl, int argc, char **argv)
{
	struct log_reader reader = { .format = said.format, .map = said.map };
	struct fmp_error err;
	struct runs r = { 0 };
	int rc;

	if (!argc)
		return usage_error("replay", "takes one or more logs");
	if (!said.has_map)
		access_map_default(&reader.map);
	if (said.timeline) {
		reader.line = print_line;
		rc = read_all(&reader, argc, argv, &err);
		return rc ? talk_error(ctl, rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED, &err)
			  : EXIT_OK;
	}
	if (!said.policy)
		return usage_error("replay", "needs --policy");
	reader.line = play;
	reader.ctx = &r;
	rc = runs_new(&r, argv[0], &err);
	if (rc) {
		rc = talk_error(ctl, EXIT_USAGE, &err);
	} else {
		rc = read_all(&reader, argc, argv, &err);
		if (rc)
			rc = talk_error(ctl, rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED, &err);
		else
			rc = replay_print(
				ctl, &reader, &(struct replay_side){ r.policy[0], r.run[0] },
				r.n == 2 ? &(struct replay_side){ r.policy[1], r.run[1] } : NULL);
	}
	runs_free(&r);
	return rc;
}

const struct command cmd_replay = {
	.name = "replay",
	.args = "--policy P [--against P2] [--format F] [--map STATUS=KIND]... [--json] LOG...\n"
		"       fmpctl replay --timeline [--format F] [--map STATUS=KIND]... LOG...",
	.summary = "what a policy would have decided of a log",
	.help = "  --policy P       the policy\n"
		"  --against P2     a second one: the sources that the two treat differently\n"
		"  --format F       timeline, watch (of fmpctl --json watch), access (of a Web server\n"
		"                   or the gateway), auto (the default: by the first line)\n"
		"  --map S=K        what an answer's status says of its client: 404=http, 4xx=none\n"
		"  --timeline       no policy: prints the log as a timeline\n\n"
		"Needs no fmpd and changes nothing. Messages of a source that would have been blocked\n"
		"count as kept out, the good ones among them as lost. - is standard input; several\n"
		"logs are read as one, in the order given. The timeline's language stands in fmpctl(8).\n"
		"Exit status: 0 done, 1 a log does not parse, 2 a file or an option can't be used.\n",
	.options = options,
	.option = option,
	.run = run,
};
