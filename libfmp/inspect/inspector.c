// SPDX-License-Identifier: GPL-2.0
#include "inspect/inspector.h"

#include <stdlib.h>
#include <string.h>

#include "named_headers.h"
#include "schema/wsdl.h"

/* libxml2 counts bytes in int. */
#define MAX_BODY_BYTES (1u << 28)

static const char *path_or_null(const char *path)
{
	return path[0] ? path : NULL;
}

struct fmp_inspect_config fmp_inspect_config_from(const struct fmp_policy *policy)
{
	struct fmp_inspect_config cfg = fmp_inspect_config_of(&policy->gateway);

	cfg.schema_folder = path_or_null(policy->folder);
	return cfg;
}

struct fmp_inspect_config fmp_inspect_config_of(const struct fmp_policy_gateway *g)
{
	return (struct fmp_inspect_config){
		.security = g->security,
		.schema = path_or_null(g->schema),
		.port = path_or_null(g->port),
		.catalog = path_or_null(g->catalog),
		.trust = path_or_null(g->trust),
		.crl = path_or_null(g->crl),
		.certificates = path_or_null(g->certificates),
		.purpose = path_or_null(g->purpose),
		.key = path_or_null(g->key),
		.clock_skew_ms = g->clock_skew_ms,
		.max_age_ms = g->max_age_ms,
		.require_signed = g->require_signed,
		.require_encrypted = g->require_encrypted,
		.order = g->order,
		.symmetric = g->symmetric,
		.repeats = g->repeats,
		.headers = g->headers,
		.header_blocks = g->header_blocks.n ? &g->header_blocks : NULL,
		.algorithms = &g->algorithms,
		.passwords = path_or_null(g->passwords),
		.password_text = g->password_text,
		.saml = g->saml.n_issuers ? &g->saml : NULL,
		.content = g->content,
		.xmlsec_only = !g->fast_signatures,
		.replay_entries = g->replay_entries,
		.replay_per_signer = g->replay_per_signer,
		.message_ms = 2 * g->worker_timeout_ms, /* it may wait for another message */
		.limits = g->limits,
		.reply_context = g->answers.sign || g->answers.encrypt,
		.encryptable = g->answers.encrypt != FMP_SEAL_NONE,
		.identity = g->identity.forward,
		.attachments = g->attachments.allowed ? &g->attachments : NULL,
	};
}

static int check_limits(const struct fmp_inspect_config *cfg, struct fmp_error *err)
{
	const struct fmp_policy_limits *l = &cfg->limits;

	if (!l->body_bytes || !l->depth || !l->attributes || !l->elements || !l->name_bytes ||
	    !l->text_bytes || !l->references)
		return fmp_error_set(err, FMP_ERR_INVALID, "a limit of the inspection is 0");
	if (cfg->replay_entries > FMP_REPLAY_MAX ||
	    (cfg->replay_entries &&
	     (!cfg->replay_per_signer || cfg->replay_per_signer > cfg->replay_entries)))
		return fmp_error_set(err, FMP_ERR_INVALID, "no such size of a replay cache");
	if (l->body_bytes > MAX_BODY_BYTES)
		return fmp_error_set(err, FMP_ERR_INVALID, "body_bytes is larger than %u",
				     MAX_BODY_BYTES);
	return 0;
}

/* The policy's reader refuses the same, with line and column; the pipeline relies on it. */
static int check_required_parts(const struct fmp_inspect_config *cfg, struct fmp_error *err)
{
	unsigned encrypted = cfg->require_encrypted & ~FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY);
	bool is_encrypted = cfg->security == FMP_SECURITY_BCE || cfg->security == FMP_SECURITY_BCES;
	bool both = cfg->security == FMP_SECURITY_BCES;
	bool behind = both && cfg->order != FMP_ORDER_ENCRYPT_SIGN;

	if (both && cfg->order == FMP_ORDER_ENCRYPT_SIGN_ENCRYPT &&
	    !(encrypted & FMPI_ENCRYPTED_PARTS))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "%s, but nothing is encrypted behind the signature",
				     fmp_order_name(cfg->order));
	if (!encrypted || (is_encrypted && encrypted < FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_PARTS) &&
			   (behind || !(encrypted & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE)))))
		return 0;
	return fmp_error_set(err, FMP_ERR_INVALID, "security %s: such a part can't be encrypted",
			     fmp_security_name(cfg->security));
}

