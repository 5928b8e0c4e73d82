// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	OPT_URL = 256,
	OPT_RATE,
	OPT_DURATION,
	OPT_COUNT,
	OPT_MIX,
	OPT_SIZE,
	OPT_OVERSIZE,
	OPT_DEPTH,
	OPT_KEY,
	OPT_CERT,
	OPT_CA,
	OPT_POOL,
	OPT_KEEPALIVE,
	OPT_CONNECTIONS,
	OPT_TIMEOUT,
	OPT_SOURCE,
	OPT_SOURCES,
	OPT_DEVICE,
	OPT_STEADY,
	OPT_SEED,
	OPT_WARMUP,
	OPT_JSON,
	OPT_QUIET,
	OPT_PROGRESS,
	OPT_OWN,
	OPT_HELP,
	OPT_VERSION,
};

static const struct option longopts[] = {
	{ "url", required_argument, NULL, OPT_URL },
	{ "rate", required_argument, NULL, OPT_RATE },
	{ "duration", required_argument, NULL, OPT_DURATION },
	{ "count", required_argument, NULL, OPT_COUNT },
	{ "mix", required_argument, NULL, OPT_MIX },
	{ "size", required_argument, NULL, OPT_SIZE },
	{ "oversize", required_argument, NULL, OPT_OVERSIZE },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "key", required_argument, NULL, OPT_KEY },
	{ "cert", required_argument, NULL, OPT_CERT },
	{ "ca", required_argument, NULL, OPT_CA },
	{ "pool", required_argument, NULL, OPT_POOL },
	{ "keepalive", no_argument, NULL, OPT_KEEPALIVE },
	{ "connections", required_argument, NULL, OPT_CONNECTIONS },
	{ "timeout", required_argument, NULL, OPT_TIMEOUT },
	{ "source", required_argument, NULL, OPT_SOURCE },
	{ "sources", required_argument, NULL, OPT_SOURCES },
	{ "device", required_argument, NULL, OPT_DEVICE },
	{ "steady-frames", required_argument, NULL, OPT_STEADY },
	{ "seed", required_argument, NULL, OPT_SEED },
	{ "warmup", required_argument, NULL, OPT_WARMUP },
	{ "json", required_argument, NULL, OPT_JSON },
	{ "quiet", no_argument, NULL, OPT_QUIET },
	{ "progress", no_argument, NULL, OPT_PROGRESS },
	{ "i-own-the-target", no_argument, NULL, OPT_OWN },
	{ "help", no_argument, NULL, OPT_HELP },
	{ "version", no_argument, NULL, OPT_VERSION },
	{ 0 },
};

int flood_number(const char *option, const char *text, double min, double max, double *out,
		 struct fmp_error *err)
{
	char *end;
	double v;

	errno = 0;
	v = strtod(text, &end);
	/* strtod() also takes spaces, hex and "nan": refuse those. */
	if (errno || !*text || *end || strspn(text, "0123456789.") != strlen(text) || v < min ||
	    v > max)
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "%s: \"%.40s\" is not a number from %.15g to %.15g", option,
				     text, min, max);
	*out = v;
	return 0;
}

static int parse_seed(const char *text, uint64_t *out, struct fmp_error *err)
{
	char *end;

	errno = 0;
	*out = strtoull(text, &end, 10);
	if (errno || *end || *text < '0' || *text > '9')
		return fmp_error_set(err, FMP_ERR_SYNTAX, "--seed: \"%.40s\" is not a number",
				     text);
	return 0;
}

static void set_defaults(struct flood_options *o)
{
	struct timespec ts;

	memset(o, 0, sizeof(*o));
	clock_gettime(CLOCK_REALTIME, &ts);
	o->run.mix = "good=100";
	o->run.rate = 10;
	o->run.duration_s = 60;
	o->run.connections = 64;
	o->run.timeout_ms = 2000;
	o->run.message.size = 1024;
	o->run.message.oversize = 4096 * 1024;
	o->run.message.depth = 10000;
	/* Short enough to retype. */
	o->run.message.seed = ((uint64_t)ts.tv_nsec ^ (uint64_t)getpid() << 16) % 1000000000;
}

/* Take an option with a number. Return: 1; 0: another option; an error. */
static int take_number_option(struct flood_options *o, int opt, const char *arg,
			      struct fmp_error *err)
{
	static const struct {
		int opt;
		double min, max;
	} limits[] = {
		{ OPT_RATE, 0.01, 200000 },
		{ OPT_DURATION, 0.1, FLOOD_SECONDS_MAX },
		{ OPT_COUNT, 1, 1e9 },
		{ OPT_SIZE, 0.5, 65536 },
		{ OPT_OVERSIZE, 1, 65536 },
		{ OPT_DEPTH, 1, 1000000 },
		{ OPT_POOL, 0, 65536 },
		{ OPT_CONNECTIONS, 1, 65536 },
		{ OPT_TIMEOUT, 10, 600000 },
		{ OPT_STEADY, 1, 10000000 },
		{ OPT_WARMUP, 0, FLOOD_SECONDS_MAX },
	};
	struct flood_config *c = &o->run;
	char name[32] = "--";
	double v = 0;
	size_t i;
	int rc;

