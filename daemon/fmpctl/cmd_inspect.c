// SPDX-License-Identifier: GPL-2.0
/* Takes single messages through the code of the gateway: the strict HTTP reader and the pipeline. */
#include "lib/fmpctl.h"

#include <stdio.h>
#include <string.h>

#include "inspect/file.h"
#include "lib/control_client.h"
#include "lib/message_file.h"

/* A thousand years. */
#define ANY_AGE_MS (1000ull * 365 * 86400 * 1000)

enum {
	OPT_POLICY = 256,
	OPT_SCHEMA,
	OPT_CATALOG,
	OPT_CA,
	OPT_KEY,
	OPT_CONFIG,
	OPT_NOW,
	OPT_ORDER,
	OPT_SIGNATURES,
	OPT_ENCRYPTION,
	OPT_SERVICE,
	OPT_PORT,
	OPT_ANSWER
};

static const struct option long_options[] = {
	{ "policy", required_argument, NULL, OPT_POLICY },
	{ "schema", required_argument, NULL, OPT_SCHEMA },
	{ "catalog", required_argument, NULL, OPT_CATALOG },
	{ "ca", required_argument, NULL, OPT_CA },
	{ "key", required_argument, NULL, OPT_KEY },
	{ "config", required_argument, NULL, OPT_CONFIG },
	{ "now", required_argument, NULL, OPT_NOW },
	{ "order", required_argument, NULL, OPT_ORDER },
	{ "signatures", required_argument, NULL, OPT_SIGNATURES },
	{ "encryption", required_argument, NULL, OPT_ENCRYPTION },
	{ "service", required_argument, NULL, OPT_SERVICE },
	{ "port", required_argument, NULL, OPT_PORT },
	{ "answer", no_argument, NULL, OPT_ANSWER },
	{ 0 },
};

static struct {
	const char *policy, *schema, *catalog, *ca, *key, *service, *port;
	bool answer;
	bool has_security, has_now, has_order, has_engine, xmlsec_only;
	enum fmp_security security;
	enum fmp_order order;
	int64_t now_s;
	unsigned ciphers; /* 0: those of the policy */
} options;

static int parse_order(const char *arg)
{
	char hint[SUGGESTION_MAX];

	for (unsigned o = 0; o < FMP_ORDERS; o++) {
		if (strcmp(arg, fmp_order_name(o)) == 0) {
			options.order = o;
			options.has_order = true;
			return 0;
		}
	}
	return usage_error("inspect", "--order takes %s, %s or %s; not %s%s",
			   fmp_order_name(FMP_ORDER_SIGN_ENCRYPT),
			   fmp_order_name(FMP_ORDER_ENCRYPT_SIGN),
			   fmp_order_name(FMP_ORDER_ENCRYPT_SIGN_ENCRYPT), arg,
			   suggest_value(arg, "order", hint));
}

static int parse_encryption(const char *arg)
{
	char why[256];

	if (fmp_ciphers_parse(arg, &options.ciphers, why, sizeof(why)))
		return usage_error("inspect", "--encryption %s", why);
	return 0;
}

static int parse_config(const char *arg)
{
	char hint[SUGGESTION_MAX];

	if (fmp_security_parse(arg, &options.security))
		return usage_error("inspect",
				   "--config takes Os, Bc, BcV, BcS, BcE or BcES; not %s%s", arg,
				   suggest_value(arg, "config", hint));
	options.has_security = true;
	return 0;
}

static int parse_signatures(const char *arg)
{
	char hint[SUGGESTION_MAX];

	options.xmlsec_only = strcmp(arg, "xmlsec1") == 0;
	if (!options.xmlsec_only && strcmp(arg, "fast") != 0)
		return usage_error("inspect", "--signatures takes fast or xmlsec1; not %s%s", arg,
				   suggest_value(arg, "signatures", hint));
	options.has_engine = true;
	return 0;
}

static int parse_now(const char *arg)
{
	if (timestamp_parse(arg, &options.now_s))
		return usage_error("inspect", "--now takes 2026-11-21T04:00:00Z or @EPOCH; not %s",
				   arg);
	options.has_now = true;
	return 0;
}

static int set_answer(const char *arg)
{
	options.answer = true;
	return 0;
}

#define HANDLER(option) [(option)-OPT_POLICY]

/* Each option either stores its argument or has a parser. */
static const struct {
	const char **store;
	int (*parse)(const char *arg);
} handlers[] = {
	HANDLER(OPT_POLICY) = { .store = &options.policy },
	HANDLER(OPT_SCHEMA) = { .store = &options.schema },
	HANDLER(OPT_CATALOG) = { .store = &options.catalog },
	HANDLER(OPT_CA) = { .store = &options.ca },
	HANDLER(OPT_KEY) = { .store = &options.key },
	HANDLER(OPT_SERVICE) = { .store = &options.service },
	HANDLER(OPT_PORT) = { .store = &options.port },
	HANDLER(OPT_CONFIG) = { .parse = parse_config },
	HANDLER(OPT_NOW) = { .parse = parse_now },
	HANDLER(OPT_ORDER) = { .parse = parse_order },
	HANDLER(OPT_SIGNATURES) = { .parse = parse_signatures },
	HANDLER(OPT_ENCRYPTION) = { .parse = parse_encryption },
	HANDLER(OPT_ANSWER) = { .parse = set_answer },
};

