// SPDX-License-Identifier: GPL-2.0
#include "reporters.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmp/internal/socket_path.h>

#include "token_bucket.h"
#include "clients.h"
#include "../common/clock.h"
#include <fmp/internal/group.h>
#include "../common/log.h"
#include "reply_stream.h"
#include "request.h"

#define CLIENTS_MAX 64u
#define UID_MAX	    16u /* of these, of one uid */
#define EVENT_MAX   1024u /* bytes of a report */
#define GROUPS_MAX  65536u

struct fmpd_reporters {
	struct fmpd_clients clients;
	struct fmpd_plane *plane;
	struct fmpd_token_bucket bucket;
	struct fmpd_reporters_stats stats;
	bool has_group;
	gid_t group; /* of the policy; looked up once, not for each connection */
	uint64_t lost_logged_ms; /* when lost reports were logged last */
	struct fmpd_reply out;
};

static const struct fmp_policy_report *get_report_policy(const struct fmpd_reporters *all)
{
	struct fmpd_plane_view v;

	fmpd_plane_view(all->plane, &v);
	return &v.policy->report;
}

/* ---- the right to report ---- */

static bool is_in_group(int fd, gid_t wanted)
{
	socklen_t len = 64 * sizeof(gid_t);
	gid_t *groups = malloc(len), *more;
	bool found = false;
	int rc = -1;

	if (groups)
		rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len);
	/* More groups than that: the kernel has returned their size. */
	if (groups && rc && len > 64 * sizeof(gid_t) && len <= GROUPS_MAX * sizeof(gid_t)) {
		more = realloc(groups, len);
		if (more) {
			groups = more;
			rc = getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &len);
		}
	}
	for (size_t i = 0; !rc && i < len / sizeof(gid_t); i++)
		found |= groups[i] == wanted;
	free(groups);
	return found;
}

static bool is_in_report_group(const struct fmpd_reporters *all, int fd)
{
	struct ucred cred;
	socklen_t len = sizeof(cred);

	return all->has_group && !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &cred, &len) &&
	       (cred.gid == all->group || is_in_group(fd, all->group));
}

static bool may_report(void *ctx, int fd, unsigned uid)
{
	struct fmpd_reporters *all = ctx;

	if (!uid || uid == geteuid() || is_in_report_group(all, fd))
		return true;
	all->stats.denied++;
	return false;
}

/* ---- reports ---- */

/* A line for each would flood the log: one a minute. */
static void count_lost(struct fmpd_reporters *all, unsigned uid)
{
	uint64_t now = fmpd_now_ms();

	all->stats.lost++;
	if (all->lost_logged_ms && now < all->lost_logged_ms + 60000)
		return;
	all->lost_logged_ms = now;
	fmpd_log(FMPD_WARNING, "report", "uid %u reports faster than %u/s: %llu reports are lost",
		 uid, get_report_policy(all)->rate, (unsigned long long)all->stats.lost);
}

/* @rc: how the report decoded, 0 or FMP_ERR_INVALID */
static void reply_to_report(struct fmpd_reporters *all, unsigned uid, int rc, struct fmp_event *ev)
{
	uint64_t now = fmpd_now_ns();

	if (!fmpd_token_bucket_take(&all->bucket, uid, get_report_policy(all)->rate,
				    now / 1000000)) {
		count_lost(all, uid);
		fmpd_reply_finish(&all->out, FMP_ERR_LIMIT, "too many reports in too short a time");
		return;
	}
	if (rc || ev->kind == FMP_EVENT_GOOD) {
		fmpd_reply_finish(&all->out, FMP_ERR_INVALID,
				  rc ? FMPD_NO_EVENT : "only the gateway tells of good messages");
		return;
	}
	all->stats.taken++;
	if (!ev->time_ns || ev->time_ns > now)
		ev->time_ns = now;
	fmpd_plane_event(all->plane, ev);
	fmpd_plane_flush_soon(all->plane);
	fmpd_reply_finish(&all->out, 0, "");
}

static bool handle_report(void *ctx, struct fmpd_client *c, struct fmp_wire_in *in)
{
	struct fmpd_reporters *all = ctx;
	struct fmp_event ev;
	int rc = in->type == FMP_MSG_EVENT ? fmp_event_decode(in, &ev) : FMP_ERR_SYNTAX;

	if (rc && rc != FMP_ERR_INVALID)
		return false;
	all->out.to = bufferevent_get_output(c->bev);
	all->out.left_out = 0;
	reply_to_report(all, c->uid, rc, &ev);
	return true;
}

static const struct fmpd_clients_kind reporters_kind = {
	.log = "report",
	.close_reason = "what it sent is no report",
	.max_clients = CLIENTS_MAX,
	.max_per_uid = UID_MAX,
	.message_max = EVENT_MAX,
	.is_allowed = may_report,
	.handle = handle_report,
};

/* ---- beginning and end ---- */

int fmpd_reporters_new(const char *control_path, struct fmpd_reporters **out, struct fmp_error *err)
{
	struct fmpd_reporters *all = calloc(1, sizeof(*all));
	int rc;

	if (!all)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	fmp_report_path(control_path, all->clients.path, sizeof(all->clients.path));
	/* Any user may connect, and may_report() decides: the policy that names the group is read later, and may change. */
	rc = fmpd_clients_bind(&all->clients, &reporters_kind, 0666, all, err);
	if (rc) {
		free(all);
		return rc;
	}
	*out = all;
	return 0;
}

int fmpd_reporters_run(struct fmpd_reporters *all, struct event_base *base,
		       struct fmpd_plane *plane, struct fmp_error *err)
{
	all->plane = plane;
	fmpd_reporters_policy(all);
	return fmpd_clients_run(&all->clients, base, err);
}

void fmpd_reporters_policy(struct fmpd_reporters *all)
{
	all->has_group = fmp_group_find(get_report_policy(all)->group, &all->group);
}

void fmpd_reporters_free(struct fmpd_reporters *all)
{
	if (!all)
		return;
	fmpd_clients_close(&all->clients);
	free(all);
}

void fmpd_reporters_get_stats(const struct fmpd_reporters *all, struct fmpd_reporters_stats *out)
{
	*out = all ? all->stats : (struct fmpd_reporters_stats){ 0 };
}
