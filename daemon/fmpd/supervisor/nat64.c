// SPDX-License-Identifier: GPL-2.0
#include "nat64.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/log.h"
#include <fmp/internal/evtimer.h>
#include <fmp/internal/spawn.h>

#define CHANNEL_FD     3 /* in the process */
#define RECORDS_A_TURN 16u
#define RESTART_MS \
	5000u /* before a process that ended is replaced; doubles while they keep ending */
#define RESTART_MAX_MS 600000u
#define STEADY_MS      60000u
#define WAYS	       2u /* enum fmp_nat64_found_by, less 1 */

struct fmpd_nat64 {
	struct event_base *base;
	struct fmpd_plane *plane;
	struct fmpd_nat64_hooks hooks;
	struct event *readable; /* NULL: no process is running */
	struct event *restart_timer, *expiry_timer; /* another process is due; a prefix ends */
	pid_t child;
	int fd;
	uint64_t started_ms, restart_ms;
	struct found_prefix {
		struct fmp_addr prefix; /* {0}: free */
		uint64_t until_ms;
	} found[WAYS][FMP_NAT64_FOUND_MAX];
	struct fmp_translators notified; /* the prefixes that the hooks were called for */
	struct fmp_addr refused; /* the newest refused prefix, so that it is logged once */
};

/* ---- prefixes in use ---- */

const struct fmp_protect_entry *fmpd_nat64_find_conflict(const struct fmp_addr *prefix,
							 const struct fmp_protect_entry *set,
							 size_t n)
{
	/* The /64 of a neighbour is no translator's either, even if no address of ours is in the prefix itself. */
	struct fmp_addr net = fmp_addr_mask(*prefix, 64);

	for (size_t i = 0; i < n; i++) {
		const struct fmp_protect_entry *e = &set[i];
		bool ours = e->origin == FMP_PROTECT_OWN || e->origin == FMP_PROTECT_GATEWAY;

		if (fmp_addr_overlaps(&e->addr, ours ? &net : prefix) &&
		    (ours || !fmp_addr_is_form(&e->addr, prefix)))
			return e;
	}
	return NULL;
}

static bool contains_prefix(const struct fmp_translators *t, const struct fmp_addr *prefix)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (fmp_addr_equal(&t->prefix[i], prefix))
			return true;
	return false;
}

static void set_timer(struct fmpd_nat64 *n)
{
	uint64_t next = UINT64_MAX, now = fmpd_now_ms();

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		const struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && o->until_ms < next)
			next = o->until_ms;
	}
	if (next == UINT64_MAX)
		event_del(n->expiry_timer);
	else
		fmp_evtimer_arm(n->expiry_timer, next > now ? next - now : 0);
}

/* Notify of the differences between the prefixes found in both ways and those notified before. */
static void notify_changes(struct fmpd_nat64 *n)
{
	struct fmp_translators is = { 0 }, was = n->notified;

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		const struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && !contains_prefix(&is, &o->prefix))
			is.prefix[is.n++] = o->prefix;
	}
	set_timer(n);
	n->notified = is;
	/* The engine first: the hooks may look at it. */
	fmpd_plane_set_translators(n->plane, &is);
	for (uint32_t i = 0; i < was.n; i++)
		if (!contains_prefix(&is, &was.prefix[i]))
			n->hooks.on_prefix(n->hooks.ctx, &was.prefix[i], true);
	for (uint32_t i = 0; i < is.n; i++)
		if (!contains_prefix(&was, &is.prefix[i]))
			n->hooks.on_prefix(n->hooks.ctx, &is.prefix[i], false);
	n->hooks.on_changed(n->hooks.ctx);
}
_Static_assert(WAYS *FMP_NAT64_FOUND_MAX <= FMP_TRANSLATORS_MAX, "all that is found has room");

static void drop_prefix(struct found_prefix *o, unsigned way, const char *why)
{
	char text[FMP_ADDR_STRLEN];

	fmpd_log(FMPD_NOTICE, "nat64", "%s (%s) is no prefix of a translator any more: %s",
		 fmp_addr_format(&o->prefix, text, sizeof(text)), fmp_nat64_found_by_name(way + 1),
		 why);
	*o = (struct found_prefix){ 0 };
}

static struct found_prefix *find_prefix(struct fmpd_nat64 *n, unsigned way,
					const struct fmp_addr *prefix)
{
	for (unsigned i = 0; i < FMP_NAT64_FOUND_MAX; i++)
		if (fmp_addr_equal(&n->found[way][i].prefix, prefix))
			return &n->found[way][i];
	return NULL;
}

