// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: one verdict for every message, whichever engine verifies. Signed messages of
 * other stacks are changed in ways that mean nothing and in ways that mean something; the
 * fast path and xmlsec1 alone must say the same of each, word by word, and output the
 * same bytes. From the project's directory: it reads tests/interop/vectors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/inspect.h>

#include "xml/names.h"
#include "xml.h"

#define VECTORS	    "tests/interop/vectors/"
#define NOW	    1795230000
#define MAX_MESSAGE (64u << 10)
#define MAX_CHANGES 4

static const char *const files[] = {
	"wss4j-rsa2048-1k", "zeep-rsa2048-1k",	       "gsoap-rsa2048-1k", "wss4j-ec256-1k",
	"zeep-ec256-1k",    "wss4j-soap12-rsa2048-1k", "comment-in-body",
};

static struct message {
	char p[MAX_MESSAGE];
	size_t n;
} originals[sizeof(files) / sizeof(files[0])];

static struct fmp_inspector *fast, *slow;
static unsigned long messages, accepted, at_signature;

static void print_counters(void)
{
	printf("verdict: %lu messages, %lu accepted, %lu refused at the signature\n", messages,
	       accepted, at_signature);
}

static void exit_with(const char *what)
{
	fprintf(stderr, "fuzz_verdict: %s\n", what);
	exit(2);
}

static struct fmp_inspector *open_inspector(bool xmlsec_only)
{
	const struct fmp_inspect_config cfg = {
		.security = FMP_SECURITY_BCS,
		.schema = VECTORS "orders.xsd",
		.trust = VECTORS "pki/ca.crt",
		.clock_skew_ms = 60000,
		.limits = { .body_bytes = MAX_MESSAGE,
			    .depth = 64,
			    .attributes = 100,
			    .elements = 20000,
			    .name_bytes = 256,
			    .text_bytes = MAX_MESSAGE,
			    .references = 8 },
		.xmlsec_only = xmlsec_only,
	};
	struct fmp_inspector *i;
	struct fmp_error err;

	if (fmp_inspector_new(&cfg, &i, &err))
		exit_with(err.message);
	return i;
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct fmp_error err;

	if (fmp_inspect_global_init(&err))
		exit_with(err.message);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char path[128];
		FILE *f;

		snprintf(path, sizeof(path), VECTORS "good/%s.xml", files[i]);
		f = fopen(path, "rb");
		if (!f)
			exit_with(path);
		originals[i].n = fread(originals[i].p, 1, MAX_MESSAGE, f);
		fclose(f);
	}
	fast = open_inspector(false);
	slow = open_inspector(true);
	atexit(print_counters);
	return 0;
}

/* ---- changes ---- */

static void splice_text(struct message *m, size_t at, size_t out, const char *in)
{
	size_t n = strlen(in);

	if (at + out > m->n || m->n - out + n > sizeof(m->p))
		return;
	memmove(m->p + at + n, m->p + at + out, m->n - at - out);
	memcpy(m->p + at, in, n);
	m->n = m->n - out + n;
}

/* One of the places where `what` stands; m->n if there is none. */
static size_t find_place(struct xml_dice *d, const struct message *m, const char *what)
{
	size_t at[64], from = 0;
	unsigned n = 0;
	char *p;

	while (n < 64 && (p = memmem(m->p + from, m->n - from, what, strlen(what)))) {
		at[n++] = (size_t)(p - m->p);
		from = at[n - 1] + 1;
	}
	return n ? at[xml_roll(d, n)] : m->n;
}

/* Text for text, wherever it stands: the first for the second. */
static const char *const swaps[][2] = {
	{ ">", "\n>" },
	{ "\"", "'" },
	{ "\" ", "\"\r\n\t" },
	{ "=", " = " },
	{ "><", "><!-- c --><" },
	{ "><", ">\n<" },
	{ "><", ">\r\n<" },
	{ "><", "><![CDATA[]]><" },
	{ "a", "&#97;" },
	{ "e", "&#x65;" },
	{ "1", "<![CDATA[1]]>" },
	{ "1", "2" },
	{ "plain", "<!---->plain" },
	{ "=</", "=\n</" },
	{ "=</", "<!-- -->=</" },
	{ "=</", "</" },
	{ "A", "A " },
	{ "A", "B" },
	{ "<soapenv:", "<soapenv: " },
	{ " xmlns:", " xmlns:unused=\"urn:u\" xmlns:" },
	{ " xmlns:", " xmlns:unused='rela/tive' xmlns:" },
	{ " xmlns:", " xmlns:unused=\"urn:a?b&amp;c\" xmlns:" },
	{ "<submitOrder ", "<submitOrder xml:lang=\"en\" " },
	{ "<submitOrder ", "<submitOrder xmlns:soapenv=\"urn:other\" " },
	{ "<wsse:Security ", "<wsse:Security soapenv:actor=\"" SOAP11_ACTOR_NEXT "\" " },
	{ "<wsse:Security ", "<wsse:Security soapenv:role=\"" SOAP12_ROLE "none\" " },
	{ "<wsse:Security ", "<o:Security xmlns:o=\"" NS_WSSE "\" soapenv:actor=\"urn:b\" "
			     "soapenv:role=\"urn:b\"><ds:Signature xmlns:ds=\"" NS_DS
			     "\" Id=\"o\"/></o:Security><wsse:Security " },
	{ " URI=", " wsu:URI=\"#x\" URI=" },
	{ " URI=", " xml:URI=\"#Time\" URI=" },
	{ " URI=", " Type=\"t\" Id=\"i\" URI=" },
	{ " Algorithm=", " xml:Algorithm=\"x\" Algorithm=" },
	{ " PrefixList=", " xml:PrefixList=\"wsu\" PrefixList=" },
	{ " Algorithm=", " xml:Algorithm=" },
	{ "PrefixList=\"", "PrefixList=\" " },
	{ "PrefixList=\"", "PrefixList=\"#default " },
	{ "PrefixList=\"", "PrefixList=\"xml unknown  wsu " },
	{ "PrefixList=\"", "PrefixList=\"wsu&#9;ds " },
	{ "soapenv\"", "soapenv \"" },
	{ "PrefixList=\"", "x=\"" },
	{ "rsa-sha256", "rsa-sha512" },
	{ "rsa-sha256", "ecdsa-sha256" },
	{ "ecdsa-sha256", "ecdsa-sha384" },
	{ "xmlenc#sha256", "xmlenc#sha512" },
	{ "xmlenc#sha256", "xmldsig-more#sha384" },
	{ "</ds:Transform>",
	  "<ec:InclusiveNamespaces xmlns:ec=\"" NS_EXC "\" PrefixList=\"ds\"/></ds:Transform>" },
	{ "<ds:SignedInfo>", "<ds:SignedInfo xmlns:x=\"urn:x\" x:a=\"1\" b='2'>" },
	{ "<ds:DigestValue>", "<ds:DigestValue a=\"b\">AAAA" },
	{ "<SignatureValue>", "<SignatureValue>AAAA" },
	{ "<ds:SignatureValue>", "<ds:SignatureValue>AAAA" },
	{ "</ds:SignatureValue>", "AAA=</ds:SignatureValue>" },
	{ "Z</wsu:Created>", ".5Z</wsu:Created>" },
	{ "\xef\xbb\xbf", "" },
	{ "\n", "\r\n" },
	{ "\n", "" },
};

