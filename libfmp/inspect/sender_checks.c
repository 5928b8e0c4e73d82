// SPDX-License-Identifier: GPL-2.0
#include "sender_checks.h"

#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ebms_time.h"
#include "endorsing.h"
#include "message_key.h"
#include "xml/c14n.h"
#include "wss/token.h"
#include "schema/wsdl.h"

_Static_assert(sizeof(((struct fmp_inspection *)0)->subject) == FMPI_MAX_SUBJECT + 1,
	       "every NameID that is taken fits");

#define refuse_unsigned(v, node, text) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED, fmpi_line(node), text)

static int refuse_replay(const xmlNode *where, int answer, struct fmp_inspection *v)
{
	if (answer < 0)
		return answer;
	if (answer == FMPI_REPLAY_UNKNOWN) {
		fmpi_refuse(
			v, FMP_STEP_TIMESTAMP, FMP_EVENT_GOOD, fmpi_line(where),
			"the clock of this device went back: it is not known whether the message was here before");
		v->lacks = FMP_LACKS_TIME;
		return FMPI_REFUSED;
	}
	return fmpi_refuse(
		v, FMP_STEP_TIMESTAMP, FMP_EVENT_REPLAY, fmpi_line(where), "%s",
		answer == FMPI_REPLAY_SEEN
			? "the message was here before"
			: "the message is older than the replay keys kept of its signer");
}

/* With its length, so that no byte can move from one to the next. @p: NULL: of no bytes */
static bool add_bytes(EVP_MD_CTX *ctx, const void *p, size_t n)
{
	return EVP_DigestUpdate(ctx, &n, sizeof(n)) && (!n || EVP_DigestUpdate(ctx, p, n));
}

static bool add_text(EVP_MD_CTX *ctx, const char *text)
{
	return add_bytes(ctx, text, text ? strlen(text) : 0);
}

static bool add_attachments(EVP_MD_CTX *ctx, const struct fmp_attachments *a)
{
	bool good = true;

	for (size_t n = 0; a && n < a->n && good; n++)
		good = add_bytes(ctx, a->part[n].header, a->part[n].header_len) &&
		       add_bytes(ctx, a->part[n].bytes, a->part[n].len);
	return good;
}

static int hash_message(const struct fmp_message *m, uint8_t out[FMPI_REPLAY_COPY])
{
	uint8_t all[SHA256_DIGEST_LENGTH];
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) &&
		    EVP_DigestUpdate(ctx, &m->source->family, sizeof(m->source->family)) &&
		    EVP_DigestUpdate(ctx, m->source->bytes, sizeof(m->source->bytes)) &&
		    add_text(ctx, m->service) && add_text(ctx, m->soap_action) &&
		    add_bytes(ctx, m->bytes, m->len) && add_attachments(ctx, m->attachments) &&
		    EVP_DigestFinal_ex(ctx, all, NULL);

	EVP_MD_CTX_free(ctx);
	if (good)
		memcpy(out, all, FMPI_REPLAY_COPY);
	return good ? 0 : FMP_ERR_NOMEM;
}

/* What says that a message is a repeat; unknown while parts are still to come. */
static int get_copy(struct fmp_inspector *i, const struct fmp_message *m,
		    uint8_t out[FMPI_REPLAY_COPY])
{
	int ret;

	if (i->repeats == FMP_REPEATS_CHARGE || !m->source ||
	    (m->attachments && m->attachments->pending))
		return 0;
	ret = i->has_copy ? 0 : hash_message(m, i->copy);
	if (ret)
		return ret;
	i->has_copy = true;
	memcpy(out, i->copy, sizeof(i->copy));
	return 0;
}

/* A sender that got no answer may send the same message again, as the policy says. */
static int check_repeat(struct fmp_inspector *i, const struct fmpi_replay_key *k,
			const xmlNode *where, int answer, struct fmp_inspection *v)
{
	if (answer == FMPI_REPLAY_SEEN && i->has_copy)
		answer = fmpi_replay_repeat(i->replay, k);
	if (answer != FMPI_REPLAY_REPEAT)
		return refuse_replay(where, answer, v);
	if (i->repeats == FMP_REPEATS_PASS)
		return 0;
	return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_GOOD, fmpi_line(where),
			   "its source repeats a message that was accepted");
}

