// SPDX-License-Identifier: GPL-2.0
#include "message_key.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <string.h>

#include "xml/names.h"

_Static_assert(sizeof(((struct fmpi_session *)0)->key) == FMPI_HMAC_KEY_MAX, "the same secret");
_Static_assert(FMPI_HMAC_KEY_MAX == FMPI_DERIVED_MAX, "likewise");

static bool is_unwrapped(const struct fmpi_message_key *s, const struct fmpi_encrypted *e)
{
	return s->text[0] && strcmp(s->text, e->key) == 0 && s->oaep_digest == e->oaep_digest &&
	       s->oaep_mgf == e->oaep_mgf && fmpi_agreement_equal(&s->agreement, &e->agreement);
}

int fmpi_message_key_unwrap(struct fmp_inspector *i, const struct fmpi_encrypted *e,
			    struct fmpi_session *out)
{
	struct fmpi_message_key *s = &i->secret;
	size_t want = fmpi_decrypt_key_length(e), n = strlen(e->key);
	int ret;

	if (is_unwrapped(s, e)) {
		*out = s->session;
		if (!want || want == out->len)
			return 0;
		/* A random key in its place, as fmpi_decrypt_key() does. */
		out->good = false;
		out->len = want;
		return RAND_bytes(out->key, sizeof(out->key)) == 1 ? 0 : FMP_ERR_NOMEM;
	}
	ret = fmpi_decrypt_key(i->key, e, out);
	if (ret || n >= sizeof(s->text))
		return ret;
	memcpy(s->text, e->key, n + 1);
	s->oaep_digest = e->oaep_digest;
	s->oaep_mgf = e->oaep_mgf;
	s->agreement = e->agreement;
	s->session = *out;
	return 0;
}

void fmpi_message_key_forget(struct fmp_inspector *i)
{
	if (!i->secret.text[0])
		return;
	i->secret.text[0] = '\0';
	fmpi_session_clear(&i->secret.session);
}

struct request {
	struct fmp_inspector *i;
	struct fmpi_encrypted key;
	struct fmpi_derived_key derived;
};

static int get_hmac_key(void *ctx, uint8_t out[FMPI_HMAC_KEY_MAX], size_t *len,
			struct fmp_inspection *v)
{
	struct request *r = ctx;
	struct fmpi_session s;
	int ret = fmpi_message_key_unwrap(r->i, &r->key, &s);

	if (!ret && r->derived.length) {
		ret = fmpi_derived_key_make(&r->derived, s.key, s.len, out);
		*len = r->derived.length;
	} else if (!ret) {
		memcpy(out, s.key, s.len);
		*len = s.len;
	}
	fmpi_session_clear(&s);
	return ret;
}

int fmpi_message_key_verify(struct fmp_inspector *i, const struct fmpi_wsse *sec,
			    const struct fmpi_signedinfo *info, struct fmpi_signed_bytes *bytes,
			    struct fmp_inspection *v)
{
	struct request r = { .i = i };
	const struct fmpi_hmac_key secret = { .get = get_hmac_key, .ctx = &r };
	const xmlNode *token = info->key_info.token;
	int ret = 0;

	if (token != sec->encrypted_key)
		ret = fmpi_derived_key_read(token, sec, &r.derived, v);
	if (!ret)
		ret = fmpi_encrypted_read_key(sec, &i->algorithms, &r.key, v);
	if (ret)
		return ret;
	return bytes ? fmpi_dsig_verify_hmac(i->value_dsig, sec->signature, info, &secret, bytes, v)
		     : fmpi_dsig_verify_hmac_value(i->value_dsig, sec->signature, info, &secret, v);
}
