// SPDX-License-Identifier: GPL-2.0
#include "signedinfo.h"

#include <openssl/evp.h>
#include <string.h>
#include <strings.h>

#include "soap/named_header.h"
#include "xml/names.h"
#include "attachment_reference.h"
#include "reference.h"
#include "str_transform.h"
#include "target.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

/* A ticket's key is not: legal, but not supported. WCF makes it with SHA-1. */
static bool is_by_kerberos(const xmlNode *method, const char *alg)
{
	const xmlNode *security = method->parent->parent->parent;

	if (!strstr(alg, "#hmac-"))
		return false;
	for (const xmlNode *n = fmpi_first(security); n; n = fmpi_next(n))
		if (fmpi_wsse_is_kerberos(n))
			return true;
	return false;
}

/* A certificate's key is public: an HMAC keyed with it can be made by anybody. */
static bool names_certificate(const xmlNode *method)
{
	const xmlNode *signature = method->parent->parent;

	for (const xmlNode *n = signature; n; n = fmpi_walk_next(signature, n)) {
		const char *type = fmpi_attribute(n, NULL, "ValueType");

		if (fmpi_is(n, NS_DS, "X509Data") ||
		    (type && strncmp(type, WSSE_X509, strlen(WSSE_X509)) == 0))
			return true;
	}
	return false;
}

static int check_method(const xmlNode *n, struct fmpi_signedinfo *out, struct fmp_inspection *v)
{
	const char *alg = fmpi_reference_algorithm(n, "SignatureMethod");

	if (!alg || fmpi_first(n))
		return fmpi_reference_refuse(n, v);
	out->method = fmpi_signature_method_find(alg);
	if (strstr(alg, "#hmac-") && names_certificate(n))
		return refuse(v, FMP_EVENT_ALGORITHM, n, "%s by the key of a certificate", alg);
	if (!out->method && is_by_kerberos(n, alg))
		return refuse(v, FMP_EVENT_UNSUPPORTED, n,
			      "a signature by a Kerberos ticket is not supported");
	if (!out->method)
		return fmpi_reference_refuse_algorithm(n, "SignatureMethod", alg, "", v);
	if (!(out->allowed->signature & FMP_ALGORITHM_BIT(out->method - fmpi_signature_methods)))
		return refuse(v, FMP_EVENT_ALGORITHM, n,
			      "SignatureMethod %s is left out by the policy", alg);
	return 0;
}

static int check_transforms(const xmlNode *n, struct fmp_inspection *v)
{
	const xmlNode *t = fmpi_first(n), *method;

	if (!t)
		return fmpi_reference_refuse(n, v);
	if (fmpi_next(t))
		return refuse(v, FMP_EVENT_ALGORITHM, n, "more than one Transform");
	if (!fmpi_str_is_transform(t))
		return fmpi_reference_check_c14n(t, "Transform", v);
	method = fmpi_str_method(t);
	return method ? fmpi_reference_check_c14n(method, "CanonicalizationMethod", v)
		      : refuse(v, FMP_EVENT_UNSUPPORTED, t,
			       "the STR-Transform has no TransformationParameters with one "
			       "CanonicalizationMethod");
}

/* Number of elements that must be signed if they are there; Body and Timestamp always are. */
#define MUST_SIGN 4

static void list_must_sign(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			   const xmlNode *out[MUST_SIGN])
{
	out[0] = soap->body;
	out[1] = w->timestamp;
	out[2] = w->username;
	out[3] = w->confirmation;
}

/*
 * A target that is not verified here. It is refused now if it may be a wrapping attack; otherwise it
 * is recorded, and refused as unsupported if all that must be signed is.
 */
static int read_other_target(const xmlNode *ref, const char *id, const struct fmpi_wsse *w,
			     const struct fmpi_soap *soap, struct fmpi_signedinfo *out,
			     struct fmp_inspection *v)
{
	const xmlNode *n = id ? fmpi_target_other(id, w, soap) : NULL, *must[MUST_SIGN];

	if (n) {
		if (!out->other) {
			out->other = ref;
			out->other_target = n;
		}
		list_must_sign(w, soap, must);
		for (unsigned i = 0; i < MUST_SIGN; i++)
			out->signed_otherwise |= (unsigned)(n == must[i]) << i;
		return 0;
	}
	return refuse(v, FMP_EVENT_WRAPPING, ref,
		      "a Reference is not to this Body, Timestamp, token or header block%s",
		      w->n_encrypted_parts + w->n_encrypted_blocks
			      ? ", nor to what is encrypted, as it is"
			      : "");
}

