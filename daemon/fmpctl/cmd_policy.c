// SPDX-License-Identifier: GPL-2.0
#include "lib/fmpctl.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/internal/policy_suggest.h>
#include <fmp/policy.h>

#include "lib/policy_local.h"
#include "lib/control_client.h"
#include "lib/text.h"

static const struct column columns[] = {
	{ FMP_F_NAME, "Policy" },     { FMP_F_FILE, NULL },	 { FMP_F_SECURITY, NULL },
	{ FMP_F_SUSPICIOUS, NULL },   { FMP_F_MALICIOUS, NULL }, { FMP_F_DURATION_MS, "Block for" },
	{ FMP_F_OBSERVE, "Observe" },
};

static const struct column setting_columns[] = {
	{ FMP_F_NAME, "Setting" },
	{ FMP_F_VALUE, NULL },
};

static const struct column origin_columns[] = {
	{ FMP_F_NAME, "Setting" },
	{ FMP_F_VALUE, NULL },
	{ FMP_F_ORIGIN, "From" },
};

static const struct column change_columns[] = {
	{ FMP_F_NAME, "Setting" },
	{ FMP_F_FROM, NULL },
	{ FMP_F_TO, NULL },
};

static const struct option long_options[] = {
	{ "xml", no_argument, NULL, 256 },
	{ "elsewhere", no_argument, NULL, 257 },
	{ "origin", no_argument, NULL, 258 },
	{ "wsdl", required_argument, NULL, 259 },
	{ "port", required_argument, NULL, 260 },
	{ "url", required_argument, NULL, 261 },
	{ 0 },
};

static const char *const verbs[] = { "check", "show", "diff", "reload", "suggest", NULL };

static bool opt_xml, opt_elsewhere, opt_origin;
static struct fmp_policy_suggestion suggestion;

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void print_policy(const struct ctl *ctl, const struct records *l)
{
	if (ctl->json)
		print_json(l);
	else
		text_table(l, "policy", columns, COUNT(columns), "");
}

static int print_load_error(const struct ctl *ctl, const struct fmp_error *err)
{
	return control_print_error(ctl, err->code == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED, err);
}

/* Print a warning on standard error, and make a record of it for the output. */
static int new_warning(const struct fmp_error *warning, struct record *r)
{
	char text[700];

	fprintf(stderr, "fmpctl: warning: %s\n", fmp_error_format(warning, text, sizeof(text)));
	if (record_new(r))
		return FMP_ERR_NOMEM;
	record_set_text(r, FMP_F_RECORD, "warning");
	record_set_text(r, FMP_F_MESSAGE, warning->message);
	record_set_text(r, FMP_F_FILE, warning->file);
	if (warning->line)
		record_set_number(r, FMP_F_LINE, warning->line);
	if (warning->column)
		record_set_number(r, FMP_F_COLUMN, warning->column);
	return 0;
}

/* Check a file with the library's own reader: needs no fmpd. */
static int check_file(const struct ctl *ctl, const char *file)
{
	struct records l = { 0 };
	struct record w;
	struct fmp_policy *p;
	struct fmp_error err;
	struct record r;
	int rc;

	if (fmp_policy_load(file, NULL, &p, &err))
		return print_load_error(ctl, &err);
	if (!opt_elsewhere && policy_check_local(p, file, &err)) {
		fmp_policy_free(p);
		return control_print_error(ctl, EXIT_REFUSED, &err);
	}
	if (record_new(&r)) {
		fmp_policy_free(p);
		return EXIT_REFUSED;
	}
	record_set_text(&r, FMP_F_RECORD, "policy");
	record_set_text(&r, FMP_F_NAME, p->name);
	record_set_text(&r, FMP_F_FILE, file);
	record_set_text(&r, FMP_F_SECURITY, fmp_security_name(p->gateway.security));
	record_set_number(&r, FMP_F_SUSPICIOUS, p->suspicion.suspicious);
	record_set_number(&r, FMP_F_MALICIOUS, p->suspicion.malicious);
	record_set_number(&r, FMP_F_DURATION_MS, p->block.duration_ms);
	record_set_number(&r, FMP_F_OBSERVE, p->block.observe);
	rc = records_add(&l, &r);
	for (size_t i = 0; i < p->n_warnings && !rc; i++) {
		rc = new_warning(&p->warnings[i], &w);
		if (!rc)
			rc = records_add(&l, &w);
	}
	print_policy(ctl, &l);
	records_free(&l);
	fmp_policy_free(p);
	return rc ? EXIT_REFUSED : EXIT_OK;
}

