// SPDX-License-Identifier: GPL-2.0
/* Takes single messages through the code of the gateway: the strict HTTP reader and the pipeline. */
#include "lib/fmpctl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/inspect.h>

#include <fmp/internal/http.h>
#include <fmp/internal/evaluate.h>
#include "lib/message_file.h"
#include <fmp/internal/text.h>

#include "lib/control_client.h"
#include "lib/text.h"

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

struct inspect_run {
	struct fmp_inspector *inspector;
	struct fmp_inspect_config config;
	struct fmp_policy_algorithms algorithms;
	const struct fmp_policy_http *http;
	/* What HTTP messages are evaluated with; its inspector is the one above. */
	struct fmp_policy_gateway demands;
	struct fmp_evaluator *evaluator;
	bool json, rejected;
	bool answer; /* messages are responses, not requests */
};

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

/* ---- one verdict ---- */

static void print_verdict(const char *file, const struct fmp_inspection *v)
{
	if (v->line)
		fmp_text_print(stdout, "%s:%u: ", file, v->line);
	else
		fmp_text_print(stdout, "%s: ", file);
	text_word(v->accepted ? "accept" : "reject");
	if (!v->accepted)
		fmp_text_print(stdout, " at %s (%s): %s", fmp_step_name(v->step),
			       v->kind == FMP_EVENT_GOOD ? "nobody's offence"
							 : fmp_event_kind_name(v->kind),
			       v->detail);
	else if (v->tls_signer)
		fmp_text_print(
			stdout,
			" (warning: the signer's certificate is for TLS alone; see purpose in fmp-policy(5))");
	putchar('\n');
}

static void report_verdict(struct inspect_run *b, const char *file, const struct fmp_inspection *v)
{
	struct record r;

	if (!v->accepted)
		b->rejected = true;
	if (!b->json) {
		print_verdict(file, v);
		return;
	}
	if (record_new(&r))
		return;
	record_set_text(&r, FMP_F_FILE, file);
	record_set_text(&r, FMP_F_VERDICT, v->accepted ? "accept" : "reject");
	record_set_text(&r, FMP_F_STEP, fmp_step_name(v->step));
	record_set_text(&r, FMP_F_KIND, fmp_event_kind_name(v->kind));
	record_set_number(&r, FMP_F_LINE, v->line);
	record_set_text(&r, FMP_F_DETAIL, v->detail);
	print_json_line(&r);
	record_free(&r);
}

static void set_refusal(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
			const char *detail)
{
	*v = (struct fmp_inspection){ .step = step, .kind = kind };
	snprintf(v->detail, sizeof(v->detail), "%s", detail);
}

/* A file without an HTTP header. */
static void inspect_message(struct inspect_run *b, const void *bytes, size_t len,
			    struct fmp_inspection *v)
{
	struct fmp_message m = {
		.bytes = bytes,
		.len = len,
		.now_s = options.has_now ? options.now_s : time(NULL),
		.answer = b->answer,
	};

	if (fmp_inspect(b->inspector, &m, v))
		set_refusal(v, v->step, FMP_EVENT_CRASH, "memory ran out");
	fmp_evaluate_browser_page(b->inspector, &m, v);
}

/* ---- raw HTTP ---- */

static bool is_http_answer(const unsigned char *bytes, size_t len)
{
	return len > 7 && memcmp(bytes, "HTTP/1.", 7) == 0;
}

static bool is_request(const unsigned char *bytes, size_t len)
{
	const unsigned char *end = memchr(bytes, '\n', len);

	return end && isupper(*bytes) &&
	       memmem(bytes, (size_t)(end - bytes), " HTTP/", strlen(" HTTP/"));
}

/* A Fault comes with 500 (SOAP 1.1 6.2); SOAP 1.2 also uses 400 (part 2, 7.5.2.2). */
static bool has_status_of_soap(const struct fmp_http *h, const struct fmp_media *media)
{
	return h->code == 200 || h->code == 500 ||
	       (h->code == 400 && strcmp(media->type, "application/soap+xml") == 0);
}

/* As a worker of the gateway does: type, action, attachments, then the pipeline. */
static void evaluate_http(struct inspect_run *b, const struct fmp_http *h, struct fmp_inspection *v)
{
	struct fmp_job job = { .body = h->body ? h->body : (const void *)"",
			       .len = h->body_len,
			       .has_action = h->has_action,
			       .coding = h->coding,
			       .answer = b->answer };
	struct fmp_evaluation j;

	memcpy(job.content_type, h->content_type, sizeof(job.content_type));
	memcpy(job.soap_action, h->soap_action, sizeof(job.soap_action));
	fmp_evaluate(b->evaluator, &job, options.has_now ? options.now_s : time(NULL), &j);
	/* Only the verdict is kept: what is forwarded may be in the evaluation's own memory. */
	*v = j.v;
	v->own = v->own_reply_context = NULL;
	v->own_doc[0] = v->own_doc[1] = NULL;
	fmp_evaluate_clear(&j);
}

