// SPDX-License-Identifier: GPL-2.0
#include "block_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <fmp/source.h>

#include "list_file.h"
#include "own_session.h"
#include "talk.h"

/* Of one address in a request: its field's head, family, length, bytes. */
#define ADDR_FIELD 24u

struct tally {
	const struct ctl *ctl;
	struct records shown; /* with --json */
	uint64_t wanted, enforced, refused, kept;
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
	char kept[64] = "";

	if (t->kept)
		snprintf(kept, sizeof(kept),
			 ", %" PRIu64 " of them by blocks that stay as they were", t->kept);
	if (t->ctl->json)
		print_json(&t->shown);
	else
		printf("%" PRIu64 " of %" PRIu64 " blocked%s%s\n", t->enforced, t->wanted,
		       t->refused ? ", some refused" : "", kept);
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
	struct list_file l = { 0 };
	struct fmp_error err = { 0 };
	struct question q;
	int rc;

	rc = list_file_load(&l, file, &err);
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
