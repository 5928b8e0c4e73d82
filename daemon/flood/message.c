// SPDX-License-Identifier: GPL-2.0
#include "message.h"

#include <stdlib.h>
#include <string.h>

#include "order.h"

#define XML_DECLARATION "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
#define ENVELOPE_OPEN	"<soapenv:Envelope xmlns:soapenv=\"" FLOOD_NS_SOAP "\">"
#define ENVELOPE_CLOSE	"</soapenv:Envelope>"
#define PLAIN_OPEN	XML_DECLARATION ENVELOPE_OPEN "<soapenv:Body>"
#define PLAIN_CLOSE	"</soapenv:Body>" ENVELOPE_CLOSE

#define POOL_FRESH_S \
	120 /* a pooled body is rebuilt after this, well before its Timestamp expires */

struct pooled {
	struct flood_text body;
	int64_t made_s;
};

struct flood_builder {
	struct flood_message_config cfg;
	struct flood_random random;
	uint64_t id;
	unsigned http_variant;
	struct flood_text fixed[FLOOD_KINDS]; /* large bodies that never change */
	struct pooled *pool[FLOOD_KINDS];
	uint32_t pool_at[FLOOD_KINDS];
	struct flood_text scratch;
};

void flood_message_free(struct flood_message *m)
{
	flood_text_free(&m->head);
	flood_text_free(&m->own);
	m->body = NULL;
}

int flood_builder_new(const struct flood_message_config *cfg, struct flood_builder **out,
		      struct fmp_error *err)
{
	struct flood_builder *b = calloc(1, sizeof(*b));

	*out = NULL;
	if (!b)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for messages");
	b->cfg = *cfg;
	b->random.state = cfg->seed;
	/* Ids depend on the seed; xs:positiveInteger has no upper limit. */
	b->id = 1 + (flood_random_next(&b->random) >> 32) * 1000;
	*out = b;
	return 0;
}

void flood_builder_free(struct flood_builder *b)
{
	unsigned k;
	uint32_t i;

	if (!b)
		return;
	for (k = 0; k < FLOOD_KINDS; k++) {
		flood_text_free(&b->fixed[k]);
		for (i = 0; b->pool[k] && i < b->cfg.pool; i++)
			flood_text_free(&b->pool[k][i].body);
		free(b->pool[k]);
	}
	flood_text_free(&b->scratch);
	free(b);
}

static void put_plain(struct flood_builder *b, struct flood_text *t, int64_t now_s, uint32_t size,
		      enum flood_flaw flaw)
{
	const uint32_t around = sizeof(PLAIN_OPEN) + sizeof(PLAIN_CLOSE) - 2;

	flood_text_str(t, PLAIN_OPEN);
	flood_order_put(t, &b->random, b->id++, now_s, size > around ? size - around : 1, flaw);
	flood_text_str(t, PLAIN_CLOSE);
}

static int put_signed(struct flood_builder *b, struct flood_text *t, int64_t now_s, bool forged,
		      struct fmp_error *err)
{
	bool has_key = flood_signer_has_key(b->cfg.signer);
	struct flood_text *body = &b->scratch;
	uint64_t id = b->id++;
	int rc;

	flood_text_clear(body);
	flood_text_str(body, "<soapenv:Body xmlns:soapenv=\"" FLOOD_NS_SOAP
			     "\" xmlns:wsu=\"" FLOOD_NS_WSU "\" wsu:Id=\"body-");
	flood_text_uint(body, id, 0);
	flood_text_str(body, "\">");
	flood_order_put(body, &b->random, id, now_s, b->cfg.size, FLOOD_FLAW_NONE);
	flood_text_str(body, "</soapenv:Body>");
	if (body->failed)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a message");
	flood_text_str(t, XML_DECLARATION ENVELOPE_OPEN "<soapenv:Header>");
	rc = flood_sign(b->cfg.signer, body, id, now_s, forged && !has_key, &b->random, t, err);
	if (rc)
		return rc;
	if (forged && has_key)
		(void)flood_order_tamper(body);
	flood_text_str(t, "</soapenv:Header>");
	flood_text_add(t, body->data, body->len);
	flood_text_str(t, ENVELOPE_CLOSE);
	return 0;
}

static void put_nesting(struct flood_builder *b, struct flood_text *t)
{
	uint32_t i;

	flood_text_str(t, PLAIN_OPEN);
	for (i = 0; i < b->cfg.depth; i++)
		flood_text_str(t, "<n>");
	for (i = 0; i < b->cfg.depth; i++)
		flood_text_str(t, "</n>");
	flood_text_str(t, PLAIN_CLOSE);
}

static void put_dtd(struct flood_builder *b, struct flood_text *t, int64_t now_s)
{
	char name;

	flood_text_str(t, XML_DECLARATION "<!DOCTYPE e [<!ENTITY a \"ha\">");
	for (name = 'b'; name <= 'j'; name++) {
		int i;

		flood_text_str(t, "<!ENTITY ");
		flood_text_add(t, &name, 1);
		flood_text_str(t, " \"");
		for (i = 0; i < 10; i++) {
			char before[3] = { '&', (char)(name - 1), ';' };

			flood_text_add(t, before, sizeof(before));
		}
		flood_text_str(t, "\">");
	}
	flood_text_str(t, "]>" ENVELOPE_OPEN "<soapenv:Body><submitOrder xmlns=\"urn:fmp:orders\">"
			  "<orderId>");
	flood_text_uint(t, b->id++, 0);
	flood_text_str(t, "</orderId><customer>&j;</customer><date>");
	flood_text_time(t, now_s);
	flood_text_str(t, "</date></submitOrder>" PLAIN_CLOSE);
}

