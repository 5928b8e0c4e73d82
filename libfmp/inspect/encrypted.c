// SPDX-License-Identifier: GPL-2.0
#include "inspect/encrypted.h"

#include <string.h>

#include "inspect/names.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_DECRYPT, kind, fmpi_line(node), __VA_ARGS__)

static int malformed(const xmlNode *where, struct fmp_inspection *v)
{
	return refuse(v, FMP_EVENT_DECRYPT, where, "malformed %s", (const char *)where->name);
}

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

struct name {
	const char *uri, *name;
};

static const char *look_up(const struct name *names, size_t n, const char *uri)
{
	for (size_t i = 0; uri && i < n; i++)
		if (strcmp(names[i].uri, uri) == 0)
			return names[i].name;
	return NULL;
}

static int read_oaep(const xmlNode *method, struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	static const struct name digests[] = { { ALG_SHA1, "SHA1" },
					       { ALG_SHA256, "SHA256" },
					       { ALG_SHA384, "SHA384" },
					       { ALG_SHA512, "SHA512" } };
	static const struct name mgfs[] = { { NS_XENC11 "mgf1sha1", "SHA1" },
					    { NS_XENC11 "mgf1sha256", "SHA256" },
					    { NS_XENC11 "mgf1sha384", "SHA384" },
					    { NS_XENC11 "mgf1sha512", "SHA512" } };

	out->oaep_digest = out->oaep_mgf = "SHA1"; /* what the standards say when nothing is said */
	for (const xmlNode *n = fmpi_first(method); n; n = fmpi_next(n)) {
		const char *alg = fmpi_attribute(n, NULL, "Algorithm");

		if (fmpi_is(n, NS_DS, "DigestMethod"))
			out->oaep_digest = look_up(digests, COUNT(digests), alg);
		else if (fmpi_is(n, NS_XENC11, "MGF"))
			out->oaep_mgf = look_up(mgfs, COUNT(mgfs), alg);
		else
			return refuse(v, FMP_EVENT_ALGORITHM, n, "%s of RSA-OAEP is not supported",
				      (const char *)n->name);
		if (!out->oaep_digest || !out->oaep_mgf)
			return refuse(v, FMP_EVENT_ALGORITHM, n, "%s %s is not allowed",
				      (const char *)n->name, alg ? alg : "without Algorithm");
	}
	return 0;
}

static int read_key_method(const xmlNode *method, struct fmpi_encrypted *out,
			   struct fmp_inspection *v)
{
	const char *alg = fmpi_attribute(method, NULL, "Algorithm");

	if (!alg ||
	    (strcmp(alg, NS_XENC "rsa-oaep-mgf1p") != 0 && strcmp(alg, NS_XENC11 "rsa-oaep") != 0))
		return refuse(v, FMP_EVENT_ALGORITHM, method, "key transport %s is not allowed",
			      alg ? alg : "without Algorithm");
	return read_oaep(method, out, v);
}

static int read_data_method(const xmlNode *method, struct fmpi_encrypted *out,
			    struct fmp_inspection *v)
{
	static const struct {
		const char *uri;
		enum fmpi_cipher cipher;
	} allowed[] = {
		{ NS_XENC "aes128-cbc", FMPI_AES128_CBC },
		{ NS_XENC "aes256-cbc", FMPI_AES256_CBC },
		{ NS_XENC11 "aes128-gcm", FMPI_AES128_GCM },
		{ NS_XENC11 "aes256-gcm", FMPI_AES256_GCM },
	};
	const char *alg = fmpi_attribute(method, NULL, "Algorithm");

	for (size_t i = 0; alg && i < sizeof(allowed) / sizeof(allowed[0]); i++) {
		if (strcmp(alg, allowed[i].uri) == 0) {
			out->cipher = allowed[i].cipher;
			return 0;
		}
	}
	return refuse(v, FMP_EVENT_ALGORITHM, method, "data encryption %s is not allowed",
		      alg ? alg : "without Algorithm");
}