static bool has_key(const struct fmpi_replay_key *list, unsigned n, const struct fmpi_replay_key *k)
{
	while (n && memcmp(list[n - 1].id, k->id, sizeof(k->id)) != 0)
		n--;
	return n;
}

static void add_key(struct fmpi_replay_key *list, unsigned *n, const struct fmpi_replay_key *k)
{
	if (*n < FMPI_MAX_REPLAY_KEYS)
		list[(*n)++] = *k;
}

/*
 * Look a replay key up, and note it for insertion when the message passes. A key is noted, or counted as
 * repeated, once: an encrypted message is checked before and after decryption.
 */
static int note_replay_key(struct fmp_inspector *i, const struct fmp_message *m,
			   struct fmpi_replay_key *k, const xmlNode *where,
			   struct fmp_inspection *v)
{
	int ret;

	if (has_key(i->replay_keys, i->n_replay_keys, k) ||
	    has_key(i->repeated_keys, i->n_repeated_keys, k))
		return 0;
	ret = get_copy(i, m, k->copy);
	if (ret)
		return ret;
	ret = fmpi_replay_lookup(i->replay, k);
	if (!ret) {
		add_key(i->replay_keys, &i->n_replay_keys, k);
		return 0;
	}
	ret = check_repeat(i, k, where, ret, v);
	if (!ret)
		add_key(i->repeated_keys, &i->n_repeated_keys, k);
	return ret;
}

int fmpi_sender_check_user(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			   struct fmp_inspection *v)
{
	struct fmpi_username_rules rules = { .text_allowed = i->password_text,
					     .skew_ms = i->clock_skew_ms,
					     .max_age_ms = i->max_age_ms };
	struct fmpi_replay_key k = { 0 };
	bool once = false;
	int ret;

	if (!i->passwords)
		return sec->username ? fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED,
						   fmpi_line(sec->username),
						   "a UsernameToken, but no users are known here: "
						   "the policy has no <username>")
				     : 0;
	if (!sec->username)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN,
				   fmpi_line(sec->security ? sec->security : soap->body->parent),
				   "no UsernameToken");
	ret = fmpi_username_check(i->passwords, &rules, sec->username, m->now_s, &k, &once, v);
	if (!ret)
		fmpi_identity_set_user(i, sec->username);
	/* A token without Nonce and Created does not identify a message. */
	return ret || !once || !i->replay ? ret : note_replay_key(i, m, &k, sec->username, v);
}

static void digest_strings(const char *const strings[3], uint8_t out[FMPI_REPLAY_ID])
{
	uint8_t all[3][SHA256_DIGEST_LENGTH];

	for (unsigned n = 0; n < 3; n++)
		SHA256((const uint8_t *)strings[n], strlen(strings[n]), all[n]);
	SHA256(all[0], sizeof(all), out);
}

/* One-time assertions count for their subject: many of them evict only entries of that subject. */
static int check_one_time(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_assertion *a, struct fmp_inspection *v)
{
	struct fmpi_replay_key k = { .created_ms = a->issued_ms, .until_ms = a->until_ms };

	if (!a->one_time && !i->saml_one_time)
		return 0;
	if (!i->replay)
		return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_REPLAY, fmpi_line(a->node),
				   "an Assertion to be used once, but no replay keys are kept");
	digest_strings((const char *const[3]){ "assertion", a->issuer, a->id }, k.id);
	digest_strings((const char *const[3]){ "subject", a->issuer, a->name }, k.signer);
	return note_replay_key(i, m, &k, a->node, v);
}

