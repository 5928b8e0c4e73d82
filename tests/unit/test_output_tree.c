// SPDX-License-Identifier: GPL-2.0
/* The verified tree as output: it says what the output bytes say, and no more. */
#include <libxml/tree.h>
#include <libxml/xmlsave.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../lib/canonical.h"
#include "base/arena.h"
#include "xml/document.h"
#include "run.h"
#include "tokens.h"

#define SOAP11 "http://schemas.xmlsoap.org/soap/envelope/"

static struct fmp_inspector *tree_inspector(struct fmp_inspect_config cfg)
{
	cfg.tree = true;
	return make_inspector(&cfg);
}

static char *canonicalize_body(const xmlNode *body)
{
	xmlOutputBuffer *out = canonical_form(body, NULL);
	char *text;

	ck_assert_ptr_nonnull(out);
	text = strndup((const char *)xmlOutputBufferGetContent(out), xmlOutputBufferGetSize(out));
	xmlOutputBufferClose(out);
	return text;
}

static char *body_of_bytes(const struct fmp_inspection *v)
{
	xmlDoc *doc = xmlReadMemory(v->forward, (int)v->forward_len, NULL, NULL, XML_PARSE_NONET);
	xmlNode *n;
	char *text;

	ck_assert_ptr_nonnull(doc);
	n = fmpi_first(xmlDocGetRootElement(doc));
	while (n && strcmp((const char *)n->name, "Body") != 0)
		n = fmpi_next(n);
	text = canonicalize_body(n);
	xmlFreeDoc(doc);
	return text;
}

static void compare_outputs(const char *name, struct fmp_inspect_config cfg, struct bytes b,
			    int64_t now)
{
	struct fmp_inspector *bytes = make_inspector(&cfg), *tree = tree_inspector(cfg);
	struct fmp_inspection v = inspect_at(bytes, b, now), w = inspect_at(tree, b, now);
	char *want, *have;

	ck_assert_msg(v.accepted && w.accepted, "%s: %s %s", name, v.detail, w.detail);
	ck_assert_ptr_null(w.forward);
	ck_assert_ptr_null(v.tree.doc);
	ck_assert_ptr_eq(w.tree.payload, fmpi_first(w.tree.body));
	ck_assert(w.tree.is_signed ==
		  (cfg.security == FMP_SECURITY_BCS || cfg.security == FMP_SECURITY_BCES));
	want = body_of_bytes(&v);
	have = canonicalize_body(w.tree.body);
	ck_assert_msg(strcmp(want, have) == 0, "%s\n%s\n%s", name, want, have);
	free(want);
	free(have);
	fmp_inspection_clear(&v);
	/* The tree outlives the inspector. */
	fmp_inspector_free(tree);
	ck_assert_str_eq((const char *)w.tree.payload->name, "submitOrder");
	fmp_inspection_clear(&w);
	ck_assert_ptr_null(w.tree.doc);
	fmp_inspector_free(bytes);
	free(b.p);
}

START_TEST(as_the_bytes)
{
	static const struct {
		const char *file;
		enum fmp_security security;
	} rows[] = {
		{ "plain/plain-1k.xml", FMP_SECURITY_BC },
		{ "plain/plain-100k.xml", FMP_SECURITY_BCV },
		{ "good/comment-in-body.xml", FMP_SECURITY_BCS },
		{ "good/gsoap-rsa2048-1k.xml", FMP_SECURITY_BCS },
		{ "good/wss4j-ec256-1k.xml", FMP_SECURITY_BCS },
		{ "good/wss4j-soap12-rsa2048-1k.xml", FMP_SECURITY_BCS },
		{ "good/zeep-rsa2048-1k.xml", FMP_SECURITY_BCS },
		{ "good/wss4j-enc-cbc256-1k.xml", FMP_SECURITY_BCE },
		{ "good/wss4j-enc-gcm128-1k.xml", FMP_SECURITY_BCE },
		{ "good/wss4j-enc-then-sign-1k.xml", FMP_SECURITY_BCES },
		{ "good/wss4j-sign-then-enc-1k.xml", FMP_SECURITY_BCES },
	};

	for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
		compare_outputs(rows[n].file, config_for(rows[n].file, rows[n].security),
				read_vector(rows[n].file), VECTORS_NOW);
}
END_TEST

