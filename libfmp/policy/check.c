// SPDX-License-Identifier: GPL-2.0
/* Checks for settings that are valid each by itself, but contradict each other. */
#include <fmp/internal/policy_settings.h>

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <fmp/internal/policy_local.h>

struct check {
	const struct fmp_policy *p;
	const struct fmp_positions *where;
	struct fmp_error *err;
};

#define FIELD(f) offsetof(struct fmp_policy, f)

static bool is_written(const struct check *c, const struct fmpi_setting *s)
{
	return c->where->at[s - fmpi_settings].line != 0;
}

/*
 * Report a conflict at the setting that the user wrote, at the second one if both are written. If
 * only one is written, the text names the other as a default: it is not in the user's file.
 */
static int report_conflict(const struct check *c, size_t first, size_t second, const char *text)
{
	const struct fmpi_setting *a = fmpi_setting_by_offset(first),
				  *b = fmpi_setting_by_offset(second);
	const struct fmpi_setting *s = !is_written(c, b) && is_written(c, a) ? a : b;
	bool both = is_written(c, a) && is_written(c, b);
	const struct fmp_position *at;
	char hint[64] = "";
	const struct fmpi_element *e = fmpi_element_find(s->element);
	bool nested = e->parent && strcmp(e->parent, "policy");

	/* If both are written, prefer the one in the user's own file over one from a base. */
	if (both && c->where->at[b - fmpi_settings].file && !c->where->at[a - fmpi_settings].file)
		s = a;
	at = &c->where->at[s - fmpi_settings];
	if (is_written(c, a) != is_written(c, b) && a->type != FMPI_FILE && a->type != FMPI_BOOL)
		snprintf(hint, sizeof(hint), " (%s is a default)",
			 s == a ? b->attribute : a->attribute);
	(void)fmp_error_at(c->err, FMP_ERR_CONFLICT, at->file ? at->file : c->p->file, at->line,
			   at->column, "%s%s", text, hint);
	if (c->err)
		snprintf(c->err->path, sizeof(c->err->path), "/policy/%s%s%s/@%s",
			 nested ? e->parent : "", nested ? "/" : "", s->element, s->attribute);
	return FMP_ERR_CONFLICT;
}

static int check_suspicion(const struct check *c)
{
	const struct fmp_policy_suspicion *s = &c->p->suspicion;
	char text[200];

	if (s->suspicious > s->malicious) {
		snprintf(text, sizeof(text),
			 "malicious=\"%u\" is below suspicious=\"%u\": a source would be blocked "
			 "before it is suspicious",
			 s->malicious, s->suspicious);
		return report_conflict(c, FIELD(suspicion.suspicious), FIELD(suspicion.malicious),
				       text);
	}
	if (c->p->enforce.max_blocks >= s->max_sources) {
		snprintf(text, sizeof(text),
			 "max-blocks=\"%u\" is not below max-sources=\"%u\": blocked sources stand "
			 "in the table too, and would leave no room to watch others",
			 c->p->enforce.max_blocks, s->max_sources);
		return report_conflict(c, FIELD(suspicion.max_sources), FIELD(enforce.max_blocks),
				       text);
	}
	return 0;
}

static int check_block(const struct check *c)
{
	const struct fmp_policy_block *b = &c->p->block;
	char text[200], one[32], two[32];

	if (b->max_ms < b->duration_ms) {
		snprintf(text, sizeof(text),
			 "max=\"%s\" is shorter than duration=\"%s\", the first block",
			 fmp_duration_format(b->max_ms, one, sizeof(one)),
			 fmp_duration_format(b->duration_ms, two, sizeof(two)));
		return report_conflict(c, FIELD(block.duration_ms), FIELD(block.max_ms), text);
	}
	if (!b->forget_ms && b->factor_pct > 100)
		return report_conflict(
			c, FIELD(block.factor_pct), FIELD(block.forget_ms),
			"forget=\"0\" forgets every block at once: with it no block can "
			"grow by factor; write factor=\"1\" or a longer forget");
	if (!b->layers && !b->observe)
		return report_conflict(
			c, FIELD(block.observe), FIELD(block.layers),
			"layers=\"none\" blocks nowhere: write observe=\"yes\" if nothing "
			"is to be blocked");
	if (b->local_mac_pair && !b->mac)
		return report_conflict(
			c, FIELD(block.local_mac_pair), FIELD(block.mac),
			"mac=\"no\" blocks no MAC, not in a pair either: local-mac-pair "
			"needs mac=\"yes\"");
	return 0;
}

