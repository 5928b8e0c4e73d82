// SPDX-License-Identifier: GPL-2.0
#include "path.h"

#include <fmp/error.h>
#include <openssl/asn1.h>
#include <openssl/err.h>
#include <string.h>

#include <fmp/internal/key_strength.h>

#define refuse(v, line, ...) fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, line, __VA_ARGS__)

bool fmpi_path_open(const uint8_t **der, size_t *len)
{
	const uint8_t *p = *der;
	int tag, class;
	long n;

	/* Of definite length, and nothing behind it. */
	if (ASN1_get_object(&p, &n, &tag, &class, (long)*len) != V_ASN1_CONSTRUCTED ||
	    tag != V_ASN1_SEQUENCE || class != V_ASN1_UNIVERSAL || n <= 0 ||
	    (size_t)(p - *der) + (size_t)n != *len) {
		ERR_clear_error();
		return false;
	}
	*der = p;
	*len = (size_t)n;
	return true;
}

/* ---- names ---- */

static bool open_object(const uint8_t **p, const uint8_t *end, int *tag, long *n)
{
	int class, form = *p < end ? ASN1_get_object(p, n, tag, &class, end - *p) : 0x80;

	/* Of definite length. */
	return form == 0 || form == V_ASN1_CONSTRUCTED;
}

static bool skip_object(const uint8_t **p, const uint8_t *end, int *tag)
{
	long n;

	if (!open_object(p, end, tag, &n))
		return false;
	*p += n;
	return true;
}

/* RFC 5280, 4.1: version [0], serialNumber, signature, issuer, validity, subject, ... */
static bool read_names(const uint8_t *p, const uint8_t *end, struct fmpi_names *out)
{
	const uint8_t *start = p;
	int tag;

	if (!skip_object(&p, end, &tag))
		return false;
	if (*start != 0xa0)
		p = start;
	if (!skip_object(&p, end, &tag) || !skip_object(&p, end, &tag))
		return false;
	out->issuer = d2i_X509_NAME(NULL, &p, end - p);
	if (!out->issuer || !skip_object(&p, end, &tag))
		return false;
	out->subject = d2i_X509_NAME(NULL, &p, end - p);
	return out->subject != NULL;
}

bool fmpi_names_read(const uint8_t **der, const uint8_t *end, struct fmpi_names *out)
{
	const uint8_t *p = *der;
	int tag;
	long n, inner;
	bool good = open_object(&p, end, &tag, &n) && tag == V_ASN1_SEQUENCE;

	if (good) {
		*der = end = p + n;
		good = open_object(&p, end, &tag, &inner) && tag == V_ASN1_SEQUENCE &&
		       read_names(p, p + inner, out);
	}
	ERR_clear_error();
	return good;
}

void fmpi_names_clear(struct fmpi_names *n)
{
	X509_NAME_free(n->issuer);
	X509_NAME_free(n->subject);
	*n = (struct fmpi_names){ 0 };
}

/* ---- the path ---- */

/* The same certificate twice is a loop; OpenSSL never uses one twice, but each would cost its decoding. */
static bool is_among(const uint8_t *const start[], unsigned n)
{
	size_t len = (size_t)(start[n + 1] - start[n]);

	for (unsigned i = 0; i < n; i++)
		if ((size_t)(start[i + 1] - start[i]) == len &&
		    memcmp(start[i], start[n], len) == 0)
			return true;
	return false;
}

/* ITU-T X.509, 10: the subject of each is the issuer of the next. Return: why not; NULL: it is so. */
static const char *find_fault(const uint8_t *p, const uint8_t *end, enum fmpi_path_kind kind,
			      struct fmpi_names names[FMPI_PATH_MAX])
{
	const uint8_t *start[FMPI_PATH_MAX + 1] = { p };

	for (unsigned n = 0; p < end; n++) {
		if (n == FMPI_PATH_MAX)
			return "more than 5 certificates in the token";
		if (!fmpi_names_read(&p, end, &names[n]))
			return "the token is not an X.509 certificate";
		start[n + 1] = p;
		if (n && kind == FMPI_PATH_ORDERED &&
		    X509_NAME_cmp(names[n - 1].subject, names[n].issuer) != 0)
			return "a certificate of the token is not issued by the one in front of it";
		if (is_among(start, n))
			return "a certificate stands twice in the token";
	}
	return NULL;
}

/* Look at the whole before anything is decoded: who has no path pays for none. */
static int check_shape(const uint8_t *der, size_t len, enum fmpi_path_kind kind, unsigned line,
		       struct fmp_inspection *v)
{
	struct fmpi_names names[FMPI_PATH_MAX] = { 0 };
	const char *fault = find_fault(der, der + len, kind, names);

	for (unsigned i = 0; i < FMPI_PATH_MAX; i++)
		fmpi_names_clear(&names[i]);
	return fault ? refuse(v, line, "%s", fault) : 0;
}

static int add_certificate(struct fmpi_path *out, X509 *cert, bool last, unsigned line,
			   struct fmp_inspection *v)
{
	EVP_PKEY *key = X509_get0_pubkey(cert);

	if (last) {
		if (!X509_up_ref(cert))
			return FMP_ERR_NOMEM;
		out->signer = cert;
		return 0;
	}
	if (!key || !fmp_key_is_usable(key))
		return refuse(v, line,
			      "the key of a CA in the token is too weak or of an unknown kind");
	if (!out->between)
		out->between = sk_X509_new_null();
	if (!out->between || !sk_X509_push(out->between, cert))
		return FMP_ERR_NOMEM;
	return X509_up_ref(cert) ? 0 : FMP_ERR_NOMEM;
}

int fmpi_path_read(const uint8_t *der, size_t len, enum fmpi_path_kind kind, unsigned line,
		   struct fmpi_path *out, struct fmp_inspection *v)
{
	const unsigned max = kind == FMPI_PATH_ONE ? 1 : FMPI_PATH_MAX;
	const uint8_t *p = der, *end = der + len;
	int ret = kind == FMPI_PATH_ONE ? 0 : check_shape(der, len, kind, line, v);

	for (unsigned n = 0; !ret && p < end; n++) {
		const uint8_t *start = p;
		X509 *cert;

		cert = n < max ? d2i_X509(NULL, &p, (long)(end - p)) : NULL;
		if (!cert)
			return refuse(v, line, "the token is not an X.509 certificate");
		ret = add_certificate(out, cert, p == end, line, v);
		X509_free(cert);
		out->signer_at = (size_t)(start - der);
		out->signer_len = (size_t)(p - start);
	}
	return ret || out->signer ? ret : refuse(v, line, "the token is empty");
}

void fmpi_path_clear(struct fmpi_path *p)
{
	X509_free(p->signer);
	sk_X509_pop_free(p->between, X509_free);
	*p = (struct fmpi_path){ 0 };
}
