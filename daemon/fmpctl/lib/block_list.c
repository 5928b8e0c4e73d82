// SPDX-License-Identifier: GPL-2.0
#include "block_list.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/source.h>

#include "list_file.h"
#include "own_session.h"
#include "control_client.h"

/* Bytes of one address in a request: field header, family, length, address, and its own duration. */
#define ADDR_FIELD    40u
#define REFUSED_SHOWN 20u /* refused addresses printed one by one; the rest are counted */

struct tally {
	const struct ctl *ctl;
	struct records shown; /* with --json */
	uint64_t wanted, enforced, refused, kept, ended; /* wanted: of the whole list */
	bool changed; /* a request that changes something was answered */
};

static void print_refused(const struct tally *t, const struct record *r)
{
	const char *why = record_string(r, FMP_F_MESSAGE);
	char addr[80];
	bool named;

	if (t->ctl->json || t->refused > REFUSED_SHOWN)
		return;
	record_text(r, FMP_F_ADDR, addr, sizeof(addr));
	/* Most reasons begin with the address. */
	named = !strncmp(why, addr, strlen(addr)) && why[strlen(addr)] == ' ';
	fprintf(stderr, "fmpctl: %s%s%s\n", named ? "" : addr, named ? "" : ": ", why);
}

static int on_record(struct record *r, void *ctx)
{
	struct tally *t = ctx;

	if (record_is(r, "bulk")) {
		t->enforced += record_number(r, FMP_F_ENFORCED);
		t->kept += record_number(r, FMP_F_KEPT);
	} else if (record_is(r, "refused")) {
		t->refused++;
		print_refused(t, r);
	}
	if (t->ctl->json)
		return records_add(&t->shown, r);
	record_free(r);
	return 0;
}

static int print_tally(struct tally *t)
{
	char kept[64] = "", ended[64] = "";

	if (!t->ctl->json && t->refused > REFUSED_SHOWN)
		fprintf(stderr, "fmpctl: %" PRIu64 " more are refused (--json shows each)\n",
			t->refused - REFUSED_SHOWN);
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

/* ---- interruption ---- */

/* The signals that end fmpctl; without those that are ignored, as in the background of a script. */
static sigset_t end_signals;

static void block_end_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction is;

	sigemptyset(&end_signals);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &is) && is.sa_handler != SIG_IGN)
			sigaddset(&end_signals, signals[i]);
	sigprocmask(SIG_BLOCK, &end_signals, NULL);
}

static bool is_interrupted(void)
{
	sigset_t pending;

	return !sigpending(&pending) && sigandset(&pending, &pending, &end_signals) == 0 &&
	       !sigisemptyset(&pending);
}

/*
 * Send a request, unless an end signal is pending. The signal stays blocked until the reply is read, so that
 * the effect of each request is known. Return: an exit code, with the reason in *err where none was printed.
 */
static int send_request(struct control_request *req, int (*cb)(struct record *r, void *ctx),
			struct tally *t, struct fmp_error *err)
{
	if (is_interrupted()) {
		fmp_error_set(err, FMP_ERR_AGAIN,
			      t->changed ? "interrupted" : "interrupted: nothing is changed");
		return EXIT_REFUSED;
	}
	return control_try(t->ctl, req, cb, t, err);
}

/* With --json, add the error as a record to those of the replies, so that the output is one array. */
static void add_error_record(struct tally *t, const struct fmp_error *err)
{
	struct record r;

	if (!t->ctl->json || record_new(&r))
		return;
	record_set_text(&r, FMP_F_RECORD, "error");
	record_set_text(&r, FMP_F_KIND, fmp_code_name(err->code));
	record_set_text(&r, FMP_F_MESSAGE, err->message);
	if (records_add(&t->shown, &r))
		fputs("fmpctl: no memory\n", stderr);
}

/*
 * Report an import that was broken off. The counts cover answered requests; the effect of the unanswered one is
 * unknown. Return: an exit code.
 */
static int print_incomplete(struct tally *t, int rc, const struct fmp_error *err)
{
	struct fmp_error why = *err;

	if (!t->changed) {
		records_free(&t->shown);
		/* Without a message fmpd replied, and its text is printed already. */
		return *err->message ? control_print_failure(t->ctl, rc, err) : rc;
	}
	if (!*err->message) {
		(void)print_tally(t);
		return EXIT_PARTLY;
	}
	fmp_error_set(&why, err->code,
		      "%s before the whole list was taken: what is not counted is not known to be "
		      "blocked, so give the list again",
		      err->message);
	fprintf(stderr, "fmpctl: %s\n", why.message);
	add_error_record(t, &why);
	(void)print_tally(t);
	return EXIT_PARTLY;
}