/* The layer premac holds neither limits nor blocks of a single port. */
static int check_narrowed(const struct check *c)
{
	const struct fmp_policy *p = c->p;
	const char *what = p->suspicious.limit ? "<suspicious action=\"limit\">"
			   : p->block.shared.narrow != FMP_NARROW_NO ? "<shared narrow=\"...\">"
								     : NULL;
	char text[200];

	if (p->block.layers != FMP_LAYER_BIT(FMP_LAYER_PREMAC) || !what)
		return 0;
	snprintf(text, sizeof(text),
		 "layers=\"premac\" holds whole blocks only, nothing of %s: did you mean "
		 "\"ip premac\"?",
		 what);
	return report_conflict(
		c, p->suspicious.limit ? FIELD(suspicious.limit) : FIELD(block.shared.narrow),
		FIELD(block.layers), text);
}

static int check_credit(const struct check *c)
{
	const struct fmp_policy_suspicion *s = &c->p->suspicion;
	const struct fmp_policy_shared *shared = &c->p->block.shared;
	char text[200];

	if (s->credit.points && s->credit.max >= s->malicious) {
		snprintf(text, sizeof(text),
			 "max=\"%u\" of <credit> is not below malicious=\"%u\": good messages "
			 "would outweigh all that blocks a source",
			 s->credit.max, s->malicious);
		return report_conflict(c, FIELD(suspicion.malicious), FIELD(suspicion.credit.max),
				       text);
	}
	if (shared->narrow == FMP_NARROW_NO)
		return 0;
	if (!s->credit.points)
		return report_conflict(c, FIELD(suspicion.credit.points),
				       FIELD(block.shared.narrow),
				       "<shared> goes by credit, and nobody has any: <credit "
				       "points=\"N\"> is missing");
	if (shared->credit > s->credit.max) {
		snprintf(text, sizeof(text),
			 "credit=\"%u\" is more than max=\"%u\" of <credit>: no source ever has it",
			 shared->credit, s->credit.max);
		return report_conflict(c, FIELD(suspicion.credit.max), FIELD(block.shared.credit),
				       text);
	}
	if (shared->up_to <= s->malicious) {
		snprintf(text, sizeof(text),
			 "up-to=\"%u\" is not above malicious=\"%u\": no block would be narrowed",
			 shared->up_to, s->malicious);
		return report_conflict(c, FIELD(suspicion.malicious), FIELD(block.shared.up_to),
				       text);
	}
	return 0;
}

static int check_rollup(const struct check *c)
{
	const struct fmp_policy_rollup *r = &c->p->block.rollup;
	char text[200];

	if (r->sources == 1)
		return report_conflict(
			c, FIELD(block.rollup.sources), FIELD(block.rollup.sources),
			"sources=\"1\" blocks a whole prefix for one source: write a "
			"shorter prefix of sources, or more of them");
	if (r->sources && r->ipv6_prefix >= c->p->suspicion.ipv6_prefix) {
		snprintf(text, sizeof(text),
			 "ipv6-prefix=\"%u\" of <rollup> is not shorter than that of <suspicion>, "
			 "\"%u\": it would hold one source",
			 r->ipv6_prefix, c->p->suspicion.ipv6_prefix);
		return report_conflict(c, FIELD(suspicion.ipv6_prefix),
				       FIELD(block.rollup.ipv6_prefix), text);
	}
	return 0;
}

