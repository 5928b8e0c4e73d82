// SPDX-License-Identifier: GPL-2.0
#include "control.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/internal/socket_path.h>

#include "clients.h"
#include "dispatch.h"
#include <fmp/internal/group.h>
#include "../common/log.h"
#include "unix_listen.h"

#define CLIENTS_MAX  32u
#define WATCHERS_MAX 8u
#define REPLY_MAX    (16u << 20) /* bytes of one reply, */
#define BLOCK_RECORD_MAX \
	1024u /* or this for each block that may be in force, with the results of the layers */
#define BACKLOG_MAX (1u << 20) /* bytes that wait for a subscriber */
#define PENDING_UNBLOCK_ALL \
	(UINT64_C(1)        \
	 << 63) /* in @pending: the number is of an unblock-all, not of a verification */
#define ADMIN_GROUP "fmpadmin" /* its members may use the socket, if the group exists */

struct fmpd_control {
	struct fmpd_clients clients;
	const struct fmpd_show *show;
	struct evbuffer *scratch; /* records for subscribers */
	struct fmpd_reply reply; /* the reply that is being written */
	struct fmpd_reply
		watch_reply; /* another one, for a request may cause records for subscribers before its own reply is complete */
	struct fmp_protect_entry *protect; /* the set as subscribers know it */
	size_t n_protect;
};

/* ---- clients ---- */

static unsigned count_watchers(const struct fmpd_control *ctl)
{
	const struct fmpd_client *c;
	unsigned n = 0;

	LIST_FOREACH(c, &ctl->clients.list, list)
	n += c->watching;
	return n;
}

/* `fmpctl blocks` may serve as a backup: its list must be complete. */
static size_t get_reply_limit(const struct fmpd_control *ctl)
{
	struct fmpd_plane_view v;
	size_t blocks;

	fmpd_plane_view(ctl->show->plane, &v);
	blocks = (size_t)v.policy->enforce.max_blocks * BLOCK_RECORD_MAX;
	return blocks > REPLY_MAX ? blocks : REPLY_MAX;
}

static void begin_reply(struct fmpd_control *ctl, struct fmpd_client *c)
{
	ctl->reply.to = bufferevent_get_output(c->bev);
	ctl->reply.limit = get_reply_limit(ctl);
	ctl->reply.left_out = 0;
}

static bool is_restoring(const struct fmpd_control *ctl)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(ctl->show->plane, &v);
	return v.restoring;
}

/* If the reply waits for an unblock-all, note its number. */
static void wait_for_unblock_all(struct fmpd_client *c, uint64_t number)
{
	if (number)
		fmpd_client_set_pending(c, PENDING_UNBLOCK_ALL | number);
}

/* Send the protected set first: which addresses are sources of their own depends on it. */
static void start_watch(struct fmpd_control *ctl, struct fmpd_client *c)
{
	fmpd_show_protected(ctl->show, &ctl->reply);
	fmpd_show_translators(ctl->show, &ctl->reply);
	fmpd_client_watch(c);
}

static bool handle_request(void *ctx, struct fmpd_client *c, struct fmp_wire_in *in)
{
	struct fmpd_control *ctl = ctx;
	struct fmpd_request req;
	struct fmp_error err;
	char text[700];
	int rc;

	begin_reply(ctl, c);
	rc = fmpd_request_decode(in, &req, &err);
	if (rc == FMP_ERR_SYNTAX)
		return false;
	if (rc)
		fmpd_reply_finish(&ctl->reply, rc, fmp_error_format(&err, text, sizeof(text)));
	else if (!c->retried && fmpd_dispatch_needs_restored(&req) && is_restoring(ctl))
		fmpd_client_defer(c);
	else if (req.type == FMP_CTL_STATUS && req.verify)
		fmpd_client_set_pending(c, fmpd_plane_verify(ctl->show->plane));
	else if (req.type != FMP_CTL_WATCH)
		wait_for_unblock_all(c,
				     fmpd_dispatch(ctl->show, &req, c->uid, c->pid, &ctl->reply));
	else if (count_watchers(ctl) == WATCHERS_MAX)
		fmpd_reply_finish(&ctl->reply, FMP_ERR_LIMIT, "too many watch already");
	else
		start_watch(ctl, c);
	return true;
}