/* Return: false: the prefix is refused, which is logged once. */
static bool is_harmless(struct fmpd_nat64 *n, const struct fmp_addr *prefix)
{
	char text[FMP_ADDR_STRLEN], held[FMP_ADDR_STRLEN];
	const struct fmp_protect_entry *set, *by;
	struct fmpd_plane_view v;
	size_t count;

	fmpd_plane_view(n->plane, &v);
	count = fmp_protect_list(v.protect, &set);
	by = fmpd_nat64_find_conflict(prefix, set, count);
	if (!by)
		return true;
	if (!fmp_addr_equal(&n->refused, prefix))
		fmpd_log(
			FMPD_WARNING, "nat64",
			"%s is said to be a translator's prefix, and is not taken for one: %s (%s) is there",
			fmp_addr_format(prefix, text, sizeof(text)),
			fmp_addr_format(&by->addr, held, sizeof(held)),
			fmp_protect_origin_name(by->origin));
	n->refused = *prefix;
	return false;
}

static void add_prefix(struct fmpd_nat64 *n, unsigned way, const struct fmp_addr *prefix,
		       uint32_t lifetime_s)
{
	static const struct fmp_addr none;
	struct found_prefix *o = find_prefix(n, way, prefix);
	char text[FMP_ADDR_STRLEN];
	bool fresh = !o;

	if (fresh && !is_harmless(n, prefix))
		return;
	if (fresh)
		o = find_prefix(n, way, &none);
	if (!o)
		return;
	o->prefix = *prefix;
	o->until_ms = fmpd_now_ms() + 1000ull * lifetime_s;
	if (!fresh) {
		set_timer(n);
		return;
	}
	fmpd_log(
		FMPD_NOTICE, "nat64",
		"%s is the prefix of a translator by %s, for %us: each address of an IPv4 host in it is a source",
		fmp_addr_format(prefix, text, sizeof(text)), fmp_nat64_found_by_name(way + 1),
		(unsigned)lifetime_s);
	notify_changes(n);
}

static void on_expiry(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;
	uint64_t now = fmpd_now_ms();

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && now >= o->until_ms)
			drop_prefix(o, i / FMP_NAT64_FOUND_MAX, "its time is over");
	}
	notify_changes(n);
}

static void drop_all_prefixes(struct fmpd_nat64 *n, const char *why)
{
	bool any = false;

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (!o->prefix.family)
			continue;
		drop_prefix(o, i / FMP_NAT64_FOUND_MAX, why);
		any = true;
	}
	if (any)
		notify_changes(n);
}

void fmpd_nat64_protected(struct fmpd_nat64 *n)
{
	bool any = false;

	for (unsigned i = 0; n && i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (!o->prefix.family || is_harmless(n, &o->prefix))
			continue;
		drop_prefix(o, i / FMP_NAT64_FOUND_MAX, "a protected address is in it now");
		any = true;
	}
	if (any)
		notify_changes(n);
}

size_t fmpd_nat64_list(const struct fmpd_nat64 *n, struct fmpd_nat64_prefix *out)
{
	uint64_t now = fmpd_now_ms();
	size_t count = 0;

	for (unsigned i = 0; n && i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		const struct found_prefix *o =
			&n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family)
			out[count++] = (struct fmpd_nat64_prefix){
				.prefix = o->prefix,
				.left_ms = o->until_ms > now ? o->until_ms - now : 0,
				.by = i / FMP_NAT64_FOUND_MAX + 1,
			};
	}
	return count;
}

/* ---- the process ---- */

static void stop_process(struct fmpd_nat64 *n)
{
	if (!n->readable)
		return;
	event_free(n->readable);
	n->readable = NULL;
	close(n->fd);
	kill(n->child, SIGKILL);
	while (waitpid(n->child, NULL, 0) < 0 && errno == EINTR)
		;
}

static void restart_later(struct fmpd_nat64 *n, const char *why)
{
	stop_process(n);
	if (fmpd_now_ms() - n->started_ms >= STEADY_MS)
		n->restart_ms = RESTART_MS;
	fmpd_log(FMPD_WARNING, "nat64", "%s: the next one starts in %llu s", why,
		 (unsigned long long)n->restart_ms / 1000);
	fmp_evtimer_arm(n->restart_timer, n->restart_ms);
	n->restart_ms = n->restart_ms < RESTART_MAX_MS / 2 ? 2 * n->restart_ms : RESTART_MAX_MS;
}