static int check_saml(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	const struct fmp_policy_saml *s = &g->saml;
	bool signs = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;

	if (!s->n_issuers && s->required)
		return report_conflict(
			c, FIELD(gateway.saml.audiences), FIELD(gateway.saml.required),
			"required=\"yes\" asks for assertions: <issuer>, who may issue "
			"them, is missing");
	if (!s->n_issuers)
		return 0;
	if (g->security == FMP_SECURITY_OS)
		return report_conflict(
			c, FIELD(gateway.saml.audiences), FIELD(gateway.security),
			"security=\"Os\" looks into no message: no assertion would be "
			"verified");
	if (!s->bearer && !signs)
		return report_conflict(
			c, FIELD(gateway.saml.audiences), FIELD(gateway.saml.bearer),
			"an assertion for the holder of a key needs a signed message, BcS "
			"or BcES; for others write bearer=\"yes\"");
	if (s->one_time && !g->replay_entries)
		return report_conflict(c, FIELD(gateway.replay_entries),
				       FIELD(gateway.saml.one_time),
				       "one-time=\"yes\" needs <replay> entries: none are stored");
	return 0;
}

static int check_requirements(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	bool signs = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;
	bool encrypts = g->security == FMP_SECURITY_BCE || g->security == FMP_SECURITY_BCES;
	const char *name = fmp_security_name(g->security);
	char text[200];

	if (g->describe == FMP_DESCRIBE_ANSWER && !g->schema[0])
		return report_conflict(
			c, FIELD(gateway.describe), FIELD(gateway.schema),
			"describe=\"answer\" answers from a WSDL: schema=\"FILE\" is "
			"missing");
	if (g->security >= FMP_SECURITY_BCV && !g->schema[0]) {
		snprintf(text, sizeof(text),
			 "security=\"%s\" validates against a schema: schema=\"FILE\" is missing",
			 name);
		return report_conflict(c, FIELD(gateway.schema), FIELD(gateway.security), text);
	}
	if (signs && !g->trust[0]) {
		snprintf(text, sizeof(text),
			 "security=\"%s\" verifies signatures: trust=\"FILE\", the CAs, is missing",
			 name);
		return report_conflict(c, FIELD(gateway.trust), FIELD(gateway.security), text);
	}
	if (encrypts && !g->key[0]) {
		snprintf(text, sizeof(text),
			 "security=\"%s\" decrypts: key=\"FILE\", the private key, is missing",
			 name);
		return report_conflict(c, FIELD(gateway.key), FIELD(gateway.security), text);
	}
	if (g->content && g->security == FMP_SECURITY_OS)
		return report_conflict(
			c, FIELD(gateway.security), FIELD(gateway.security),
			"security=\"Os\" looks into no message: the rules of <content> "
			"would not be tried");
	if (g->replay_entries && g->replay_per_signer > g->replay_entries) {
		snprintf(text, sizeof(text),
			 "per-signer=\"%u\" is more than entries=\"%u\", the messages of all",
			 g->replay_per_signer, g->replay_entries);
		return report_conflict(c, FIELD(gateway.replay_entries),
				       FIELD(gateway.replay_per_signer), text);
	}
	return 0;
}

static int check_encrypted_parts(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	unsigned more = g->require_encrypted & ~FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY);

	if (more && g->security != FMP_SECURITY_BCE && g->security != FMP_SECURITY_BCES)
		return report_conflict(
			c, FIELD(gateway.security), FIELD(gateway.require_encrypted),
			"encrypted=\"...\" says what is encrypted beside the Body: that "
			"needs security BcE or BcES");
	if (more & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) && !g->passwords[0])
		return report_conflict(
			c, FIELD(gateway.passwords), FIELD(gateway.require_encrypted),
			"encrypted=\"username\" needs <username> passwords=\"FILE\": without "
			"users no UsernameToken is taken");
	if (more & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE) && g->security == FMP_SECURITY_BCE)
		return report_conflict(
			c, FIELD(gateway.security), FIELD(gateway.require_encrypted),
			"encrypted=\"signature\": a message under security=\"BcE\" has none");
	if (more & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE) && g->order == FMP_ORDER_ENCRYPT_SIGN)
		return report_conflict(
			c, FIELD(gateway.order), FIELD(gateway.require_encrypted),
			"encrypted=\"signature\": with order=\"encrypt-then-sign\" nothing is "
			"encrypted behind it, but with \"encrypt-sign-encrypt\"");
	if (g->order == FMP_ORDER_ENCRYPT_SIGN_ENCRYPT && g->security == FMP_SECURITY_BCES &&
	    !(more & (FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) |
		      FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE))))
		return report_conflict(
			c, FIELD(gateway.require_encrypted), FIELD(gateway.order),
			"order=\"encrypt-sign-encrypt\" needs encrypted=\"username\" or "
			"encrypted=\"signature\": what is encrypted behind the signature");
	return 0;
}

