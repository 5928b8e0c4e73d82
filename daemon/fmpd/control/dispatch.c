// SPDX-License-Identifier: GPL-2.0
#include "dispatch.h"

#include <string.h>
#include <unistd.h>

#include <fmp/net.h>

#include "../common/clock.h"
#include "../common/log.h"

struct request_ctx {
	const struct fmpd_show *show;
	const struct fmpd_request *req;
	struct fmpd_reply *out;
	unsigned uid;
	pid_t pid;
	const char *message; /* text of a reply that is no error; NULL: none */
	uint64_t pending; /* number of the unblock-all that the reply waits for; 0: none */
};

static int do_status(struct request_ctx *c, struct fmp_error *err)
{
	return fmpd_show_status(c->show, c->out, err);
}

static int do_sources(struct request_ctx *c, struct fmp_error *err)
{
	fmpd_show_sources(c->show, c->out);
	return 0;
}

static int do_why(struct request_ctx *c, struct fmp_error *err)
{
	fmpd_show_why(c->show, c->out, &c->req->addr);
	return 0;
}

static int do_decisions(struct request_ctx *c, struct fmp_error *err)
{
	fmpd_show_decisions(c->show, c->out, c->req->set);
	return 0;
}

static int do_protect_list(struct request_ctx *c, struct fmp_error *err)
{
	fmpd_show_protected(c->show, c->out);
	return 0;
}

/* The new decision on an address, from the decision table. */
static void show_result(struct request_ctx *c)
{
	struct fmpd_plane_view v;
	struct fmpd_record *r;

	fmpd_plane_view(c->show->plane, &v);
	r = fmpd_table_lookup(v.table, &c->req->addr);
	if (r)
		fmpd_show_decision(c->show, c->out, r, true);
}

/* The fields that all blocks of one request share. */
static struct fmpd_block_request block_request(const struct fmpd_request *req)
{
	return (struct fmpd_block_request){
		.addr = req->addr,
		.layers = req->has_layers ? req->layers : 0,
		.has_duration = req->has_duration,
		.duration_ms = req->duration_ms,
		.reason = req->reason,
		.set = req->set,
	};
}

static int do_block(struct request_ctx *c, struct fmp_error *err)
{
	struct fmpd_block_request block = block_request(c->req);
	int rc = fmpd_plane_block(c->show->plane, &block, err);

	if (!rc)
		show_result(c);
	return rc;
}

/* The next address of a request for many. Return: 1, 0 at the end, FMP_ERR_SYNTAX. */
static int next_addr(struct fmp_wire_in *in, struct fmp_addr *addr)
{
	struct fmp_wire_field f;
	int rc;

	while ((rc = fmp_wire_next(in, &f)) == 1)
		if (f.id == FMP_F_ADDR)
			return fmp_wire_get_addr(&f, addr) ? FMP_ERR_SYNTAX : 1;
	return rc;
}

/* The duration of the address just read, if it has one of its own. Return: 0, FMP_ERR_SYNTAX. */
static int read_own_duration(const struct request_ctx *c, const struct fmp_wire_in *in,
			     struct fmpd_block_request *block)
{
	struct fmp_wire_in ahead = *in;
	struct fmp_wire_field f;

	block->has_duration = c->req->has_duration;
	block->duration_ms = c->req->duration_ms;
	if (fmp_wire_next(&ahead, &f) != 1 || f.id != FMP_F_LEFT_MS)
		return 0;
	block->has_duration = true;
	return fmp_wire_get_u64(&f, &block->duration_ms) ||
			       block->duration_ms > FMPD_DURATION_MAX_MS
		       ? FMP_ERR_SYNTAX
		       : 0;
}

static void show_bulk_result(struct request_ctx *c, uint64_t wanted, uint64_t kept)
{
	struct fmp_wire_in in = c->req->many;
	struct fmpd_plane_view v;
	struct fmp_addr addr;
	uint64_t enforced = 0;

	fmpd_plane_view(c->show->plane, &v);
	while (next_addr(&in, &addr) == 1) {
		const struct fmpd_record *r = fmpd_table_lookup(v.table, &addr);

		enforced += r && !fmpd_record_failed_layers(r);
	}
	fmpd_reply_begin(c->out, "bulk");
	fmp_wire_put_u64(&c->out->w, FMP_F_WANTED, wanted);
	fmp_wire_put_u64(&c->out->w, FMP_F_ENFORCED, enforced);
	fmp_wire_put_u64(&c->out->w, FMP_F_KEPT, kept);
	fmpd_reply_end(c->out);
}

