// SPDX-License-Identifier: GPL-2.0
#include "encrypted.h"

#include <string.h>

#include "algorithm.h"
#include "attachment_encrypted.h"
#include "xml/names.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

#define MAX_BLANKS 4096u

static int refuse_malformed(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_DECRYPT, where, "malformed %s", (const char *)where->name);
}

static const char *const hash_names[FMP_RSA_OAEPS] = {
	[FMP_RSA_OAEP_SHA1] = "SHA1",
	[FMP_RSA_OAEP_SHA256] = "SHA256",
	[FMP_RSA_OAEP_SHA384] = "SHA384",
	[FMP_RSA_OAEP_SHA512] = "SHA512",
};

/* Return: the index of the URI, which is that of its hash; FMP_RSA_OAEPS: not found. */
static unsigned find_uri(const char *const uris[FMP_RSA_OAEPS], const char *uri)
{
	unsigned i = 0;

	while (i < FMP_RSA_OAEPS && !(uri && strcmp(uris[i], uri) == 0))
		i++;
	return i;
}

static int read_oaep(const xmlNode *method, unsigned *digest, unsigned *mgf,
		     struct fmp_inspection *v)
{
	static const char *const digests[] = { ALG_SHA1, ALG_SHA256, ALG_SHA384, ALG_SHA512 };
	static const char *const mgfs[] = { NS_XENC11 "mgf1sha1", NS_XENC11 "mgf1sha256",
					    NS_XENC11 "mgf1sha384", NS_XENC11 "mgf1sha512" };

	*digest = *mgf = FMP_RSA_OAEP_SHA1; /* the default of XML Encryption 1.1, 5.5.2 */
	for (const xmlNode *n = fmpi_first(method); n; n = fmpi_next(n)) {
		const char *alg = fmpi_attribute(n, NULL, "Algorithm");

		if (fmpi_is(n, NS_DS, "DigestMethod"))
			*digest = find_uri(digests, alg);
		else if (fmpi_is(n, NS_XENC11, "MGF"))
			*mgf = find_uri(mgfs, alg);
		else
			return refuse(v, FMP_EVENT_ALGORITHM, n, "%s of RSA-OAEP is not supported",
				      (const char *)n->name);
		if (*digest == FMP_RSA_OAEPS || *mgf == FMP_RSA_OAEPS)
			return refuse(v, FMP_EVENT_ALGORITHM, n, "%s %s is not allowed",
				      (const char *)n->name, alg ? alg : "without Algorithm");
	}
	return 0;
}

/* @alg: NULL: there is none */
static int refuse_algorithm(const xmlNode *method, const char *what, const char *alg,
			    struct fmp_inspection *v)
{
	if (alg && fmpi_algorithm_is_sound(alg))
		return refuse(v, FMP_EVENT_UNSUPPORTED, method, "%s %s is not supported", what,
			      alg);
	return refuse(v, FMP_EVENT_ALGORITHM, method, "%s %s is not allowed", what,
		      alg ? alg : "without Algorithm");
}

static int read_key_method(const xmlNode *method, const xmlNode *info, unsigned allowed,
			   struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const char *alg = fmpi_attribute(method, NULL, "Algorithm");
	unsigned digest, mgf;
	int ret;

	if (alg && fmpi_key_wrap_length(alg))
		return fmpi_agreement_read(method, info, allowed, &out->agreement, v);
	if (!alg ||
	    (strcmp(alg, NS_XENC "rsa-oaep-mgf1p") != 0 && strcmp(alg, NS_XENC11 "rsa-oaep") != 0))
		return refuse_algorithm(method, "key transport", alg, v);
	if (allowed && !(allowed & FMP_RSA_OAEPS_BITS))
		return refuse(v, FMP_EVENT_UNSUPPORTED, method,
			      "key transport %s is not supported: our key is not of RSA", alg);
	ret = read_oaep(method, &digest, &mgf, v);
	if (ret)
		return ret;
	if (!(allowed & FMP_ALGORITHM_BIT(digest)))
		return refuse(v, FMP_EVENT_ALGORITHM, method,
			      "key transport %s with %s is left out by the policy", alg,
			      hash_names[digest]);
	out->oaep_digest = hash_names[digest];
	out->oaep_mgf = hash_names[mgf];
	return 0;
}