static int check_headers(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;

	if (g->headers <= FMP_HEADERS_STRIP || g->security == FMP_SECURITY_BCS ||
	    g->security == FMP_SECURITY_BCES)
		return 0;
	return report_conflict(
		c, FIELD(gateway.security), FIELD(gateway.headers),
		"headers=\"...\" says which signed header blocks are forwarded: that "
		"needs security BcS or BcES");
}

/* "endorsed" is the default, and harmless without a key. */
static int check_symmetric(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	bool signs = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;

	if (g->symmetric == FMP_SYMMETRIC_ENDORSED || g->symmetric == FMP_SYMMETRIC_NO)
		return 0;
	if (signs && !g->key[0])
		return report_conflict(
			c, FIELD(gateway.key), FIELD(gateway.symmetric),
			"symmetric=\"...\" takes signatures by an EncryptedKey: "
			"key=\"FILE\", the private key that decrypts it, is missing");
	if (g->symmetric == FMP_SYMMETRIC_SUPPORTED && signs && !g->passwords[0] &&
	    !(g->saml.n_issuers && g->saml.bearer))
		return report_conflict(
			c, FIELD(gateway.passwords), FIELD(gateway.symmetric),
			"symmetric=\"supported\" needs what names the sender: <username>, or "
			"<saml bearer=\"yes\">; without, write symmetric=\"endorsed\"");
	return 0;
}

/* Fields that HTTP or the gateway itself gives a meaning to; a hyphen at the end: all that begin so. */
static bool is_reserved_field(const char *name)
{
	static const char *const reserved[] = {
		"authorization", "connection", "content-", "cookie", "expect",	     "forwarded",
		"host",		 "keep-alive", "proxy-",   "range",  "soapaction",   "te",
		"trailer",	 "transfer-",  "upgrade",  "via",    "x-forwarded-",
	};

	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++) {
		size_t n = strlen(reserved[i]);

		if (!strncasecmp(name, reserved[i], n) && (reserved[i][n - 1] == '-' || !name[n]))
			return true;
	}
	return false;
}

static int check_identity(const struct check *c)
{
	const struct fmp_policy_identity *id = &c->p->gateway.identity;
	const struct {
		size_t field;
		const char *name;
	} fields[] = {
		{ FIELD(gateway.identity.subject), id->subject },
		{ FIELD(gateway.identity.issuer), id->issuer },
		{ FIELD(gateway.identity.user), id->user },
		{ FIELD(gateway.identity.assurance), id->assurance },
	};
	char text[200];

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const char *name = fields[i].name;

		/* RFC 9110 5.6.2; '_' is left out, as servers take it for '-'. */
		if (strspn(name,
			   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") !=
			    strlen(name) ||
		    is_reserved_field(name)) {
			snprintf(text, sizeof(text),
				 "\"%.64s\" can't be the name of a field that tells the identity: "
				 "letters, digits and hyphens, and none that HTTP itself uses",
				 name);
			return report_conflict(c, fields[i].field, fields[i].field, text);
		}
		for (size_t k = 0; k < i; k++)
			if (!strcasecmp(name, fields[k].name)) {
				snprintf(text, sizeof(text), "two fields have the name %.64s",
					 name);
				return report_conflict(c, fields[k].field, fields[i].field, text);
			}
	}
	return 0;
}