static int do_block_many(struct request_ctx *c, struct fmp_error *err)
{
	struct fmpd_block_request block = block_request(c->req);
	struct fmp_wire_in in = c->req->many;
	uint64_t wanted = 0, kept = 0, refused = 0;
	struct fmp_error last = { 0 };

	if (fmpd_plane_import_check(c->show->plane, c->req->set, c->pid, err))
		return err->code;
	block.import = true;
	fmpd_plane_flush(c->show->plane);
	while (next_addr(&in, &block.addr) == 1) {
		struct fmp_error why;
		int rc = read_own_duration(c, &in, &block);

		rc = rc ? fmp_error_set(&why, FMP_ERR_INVALID, "its duration is beyond 100 years")
			: fmpd_plane_queue_block(c->show->plane, &block, &why);
		wanted++;
		kept += rc == FMP_ERR_EXISTS;
		if (!rc || rc == FMP_ERR_EXISTS)
			continue;
		refused++;
		last = why;
		fmpd_reply_begin(c->out, "refused");
		fmp_wire_put_addr(&c->out->w, FMP_F_ADDR, &block.addr);
		fmp_wire_put_str(&c->out->w, FMP_F_MESSAGE, why.message);
		fmpd_reply_end(c->out);
	}
	fmpd_plane_flush(c->show->plane);
	if (refused)
		fmpd_log(FMPD_WARNING, "control",
			 "%llu of %llu addresses of a list are not blocked, the last one: %s",
			 (unsigned long long)refused, (unsigned long long)wanted, last.message);
	show_bulk_result(c, wanted, kept);
	return 0;
}

static int do_set_keep(struct request_ctx *c, struct fmp_error *err)
{
	struct fmp_wire_in in = c->req->many;
	struct fmp_addr addr;
	bool any = false;

	while (next_addr(&in, &addr) == 1) {
		if (!any && fmpd_plane_import_check(c->show->plane, c->req->set, c->pid, err))
			return err->code;
		fmpd_plane_set_keep(c->show->plane, c->req->set, &addr);
		any = true;
	}
	if (!any) {
		fmpd_plane_import_begin(c->show->plane, c->req->set, c->pid);
		fmpd_plane_set_keep(c->show->plane, c->req->set, NULL);
	}
	return 0;
}

static int do_unblock(struct request_ctx *c, struct fmp_error *err)
{
	struct fmp_addr source, mac = { 0 };
	struct fmpd_plane_view v;
	struct fmpd_record *r;
	int rc;

	rc = fmpd_plane_unblock(c->show->plane, &c->req->addr, c->req->reason, &source, err);
	if (rc)
		return rc;
	fmpd_plane_view(c->show->plane, &v);
	r = fmpd_table_lookup_exact(v.table, &source);
	if (r) {
		fmpd_show_decision(c->show, c->out, r, true);
		mac = fmpd_packed_mac(&r->d);
	}
	if (!mac.family && fmp_addr_is_ip(&c->req->addr) &&
	    fmp_net_lookup_mac(v.net, &c->req->addr, &mac))
		mac = (struct fmp_addr){ 0 };
	fmpd_show_covering_blocks(c->show, c->out, &c->req->addr, &mac, NULL);
	return 0;
}

static int do_protect_add(struct request_ctx *c, struct fmp_error *err)
{
	int rc = fmpd_plane_protect(c->show->plane, &c->req->addr, err);

	if (!rc)
		fmpd_show_protection(c->show, c->out, &c->req->addr);
	return rc;
}

static int do_protect_del(struct request_ctx *c, struct fmp_error *err)
{
	return fmpd_plane_unprotect(c->show->plane, &c->req->addr, err);
}

/* A policy names files that fmpd writes as root, and the gateway's user: a client that could choose the file could
 * become root. */
static int may_reload(const struct request_ctx *c, struct fmp_error *err)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(c->show->plane, &v);
	if (!*c->req->file || !strcmp(c->req->file, v.policy->file) || !c->uid ||
	    c->uid == geteuid())
		return 0;
	return fmp_error_set(err, FMP_ERR_DENIED,
			     "only root, or the user of fmpd, may name another file than %s",
			     v.policy->file);
}

