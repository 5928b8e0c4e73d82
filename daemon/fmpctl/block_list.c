// SPDX-License-Identifier: GPL-2.0
#include "block_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/source.h>

#include "message_file.h"
#include "own_session.h"
#include "talk.h"

/* Of one address in a request: its field's head, family, length, bytes. */
#define ADDR_FIELD 24u

struct list {
	struct fmp_addr *addr;
	size_t n, cap;
};

struct tally {
	const struct ctl *ctl;
	struct records shown; /* with --json */
	uint64_t wanted, enforced, refused;
};

static int add(struct list *l, const struct fmp_addr *addr, struct fmp_error *err)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 256;
		struct fmp_addr *more = realloc(l->addr, cap * sizeof(*more));

		if (!more)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
		l->addr = more;
		l->cap = cap;
	}
	l->addr[l->n++] = *addr;
	return 0;
}

/* One line, without its end. */
static int parse_line(struct list *l, char *line, struct fmp_error *err)
{
	struct fmp_addr addr;
	char *end;
	int rc;

	line[strcspn(line, "#\r")] = '\0';
	line += strspn(line, " \t");
	end = line + strlen(line);
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	if (!*line)
		return 0;
	rc = fmp_addr_parse(line, &addr, err);
	return rc ? rc : add(l, &addr, err);
}

static int parse(struct list *l, const char *file, char *text, struct fmp_error *err)
{
	unsigned number = 0;
	char *line;
	int rc;

	while ((line = strsep(&text, "\n"))) {
		number++;
		rc = parse_line(l, line, err);
		if (rc) {
			snprintf(err->file, sizeof(err->file), "%s", file);
			err->line = number;
			return rc;
		}
	}
	return 0;
}

static int load(struct list *l, const char *file, struct fmp_error *err)
{
	unsigned char *bytes;
	size_t len;
	char *text;
	int rc = message_file_read(file, &bytes, &len, err);

	if (rc)
		return rc;
	text = malloc(len + 1);
	if (!text) {
		free(bytes);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	}
	memcpy(text, bytes, len);
	text[len] = '\0';
	free(bytes);
	rc = strlen(text) == len ? parse(l, file, text, err)
				 : fmp_error_set(err, FMP_ERR_SYNTAX, "%s is no text", file);
	free(text);
	return rc;
}

static int on_record(struct record *r, void *ctx)
{
	char addr[80];
	struct tally *t = ctx;

	if (record_is(r, "bulk")) {
		t->wanted += record_number(r, FMP_F_WANTED);
		t->enforced += record_number(r, FMP_F_ENFORCED);
	} else if (record_is(r, "refused")) {
		t->refused++;
		if (!t->ctl->json)
			fprintf(stderr, "fmpctl: %s: %s\n",
				record_text(r, FMP_F_ADDR, addr, sizeof(addr)),
				record_string(r, FMP_F_MESSAGE));
	}
	if (t->ctl->json)
		return records_add(&t->shown, r);
	record_free(r);
	return 0;
}

static int finish(struct tally *t)
{
	if (t->ctl->json)
		print_json(&t->shown);
	else
		printf("%" PRIu64 " of %" PRIu64 " blocked%s\n", t->enforced, t->wanted,
		       t->refused ? ", some refused" : "");
	records_free(&t->shown);
	if (t->enforced == t->wanted)
		return EXIT_OK;
	return t->refused == t->wanted ? EXIT_REFUSED : EXIT_PARTLY;
}

int block_list(const struct ctl *ctl, const char *file, bool yes,
	       void (*common)(struct fmp_wire_out *w))
{
	static uint8_t buf[FMP_WIRE_MAX];
	struct tally t = { .ctl = ctl };
	struct list l = { 0 };
	struct fmp_error err = { 0 };
	struct question q;
	int rc;

	rc = load(&l, file, &err);
	if (rc) {
		free(l.addr);
		return talk_error(
			ctl, rc == FMP_ERR_SYNTAX || rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED,
			&err);
	}
	rc = own_session_confirm(ctl, l.addr, l.n, yes);
	for (size_t i = 0; i < l.n && !rc;) {
		fmp_wire_begin(&q.w, buf, sizeof(buf), FMP_CTL_BLOCK_MANY);
		common(&q.w);
		for (; i < l.n && q.w.len + ADDR_FIELD <= sizeof(buf); i++)
			fmp_wire_put_addr(&q.w, FMP_F_ADDR, &l.addr[i]);
		rc = talk_stream(ctl, &q, on_record, &t);
	}
	free(l.addr);
	if (rc) {
		records_free(&t.shown);
		return rc;
	}
	return finish(&t);
}