static void swap_text(struct xml_dice *d, struct message *m)
{
	const char *const *s = swaps[xml_roll(d, sizeof(swaps) / sizeof(swaps[0]))];
	size_t at = find_place(d, m, s[0]);

	if (at < m->n)
		splice_text(m, at, strlen(s[0]), s[1]);
}

/* Elements inside the payload are the schema's to refuse; beside the Security they pass. */
static void insert_block(struct xml_dice *d, struct message *m)
{
	static struct xml_text text;
	struct xml_maker maker = { .dice = d, .text = &text, .screened = 1 };
	static const char *const places[] = { ":Header>", "</wsse:Security>" };
	const char *place = places[xml_roll(d, 2)];
	size_t at = find_place(d, m, place);

	if (at == m->n)
		return;
	text.n = 0;
	xml_put(&text, "<x:b xmlns:x=\"urn:b\"");
	xml_declarations(&maker);
	xml_attributes(&maker);
	xml_put(&text, ">");
	xml_content(&maker, 3);
	xml_put(&text, "</x:b>");
	if (text.n < 8192 && text.n < sizeof(text.p)) {
		text.p[text.n] = '\0';
		splice_text(m, at + (xml_roll(d, 2) ? strlen(place) : 0), 0, text.p);
	}
}

static void change_byte(struct xml_dice *d, struct message *m)
{
	size_t at = (xml_roll(d, 256) << 8 | xml_roll(d, 256)) % m->n;

	switch (xml_roll(d, 3)) {
	case 0:
		m->p[at] ^= (char)(1 << xml_roll(d, 7));
		break;
	case 1:
		splice_text(m, at, 1, "");
		break;
	default:
		splice_text(m, at, 0, (const char[]){ m->p[xml_roll(d, 256) % m->n], '\0' });
	}
}

/* ---- the comparison ---- */

static void inspect_message(struct fmp_inspector *i, const struct message *m,
			    struct fmp_inspection *v)
{
	const struct fmp_message msg = { .bytes = m->p, .len = m->n, .now_s = NOW };

	if (fmp_inspect(i, &msg, v))
		exit_with("no memory");
}

static void compare_verdicts(const struct message *m)
{
	struct fmp_inspection a, b;

	inspect_message(fast, m, &a);
	inspect_message(slow, m, &b);
	messages++;
	accepted += a.accepted;
	at_signature += !a.accepted && a.kind == FMP_EVENT_SIGNATURE;
	if (a.accepted != b.accepted || a.step != b.step || a.kind != b.kind || a.line != b.line ||
	    strcmp(a.detail, b.detail) != 0 || a.forward_len != b.forward_len ||
	    (a.accepted && memcmp(a.forward, b.forward, a.forward_len) != 0)) {
		fprintf(stderr, "message:\n%.*s\nfast: %d %s:%u: %s\nslow: %d %s:%u: %s\n",
			(int)m->n, m->p, a.accepted, fmp_step_name(a.step), a.line, a.detail,
			b.accepted, fmp_step_name(b.step), b.line, b.detail);
		abort();
	}
	fmp_inspection_clear(&a);
	fmp_inspection_clear(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct message m;
	struct xml_dice d;

	xml_dice_init(&d, data, size);
	m = originals[xml_roll(&d, sizeof(files) / sizeof(files[0]))];
	for (unsigned i = xml_roll(&d, MAX_CHANGES) + 1; i; i--) {
		switch (xml_roll(&d, 16)) {
		case 0:
		case 1:
			change_byte(&d, &m);
			break;
		case 2:
			insert_block(&d, &m);
			break;
		default:
			swap_text(&d, &m);
		}
	}
	compare_verdicts(&m);
	return 0;
}