/* An <algorithms> list was restricted, but under this security no message is checked against it. */
static int check_algorithms(const struct check *c)
{
	static const struct fmp_policy_algorithms all = FMP_ALGORITHMS_DEFAULT;
	const struct fmp_policy_gateway *g = &c->p->gateway;
	const struct fmp_policy_algorithms *a = &g->algorithms;
	bool verifies = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES ||
			g->saml.n_issuers;
	bool decrypts = g->security == FMP_SECURITY_BCE || g->security == FMP_SECURITY_BCES ||
			(g->security == FMP_SECURITY_BCS && g->key[0]);
	const struct {
		size_t field;
		bool used, whole;
	} lists[] = {
		{ FIELD(gateway.algorithms.signature), verifies, a->signature == all.signature },
		{ FIELD(gateway.algorithms.digest), verifies, a->digest == all.digest },
		{ FIELD(gateway.algorithms.encryption), decrypts, a->encryption == all.encryption },
		{ FIELD(gateway.algorithms.key_transport), decrypts,
		  a->key_transport == all.key_transport },
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		const struct fmpi_setting *s = fmpi_setting_by_offset(lists[i].field);
		char text[160];

		if (lists[i].used || lists[i].whole || !is_written(c, s))
			continue;
		snprintf(text, sizeof(text),
			 "%s=\"...\" leaves out what no message is %s: that needs %s", s->attribute,
			 i < 2 ? "verified by" : "decrypted by",
			 i < 2 ? "security BcS or BcES, or <saml>"
			       : "security BcE, BcES or BcS with a key");
		return report_conflict(c, FIELD(gateway.security), lists[i].field, text);
	}
	return 0;
}

static int check_ciphers(const struct check *c)
{
	if (!fmp_ciphers_mixed(c->p->gateway.algorithms.encryption))
		return 0;
	return report_conflict(
		c, FIELD(gateway.algorithms.encryption), FIELD(gateway.algorithms.encryption),
		"encryption=\"...\" names CBC and GCM for keys of the same length: a "
		"captured GCM message could be said to be CBC; use GCM alone, or a service "
		"with a key of its own for peers that have CBC alone");
}

static int check_answers(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	const struct fmp_policy_answers *a = &g->answers;
	bool signs = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;

	if (!a->sign && !a->encrypt)
		return 0;
	if (g->security == FMP_SECURITY_OS)
		return report_conflict(
			c, a->sign ? FIELD(gateway.answers.sign) : FIELD(gateway.answers.encrypt),
			FIELD(gateway.security),
			"security=\"Os\" forwards what need not be SOAP: its answers can "
			"neither be signed nor encrypted");
	if (a->sign && (!a->certificate[0] || !a->key[0]))
		return report_conflict(
			c,
			a->certificate[0] ? FIELD(gateway.answers.key)
					  : FIELD(gateway.answers.certificate),
			FIELD(gateway.answers.sign),
			"signed answers need both certificate=\"FILE\" and key=\"FILE\"");
	if (a->encrypt && !signs)
		return report_conflict(
			c, FIELD(gateway.security), FIELD(gateway.answers.encrypt),
			"answers are encrypted for who signed the request: that needs "
			"security BcS or BcES");
	if (a->confirm && (!signs || !a->sign))
		return report_conflict(
			c, a->sign ? FIELD(gateway.security) : FIELD(gateway.answers.sign),
			FIELD(gateway.answers.confirm),
			"confirm=\"yes\" confirms a signature by a signature: it needs "
			"security BcS or BcES, and sign");
	if (a->relate && !a->sign)
		return report_conflict(
			c, FIELD(gateway.answers.sign), FIELD(gateway.answers.relate),
			"relate=\"yes\" needs sign: nobody could rely on what it says");
	return 0;
}

static int check_gateway(const struct check *c)
{
	const struct fmp_policy_gateway *g = &c->p->gateway;
	char text[200];

	if (!g->tls.certificate[0] != !g->tls.key[0])
		return report_conflict(c, FIELD(gateway.tls.certificate), FIELD(gateway.tls.key),
				       "<tls> needs both certificate=\"FILE\" and key=\"FILE\"");
	if (g->tls.client_ca[0] && !g->tls.certificate[0])
		return report_conflict(c, FIELD(gateway.tls.certificate),
				       FIELD(gateway.tls.client_ca),
				       "client-ca=\"FILE\" needs TLS: certificate=\"FILE\" and "
				       "key=\"FILE\" are missing");
	if (g->tls.client_crl[0] && !g->tls.client_ca[0])
		return report_conflict(
			c, FIELD(gateway.tls.client_ca), FIELD(gateway.tls.client_crl),
			"client-crl=\"FILE\" is of the CAs of client-ca=\"FILE\", which is "
			"missing");
	if (g->connections_per_source > g->connections) {
		snprintf(
			text, sizeof(text),
			"per-source=\"%u\" is more than max=\"%u\", the connections of all sources",
			g->connections_per_source, g->connections);
		return report_conflict(c, FIELD(gateway.connections),
				       FIELD(gateway.connections_per_source), text);
	}
	return 0;
}

