// SPDX-License-Identifier: GPL-2.0
#include "block_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <fmp/source.h>

#include "list_file.h"
#include "own_session.h"
#include "talk.h"

/* One address in a request: its field's head, family, length, bytes; behind it its own duration. */
#define ADDR_FIELD 40u

struct tally {
	const struct ctl *ctl;
	struct records shown; /* with --json */
	uint64_t wanted, enforced, refused, kept, ended;
};

static int on_record(struct record *r, void *ctx)
{
	char addr[80];
	struct tally *t = ctx;

	if (record_is(r, "bulk")) {
		t->wanted += record_number(r, FMP_F_WANTED);
		t->enforced += record_number(r, FMP_F_ENFORCED);
		t->kept += record_number(r, FMP_F_KEPT);
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
	char kept[64] = "", ended[64] = "";

	if (t->kept)
		snprintf(kept, sizeof(kept),
			 ", %" PRIu64 " of them by blocks that stay as they were", t->kept);
	if (t->ended)
		snprintf(ended, sizeof(ended), "; %" PRIu64 " ended", t->ended);
	if (t->ctl->json)
		print_json(&t->shown);
	else
		printf("%" PRIu64 " of %" PRIu64 " blocked%s%s%s\n", t->enforced, t->wanted,
		       t->refused ? ", some refused" : "", kept, ended);
	records_free(&t->shown);
	if (t->enforced == t->wanted)
		return EXIT_OK;
	return t->refused == t->wanted ? EXIT_REFUSED : EXIT_PARTLY;
}

static int on_flushed(struct record *r, void *ctx)
{
	struct tally *t = ctx;

	if (record_is(r, "flushed"))
		t->ended += record_number(r, FMP_F_UNBLOCKS);
	if (t->ctl->json)
		return records_add(&t->shown, r);
	record_free(r);
	return 0;
}

/* Name the addresses of the list to fmpd, as many in each request as fit. */
static int send_list(const struct fmp_blocklist *l, const char *set, enum fmp_ctl_type type,
		     void (*common)(struct fmp_wire_out *w), struct tally *t)
{
	static uint8_t buf[FMP_WIRE_MAX];
	struct question q;
	int rc = 0;

	for (size_t i = 0; i < l->n && !rc;) {
		fmp_wire_begin(&q.w, buf, sizeof(buf), (uint16_t)type);
		if (set)
			fmp_wire_put_str(&q.w, FMP_F_SET, set);
		if (common)
			common(&q.w);
		for (; i < l->n && q.w.len + ADDR_FIELD <= sizeof(buf); i++) {
			fmp_wire_put_addr(&q.w, FMP_F_ADDR, &l->addr[i]);
			if (common && l->ms[i] != FMP_BLOCKLIST_NO_TIME)
				fmp_wire_put_u64(&q.w, FMP_F_LEFT_MS, l->ms[i]);
		}
		rc = talk_stream(t->ctl, &q, on_record, t);
	}
	return rc;
}

/*
 * End what the set holds and the list does not, before anything is added: a full table has room then. What
 * the list has still is not let go for a moment.
 */
static int end_unlisted(const struct fmp_blocklist *l, const char *set, struct tally *t)
{
	struct question q;
	int rc;

	question_begin(&q, FMP_CTL_SET_KEEP);
	fmp_wire_put_str(&q.w, FMP_F_SET, set);
	rc = talk_stream(t->ctl, &q, on_record, t);
	if (!rc)
		rc = send_list(l, set, FMP_CTL_SET_KEEP, NULL, t);
	if (rc)
		return rc;
	question_begin(&q, FMP_CTL_FLUSH);
	fmp_wire_put_str(&q.w, FMP_F_SET, set);
	fmp_wire_put_u64(&q.w, FMP_F_KEPT, 1);
	fmp_wire_put_str(&q.w, FMP_F_REASON, "no longer in the list of its set");
	return talk_stream(t->ctl, &q, on_flushed, t);
}

int block_list(const struct ctl *ctl, const char *file, const char *set, bool yes,
	       void (*common)(struct fmp_wire_out *w))
{
	struct tally t = { .ctl = ctl };
	struct fmp_blocklist l = { 0 };
	struct fmp_error err = { 0 };
	int rc;

	rc = list_file_load(&l, file, &err);
	if (rc) {
		fmp_blocklist_free(&l);
		return talk_error(
			ctl, rc == FMP_ERR_SYNTAX || rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED,
			&err);
	}
	rc = own_session_confirm(ctl, l.addr, l.n, yes);
	if (!rc && set)
		rc = end_unlisted(&l, set, &t);
	if (!rc)
		rc = send_list(&l, set, FMP_CTL_BLOCK_MANY, common, &t);
	fmp_blocklist_free(&l);
	if (rc) {
		records_free(&t.shown);
		return rc;
	}
	return finish(&t);
}
