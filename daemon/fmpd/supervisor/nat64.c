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
#include <fmp/internal/spawn.h>

#define CHANNEL_FD     3 /* in the process */
#define RECORDS_A_TURN 16u
#define AGAIN_MS       5000u /* until one that ended is replaced; doubles while they go on ending */
#define AGAIN_MAX      600000u
#define STEADY_MS      60000u
#define WAYS	       2u /* enum fmp_nat64_found_by, less 1 */

struct fmpd_nat64 {
	struct event_base *base;
	struct fmpd_plane *plane;
	struct fmpd_nat64_hooks hooks;
	struct event *readable; /* NULL: no process runs */
	struct event *again, *over; /* another process is due; a prefix ends */
	pid_t child;
	int fd;
	uint64_t started_ms, again_ms;
	struct one {
		struct fmp_addr prefix; /* {0}: free */
		uint64_t until_ms;
	} found[WAYS][FMP_NAT64_FOUND_MAX];
	struct fmp_translators known; /* what others were told */
	struct fmp_addr refused; /* the newest, so that it is logged once */
};

static void arm(struct event *timer, uint64_t ms)
{
	struct timeval tv = { (time_t)(ms / 1000), (suseconds_t)(ms % 1000) * 1000 };

	event_add(timer, &tv);
}

/* ---- what holds ---- */

const struct fmp_protect_entry *fmpd_nat64_harms(const struct fmp_addr *prefix,
						 const struct fmp_protect_entry *set, size_t n)
{
	/* The network of a neighbour is no translator's either, though no address of ours is just there. */
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

static bool is_in(const struct fmp_translators *t, const struct fmp_addr *prefix)
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
		const struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && o->until_ms < next)
			next = o->until_ms;
	}
	if (next == UINT64_MAX)
		event_del(n->over);
	else
		arm(n->over, next > now ? next - now : 0);
}

/* What both ways say together is told where it differs from what was. */
static void tell(struct fmpd_nat64 *n)
{
	struct fmp_translators is = { 0 }, was = n->known;

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		const struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && !is_in(&is, &o->prefix))
			is.prefix[is.n++] = o->prefix;
	}
	set_timer(n);
	n->known = is;
	/* The engine first: what follows may look at it. */
	fmpd_plane_translators(n->plane, &is);
	for (uint32_t i = 0; i < was.n; i++)
		if (!is_in(&is, &was.prefix[i]))
			n->hooks.on_prefix(n->hooks.ctx, &was.prefix[i], true);
	for (uint32_t i = 0; i < is.n; i++)
		if (!is_in(&was, &is.prefix[i]))
			n->hooks.on_prefix(n->hooks.ctx, &is.prefix[i], false);
	n->hooks.on_changed(n->hooks.ctx);
}
_Static_assert(WAYS *FMP_NAT64_FOUND_MAX <= FMP_TRANSLATORS_MAX, "all that is found has room");

static void drop(struct one *o, unsigned way, const char *why)
{
	char text[FMP_ADDR_STRLEN];

	fmpd_log(FMPD_NOTICE, "nat64", "%s (%s) is no prefix of a translator any more: %s",
		 fmp_addr_format(&o->prefix, text, sizeof(text)), fmp_nat64_found_by_name(way + 1),
		 why);
	*o = (struct one){ 0 };
}

static struct one *find(struct fmpd_nat64 *n, unsigned way, const struct fmp_addr *prefix)
{
	for (unsigned i = 0; i < FMP_NAT64_FOUND_MAX; i++)
		if (fmp_addr_equal(&n->found[way][i].prefix, prefix))
			return &n->found[way][i];
	return NULL;
}

/* Return: true; false: it is not taken, which is logged once. */
static bool is_harmless(struct fmpd_nat64 *n, const struct fmp_addr *prefix)
{
	char text[FMP_ADDR_STRLEN], held[FMP_ADDR_STRLEN];
	const struct fmp_protect_entry *set, *by;
	struct fmpd_plane_view v;
	size_t count;

	fmpd_plane_view(n->plane, &v);
	count = fmp_protect_list(v.protect, &set);
	by = fmpd_nat64_harms(prefix, set, count);
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

static void add(struct fmpd_nat64 *n, unsigned way, const struct fmp_addr *prefix,
		uint32_t lifetime_s)
{
	static const struct fmp_addr none;
	struct one *o = find(n, way, prefix);
	char text[FMP_ADDR_STRLEN];
	bool fresh = !o;

	if (fresh && !is_harmless(n, prefix))
		return;
	if (fresh)
		o = find(n, way, &none);
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
	tell(n);
}

static void on_over(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;
	uint64_t now = fmpd_now_ms();

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (o->prefix.family && now >= o->until_ms)
			drop(o, i / FMP_NAT64_FOUND_MAX, "its time is over");
	}
	tell(n);
}

static void drop_all(struct fmpd_nat64 *n, const char *why)
{
	bool any = false;

	for (unsigned i = 0; i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (!o->prefix.family)
			continue;
		drop(o, i / FMP_NAT64_FOUND_MAX, why);
		any = true;
	}
	if (any)
		tell(n);
}