/* Is there a header block that has the name of what is signed elsewhere, and so may stand in its place? */
static bool has_double(const xmlNode *n, const struct fmpi_soap *soap)
{
	for (const xmlNode *b = soap->header && n->parent != soap->header ? fmpi_first(soap->header)
									  : NULL;
	     b; b = fmpi_next(b))
		if (n->ns && fmpi_is(b, (const char *)n->ns->href, (const char *)n->name))
			return true;
	return false;
}

static int refuse_other(const struct fmpi_signedinfo *s, const struct fmpi_soap *soap,
			struct fmp_inspection *v)
{
	const char *name = (const char *)s->other_target->name;

	if (has_double(s->other_target, soap))
		return refuse(v, FMP_EVENT_WRAPPING, s->other,
			      "%s is signed elsewhere than in the Header, where another one stands",
			      name);
	if (fmpi_target_is_part(s->other_target, soap) && !fmpi_target_id_of(s->other_target) &&
	    !fmpi_is(s->other_target, NS_SAML2, "Assertion"))
		return refuse(v, FMP_EVENT_UNSUPPORTED, s->other,
			      "the Reference to the %s is by another attribute than wsu:Id", name);
	return refuse(
		v, FMP_EVENT_UNSUPPORTED, s->other,
		"%s (line %u) is signed, too, but is neither a header block with a wsu:Id nor "
		"a part of the Security header that can be verified here",
		name, fmpi_line(s->other_target));
}

/* A Reference with an STR-Transform: what is signed is the token. */
static int read_str_reference(const xmlNode *ref, const char *id, const struct fmpi_wsse *w,
			      struct fmpi_signedinfo *out, struct fmp_inspection *v)
{
	xmlNode *str = NULL, *target = id ? fmpi_str_resolve(id, w, &str) : NULL;

	if (!target)
		return refuse(v, str ? fmpi_str_kind(str, w) : FMP_EVENT_WRAPPING, ref,
			      str ? "the STR-Transform is not of a token of this header"
				  : "the STR-Transform is not of a SecurityTokenReference of this "
				    "Signature or header");
	for (unsigned i = 0; i < out->n_str; i++)
		if (out->str[i].node == str)
			return refuse(v, FMP_EVENT_WRAPPING, ref, "two References to one element");
	if (out->n_str == FMPI_MAX_STR)
		return refuse(v, FMP_EVENT_STRUCTURE, ref, "more than %u STR-Transforms",
			      FMPI_MAX_STR);
	out->str[out->n_str].reference = out->n_references;
	out->str[out->n_str++].node = str;
	out->target[out->n_references++] = target;
	return 0;
}

static int read_reference(const xmlNode *ref, const struct fmpi_wsse *w,
			  const struct fmpi_soap *soap, struct fmpi_signedinfo *out,
			  struct fmp_inspection *v)
{
	const char *id = fmp_local_id(fmpi_attribute(ref, NULL, "URI"));
	xmlNode *target;
	int ret;

	if (fmpi_attachment_reference_is(ref))
		return fmpi_attachment_reference_read(ref, out, v);
	ret = fmpi_reference_read(ref, check_transforms, out, v);
	if (ret)
		return ret;
	if (fmpi_str_is_transform(fmpi_first(fmpi_first(ref))))
		return read_str_reference(ref, id, w, out, v);
	target = id ? fmpi_target_find(id, w, soap) : NULL;
	if (!target)
		return read_other_target(ref, id, w, soap, out, v);
	/* A token may be signed by name and through an STR-Transform. */
	for (unsigned i = 0; i < out->n_references; i++)
		if (out->target[i] == target && !fmpi_signedinfo_str(out, i))
			return refuse(v, FMP_EVENT_WRAPPING, ref, "two References to one element");
	if (target == soap->body)
		out->body = out->n_references;
	else if (fmpi_target_is_block(target, w, soap))
		out->blocks |= UINT64_C(1) << out->n_references;
	out->target[out->n_references++] = target;
	return 0;
}