static void inspect_http(struct inspect_run *b, const struct fmp_http *h, struct fmp_inspection *v)
{
	bool plain = b->config.security == FMP_SECURITY_OS;
	struct fmp_media media;

	fmp_media_read(h->content_type, &media);
	if (b->answer && !plain && !has_status_of_soap(h, &media)) {
		/* The gateway neither inspects nor forwards a body with such a status. */
		if (h->code < 300)
			*v = (struct fmp_inspection){ .accepted = true, .step = FMP_STEP_DONE };
		else
			set_refusal(v, FMP_STEP_HTTP, FMP_EVENT_GOOD,
				    "it answered with a status that is not SOAP's");
	} else if (b->answer && !h->body_len) {
		*v = (struct fmp_inspection){ .accepted = true, .step = FMP_STEP_DONE };
	} else if (!plain && fmp_http_is_browser_request(h)) {
		set_refusal(v, FMP_STEP_HTTP, FMP_EVENT_BROWSER,
			    h->cross_site ? "a web page of another site sent it" : media.why);
	} else {
		evaluate_http(b, h, v);
	}
}

/* Inspect all messages of the file, as of one connection; the first bad one ends it. */
static void inspect_connection(struct inspect_run *b, const char *file, const unsigned char *bytes,
			       size_t len)
{
	const struct fmp_http_limits limits = { .header_bytes = b->http->header_bytes,
						.fields = b->http->fields,
						.target_bytes = b->http->target_bytes,
						.body_bytes = b->config.limits.body_bytes,
						.response = b->answer };
	struct fmp_inspection v = { 0 };
	struct fmp_http h;
	size_t at = 0, used;

	fmp_http_init(&h, &limits);
	do {
		fmp_inspection_clear(&v);
		v = (struct fmp_inspection){ 0 };
		fmp_http_next(&h);
		fmp_http_feed(&h, bytes + at, len - at, &used);
		at += used;
		if (b->answer && h.state == FMP_HTTP_READING)
			fmp_http_finish(&h);
		if (h.state == FMP_HTTP_DONE)
			inspect_http(b, &h, &v);
		else if (h.state == FMP_HTTP_REFUSED)
			set_refusal(&v, FMP_STEP_HTTP, h.kind, h.detail);
		else
			set_refusal(&v, FMP_STEP_HTTP, FMP_EVENT_CONNECTION,
				    "the request ends before its end");
	} while (v.accepted && at < len);
	report_verdict(b, file, &v);
	fmp_inspection_clear(&v);
	fmp_http_exit(&h);
}

/* ---- the command ---- */

static int inspect_file(struct inspect_run *b, const char *file)
{
	struct fmp_inspection v = { 0 };
	struct fmp_error err;
	unsigned char *bytes;
	size_t len;

	if (message_file_read(file, &bytes, &len, &err)) {
		fprintf(stderr, "fmpctl: %s\n", err.message);
		return EXIT_USAGE;
	}
	if (is_http_answer(bytes, len) && !b->answer) {
		set_refusal(&v, FMP_STEP_HTTP, FMP_EVENT_HTTP,
			    "an HTTP answer, not a request: --answer looks at these");
		report_verdict(b, file, &v);
	} else if (b->answer && is_request(bytes, len)) {
		set_refusal(
			&v, FMP_STEP_HTTP, FMP_EVENT_HTTP,
			options.answer
				? "an HTTP request, not an answer: without --answer it is looked at"
				: "an HTTP request, not an answer: of a <client> only answers are "
				  "looked at");
		report_verdict(b, file, &v);
	} else if (b->answer ? is_http_answer(bytes, len) : is_request(bytes, len)) {
		inspect_connection(b, file, bytes, len);
	} else {
		inspect_message(b, bytes, len, &v);
		report_verdict(b, file, &v);
		fmp_inspection_clear(&v);
	}
	free(bytes);
	return 0;
}

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

static struct fmp_inspect_config make_config(const struct fmp_policy_gateway *demands)
{
	struct fmp_inspect_config cfg = fmp_inspect_config_of(demands);

	/*
	 * Without a policy there is no limit of age and no replay check. A message without an Expires then
	 * may have any age; it does not last for ever.
	 */
	if (!options.policy) {
		cfg.max_age_ms = ANY_AGE_MS;
		cfg.replay_entries = cfg.replay_per_signer = 0;
	}
	if (options.has_security)
		cfg.security = options.security;
	if (options.has_engine)
		cfg.xmlsec_only = options.xmlsec_only;
	if (options.schema) {
		cfg.schema = options.schema;
		cfg.port = NULL;
		/* The user names the file, and reads with own rights: its imports may lead upwards. */
		if (!options.policy)
			cfg.schema_folder = "/";
	}
	if (options.catalog)
		cfg.catalog = options.catalog;
	if (options.port)
		cfg.port = options.port;
	if (options.ca)
		cfg.trust = options.ca;
	if (options.key)
		cfg.key = options.key;
	if (options.has_order)
		cfg.order = options.order;
	return cfg;
}

/*
 * Refuse options that would have no effect, as the policy refuses such settings. --schema, --ca, --key and --now are
 * allowed with any --config, and so is the default value of an option.
 */
