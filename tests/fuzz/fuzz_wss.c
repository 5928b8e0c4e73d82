// SPDX-License-Identifier: GPL-2.0
/*
 * libFuzzer: the readers of the Security header, of tokens and of encrypted parts, over
 * messages that other stacks have signed and encrypted. Each input takes one of them and
 * edits its tree: elements are moved, doubled, dropped, texts and attributes changed.
 *
 * What must hold besides no crash: whatever is done to a signed message, the output is
 * what its signer signed, or nothing; and an output tree says what the output bytes say. FMP_TESTS: where tests/ is, when it is not below here.
 */
#include <dirent.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmp/inspect.h>

#include "canonical.h"
#include "xml/document.h"
#include "vectors.h"

/* Inspectors that let nothing pass unsigned, and how many there are. */
#define SIGNED	      4
#define ALL	      7
#define NEEDS_SUBJECT 6
#define ENCRYPT_SIGN  3
#define MAX_FILES     128
#define MAX_ELEMENTS  256
#define MAX_EDITS     6

struct buffer {
	char *p;
	size_t len;
};

struct original {
	struct buffer text;
	struct buffer forward[SIGNED]; /* NULL: refused */
};

/* Bytes of the input are choices; behind its end every choice is the first. */
struct dice {
	const uint8_t *p, *end;
};

static struct original original[MAX_FILES];
static unsigned n_originals, n_accepted;
/* The same twice: one outputs bytes, the other trees. */
static struct fmp_inspector *inspector[ALL], *of_trees[ALL];
static unsigned long inputs, accepted, with_subject, refused[FMP_EVENT_KINDS];

static void print_counters(void)
{
	printf("wss: %u originals, %u of them accepted; %lu inputs, accepted %lu times, %lu of "
	       "them with an assertion\n",
	       n_originals, n_accepted, inputs, accepted, with_subject);
	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++)
		if (refused[k])
			printf("wss: refused as %s: %lu\n", fmp_event_kind_name(k), refused[k]);
}

static void abort_with(const char *what)
{
	fprintf(stderr, "fuzz_wss: %s\n", what);
	abort();
}

static unsigned roll_dice(struct dice *d, unsigned n)
{
	return d->p < d->end && n ? *d->p++ % n : 0;
}

static struct buffer read_file(const char *name)
{
	struct buffer o = { .p = malloc(1 << 20) };
	FILE *f = fopen(name, "rb");

	if (!f || !o.p)
		abort_with("a vector can't be read");
	o.len = fread(o.p, 1, 1 << 20, f);
	fclose(f);
	return o;
}

static void add_original(const char *name)
{
	struct original *o = &original[n_originals++];

	o->text = read_file(name);
	for (unsigned s = 0; s < SIGNED; s++) {
		struct fmp_inspection v = inspect_or_abort(inspector[s], o->text.p, o->text.len);

		if (v.accepted) {
			o->forward[s] = (struct buffer){ malloc(v.forward_len), v.forward_len };
			memcpy(o->forward[s].p, v.forward, v.forward_len);
			n_accepted++;
		}
		fmp_inspection_clear(&v);
	}
}

static void add_directory(const char *name)
{
	struct dirent **list;
	char file[1024];
	int n = scandir(vector_path(name), &list, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		const char *dot = strrchr(list[i]->d_name, '.');

		snprintf(file, sizeof(file), "%s/%s", vector_path(name), list[i]->d_name);
		/* Five thousand References are the screen's business. */
		if (dot && strcmp(dot, ".xml") == 0 && n_originals < MAX_FILES &&
		    strcmp(list[i]->d_name, "refs-5000.xml") != 0)
			add_original(file);
		free(list[i]);
	}
	free(list);
}

static const char *make_users(void)
{
	static char name[64];
	FILE *f;

	snprintf(name, sizeof(name), "/tmp/fmp-fuzz-users-%d", (int)getpid());
	f = fopen(name, "w");
	if (!f)
		abort_with("no file of users");
	fputs("jane:correct horse, battery\n", f);
	fclose(f);
	chmod(name, 0600);
	return name;
}

