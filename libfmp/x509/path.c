// SPDX-License-Identifier: GPL-2.0
#include "path.h"

#include <fmp/error.h>
#include <openssl/asn1.h>
#include <openssl/err.h>

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

/* The same certificate twice is a loop; OpenSSL never uses one twice, but each would cost its decoding. */
static bool is_among(const struct fmpi_path *p, const X509 *cert)
{
	for (int i = 0; i < sk_X509_num(p->between); i++)
		if (X509_cmp(sk_X509_value(p->between, i), cert) == 0)
			return true;
	return false;
}

/* ITU-T X.509, 10: the subject of each is the issuer of the next. */
static bool is_issued_by(const struct fmpi_path *p, const X509 *cert)
{
	int n = sk_X509_num(p->between);
	const X509 *before = n > 0 ? sk_X509_value(p->between, n - 1) : NULL;

	return !before ||
	       X509_NAME_cmp(X509_get_subject_name(before), X509_get_issuer_name(cert)) == 0;
}

static int add_certificate(struct fmpi_path *out, X509 *cert, bool last, unsigned line,
			   struct fmp_inspection *v)
{
	EVP_PKEY *key = X509_get0_pubkey(cert);

	if (is_among(out, cert))
		return refuse(v, line, "a certificate stands twice in the token");
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
	int ret = 0;

	for (unsigned n = 0; !ret && p < end; n++) {
		const uint8_t *start = p;
		X509 *cert;

		if (n == max && max > 1)
			return refuse(v, line, "more than %u certificates in the token", max);
		cert = n < max ? d2i_X509(NULL, &p, (long)(end - p)) : NULL;
		if (!cert)
			return refuse(v, line, "the token is not an X.509 certificate");
		if (kind == FMPI_PATH_ORDERED && !is_issued_by(out, cert))
			ret = refuse(v, line,
				     "a certificate of the token is not issued by the one in front "
				     "of it");
		if (!ret)
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
