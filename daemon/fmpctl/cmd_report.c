// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/report.h>
#include <fmp/internal/socket_path.h>

#include "lib/control_client.h"

enum {
	OPT_DETAIL = 256,
	OPT_PORT,
	OPT_CPU,
	OPT_UNPROVEN,
	OPT_PAM
};

static const struct option long_options[] = {
	{ "detail", required_argument, NULL, OPT_DETAIL },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "cpu-ms", required_argument, NULL, OPT_CPU },
	{ "unproven", no_argument, NULL, OPT_UNPROVEN },
	{ "pam", no_argument, NULL, OPT_PAM },
	{ NULL, 0, NULL, 0 },
};

static struct {
	const char *detail;
	uint64_t port, cpu_ms;
	bool unproven, pam;
} options;

static int parse_number(const char *option, const char *text, uint64_t max, uint64_t *out)
{
	size_t digits = strspn(text, "0123456789");

	*out = strtoull(text, NULL, 10);
	if (!digits || digits > 9 || text[digits] || *out > max)
		return usage_error("report", "--%s takes a number up to %llu, not %s", option,
				   (unsigned long long)max, text);
	return 0;
}

static int parse_option(int c, const char *arg)
{
	switch (c) {
	case OPT_DETAIL:
		if (strlen(arg) >= FMP_EVENT_DETAIL)
			return usage_error("report", "--detail takes up to %u bytes, not %zu",
					   FMP_EVENT_DETAIL - 1, strlen(arg));
		options.detail = arg;
		return 0;
	case OPT_PORT:
		return parse_number("port", arg, UINT16_MAX, &options.port);
	case OPT_CPU:
		return parse_number("cpu-ms", arg, 86400000, &options.cpu_ms);
	case OPT_UNPROVEN:
		options.unproven = true;
		return 0;
	default:
		options.pam = true;
		return 0;
	}
}

static int usage_kinds(const char *kind)
{
	char list[400] = "", hint[SUGGESTION_MAX];
	size_t n = 0;

	for (unsigned k = FMP_EVENT_GOOD + 1; k < FMP_EVENT_KINDS && n < sizeof(list); k++)
		n += (size_t)snprintf(list + n, sizeof(list) - n, " %s", fmp_event_kind_name(k));
	return usage_error("report", "no kind %s%s (there are:%s)", kind, suggest_kind(kind, hint),
			   list);
}

/* Return: are all characters those of a host name? */
static bool is_name(const char *s)
{
	return !s[strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_")];
}

/* Fill an event from the environment of pam_exec(8). Return: 0; -1: no source to report; an exit code. */
static int event_from_pam(const struct ctl *ctl, struct fmp_event *ev)
{
	const char *host = getenv("PAM_RHOST"), *service = getenv("PAM_SERVICE"),
		   *user = getenv("PAM_USER");

	struct fmp_error err;

	/* A local login. */
	if (!host || !*host)
		return -1;
	if (fmp_addr_parse_source(host, &ev->source, &err)) {
		if (!is_name(host))
			return control_print_error(ctl, EXIT_USAGE, &err);
		/* A name server of the peer's choice maps the name: it proves nothing. */
		fprintf(stderr,
			"fmpctl: PAM_RHOST is the name %.64s, not an address: nothing is reported (for sshd, "
			"set UseDNS no)\n",
			host);
		return -1;
	}
	ev->kind = FMP_EVENT_LOGIN;
	snprintf(ev->detail, sizeof(ev->detail), "%s refuses a login as %s",
		 service ? service : "a service", user ? user : "nobody");
	return 0;
}

static int event_from_arguments(struct fmp_event *ev, int argc, char **argv)
{
	int rc;

	if (argc != 2)
		return usage_error("report", "takes ADDR and KIND");
	rc = parse_addr_argument("report", argv[0], &ev->source);
	if (rc)
		return rc;
	if (!fmp_addr_is_source(&ev->source))
		return usage_error("report", "takes one IP address, not %s", argv[0]);
	if (fmp_event_kind_parse(argv[1], &ev->kind) || ev->kind == FMP_EVENT_GOOD)
		return usage_kinds(argv[1]);
	return 0;
}

static int send_report(const struct ctl *ctl, const struct fmp_event *ev)
{
	struct fmp_reporter *r;
	struct fmp_error err;
	char path[256];
	int rc;

	if (ctl->control)
		fmp_report_path(ctl->control, path, sizeof(path));
	if (fmp_reporter_open(ctl->control ? path : NULL, &r, &err))
		return control_print_error(ctl, EXIT_NO_DAEMON, &err);
	rc = fmp_report(r, ev, &err);
	fmp_reporter_close(r);
	if (rc && (err.sys_errno == ECONNRESET || err.sys_errno == EPIPE))
		fmp_error_set(&err, FMP_ERR_DENIED,
			      "fmpd does not take it: root and members of the policy's report "
			      "group may report, a few at once");
	if (rc)
		return control_print_error(ctl, EXIT_REFUSED, &err);
	if (ctl->json)
		print_json(&(struct records){ 0 });
	return EXIT_OK;
}

static int run_report(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_event ev = { .proven = !options.unproven,
				.dest_port = (uint16_t)options.port,
				.cpu_ns = options.cpu_ms * 1000000 };
	int rc;

	if (options.pam && argc)
		return usage_error("report", "--pam takes ADDR and KIND from PAM");
	rc = options.pam ? event_from_pam(ctl, &ev) : event_from_arguments(&ev, argc, argv);
	if (rc)
		return rc < 0 ? EXIT_OK : rc;
	if (options.detail)
		snprintf(ev.detail, sizeof(ev.detail), "%s", options.detail);
	return send_report(ctl, &ev);
}

const struct command cmd_report = {
	.name = "report",
	.args = "ADDR KIND | --pam",
	.summary = "report a bad source to fmpd for another program",
	.help = "  --detail TEXT   a description of up to 255 bytes\n"
		"  --port N        the destination port on this machine\n"
		"  --cpu-ms N      the CPU time it cost\n"
		"  --unproven      the address may be forged: shown, but adds no rank\n"
		"  --pam           from pam_exec(8): address and description of PAM, kind login\n"
		"\n"
		"Root and members of the policy's report group may report. KIND is one of the policy's event\n"
		"kinds: login and local are for other programs than the gateway.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_SOURCE, ARG_KIND },
	.run = run_report,
};