/* Check the assertion before its issuer's signature is verified: nothing in it is trusted yet. */
static int check_assertion(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	bool is_signed = i->security == FMP_SECURITY_BCS || i->security == FMP_SECURITY_BCES;
	struct fmpi_saml_rules rules = { .audiences = i->saml_audiences,
					 .recipients = i->saml_recipients,
					 .bearer = i->saml_bearer,
					 .vouched = i->saml_vouched,
					 .skew_ms = i->clock_skew_ms };
	struct fmpi_assertion *a = &i->assertion;
	int ret = fmpi_assertion_read(sec->assertion, a, v);

	if (!ret)
		ret = fmpi_assertion_check(a, &rules, m->now_s, v);
	if (!ret)
		ret = check_one_time(i, m, a, v);
	if (ret || a->confirmation == FMPI_BEARER)
		return ret;
	if (!is_signed)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED, fmpi_line(a->node),
				   "an Assertion for %s, who signs nothing here",
				   a->confirmation == FMPI_HOLDER ? "the holder of a key"
								  : "which the sender vouches");
	if (a->confirmation == FMPI_VOUCHES)
		return 0;
	return fmpi_holder_of_key_read(a->holder, &a->key, a->key_id, v);
}

/*
 * After decryption the message is another tree with the same assertion: compare canonical forms. They
 * omit comments, but an assertion with comments in its texts was refused when it was read.
 */
static bool is_verified(const struct fmp_inspector *i, const xmlNode *node, size_t budget)
{
	static const struct fmpi_prefixes none;
	struct fmpi_buffer was = { 0 }, is = { 0 };
	size_t also = budget;
	bool same = node == i->verified_assertion;

	if (!same && i->verified_assertion)
		same = !fmpi_c14n_exclusive(i->verified_assertion, &none, &budget, &was) &&
		       !fmpi_c14n_exclusive(node, &none, &also, &is) && was.len == is.len &&
		       memcmp(was.p, is.p, is.len) == 0;
	free(was.p);
	free(is.p);
	return same;
}

int fmpi_sender_check_assertion(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_wsse *sec, struct fmp_inspection *v)
{
	const struct fmpi_assertion *a = &i->assertion;
	size_t budget = fmpi_c14n_budget(m->len);
	int ret;

	if (!sec->assertion || is_verified(i, sec->assertion, budget))
		return 0;
	ret = fmpi_issuers_verify(i->issuers, i->dsig, &i->algorithms, a, m->now_s, budget, v);
	if (!ret && a->confirmation == FMPI_HOLDER)
		ret = fmpi_issuers_load_holder(i->issuers, a, &i->holder, v);
	if (ret)
		return ret;
	if (!i->verified_assertion)
		i->verified_assertion = a->node;
	snprintf(i->subject, sizeof(i->subject), "%s", a->name);
	snprintf(i->issuer, sizeof(i->issuer), "%s", a->issuer);
	return 0;
}

int fmpi_sender_check_all(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
			  struct fmp_inspection *v)
{
	const xmlNode *where = sec->security ? sec->security : soap->body->parent;
	int ret = sec->username_encrypted ? 0 : fmpi_sender_check_user(i, m, sec, soap, v);

	if (!sec->assertion)
		i->subject[0] = i->issuer[0] = '\0';
	if (ret)
		return ret;
	/* Only the client can compare a SignatureConfirmation with its request. */
	if (sec->confirmation && !m->answer)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED,
				   fmpi_line(sec->confirmation),
				   "a SignatureConfirmation in a request");
	if (!sec->assertion)
		return i->saml_required && !sec->assertion_encrypted
			       ? fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN,
					     fmpi_line(where), "no Assertion")
			       : 0;
	if (!i->issuers)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN,
				   fmpi_line(sec->assertion),
				   "an Assertion, but no issuers are known here");
	return check_assertion(i, m, sec, v);
}

/* A replay is found by the signed digests, before the expensive verification. */
static int check_replay(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_signedinfo *info, const struct fmpi_signer *who,
			const struct fmpi_lifetime *life, const xmlNode *signature,
			struct fmp_inspection *v)
{
	static const uint8_t nobody[FMPI_KEY_ID];
	bool has_signer = !fmpi_signedinfo_is_symmetric(info);
	struct fmpi_replay_key k = { .created_ms = life->created_ms, .until_ms = life->until_ms };
	int ret;

