// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: the certificates of a token, an X509PKIPathv1 or one behind the other. Bytes of the input
 * put certificates of the vectors together, and change bytes of them.
 *
 * What must hold besides no crash: the signer's bytes are those of the token, and none but the last
 * certificate. FMP_TESTS: where tests/ is, when it is not below here.
 */
#include <openssl/pem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"
#include "x509/path.h"

#define CERTS 4
#define MAX   16384

static struct {
	unsigned char *p;
	int len;
} cert[CERTS];

static unsigned long inputs, paths, taken;

static void check_holds(bool holds, const char *what)
{
	if (holds)
		return;
	fprintf(stderr, "fuzz_path: does not hold: %s\n", what);
	abort();
}

static void print_counters(void)
{
	printf("path: %lu inputs, %lu of them a SEQUENCE, taken %lu times\n", inputs, paths, taken);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const names[CERTS] = { "pki/ca.crt", "pki/server.crt",
						  "tokens/pki/ca.crt", "tokens/pki/idp.crt" };

	for (int i = 0; i < CERTS; i++) {
		FILE *f = fopen(vector_path(names[i]), "re");
		X509 *x = f ? PEM_read_X509(f, NULL, NULL, NULL) : NULL;

		check_holds(x != NULL, names[i]);
		cert[i].len = i2d_X509(x, &cert[i].p);
		X509_free(x);
		fclose(f);
	}
	atexit(print_counters);
	return 0;
}

/* Each pair of bytes is what to do, and with what. */
static size_t compose_path(const uint8_t *data, size_t size, uint8_t *out)
{
	size_t n = 4;

	for (; size >= 3 && n < MAX - 4096; data += 3, size -= 3) {
		unsigned with = data[1] % CERTS;
		size_t at = n ? (size_t)(data[1] << 8 | data[2]) % n : 0;

		switch (data[0] % 4) {
		case 0:
		case 1:
			memcpy(out + n, cert[with].p, (size_t)cert[with].len);
			n += (size_t)cert[with].len;
			break;
		case 2:
			out[at] = (uint8_t)(data[0] ^ data[2]);
			break;
		default:
			n = at > 4 ? at : 4;
		}
	}
	out[0] = 0x30;
	out[1] = 0x82;
	out[2] = (uint8_t)((n - 4) >> 8);
	out[3] = (uint8_t)(n - 4);
	return n;
}

static void read_path(const uint8_t *der, size_t len, enum fmpi_path_kind kind)
{
	struct fmpi_path p = { 0 };
	struct fmp_inspection v = { 0 };
	unsigned char *again = NULL;
	int n;

	if (fmpi_path_read(der, len, kind, 1, &p, &v) == 0) {
		taken++;
		check_holds(p.signer && p.signer_at + p.signer_len == len,
			    "the signer is the last");
		check_holds(sk_X509_num(p.between) < FMPI_PATH_MAX, "not too many");
		n = i2d_X509(p.signer, &again);
		check_holds(n > 0 && (size_t)n <= p.signer_len, "the bytes of the signer");
		OPENSSL_free(again);
	} else {
		check_holds(v.detail[0], "refused without a word");
	}
	fmpi_path_clear(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static uint8_t bytes[MAX];
	const uint8_t *raw = data, *der = bytes;
	size_t len = compose_path(data, size, bytes);

	inputs++;
	if (fmpi_path_open(&der, &len)) {
		paths++;
		check_holds(der > bytes && der + len <= bytes + MAX, "inside of the token");
		read_path(der, len, FMPI_PATH_ORDERED);
	}
	read_path(bytes + 4, len, FMPI_PATH_ONE);
	if (size && fmpi_path_open(&raw, &size))
		read_path(raw, size, FMPI_PATH_ORDERED);
	return 0;
}