	for (i = 0; i < sizeof(limits) / sizeof(limits[0]) && limits[i].opt != opt; i++)
		continue;
	if (i == sizeof(limits) / sizeof(limits[0]))
		return 0;
	strcat(name, longopts[opt - OPT_URL].name);
	rc = flood_number(name, arg, limits[i].min, limits[i].max, &v, err);
	if (rc)
		return rc;
	switch (opt) {
	case OPT_RATE:
		c->rate = v;
		break;
	case OPT_DURATION:
		c->duration_s = v;
		break;
	case OPT_COUNT:
		c->count = (uint64_t)v;
		break;
	case OPT_SIZE:
		c->message.size = (uint32_t)(v * 1024);
		break;
	case OPT_OVERSIZE:
		c->message.oversize = (uint32_t)(v * 1024);
		break;
	case OPT_DEPTH:
		c->message.depth = (uint32_t)v;
		break;
	case OPT_POOL:
		c->message.pool = (uint32_t)v;
		break;
	case OPT_CONNECTIONS:
		c->connections = (uint32_t)v;
		break;
	case OPT_TIMEOUT:
		c->timeout_ms = (uint32_t)v;
		break;
	case OPT_STEADY:
		c->steady_frames = v;
		break;
	default:
		c->warmup_s = v;
	}
	return 1;
}

static int take_other_option(struct flood_options *o, int opt, const char *arg,
			     struct fmp_error *err)
{
	struct flood_config *c = &o->run;

	switch (opt) {
	case OPT_URL:
		o->url = arg;
		return 0;
	case OPT_MIX:
		c->mix = arg;
		return 0;
	case OPT_KEY:
		o->key = arg;
		return 0;
	case OPT_CERT:
		o->cert = arg;
		return 0;
	case OPT_CA:
		o->ca = arg;
		return 0;
	case OPT_KEEPALIVE:
		c->keepalive = true;
		return 0;
	case OPT_SOURCE:
		return flood_sources_add(&c->sources, arg, err);
	case OPT_SOURCES:
		return flood_sources_add_range(&c->sources, arg, err);
	case OPT_DEVICE:
		c->device = arg;
		return 0;
	case OPT_SEED:
		return parse_seed(arg, &c->message.seed, err);
	case OPT_JSON:
		c->json = arg;
		return 0;
	case OPT_QUIET:
		c->quiet = true;
		return 0;
	case OPT_PROGRESS:
		c->progress = true;
		return 0;
	case OPT_OWN:
		o->own_target = true;
		return 0;
	case OPT_HELP:
		o->help = true;
		return 0;
	case OPT_VERSION:
		o->version = true;
		return 0;
	default:
		return fmp_error_set(err, FMP_ERR_INVALID, "see --help");
	}
}

static int check_options(struct flood_options *o, struct fmp_error *err)
{
	struct flood_config *c = &o->run;
	int rc;

	if (!o->url)
		return fmp_error_set(err, FMP_ERR_INVALID, "--url is missing; see --help");
	if (c->steady_frames > 0 && !c->device)
		return fmp_error_set(err, FMP_ERR_INVALID, "--steady-frames needs --device");
	if (c->warmup_s >= c->duration_s)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "--warmup must be shorter than --duration");
	rc = flood_scenario_parse(&c->scenario, c->mix, err);
	if (!rc)
		rc = flood_target_parse(&c->target, o->url, err);
	if (!rc)
		rc = flood_sources_ready(&c->sources, c->target.addr.family, err);
	return rc;
}

int flood_options_parse(struct flood_options *o, int argc, char **argv, struct fmp_error *err)
{
	int opt, rc;

	set_defaults(o);
	while ((opt = getopt_long(argc, argv, "", longopts, NULL)) != -1) {
		rc = take_number_option(o, opt, optarg, err);
		if (!rc)
			rc = take_other_option(o, opt, optarg, err);
		if (rc < 0)
			return rc;
	}
	if (o->help || o->version)
		return 0;
	if (optind < argc)
		return fmp_error_set(err, FMP_ERR_INVALID, "\"%.60s\": see --help", argv[optind]);
	return check_options(o, err);
}

void flood_options_free(struct flood_options *o)
{
	flood_sources_free(&o->run.sources);
}