static int parse_option(int c, const char *arg)
{
	unsigned i = (unsigned)(c - OPT_POLICY);

	if (handlers[i].parse)
		return handlers[i].parse(arg);
	*handlers[i].store = arg;
	return 0;
}

/* ---- the command ---- */

/* List the names of the policy's services, for error texts. */
static void list_services(const struct fmp_policy *p, char *out, size_t size)
{
	size_t len = 0;

	*out = '\0';
	for (size_t i = 0; i < p->n_services && len < size; i++)
		len += (size_t)snprintf(out + len, size - len, "%s%s", i ? " " : "",
					p->services[i].name);
}

/* Return: the service; NULL: unknown, which is printed. */
static const struct fmp_policy_service *find_service(const struct fmp_policy *p)
{
	char names[512], hint[SUGGESTION_MAX];

	for (size_t i = 0; i < p->n_services; i++)
		if (strcmp(p->services[i].name, options.service) == 0)
			return &p->services[i];
	list_services(p, names, sizeof(names));
	if (!p->n_services)
		(void)usage_error("inspect", "--service %s: the policy has no services",
				  options.service);
	else
		(void)usage_error("inspect", "--service %s: there is none of that name, but %s%s",
				  options.service, names,
				  suggest_word(options.service, names, hint));
	return NULL;
}

/* Return: 0; EXIT_USAGE: it is too long for a policy, which is printed. */
static int set_path(const char *option, const char *value, char *out, size_t size)
{
	if (!value)
		return 0;
	if (strlen(value) >= size)
		return usage_error("inspect", "--%s takes up to %zu bytes", option, size - 1);
	strcpy(out, value);
	return 0;
}

/* Return: 0, EXIT_USAGE. */
static int override_demands(struct fmp_policy_gateway *g)
{
	/*
	 * Without a policy there is no limit of age and no replay check. A message without an Expires then
	 * may have any age; it does not last for ever.
	 */
	if (!options.policy) {
		g->max_age_ms = ANY_AGE_MS;
		g->replay_entries = g->replay_per_signer = 0;
	}
	if (options.has_security)
		g->security = options.security;
	if (options.has_engine)
		g->fast_signatures = !options.xmlsec_only;
	if (options.has_order)
		g->order = options.order;
	if (options.ciphers)
		g->algorithms.encryption = options.ciphers;
	if (options.schema)
		g->port[0] = '\0';
	return set_path("schema", options.schema, g->schema, sizeof(g->schema)) ||
			       set_path("catalog", options.catalog, g->catalog,
					sizeof(g->catalog)) ||
			       set_path("port", options.port, g->port, sizeof(g->port)) ||
			       set_path("ca", options.ca, g->trust, sizeof(g->trust)) ||
			       set_path("key", options.key, g->key, sizeof(g->key))
		       ? EXIT_USAGE
		       : 0;
}

/* Other options override what the policy says of all its services. Return: 0, EXIT_USAGE. */
static int override_policy(struct fmp_policy *p)
{
	int rc = override_demands(&p->gateway);

	for (size_t i = 0; i < p->n_services && !rc; i++)
		rc = override_demands(&p->services[i].demands);
	/* The user names the file, and reads with own rights: its imports may lead upwards. */
	if (!options.policy && options.schema)
		strcpy(p->folder, "/");
	return rc;
}

/*
 * Refuse options that would have no effect, as the policy refuses such settings. --schema, --ca, --key and --now are
 * allowed with any --config, and so is the default value of an option.
 */
static int check_options(const struct fmp_policy_gateway *demands)
{
	static const struct fmp_policy_algorithms usual = FMP_ALGORITHMS_DEFAULT;
	const char *under = fmp_security_name(demands->security);
	bool decrypts = demands->security == FMP_SECURITY_BCE ||
			demands->security == FMP_SECURITY_BCES;

	if (options.port && demands->security < FMP_SECURITY_BCV)
		return usage_error(
			"inspect",
			"--port chooses in a WSDL, which is not looked at under %s: take "
			"--config BcV, BcS, BcE or BcES",
			under);
	if (options.catalog && !*demands->schema)
		return usage_error("inspect",
				   "--catalog is for the imports of a schema, and there is none: "
				   "name it by --schema");
	if (options.port && !*demands->schema)
		return usage_error("inspect",
				   "--port chooses in a WSDL, and there is none: name it by "
				   "--schema");
	if (options.has_order && options.order != FMP_ORDER_SIGN_ENCRYPT &&
	    demands->security != FMP_SECURITY_BCES)
		return usage_error("inspect",
				   "--order %s says what is done first of two, and %s does not "
				   "demand both: take --config BcES",
				   fmp_order_name(options.order), under);
	if (options.ciphers && options.ciphers != usual.encryption && !decrypts)
		return usage_error("inspect",
				   "--encryption says what is decrypted, and %s decrypts nothing: "
				   "take --config BcE or BcES",
				   under);
	return 0;
}

