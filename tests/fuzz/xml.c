// SPDX-License-Identifier: GPL-2.0
#include "xml.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES  150
#define ANY(table) (sizeof(table) / sizeof((table)[0]))

static const char *const prefixes[] = { "", "a", "b", "c", "\xc3\xa9", "soapenv", "wsu", "xs" };

static const char *const namespaces[] = {
	"urn:x",
	"urn:x",
	"urn:y",
	"urn:y",
	"http://schemas.xmlsoap.org/soap/envelope/",
	"http://h.example/p?q#f",
	"http://h.example:80/",
	"URN:x",
	"x+y.z-1:q",
	"urn:it's",
	"urn:&#120;",
	"urn&#x3a;&#x78;",
	"http://h.example/?q&amp;r",
	"rela/tive",
};

#define ODD (namespaces + ANY(namespaces) - 2)

static const char *const names[] = {
	"e", "E", "element", "\xc3\xa4", "a-b.c_1", "Body", "xmlx", "i"
};

static const char *const texts[] = {
	"",
	"a",
	"text ",
	"\n",
	"\r\n",
	"\r",
	" ",
	"\t",
	"&amp;",
	"&lt;",
	"&gt;",
	">",
	"&quot;",
	"&apos;",
	"\"",
	"'",
	"&#13;",
	"&#xD;",
	"&#10;",
	"&#9;",
	"&#x20;",
	"&#38;",
	"&#60;",
	"]]&gt;",
	"\xc3\xa9",
	"\xe2\x82\xac",
	"\xf0\x9d\x84\x9e",
	"&#x1D11E;",
	"&#233;",
	"0123456789abcdef",
	"\xef\xbf\xbd",
	"\x7f",
	"\xc2\x85",
	"\xe2\x80\xa8",
};

static const char *const values[] = {
	"",	     "v",    "value ", "\n",	 "\r\n",   "\r",       " ",
	"\t",	     "  ",   "&amp;",  "&lt;",	 "&gt;",   ">",	       "&#13;",
	"&#xA;",     "&#9;", "&#x20;", "&quot;", "&apos;", "\xc3\xa9", "\xf0\x9d\x84\x9e",
	"&#x1D11E;", "#id",  "&#34;",  "&#39;",
};

static const char *const sections[] = { "",  "a",  "<",	   "&",	 "&amp;", ">",
					"]", "]]", "\r\n", "\r", "\"",	  "<e/>" };

static const char *const xml_attrs[] = { "xml:lang=\"en\"", "xml:space='preserve'",
					 "xml:base=\"urn:b\"" };

static void ignore_error(void *ctx, const char *fmt, ...)
{
}

void xml_start(void (*report)(void))
{
	xmlInitParser();
	xmlSetGenericErrorFunc(NULL, ignore_error);
	atexit(report);
}

void xml_dice_init(struct xml_dice *d, const uint8_t *p, size_t n)
{
	d->p = p;
	d->end = p + n;
	d->random.state = n;
	for (size_t i = 0; i < n; i++)
		d->random.state = (d->random.state ^ p[i]) * 0x100000001b3ULL;
}

unsigned xml_roll(struct xml_dice *d, unsigned n)
{
	return d->p < d->end ? *d->p++ % n : random_below(&d->random, n);
}

void xml_put(struct xml_text *t, const char *s)
{
	size_t n = strlen(s);

	if (n > sizeof(t->p) - t->n)
		return;
	memcpy(t->p + t->n, s, n);
	t->n += n;
}

#define roll(m, n)    xml_roll((m)->dice, n)
#define any(m, table) ((table)[roll(m, ANY(table))])

/* Names of ASCII, without what ends a plain document; the same for the same. */
static void make_plain(char *s)
{
	char *out = s;

	if (strncmp(s, "<!", 2) == 0)
		*s = '\0';
	for (; *s; s++)
		if (*s != '\r')
			*out++ = *s & '\x80' ? 'z' : *s;
	*out = '\0';
}

static void put_text(struct xml_maker *m, const char *s)
{
	char plain[128];

	if (m->plain) {
		snprintf(plain, sizeof(plain), "%s", s);
		make_plain(plain);
		s = plain;
	}
	xml_put(m->text, s);
}