static int refuse_missing(const struct fmp_inspect_config *cfg, const char *what,
			  struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_INVALID, "security %s needs %s",
			     fmp_security_name(cfg->security), what);
}

static int load_saml(const struct fmp_policy_saml *saml, struct fmp_inspector *i,
		     struct fmp_error *err)
{
	i->saml_audiences = strdup(saml->audiences);
	i->saml_recipients = strdup(saml->recipients);
	i->saml_required = saml->required;
	i->saml_one_time = saml->one_time;
	i->saml_bearer = saml->bearer;
	i->saml_vouched = saml->vouched;
	if (!i->saml_audiences || !i->saml_recipients)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	return fmpi_issuers_load(saml, &i->issuers, err);
}

/* Inspectors of one gateway share a cache: a message accepted by one is a replay to the others. */
static int load_replay(const struct fmp_inspect_config *cfg, struct fmp_inspector *i,
		       struct fmp_error *err)
{
	const char *file = cfg->check_only ? NULL : cfg->replay_file;
	int ret = 0;

	if (cfg->share_replay && cfg->share_replay->replay) {
		i->replay = fmpi_replay_ref(cfg->share_replay->replay);
		return 0;
	}
	if (cfg->check_only && cfg->replay_file)
		ret = fmpi_replay_check_file(cfg->replay_file, cfg->replay_entries, err);
	if (!ret)
		ret = fmpi_replay_new(file, cfg->replay_entries, cfg->replay_per_signer,
				      cfg->message_ms, &i->replay, err);
	return ret;
}

/* Of what the policy allows, leave what the key can do: the rest is not supported. */
static int limit_key_transport(const struct fmp_inspect_config *cfg, struct fmp_inspector *i,
			       struct fmp_error *err)
{
	bool names_any = i->algorithms.key_transport;

	i->algorithms.key_transport &= EVP_PKEY_is_a(i->key, "RSA") ? FMP_RSA_OAEPS_BITS
				       : EVP_PKEY_is_a(i->key, "X25519")
					       ? FMP_ALGORITHM_BIT(FMP_KEY_X25519)
					       : FMP_ALGORITHM_BIT(FMP_KEY_ECDH_ES);
	/* A program that only verifies may name none. */
	if (i->algorithms.key_transport || (!names_any && EVP_PKEY_is_a(i->key, "RSA")))
		return 0;
	return fmp_error_at(err, FMP_ERR_INVALID, cfg->key, 0, 0,
			    "the policy's key-transport allows nothing that this key can do");
}

static int load_files(const struct fmp_inspect_config *cfg, struct fmp_inspector *i,
		      struct fmp_error *err)
{
	bool is_signed = cfg->security == FMP_SECURITY_BCS || cfg->security == FMP_SECURITY_BCES;
	bool is_encrypted = cfg->security == FMP_SECURITY_BCE || cfg->security == FMP_SECURITY_BCES;
	bool has_key = is_encrypted || (is_signed && cfg->key);
	const struct fmpi_schema_source source = { cfg->schema, cfg->port, cfg->catalog,
						   cfg->schema_folder };
	int ret = 0;