static int put_body(struct flood_builder *b, enum flood_kind kind, int64_t now_s,
		    struct flood_text *t, struct fmp_error *err)
{
	int rc = 0;

	flood_text_clear(t);
	switch (kind) {
	case FLOOD_GOOD:
		if (b->cfg.sign)
			rc = put_signed(b, t, now_s, false, err);
		else
			put_plain(b, t, now_s, b->cfg.size, FLOOD_FLAW_NONE);
		break;
	case FLOOD_SIGNATURE:
		rc = put_signed(b, t, now_s, true, err);
		break;
	case FLOOD_WELLFORMED:
		put_plain(b, t, now_s, b->cfg.size, FLOOD_FLAW_TAG);
		break;
	case FLOOD_SCHEMA:
		put_plain(b, t, now_s, b->cfg.size, FLOOD_FLAW_QTY);
		break;
	case FLOOD_OVERSIZE:
		put_plain(b, t, now_s, b->cfg.oversize, FLOOD_FLAW_NONE);
		break;
	case FLOOD_NESTING:
		put_nesting(b, t);
		break;
	case FLOOD_DTD:
		put_dtd(b, t, now_s);
		break;
	default:
		put_plain(b, t, now_s, b->cfg.size, FLOOD_FLAW_NONE);
		break;
	}
	if (!rc && t->failed)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a message");
	return rc;
}

static void put_head(struct flood_builder *b, struct flood_text *h, size_t body_len)
{
	flood_text_clear(h);
	flood_text_str(h, "POST ");
	flood_text_str(h, b->cfg.path);
	flood_text_str(h, " HTTP/1.1\r\nHost: ");
	flood_text_str(h, b->cfg.host);
	flood_text_str(h, "\r\nUser-Agent: fmp-flood/" FMP_VERSION
			  "\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"\"\r\n"
			  "Content-Length: ");
	flood_text_uint(h, body_len, 0);
	flood_text_str(h, b->cfg.keepalive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n");
}

/* Header lines that a strict HTTP/1.1 reader refuses. */
static void put_bad_head(struct flood_builder *b, struct flood_text *h, size_t body_len)
{
	static const struct {
		const char *line;
		size_t len;
	} bad[] = {
#define LINE(s) { s, sizeof(s) - 1 }
		LINE("Transfer-Encoding: chunked\r\n"), LINE("Content-Length: 7\r\n"),
		LINE("Content-Length: -1\r\n"),		LINE("X-Nul: a\0b\r\n"),
		LINE("No colon in this line\r\n"),	LINE("X-Space : before the colon\r\n"),
#undef LINE
	};
	unsigned v = b->http_variant++ % (sizeof(bad) / sizeof(bad[0]));

	put_head(b, h, body_len);
	h->len -= 2; /* the empty line */
	flood_text_add(h, bad[v].line, bad[v].len);
	flood_text_str(h, "\r\n");
}

static struct pooled *pool_slot(struct flood_builder *b, enum flood_kind kind)
{
	struct pooled *slot;

	if (!b->pool[kind])
		b->pool[kind] = calloc(b->cfg.pool, sizeof(*b->pool[kind]));
	if (!b->pool[kind])
		return NULL;
	slot = &b->pool[kind][b->pool_at[kind]];
	b->pool_at[kind] = (b->pool_at[kind] + 1) % b->cfg.pool;
	return slot;
}

/* Build bodies of the large kinds once: they are refused before their ids are read. */
static bool is_fixed(enum flood_kind kind)
{
	return kind == FLOOD_OVERSIZE || kind == FLOOD_NESTING;
}

int flood_builder_build(struct flood_builder *b, enum flood_kind kind, int64_t now_s,
			struct flood_message *m, struct fmp_error *err)
{
	int rc = 0;

	if (is_fixed(kind)) {
		m->body = &b->fixed[kind];
		if (!m->body->len)
			rc = put_body(b, kind, now_s, &b->fixed[kind], err);
	} else if (b->cfg.pool) {
		struct pooled *slot = pool_slot(b, kind);

		if (!slot)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the pool");
		if (!slot->body.len || now_s - slot->made_s > POOL_FRESH_S) {
			rc = put_body(b, kind, now_s, &slot->body, err);
			slot->made_s = now_s;
		}
		/* Copy: the slot may be rebuilt while m is being sent. */
		m->body = &m->own;
		flood_text_clear(&m->own);
		flood_text_add(&m->own, slot->body.data, slot->body.len);
	} else {
		m->body = &m->own;
		rc = put_body(b, kind, now_s, &m->own, err);
	}
	if (rc)
		return rc;
	if (kind == FLOOD_HTTP)
		put_bad_head(b, &m->head, m->body->len);
	else
		put_head(b, &m->head, m->body->len);
	return m->head.failed || m->body->failed
		       ? fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a message")
		       : 0;
}