static int read_data_method(const xmlNode *method, unsigned allowed, enum fmp_cipher *out,
			    struct fmp_inspection *v)
{
	static const char *const uris[FMP_CIPHERS] = {
		[FMP_CIPHER_AES128_CBC] = NS_XENC "aes128-cbc",
		[FMP_CIPHER_AES256_CBC] = NS_XENC "aes256-cbc",
		[FMP_CIPHER_AES128_GCM] = NS_XENC11 "aes128-gcm",
		[FMP_CIPHER_AES256_GCM] = NS_XENC11 "aes256-gcm",
	};
	const char *alg = fmpi_attribute(method, NULL, "Algorithm");

	for (unsigned i = 0; alg && i < FMP_CIPHERS; i++) {
		if (strcmp(alg, uris[i]) != 0)
			continue;
		if (!(allowed & FMP_ALGORITHM_BIT(i)))
			return refuse(v, FMP_EVENT_ALGORITHM, method,
				      "data encryption %s is left out by the policy", alg);
		*out = i;
		return 0;
	}
	return refuse_algorithm(method, "data encryption", alg, v);
}

/* EncryptionMethod, KeyInfo?, CipherData: the same for a key, for data and for attachments. */
static int read_encrypted(const xmlNode *e, const xmlNode **method, const xmlNode **key_info,
			  const xmlNode **data, const xmlNode **behind, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(e);

	*method = n;
	*key_info = NULL;
	if (!fmpi_is(n, NS_XENC, "EncryptionMethod"))
		return refuse_malformed(e, v);
	n = fmpi_next(n);
	if (fmpi_is(n, NS_DS, "KeyInfo")) {
		*key_info = n;
		n = fmpi_next(n);
	}
	if (!fmpi_is(n, NS_XENC, "CipherData"))
		return refuse_malformed(e, v);
	*data = n;
	*behind = fmpi_next(n);
	return 0;
}

static int read_value(const xmlNode *data, const char **text, struct fmp_inspection *v)
{
	const xmlNode *value = fmpi_first(data);

	if (!fmpi_is(value, NS_XENC, "CipherValue") || fmpi_next(value))
		return refuse(v, FMP_EVENT_ALGORITHM, data, "CipherData without a CipherValue");
	*text = fmpi_text(value);
	return *text ? 0 : refuse_malformed(value, v);
}

static int read_key(const struct fmpi_wsse *w, unsigned allowed, const xmlNode **behind,
		    struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const xmlNode *method, *info, *data;
	int ret = read_encrypted(w->encrypted_key, &method, &info, &data, behind, v);

	if (!ret)
		ret = read_value(data, &out->key, v);
	return ret ? ret : read_key_method(method, info, allowed, out, v);
}

/* Attachments are counted behind the data of the text. */
static unsigned count_data(const struct fmpi_encrypted *e)
{
	return e->n + e->n_attachments;
}

static uint64_t all_data(const struct fmpi_encrypted *e)
{
	return ((uint64_t)1 << count_data(e)) - 1;
}

static const xmlNode *get_datum(const struct fmpi_encrypted *e, unsigned i)
{
	return i < e->n ? e->datum[i].node : e->attachment[i - e->n].datum.node;
}

static bool points_to(const xmlNode *ref, const xmlNode *target)
{
	const char *uri = fmpi_attribute(ref, NULL, "URI");
	const char *id = fmpi_attribute(target, NULL, "Id");

	return uri && id && uri[0] == '#' && strcmp(uri + 1, id) == 0;
}

/* Return: the bit of the one datum that a reference names; 0: none, or more than one. */
static uint64_t find_datum(const xmlNode *ref, const struct fmpi_encrypted *e)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < count_data(e); i++)
		if (points_to(ref, get_datum(e, i)))
			bits |= (uint64_t)1 << i;
	return bits & (bits - 1) ? 0 : bits;
}

/* Check that the list names each datum of @bits once, and nothing else. */
static int read_reference_list(const xmlNode *list, uint64_t bits, const struct fmpi_encrypted *e,
			       struct fmp_inspection *v)
{
	const xmlNode *ref;
	uint64_t seen = 0;

	ref = fmpi_is(list, NS_XENC, "ReferenceList") ? fmpi_first(list) : NULL;
	if (!fmpi_is(ref, NS_XENC, "DataReference"))
		return refuse_malformed(list, v);
	for (; ref; ref = fmpi_next(ref)) {
		uint64_t bit = fmpi_is(ref, NS_XENC, "DataReference") ? find_datum(ref, e) : 0;

		if (bit & ~bits)
			return refuse(
				v, FMP_EVENT_WRAPPING, ref,
				"a ReferenceList names what is encrypted on the other side of "
				"the signature");
		if (!bit || seen & bit)
			return refuse(v, FMP_EVENT_WRAPPING, ref,
				      "the EncryptedKey is not for this Body%s alone",
				      e->n > 1 ? " and these parts of the header" : "");
		seen |= bit;
	}
	for (unsigned i = 0; i < count_data(e); i++)
		if (bits & ~seen & ((uint64_t)1 << i))
			return refuse(v, FMP_EVENT_WRAPPING, get_datum(e, i),
				      "the EncryptedKey is not for this EncryptedData");
	return 0;
}