	if (cfg->security >= FMP_SECURITY_BCV)
		ret = cfg->schema ? fmpi_schema_load(&source, &i->schema, err)
				  : refuse_missing(cfg, "a schema", err);
	if (!ret && is_signed)
		ret = cfg->trust ? fmpi_trust_load(cfg->trust, cfg->crl, &i->trust, err)
				 : refuse_missing(cfg, "a file of trusted CAs", err);
	if (!ret && is_signed && cfg->purpose)
		ret = fmpi_trust_set_purposes(i->trust, cfg->purpose, err);
	if (!ret && cfg->saml && cfg->security != FMP_SECURITY_OS)
		ret = load_saml(cfg->saml, i, err);
	if (!ret && (is_signed || i->issuers) && !cfg->xmlsec_only) {
		i->dsig = fmpi_dsig_new();
		if (!i->dsig)
			ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	}
	i->value_dsig = i->dsig;
	if (!ret && is_signed && !i->value_dsig) {
		i->value_dsig = fmpi_dsig_new();
		if (!i->value_dsig)
			ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	}
	if (!ret && is_signed && cfg->certificates)
		ret = fmpi_cert_store_load(cfg->certificates, &i->cert_store, err);
	if (!ret && cfg->passwords && cfg->security != FMP_SECURITY_OS)
		ret = fmpi_passwords_load(cfg->passwords, &i->passwords, err);
	if (!ret && (is_signed || i->passwords || i->issuers) && cfg->replay_entries)
		ret = load_replay(cfg, i, err);
	if (!ret && cfg->content && cfg->security != FMP_SECURITY_OS)
		ret = fmpi_content_new(cfg->content, &cfg->limits, &i->content, err);
	if (!ret && cfg->identity) {
		i->identity = calloc(1, sizeof(*i->identity));
		if (!i->identity)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	}
	if (!ret && cfg->header_blocks && cfg->security != FMP_SECURITY_OS) {
		i->named = malloc(sizeof(*i->named));
		if (!i->named)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
		*i->named = *cfg->header_blocks;
	}
	if (!ret && i->schema && fmpi_named_headers_add_bound(i, fmpi_schema_wsdl(i->schema)))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	if (!ret && has_key)
		ret = cfg->key ? fmpi_decrypt_key_load(cfg->key, cfg->keys, &i->key, err)
			       : refuse_missing(cfg, "a private key", err);
	return ret || !i->key ? ret : limit_key_transport(cfg, i, err);
}

int fmp_inspector_new(const struct fmp_inspect_config *cfg, struct fmp_inspector **out,
		      struct fmp_error *err)
{
	static const struct fmp_policy_algorithms usual = FMP_ALGORITHMS_DEFAULT;
	struct fmp_inspector *i;
	int ret;

	*out = NULL;
	if ((unsigned)cfg->security >= FMP_SECURITIES)
		return fmp_error_set(err, FMP_ERR_INVALID, "no such security configuration");
	if (cfg->tree && cfg->security == FMP_SECURITY_OS)
		return fmp_error_set(err, FMP_ERR_INVALID, "security Os parses nothing: no tree");
	ret = check_limits(cfg, err);
	if (!ret)
		ret = check_required_parts(cfg, err);
	if (!ret && cfg->algorithms && fmp_ciphers_mixed(cfg->algorithms->encryption))
		ret = fmp_error_set(err, FMP_ERR_INVALID,
				    "CBC and GCM for session keys of the same length: what one "
				    "protects could be tried with the other");
	if (ret)
		return ret;
	i = calloc(1, sizeof(*i));
	if (!i)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the inspector");
	i->security = cfg->security;
	i->clock_skew_ms = cfg->clock_skew_ms;
	i->max_age_ms = cfg->max_age_ms;
	i->limits = cfg->limits;
	i->require_signed = cfg->require_signed;
	i->encrypted = cfg->require_encrypted & ~FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY);
	i->order = cfg->order;
	i->symmetric = cfg->symmetric;
	i->repeats = cfg->repeats;
	i->headers = cfg->headers;
	i->algorithms = cfg->algorithms ? *cfg->algorithms : usual;
	i->parser.libxml2_only = cfg->xmlsec_only;
	i->parser.fast.use_arena = true;
	i->password_text = cfg->password_text;
	i->tree = cfg->tree;
	i->reply_context = cfg->reply_context;
	i->encryptable = cfg->encryptable;
	if (cfg->attachments)
		i->attachments = *cfg->attachments;
	ret = load_files(cfg, i, err);
	if (ret) {
		fmp_inspector_free(i);
		return ret;
	}
	*out = i;
	return 0;
}

int fmp_inspector_shared_fd(const struct fmp_inspector *i)
{
	return i->replay ? fmpi_replay_fd(i->replay) : -1;
}

int fmp_inspector_shared_lock_owner(const struct fmp_inspector *i)
{
	return i->replay ? fmpi_replay_lock_owner(i->replay) : 0;
}