/* Pieces without any of these bytes, if the document is to be plain. */
static void put_repeated(struct xml_maker *m, const char *const *table, unsigned n, unsigned most,
			 const char *not_plain)
{
	for (unsigned i = roll(m, most + 1); i; i--) {
		const char *piece = table[roll(m, n)];

		if (!m->plain || !piece[strcspn(piece, not_plain)])
			xml_put(m->text, piece);
	}
}

/* A prefix that is bound; now and then one that may not be. */
static unsigned some_prefix(struct xml_maker *m)
{
	for (unsigned tries = 0; tries < 4; tries++) {
		unsigned p = roll(m, ANY(prefixes));

		if (p == 0 || m->bound & 1u << p)
			return p;
	}
	return roll(m, 60) ? 0 : 1;
}

static void put_name(struct xml_maker *m, unsigned prefix, const char *local)
{
	put_text(m, prefixes[prefix]);
	put_text(m, prefix ? ":" : "");
	put_text(m, local);
}

void xml_blank(struct xml_maker *m)
{
	static const char *const blanks[] = { " ", "\n", "\r\n", "\t", "<!---->", "<!-- c -->" };

	if (!roll(m, 4))
		put_text(m, any(m, blanks));
}

static void put_space(struct xml_maker *m)
{
	static const char *const spaces[] = { " ", " ", " ", " ", "\n", "  ", "\r\n", "\t" };

	put_text(m, any(m, spaces));
}

static void put_value(struct xml_maker *m)
{
	static const char *const equals[] = { "=", "=", "=", " = ", "=\n" };
	bool doubled = roll(m, 3) != 0;

	put_text(m, any(m, equals));
	put_text(m, doubled ? "\"" : "'");
	put_repeated(m, values, ANY(values), 3, "&\r\n\t\xc3\xf0");
	if (!roll(m, 4))
		put_text(m, doubled ? "'" : "\"");
	put_text(m, doubled ? "\"" : "'");
}

void xml_declarations(struct xml_maker *m)
{
	unsigned here = 0;

	for (unsigned i = roll(m, 3) ? 0 : 1 + roll(m, 3); i; i--) {
		unsigned p = roll(m, ANY(prefixes));
		const char *ns = any(m, namespaces);
		const char *quote = roll(m, 3) ? "\"" : "'";

		if (here & 1u << p)
			continue;
		here |= 1u << p;
		/* Odd ones seldom: they end the comparison of the whole document. */
		if ((ns == ODD[0] || ns == ODD[1]) && roll(m, 12))
			ns = namespaces[0];
		if (strchr(ns, '\''))
			quote = "\"";
		if (p == 0 && !m->plain && !roll(m, 3))
			ns = "";
		put_space(m);
		put_text(m, p ? "xmlns:" : "xmlns");
		put_text(m, prefixes[p]);
		put_text(m, "=");
		put_text(m, quote);
		put_text(m, ns);
		put_text(m, quote);
	}
	m->bound |= here;
}

void xml_attributes(struct xml_maker *m)
{
	unsigned first = roll(m, 4);

	for (unsigned i = roll(m, 2) ? 0 : roll(m, 5), k = 0; k < i; k++) {
		char name[32];

		/* Their order is not that of their names. */
		snprintf(name, sizeof(name), "%s%u", k % 2 ? "n" : "N", (first + 7 * k) % 10);
		put_space(m);
		put_name(m, some_prefix(m), name);
		put_value(m);
	}
	if (!roll(m, m->plain ? 200 : 12)) {
		put_space(m);
		put_text(m, any(m, xml_attrs));
	}
}

/*
 * What its own declarations bind a name may use too, but they stand behind it: the tag's
 * rest is made first and moved. Returns false if there was no room.
 */