static int do_reload(struct request_ctx *c, struct fmp_error *err)
{
	int rc = may_reload(c, err);

	if (!rc)
		rc = fmpd_plane_reload(c->show->plane, c->req->file, err);
	if (rc)
		fmpd_log_error(FMPD_ERROR, "policy", "the policy stays as it was", err);
	else
		fmpd_show_policy(c->show, c->out);
	c->message = rc ? NULL : err->message;
	return rc;
}

static int do_settings(struct request_ctx *c, struct fmp_error *err)
{
	int rc = fmpd_show_settings(c->show, c->out);

	return rc ? fmp_error_set(err, (enum fmp_code)rc, "no memory") : 0;
}

static int do_flush(struct request_ctx *c, struct fmp_error *err)
{
	const struct fmpd_unblock_all_request which = {
		.has_manual = c->req->has_manual,
		.manual = c->req->manual,
		.set = c->req->set,
		.except_kept = c->req->except_kept,
	};

	if (which.except_kept && fmpd_plane_import_check(c->show->plane, which.set, c->pid, err))
		return err->code;
	return fmpd_plane_unblock_all(c->show->plane, &which, c->req->reason, &c->pending, err);
}

/* A program of this machine reports a bad message. */
static int do_event(struct request_ctx *c, struct fmp_error *err)
{
	struct fmp_event ev = c->req->event;
	uint64_t now = fmpd_now_ns();

	if (!ev.time_ns || ev.time_ns > now)
		ev.time_ns = now;
	fmpd_plane_event(c->show->plane, &ev);
	fmpd_plane_flush_soon(c->show->plane);
	return 0;
}

static const struct {
	uint16_t type;
	bool needs_restored; /* needs all that was in force before this fmpd */
	const char *changes; /* the word for the log; NULL: it changes nothing */
	int (*handle)(struct request_ctx *c, struct fmp_error *err);
} handlers[] = {
	{ FMP_CTL_STATUS, false, NULL, do_status },
	{ FMP_CTL_SOURCES, true, NULL, do_sources },
	{ FMP_CTL_WHY, true, NULL, do_why },
	{ FMP_CTL_DECISIONS, true, NULL, do_decisions },
	{ FMP_CTL_PROTECT_LIST, false, NULL, do_protect_list },
	{ FMP_CTL_BLOCK, false, "block", do_block },
	{ FMP_CTL_BLOCK_MANY, false, "block many", do_block_many },
	{ FMP_CTL_SET_KEEP, true, NULL, do_set_keep },
	{ FMP_CTL_UNBLOCK, true, "unblock", do_unblock },
	{ FMP_CTL_PROTECT_ADD, false, "protect add", do_protect_add },
	{ FMP_CTL_PROTECT_DEL, false, "protect del", do_protect_del },
	{ FMP_CTL_POLICY_SHOW, false, NULL, do_settings },
	{ FMP_CTL_FLUSH, true, "flush", do_flush },
	{ FMP_CTL_POLICY_RELOAD, true, "policy reload", do_reload },
	{ FMP_MSG_EVENT, false, NULL, do_event },
};

bool fmpd_dispatch_needs_restored(const struct fmpd_request *req)
{
	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++)
		if (handlers[i].type == req->type)
			return handlers[i].needs_restored;
	return false;
}

uint64_t fmpd_dispatch(const struct fmpd_show *show, const struct fmpd_request *req, unsigned uid,
		       pid_t pid, struct fmpd_reply *out)
{
	struct request_ctx c = { .show = show, .req = req, .out = out, .uid = uid, .pid = pid };
	struct fmp_error err = { 0 };
	char text[700], addr[FMP_ADDR_STRLEN];
	const char *what = req->addr.family ? fmp_addr_format(&req->addr, addr, sizeof(addr))
					    : req->file;
	int rc;

	for (size_t i = 0; i < sizeof(handlers) / sizeof(handlers[0]); i++) {
		if (handlers[i].type != req->type)
			continue;
		rc = handlers[i].handle(&c, &err);
		if (handlers[i].changes)
			fmpd_log(FMPD_INFO, "control", "uid %u: %s%s%s%s%s", uid,
				 handlers[i].changes, *what ? " " : "", what, rc ? ": " : "",
				 rc ? fmp_error_format(&err, text, sizeof(text)) : "");
		if (!rc && c.pending)
			return c.pending;
		fmpd_reply_finish(out, rc,
				  rc	      ? fmp_error_format(&err, text, sizeof(text))
				  : c.message ? c.message
					      : "");
		return 0;
	}
	fmpd_reply_finish(out, FMP_ERR_UNSUPPORTED, "no such request");
	return 0;
}