void fmp_inspector_replay_keys(const struct fmp_inspector *i, struct fmp_replay_keys *out)
{
	_Static_assert(FMP_REPLAY_KEYS_MAX == FMPI_MAX_REPLAY_KEYS, "each has a place");
	_Static_assert(FMP_REPLAY_KEYS_KEY == 2 * FMPI_REPLAY_ID, "an id, a signer");

	*out = (struct fmp_replay_keys){ .n = i->n_replay_keys };
	for (unsigned n = 0; n < i->n_replay_keys; n++) {
		memcpy(out->key[n], i->replay_keys[n].id, FMPI_REPLAY_ID);
		memcpy(out->key[n] + FMPI_REPLAY_ID, i->replay_keys[n].signer, FMPI_REPLAY_ID);
	}
}

int fmp_inspector_replay_remove(struct fmp_inspector *i, const struct fmp_replay_keys *what)
{
	struct fmpi_replay_key keys[FMPI_MAX_REPLAY_KEYS] = { 0 };

	if (!i->replay || what->n > FMPI_MAX_REPLAY_KEYS)
		return FMP_ERR_NOTFOUND;
	for (unsigned n = 0; n < what->n; n++) {
		memcpy(keys[n].id, what->key[n], FMPI_REPLAY_ID);
		memcpy(keys[n].signer, what->key[n] + FMPI_REPLAY_ID, FMPI_REPLAY_ID);
	}
	return fmpi_replay_remove(i->replay, keys, what->n);
}

bool fmp_inspector_shares_session_keys(const struct fmp_inspector *a, const struct fmp_inspector *b)
{
	return a->key && b->key && EVP_PKEY_eq(a->key, b->key) == 1 &&
	       fmp_ciphers_mixed(a->algorithms.encryption | b->algorithms.encryption);
}

enum fmp_security fmp_inspector_security(const struct fmp_inspector *i)
{
	return i->security;
}

uint32_t fmp_inspector_body_bytes(const struct fmp_inspector *i)
{
	return i->limits.body_bytes;
}

const struct fmp_policy_attachments *fmp_inspector_attachments(const struct fmp_inspector *i)
{
	return i->attachments.allowed ? &i->attachments : NULL;
}

bool fmp_inspector_has_wsdl(const struct fmp_inspector *i)
{
	return i->schema && fmpi_schema_wsdl(i->schema);
}

bool fmp_inspector_accepts_empty(const struct fmp_inspector *i, bool answer)
{
	const struct fmpi_wsdl *w = i->schema ? fmpi_schema_wsdl(i->schema) : NULL;

	/* SOAP 1.1, 4.3, and 1.2, 5.3: a Body holds any number of elements. Only a WSDL says for which. */
	if (!i->schema)
		return i->security == FMP_SECURITY_BC;
	return w && fmpi_wsdl_has_element(w, "", NULL, answer);
}

bool fmp_inspector_crl_missing(const struct fmp_inspector *i, int64_t now_s, struct fmp_error *out)
{
	return i->trust && fmpi_trust_crl_missing(i->trust, now_s, out);
}

bool fmp_inspector_wsdl_note(const struct fmp_inspector *i, unsigned n, struct fmp_error *out)
{
	return i->schema && fmpi_schema_note(i->schema, n, out);
}

void fmp_inspector_free(struct fmp_inspector *i)
{
	if (!i)
		return;
	fmpi_parser_clear(&i->parser);
	fmpi_schema_free(i->schema);
	fmpi_trust_free(i->trust);
	if (i->value_dsig != i->dsig)
		fmpi_dsig_free(i->value_dsig);
	fmpi_dsig_free(i->dsig);
	fmpi_cert_store_free(i->cert_store);
	fmpi_passwords_free(i->passwords);
	fmpi_issuers_free(i->issuers);
	free(i->saml_audiences);
	free(i->saml_recipients);
	fmpi_content_destroy(i->content);
	free(i->named);
	free(i->identity);
	fmpi_replay_free(i->replay);
	EVP_PKEY_free(i->key);
	free(i);
}