void fmpd_nat64_protected(struct fmpd_nat64 *n)
{
	bool any = false;

	for (unsigned i = 0; n && i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

		if (!o->prefix.family || is_harmless(n, &o->prefix))
			continue;
		drop(o, i / FMP_NAT64_FOUND_MAX, "somebody protected is there now");
		any = true;
	}
	if (any)
		tell(n);
}

size_t fmpd_nat64_list(const struct fmpd_nat64 *n, struct fmpd_nat64_prefix *out)
{
	uint64_t now = fmpd_now_ms();
	size_t count = 0;

	for (unsigned i = 0; n && i < WAYS * FMP_NAT64_FOUND_MAX; i++) {
		const struct one *o = &n->found[i / FMP_NAT64_FOUND_MAX][i % FMP_NAT64_FOUND_MAX];

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

static void stop(struct fmpd_nat64 *n)
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

static void end(struct fmpd_nat64 *n, const char *why)
{
	stop(n);
	if (fmpd_now_ms() - n->started_ms >= STEADY_MS)
		n->again_ms = AGAIN_MS;
	fmpd_log(FMPD_WARNING, "nat64", "%s: the next one starts in %llu s", why,
		 (unsigned long long)n->again_ms / 1000);
	arm(n->again, n->again_ms);
	n->again_ms = n->again_ms < AGAIN_MAX / 2 ? 2 * n->again_ms : AGAIN_MAX;
}

/* Return: false: it is none that the process may say. */
static bool take(struct fmpd_nat64 *n, const struct fmp_nat64_found *f)
{
	struct fmp_addr prefix;
	struct one *o;

	if (f->zero || !fmp_nat64_found_prefix(f, &prefix))
		return false;
	if (f->lifetime_s) {
		add(n, f->by - 1u, &prefix, f->lifetime_s);
		return true;
	}
	o = find(n, f->by - 1u, &prefix);
	if (o) {
		drop(o, f->by - 1u, "it was taken back");
		tell(n);
	}
	return true;
}

static void on_readable(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;
	struct fmp_nat64_found f;

	for (unsigned i = 0; i < RECORDS_A_TURN; i++) {
		/* Longer ones would be cut: their length is told all the same. */
		ssize_t got = recv(fd, &f, sizeof(f), MSG_DONTWAIT | MSG_TRUNC);

		if (got < 0 && (errno == EAGAIN || errno == EINTR))
			return;
		if (got <= 0) {
			end(n, "the process that looks for NAT64 prefixes ended");
			return;
		}
		if (got != sizeof(f) || !take(n, &f)) {
			end(n, "the process that looks for NAT64 prefixes says what it should not");
			return;
		}
	}
}

/* Without our environment, which changes what the resolver asks. */
static int run(const char *program, const char *user, int channel, pid_t *pid)
{
	char *const argv[] = { (char *)"fmp-nat64", (char *)user, NULL };
	char *const env[] = { NULL };

	return fmp_spawn_program(program, argv, env, channel, CHANNEL_FD, pid);
}

static void start(struct fmpd_nat64 *n)
{
	struct fmpd_plane_view v;
	char program[PATH_MAX];
	int ends[2], above, rc;

	fmpd_plane_view(n->plane, &v);
	fmp_spawn_find("fmp-nat64", NULL, program, sizeof(program));
	n->started_ms = fmpd_now_ms();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends)) {
		end(n, "no socketpair for the process that looks for NAT64 prefixes");
		return;
	}
	/* dup2() to its own number would leave it to be closed. */
	above = fcntl(ends[1], F_DUPFD_CLOEXEC, CHANNEL_FD + 1);
	rc = above < 0 ? errno : run(program, v.policy->gateway.user, above, &n->child);
	if (above >= 0)
		close(above);
	close(ends[1]);
	if (rc) {
		close(ends[0]);
		fmpd_log(FMPD_WARNING, "nat64", "can't run %s: %s", program, strerror(rc));
		end(n, "NAT64 prefixes are not looked for");
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

static void on_again(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_nat64 *n = ctx;

	if (!n->readable)
		start(n);
}

void fmpd_nat64_policy(struct fmpd_nat64 *n)
{
	struct fmpd_plane_view v;

	if (!n)
		return;
	fmpd_plane_view(n->plane, &v);
	if (!v.policy->nat64_discover) {
		event_del(n->again);
		stop(n);
		drop_all(n, "the policy does not look for it");
	} else if (!n->readable) {
		event_del(n->again);
		start(n);
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
	n->again_ms = AGAIN_MS;
	n->again = evtimer_new(base, on_again, n);
	n->over = evtimer_new(base, on_over, n);
	if (!n->again || !n->over)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	fmpd_nat64_policy(n);
	return 0;
}

void fmpd_nat64_free(struct fmpd_nat64 *n)
{
	if (!n)
		return;
	stop(n);
	if (n->again)
		event_free(n->again);
	if (n->over)
		event_free(n->over);
	free(n);
}