/* WS-Security 1.1, 5: new elements are prepended, so the list of what was encrypted last is first. */
static int read_two_lists(const struct fmpi_wsse *w, const struct fmpi_encrypted *e,
			  struct fmp_inspection *v)
{
	unsigned parts = 0;
	int ret;

	if (w->n_lists != 2)
		return refuse(
			v, FMP_EVENT_WRAPPING, w->encrypted_key,
			"not two ReferenceLists beside the EncryptedKey: of what is encrypted "
			"behind the signature and of what before it");
	for (unsigned i = 0; i < e->n; i++)
		parts |= (unsigned)(e->datum[i].place->parent == w->security) << i;
	ret = read_reference_list(w->list[0], parts, e, v);
	return ret ? ret : read_reference_list(w->list[1], (1u << e->n) - 1 - parts, e, v);
}

/* A ReferenceList stands in the EncryptedKey, or beside it in the Security header. */
static int read_references(const struct fmpi_wsse *w, const xmlNode *behind, bool twice,
			   const struct fmpi_encrypted *e, struct fmp_inspection *v)
{
	const xmlNode *list = behind ? behind : w->list[0];

	if (behind && fmpi_next(behind))
		return refuse_malformed(w->encrypted_key, v);
	if (behind && w->n_lists)
		return refuse(v, FMP_EVENT_WRAPPING, w->list[0],
			      "a ReferenceList in the EncryptedKey and one beside it");
	if (twice)
		return read_two_lists(w, e, v);
	if (w->n_lists > 1)
		return refuse(v, FMP_EVENT_WRAPPING, w->list[1],
			      "more than one ReferenceList: that is of order %s",
			      fmp_order_name(FMP_ORDER_ENCRYPT_SIGN_ENCRYPT));
	if (!list && e->n == 1 && !e->n_attachments)
		return 0;
	if (!list)
		return refuse(v, FMP_EVENT_WRAPPING, w->encrypted_key,
			      "the EncryptedKey does not say what it is for");
	return read_reference_list(list, all_data(e), e, v);
}

/* With a ReferenceList beside the key, EncryptedData must name its key; with one inside, it may. */
static int read_data_key(struct fmpi_datum *d, const xmlNode *info, const struct fmpi_wsse *w,
			 struct fmp_inspection *v)
{
	const xmlNode *str = info ? fmpi_first(info) : NULL, *key;

	if (!info && !w->n_lists)
		return 0;
	key = str && !fmpi_next(str) ? fmpi_derived_key_find(str, w) : NULL;
	if (!key)
		return refuse(v, FMP_EVENT_WRAPPING, info ? info : d->node,
			      "EncryptedData does not name the header's EncryptedKey");
	return key == w->encrypted_key ? 0 : fmpi_derived_key_read(key, w, &d->derived, v);
}

/* ---- which data are encrypted ---- */

static int check_type(const xmlNode *data, bool content_too, struct fmp_inspection *v)
{
	const char *type = fmpi_attribute(data, NULL, "Type");

	if (!type || strcmp(type, NS_XENC "Element") == 0 ||
	    (content_too && strcmp(type, NS_XENC "Content") == 0))
		return 0;
	return refuse(v, FMP_EVENT_ALGORITHM, data, "EncryptedData of type %s", type);
}

/*
 * Bound white space beside EncryptedData. Whether it is read depends on the decrypted content: the
 * envelope check ends early at text in place of an element. The time of that must not be measurable.
 */
static int check_blanks(const xmlNode *parent, struct fmp_inspection *v)
{
	size_t n = 0;

	for (const xmlNode *t = parent->children; t; t = t->next)
		if (t->type == XML_TEXT_NODE && t->content)
			n += strlen((const char *)t->content);
	if (n > MAX_BLANKS)
		return refuse(v, FMP_EVENT_STRUCTURE, parent,
			      "more than %u bytes of white space beside EncryptedData", MAX_BLANKS);
	return 0;
}

