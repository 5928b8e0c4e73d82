// SPDX-License-Identifier: GPL-2.0
/* fmpctl export apf: the block list as a program that the firmware of a Wi-Fi chip runs. */
#include "lib/fmpctl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/apf_rules.h"
#include "lib/control_client.h"

#define LEFT_OUT_SHOWN 20u /* addresses printed one by one; the others are counted */

enum {
	OPT_VERSION = 256,
	OPT_MAX_SIZE,
	OPT_TRUNCATE,
	OPT_HEX,
	OPT_LIST,
	OPT_FROM,
	OPT_PROTECT,
};

static const struct option long_options[] = {
	{ "apf-version", required_argument, NULL, OPT_VERSION },
	{ "max-size", required_argument, NULL, OPT_MAX_SIZE },
	{ "truncate", no_argument, NULL, OPT_TRUNCATE },
	{ "hex", no_argument, NULL, OPT_HEX },
	{ "list", no_argument, NULL, OPT_LIST },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "protect", required_argument, NULL, OPT_PROTECT },
	{ 0 },
};

static const char *const verbs[] = { "apf", NULL };

static struct {
	struct fmp_apf_config config;
	bool hex, list;
	const char *from, *protect;
} options = { .config.version = 4 };

static int parse_number(const char *option, const char *text, unsigned long max, unsigned long *out)
{
	char *end;

	*out = strtoul(text, &end, 10);
	if (*text < '0' || *text > '9' || *end || !*out || *out > max)
		return usage_error("export", "--%s takes a number from 1 to %lu; not %s", option,
				   max, text);
	return 0;
}

/* Devices say 6000, 6100 and so on. */
static int parse_version(const char *text)
{
	unsigned long n;
	int rc = parse_number("apf-version", text, 9999, &n);

	if (rc)
		return rc;
	if (n != 4 && n != 6 && n / 1000 != 6)
		return usage_error("export", "--apf-version is 4 or 6; not %s", text);
	options.config.version = n == 4 ? 4 : 6;
	return 0;
}

static int parse_option(int c, const char *arg)
{
	unsigned long n;
	int rc;

	switch (c) {
	case OPT_VERSION:
		return parse_version(arg);
	case OPT_MAX_SIZE:
		rc = parse_number("max-size", arg, FMP_APF_SIZE_MAX, &n);
		options.config.max_size = n;
		return rc;
	case OPT_TRUNCATE:
		options.config.truncate = true;
		return 0;
	case OPT_HEX:
		options.hex = true;
		return 0;
	case OPT_LIST:
		options.list = true;
		return 0;
	case OPT_FROM:
		options.from = arg;
		return 0;
	default:
		options.protect = arg;
		return 0;
	}
}

static void print_program(const struct fmp_apf_program *p)
{
	if (options.list) {
		printf("# APFv%u: %zu bytes, %zu blocks\n", options.config.version, p->len,
		       p->n_blocks);
		fmp_apf_disassemble(p->bytes, p->len, stdout);
	} else if (options.hex) {
		for (size_t i = 0; i < p->len; i++)
			printf("%02x", p->bytes[i]);
		putchar('\n');
	} else {
		fwrite(p->bytes, 1, p->len, stdout);
	}
}

static void warn_of_others(const struct apf_rules *l)
{
	if (l->narrowed)
		fprintf(stderr,
			"fmpctl: without %zu limits and blocks of one port: the program knows only addresses\n",
			l->narrowed);
	if (l->observed)
		fprintf(stderr, "fmpctl: without %zu blocks that fmpd only observes\n",
			l->observed);
}

/* Return: an exit code. */
static int load_rules(const struct ctl *ctl, struct apf_rules *l)
{
	int rc;

	if (!options.from)
		rc = apf_rules_of_fmpd(ctl, l);
	else
		rc = apf_rules_of_file(ctl, l, options.from, false);
	if (rc)
		return rc;
	if (options.protect)
		return apf_rules_of_file(ctl, l, options.protect, true);
	if (options.from)
		fputs("fmpctl: no address is protected: a file of blocks has none; give the gateway, the DNS servers "
		      "and other hosts with --protect\n",
		      stderr);
	return 0;
}