/* No element or attribute of the tree is one that is not looked for. */
static unsigned count_elements(const xmlNode *top)
{
	unsigned count = 0;

	for (const xmlNode *n = top; n; n = fmpi_walk_next(top, n))
		count++;
	return count;
}

START_TEST(only_signed_blocks_stay)
{
	struct fmp_inspector *i = tree_inspector(token_config(FMP_SECURITY_BCS));
	struct bytes b = read_token("addressing");
	struct fmp_inspection v = inspect_at(i, b, TOKENS_NOW);
	xmlNode *header;
	unsigned blocks = 0;

	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_nonnull(v.tree.header[FMP_PART_TO]);
	header = v.tree.header[FMP_PART_TO]->parent;
	ck_assert(fmpi_is(header, SOAP11, "Header"));
	for (unsigned p = 0; p < FMP_PARTS; p++)
		if (v.tree.header[p]) {
			ck_assert_str_eq((const char *)v.tree.header[p]->name, fmp_part_name(p));
			blocks++;
		}
	ck_assert_uint_eq(count_elements(header), 1 + blocks);
	ck_assert_ptr_null(header->parent->properties);
	fmp_inspection_clear(&v);
	free(b.p);

	b = read_token("addressing-to-unsigned");
	v = inspect_at(i, b, TOKENS_NOW);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_null(v.tree.header[FMP_PART_TO]);
	ck_assert_ptr_null(xmlSearchNsByHref(v.tree.doc, v.tree.body,
					     BAD_CAST "http://www.w3.org/2003/11/foreign"));
	for (const xmlNode *n = xmlDocGetRootElement(v.tree.doc); n;
	     n = fmpi_walk_next(xmlDocGetRootElement(v.tree.doc), n))
		ck_assert_str_ne((const char *)n->name, "To");
	fmp_inspection_clear(&v);
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

/* Though the signature is good, the policy says that it stays with the gateway. */
START_TEST(a_block_that_is_not_handed_on)
{
	static const struct fmp_policy_headers named = {
		.n = 1,
		.block = { { .ns = "http://www.w3.org/2005/08/addressing",
			     .local = "To",
			     .understood = true } },
	};
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCS);
	struct bytes b = read_token("addressing");
	struct fmp_inspector *i;
	struct fmp_inspection v;

	cfg.header_blocks = &named;
	i = tree_inspector(cfg);
	v = inspect_at(i, b, TOKENS_NOW);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_null(v.tree.header[FMP_PART_TO]);
	ck_assert_ptr_nonnull(v.tree.header[FMP_PART_ACTION]);
	for (const xmlNode *n = xmlDocGetRootElement(v.tree.doc); n;
	     n = fmpi_walk_next(xmlDocGetRootElement(v.tree.doc), n))
		ck_assert_str_ne((const char *)n->name, "To");
	fmp_inspection_clear(&v);
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

/* What is not in the canonical form may be changed on the way: it must not reach the service. */
START_TEST(what_was_not_signed_is_gone)
{
	struct fmp_inspector *i = tree_inspector(vector_config(FMP_SECURITY_BCS));
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");
	struct fmp_inspection v;
	xmlNode *customer;

	b = edit_bytes(b, "Envelope ", "Envelope evil='1' xmlns:evil='urn:evil' ");
	b = edit_bytes(b, "<customer>", "<customer xmlns:worse='urn:worse'><!-- a -->");
	b = edit_bytes(b, "</customer>", "<!-- b --></customer>");
	b = edit_bytes(b, "O'Neil", "O'<!-- root -->Neil");
	v = inspect_bytes(i, b.p, b.len);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_ptr_null(xmlDocGetRootElement(v.tree.doc)->properties);
	ck_assert_ptr_null(xmlSearchNs(v.tree.doc, v.tree.payload, BAD_CAST "evil"));
	for (customer = v.tree.payload; customer;
	     customer = fmpi_walk_next(v.tree.payload, customer))
		if (strcmp((const char *)customer->name, "customer") == 0)
			break;
	ck_assert_ptr_nonnull(customer);
	ck_assert_ptr_null(xmlSearchNs(v.tree.doc, customer, BAD_CAST "worse"));
	ck_assert_ptr_nonnull(fmpi_text(customer));
	ck_assert_ptr_nonnull(strstr(fmpi_text(customer), "O'Neil"));
	fmp_inspection_clear(&v);
	free(b.p);
	fmp_inspector_free(i);
}
END_TEST

START_TEST(refused_without_a_tree)
{
	struct fmp_inspector *i = tree_inspector(vector_config(FMP_SECURITY_BCES));
	struct fmp_inspect_config os = vector_config(FMP_SECURITY_OS);
	struct bytes b = read_vector("good/wss4j-sign-then-enc-1k.xml");
	struct fmp_inspection v;
	struct fmp_error err;

	b.p[b.len / 2] ^= 1;
	v = inspect_bytes(i, b.p, b.len);
	ck_assert(!v.accepted && !v.tree.doc && !v.forward);
	free(b.p);
	fmp_inspector_free(i);
	os.tree = true;
	ck_assert_int_eq(fmp_inspector_new(&os, &i, &err), FMP_ERR_INVALID);
}
END_TEST

START_TEST(who_it_is_of)
{
	struct fmp_inspect_config cfg = token_config(FMP_SECURITY_BCV);
	char users[64];
	struct fmp_inspector *i;
	struct bytes b = read_token("user-digest");
	struct fmp_inspection v;
	FILE *f;

	snprintf(users, sizeof(users), "/tmp/fmp-test-tree-%d", (int)getpid());
	f = fopen(users, "w");
	ck_assert_ptr_nonnull(f);
	ck_assert_int_eq(fchmod(fileno(f), 0600), 0);
	fputs("jane:correct horse, battery\n", f);
	fclose(f);
	cfg.passwords = users;
	cfg.max_age_ms = 2 * 3600 * 1000;
	i = tree_inspector(cfg);
	v = inspect_at(i, b, TOKENS_NOW);
	ck_assert_msg(v.accepted, "%s", v.detail);
	ck_assert_str_eq(v.tree.user, "jane");
	/* The password's digest is not the service's business. */
	ck_assert(fmpi_first(xmlDocGetRootElement(v.tree.doc)) == v.tree.body);
	fmp_inspection_clear(&v);
	free(b.p);
	fmp_inspector_free(i);
	unlink(users);
}
END_TEST

/* ---- whoever parsed it ---- */

#define COMMENTS 1000

/* Bc's message with a text that comments cut into many. */
static size_t put_comments(char *out)
{
	char *p = out;

	p += sprintf(p, "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\">"
			"<!--before--><e:Body><a xmlns=\"urn:x\"><!--1-->");
	for (unsigned n = 0; n < COMMENTS; n++)
		p += sprintf(p, "text &lt;%u> that is long enough for an own place<!---->", n);
	p += sprintf(p, "<b/><!--2--><!--3-->behind<!--4--></a></e:Body></e:Envelope>");
	return (size_t)(p - out);
}

static void check_texts(const xmlNode *a)
{
	const xmlNode *text = a->children, *b = text->next, *behind = b->next;
	const char *p = (const char *)text->content;
	char want[80];

	ck_assert_int_eq(text->type, XML_TEXT_NODE);
	for (unsigned n = 0; n < COMMENTS; n++) {
		int len = sprintf(want, "text <%u> that is long enough for an own place", n);

		ck_assert_int_eq(strncmp(p, want, (size_t)len), 0);
		p += len;
	}
	ck_assert_int_eq(*p, '\0');
	ck_assert_int_eq(b->type, XML_ELEMENT_NODE);
	ck_assert_str_eq((const char *)behind->content, "behind");
	ck_assert_ptr_null(behind->next);
	ck_assert_ptr_eq(a->last, behind);
}

/* What is in it is its own: what a service wants to keep it copies. */
static void take_copy(struct fmp_inspection *v)
{
	xmlDoc *doc = xmlNewDoc((const xmlChar *)"1.0");
	xmlNode *copy;

	ck_assert_msg(v->accepted, "%s", v->detail);
	check_texts(v->tree.payload);
	copy = xmlDocCopyNode(v->tree.payload, doc, 1);
	xmlDocSetRootElement(doc, copy);
	fmp_inspection_clear(v);
	check_texts(copy);
	xmlFreeDoc(doc);
}

static struct fmp_inspector *select_inspector(void *ctx, const char *action)
{
	return ctx;
}

/* fmp's parser, libxml2's, and that of whom a message's action chooses. */
START_TEST(whoever_parsed_it)
{
	static char text[COMMENTS * 80];
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BC);
	struct fmp_message m = { .bytes = text,
				 .len = put_comments(text),
				 .select_inspector = select_inspector };
	struct fmp_inspector *bytes, *tree;
	struct fmp_inspection v;

	cfg.limits.elements = 4 * COMMENTS;
	bytes = make_inspector(&cfg);
	for (int libxml2 = 0; libxml2 < 2; libxml2++) {
		cfg.xmlsec_only = libxml2;
		tree = tree_inspector(cfg);
		v = inspect_bytes(tree, text, m.len);
		/* Of no text there is a copy for each comment. */
		if (!libxml2)
			ck_assert_uint_lt(((struct fmpi_arena *)v.tree.doc->_private)->size,
					  8 * m.len);
		take_copy(&v);
		m.select_ctx = tree;
		ck_assert_int_eq(fmp_inspect(bytes, &m, &v), 0);
		take_copy(&v);
		fmp_inspector_free(tree);
	}
	fmp_inspector_free(bytes);
}
END_TEST