	if (!i->replay)
		return 0;
	/* An endorsing signature can be taken off or replaced: the message is known without it. */
	ret = fmpi_signedinfo_digest(info, has_signer ? who->id : nobody, FMPI_KEY_ID, k.id);
	if (ret)
		return ret;
	memcpy(k.signer, has_signer ? who->id : k.id, sizeof(k.signer));
	return note_replay_key(i, m, &k, signature, v);
}

static int check_time(struct fmp_inspector *i, const struct fmp_message *m,
		      const struct fmpi_soap *soap, const struct fmpi_wsse *sec, bool visible,
		      struct fmpi_lifetime *life, struct fmp_inspection *v)
{
	const xmlNode *messaging;
	int ret;

	if (!sec->security)
		return refuse_unsigned(v, soap->header ? soap->header : soap->body->parent,
				       sec->n_others ? "no Security header for us, only for others"
						     : "no Security header");
	for (unsigned n = 0; !sec->signature && visible && n < sec->n_tokens; n++)
		if (fmpi_wsse_is_kerberos(sec->token[n]))
			return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED,
					   fmpi_line(sec->token[n]),
					   "a Kerberos ticket in place of a Signature is not "
					   "supported");
	if (!sec->signature && visible)
		return refuse_unsigned(v, sec->security, "no Signature in the Security header");
	messaging = sec->timestamp ? NULL : fmpi_ebms_messaging(i, soap);
	if (!sec->timestamp && !messaging)
		return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP,
				   fmpi_line(sec->security), "no Timestamp in the Security header");
	fmpi_step_done(v, FMP_STEP_SIGNATURE);
	if (messaging)
		ret = fmpi_ebms_check_time(i, messaging, m->now_s, life, v);
	else
		ret = fmpi_timestamp_check(sec->timestamp, m->now_s, i->clock_skew_ms,
					   i->max_age_ms, life, v);
	fmpi_step_done(v, FMP_STEP_TIMESTAMP);
	return ret;
}

int fmpi_sender_check_time(struct fmp_inspector *i, const struct fmp_message *m,
			   const struct fmpi_soap *soap, const struct fmpi_wsse *sec, bool visible,
			   struct fmp_inspection *v)
{
	struct fmpi_lifetime life;

	return check_time(i, m, soap, sec, visible, &life, v);
}

/* FMP_PART_BIT()s of clear blocks that must be signed; encrypted ones always must. */
static unsigned visible_parts(const struct fmp_inspector *i, const struct fmpi_wsse *sec)
{
	unsigned encrypted =
		sec->n_encrypted_blocks ? i->encrypted >> FMP_ENCRYPTED_TO << FMP_PART_TO : 0;

	return i->require_signed & ~encrypted;
}

/*
 * The holder of a key must have signed the message, or endorsed its signature.
 * @holder: the required signer; NULL: any trusted one
 */
static int check_signer(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_wsse *sec, const struct fmpi_signedinfo *info,
			const struct fmpi_signer *holder, bool resolved,
			const struct fmpi_lifetime *life, struct fmpi_signer *who,
			struct fmp_inspection *v)
{
	int ret;

	if (fmpi_signedinfo_is_symmetric(info))
		ret = fmpi_endorsing_find_sender(i, m, sec, info, holder, resolved, who, v);
	else
		ret = fmpi_token_signer(i->trust, i->cert_store,
					fmpi_endorsing_is_by_holder(i, sec) ? NULL : holder, info,
					m->now_s, who, v);
	return ret ? ret : check_replay(i, m, info, who, life, sec->signature, v);
}

/* SOAPAction is not signed: without a signed Action an intermediary could choose the operation. */
static int check_empty(const struct fmp_inspector *i, const struct fmp_message *m,
		       const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
		       const struct fmpi_signedinfo *info, struct fmp_inspection *v)
{
	if (soap->payload || m->answer || fmpi_schema_wsdl(i->schema)->n_empty == 1 ||
	    !fmpi_signedinfo_require(info, sec, FMP_PART_BIT(FMP_PART_ACTION), v))
		return 0;
	return refuse_unsigned(v, soap->body,
			       "the Body is empty, and no Action that is signed says for which "
			       "operation of several");
}