static void print_left_out(const struct apf_rules *l, const struct fmp_apf_program *p)
{
	char addr[FMP_ADDR_STRLEN];
	size_t shown = 0;

	fprintf(stderr, "fmpctl: %zu of %zu blocks are left out:\n", p->n_left_out,
		p->n_left_out + p->n_blocks);
	for (size_t i = 0; i < l->n && shown < LEFT_OUT_SHOWN; i++) {
		if (!l->v[i].left_out)
			continue;
		fprintf(stderr, "fmpctl: %s\n", fmp_addr_format(&l->v[i].addr, addr, sizeof(addr)));
		shown++;
	}
	if (p->n_left_out > shown)
		fprintf(stderr, "fmpctl: and %zu more\n", p->n_left_out - shown);
}

/* Return: an exit code. */
static int compile_program(const struct ctl *ctl, struct apf_rules *l)
{
	struct fmp_apf_program p;
	struct fmp_error err, why;
	int rc = fmp_apf_compile(l->v, l->n, &options.config, &p, &err);

	if (rc == FMP_ERR_LIMIT && !options.config.truncate) {
		fmp_error_set(
			&why, FMP_ERR_LIMIT,
			"%s: give the size of the device's with --max-size, or leave out those that end first with --truncate",
			err.message);
		return control_print_error(ctl, EXIT_REFUSED, &why);
	}
	if (rc)
		return control_print_error(ctl, rc == FMP_ERR_INVALID ? EXIT_USAGE : EXIT_REFUSED,
					   &err);
	print_program(&p);
	warn_of_others(l);
	if (p.n_left_out)
		print_left_out(l, &p);
	free(p.bytes);
	return p.n_left_out ? EXIT_PARTLY : EXIT_OK;
}

static int check_arguments(const struct ctl *ctl, int argc, char **argv)
{
	char hint[SUGGESTION_MAX];

	if (argc != 1 || strcmp(argv[0], "apf") != 0)
		return usage_error("export", "takes the form of the export, apf%s",
				   argc ? suggest_word(argv[0], "apf", hint) : "");
	if (ctl->json)
		return usage_error("export", "it writes a program, not JSON");
	if (options.hex && options.list)
		return usage_error("export", "either --hex or --list");
	if (!options.hex && !options.list && isatty(STDOUT_FILENO))
		return usage_error("export",
				   "a program is not for a terminal: use --hex, --list or a file");
	return 0;
}

static int run_export(const struct ctl *ctl, int argc, char **argv)
{
	struct apf_rules l = { 0 };
	int rc = check_arguments(ctl, argc, argv);

	if (rc)
		return rc;
	if (!options.config.max_size)
		options.config.max_size = options.config.version == 4 ? FMP_APF_SIZE_V4
								      : FMP_APF_SIZE_V6;
	rc = load_rules(ctl, &l);
	if (!rc)
		rc = compile_program(ctl, &l);
	apf_rules_free(&l);
	return rc;
}

const struct command cmd_export = {
	.name = "export",
	.args = "apf [--apf-version 4|6] [--max-size N] [--truncate] [--hex | --list] [--from LIST] [--protect LIST]",
	.summary = "the block list as a program for the firmware of a Wi-Fi chip",
	.help = "The program is for the Android Packet Filter (APF). It drops the frames that the kernel module would\n"
		"stop: those of a blocked MAC, IPv4 or IPv6 address, unless one of its addresses is protected. A block\n"
		"ends in it when its time is over, counted from the installation.\n"
		"  --apf-version N  4 (the default) or 6, which also counts\n"
		"  --max-size N     bytes of the device's program memory (1024; version 6: 2000)\n"
		"  --truncate       if not all blocks fit, leave out those that end first; exit status 4\n"
		"  --hex            hexadecimal, as adb shell cmd network_stack apf wlan0 install takes it\n"
		"  --list           one instruction a line\n"
		"  --from LIST      the blocks of a file, as block --file reads it, instead of fmpd's\n"
		"  --protect LIST   protected addresses, one a line; beside fmpd's\n",
	.verbs = verbs,
	.options = long_options,
	.option = parse_option,
	.run = run_export,
};
