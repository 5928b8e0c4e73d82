// SPDX-License-Identifier: GPL-2.0
#include "endorsing.h"

#include <string.h>

#include "wss/signature.h"
#include "wss/token.h"
#include "xml/c14n.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

/* Read what names the signer; the targets are not looked at. */
static int read_signer(const struct fmp_inspector *i, const struct fmpi_wsse *sec,
		       struct fmpi_signedinfo *out, struct fmp_inspection *v)
{
	struct fmpi_wsse e = fmpi_wsse_endorsing(sec);
	int ret = fmpi_signedinfo_read_unresolved(&e, &i->algorithms, i->limits.references, out, v);

	if (ret || !fmpi_signedinfo_is_symmetric(out))
		return ret;
	return refuse(v, FMP_EVENT_UNSUPPORTED, e.signature,
		      "an endorsing Signature by a secret is not supported");
}

/* Does something that the HMAC covers name the sender: a user, or an assertion that needs no key? */
static bool is_supported(const struct fmp_inspector *i, const struct fmpi_wsse *sec,
			 const struct fmpi_signedinfo *info, bool resolved)
{
	if (i->passwords)
		return true;
	return sec->assertion && i->assertion.confirmation == FMPI_BEARER &&
	       (!resolved || fmpi_signedinfo_covers(info, sec->assertion));
}

static int check_unendorsed(const struct fmp_inspector *i, const struct fmpi_wsse *sec,
			    const struct fmpi_signedinfo *info, const struct fmpi_signer *holder,
			    bool resolved, struct fmp_inspection *v)
{
	if (holder)
		return refuse(v, FMP_EVENT_TOKEN, sec->signature,
			      "the message is not signed by the holder of the Assertion's key");
	if (sec->assertion && i->assertion.confirmation == FMPI_VOUCHES)
		return refuse(v, FMP_EVENT_UNSUPPORTED, sec->signature,
			      "the key of an EncryptedKey names no sender, who could vouch for an "
			      "Assertion: an endorsing signature is missing");
	if (i->symmetric == FMP_SYMMETRIC_ANONYMOUS ||
	    (i->symmetric == FMP_SYMMETRIC_SUPPORTED && is_supported(i, sec, info, resolved)))
		return 0;
	return refuse(
		v, FMP_EVENT_UNSUPPORTED, sec->signature,
		i->symmetric == FMP_SYMMETRIC_SUPPORTED
			? "the key of an EncryptedKey names no sender: an endorsing signature "
			  "or a signed token of a user is missing"
			: "the key of an EncryptedKey names no sender: an endorsing signature "
			  "is missing");
}

int fmpi_endorsing_find_sender(struct fmp_inspector *i, const struct fmp_message *m,
			       const struct fmpi_wsse *sec, const struct fmpi_signedinfo *info,
			       const struct fmpi_signer *holder, bool resolved,
			       struct fmpi_signer *who, struct fmp_inspection *v)
{
	struct fmpi_signedinfo endorsing;
	int ret;

	*who = (struct fmpi_signer){ 0 };
	if (i->symmetric == FMP_SYMMETRIC_NO || !i->key)
		return refuse(v, FMP_EVENT_UNSUPPORTED, sec->signature,
			      "a signature by the key of an EncryptedKey is not supported here: %s",
			      i->symmetric == FMP_SYMMETRIC_NO
				      ? "the policy says symmetric=\"no\""
				      : "the policy has no key to decrypt it");
	if (!sec->endorsing)
		return check_unendorsed(i, sec, info, holder, resolved, v);
	ret = read_signer(i, sec, &endorsing, v);
	return ret ? ret
		   : fmpi_token_signer(i->trust, i->cert_store, holder, &endorsing, m->now_s, who,
				       v);
}

int fmpi_endorsing_verify(struct fmp_inspector *i, const struct fmp_message *m,
			  const struct fmpi_soap *soap, const struct fmpi_wsse *sec,
			  const struct fmpi_signer *who, const struct fmpi_signer *holder,
			  struct fmp_inspection *v)
{
	struct fmpi_signed_bytes bytes = { 0 };
	struct fmpi_signedinfo info;
	struct fmpi_signer found;
	int ret;

	if (!sec->endorsing)
		return 0;
	ret = fmpi_signedinfo_read_endorsing(sec, soap, &i->algorithms, i->limits.references, &info,
					     v);
	info.budget = fmpi_c14n_budget(m->len);
	if (!ret && !who) {
		ret = fmpi_token_signer(i->trust, i->cert_store, holder, &info, m->now_s, &found,
					v);
		who = &found;
	}
	if (ret)
		return ret;
	info.signer = (struct fmpi_der_certificate){ who->der, who->der_len };
	ret = FMP_ERR_UNSUPPORTED;
	if (i->dsig || fmpi_dsig_is_needed(&info))
		ret = fmpi_dsig_verify(i->value_dsig, sec->endorsing, &info, who->key, &bytes, v);
	if (ret == FMP_ERR_UNSUPPORTED)
		ret = fmpi_signature_verify(sec->endorsing, &info, who->key, &bytes, v);
	free(bytes.body.p);
	free(bytes.blocks.p);
	return ret;
}

int fmpi_endorsing_verify_value(struct fmp_inspector *i, const struct fmp_message *m,
				const struct fmpi_wsse *sec, EVP_PKEY *key,
				struct fmp_inspection *v)
{
	struct fmpi_signedinfo info;
	int ret;

	if (!sec->endorsing)
		return 0;
	ret = read_signer(i, sec, &info, v);
	info.budget = fmpi_c14n_budget(m->len);
	return ret ? ret : fmpi_dsig_verify_value(i->value_dsig, sec->endorsing, &info, key, v);
}

bool fmpi_endorsing_is_by_holder(struct fmp_inspector *i, const struct fmpi_wsse *sec)
{
	struct fmp_inspection ignored = { 0 };
	struct fmpi_signedinfo info;

	/* Otherwise i->holder is of an earlier message. */
	return sec->endorsing && sec->assertion && i->assertion.confirmation == FMPI_HOLDER &&
	       !read_signer(i, sec, &info, &ignored) && info.key_info.name == FMPI_KEY_ASSERTION;
}