/* ---- threads ---- */

#define THREADS 4
#define COPIES	50

struct share {
	struct fmp_inspector *inspector;
	struct bytes message;
	atomic_uint *passed;
};

static void *send_copies(void *arg)
{
	struct share *s = arg;

	for (unsigned n = 0; n < COPIES; n++) {
		struct fmp_message m = { .bytes = s->message.p,
					 .len = s->message.len,
					 .now_s = VECTORS_NOW };
		struct fmp_inspection v;

		if (fmp_inspect(s->inspector, &m, &v))
			return NULL;
		atomic_fetch_add(s->passed, v.accepted);
		fmp_inspection_clear(&v);
	}
	return NULL;
}

/* One message, sent by all threads at once: one of all copies passes. */
START_TEST(threads_remember_together)
{
	struct fmp_inspect_config cfg = vector_config(FMP_SECURITY_BCS);
	struct bytes b = read_vector("good/wss4j-rsa2048-1k.xml");
	struct share share[THREADS];
	pthread_t id[THREADS];
	atomic_uint passed = 0;

	cfg.max_age_ms = 24 * 3600 * 1000;
	cfg.replay_entries = cfg.replay_per_signer = 64;
	for (unsigned n = 0; n < THREADS; n++) {
		share[n] = (struct share){ tree_inspector(cfg), b, &passed };
		cfg.share_replay = share[0].inspector;
	}
	for (unsigned n = 0; n < THREADS; n++)
		ck_assert_int_eq(pthread_create(&id[n], NULL, send_copies, &share[n]), 0);
	for (unsigned n = 0; n < THREADS; n++)
		pthread_join(id[n], NULL);
	ck_assert_uint_eq(passed, 1);
	/* The first may go before the others. */
	for (unsigned n = 0; n < THREADS; n++)
		fmp_inspector_free(share[n].inspector);
	free(b.p);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("tree");

	tcase_add_unchecked_fixture(tc, vectors_setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, as_the_bytes);
	tcase_add_test(tc, only_signed_blocks_stay);
	tcase_add_test(tc, a_block_that_is_not_handed_on);
	tcase_add_test(tc, what_was_not_signed_is_gone);
	tcase_add_test(tc, refused_without_a_tree);
	tcase_add_test(tc, who_it_is_of);
	tcase_add_test(tc, whoever_parsed_it);
	tcase_add_test(tc, threads_remember_together);
	return run_tcase("tree", tc);
}