/*
 * Count first, so that a message with thousands costs nothing more. Attachments count by themselves: who
 * sends many is no attacker.
 */
static int count_references(const xmlNode *first, uint32_t max, struct fmp_inspection *v)
{
	uint32_t count = 0, attachments = 0;

	if (max > FMPI_MAX_REFERENCES)
		max = FMPI_MAX_REFERENCES;
	for (const xmlNode *n = first; n; n = fmpi_next(n)) {
		if (!fmpi_is(n, NS_DS, "Reference"))
			return fmpi_reference_refuse(n->parent, v);
		if (fmpi_attachment_reference_is(n)) {
			attachments++;
			if (attachments > FMPI_MAX_SIGNED_ATTACHMENTS ||
			    attachments + count > FMPI_MAX_REFERENCES)
				return refuse(v, FMP_EVENT_UNSUPPORTED, n,
					      "more than %u signed attachments are not supported",
					      attachments - 1);
			continue;
		}
		if (++count > max || count + attachments > FMPI_MAX_REFERENCES)
			return refuse(v, FMP_EVENT_STRUCTURE, n, "more than %u References", max);
	}
	return 0;
}

static int read_references(const xmlNode *first, const struct fmpi_wsse *w,
			   const struct fmpi_soap *soap, uint32_t max, struct fmpi_signedinfo *out,
			   struct fmp_inspection *v)
{
	int ret = count_references(first, max, v);

	for (const xmlNode *n = first; n && !ret; n = fmpi_next(n))
		ret = read_reference(n, w, soap, out, v);
	return ret;
}

/* CanonicalizationMethod and SignatureMethod; *next: the element behind them. */
static int read_methods(struct fmpi_signedinfo *out, const xmlNode **next, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(out->info);
	int ret;

	if (!n)
		return fmpi_reference_refuse(out->info, v);
	ret = fmpi_reference_check_c14n(n, "CanonicalizationMethod", v);
	if (ret)
		return ret;
	n = fmpi_next(n);
	if (!n)
		return fmpi_reference_refuse(out->info, v);
	*next = fmpi_next(n);
	return check_method(n, out, v);
}

/*
 * Refuse another element with the Id of a signed one, in whatever attribute: signature wrapping. The
 * signed element may repeat its Id in several attributes: any lookup then finds that element.
 */
static int refuse_duplicate_ids(const xmlNode *root, const struct fmpi_signedinfo *s,
				struct fmp_inspection *v)
{
	const char *id[FMPI_MAX_REFERENCES + FMPI_MAX_STR + 1];
	const xmlNode *owner[FMPI_MAX_REFERENCES + FMPI_MAX_STR + 1];
	unsigned n_ids = 0;

	/* An Assertion, which an STR-Transform may sign, has no such Id: saml.c checks its own. */
	for (unsigned i = 0; i < s->n_references; i++)
		if (fmpi_target_id_of(s->target[i]))
			owner[n_ids++] = s->target[i];
	for (unsigned i = 0; i < s->n_str; i++)
		owner[n_ids++] = s->str[i].node;
	/* An EncryptedKey that is named by its SHA-1 may have none. */
	if (fmpi_target_id_of(s->key_info.token))
		owner[n_ids++] = s->key_info.token;
	for (unsigned i = 0; i < n_ids; i++)
		id[i] = fmpi_target_id_of(owner[i]);

	for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
		for (const xmlAttr *a = n->properties; a; a = a->next) {
			const char *value = fmpi_is_id(a) ? fmpi_attribute_value(a) : NULL;

			for (unsigned i = 0; value && i < n_ids; i++) {
				if (strcmp(value, id[i]) != 0)
					continue;
				if (n != owner[i])
					return refuse(v, FMP_EVENT_WRAPPING, n,
						      "the Id of a signed element stands twice");
			}
		}
	}
	return 0;
}

static bool covers_element(const struct fmpi_signedinfo *s, const xmlNode *node)
{
	for (unsigned i = 0; i < s->n_references; i++)
		if (s->target[i] == node)
			return true;
	return false;
}

/* Does a Reference to its EncryptedData cover this EncryptedHeader? */
static bool covers_datum(const struct fmpi_signedinfo *s, const xmlNode *block)
{
	const xmlNode *datum = fmpi_target_datum(block);

	return datum && covers_element(s, datum);
}