/* The CAs of the vectors in one file. */
static const char *make_trust(void)
{
	static char name[64];
	struct buffer a = read_file(vector_path("pki/ca.crt")),
		      b = read_file(vector_path("tokens/pki/ca.crt")),
		      c = read_file(vector_path("symmetric/pki/ca.crt"));
	FILE *f;

	snprintf(name, sizeof(name), "/tmp/fmp-fuzz-ca-%d", (int)getpid());
	f = fopen(name, "w");
	if (!f)
		abort_with("no file of CAs");
	fwrite(a.p, 1, a.len, f);
	fwrite(b.p, 1, b.len, f);
	fwrite(c.p, 1, c.len, f);
	fclose(f);
	free(a.p);
	free(b.p);
	free(c.p);
	return name;
}

static const struct fmp_policy_saml *make_saml(bool required)
{
	static struct fmp_policy_saml saml = { .bearer = true, .n_issuers = 1 };

	saml.required = required;
	strcpy(saml.audiences, "urn:fmp:orders");
	strcpy(saml.issuers[0].name, "https://idp.example.org/");
	snprintf(saml.issuers[0].trust, sizeof(saml.issuers[0].trust), "%s",
		 vector_path("tokens/pki/idp.crt"));
	return &saml;
}

static void make_inspectors(void)
{
	static const enum fmp_security levels[ALL] = { FMP_SECURITY_BCS, FMP_SECURITY_BCES,
						       FMP_SECURITY_BCS, FMP_SECURITY_BCES,
						       FMP_SECURITY_BCE, FMP_SECURITY_BCV,
						       FMP_SECURITY_BCV };
	struct fmp_policy *policy = fmp_policy_default();
	const char *trust = make_trust(), *users = make_users();
	struct fmp_error err;

	for (unsigned n = 0; n < ALL; n++) {
		struct fmp_inspect_config cfg = fmp_inspect_config_from(policy);

		cfg.security = levels[n];
		cfg.order = n == ENCRYPT_SIGN ? FMP_ORDER_ENCRYPT_SIGN : FMP_ORDER_SIGN_ENCRYPT;
		cfg.schema = vector_path("orders.xsd");
		cfg.trust = trust;
		cfg.certificates = vector_path("tokens/pki/clients.pem");
		cfg.key = vector_path("pki/server.key");
		cfg.max_age_ms = 0;
		cfg.replay_entries = cfg.replay_per_signer = n == 5 ? 64 : 0;
		cfg.saml = n == 2 ? NULL : make_saml(n == NEEDS_SUBJECT);
		cfg.passwords = n == 2 || n == 5 ? users : NULL;
		cfg.password_text = true;
		/* By the key of an EncryptedKey and by derived ones, whoever made it. */
		cfg.symmetric = n < 2 ? FMP_SYMMETRIC_ANONYMOUS : FMP_SYMMETRIC_ENDORSED;
		if (fmp_inspector_new(&cfg, &inspector[n], &err))
			abort_with(err.message);
		cfg.tree = true;
		if (fmp_inspector_new(&cfg, &of_trees[n], &err))
			abort_with(err.message);
	}
	unlink(trust);
	unlink(users);
	fmp_policy_free(policy);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct fmp_error err;

	if (fmp_inspect_global_init(&err))
		abort_with(err.message);
	make_inspectors();
	add_directory("good");
	add_directory("tokens");
	add_directory("bad-wss");
	add_directory("symmetric");
	if (n_accepted < 20)
		abort_with("hardly any original is accepted: nothing would be tried");
	atexit(print_counters);
	return 0;
}

/* ---- edits ---- */

static unsigned list_elements(xmlNode *root, xmlNode **out)
{
	unsigned n = 0;

	for (xmlNode *e = root; e && n < MAX_ELEMENTS; e = fmpi_walk_next(root, e))
		out[n++] = e;
	return n;
}