static const struct fmpd_clients_kind control_kind = {
	.log = "control",
	.close_reason = "what it sent does not decode",
	.max_clients = CLIENTS_MAX,
	.message_max = FMP_WIRE_MAX,
	.handle = handle_request,
};

void fmpd_control_restored(struct fmpd_control *ctl)
{
	fmpd_clients_resume_deferred(&ctl->clients);
}

void fmpd_control_verified(struct fmpd_control *ctl, uint64_t number, int rc,
			   const struct fmp_error *err)
{
	const struct fmpd_request status = { .type = FMP_CTL_STATUS };
	struct fmpd_client *c;
	char text[700];

	LIST_FOREACH(c, &ctl->clients.list, list)
	{
		if (!c->pending || c->pending > number)
			continue;
		begin_reply(ctl, c);
		if (rc)
			fmpd_reply_finish(&ctl->reply, rc,
					  fmp_error_format(err, text, sizeof(text)));
		else
			(void)fmpd_dispatch(ctl->show, &status, c->uid, c->pid, &ctl->reply);
		fmpd_client_end_pending(c);
	}
}

void fmpd_control_unblocked(struct fmpd_control *ctl, uint64_t number, uint64_t ended)
{
	struct fmpd_client *c;

	LIST_FOREACH(c, &ctl->clients.list, list)
	{
		if (c->pending != (PENDING_UNBLOCK_ALL | number))
			continue;
		begin_reply(ctl, c);
		fmpd_reply_begin(&ctl->reply, "flushed");
		fmpd_reply_put_u64(&ctl->reply, FMP_F_UNBLOCKS, ended);
		fmpd_reply_end(&ctl->reply);
		fmpd_reply_finish(&ctl->reply, 0, "");
		fmpd_client_end_pending(c);
	}
}

/* ---- subscribers ---- */

static struct fmpd_reply *watch_begin(struct fmpd_control *c)
{
	if (!c || !count_watchers(c))
		return NULL;
	c->watch_reply.to = c->scratch;
	c->watch_reply.limit = 0;
	c->watch_reply.left_out = 0;
	return &c->watch_reply;
}

static void watch_send(struct fmpd_control *ctl)
{
	size_t len = evbuffer_get_length(ctl->scratch);
	const unsigned char *bytes = evbuffer_pullup(ctl->scratch, -1);
	struct fmpd_client *c, *next;

	for (c = LIST_FIRST(&ctl->clients.list); c; c = next) {
		next = LIST_NEXT(c, list);
		if (!c->watching)
			continue;
		if (evbuffer_get_length(bufferevent_get_output(c->bev)) + len > BACKLOG_MAX) {
			fmpd_log(FMPD_INFO, "control", "a watcher of uid %u is too slow: closed",
				 c->uid);
			fmpd_client_close(c);
			continue;
		}
		bufferevent_write(c->bev, bytes, len);
	}
	evbuffer_drain(ctl->scratch, len);
}

void fmpd_control_event(struct fmpd_control *c, const struct fmp_event *ev)
{
	struct fmpd_reply *out = watch_begin(c);
	struct fmp_source_info row = { 0 };
	struct fmpd_plane_view v;
	struct fmp_addr mac;

	if (!out)
		return;
	fmpd_plane_view(c->show->plane, &v);
	/* Ask the kernel only if there is a subscriber; {0} if it does not know. */
	(void)!fmp_net_neighbour_mac(v.net, &ev->source, &mac);
	if (fmp_engine_get(v.engine, &ev->source, ev->time_ns / 1000000, &row))
		row.rank = 0;
	fmpd_show_event(out, ev, row.rank, &mac);
	watch_send(c);
}

/* Send what differs between two sorted sets. */
static void show_protected_changes(struct fmpd_reply *out, const struct fmp_protect_entry *was,
				   size_t n_was, const struct fmp_protect_entry *is, size_t n_is)
{
	size_t i = 0, j = 0;

	while (i < n_was || j < n_is) {
		int d = i == n_was  ? 1
			: j == n_is ? -1
				    : fmp_addr_compare(&was[i].addr, &is[j].addr);

		if (d < 0 || (!d && was[i].origin != is[j].origin))
			fmpd_show_entry(out, &was[i], "gone");
		if (d > 0 || (!d && was[i].origin != is[j].origin))
			fmpd_show_entry(out, &is[j], "new");
		i += d <= 0;
		j += d >= 0;
	}
}