bool fmpi_signedinfo_covers(const struct fmpi_signedinfo *s, const xmlNode *block)
{
	return covers_element(s, block) || covers_datum(s, block);
}

/* Signature (SignedInfo, SignatureValue, KeyInfo), and nothing behind them. */
static int read_children(const xmlNode *signature, const struct fmp_policy_algorithms *allowed,
			 struct fmpi_signedinfo *out, const xmlNode **key, struct fmp_inspection *v)
{
	const xmlNode *value, *extra, *twice = fmpi_find_duplicate_attribute(signature);

	if (twice)
		return refuse(v, FMP_EVENT_WRAPPING, twice, "an attribute of %s stands twice",
			      (const char *)twice->name);
	*out = (struct fmpi_signedinfo){ .info = fmpi_first(signature), .allowed = allowed };
	if (!fmpi_is(out->info, NS_DS, "SignedInfo"))
		return fmpi_reference_refuse(signature, v);
	value = fmpi_next(out->info);
	if (!fmpi_is(value, NS_DS, "SignatureValue") || fmpi_first(value))
		return fmpi_reference_refuse(signature, v);
	*key = fmpi_next(value);
	if (!fmpi_is(*key, NS_DS, "KeyInfo"))
		return refuse(v, FMP_EVENT_TOKEN, signature, "the Signature has no KeyInfo");
	extra = fmpi_next(*key);
	if (extra)
		return refuse(v, FMP_EVENT_WRAPPING, extra, "%s inside the Signature",
			      (const char *)extra->name);
	return 0;
}

static int read_signature_value(struct fmpi_signedinfo *s, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_next(s->info);
	const char *text = fmpi_text(n);

	/* Longer than any accepted key makes it: the verdict on the key comes first. */
	if (text && strlen(text) > FMPI_MAX_SIGNATURE_TEXT)
		return 0;
	return fmpi_reference_value(n, FMPI_MAX_SIGNATURE_TEXT, s->value, &s->value_len, v);
}

/* Check that everything is signed that must be under any policy. */
static int check_covered(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
			 const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	const xmlNode *must[MUST_SIGN];

	list_must_sign(w, soap, must);
	for (unsigned i = 0; i < MUST_SIGN; i++)
		if (must[i] && !covers_element(s, must[i]) && !(s->signed_otherwise >> i & 1))
			return refuse(v, FMP_EVENT_UNSIGNED, must[i], "the %s is not signed",
				      (const char *)must[i]->name);
	for (unsigned h = 0; h < w->n_encrypted_parts + w->n_encrypted_blocks; h++) {
		if (!covers_element(s, w->encrypted[h]) && !covers_datum(s, w->encrypted[h]))
			return refuse(v, FMP_EVENT_UNSIGNED, w->encrypted[h],
				      "what is encrypted in the header is not signed");
	}
	return 0;
}

/* A secret makes an HMAC, and nothing else; an HMAC by anything but a secret could be made by anybody. */
static int check_key_kind(const struct fmpi_signedinfo *s, struct fmp_inspection *v)
{
	if (fmpi_signedinfo_is_symmetric(s) == (s->key_info.name == FMPI_KEY_ENCRYPTED_KEY))
		return 0;
	return refuse(v, FMP_EVENT_ALGORITHM, s->key_info.node,
		      "the key that is named does not fit the SignatureMethod");
}

/* KeyInfo and SignatureValue. */
static int read_key(const xmlNode *key, const struct fmpi_wsse *w, struct fmpi_signedinfo *out,
		    struct fmp_inspection *v)
{
	int ret = fmpi_keyinfo_read(key, w, &out->key_info, v);

	if (!ret)
		ret = check_key_kind(out, v);
	return ret ? ret : read_signature_value(out, v);
}

int fmpi_signedinfo_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			 const struct fmp_policy_algorithms *allowed, uint32_t max_references,
			 struct fmpi_signedinfo *out, struct fmp_inspection *v)
{
	const xmlNode *key, *first;
	int ret = read_children(w->signature, allowed, out, &key, v);

	if (!ret)
		ret = read_methods(out, &first, v);
	if (!ret)
		ret = read_references(first, w, soap, max_references, out, v);
	if (!ret)
		ret = read_key(key, w, out, v);
	if (ret)
		return ret;
	ret = check_covered(out, w, soap, v);
	if (!ret)
		ret = refuse_duplicate_ids(soap->body->parent, out, v);
	return !ret && out->other ? refuse_other(out, soap, v) : ret;
}

