// SPDX-License-Identifier: GPL-2.0
/*
 * Securing a reply, bytes to bytes. It is screened and parsed as a request is, because a service may
 * return what an attacker wrote; then Timestamp, signature and encryption are added in the order of
 * the policy.
 */
#include <fmp/secure.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "xml/c14n.h"
#include "xml/document.h"
#include "xml/entity_loader.h"
#include "xml/names.h"
#include "xml/screen.h"
#include "soap/soap.h"
#include "soap/xop.h"
#include "xml/oom.h"
#include "secure/seal.h"
#include "secure/sign.h"
#include "wss/signedinfo.h"
#include "wss/attachment.h"

/* The certificate of 8 KiB and its key as Base64, a few hundred bytes a signed element. */
#define OVERHEAD (48u << 10)
/* Prefixes of the Body that are signed with it: as many as our own inspection takes. */
#define PREFIXES 16

struct fmp_securer {
	struct fmp_policy_answers policy;
	struct fmp_policy_limits limits;
	struct fmpi_signkey key;
	struct fmpi_parser parser;
};

/* A reply in work. */
struct work {
	const struct fmp_securer *securer;
	const struct fmp_reply *answer;
	struct fmpi_soap soap;
	struct fmpi_build b;
	struct fmpi_signed what;
	bool too_many; /* more than FMPI_MAX_SIGNED elements to sign */
	char token[FMPI_ID];
	char prefixes[256];
};

size_t fmp_secured_max(size_t len)
{
	/* A '"' in a value becomes six (&quot;), and six of what is encrypted become eight in Base64. */
	return OVERHEAD + len * 8;
}

/* ---- the header ---- */

static xmlNode *find_block(const struct fmpi_soap *soap, const char *ns, const char *name)
{
	for (xmlNode *n = soap->header ? fmpi_first(soap->header) : NULL; n; n = fmpi_next(n))
		if (fmpi_is(n, ns, name))
			return n;
	return NULL;
}

static void add_header(struct work *w)
{
	xmlNode *root = w->soap.body->parent;
	xmlNode *h;

	if (w->soap.header)
		return;
	h = xmlNewDocNode(root->doc, root->ns, (const xmlChar *)"Header", NULL);
	w->b.failed |= !h;
	if (h)
		w->soap.header = xmlAddPrevSibling(w->soap.body, h);
}

static xmlNs *declare_namespace(struct fmpi_build *b, const char *uri, const char *prefix)
{
	xmlNs *ns = xmlNewNs(b->security, (const xmlChar *)uri, (const xmlChar *)prefix);

	b->failed |= !ns;
	return ns;
}

/* The header's content is all ours, so fixed prefixes do not collide. */
static void add_security(struct work *w)
{
	struct fmpi_build *b = &w->b;

	b->security = w->soap.header ? xmlNewDocNode(w->soap.body->doc, NULL,
						     (const xmlChar *)"Security", NULL)
				     : NULL;
	if (!b->security) {
		b->failed = true;
		return;
	}
	xmlAddChild(w->soap.header, b->security);
	b->wsse = declare_namespace(b, NS_WSSE, "wsse");
	b->wsu = declare_namespace(b, NS_WSU, "wsu");
	b->wsse11 = declare_namespace(b, NS_WSSE11, "wsse11");
	b->ds = declare_namespace(b, NS_DS, "ds");
	b->xenc = declare_namespace(b, NS_XENC, "xenc");
	b->xenc11 = declare_namespace(b, NS_XENC11, "xenc11");
	xmlSetNs(b->security, b->wsse);
	fmpi_build_attribute(b, b->security, fmpi_build_prefix(b, b->security, w->soap.ns, "soap"),
			     "mustUnderstand", "1");
}

static void add_signed(struct work *w, xmlNode *element)
{
	w->too_many |= w->what.n == FMPI_MAX_SIGNED;
	w->b.failed |= !element;
	if (w->too_many || !element)
		return;
	fmpi_build_id(&w->b, element, w->what.id[w->what.n++]);
}

