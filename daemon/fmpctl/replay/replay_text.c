// SPDX-License-Identifier: GPL-2.0
#include "replay_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/text.h>

#include "../lib/control_client.h"
#include "../lib/text.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Records have either a time since the start or a time of day. */
static const struct column block_columns[] = {
	{ FMP_F_TIME, NULL },	  { FMP_F_AT_MS, NULL },     { FMP_F_ADDR, "Source" },
	{ FMP_F_MAC, NULL },	  { FMP_F_PAIR_MAC, NULL },  { FMP_F_DURATION_MS, "Blocked for" },
	{ FMP_F_MEASURE, NULL },  { FMP_F_RATE, NULL },	     { FMP_F_DEST_PORT, NULL },
	{ FMP_F_KEPT_OUT, NULL }, { FMP_F_GOOD_LOST, NULL }, { FMP_F_REASON, NULL },
};

static const struct column difference_columns[] = {
	{ FMP_F_ADDR, "Source" },	{ FMP_F_BLOCKED_BY, NULL },
	{ FMP_F_TIME, NULL },		{ FMP_F_AT_MS, NULL },
	{ FMP_F_BLOCKS, NULL },		{ FMP_F_BLOCKED_MS, NULL },
	{ FMP_F_KEPT_OUT, NULL },	{ FMP_F_GOOD_LOST, NULL },
	{ FMP_F_OTHER_TIME, NULL },	{ FMP_F_OTHER_AT_MS, NULL },
	{ FMP_F_OTHER_BLOCKS, NULL },	{ FMP_F_OTHER_BLOCKED_MS, NULL },
	{ FMP_F_OTHER_KEPT_OUT, NULL }, { FMP_F_OTHER_GOOD_LOST, NULL },
};

struct printer {
	const struct log_reader *log;
	const struct pcap_counts *capture;
	bool json;
	struct records l;
};

/* ---- records ---- */

static void set_time(const struct printer *p, struct record *r, uint16_t at, uint16_t time,
		     uint64_t at_ms)
{
	char moment[32];
	const char *when = log_format_time(p->log, at_ms, moment, sizeof(moment));

	if (when)
		record_set_text(r, time, when);
	/* Text shows only one of the two. */
	if (!when || p->json)
		record_set_number(r, at, at_ms);
}

/* Count the connections that were not read to their end. */
static uint64_t count_unread(const struct pcap_counts *c)
{
	return c->gaps + c->encrypted + c->proxied + c->given_up;
}

static int add_totals(struct printer *p, const struct replay_side *side)
{
	struct fmp_dryrun_totals t;
	struct record r;
	size_t blocks;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	fmp_dryrun_get_totals(side->run, &t);
	fmp_dryrun_blocks(side->run, &blocks);
	record_set_text(&r, FMP_F_RECORD, "replay");
	record_set_text(&r, FMP_F_POLICY, side->policy->name);
	record_set_text(&r, FMP_F_FILE, side->policy->file);
	record_set_number(&r, FMP_F_OBSERVE, side->policy->block.observe);
	record_set_number(&r, FMP_F_DURATION_MS, t.end_ms);
	record_set_number(&r, FMP_F_SOURCES, t.sources);
	record_set_number(&r, FMP_F_EVENTS, t.bad);
	record_set_number(&r, FMP_F_UNPROVEN, t.unproven);
	record_set_number(&r, FMP_F_GOOD, t.good);
	record_set_number(&r, FMP_F_BLOCKS, blocks);
	record_set_number(&r, FMP_F_BLOCKED, t.blocked);
	record_set_number(&r, FMP_F_KEPT_OUT, t.kept_out_bad);
	record_set_number(&r, FMP_F_GOOD_LOST, t.kept_out_good);
	record_set_number(&r, FMP_F_PROTECTED_HITS, t.exempted);
	record_set_number(&r, FMP_F_LEFT_OUT,
			  p->log->left_out + count_unread(p->capture) + p->capture->uncharged);
	record_set_number(&r, FMP_F_NOT_UNDERSTOOD,
			  p->log->not_understood + p->capture->cut + p->capture->fragments);
	return records_add(&p->l, &r);
}