void fmpd_control_protected(struct fmpd_control *c)
{
	const struct fmp_protect_entry *set;
	struct fmp_protect_entry *copy;
	struct fmpd_plane_view v;
	struct fmpd_reply *out;
	size_t n;

	if (!c || !c->show)
		return;
	fmpd_plane_view(c->show->plane, &v);
	n = fmp_protect_list(v.protect, &set);
	out = watch_begin(c);
	if (out) {
		show_protected_changes(out, c->protect, c->n_protect, set, n);
		watch_send(c);
	}
	copy = malloc(n * sizeof(*copy));
	if (copy)
		memcpy(copy, set, n * sizeof(*copy));
	free(c->protect);
	c->protect = copy;
	c->n_protect = copy ? n : 0;
}

void fmpd_control_translator(struct fmpd_control *c, const struct fmp_addr *prefix, bool gone)
{
	struct fmpd_reply *out = watch_begin(c);

	if (!out)
		return;
	fmpd_show_translator(out, prefix, gone ? "gone" : "new");
	watch_send(c);
}

void fmpd_control_decision(struct fmpd_control *c, const struct fmpd_record *r)
{
	struct fmpd_reply *out = watch_begin(c);

	if (!out)
		return;
	fmpd_show_decision(c->show, out, r, false);
	watch_send(c);
}

void fmpd_control_gateway(struct fmpd_control *c, const struct fmpd_gateway_status *st,
			  const char *what)
{
	struct fmpd_reply *out = watch_begin(c);
	struct fmpd_plane_view v;

	if (!out)
		return;
	fmpd_plane_view(c->show->plane, &v);
	fmpd_show_gateway(out, v.options, st, what);
	watch_send(c);
}

/* ---- beginning and end ---- */

static int bind_socket(struct fmpd_control *c, struct fmp_error *err)
{
	gid_t admins;
	int rc = fmpd_clients_bind(&c->clients, &control_kind, 0660, c, err);

	if (rc)
		return rc;
	if (!geteuid() && fmp_group_find(ADMIN_GROUP, &admins) &&
	    chown(c->clients.path, (uid_t)-1, admins))
		fmpd_log(FMPD_WARNING, "control", "%s can't be given to group %s", c->clients.path,
			 ADMIN_GROUP);
	return 0;
}

int fmpd_control_new(const char *path, struct fmpd_control **out, struct fmp_error *err)
{
	struct fmpd_control *c = calloc(1, sizeof(*c));
	bool ours = !path && geteuid();
	int rc;

	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (ours)
		fmp_control_user_path(c->clients.path, sizeof(c->clients.path));
	else
		snprintf(c->clients.path, sizeof(c->clients.path), "%s",
			 path ? path : FMP_CONTROL_SOCKET);
	if (path && strlen(path) >= sizeof(c->clients.path))
		rc = fmp_error_set(err, FMP_ERR_INVALID, "the path %s is too long for a socket",
				   path);
	else
		rc = fmpd_unix_dir(c->clients.path, ours, err);
	if (!rc)
		rc = bind_socket(c, err);
	if (rc) {
		free(c);
		return rc;
	}
	*out = c;
	return 0;
}

int fmpd_control_run(struct fmpd_control *c, struct event_base *base, const struct fmpd_show *show,
		     struct fmp_error *err)
{
	int rc;

	c->show = show;
	c->scratch = evbuffer_new();
	if (!c->scratch)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the control socket");
	fmpd_control_protected(c);
	rc = fmpd_clients_run(&c->clients, base, err);
	if (rc)
		return rc;
	fmpd_log(FMPD_INFO, "control", "fmpctl reaches this fmpd at %s", c->clients.path);
	return 0;
}

const char *fmpd_control_path(const struct fmpd_control *c)
{
	return c->clients.path;
}

void fmpd_control_free(struct fmpd_control *c)
{
	if (!c)
		return;
	fmpd_clients_close(&c->clients);
	if (c->scratch)
		evbuffer_free(c->scratch);
	free(c->protect);
	free(c);
}