static int run_files(struct inspect_run *r, int argc, char **argv)
{
	int rc = 0;

	for (int i = 0; i < argc && !r->failed; i++)
		if (inspect_file(r, argv[i]))
			rc = EXIT_USAGE;
	inspect_run_exit(r);
	return rc ? rc : r->rejected ? EXIT_REFUSED : EXIT_OK;
}

static int run_policy(const struct ctl *ctl, struct fmp_policy *policy, int argc, char **argv)
{
	struct inspect_run r = { .ctl = ctl,
				 .policy = policy,
				 .has_policy = options.policy,
				 .answer = options.answer,
				 .port = options.port,
				 .has_now = options.has_now,
				 .now_s = options.now_s };
	int rc = override_policy(policy);

	if (rc)
		return rc;
	r.service = options.service ? find_service(policy) : NULL;
	if (options.service && !r.service)
		return EXIT_USAGE;
	rc = check_options(r.service ? &r.service->demands : &policy->gateway);
	return rc ? rc : run_files(&r, argc, argv);
}

static int run_inspect(const struct ctl *ctl, int argc, char **argv)
{
	struct fmp_policy *policy = NULL;
	struct fmp_error err;
	int rc;

	if (!argc)
		return usage_error("inspect", "takes one or more files");
	if (!options.policy && !options.has_security)
		return usage_error("inspect", "needs --config or --policy");
	if (options.service && !options.policy)
		return usage_error("inspect", "--service is one of a --policy");
	if (!options.policy) {
		policy = fmp_policy_default();
		rc = policy ? 0 : fmp_error_set(&err, FMP_ERR_NOMEM, "no memory");
	} else {
		rc = fmp_policy_load(options.policy, NULL, &policy, &err);
	}
	if (rc)
		return control_print_error(ctl, EXIT_USAGE, &err);
	rc = run_policy(ctl, policy, argc, argv);
	fmp_policy_free(policy);
	return rc;
}

const struct command cmd_inspect = {
	.name = "inspect",
	.args = "[--policy P] --schema X.xsd --ca CA.crt [--key K.key]\n"
		"                      --config Bc|BcV|BcS|BcE|BcES [--now TIME]\n"
		"                      [--order ORDER] [--signatures fast|xmlsec1]\n"
		"                      [--encryption CIPHERS] [--service NAME] [--port NAME]\n"
		"                      [--answer] [--json] FILE...",
	.summary = "take single messages through the code of the gateway",
	.help = "  --policy P    a policy: raw HTTP requests are evaluated by the service that its gateway would\n"
		"                choose, other files by its <gateway>; further options override it\n"
		"  --service N   all by this one of its <services>, or by a <client>, whose responses are\n"
		"                inspected\n"
		"  --answer      files are responses of the service, not requests: Faults are accepted\n"
		"  --schema F    XSD or WSDL of the Web service\n"
		"  --catalog F   XML catalog: maps what the schema imports to files\n"
		"  --port N      the port of that WSDL whose messages are accepted\n"
		"  --ca F        PEM file of trusted CAs\n"
		"  --key F       PEM private key for decryption\n"
		"  --config C    the security demanded: Os, Bc, BcV, BcS, BcE, BcES\n"
		"  --now TIME    the wall clock: 2026-11-21T04:00:00Z or @EPOCH (now)\n"
		"  --order O     under BcES: sign-then-encrypt (the default), encrypt-then-sign,\n"
		"                encrypt-sign-encrypt\n"
		"  --signatures E  verify by: fast (own code, xmlsec1 for forms it does not support) or\n"
		"                xmlsec1\n"
		"  --encryption C  ciphers allowed for data, as in <algorithms>: \"aes128-gcm\n"
		"                aes256-gcm\" (the default), or \"aes128-cbc aes256-cbc\" for peers that\n"
		"                support nothing else\n\n"
		"--schema, --catalog, --ca, --key and --now are ignored where --config does not need them; any other\n"
		"option without effect is refused.\n\n"
		"FILE is a SOAP message, or raw HTTP (recognized by its first line), which goes through the\n"
		"gateway's HTTP reader first: one or more requests of a connection, or responses, with --answer\n"
		"or where --service says whose; - is standard input. With a policy the service is printed, what\n"
		"would be forwarded (URL, fields withheld and added), or the status of the gateway's answer.\n"
		"Needs no fmpd. Parts of a WSDL that are left out are listed on standard error.\n"
		"With --json one object a message: file, verdict (accept, reject), step, kind, line, detail; of\n"
		"raw HTTP number, service, status or backend, target, withheld, added.\n"
		"Exit status: 0 all accepted, 1 some rejected, 2 a file or an option can't be used.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_inspect,
};
