// SPDX-License-Identifier: GPL-2.0
/* An event as a message between processes, and the names of its kinds. */
#include <fmp/event.h>

#include <stdio.h>
#include <string.h>

#include <fmp/internal/text.h>

/* Field ids of FMP_MSG_EVENT. */
enum {
	F_KIND = 1,
	F_PROVEN,
	F_SOURCE,
	F_SOURCE_PORT,
	F_DEST_PORT,
	F_TIME_NS,
	F_CPU_NS,
	F_BYTES,
	F_DETAIL,
	F_STEP,
	F_SERVICE,
	F_MAC,
	F_ACCEPTED_NS,
	F_END,
};

/* Without a size, so that the assertion below finds a kind at the end that has no name. */
static const char *const kind_names[] = {
	[FMP_EVENT_GOOD] = "good",
	[FMP_EVENT_CONNECTION] = "connection",
	[FMP_EVENT_HTTP] = "http",
	[FMP_EVENT_OVERSIZE] = "oversize",
	[FMP_EVENT_ENCODING] = "encoding",
	[FMP_EVENT_DTD] = "dtd",
	[FMP_EVENT_NESTING] = "nesting",
	[FMP_EVENT_STRUCTURE] = "structure",
	[FMP_EVENT_WELLFORMED] = "wellformed",
	[FMP_EVENT_SOAP] = "soap",
	[FMP_EVENT_SCHEMA] = "schema",
	[FMP_EVENT_UNSIGNED] = "unsigned",
	[FMP_EVENT_TIMESTAMP] = "timestamp",
	[FMP_EVENT_REPLAY] = "replay",
	[FMP_EVENT_ALGORITHM] = "algorithm",
	[FMP_EVENT_TOKEN] = "token",
	[FMP_EVENT_WRAPPING] = "wrapping",
	[FMP_EVENT_SIGNATURE] = "signature",
	[FMP_EVENT_UNENCRYPTED] = "unencrypted",
	[FMP_EVENT_DECRYPT] = "decrypt",
	[FMP_EVENT_CONTENT] = "content",
	[FMP_EVENT_CRASH] = "crash",
	[FMP_EVENT_TIMEOUT] = "timeout",
	[FMP_EVENT_LOGIN] = "login",
	[FMP_EVENT_LOCAL] = "local",
	[FMP_EVENT_BROWSER] = "browser",
	[FMP_EVENT_UNSUPPORTED] = "unsupported",
	[FMP_EVENT_OUTAGE] = "outage",
};
_Static_assert(sizeof(kind_names) / sizeof(kind_names[0]) == FMP_EVENT_KINDS,
	       "a kind of event has no name");

const char *fmp_event_kind_name(unsigned kind)
{
	return kind < FMP_EVENT_KINDS ? kind_names[kind] : NULL;
}

int fmp_event_kind_parse(const char *name, enum fmp_event_kind *out)
{
	for (unsigned kind = 0; kind < FMP_EVENT_KINDS; kind++) {
		if (!strcmp(name, kind_names[kind])) {
			*out = (enum fmp_event_kind)kind;
			return 0;
		}
	}
	return FMP_ERR_NOTFOUND;
}

static void put_word(struct fmp_wire_out *w, uint16_t id, const char *word, size_t size)
{
	char text[32];

	snprintf(text, sizeof(text), "%.*s", (int)size - 1, word);
	if (*text)
		fmp_wire_put_str(w, id, text);
}

int fmp_event_encode(const struct fmp_event *ev, void *buf, size_t cap, size_t *len)
{
	char detail[sizeof(ev->detail)];
	struct fmp_wire_out w;
	int rc;

	memcpy(detail, ev->detail, sizeof(detail));
	detail[sizeof(detail) - 1] = '\0';
	fmp_wire_begin(&w, buf, cap, FMP_MSG_EVENT);
	fmp_wire_put_u64(&w, F_KIND, ev->kind);
	fmp_wire_put_u64(&w, F_PROVEN, ev->proven);
	fmp_wire_put_addr(&w, F_SOURCE, &ev->source);
	fmp_wire_put_u64(&w, F_SOURCE_PORT, ev->source_port);
	fmp_wire_put_u64(&w, F_DEST_PORT, ev->dest_port);
	fmp_wire_put_u64(&w, F_TIME_NS, ev->time_ns);
	fmp_wire_put_u64(&w, F_CPU_NS, ev->cpu_ns);
	fmp_wire_put_u64(&w, F_BYTES, ev->bytes);
	fmp_wire_put_str(&w, F_DETAIL, detail);
	put_word(&w, F_STEP, ev->step, sizeof(ev->step));
	put_word(&w, F_SERVICE, ev->service, sizeof(ev->service));
	if (ev->mac.family)
		fmp_wire_put_addr(&w, F_MAC, &ev->mac);
	if (ev->accepted_ns)
		fmp_wire_put_u64(&w, F_ACCEPTED_NS, ev->accepted_ns);
	rc = fmp_wire_end(&w);
	if (!rc)
		*len = w.len;
	return rc;
}