static void add_time(struct work *w, xmlNode *parent, const char *name, int64_t at)
{
	char text[32] = "";
	time_t t = (time_t)at;
	struct tm tm;

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	fmpi_build_element(&w->b, parent, w->b.wsu, name, text);
}

static void add_timestamp(struct work *w)
{
	uint64_t ms = w->securer->policy.timestamp_ms;
	xmlNode *t;

	if (!ms)
		return;
	t = fmpi_build_element(&w->b, w->b.security, w->b.wsu, "Timestamp", NULL);
	add_time(w, t, "Created", w->answer->now_s);
	add_time(w, t, "Expires", w->answer->now_s + (int64_t)((ms + 999) / 1000));
	add_signed(w, t);
}

/* WS-Security 1.1, 8.5: name the signature of the request. */
static void add_confirmation(struct work *w)
{
	const struct fmp_reply_context *r = w->answer->reply_context;
	xmlNode *c, *scratch;
	xmlChar *text;

	if (!w->securer->policy.confirm || !r->signature_len)
		return;
	c = fmpi_build_element(&w->b, w->b.security, w->b.wsse11, "SignatureConfirmation", NULL);
	scratch = fmpi_build_base64(&w->b, c, w->b.wsse11, "Value", r->signature, r->signature_len);
	text = scratch ? xmlNodeGetContent(scratch) : NULL;
	fmpi_build_attribute(&w->b, c, NULL, "Value", (const char *)text);
	xmlFree(text);
	if (scratch) {
		xmlUnlinkNode(scratch);
		xmlFreeNode(scratch);
	}
	add_signed(w, c);
}

static void add_token(struct work *w)
{
	xmlNode *t = fmpi_build_base64(&w->b, w->b.security, w->b.wsse, "BinarySecurityToken",
				       w->securer->key.der, (size_t)w->securer->key.der_len);

	fmpi_build_attribute(&w->b, t, NULL, "EncodingType", WSSE_BASE64);
	fmpi_build_attribute(&w->b, t, NULL, "ValueType", WSSE_X509V3);
	if (t)
		fmpi_build_id(&w->b, t, w->token);
}

/* The service did not see the header, so the gateway adds RelatesTo. */
static void add_relation(struct work *w)
{
	const struct fmp_reply_context *r = w->answer->reply_context;
	const char *uri = r->addressing_2004 ? NS_WSA2004 : NS_WSA;
	xmlNs *ns;

	if (!w->securer->policy.relate || !r->message_id[0] ||
	    find_block(&w->soap, uri, "RelatesTo"))
		return;
	ns = fmpi_build_prefix(&w->b, w->soap.header, uri, "wsa");
	fmpi_build_element(&w->b, w->soap.header, ns, "RelatesTo", r->message_id);
}

static void sign_addressing(struct work *w)
{
	for (xmlNode *n = fmpi_first(w->soap.header); n; n = fmpi_next(n))
		if (n->ns && (xmlStrEqual(n->ns->href, (const xmlChar *)NS_WSA) ||
			      xmlStrEqual(n->ns->href, (const xmlChar *)NS_WSA2004)))
			add_signed(w, n);
}

/* ---- signature and encryption ---- */

static void add_prefix(struct work *w, const xmlChar *prefix)
{
	const char *name = prefix ? (const char *)prefix : "#default";
	size_t len = strlen(w->prefixes), n = strlen(name);

	if (len + n + 2 > sizeof(w->prefixes))
		return;
	snprintf(w->prefixes + len, sizeof(w->prefixes) - len, "%s%s", len ? " " : "", name);
}

/*
 * Exclusive canonicalization does not sign a prefix used only in a text or an xsi:type (BSP 1.1,
 * R5413): list those that the Envelope declares.
 */
