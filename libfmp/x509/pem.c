// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/pem.h>

#include <errno.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <string.h>

static int open_file(const char *path, BIO **in, struct fmp_error *err)
{
	int ret = 0;

	errno = 0;
	*in = BIO_new_file(path, "r");
	if (!*in)
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read %s", path);
	ERR_clear_error();
	return ret;
}

/* Return: line of the first item that starts at or behind @from; 0: unknown. */
static unsigned find_line(BIO *in, long from)
{
	unsigned line = 1;
	bool whole = true;
	char buf[256];
	int n;

	if (from < 0 || BIO_seek(in, 0) < 0)
		return 0;
	while ((n = BIO_gets(in, buf, sizeof(buf))) > 0) {
		if (whole && BIO_tell(in) > from && strncmp(buf, "-----BEGIN ", 11) == 0)
			return line;
		whole = buf[n - 1] == '\n';
		line += whole;
	}
	return 0;
}

/* Add the item's line to an error that has a file but no line. */
static int set_line(int ret, BIO *in, long from, struct fmp_error *err)
{
	if (ret && err && *err->file && !err->line)
		err->line = find_line(in, from);
	return ret;
}

/* Did the reading end at the end of the file, or at a broken item? */
static int check_end(const char *path, const char *what, unsigned n, BIO *in, long from,
		     struct fmp_error *err)
{
	unsigned long e = ERR_peek_last_error();

	ERR_clear_error();
	if (ERR_GET_REASON(e) != PEM_R_NO_START_LINE)
		return fmp_error_at(err, FMP_ERR_SYNTAX, path, find_line(in, from), 0,
				    "%s %u of the file is not readable", what, n + 1);
	if (n == 0)
		return fmp_error_at(err, FMP_ERR_NOTFOUND, path, 0, 0, "no PEM %s in it", what);
	return 0;
}

int fmp_pem_certificates(const char *path,
			 int (*add)(X509 *cert, void *ctx, const char *path, struct fmp_error *err),
			 void *ctx, struct fmp_error *err)
{
	unsigned n = 0;
	X509 *cert;
	BIO *in;
	int ret = open_file(path, &in, err);
	long from = 0;

	for (; !ret && (cert = PEM_read_bio_X509(in, NULL, NULL, NULL)); n++) {
		ret = set_line(add(cert, ctx, path, err), in, from, err);
		X509_free(cert);
		from = BIO_tell(in);
	}
	if (!ret)
		ret = check_end(path, "certificate", n, in, from, err);
	BIO_free(in);
	return ret;
}

int fmp_pem_push(X509 *cert, void *ctx, const char *path, struct fmp_error *err)
{
	STACK_OF(X509) *all = ctx;

	if (!sk_X509_push(all, cert))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	X509_up_ref(cert);
	return 0;
}

int fmp_pem_crls(const char *path,
		 int (*add)(X509_CRL *crl, void *ctx, const char *path, struct fmp_error *err),
		 void *ctx, struct fmp_error *err)
{
	unsigned n = 0;
	X509_CRL *crl;
	BIO *in;
	int ret = open_file(path, &in, err);
	long from = 0;

	for (; !ret && (crl = PEM_read_bio_X509_CRL(in, NULL, NULL, NULL)); n++) {
		ret = set_line(add(crl, ctx, path, err), in, from, err);
		X509_CRL_free(crl);
		from = BIO_tell(in);
	}
	if (!ret)
		ret = check_end(path, "revocation list", n, in, from, err);
	BIO_free(in);
	return ret;
}

/* A daemon has nobody to ask for a passphrase. */
static int no_passphrase(char *buf, int size, int writing, void *ctx)
{
	return -1;
}

int fmp_key_load(const char *path, EVP_PKEY **out, struct fmp_error *err)
{
	BIO *in;
	int ret = 0;

	errno = 0;
	in = BIO_new_file(path, "r");
	if (!in)
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the key %s", path);
	*out = in ? PEM_read_bio_PrivateKey(in, NULL, no_passphrase, NULL) : NULL;
	if (in && !*out)
		ret = fmp_error_at(err, FMP_ERR_SYNTAX, path, 0, 0,
				   "no PEM private key without a passphrase in it");
	BIO_free(in);
	ERR_clear_error();
	return ret;
}

int fmp_pem_key(const struct fmp_key_source *keys, const char *path, enum fmp_key_use use,
		EVP_PKEY **out, struct fmp_error *err)
{
	return keys ? keys->load(keys->ctx, path, use, out, err) : fmp_key_load(path, out, err);
}