static bool is_inside(const xmlNode *node, const xmlNode *of)
{
	for (; node; node = node->parent)
		if (node == of)
			return true;
	return false;
}

static void set_text(xmlNode *e, struct dice *d)
{
	static const char *const texts[] = {
		"",	"AAAA", "!",	      "0",	   "-1",
		"jane", "#",	"CN=A,O=\\,", "=\"\\",	   "2026-11-22T02:30:00Z",
		"16",	"1",	"999999",     "4294967296"
	};
	const char *have = fmpi_text(e);
	char *copy;
	size_t at;

	if (!have || !*have || roll_dice(d, 2)) {
		xmlNodeSetContent(e,
				  BAD_CAST texts[roll_dice(d, sizeof(texts) / sizeof(texts[0]))]);
		return;
	}
	copy = strdup(have);
	at = (roll_dice(d, 256) * 256u + roll_dice(d, 256)) % strlen(copy);
	if (roll_dice(d, 4) == 0)
		copy[at] = '\0';
	else
		copy[at] = "AZaz09+/="[roll_dice(d, 9)];
	xmlNodeSetContent(e, BAD_CAST copy);
	free(copy);
}

/* No signature notices, and whoever reads the first text alone reads half. */
static void cut_text(xmlDoc *doc, xmlNode *e, struct dice *d)
{
	xmlNode *first = e->children;
	xmlChar *all;
	int at;

	if (!first || first->type != XML_TEXT_NODE || first->next)
		return;
	all = xmlNodeGetContent(first);
	at = (int)roll_dice(d, 256) % (xmlStrlen(all) + 1);
	xmlNodeSetContent(first, BAD_CAST "");
	xmlNodeAddContentLen(first, all, at);
	xmlAddChild(e, xmlNewDocComment(doc, BAD_CAST "x"));
	xmlAddChild(e, xmlNewDocText(doc, all + at));
	xmlFree(all);
}

static void set_attribute(xmlNode *e, const xmlNode *other, struct dice *d)
{
	xmlAttr *a = e->properties, *b = other->properties;
	xmlChar *value;

	for (unsigned n = roll_dice(d, 4); a && a->next && n; n--)
		a = a->next;
	for (unsigned n = roll_dice(d, 4); b && b->next && n; n--)
		b = b->next;
	if (!a) {
		value = b ? xmlNodeGetContent((xmlNode *)b) : NULL;
		if (b)
			xmlSetProp(e, b->name, value);
		xmlFree(value);
		return;
	}
	switch (roll_dice(d, 3)) {
	case 0:
		xmlRemoveProp(a);
		break;
	case 1:
		value = b ? xmlNodeGetContent((xmlNode *)b) : NULL;
		xmlSetNsProp(e, a->ns, a->name, value ? value : BAD_CAST "");
		xmlFree(value);
		break;
	default:
		xmlSetNsProp(e, a->ns, a->name, BAD_CAST "#x");
	}
}

static void edit_document(xmlDoc *doc, struct dice *d)
{
	xmlNode *list[MAX_ELEMENTS], *e, *other, *copy;
	unsigned n = list_elements(xmlDocGetRootElement(doc), list);

	if (n < 3)
		return;
	e = list[1 + roll_dice(d, n - 1)];
	other = list[roll_dice(d, n)];
	switch (roll_dice(d, 8)) {
	case 0:
		set_text(e, d);
		break;
	case 1:
		set_attribute(e, other, d);
		break;
	case 2: /* doubled, inside or beside another */
		copy = xmlDocCopyNode(e, doc, 1);
		if (other->parent && other->parent->type == XML_ELEMENT_NODE && roll_dice(d, 2))
			xmlAddPrevSibling(other, copy);
		else
			xmlAddChild(other, copy);
		break;
	case 3: /* moved */
		if (is_inside(other, e))
			break;
		xmlUnlinkNode(e);
		if (other->parent && other->parent->type == XML_ELEMENT_NODE && roll_dice(d, 2))
			xmlAddNextSibling(other, e);
		else
			xmlAddChild(other, e);
		/* Its namespaces stayed where it was, and may go with that. */
		xmlReconciliateNs(doc, e);
		break;
	case 4:
		xmlUnlinkNode(e);
		xmlFreeNode(e);
		break;
	case 5:
		xmlNodeSetName(e, other->name);
		break;
	case 6:
		cut_text(doc, e, d);
		break;
	default:
		if (e->parent && e->parent->type == XML_ELEMENT_NODE)
			xmlAddPrevSibling(e, xmlNewDocComment(doc, BAD_CAST "x"));
	}
}