static int add_datum(const xmlNode *data, const xmlNode *place, bool content_too,
		     struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	int ret = check_blanks(place->parent, v);

	out->datum[out->n++] = (struct fmpi_datum){ .node = data, .place = place };
	return ret ? ret : check_type(data, content_too, v);
}

static bool is_encrypted_block(const struct fmpi_wsse *w, const xmlNode *n)
{
	for (unsigned i = 0; i < w->n_encrypted_parts + w->n_encrypted_blocks; i++)
		if (w->encrypted[i] == n)
			return true;
	return false;
}

/* Collect in document order; wsse.c has refused more than are expected. */
static int collect_header_data(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			       struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	int ret = 0;

	for (const xmlNode *n = fmpi_first(soap->header); n && !ret; n = fmpi_next(n)) {
		const xmlNode *inner = fmpi_first(n);

		if (n == w->security) {
			for (; inner && !ret; inner = fmpi_next(inner))
				if (fmpi_is(inner, NS_XENC, "EncryptedData") &&
				    !fmpi_wsse_is_attachment(inner))
					ret = add_datum(inner, inner, false, out, v);
		} else if (is_encrypted_block(w, n)) {
			if (!fmpi_is(inner, NS_XENC, "EncryptedData") || fmpi_next(inner) ||
			    !fmpi_has_only_elements(n))
				return refuse_malformed(n, v);
			ret = add_datum(inner, n, false, out, v);
		}
	}
	return ret;
}

static int refuse_cleartext(const xmlNode *part, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_UNENCRYPTED, part, "the %s is not encrypted",
		      (const char *)part->name);
}

/* WS-Security 1.0 allows EncryptedData as a header block; 1.1, 9.3, requires an EncryptedHeader around it. */
static int refuse_blocks(const struct fmpi_wsse *w, unsigned want, struct fmp_inspection *v)
{
	const xmlNode *header = w->security->parent;

	for (const xmlNode *n = fmpi_first(header); n; n = fmpi_next(n))
		if (fmpi_is(n, NS_XENC, "EncryptedData"))
			return refuse(v, FMP_EVENT_UNENCRYPTED, n,
				      "EncryptedData as a header block, not in an EncryptedHeader");
	return refuse(v, FMP_EVENT_UNENCRYPTED, header,
		      "%u EncryptedHeader, not the %u that must be there", w->n_encrypted_blocks,
		      want);
}

/* Check that no required part is in the clear, and that enough encrypted ones are there. */
static int check_encrypted_parts(const struct fmpi_wsse *w, unsigned encrypted,
				 struct fmp_inspection *v)
{
	unsigned parts = (unsigned)__builtin_popcount(encrypted & FMPI_ENCRYPTED_PARTS);
	unsigned blocks = (unsigned)__builtin_popcount(encrypted & FMPI_ENCRYPTED_BLOCKS);

	if (w->username && encrypted & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME))
		return refuse_cleartext(w->username, v);
	if (w->signature && encrypted & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_SIGNATURE))
		return refuse_cleartext(w->signature, v);
	for (unsigned s = FMP_ENCRYPTED_TO; s < FMP_ENCRYPTED_PARTS; s++) {
		const xmlNode *block = w->addressing[FMP_PART_TO + s - FMP_ENCRYPTED_TO];

		if (block && encrypted & FMP_ENCRYPTED_BIT(s))
			return refuse_cleartext(block, v);
	}
	if (w->n_encrypted_parts < parts)
		return refuse(v, FMP_EVENT_UNENCRYPTED, w->security,
			      "%u EncryptedData in the Security header, not the %u that must be "
			      "there",
			      w->n_encrypted_parts, parts);
	if (w->n_encrypted_blocks < blocks)
		return refuse_blocks(w, blocks, v);
	return 0;
}

/* Of an empty Body there is nothing to encrypt. */
static int collect_body(const struct fmpi_soap *soap, struct fmpi_encrypted *out,
			struct fmp_inspection *v)
{
	return soap->payload ? add_datum(soap->payload, soap->payload, true, out, v) : 0;
}

static int collect_data(const struct fmpi_wsse *w, const struct fmpi_soap *soap, unsigned encrypted,
			struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	int ret = 0;

	if (soap->payload && !fmpi_is(soap->payload, NS_XENC, "EncryptedData"))
		return refuse(v, FMP_EVENT_UNENCRYPTED, soap->payload, "the Body is not encrypted");
	if (!w->encrypted_key)
		return refuse(v, FMP_EVENT_UNENCRYPTED, soap->body,
			      "no EncryptedKey in a Security header");
	if (encrypted && !soap->payload)
		return refuse(
			v, FMP_EVENT_UNSUPPORTED, soap->body,
			"encrypted parts of the header beside an empty Body are not supported");
	if (encrypted)
		ret = check_encrypted_parts(w, encrypted, v);
	if (!ret && encrypted)
		ret = collect_header_data(w, soap, out, v);
	if (!ret)
		ret = collect_body(soap, out, v);
	return ret || !w->n_attachments ? ret : fmpi_attachments_collect(w, out, v);
}