/* ---- requests ---- */

/* Send the addresses of the list, as many in each request as fit. */
static int send_list(const struct fmp_blocklist *l, const char *set, enum fmp_ctl_type type,
		     void (*common)(struct fmp_wire_out *w), struct tally *t, struct fmp_error *err)
{
	static uint8_t buf[FMP_WIRE_MAX];
	struct control_request req;
	int rc = 0;

	for (size_t i = 0; i < l->n && !rc;) {
		fmp_wire_begin(&req.w, buf, sizeof(buf), (uint16_t)type);
		if (set)
			fmp_wire_put_str(&req.w, FMP_F_SET, set);
		if (common)
			common(&req.w);
		for (; i < l->n && req.w.len + ADDR_FIELD <= sizeof(buf); i++) {
			fmp_wire_put_addr(&req.w, FMP_F_ADDR, &l->addr[i]);
			if (common && l->ms[i] != FMP_BLOCKLIST_NO_TIME)
				fmp_wire_put_u64(&req.w, FMP_F_LEFT_MS, l->ms[i]);
		}
		rc = send_request(&req, on_record, t, err);
		t->changed |= !rc && type == FMP_CTL_BLOCK_MANY;
	}
	return rc;
}

/*
 * Unblock the addresses that the set holds and the list lacks, before anything is added: that frees room in a full
 * table. Addresses that are still listed stay blocked throughout.
 */
static int end_dropped(const struct fmp_blocklist *l, const char *set, struct tally *t,
		       struct fmp_error *err)
{
	struct control_request req;
	int rc;

	control_request_begin(&req, FMP_CTL_SET_KEEP);
	fmp_wire_put_str(&req.w, FMP_F_SET, set);
	rc = send_request(&req, on_record, t, err);
	if (!rc)
		rc = send_list(l, set, FMP_CTL_SET_KEEP, NULL, t, err);
	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_FLUSH);
	fmp_wire_put_str(&req.w, FMP_F_SET, set);
	fmp_wire_put_u64(&req.w, FMP_F_KEPT, 1);
	fmp_wire_put_str(&req.w, FMP_F_REASON, "no longer in the list of its set");
	rc = send_request(&req, on_flushed, t, err);
	t->changed |= !rc;
	return rc;
}

/* A failed download leaves an empty list, which would end every block of the set: ask for --yes. */
static int check_empty(const struct ctl *ctl, const struct fmp_blocklist *l, const char *file,
		       const char *set)
{
	struct fmp_error err;

	if (l->n)
		return 0;
	fmp_error_set(&err, FMP_ERR_INVALID,
		      "%s has no address: the set %s stays as it is; --yes ends all of it, as "
		      "'fmpctl flush --set %s' does",
		      strcmp(file, "-") ? file : "the list", set, set);
	return control_print_error(ctl, EXIT_REFUSED, &err);
}

static int replace_blocks(const struct fmp_blocklist *l, const char *set,
			  void (*common)(struct fmp_wire_out *w), struct tally *t)
{
	struct fmp_error err = { 0 };
	int rc = 0;

	t->wanted = l->n;
	block_end_signals();
	if (set)
		rc = end_dropped(l, set, t, &err);
	if (!rc)
		rc = send_list(l, set, FMP_CTL_BLOCK_MANY, common, t, &err);
	rc = rc ? print_incomplete(t, rc, &err) : print_tally(t);
	/* The signals stay blocked: a pending one would end fmpctl before it returns its exit status. */
	return rc;
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
		return control_print_error(
			ctl, rc == FMP_ERR_SYNTAX || rc == FMP_ERR_IO ? EXIT_USAGE : EXIT_REFUSED,
			&err);
	}
	rc = set && !yes ? check_empty(ctl, &l, file, set) : 0;
	if (!rc)
		rc = own_session_confirm(ctl, l.addr, l.n, yes);
	if (!rc)
		rc = replace_blocks(&l, set, common, &t);
	fmp_blocklist_free(&l);
	return rc;
}