static void find_prefixes(struct work *w)
{
	xmlNode *nodes[] = { w->soap.body->parent, w->soap.body };
	unsigned n = 0;

	for (unsigned i = 0; i < 2; i++)
		for (const xmlNs *ns = nodes[i]->nsDef; ns && n < PREFIXES; ns = ns->next, n++)
			if (i == 0 || !xmlSearchNs(w->soap.body->doc, nodes[0], ns->prefix))
				add_prefix(w, ns->prefix);
	w->what.prefixes = w->prefixes;
}

static int sign_parts(struct work *w)
{
	w->what.body = w->what.n;
	find_prefixes(w);
	add_signed(w, w->soap.body);
	if (w->too_many)
		return FMP_ERR_LIMIT;
	return w->b.failed ? FMP_ERR_NOMEM : fmpi_sign(&w->b, &w->securer->key, &w->what, w->token);
}

/* WS-Security 1.1, 5: parts of a Security header stand in the order in which they are undone. */
static int protect_body(struct work *w)
{
	const struct fmp_policy_answers *p = &w->securer->policy;
	bool sign_first = p->order == FMP_ORDER_SIGN_ENCRYPT;
	xmlNode *signature, *key = NULL;
	int ret = 0;

	if (p->sign && sign_first)
		ret = sign_parts(w);
	signature = w->b.security->last;
	if (!ret && p->encrypt)
		ret = fmpi_seal(&w->b, p->encrypt, w->answer->reply_context, w->soap.body, &key);
	if (key && p->sign && sign_first)
		xmlAddPrevSibling(signature, key);
	if (!ret && p->sign && !sign_first)
		ret = sign_parts(w);
	if (key && !key->parent)
		xmlAddChild(w->b.security, key);
	return ret;
}

static int build_header(struct work *w)
{
	const struct fmp_policy_answers *p = &w->securer->policy;

	add_header(w);
	add_security(w);
	if (w->b.failed)
		return FMP_ERR_NOMEM;
	if (p->sign) {
		add_timestamp(w);
		add_confirmation(w);
		add_token(w);
		add_relation(w);
		sign_addressing(w);
	}
	return w->b.failed ? FMP_ERR_NOMEM : protect_body(w);
}

/* ---- bytes to bytes ---- */

static int refuse_reply(struct fmp_secured *out, const char *why)
{
	snprintf(out->detail, sizeof(out->detail), "%s", why);
	return FMPI_REFUSED;
}

static int read_answer(struct fmp_securer *s, const struct fmp_reply *a, xmlDocPtr *doc,
		       struct fmpi_soap *soap, struct fmp_secured *out)
{
	struct fmp_inspection v = { 0 };
	struct fmpi_shape shape;
	int ret;

	if (a->len > s->limits.body_bytes)
		return refuse_reply(out, "it is larger than allowed");
	ret = fmpi_screen(&s->limits, FMPI_SCREEN_UTF8, a->bytes, a->len, &shape, &v);
	if (!ret)
		ret = fmpi_parser_read(&s->parser, a->bytes, a->len, doc, &v);
	if (!ret)
		ret = a->may_be_empty ? fmpi_soap_read_envelope(*doc, soap, &v)
				      : fmpi_soap_read(*doc, soap, &v);
	out->soap_version = v.soap_version;
	if (!ret && a->attachments)
		ret = fmpi_xop_resolve(*doc, a->attachments, &v);
	if (ret == FMPI_REFUSED)
		return refuse_reply(out, v.detail);
	if (!ret && find_block(soap, NS_WSSE, "Security"))
		return refuse_reply(out, "it has a Security header already");
	if (!ret && !soap->payload && s->policy.encrypt)
		return refuse_reply(out, "its Body is empty, and is to be encrypted");
	return ret;
}

/* A part that no xop:Include names is sent as it is: nothing may leave without what the policy wants. */
static int check_attachments(const struct fmp_securer *s, const struct fmp_reply *a,
			     struct fmp_secured *out)
{
	unsigned n = 0;