/* ---- what must hold ---- */

/* The issuer of the vectors has vouched for nobody else, and for her by nothing else. */
static void check_subject(unsigned s, const struct fmp_inspection *v)
{
	if (!v->subject[0] && !v->issuer[0] && s != NEEDS_SUBJECT)
		return;
	with_subject++;
	if (strcmp(v->subject, "jane") != 0 || strcmp(v->issuer, "https://idp.example.org/") != 0)
		abort_with("a subject that no issuer has vouched for");
}

static void check_forward(unsigned s, const struct fmp_inspection *v)
{
	for (unsigned n = 0; n < n_originals; n++) {
		const struct buffer *f = &original[n].forward[s];

		if (f->p && f->len == v->forward_len && memcmp(f->p, v->forward, f->len) == 0)
			return;
	}
	abort_with("the output is what nobody signed");
}

static xmlOutputBuffer *canonicalize_body(const xmlNode *body)
{
	xmlOutputBuffer *out = canonical_form(body, NULL);

	if (!out)
		abort_with("the output has no canonical form");
	return out;
}

/* v: the verdict of the inspector that outputs bytes. */
static void try_tree(unsigned s, const char *text, size_t len, const struct fmp_inspection *v)
{
	struct fmp_inspection w = inspect_or_abort(of_trees[s], text, len);
	xmlOutputBuffer *have, *want;
	xmlDoc *doc;

	if (w.accepted != v->accepted || w.kind != v->kind || w.forward)
		abort_with("the inspector that outputs trees says otherwise");
	if (v->accepted) {
		doc = xmlReadMemory(v->forward, (int)v->forward_len, NULL, NULL, XML_PARSE_NONET);
		want = canonicalize_body(doc ? xmlLastElementChild(xmlDocGetRootElement(doc))
					     : NULL);
		have = canonicalize_body(w.tree.body);
		if (strcmp((const char *)xmlOutputBufferGetContent(have),
			   (const char *)xmlOutputBufferGetContent(want)) != 0)
			abort_with("a tree says something else than the bytes");
		xmlOutputBufferClose(have);
		xmlOutputBufferClose(want);
		xmlFreeDoc(doc);
	}
	fmp_inspection_clear(&w);
}

static void try_text(const char *text, size_t len)
{
	for (unsigned s = 0; s < ALL; s++) {
		struct fmp_inspection v = inspect_or_abort(inspector[s], text, len);

		if (v.accepted) {
			accepted++;
			check_subject(s, &v);
			if (s < SIGNED)
				check_forward(s, &v);
		} else {
			refused[v.kind]++;
			if (!v.detail[0] || v.forward)
				abort_with("refused without a word");
		}
		try_tree(s, text, len, &v);
		fmp_inspection_clear(&v);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct dice d = { .p = data, .end = data + size };
	const struct original *o = &original[roll_dice(&d, n_originals)];
	xmlDoc *doc = xmlReadMemory(o->text.p, (int)o->text.len, NULL, NULL,
				    XML_PARSE_NONET | XML_PARSE_NOERROR);
	unsigned edits = 1 + roll_dice(&d, MAX_EDITS);
	xmlChar *text;
	int len;

	inputs++;
	if (!doc)
		return 0;
	while (edits-- && d.p < d.end)
		edit_document(doc, &d);
	xmlDocDumpMemory(doc, &text, &len);
	xmlFreeDoc(doc);
	if (text)
		try_text((const char *)text, (size_t)len);
	xmlFree(text);
	return 0;
}