/* WSS SAML token profile 1.1, 3.5.2: who vouches for an assertion signs it together with the message. */
static int check_vouched(const struct fmp_inspector *i, const struct fmpi_wsse *sec,
			 const struct fmpi_signedinfo *info, struct fmp_inspection *v)
{
	if (!sec->assertion || i->assertion.confirmation != FMPI_VOUCHES ||
	    fmpi_signedinfo_covers(info, sec->assertion))
		return 0;
	return refuse_unsigned(v, sec->assertion,
			       "the sender vouches for an Assertion, but does not sign it");
}

/* @resolved: all signed elements are in the clear and are checked */
static int check_sender(struct fmp_inspector *i, const struct fmp_message *m,
			const struct fmpi_soap *soap, const struct fmpi_wsse *sec, bool resolved,
			struct fmpi_signedinfo *info, struct fmpi_signer *who,
			struct fmp_inspection *v)
{
	bool held = sec->assertion && i->assertion.confirmation == FMPI_HOLDER;
	struct fmpi_lifetime life;
	struct fmpi_signer holder;
	/* A cached holder's key suffices to find a replay before the issuer's signature is verified. */
	bool early = !held || fmpi_issuers_lookup_holder(i->issuers, &i->assertion, &holder);
	int ret = check_time(i, m, soap, sec, true, &life, v);

	if (!ret && resolved)
		ret = fmpi_signedinfo_read(sec, soap, &i->algorithms, i->limits.references, info,
					   v);
	else if (!ret)
		ret = fmpi_signedinfo_read_unresolved(sec, &i->algorithms, i->limits.references,
						      info, v);
	info->budget = fmpi_c14n_budget(m->len);
	if (!ret && resolved)
		ret = fmpi_signedinfo_require(info, sec, visible_parts(i, sec), v);
	if (!ret && resolved)
		ret = check_empty(i, m, soap, sec, info, v);
	if (!ret && resolved)
		ret = check_vouched(i, sec, info, v);
	if (!ret && early)
		ret = check_signer(i, m, sec, info, held ? &holder : NULL, resolved, &life, who, v);
	if (!ret)
		ret = fmpi_sender_check_assertion(i, m, sec, v);
	if (!ret && !early)
		ret = check_signer(i, m, sec, info, &i->holder, resolved, &life, who, v);
	return ret;
}

int fmpi_sender_check_signature(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				struct fmpi_signedinfo *info, struct fmpi_signer *who,
				struct fmp_inspection *v)
{
	return check_sender(i, m, soap, sec, true, info, who, v);
}

int fmpi_sender_check_unresolved(struct fmp_inspector *i, const struct fmp_message *m,
				 const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
				 struct fmpi_signedinfo *info, struct fmpi_signer *who,
				 struct fmp_inspection *v)
{
	return check_sender(i, m, soap, sec, false, info, who, v);
}

int fmpi_sender_verify_value(struct fmp_inspector *i, const struct fmp_message *m,
			     const struct fmpi_wsse *sec, const struct fmpi_signedinfo *info,
			     EVP_PKEY *key, struct fmp_inspection *v)
{
	int ret;

	if (!fmpi_signedinfo_is_symmetric(info))
		return fmpi_dsig_verify_value(i->value_dsig, sec->signature, info, key, v);
	ret = fmpi_endorsing_verify_value(i, m, sec, key, v);
	return ret ? ret : fmpi_message_key_verify(i, sec, info, NULL, v);
}

int fmpi_sender_check_commit(struct fmp_inspector *i, const struct fmp_message *m,
			     struct fmp_inspection *v)
{
	for (unsigned n = 0; n < i->n_replay_keys; n++) {
		int ret = fmpi_replay_insert(i->replay, &i->replay_keys[n], m->now_s * 1000);

		if (ret)
			ret = check_repeat(i, &i->replay_keys[n], NULL, ret, v);
		if (ret)
			return ret;
	}
	memcpy(v->subject, i->subject, sizeof(v->subject));
	memcpy(v->issuer, i->issuer, sizeof(v->issuer));
	fmpi_identity_commit(i, v);
	return 0;
}