static int add_block(struct printer *p, const struct fmp_dryrun_block *b)
{
	bool endless = b->until_ms == UINT64_MAX;
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	record_set_text(&r, FMP_F_RECORD, "block");
	set_time(p, &r, FMP_F_AT_MS, FMP_F_TIME, b->from_ms);
	record_set_addr(&r, FMP_F_ADDR, &b->source);
	if (b->mac.family)
		record_set_addr(&r, FMP_F_MAC, &b->mac);
	else if (p->json && b->mac_veto != FMP_MAC_OK)
		record_set_text(&r, FMP_F_MAC_VETO, fmp_mac_veto_text(b->mac_veto));
	if (b->pair_mac.family)
		record_set_addr(&r, FMP_F_PAIR_MAC, &b->pair_mac);
	record_set_number(&r, FMP_F_DURATION_MS, endless ? 0 : b->until_ms - b->from_ms);
	if (p->json || b->action_kind != FMP_ACTION_KIND_BLOCK)
		record_set_text(&r, FMP_F_MEASURE, fmp_action_kind_name(b->action_kind));
	if (b->rate)
		record_set_number(&r, FMP_F_RATE, b->rate);
	if (b->dest_port)
		record_set_number(&r, FMP_F_DEST_PORT, b->dest_port);
	if (p->json)
		record_set_number(&r, FMP_F_MANUAL, b->manual);
	record_set_number(&r, FMP_F_KEPT_OUT, b->bad);
	record_set_number(&r, FMP_F_GOOD_LOST, b->good);
	record_set_text(&r, FMP_F_REASON, b->reason);
	return records_add(&p->l, &r);
}

static void set_side(const struct printer *p, struct record *r, const struct fmp_dryrun_side *s,
		     const uint16_t ids[6])
{
	if (!s->blocks)
		return;
	set_time(p, r, ids[0], ids[1], s->from_ms);
	record_set_number(r, ids[2], s->blocks);
	if (s->blocked_ms != UINT64_MAX)
		record_set_number(r, ids[3], s->blocked_ms);
	record_set_number(r, ids[4], s->bad);
	record_set_number(r, ids[5], s->good);
}

static int add_difference(const struct fmp_dryrun_difference *diff, void *ctx)
{
	static const uint16_t ids[2][6] = {
		{ FMP_F_AT_MS, FMP_F_TIME, FMP_F_BLOCKS, FMP_F_BLOCKED_MS, FMP_F_KEPT_OUT,
		  FMP_F_GOOD_LOST },
		{ FMP_F_OTHER_AT_MS, FMP_F_OTHER_TIME, FMP_F_OTHER_BLOCKS, FMP_F_OTHER_BLOCKED_MS,
		  FMP_F_OTHER_KEPT_OUT, FMP_F_OTHER_GOOD_LOST },
	};
	struct printer *p = ctx;
	struct record r;

	if (record_new(&r))
		return FMP_ERR_NOMEM;
	record_set_text(&r, FMP_F_RECORD, "difference");
	record_set_addr(&r, FMP_F_ADDR, &diff->source);
	record_set_text(&r, FMP_F_BLOCKED_BY,
			!diff->side[1].blocks	? "first"
			: !diff->side[0].blocks ? "second"
						: "both");
	for (unsigned i = 0; i < 2; i++)
		set_side(p, &r, &diff->side[i], ids[i]);
	return records_add(&p->l, &r);
}

/* ---- text ---- */