/* EncryptionMethod, KeyInfo?, CipherData (CipherValue): of a key and of data alike. */
static int read_encrypted(const xmlNode *e, const xmlNode **method, const xmlNode **key_info,
			  const xmlNode **behind, const char **text, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(e), *value;

	*method = n;
	*key_info = NULL;
	if (!fmpi_is(n, NS_XENC, "EncryptionMethod"))
		return malformed(e, v);
	n = fmpi_next(n);
	if (fmpi_is(n, NS_DS, "KeyInfo")) {
		*key_info = n;
		n = fmpi_next(n);
	}
	if (!fmpi_is(n, NS_XENC, "CipherData"))
		return malformed(e, v);
	value = fmpi_first(n);
	if (!fmpi_is(value, NS_XENC, "CipherValue") || fmpi_next(value))
		return refuse(v, FMP_EVENT_ALGORITHM, n, "CipherData without a CipherValue");
	*text = fmpi_text(value);
	if (!*text)
		return malformed(value, v);
	*behind = fmpi_next(n);
	return 0;
}

static bool points_to(const xmlNode *ref, const xmlNode *target)
{
	const char *uri = fmpi_attribute(ref, NULL, "URI");
	const char *id = fmpi_attribute(target, NULL, "Id");

	return uri && id && uri[0] == '#' && strcmp(uri + 1, id) == 0;
}

/* The list names what the key is for: this Body's content, and nothing else. */
static int read_reference_list(const xmlNode *list, const xmlNode *data, struct fmp_inspection *v)
{
	const xmlNode *ref;

	if (!list)
		return 0;
	ref = fmpi_is(list, NS_XENC, "ReferenceList") ? fmpi_first(list) : NULL;
	if (!fmpi_is(ref, NS_XENC, "DataReference") || fmpi_next(list))
		return malformed(list->parent, v);
	if (fmpi_next(ref) || !points_to(ref, data))
		return refuse(v, FMP_EVENT_WRAPPING, ref,
			      "the EncryptedKey is not for this Body alone");
	return 0;
}

static int read_data_key(const xmlNode *info, const xmlNode *key, struct fmp_inspection *v)
{
	const xmlNode *str = info ? fmpi_first(info) : NULL, *ref;

	if (!info)
		return 0;
	ref = fmpi_is(str, NS_WSSE, "SecurityTokenReference") ? fmpi_first(str) : NULL;
	if (!fmpi_is(ref, NS_WSSE, "Reference") || fmpi_next(ref) || fmpi_next(str) ||
	    !points_to(ref, key))
		return refuse(v, FMP_EVENT_WRAPPING, info,
			      "EncryptedData does not name the header's EncryptedKey");
	return 0;
}

int fmpi_encrypted_read(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			struct fmpi_encrypted *out, struct fmp_inspection *v)
{
	const xmlNode *data = soap->payload, *method, *info, *behind;
	const char *type;
	int ret;

	*out = (struct fmpi_encrypted){ 0 };
	if (!fmpi_is(data, NS_XENC, "EncryptedData"))
		return refuse(v, FMP_EVENT_UNENCRYPTED, data, "the Body is not encrypted");
	if (!w->encrypted_key)
		return refuse(v, FMP_EVENT_UNENCRYPTED, data,
			      "no EncryptedKey in a Security header");
	type = fmpi_attribute(data, NULL, "Type");
	if (type && strcmp(type, NS_XENC "Content") != 0 && strcmp(type, NS_XENC "Element") != 0)
		return refuse(v, FMP_EVENT_ALGORITHM, data, "EncryptedData of type %s", type);

	ret = read_encrypted(w->encrypted_key, &method, &info, &behind, &out->key, v);
	if (!ret)
		ret = read_key_method(method, out, v);
	if (!ret)
		ret = read_reference_list(behind, data, v);
	if (!ret)
		ret = read_encrypted(data, &method, &info, &behind, &out->data, v);
	if (!ret && behind)
		ret = malformed(data, v);
	if (!ret)
		ret = read_data_method(method, out, v);
	if (!ret)
		ret = read_data_key(info, w->encrypted_key, v);
	return ret;
}