static int reload_policy(const struct ctl *ctl, const char *file)
{
	char *path = NULL;
	struct records l;
	struct control_request req;
	struct fmp_error err;
	int rc;

	if (file) {
		/* fmpd has another working directory. */
		path = realpath(file, NULL);
		if (!path) {
			fmp_error_sys(&err, FMP_ERR_IO, errno, "can't read %s", file);
			return control_print_error(ctl, EXIT_USAGE, &err);
		}
	}
	control_request_begin(&req, FMP_CTL_POLICY_RELOAD);
	if (path)
		fmp_wire_put_str(&req.w, FMP_F_FILE, path);
	free(path);
	rc = control_call(ctl, &req, &l);
	if (l.n)
		print_policy(ctl, &l);
	records_free(&l);
	return rc;
}

/* ---- show, diff ---- */

static int add_setting(const struct fmp_policy_value *v, void *ctx)
{
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	record_set_text(&r, FMP_F_RECORD, "setting");
	record_set_text(&r, FMP_F_NAME, v->path);
	record_set_text(&r, FMP_F_VALUE, v->value);
	return records_add(ctx, &r);
}

static int add_change(const struct fmp_policy_change *c, void *ctx)
{
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	record_set_text(&r, FMP_F_RECORD, "change");
	record_set_text(&r, FMP_F_NAME, c->path);
	if (c->from)
		record_set_text(&r, FMP_F_FROM, c->from);
	if (c->to)
		record_set_text(&r, FMP_F_TO, c->to);
	return records_add(ctx, &r);
}

static int print_xml(const char *text, void *ctx)
{
	return puts(text) < 0;
}

static void print_settings(const struct ctl *ctl, const struct records *l)
{
	if (ctl->json)
		print_json(l);
	else
		text_table(l, "setting", opt_origin ? origin_columns : setting_columns,
			   opt_origin ? COUNT(origin_columns) : COUNT(setting_columns), "");
}

static int print_no_memory(const struct ctl *ctl)
{
	struct fmp_error err;

	fmp_error_set(&err, FMP_ERR_NOMEM, "no memory");
	return control_print_error(ctl, EXIT_REFUSED, &err);
}

static void set_origins(const struct fmp_policy *p, struct records *l)
{
	char origin[400];

	for (size_t i = 0; i < l->n; i++)
		record_set_text(&l->r[i], FMP_F_ORIGIN,
				fmp_policy_origin(p, record_string(&l->r[i], FMP_F_NAME), origin,
						  sizeof(origin)));
}

static int show_file(const struct ctl *ctl, const char *file)
{
	struct records l = { 0 };
	struct fmp_policy *p;
	struct fmp_error err;
	int rc;

	if (fmp_policy_load(file, NULL, &p, &err))
		return print_load_error(ctl, &err);
	rc = opt_xml ? fmp_policy_print(p, print_xml, NULL) : fmp_policy_each(p, add_setting, &l);
	if (!rc && opt_origin)
		set_origins(p, &l);
	if (rc)
		rc = print_no_memory(ctl);
	else if (!opt_xml)
		print_settings(ctl, &l);
	records_free(&l);
	fmp_policy_free(p);
	return rc;
}

static int show_running(const struct ctl *ctl)
{
	struct control_request req;
	struct records l;
	int rc;

	control_request_begin(&req, FMP_CTL_POLICY_SHOW);
	rc = control_call(ctl, &req, &l);
	if (l.n)
		print_settings(ctl, &l);
	records_free(&l);
	return rc;
}

static int diff_files(const struct ctl *ctl, char *const files[2])
{
	struct fmp_policy *p[2] = { NULL, NULL };
	struct records l = { 0 };
	struct fmp_error err;
	int rc = 0;

	for (unsigned i = 0; i < 2 && !rc; i++)
		if (fmp_policy_load(files[i], NULL, &p[i], &err))
			rc = control_print_error(ctl, EXIT_USAGE, &err);
	if (!rc && fmp_policy_diff(p[0], p[1], add_change, &l)) {
		rc = print_no_memory(ctl);
	} else if (!rc) {
		if (ctl->json)
			print_json(&l);
		else
			text_table(&l, "change", change_columns, COUNT(change_columns), "");
		rc = l.n ? EXIT_REFUSED : EXIT_OK;
	}
	records_free(&l);
	fmp_policy_free(p[0]);
	fmp_policy_free(p[1]);
	return rc;
}

/* ---- suggest ---- */

