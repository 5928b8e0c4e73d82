// SPDX-License-Identifier: GPL-2.0
#include "fmpctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

#include "talk.h"
#include "text.h"

static const struct column columns[] = {
	{ FMP_F_NAME, "Policy" },     { FMP_F_FILE, NULL },	 { FMP_F_SECURITY, NULL },
	{ FMP_F_SUSPICIOUS, NULL },   { FMP_F_MALICIOUS, NULL }, { FMP_F_DURATION_MS, "Block for" },
	{ FMP_F_OBSERVE, "Observe" },
};

static void show(const struct ctl *ctl, const struct records *l)
{
	if (ctl->json)
		print_json(l);
	else
		text_table(l, "policy", columns, sizeof(columns) / sizeof(columns[0]), "");
}

/* Needs no fmpd: the library's own reader. */
static int check(const struct ctl *ctl, const char *file)
{
	struct fmp_policy *p;
	struct fmp_error err;
	struct record r;

	if (fmp_policy_load(file, NULL, &p, &err))
		return talk_error(ctl, EXIT_REFUSED, &err);
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
	show(ctl, &(struct records){ &r, 1, 1 });
	record_free(&r);
	fmp_policy_free(p);
	return EXIT_OK;
}

static int reload(const struct ctl *ctl, const char *file)
{
	char *path = NULL;
	struct records l;
	struct question q;
	struct fmp_error err;
	int rc;

	if (file) {
		/* fmpd has another working directory. */
		path = realpath(file, NULL);
		if (!path) {
			fmp_error_sys(&err, FMP_ERR_IO, errno, "can't read %s", file);
			return talk_error(ctl, EXIT_REFUSED, &err);
		}
	}
	question_begin(&q, FMP_CTL_POLICY_RELOAD);
	if (path)
		fmp_wire_put_str(&q.w, FMP_F_FILE, path);
	free(path);
	rc = talk(ctl, &q, &l);
	if (l.n)
		show(ctl, &l);
	records_free(&l);
	return rc;
}

static int run(const struct ctl *ctl, int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[0], "check"))
		return check(ctl, argv[1]);
	if ((argc == 1 || argc == 2) && !strcmp(argv[0], "reload"))
		return reload(ctl, argc == 2 ? argv[1] : NULL);
	return usage_error("policy", "takes check FILE, or reload [FILE]");
}

const struct command cmd_policy = {
	.name = "policy",
	.args = "check FILE | reload [FILE]",
	.summary = "check a policy file; put one in force",
	.help = "check reads the file as fmpd would and needs no fmpd; errors name file, line and\n"
		"column. reload has fmpd read its policy again, or another file; a bad one changes\n"
		"nothing.\n",
	.run = run,
};