static bool put_start_tag(struct xml_maker *m, char *whole, size_t size)
{
	size_t at = m->text->n, n, len;
	const char *local = any(m, names);
	unsigned prefix;
	char *p;

	xml_declarations(m);
	xml_attributes(m);
	prefix = some_prefix(m);
	if (!roll(m, 60))
		snprintf(whole, size, "xml:%s", local);
	else
		snprintf(whole, size, "%s%s%s", prefixes[prefix], prefix ? ":" : "", local);
	if (m->plain)
		make_plain(whole);
	len = strlen(whole);
	n = m->text->n - at;
	if (len > sizeof(m->text->p) - m->text->n)
		return false;
	p = m->text->p + at;
	memmove(p + len, p, n);
	memcpy(p, whole, len);
	m->text->n += len;
	return true;
}

static void put_element(struct xml_maker *m, unsigned depth)
{
	unsigned outer = m->bound;
	char whole[64];

	put_text(m, "<");
	if (!put_start_tag(m, whole, sizeof(whole)))
		return;
	if (!roll(m, 6))
		put_space(m);
	if (!depth || !roll(m, 5)) {
		put_text(m, "/>");
	} else {
		put_text(m, ">");
		xml_content(m, depth - 1);
		put_text(m, "</");
		put_text(m, whole);
		put_text(m, roll(m, 8) ? ">" : " >");
	}
	m->bound = outer;
}

void xml_content(struct xml_maker *m, unsigned depth)
{
	for (unsigned i = roll(m, 6); i && m->nodes < MAX_NODES; i--) {
		m->nodes++;
		switch (roll(m, m->plain ? 6 : 10)) {
		case 0:
		case 1:
		case 2:
			put_repeated(m, texts, ANY(texts), 5, "\r");
			break;
		case 3:
			if (m->plain) {
				put_element(m, depth);
				break;
			}
			put_text(m, "<![CDATA[");
			put_repeated(m, sections, ANY(sections), 3, "");
			put_text(m, "]]>");
			break;
		case 4:
			put_text(m, roll(m, 2) ? "<!-- c -->" : "<!--\r\n<&-->");
			break;
		case 5:
			if (!m->screened && !m->plain) {
				put_text(m, roll(m, 2) ? "<?pi?>" : "<?p \r\n  d &amp; \"x\"?>");
				break;
			}
			/* fall through */
		default:
			put_element(m, depth);
		}
	}
}

void xml_document(struct xml_maker *m)
{
	if (!roll(m, 3))
		put_text(m, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\r\n");
	if (!m->screened && !m->plain && !roll(m, 6))
		put_text(m, "<?before it?>");
	put_text(m, roll(m, 6) ? "" : "<!-- before -->\n");
	put_element(m, 7);
	put_text(m, roll(m, 6) ? "" : m->plain ? "\n " : "\n<!-- after -->");
	if (!m->screened && !m->plain && !roll(m, 6))
		put_text(m, "<?after?>");
}

void xml_prefix_list(struct xml_dice *d, char *out, size_t size)
{
	static const char *const odd[] = { "#default", "xml", "unknown", "x", "#other" };
	static const char *const blanks[] = { "", " ", "  ", "   " };
	size_t n = (size_t)snprintf(out, size, "%s", xml_roll(d, 4) ? "" : blanks[xml_roll(d, 4)]);

	for (unsigned i = xml_roll(d, 5); i; i--) {
		const char *name = xml_roll(d, 4) ? prefixes[1 + xml_roll(d, ANY(prefixes) - 1)]
						  : odd[xml_roll(d, ANY(odd))];
		const char *behind = xml_roll(d, 4) ? " " : blanks[1 + xml_roll(d, 3)];

		if (n < size)
			n += (size_t)snprintf(out + n, size - n, "%s%s", name, behind);
	}
	if (n && n < size && xml_roll(d, 2))
		out[n - 1] = '\0';
}

void xml_change(struct xml_dice *d, struct xml_text *t, const char *const *pieces, size_t n)
{
	size_t at = t->n ? (xml_roll(d, 256) << 8 | xml_roll(d, 256)) % t->n : 0;
	const char *in = pieces[xml_roll(d, (unsigned)n)];
	size_t more = strlen(in), out = xml_roll(d, 3);

	if (!xml_roll(d, 3))
		more = 0;
	if (at + out > t->n || t->n - out + more > sizeof(t->p))
		return;
	memmove(t->p + at + more, t->p + at + out, t->n - at - out);
	memcpy(t->p + at, in, more);
	t->n = t->n - out + more;
}