static int suggest_policy(const struct ctl *ctl)
{
	struct fmp_error err;
	struct record r;
	char *text;

	if (fmp_policy_suggest(&suggestion, &text, &err))
		return control_print_error(ctl, err.code == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED,
					   &err);
	if (!ctl->json) {
		fputs(text, stdout);
	} else if (!record_new(&r)) {
		record_set_text(&r, FMP_F_RECORD, "suggested");
		record_set_text(&r, FMP_F_FILE, suggestion.wsdl);
		record_set_text(&r, FMP_F_VALUE, text);
		print_json(&(struct records){ &r, 1, 1 });
		record_free(&r);
	}
	free(text);
	return EXIT_OK;
}

static int run_suggest(const struct ctl *ctl, int argc)
{
	if (argc != 1 || !suggestion.wsdl)
		return usage_error("policy", "suggest takes --wsdl FILE");
	if (suggestion.backend && strncmp(suggestion.backend, "http://", 7) != 0 &&
	    strncmp(suggestion.backend, "https://", 8) != 0)
		return usage_error("policy", "--url takes http://... or https://...; not %s",
				   suggestion.backend);
	return suggest_policy(ctl);
}

static int parse_option(int c, const char *arg)
{
	if (c == 259)
		suggestion.wsdl = arg;
	else if (c == 260)
		suggestion.port = arg;
	else if (c == 261)
		suggestion.backend = arg;
	else if (c == 258)
		opt_origin = true;
	else if (c == 257)
		opt_elsewhere = true;
	else
		opt_xml = true;
	return 0;
}

static int run_show(const struct ctl *ctl, int argc, char **argv)
{
	if (opt_xml && opt_origin)
		return usage_error("policy", "show takes --xml or --origin");
	if (argc == 2)
		return show_file(ctl, argv[1]);
	if (opt_xml || opt_origin)
		return usage_error("policy", "show --%s takes a FILE", opt_xml ? "xml" : "origin");
	return show_running(ctl);
}

static int run_policy(const struct ctl *ctl, int argc, char **argv)
{
	char hint[SUGGESTION_MAX];

	if (opt_elsewhere && (argc != 2 || strcmp(argv[0], "check")))
		return usage_error("policy", "--elsewhere goes with check");
	if (argc && !strcmp(argv[0], "suggest"))
		return run_suggest(ctl, argc);
	if (suggestion.wsdl || suggestion.port || suggestion.backend)
		return usage_error("policy", "--wsdl, --port and --url go with suggest");
	if ((argc == 1 || argc == 2) && !strcmp(argv[0], "show"))
		return run_show(ctl, argc, argv);
	if (opt_xml || opt_origin)
		return usage_error("policy", "--%s goes with show", opt_xml ? "xml" : "origin");
	if (argc == 3 && !strcmp(argv[0], "diff"))
		return diff_files(ctl, argv + 1);
	if (argc == 2 && !strcmp(argv[0], "check"))
		return check_file(ctl, argv[1]);
	if ((argc == 1 || argc == 2) && !strcmp(argv[0], "reload"))
		return reload_policy(ctl, argc == 2 ? argv[1] : NULL);
	return usage_error(
		"policy",
		"takes check FILE, show [FILE], diff FILE FILE, reload [FILE], or suggest%s",
		suggest_word(argc ? argv[0] : "", "check show diff reload suggest", hint));
}

const struct command cmd_policy = {
	.name = "policy",
	.args = "check FILE [--elsewhere] | show [FILE [--xml|--origin]] | diff FILE FILE | reload [FILE] | suggest --wsdl F [--port P] [--url U]",
	.summary = "check, show and compare policies; put one in force",
	.help = "check reads the file as fmpd would and needs no fmpd; errors name file, line and\n"
		"column. The files and the user that it names must exist on this machine; --elsewhere skips\n"
		"that, for the policy of another machine. show prints each setting, including defaults, of the\n"
		"active policy or of a file; with --xml as a file that loads again, with --origin with the\n"
		"file, line and column of each value, (base) after those of a base, or default. diff prints\n"
		"the settings that differ: exit 0 none, 1 some, 2 a file can't be read. reload makes fmpd\n"
		"read its policy again, or another file; a policy with an error changes nothing.\n"
		"suggest prints a policy for the SOAP ports of a WSDL (of port P only), with U\n"
		"instead of their addresses: paths, header blocks, and what WS-Policy demands of security.\n"
		"Comments say what has to be decided. Other files are not read, and nothing is fetched.\n",
	.options = long_options,
	.option = parse_option,
	.verbs = verbs,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_policy,
};
