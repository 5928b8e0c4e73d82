// SPDX-License-Identifier: GPL-2.0
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/text.h>

#include <fmp/decision.h>

#define DEFAULT_POLICY FMP_SYSCONFDIR "/fmp/policy.xml"

static const char help_text[] =
	"usage: fmpd [--foreground] [--policy FILE] --listen ADDR:PORT [--backend URL] [OPTION...]\n"
	"       fmpd --teardown\n"
	"\n"
	"The management plane of fmp: keeps the table of suspicious sources, decides by the\n"
	"policy, and pushes each decision to every layer of the kernel at once.\n"
	"\n"
	"  -p, --policy FILE       the policy (" DEFAULT_POLICY ")\n"
	"  -l, --listen ADDR:PORT  where the gateway listens; [ADDR]:PORT for IPv6\n"
	"  -b, --backend URL       the Web service for good messages, for services that name\n"
	"                          none in the policy\n"
	"  -e, --enforce LAYERS    auto (all that this machine has), none (only show what would\n"
	"                          be blocked; needs no rights), or some of \"ip mac premac\"\n"
	"  -d, --devices NAMES     devices of the layers mac and premac, instead of the policy's\n"
	"  -f, --foreground        stay, and log to stderr\n"
	"  -c, --control PATH      the socket for fmpctl (/run/fmp/control; without root\n"
	"                          $XDG_RUNTIME_DIR/fmp-control)\n"
	"  -g, --gateway PATH      the program fmp-gateway\n"
	"      --state FILE        the state file, instead of the policy's; none: keep no state\n"
	"      --log-format FORMAT logfmt or json, also on a terminal\n"
	"      --resolv-conf FILE  the nameservers in it are protected (/etc/resolv.conf)\n"
	"      --teardown          delete all rules of fmpd from the kernel, and end\n"
	"  -h, --help              this text\n"
	"  -V, --version           the version\n"
	"\n"
	"Without --listen there is no gateway: only events that local programs\n"
	"report count. SIGHUP reads the policy again; SIGTERM ends fmpd, and the rules in force\n"
	"stay in force. Try it without rights:\n"
	"\n"
	"  fmpd --foreground --enforce none --policy policies/observe.xml \\\n"
	"       --listen 127.0.0.1:8080 --backend http://127.0.0.1:9000/\n";

enum {
	OPT_TEARDOWN = 256,
	OPT_RESOLV,
	OPT_STATE,
	OPT_LOG
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, 'p' },
	{ "listen", required_argument, NULL, 'l' },
	{ "backend", required_argument, NULL, 'b' },
	{ "enforce", required_argument, NULL, 'e' },
	{ "devices", required_argument, NULL, 'd' },
	{ "foreground", no_argument, NULL, 'f' },
	{ "control", required_argument, NULL, 'c' },
	{ "gateway", required_argument, NULL, 'g' },
	{ "resolv-conf", required_argument, NULL, OPT_RESOLV },
	{ "log-format", required_argument, NULL, OPT_LOG },
	{ "state", required_argument, NULL, OPT_STATE },
	{ "teardown", no_argument, NULL, OPT_TEARDOWN },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static int usage(const char *text, const char *what)
{
	fmp_text_print(stderr, "fmpd: %s%s%s\n", text, what ? ": " : "", what ? what : "");
	fputs("Try 'fmpd --help'.\n", stderr);
	return 2;
}

static int parse_enforce(struct fmpd_options *o, const char *text)
{
	o->required = false;
	if (!strcmp(text, "auto")) {
		o->layers = FMP_LAYERS_ALL;
		return 0;
	}
	if (fmp_layers_parse(text, &o->layers))
		return usage("--enforce takes auto, none, or of \"ip mac premac\"; not", text);
	o->required = o->layers != 0;
	return 0;
}

static int parse_devices(struct fmpd_options *o, const char *text)
{
	const char *p = text;
	size_t n;

	for (;;) {
		p += strspn(p, " ,");
		n = strcspn(p, " ,");
		if (!n)
			return o->n_devices ? 0 : usage("--devices names no device", NULL);
		if (n >= sizeof(o->devices[0]))
			return usage("--devices: not the name of a device", p);
		if (o->n_devices == sizeof(o->devices) / sizeof(o->devices[0]))
			return usage("--devices: too many", text);
		memcpy(o->devices[o->n_devices++], p, n);
		p += n;
	}
}

static int parse_listen(struct fmpd_options *o, const char *text)
{
	struct fmp_error err = { 0 };

	if (fmp_endpoint_parse(text, &o->endpoint, &err))
		return usage("--listen takes a numeric ADDR:PORT; not", text);
	o->listen = text;
	return 0;
}

static int parse_log_format(struct fmpd_options *o, const char *text)
{
	if (!strcmp(text, "json"))
		o->log_format = FMPD_LOG_JSON;
	else if (!strcmp(text, "logfmt"))
		o->log_format = FMPD_LOG_LOGFMT;
	else
		return usage("--log-format takes logfmt or json; not", text);
	return 0;
}

/* A relative path would change its meaning: in the background fmpd changes to the root directory. */
static int parse_state(struct fmpd_options *o, const char *text)
{
	if (*text != '/' && strcmp(text, "none"))
		return usage("--state takes an absolute path, or none; not", text);
	o->state = text;
	return 0;
}

static int parse_option(struct fmpd_options *o, int c)
{
	switch (c) {
	case 'p':
		o->policy = optarg;
		return 0;
	case 'l':
		return parse_listen(o, optarg);
	case 'b':
		o->backend = optarg;
		return 0;
	case 'e':
		return parse_enforce(o, optarg);
	case 'd':
		return parse_devices(o, optarg);
	case 'f':
		o->foreground = true;
		return 0;
	case 'c':
		o->control = optarg;
		return 0;
	case 'g':
		o->gateway = optarg;
		return 0;
	case OPT_RESOLV:
		o->resolv_conf = optarg;
		return 0;
	case OPT_LOG:
		return parse_log_format(o, optarg);
	case OPT_STATE:
		return parse_state(o, optarg);
	case OPT_TEARDOWN:
		o->teardown = true;
		return 0;
	case 'h':
		fputs(help_text, stdout);
		return 1;
	case 'V':
		puts("fmpd " FMP_VERSION);
		return 1;
	default:
		fputs("Try 'fmpd --help'.\n", stderr);
		return 2;
	}
}

int fmpd_options_parse(struct fmpd_options *o, int argc, char **argv)
{
	int c, rc;

	*o = (struct fmpd_options){ .policy = DEFAULT_POLICY, .layers = FMP_LAYERS_ALL };
	while ((c = getopt_long(argc, argv, "p:l:b:e:d:fc:g:hV", long_options, NULL)) >= 0) {
		rc = parse_option(o, c);
		if (rc)
			return rc;
	}
	if (optind < argc)
		return usage("unexpected argument", argv[optind]);
	if (o->backend && !o->listen)
		return usage("--backend needs --listen: without it there is no gateway", NULL);
	return 0;
}
