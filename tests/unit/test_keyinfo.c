// SPDX-License-Identifier: GPL-2.0
/* How signers name their certificate in KeyInfo; what is taken, and what is said of the rest. */
#include "encrypted_messages.h"
#include "run.h"

#define STR(x)	"<wsse:SecurityTokenReference>" x "</wsse:SecurityTokenReference>"
#define DATA(x) "<ds:X509Data>" x "</ds:X509Data>"
#define CERT(x) "<ds:X509Certificate>" x "</ds:X509Certificate>"
#define SERIAL(x)                                                            \
	"<ds:X509IssuerSerial><ds:X509IssuerName>CN=x</ds:X509IssuerName>" x \
	"</ds:X509IssuerSerial>"
#define ONE   SERIAL("<ds:X509SerialNumber>1</ds:X509SerialNumber>")
#define TOKEN STR("<wsse:Reference URI=\"#token\"/>")
#define RSA_KEY                                                                       \
	"<ds:KeyValue><ds:RSAKeyValue><ds:Modulus>AQAB</ds:Modulus><ds:Exponent>AQAB" \
	"</ds:Exponent></ds:RSAKeyValue></ds:KeyValue>"

/* "$" is the CA's certificate. */
static const struct {
	const char *key_info;
	enum fmp_event_kind kind;
	const char *words;
} rows[] = {
	{ TOKEN, FMP_EVENT_GOOD, "" },
	/* zeep: serial and certificate. */
	{ STR(DATA(ONE CERT("@k"))), FMP_EVENT_GOOD, "" },
	{ STR(DATA(CERT("@k"))), FMP_EVENT_GOOD, "" },
	{ STR(DATA(CERT("\n@k\n"))), FMP_EVENT_GOOD, "" },
	{ DATA(CERT("@k")), FMP_EVENT_GOOD, "" },
	{ DATA("<ds:X509SubjectName>CN=x</ds:X509SubjectName>" CERT("@k") "<x xmlns=''/>"),
	  FMP_EVENT_GOOD, "" },
	{ "<ds:KeyName>x</ds:KeyName>" RSA_KEY DATA(CERT("@k")), FMP_EVENT_GOOD, "" },
	{ TOKEN DATA(CERT("@k")), FMP_EVENT_GOOD, "" },
	{ DATA(CERT("$")) TOKEN, FMP_EVENT_GOOD, "" },
	/* A chain, in whatever order. */
	{ DATA(CERT("@k") CERT("$")), FMP_EVENT_GOOD, "" },
	{ STR(DATA(CERT("$") CERT("@k"))), FMP_EVENT_GOOD, "" },

	{ DATA(CERT("@k") CERT("@i")), FMP_EVENT_UNSUPPORTED,
	  "are not one chain: it is not clear which" },
	{ DATA(CERT("@k") CERT("AAAA")), FMP_EVENT_TOKEN, "not a certificate" },
	{ DATA(CERT("@k") CERT("$") CERT("$") CERT("$") CERT("$")), FMP_EVENT_UNSUPPORTED,
	  "more than 4 certificates" },
	{ DATA(CERT("<x/>")), FMP_EVENT_TOKEN, "not plain text" },
	{ DATA(CERT("$")), FMP_EVENT_TOKEN, "" },
	{ DATA(CERT("@i")), FMP_EVENT_TOKEN, "" },
	/* Named alone: none are listed. */
	{ STR(DATA(ONE)), FMP_EVENT_TOKEN, "none are listed" },
	{ DATA(ONE), FMP_EVENT_TOKEN, "none are listed" },
	{ DATA("<ds:X509SKI>AAAA</ds:X509SKI>"), FMP_EVENT_TOKEN, "none are listed" },
	{ DATA(SERIAL("")), FMP_EVENT_TOKEN, "is not one X509IssuerName and one X509SerialNumber" },
	/* Legal, and not taken. */
	{ "", FMP_EVENT_UNSUPPORTED, "KeyInfo names no certificate: nothing instead" },
	{ RSA_KEY, FMP_EVENT_UNSUPPORTED, "KeyInfo names no certificate: KeyValue instead" },
	{ "<ds:KeyName>x</ds:KeyName>", FMP_EVENT_UNSUPPORTED, "KeyName instead" },
	{ DATA("<ds:X509SubjectName>CN=x</ds:X509SubjectName>"), FMP_EVENT_UNSUPPORTED,
	  "has no X509Certificate" },
	{ STR("<wsse:Embedded/>"), FMP_EVENT_UNSUPPORTED, "Embedded in a SecurityTokenR" },
	{ STR("<wsse:KeyIdentifier ValueType='urn:x'>x</wsse:KeyIdentifier>"),
	  FMP_EVENT_UNSUPPORTED, "KeyIdentifier of type urn:x" },
	{ TOKEN TOKEN, FMP_EVENT_UNSUPPORTED, "more than one SecurityTokenReference" },
	{ STR("<wsse:Reference URI=\"#ts\"/>"), FMP_EVENT_TOKEN, "not in this header" },
};

/* Base64 of the CA's certificate, in one line. */
static char *ca_text(void)
{
	static char text[8192], line[256];
	FILE *f = fopen(encrypted_ca, "r");

	text[0] = '\0';
	ck_assert_ptr_nonnull(f);
	while (fgets(line, sizeof(line), f))
		if (line[0] != '-')
			strncat(text, line, strcspn(line, "\n"));
	fclose(f);
	return text;
}

/* The template with each "$" replaced. */
static char *fill_template(const char *template)
{
	const char *ca = ca_text();
	char *out = NULL;
	size_t len;
	FILE *f = open_memstream(&out, &len);

	fputs(OPEN "<soapenv:Header>", f);
	fputs("<wsse:Security xmlns:wsse=\"" WSSE "\">@K@T<ds:Signature xmlns:ds=\"" DS
	      "\">@S<ds:SignatureValue>@v</ds:SignatureValue><ds:KeyInfo>",
	      f);
	for (const char *p = template; *p; p++)
		*p == '$' ? fputs(ca, f) : fputc(*p, f);
	fputs("</ds:KeyInfo></ds:Signature></wsse:Security></soapenv:Header>@B" CLOSE, f);
	fclose(f);
	return out;
}

START_TEST(ways_to_name_a_certificate)
{
	const struct encrypted_row row = { .security = FMP_SECURITY_BCS };
	struct fmp_inspect_config cfg = encrypted_config(&row);
	char *text = fill_template(rows[_i].key_info);
	struct attack a = { .variant = "", .text = text };
	struct attack_bytes b = attack_make(pki, &a);
	struct fmp_inspector *i = make_inspector(&cfg);
	struct fmp_inspection v = inspect_bytes(i, b.p, b.len);

	ck_assert_msg(v.kind == rows[_i].kind && v.accepted == (v.kind == FMP_EVENT_GOOD),
		      "%.60s: %s: %s", rows[_i].key_info, fmp_event_kind_name(v.kind), v.detail);
	ck_assert_msg(strstr(v.detail, rows[_i].words) != NULL, "%.60s: %s", rows[_i].key_info,
		      v.detail);
	fmp_inspection_clear(&v);
	fmp_inspector_free(i);
	free(b.p);
	free(text);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("keyinfo");

	tcase_add_unchecked_fixture(tc, encrypted_setup, encrypted_teardown);
	tcase_add_loop_test(tc, ways_to_name_a_certificate, 0, COUNT(rows));
	return run_tcase("keyinfo", tc);
}