	for (size_t i = 0; a->attachments && i < a->attachments->n; i++) {
		const struct fmp_attachment *part = &a->attachments->part[i];

		if (part->included)
			continue;
		if (s->policy.encrypt)
			return refuse_reply(out,
					    "it has an attachment by itself, which would not be "
					    "encrypted");
		if (s->policy.sign == FMP_SIGN_ED25519 && ++n > FMPI_MAX_SIGNED_ATTACHMENTS)
			return refuse_reply(out, "it has more attachments than Ed25519 signs here");
		if (s->policy.sign && !fmpi_attachment_is_signable(part))
			return refuse_reply(out,
					    "it has an attachment that can't be signed: of XML, "
					    "with a Content-Transfer-Encoding, or without a "
					    "Content-ID");
	}
	return 0;
}

static int write_answer(xmlDocPtr doc, struct fmp_secured *out)
{
	xmlBufferPtr text = xmlBufferCreate();

	if (text && xmlNodeDump(text, doc, xmlDocGetRootElement(doc), 0, 0) > 0) {
		out->own = text;
		out->bytes = xmlBufferContent(text);
		out->len = (size_t)xmlBufferLength(text);
		return 0;
	}
	xmlBufferFree(text);
	return FMP_ERR_NOMEM;
}

static int secure_reply(struct fmp_securer *s, const struct fmp_reply *a, xmlDocPtr *doc,
			struct fmp_secured *out)
{
	struct work w = { .securer = s, .answer = a };
	int ret = read_answer(s, a, doc, &w.soap, out);

	if (ret)
		return ret;
	out->fault = fmpi_is(w.soap.payload, w.soap.ns, "Fault");
	if (!s->policy.faults && out->fault) {
		out->bytes = a->bytes;
		out->len = a->len;
		return 0;
	}
	if (s->policy.sign && !fmpi_c14n_absolute(w.soap.body->parent))
		return refuse_reply(out,
				    "it has a namespace whose URI is relative: nobody can sign it");
	ret = check_attachments(s, a, out);
	if (ret)
		return ret;
	w.what.attachments = a->attachments;
	ret = build_header(&w);
	if (ret == FMP_ERR_INVALID)
		return refuse_reply(out,
				    "who asked has no certificate that it can be encrypted for");
	if (ret == FMP_ERR_LIMIT)
		return refuse_reply(out,
				    "it has more header blocks of WS-Addressing than are signed");
	return ret ? ret : write_answer(*doc, out);
}

int fmp_secure(struct fmp_securer *s, const struct fmp_reply *answer, struct fmp_secured *out)
{
	xmlDocPtr doc = NULL;
	int ret;

	*out = (struct fmp_secured){ 0 };
	fmpi_entity_loader_forbid(true);
	fmpi_oom_begin();
	ret = secure_reply(s, answer, &doc, out);
	fmpi_entity_loader_forbid(false);
	/* After a failed allocation parts may be missing: do not sign that. */
	if (fmpi_oom_happened())
		ret = FMP_ERR_NOMEM;
	xmlFreeDoc(doc);
	if (ret)
		fmp_secured_clear(out);
	return ret < 0 ? ret : 0;
}

void fmp_secured_clear(struct fmp_secured *s)
{
	xmlBufferFree(s->own);
	s->own = NULL;
	s->bytes = NULL;
	s->len = 0;
}

int fmp_securer_new(const struct fmp_policy_answers *answers,
		    const struct fmp_policy_limits *limits, const struct fmp_key_source *keys,
		    struct fmp_securer **out, struct fmp_error *err)
{
	struct fmp_securer *s;
	int ret = 0;

	*out = NULL;
	if (!answers->sign && !answers->encrypt)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the key of answers");
	s->policy = *answers;
	s->limits = *limits;
	if (answers->sign)
		ret = fmpi_signkey_load(answers, keys, &s->key, err);
	if (ret)
		fmp_securer_free(s);
	else
		*out = s;
	return ret;
}

void fmp_securer_free(struct fmp_securer *s)
{
	if (!s)
		return;
	fmpi_signkey_clear(&s->key);
	fmpi_parser_clear(&s->parser);
	free(s);
}