int fmpi_signedinfo_read_unresolved(const struct fmpi_wsse *w,
				    const struct fmp_policy_algorithms *allowed,
				    uint32_t max_references, struct fmpi_signedinfo *out,
				    struct fmp_inspection *v)
{
	const xmlNode *key, *first = NULL;
	int ret = read_children(w->signature, allowed, out, &key, v);

	if (!ret)
		ret = read_methods(out, &first, v);
	if (!ret)
		ret = count_references(first, max_references, v);
	for (const xmlNode *n = first; !ret && n; n = fmpi_next(n)) {
		if (fmpi_attachment_reference_is(n)) {
			ret = fmpi_attachment_reference_read(n, out, v);
			continue;
		}
		ret = fmpi_reference_read(n, check_transforms, out, v);
		out->n_references++;
	}
	return ret ? ret : read_key(key, w, out, v);
}

int fmpi_signedinfo_read_endorsing(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
				   const struct fmp_policy_algorithms *allowed,
				   uint32_t max_references, struct fmpi_signedinfo *out,
				   struct fmp_inspection *v)
{
	struct fmpi_wsse e = fmpi_wsse_endorsing(w);
	const xmlNode *key, *first;
	int ret = read_children(e.signature, allowed, out, &key, v);

	out->body = FMPI_MAX_REFERENCES;
	if (!ret)
		ret = read_methods(out, &first, v);
	if (!ret)
		ret = read_references(first, &e, soap, max_references, out, v);
	if (!ret)
		ret = read_key(key, &e, out, v);
	if (ret)
		return ret;
	if (!covers_element(out, w->signature))
		return refuse(v, FMP_EVENT_WRAPPING, e.signature,
			      "the endorsing Signature is not of the message's Signature");
	if (fmpi_signedinfo_is_symmetric(out))
		return refuse(v, FMP_EVENT_UNSUPPORTED, e.signature,
			      "an endorsing Signature by a secret is not supported");
	ret = refuse_duplicate_ids(soap->body->parent, out, v);
	return !ret && out->other ? refuse_other(out, soap, v) : ret;
}

static int check_enveloped(const xmlNode *transforms, struct fmp_inspection *v)
{
	const xmlNode *first = fmpi_first(transforms), *second;
	const char *alg = first ? fmpi_reference_algorithm(first, "Transform") : NULL;

	if (!alg || fmpi_first(first))
		return fmpi_reference_refuse(transforms, v);
	if (strcmp(alg, ALG_ENVELOPED) != 0)
		return refuse(v, FMP_EVENT_ALGORITHM, first, "Transform %s is not allowed here",
			      alg);
	second = fmpi_next(first);
	if (!second || fmpi_next(second))
		return refuse(v, FMP_EVENT_ALGORITHM, transforms,
			      "the Transforms are not enveloped-signature and exc-c14n");
	return fmpi_reference_check_c14n(second, "Transform", v);
}

int fmpi_signedinfo_enveloped(xmlNode *signature, xmlNode *apex, const char *id_name,
			      const struct fmp_policy_algorithms *allowed,
			      struct fmpi_signedinfo *out, const xmlNode **key_info,
			      struct fmp_inspection *v)
{
	const xmlNode *ref;
	const char *id;
	int ret = read_children(signature, allowed, out, key_info, v);

	if (!ret)
		ret = read_methods(out, &ref, v);
	if (!ret && fmpi_signedinfo_is_symmetric(out))
		ret = refuse(v, FMP_EVENT_ALGORITHM, signature,
			     "the %s is signed by no certificate", (const char *)apex->name);
	if (ret)
		return ret;
	if (!fmpi_is(ref, NS_DS, "Reference") || fmpi_next(ref))
		return refuse(v, FMP_EVENT_WRAPPING, signature,
			      "not one Reference in the signature of the %s",
			      (const char *)apex->name);
	ret = fmpi_reference_read(ref, check_enveloped, out, v);
	if (ret)
		return ret;
	id = fmp_local_id(fmpi_attribute(ref, NULL, "URI"));
	if (!id || strcmp(id, fmpi_attribute(apex, NULL, id_name)) != 0)
		return refuse(v, FMP_EVENT_WRAPPING, ref, "the Reference is not to this %s",
			      (const char *)apex->name);
	out->target[out->n_references++] = apex;
	out->id_name = id_name;
	out->enveloped = signature;
	return read_signature_value(out, v);
}