static int check_metrics(const struct check *c)
{
	const char *listen = c->p->metrics.listen;
	struct sockaddr_storage ss;
	socklen_t len;
	char text[300];
	int rc = *listen ? fmp_local_parse(listen, &ss, &len) : 0;

	if (!rc && *c->p->metrics.names && (!*listen || ss.ss_family == AF_UNIX))
		return report_conflict(
			c, FIELD(metrics.names), FIELD(metrics.listen),
			"names= is of listen=\"ADDRESS:PORT\": without it nobody asks for "
			"a name");
	if (!rc)
		return 0;
	snprintf(text, sizeof(text),
		 rc == FMP_ERR_DENIED
			 ? "listen=\"%.127s\" could be reached from other machines: only "
			   "loopback and unix sockets are served"
			 : "listen=\"%.127s\" is neither unix:/PATH nor a loopback "
			   "ADDRESS:PORT like 127.0.0.1:9333 or [::1]:9333",
		 listen);
	return report_conflict(c, FIELD(metrics.listen), FIELD(metrics.listen), text);
}

int fmpi_policy_check(const struct fmp_policy *policy, const struct fmp_positions *where,
		      struct fmp_error *err)
{
	struct check c = { .p = policy, .where = where, .err = err };
	int rc = fmp_policy_check_rules(policy, where, err);

	if (!rc)
		rc = check_rollup(&c);
	/* With <services>, each service's own requirements are checked instead. */
	if (!rc && !policy->n_services)
		rc = fmpi_policy_check_requirements(policy, where, err);
	if (!rc)
		rc = check_gateway(&c);
	return rc ? rc : check_metrics(&c);
}

/* A name that a certificate can bear and SNI can ask for, or an address. */
static bool is_server_name(const char *name)
{
	return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				 "0123456789.-_:")] == '\0';
}

static int check_backend_tls(const struct check *c)
{
	const struct fmp_policy_backend_tls *t = &c->p->gateway.backend_tls;
	char text[400];

	if (!*t->certificate != !*t->key)
		return report_conflict(
			c, FIELD(gateway.backend_tls.certificate), FIELD(gateway.backend_tls.key),
			"a client certificate needs both client-certificate=\"FILE\" and "
			"client-key=\"FILE\"");
	if (is_server_name(t->server_name))
		return 0;
	snprintf(text, sizeof(text),
		 "server-name=\"%s\" is neither a host name nor an address, without a port",
		 t->server_name);
	return report_conflict(c, FIELD(gateway.backend_tls.server_name),
			       FIELD(gateway.backend_tls.server_name), text);
}

int fmpi_policy_check_requirements(const struct fmp_policy *policy,
				   const struct fmp_positions *where, struct fmp_error *err)
{
	const struct check c = { .p = policy, .where = where, .err = err };
	int rc = check_requirements(&c);

	if (!rc)
		rc = check_encrypted_parts(&c);
	if (!rc)
		rc = check_headers(&c);
	if (!rc)
		rc = check_symmetric(&c);
	if (!rc)
		rc = check_identity(&c);
	if (!rc)
		rc = check_saml(&c);
	if (!rc)
		rc = check_algorithms(&c);
	if (!rc)
		rc = check_ciphers(&c);
	if (!rc)
		rc = check_backend_tls(&c);
	return rc ? rc : check_answers(&c);
}

int fmp_policy_check_rules(const struct fmp_policy *policy, const struct fmp_positions *where,
			   struct fmp_error *err)
{
	const struct check c = { .p = policy, .where = where, .err = err };
	int rc = check_suspicion(&c);

	if (!rc)
		rc = check_block(&c);
	if (!rc)
		rc = check_narrowed(&c);
	return rc ? rc : check_credit(&c);
}
