// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "engine.h"
#include "forge.h"
#include "options.h"
#include "progress.h"
#include "report.h"

static const char help[] =
	"Usage: fmp-flood --url http://ADDR:PORT/PATH [OPTION]...\n"
	"       fmp-flood forge --help\n"
	"\n"
	"Sends good and malicious SOAP messages and counts what comes back.\n"
	"\n"
	"  --rate N            requests a second, default 10\n"
	"  --duration S        for this long, default 60\n"
	"  --count N           this many requests, within the duration\n"
	"  --mix KIND=N,...    shares of good, wellformed, schema, unsigned, signature,\n"
	"                      oversize, nesting, dtd, http; default good=100\n"
	"  --size KB           of an order, default 1\n"
	"  --oversize KB       of an oversize body, default 4096\n"
	"  --depth N           of a nesting message, default 10000\n"
	"  --key F --cert F    PEM; good orders are signed with them, forgeries name the\n"
	"                      certificate (without the key: with a random signature)\n"
	"  --ca F              complain if this CA did not issue the certificate\n"
	"  --pool N            send N bodies of each kind again and again, not fresh ones\n"
	"  --keepalive         many requests over one connection\n"
	"  --connections N     at most at once, default 64\n"
	"  --timeout MS        wait for a connect, for an answer, default 2000\n"
	"  --source ADDR       send from this address of ours; may be repeated\n"
	"  --sources PREFIX/N  from N addresses of ours, as in 192.0.2.0/24/50\n"
	"  --device DEV        count the frames of this device\n"
	"  --steady-frames N   keep DEV at N frames a second even when blocked, by\n"
	"                      connecting again and replaying; needs CAP_NET_RAW\n"
	"  --seed N            same seed, same messages\n"
	"  --warmup S          leave the first seconds out of the good answers per second\n"
	"  --json FILE         all figures; - is stdout\n"
	"  --progress          a line a second even if stderr is no terminal\n"
	"  --quiet             no progress, no summary\n"
	"  --i-own-the-target  allow a public address\n"
	"  --help, --version\n"
	"\n"
	"Exit: 0 done, 1 failed or refused, 2 usage.\n";

/* Raise the limit of descriptors: each connection takes one. */
static int raise_file_limit(uint32_t connections, struct fmp_error *err)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_NOFILE, &r))
		return 0;
	r.rlim_cur = r.rlim_max;
	(void)setrlimit(RLIMIT_NOFILE, &r);
	if (r.rlim_max != RLIM_INFINITY && r.rlim_max < connections + 32)
		return fmp_error_set(err, FMP_ERR_LIMIT,
				     "%u connections need more files than ulimit -Hn allows",
				     connections);
	return 0;
}

static int run_flood(struct flood_options *o, struct fmp_error *err)
{
	struct flood_config *c = &o->run;
	struct flood_signer *signer = NULL;
	struct flood_engine engine;
	int rc = 0;

	if (!o->own_target)
		rc = flood_target_allowed(&c->target.addr, err);
	if (!rc)
		rc = flood_sources_check(&c->sources, c->target.addr.family, err);
	if (!rc)
		rc = raise_file_limit(c->connections, err);
	if (!rc && (o->key || c->scenario.weight[FLOOD_SIGNATURE]))
		rc = flood_signer_new(o->key, o->cert, o->ca, &signer, err);
	if (rc)
		return rc;
	c->message.signer = signer;
	c->message.sign = o->key != NULL;
	c->message.host = c->target.host;
	c->message.path = c->target.path;
	c->message.keepalive = c->keepalive;
	rc = flood_engine_init(&engine, c, err);
	if (!rc) {
		rc = flood_engine_run(&engine, err);
		if (!c->quiet && engine.stop_ns && (!c->json || strcmp(c->json, "-")))
			flood_progress_summary(&engine);
		if (!rc && c->json)
			rc = flood_report_json(&engine, c->json, err);
		if (!rc && !engine.stats.sent && engine.stats.outcome[FLOOD_LOCAL])
			rc = fmp_error_set(err, FMP_ERR_IO, "nothing could be sent from here");
		flood_engine_exit(&engine);
	}
	flood_signer_free(signer);
	return rc;
}

int main(int argc, char **argv)
{
	struct fmp_error err = { 0 };
	struct flood_options o;
	char text[800];
	int rc;

	if (argc > 1 && !strcmp(argv[1], "forge"))
		return flood_forge_main(argc - 1, argv + 1);
	rc = flood_options_parse(&o, argc, argv, &err);
	if (rc) {
		fprintf(stderr, "fmp-flood: %s\n", fmp_error_format(&err, text, sizeof(text)));
		flood_options_free(&o);
		return FLOOD_EXIT_USAGE;
	}
	if (o.help || o.version) {
		fputs(o.help ? help : "fmp-flood " FMP_VERSION "\n", stdout);
		flood_options_free(&o);
		return FLOOD_EXIT_OK;
	}
	if (!o.run.quiet && isatty(STDERR_FILENO))
		o.run.progress = true;
	if (o.run.quiet)
		o.run.progress = false;
	rc = run_flood(&o, &err);
	if (rc)
		fprintf(stderr, "fmp-flood: %s\n", fmp_error_format(&err, text, sizeof(text)));
	flood_options_free(&o);
	return rc ? FLOOD_EXIT_FAILED : FLOOD_EXIT_OK;
}