int fmpi_signedinfo_check_length(const struct fmpi_signedinfo *s, EVP_PKEY *key,
				 struct fmp_inspection *v)
{
	size_t bytes = (size_t)(EVP_PKEY_get_bits(key) + 7) / 8;

	/* XML-DSig 1.1, 6.4.3: r and s, both as long as the order of the curve; RFC 8032, 5.1.6: R and S. */
	if (!EVP_PKEY_is_a(key, "RSA"))
		bytes *= 2;
	if (s->value_len != bytes)
		return refuse(v, FMP_EVENT_SIGNATURE, s->info->parent,
			      "the signature value is not as long as the key makes it");
	return 0;
}

xmlAttr *fmpi_signedinfo_id(const struct fmpi_signedinfo *s, unsigned reference)
{
	const xmlNode *n = s->target[reference];

	return s->id_name ? fmpi_attribute_node(n, NULL, s->id_name) : fmpi_target_id(n);
}

int fmpi_signedinfo_require(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
			    unsigned parts, struct fmp_inspection *v)
{
	for (unsigned p = FMP_PART_TO; p < FMP_PARTS; p++) {
		if (!(parts & FMP_PART_BIT(p)))
			continue;
		if (!w->addressing[p])
			return refuse(v, FMP_EVENT_UNSIGNED, w->security->parent,
				      "no %s of WS-Addressing", fmp_part_name(p));
		if (!covers_element(s, w->addressing[p]))
			return refuse(v, FMP_EVENT_UNSIGNED, w->addressing[p],
				      "the %s is not signed", fmp_part_name(p));
	}
	return 0;
}

int fmpi_signedinfo_require_all(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
				const struct fmpi_soap *soap,
				const struct fmp_policy_headers *named, struct fmp_inspection *v)
{
	for (const xmlNode *n = fmpi_first(w->security->parent); n; n = fmpi_next(n)) {
		const struct fmp_policy_header *h;

		if (n == w->security || fmpi_signedinfo_covers(s, n))
			continue;
		h = fmpi_named_header(named, n, soap->ns);
		if (!h || h->is_signed != FMP_HEADER_SIGNED_NO)
			return refuse(v, FMP_EVENT_UNSIGNED, n, "header block %s is not signed",
				      (const char *)n->name);
	}
	return 0;
}

int fmpi_signedinfo_check_understood(const struct fmpi_signedinfo *s, const struct fmpi_wsse *w,
				     const struct fmpi_soap *soap,
				     const struct fmp_policy_headers *named,
				     struct fmp_inspection *v)
{
	for (const xmlNode *n = w->not_understood; n; n = fmpi_next(n))
		if (fmpi_wsse_is_not_understood(w, n, soap->ns) && !covers_element(s, n) &&
		    !fmpi_named_header_is_understood(named, n, soap->ns))
			return refuse(
				v, FMP_EVENT_UNSIGNED, n,
				"header block %s must be understood, but is not signed, so it "
				"is not forwarded",
				(const char *)n->name);
	return 0;
}

int fmpi_signedinfo_digest(const struct fmpi_signedinfo *s, const void *salt, size_t salt_len,
			   uint8_t out[32])
{
	EVP_MD_CTX *ctx = EVP_MD_CTX_new();
	bool good = ctx && EVP_DigestInit_ex(ctx, EVP_sha256(), NULL) &&
		    EVP_DigestUpdate(ctx, salt, salt_len);

	for (unsigned i = 0; good && i < s->n_references; i++)
		good = EVP_DigestUpdate(ctx, s->digest[i].p, s->digest[i].len);
	for (unsigned i = 0; good && i < s->n_attachments; i++)
		good = EVP_DigestUpdate(ctx, s->attachment[i].digest.p,
					s->attachment[i].digest.len);
	good = good && EVP_DigestFinal_ex(ctx, out, NULL);
	EVP_MD_CTX_free(ctx);
	return good ? 0 : FMP_ERR_NOMEM;
}
