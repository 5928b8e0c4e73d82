// SPDX-License-Identifier: GPL-2.0
#include "inspect/claims.h"

#include <string.h>

#include "inspect/token.h"

#define refuse_unsigned(v, node, text) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSIGNED, fmpi_line(node), text)

static int refuse_replay(const xmlNode *where, int answer, struct fmp_inspection *v)
{
	if (answer < 0)
		return answer;
	return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_REPLAY, fmpi_line(where), "%s",
			   answer == FMPI_REPLAY_SEEN
				   ? "the message was here before"
				   : "the message is older than what is remembered of its signer");
}

/* Is it new? Then it is to be remembered, if the message passes: once, however often it is met. */
static int note(struct fmp_inspector *i, const struct fmpi_replay_key *k, const xmlNode *where,
		struct fmp_inspection *v)
{
	int ret;

	for (unsigned n = 0; n < i->n_remember; n++)
		if (memcmp(i->remember[n].id, k->id, sizeof(k->id)) == 0)
			return 0;
	ret = fmpi_replay_look(i->replay, k);
	if (ret)
		return refuse_replay(where, ret, v);
	if (i->n_remember < FMPI_MAX_REMEMBER)
		i->remember[i->n_remember++] = *k;
	return 0;
}

int fmpi_claims_user(struct fmp_inspector *i, const struct fmp_message *m,
		     const struct fmpi_wsse *sec, const struct fmpi_soap *soap,
		     struct fmp_inspection *v)
{
	struct fmpi_username_rules rules = { .text_allowed = i->password_text,
					     .skew_ms = i->clock_skew_ms,
					     .max_age_ms = i->max_age_ms };
	struct fmpi_replay_key k = { 0 };
	int ret;

	if (!i->passwords)
		return sec->username ? fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN,
						   fmpi_line(sec->username),
						   "a UsernameToken, but no users are known here")
				     : 0;
	if (!sec->username)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN,
				   fmpi_line(sec->security ? sec->security : soap->body->parent),
				   "no UsernameToken");
	ret = fmpi_username_check(i->passwords, &rules, sec->username, m->now_s, &k, v);
	return ret || !i->replay ? ret : note(i, &k, sec->username, v);
}

/* A copy is known by what was signed before anything is spent on the signature. */
static int check_replay(struct fmp_inspector *i, const struct fmpi_signedinfo *info,
			const struct fmpi_signer *who, const struct fmpi_lifetime *life,
			const xmlNode *signature, struct fmp_inspection *v)
{
	struct fmpi_replay_key k = { .created_ms = life->created_ms, .until_ms = life->until_ms };
	int ret;

	if (!i->replay)
		return 0;
	memcpy(k.signer, who->id, sizeof(k.signer));
	ret = fmpi_signedinfo_digest(info, who->id, sizeof(who->id), k.id);
	if (ret)
		return ret;
	return note(i, &k, signature, v);
}

int fmpi_claims_signature(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  struct fmpi_signedinfo *info, struct fmpi_signer *who,
			  struct fmp_inspection *v)
{
	struct fmpi_lifetime life;
	int ret;

	if (!sec->security)
		return refuse_unsigned(v, soap->header, "no Security header");
	if (!sec->signature)
		return refuse_unsigned(v, sec->security, "no Signature in the Security header");
	if (!sec->timestamp)
		return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP,
				   fmpi_line(sec->security), "no Timestamp in the Security header");
	ret = fmpi_timestamp_check(sec->timestamp, m->now_s, i->clock_skew_ms, i->max_age_ms, &life,
				   v);
	if (!ret)
		ret = fmpi_signedinfo_read(sec, soap, i->limits.references, info, v);
	if (!ret)
		ret = fmpi_signedinfo_require(info, sec, i->require_signed, v);
	if (!ret)
		ret = fmpi_token_signer(i->trust, i->known, info, m->now_s, who, v);
	if (!ret)
		ret = check_replay(i, info, who, &life, sec->signature, v);
	return ret;
}

int fmpi_claims_remember(struct fmp_inspector *i, const struct fmp_message *m,
			 struct fmp_inspection *v)
{
	for (unsigned n = 0; n < i->n_remember; n++) {
		int ret = fmpi_replay_take(i->replay, &i->remember[n], m->now_s * 1000);

		if (ret)
			return refuse_replay(NULL, ret, v);
	}
	return 0;
}