static const size_t key_lengths[FMP_CIPHERS] = {
	[FMP_CIPHER_AES128_CBC] = 16,
	[FMP_CIPHER_AES256_CBC] = 32,
	[FMP_CIPHER_AES128_GCM] = 16,
	[FMP_CIPHER_AES256_GCM] = 32,
};

static int read_datum(struct fmpi_datum *d, const struct fmpi_wsse *w, unsigned allowed,
		      const xmlNode **data, enum fmp_cipher *cipher, struct fmp_inspection *v)
{
	const xmlNode *method, *info, *behind;
	int ret = read_encrypted(d->node, &method, &info, data, &behind, v);

	if (!ret && behind)
		ret = refuse_malformed(d->node, v);
	if (!ret)
		ret = read_data_method(method, allowed, cipher, v);
	if (!ret)
		ret = read_data_key(d, info, w, v);
	if (!ret && d->derived.length && d->derived.length != key_lengths[*cipher])
		return refuse(v, FMP_EVENT_ALGORITHM, method,
			      "a derived key of %zu bytes, not of %zu as the cipher needs",
			      d->derived.length, key_lengths[*cipher]);
	return ret;
}

/* One session key means one cipher for all data. */
static int read_data(struct fmpi_encrypted *e, const struct fmpi_wsse *w, unsigned allowed,
		     struct fmp_inspection *v)
{
	for (unsigned i = 0; i < count_data(e); i++) {
		struct fmpi_encrypted_attachment *a = i < e->n ? NULL : &e->attachment[i - e->n];
		struct fmpi_datum *d = a ? &a->datum : &e->datum[i];
		enum fmp_cipher cipher = e->cipher;
		const xmlNode *data;
		int ret = read_datum(d, w, allowed, &data, &cipher, v);

		if (!ret)
			ret = a ? fmpi_attachment_read_cipher(data, cipher, a, v)
				: read_value(data, &d->text, v);
		if (ret)
			return ret;
		if (i && cipher != e->cipher)
			return refuse(v, FMP_EVENT_ALGORITHM, d->node,
				      "data encryption of two kinds under one key");
		e->cipher = cipher;
	}
	return 0;
}

int fmpi_encrypted_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap, unsigned encrypted,
			bool twice, const struct fmp_policy_algorithms *allowed,
			struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const xmlNode *behind;
	int ret;

	*out = (struct fmpi_encrypted){ 0 };
	ret = collect_data(w, soap, encrypted, out, v);
	if (!ret && twice && out->n_attachments)
		ret = refuse(v, FMP_EVENT_UNSUPPORTED, out->attachment[0].datum.node,
			     "an encrypted attachment is not supported with order %s",
			     fmp_order_name(FMP_ORDER_ENCRYPT_SIGN_ENCRYPT));
	if (!ret)
		ret = read_key(w, allowed->key_transport, &behind, out, v);
	if (!ret)
		ret = read_references(w, behind, twice, out, v);
	return ret ? ret : read_data(out, w, allowed->encryption, v);
}

int fmpi_encrypted_read_header(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			       const struct fmp_policy_algorithms *allowed,
			       struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const xmlNode *behind;
	int ret;

	*out = (struct fmpi_encrypted){ 0 };
	if (!w->encrypted_key)
		return refuse(v, FMP_EVENT_UNSUPPORTED, w->encrypted[0],
			      "what is encrypted in the header is not for an EncryptedKey of it");
	ret = collect_header_data(w, soap, out, v);
	if (!ret)
		ret = read_key(w, allowed->key_transport, &behind, out, v);
	if (!ret)
		ret = read_references(w, behind, false, out, v);
	return ret ? ret : read_data(out, w, allowed->encryption, v);
}

int fmpi_encrypted_read_key(const struct fmpi_wsse *w, const struct fmp_policy_algorithms *allowed,
			    struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const xmlNode *behind;

	*out = (struct fmpi_encrypted){ 0 };
	return read_key(w, allowed->key_transport, &behind, out, v);
}