/* Return: false: the process may not send such a record. */
static bool handle_record(struct fmpd_nat64 *n, const struct fmp_nat64_found *f)
{
	struct fmp_addr prefix;
	struct found_prefix *o;

	if (f->zero || !fmp_nat64_found_prefix(f, &prefix))
		return false;
	if (f->lifetime_s) {
		add_prefix(n, f->by - 1u, &prefix, f->lifetime_s);
		return true;
	}
	o = find_prefix(n, f->by - 1u, &prefix);
	if (o) {
		drop_prefix(o, f->by - 1u, "it was taken back");
		notify_changes(n);
	}
	return true;
}

static void on_readable(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;
	struct fmp_nat64_found f;

	for (unsigned i = 0; i < RECORDS_A_TURN; i++) {
		/* With MSG_TRUNC the length of a longer record is returned, though the record is truncated. */
		ssize_t got = recv(fd, &f, sizeof(f), MSG_DONTWAIT | MSG_TRUNC);

		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (got <= 0) {
			restart_later(n, "the process that looks for NAT64 prefixes ended");
			return;
		}
		if (got != sizeof(f) || !handle_record(n, &f)) {
			restart_later(
				n,
				"the process that looks for NAT64 prefixes sent an invalid record");
			return;
		}
	}
}

/* Without our environment, which could change how the resolver works. */
static int spawn_process(const char *program, const char *user, int channel, pid_t *pid)
{
	char *const argv[] = { (char *)"fmp-nat64", (char *)user, NULL };
	char *const env[] = { NULL };

	return fmp_spawn_program(program, argv, env, channel, CHANNEL_FD, pid);
}

static void start_process(struct fmpd_nat64 *n)
{
	struct fmpd_plane_view v;
	char program[PATH_MAX];
	int ends[2], above, rc;

	fmpd_plane_view(n->plane, &v);
	fmp_spawn_find("fmp-nat64", NULL, program, sizeof(program));
	n->started_ms = fmpd_now_ms();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
		restart_later(n, "no socketpair for the process that looks for NAT64 prefixes");
		return;
	}
	/* dup2() to the same number would keep FD_CLOEXEC: use a descriptor above CHANNEL_FD. */
	above = fcntl(ends[1], F_DUPFD_CLOEXEC, CHANNEL_FD + 1);
	rc = above < 0 ? errno : spawn_process(program, v.policy->gateway.user, above, &n->child);
	if (above >= 0)
		close(above);
	close(ends[1]);
	if (rc) {
		close(ends[0]);
		fmpd_log(FMPD_WARNING, "nat64", "can't run %s: %s", program, strerror(rc));
		restart_later(n, "NAT64 prefixes are not looked for");
		return;
	}
	n->fd = ends[0];
	n->readable = event_new(n->base, n->fd, EV_READ | EV_PERSIST, on_readable, n);
	if (n->readable && !event_add(n->readable, NULL))
		return;
	kill(n->child, SIGKILL);
	waitpid(n->child, NULL, 0);
	close(n->fd);
	if (n->readable)
		event_free(n->readable);
	n->readable = NULL;
}

static void on_restart(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;

	if (!n->readable)
		start_process(n);
}

void fmpd_nat64_policy(struct fmpd_nat64 *n)
{
	struct fmpd_plane_view v;

	if (!n)
		return;
	fmpd_plane_view(n->plane, &v);
	if (!v.policy->nat64_discover) {
		event_del(n->restart_timer);
		stop_process(n);
		drop_all_prefixes(n, "the policy does not look for it");
	} else if (!n->readable) {
		event_del(n->restart_timer);
		start_process(n);
	}
}

int fmpd_nat64_new(struct event_base *base, struct fmpd_plane *plane,
		   const struct fmpd_nat64_hooks *hooks, struct fmpd_nat64 **out,
		   struct fmp_error *err)
{
	struct fmpd_nat64 *n = calloc(1, sizeof(*n));

	if (!n)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	*out = n;
	n->base = base;
	n->plane = plane;
	n->hooks = *hooks;
	n->restart_ms = RESTART_MS;
	n->restart_timer = evtimer_new(base, on_restart, n);
	n->expiry_timer = evtimer_new(base, on_expiry, n);
	if (!n->restart_timer || !n->expiry_timer)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	fmpd_nat64_policy(n);
	return 0;
}

void fmpd_nat64_free(struct fmpd_nat64 *n)
{
	if (!n)
		return;
	stop_process(n);
	if (n->restart_timer)
		event_free(n->restart_timer);
	if (n->expiry_timer)
		event_free(n->expiry_timer);
	free(n);
}