/* Read a number with an upper bound. */
static int get_bounded(const struct fmp_wire_field *f, uint64_t max, uint64_t *v)
{
	int rc = fmp_wire_get_u64(f, v);

	if (rc)
		return rc;
	return *v > max ? FMP_ERR_INVALID : 0;
}

static int get_word(const struct fmp_wire_field *f, char *word, size_t size)
{
	int rc = fmp_wire_get_str(f, word, size);

	if (!rc)
		fmp_text_clean(word);
	return rc;
}

static int decode_field(const struct fmp_wire_field *f, struct fmp_event *ev)
{
	uint64_t v = 0;
	int rc;

	switch (f->id) {
	case F_KIND:
		rc = get_bounded(f, FMP_EVENT_KINDS - 1, &v);
		ev->kind = (enum fmp_event_kind)v;
		return rc;
	case F_PROVEN:
		rc = get_bounded(f, 1, &v);
		ev->proven = v;
		return rc;
	case F_SOURCE:
		rc = fmp_wire_get_addr(f, &ev->source);
		if (rc)
			return rc;
		return fmp_addr_is_source(&ev->source) ? 0 : FMP_ERR_INVALID;
	case F_SOURCE_PORT:
		rc = get_bounded(f, UINT16_MAX, &v);
		ev->source_port = (uint16_t)v;
		return rc;
	case F_DEST_PORT:
		rc = get_bounded(f, UINT16_MAX, &v);
		ev->dest_port = (uint16_t)v;
		return rc;
	case F_TIME_NS:
		return fmp_wire_get_u64(f, &ev->time_ns);
	case F_CPU_NS:
		return fmp_wire_get_u64(f, &ev->cpu_ns);
	case F_BYTES:
		rc = get_bounded(f, UINT32_MAX, &v);
		ev->bytes = (uint32_t)v;
		return rc;
	case F_DETAIL:
		return get_word(f, ev->detail, sizeof(ev->detail));
	case F_STEP:
		return get_word(f, ev->step, sizeof(ev->step));
	case F_SERVICE:
		return get_word(f, ev->service, sizeof(ev->service));
	case F_MAC:
		rc = fmp_wire_get_addr(f, &ev->mac);
		if (rc)
			return rc;
		return ev->mac.family == FMP_FAMILY_MAC && ev->mac.prefix_len == 48 &&
				       !(ev->mac.bytes[0] & 1)
			       ? 0
			       : FMP_ERR_SYNTAX;
	case F_ACCEPTED_NS:
		return fmp_wire_get_u64(f, &ev->accepted_ns);
	default:
		return 0; /* from a newer peer */
	}
}

int fmp_event_decode(struct fmp_wire_in *in, struct fmp_event *ev)
{
	const uint32_t needed = 1u << F_KIND | 1u << F_SOURCE;
	struct fmp_wire_field f;
	bool invalid = false;
	uint32_t seen = 0;
	int rc;

	*ev = (struct fmp_event){ 0 };
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id < F_END) {
			/* Refuse a duplicate field: two readers could interpret it differently. */
			if (seen & 1u << f.id)
				return FMP_ERR_SYNTAX;
			seen |= 1u << f.id;
		}
		rc = decode_field(&f, ev);
		/* A client's bytes may determine a value: read on, to distinguish this from a
		 * torn message. */
		if (rc == FMP_ERR_INVALID)
			invalid = true;
		else if (rc)
			return rc;
	}
	if (rc)
		return rc;
	if ((seen & needed) != needed)
		return FMP_ERR_SYNTAX;
	return invalid ? FMP_ERR_INVALID : 0;
}