static void print_totals(const struct record *r)
{
	char ms[64];

	fmp_text_print(stdout,
		       "%s (%s): %" PRIu64 " good and %" PRIu64 " bad messages of %" PRIu64
		       " sources in %s\n",
		       record_string(r, FMP_F_POLICY), record_string(r, FMP_F_FILE),
		       record_number(r, FMP_F_GOOD), record_number(r, FMP_F_EVENTS),
		       record_number(r, FMP_F_SOURCES),
		       record_text(r, FMP_F_DURATION_MS, ms, sizeof(ms)));
	printf("  %" PRIu64 " block%s, %" PRIu64 " of them in force at the end; ",
	       record_number(r, FMP_F_BLOCKS), record_number(r, FMP_F_BLOCKS) == 1 ? "" : "s",
	       record_number(r, FMP_F_BLOCKED));
	if (record_number(r, FMP_F_OBSERVE))
		puts("it only observes: nothing is kept out");
	else
		printf("%" PRIu64 " bad messages kept out, %" PRIu64 " good ones lost\n",
		       record_number(r, FMP_F_KEPT_OUT), record_number(r, FMP_F_GOOD_LOST));
	if (record_number(r, FMP_F_PROTECTED_HITS))
		printf("  %" PRIu64 " not taken: the source is protected\n",
		       record_number(r, FMP_F_PROTECTED_HITS));
}

static void print_log(const struct log_reader *log)
{
	if (log->left_out)
		printf("Lines left out, since they say nothing of their client: %" PRIu64 "\n",
		       log->left_out);
	if (log->not_understood)
		printf("Lines not understood: %" PRIu64 ", the first is line %u\n",
		       log->not_understood, log->first_bad);
	if (log->late)
		printf("Lines earlier than one before them: %" PRIu64 "\n", log->late);
}

static void print_capture(const struct pcap_counts *c)
{
	if (!c->packets)
		return;
	printf("Captured: %" PRIu64 " packets, %" PRIu64 " connections from their start\n",
	       c->packets, c->connections);
	if (count_unread(c))
		printf("Connections not read to their end: %" PRIu64 " with a gap, %" PRIu64
		       " by TLS, %" PRIu64 " with a PROXY header, %" PRIu64 " without room\n",
		       c->gaps, c->encrypted, c->proxied, c->given_up);
	if (c->uncharged)
		printf("Messages refused, and nobody charged: %" PRIu64 "\n", c->uncharged);
	if (c->without_start)
		printf("Packets of connections whose start is not there: %" PRIu64 "\n",
		       c->without_start);
	if (c->cut || c->fragments)
		printf("Packets captured in part: %" PRIu64 "; fragments of IP: %" PRIu64 "\n",
		       c->cut, c->fragments);
}

static void print_text(const struct printer *p, bool compared)
{
	for (size_t i = 0; i < p->l.n; i++)
		if (record_is(&p->l.r[i], "replay"))
			print_totals(&p->l.r[i]);
	print_log(p->log);
	print_capture(p->capture);
	if (!compared) {
		if (records_find(&p->l, "block"))
			putchar('\n');
		text_table(&p->l, "block", block_columns, COUNT(block_columns), "");
		return;
	}
	putchar('\n');
	if (!text_table(&p->l, "difference", difference_columns, COUNT(difference_columns), ""))
		puts("both treat every source alike");
}

static int collect_records(struct printer *p, const struct replay_side *side,
			   const struct replay_side *other)
{
	const struct fmp_dryrun_block *blocks;
	size_t n;
	int rc = add_totals(p, side);

	if (rc)
		return rc;
	if (other) {
		rc = add_totals(p, other);
		return rc ? rc : fmp_dryrun_compare(side->run, other->run, add_difference, p);
	}
	blocks = fmp_dryrun_blocks(side->run, &n);
	for (size_t i = 0; i < n && !rc; i++)
		rc = add_block(p, &blocks[i]);
	return rc;
}

int replay_print(const struct ctl *ctl, const struct log_reader *log,
		 const struct pcap_counts *capture, const struct replay_side *side,
		 const struct replay_side *other)
{
	struct printer p = { .log = log, .capture = capture, .json = ctl->json };
	struct fmp_error err;
	int rc = EXIT_OK;

	if (collect_records(&p, side, other)) {
		fmp_error_set(&err, FMP_ERR_NOMEM, "no memory");
		rc = control_print_error(ctl, EXIT_REFUSED, &err);
	} else if (ctl->json) {
		print_json(&p.l);
	} else {
		print_text(&p, other != NULL);
	}
	records_free(&p.l);
	return rc;
}