static int check_options(const struct fmp_inspect_config *cfg)
{
	static const struct fmp_policy_algorithms usual = FMP_ALGORITHMS_DEFAULT;
	const char *under = fmp_security_name(cfg->security);
	bool decrypts = cfg->security == FMP_SECURITY_BCE || cfg->security == FMP_SECURITY_BCES;

	if (options.port && cfg->security < FMP_SECURITY_BCV)
		return usage_error(
			"inspect",
			"--port chooses in a WSDL, which is not looked at under %s: take "
			"--config BcV, BcS, BcE or BcES",
			under);
	if (options.catalog && !cfg->schema)
		return usage_error("inspect",
				   "--catalog is for the imports of a schema, and there is none: "
				   "name it by --schema");
	if (options.port && !cfg->schema)
		return usage_error("inspect",
				   "--port chooses in a WSDL, and there is none: name it by "
				   "--schema");
	if (options.has_order && options.order != FMP_ORDER_SIGN_ENCRYPT &&
	    cfg->security != FMP_SECURITY_BCES)
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

static void print_notes(const struct fmp_inspector *i)
{
	struct fmp_error note;
	char text[700];

	for (unsigned n = 0; fmp_inspector_wsdl_note(i, n, &note); n++)
		fmp_text_print(stderr, "fmpctl: warning: %s\n",
			       fmp_error_format(&note, text, sizeof(text)));
}

static void set_evaluator(struct inspect_run *b, struct fmp_evaluator *e,
			  const struct fmp_policy *policy)
{
	b->demands.security = b->config.security;
	e->policy = policy;
	e->n_services = 1;
	e->service[0] = (struct fmp_evaluate_service){ .name = "",
						       .demands = &b->demands,
						       .inspector = b->inspector };
	b->evaluator = e;
}

/* @s: NULL: the demands of <gateway> count */
static int run_files(const struct ctl *ctl, const struct fmp_policy *policy,
		     const struct fmp_policy_service *s, int argc, char **argv)
{
	const struct fmp_policy_gateway *demands = s ? &s->demands : &policy->gateway;
	struct inspect_run b = { .config = make_config(demands),
				 .http = &policy->gateway.http,
				 .demands = *demands,
				 .json = ctl->json,
				 /* For a <client> only the responses are inspected. */
				 .answer = options.answer || (s && s->client) };
	struct fmp_evaluator evaluator = { 0 };
	struct fmp_error err;
	int rc = 0;

	if (policy->n_services && !s)
		fputs("fmpctl: the demands of <gateway> count, not those of one of <services>: "
		      "--service NAME looks at these\n",
		      stderr);
	if (options.policy && *policy->folder)
		b.config.schema_folder = policy->folder;
	if (options.ciphers) {
		b.algorithms = demands->algorithms;
		b.algorithms.encryption = options.ciphers;
		b.config.algorithms = &b.algorithms;
	}
	if (check_options(&b.config))
		return EXIT_USAGE;
	if (fmp_inspect_global_init(&err))
		return control_print_error(ctl, EXIT_REFUSED, &err);
	if (fmp_inspector_new(&b.config, &b.inspector, &err)) {
		rc = control_print_error(ctl, EXIT_USAGE, &err);
	} else if (options.port && !fmp_inspector_has_wsdl(b.inspector)) {
		rc = usage_error(
			"inspect",
			"--port chooses in a WSDL, and %s is an XML Schema: leave it out, or "
			"name the WSDL by --schema",
			b.config.schema);
		fmp_inspector_free(b.inspector);
	} else {
		print_notes(b.inspector);
		set_evaluator(&b, &evaluator, policy);
		for (int i = 0; i < argc; i++)
			if (inspect_file(&b, argv[i]))
				rc = EXIT_USAGE;
		fmp_inspector_free(b.inspector);
	}
	fmp_inspect_global_exit();
	return rc ? rc : b.rejected ? EXIT_REFUSED : EXIT_OK;
}

static int run_inspect(const struct ctl *ctl, int argc, char **argv)
{
	const struct fmp_policy_service *service = NULL;
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
	service = options.service ? find_service(policy) : NULL;
	rc = options.service && !service ? EXIT_USAGE : run_files(ctl, policy, service, argc, argv);
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
	.help = "  --policy P    limits, schema, trust, key and config of a policy's <gateway>, without\n"
		"                compression; other options override them\n"
		"  --service N   of one of its <services> instead, or of a <client>, whose responses are\n"
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
		"FILE is a SOAP message, or a raw HTTP request (with --answer: response; recognized by its\n"
		"first line), which goes through the gateway's HTTP reader first; - is standard input. Needs\n"
		"no fmpd. Parts of a WSDL that are left out are listed on standard error.\n"
		"With --json one object a line: file, verdict (accept, reject), step, kind, line, detail.\n"
		"Exit status: 0 all accepted, 1 some rejected, 2 a file or an option can't be used.\n",
	.options = long_options,
	.option = parse_option,
	.arguments = { ARG_FILE, ARG_FILE },
	.run = run_inspect,
};
