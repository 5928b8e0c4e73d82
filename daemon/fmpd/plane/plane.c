// SPDX-License-Identifier: GPL-2.0
#include "plane_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../table/covering_block.h"
#include "../common/log.h"
#include "../common/policy_file.h"

/* Blocks that end within this time of each other are taken away in one transaction. */
#define EXPIRE_EVERY_MS 1000u
/* But not more of them, so that others are not kept waiting: the rest comes in the next turns. */
#define EXPIRE_STEP	64u

/* ---- what is due, and the one timer ---- */

/*
 * A source crossed the threshold: protected ones are let go, the others get their MAC. @ev: NULL: it waited for
 * room, and which MAC its packets carried is no longer known.
 */
static void decide(struct fmpd_plane *p, struct fmp_decision *d, const struct fmp_event *ev,
		   uint64_t now_ms)
{
	struct fmp_error err;

	if (ev)
		plane_contest(p, &d->source, ev);
	if (plane_forbidden(p, &d->source, &err)) {
		fmp_engine_cancel(p->engine, &d->source, now_ms);
		p->spared++;
		fmpd_log(FMPD_WARNING, "spared", "not blocked: %s (%s)", err.message, d->reason);
		return;
	}
	if (ev)
		plane_resolve_mac(p, d, &ev->source, ev);
	else
		d->mac_veto = FMP_MAC_UNSEEN;
	fmp_engine_pair(p->engine, &d->source, d->pair_mac.family != FMP_FAMILY_NONE, now_ms);
	plane_push(p, d, ev ? ev->time_ns : fmpd_now_ns());
}

static void expire(struct fmpd_plane *p, uint64_t now_ms)
{
	struct fmp_decision d;
	size_t n = 0;

	if (fmp_engine_next_ms(p->engine) > now_ms)
		return;
	fmpd_plane_flush(p);
	while (n++ < EXPIRE_STEP && fmp_engine_expire(p->engine, now_ms, &d) == 1) {
		if (d.action == FMP_ACTION_BLOCK)
			decide(p, &d, NULL, now_ms);
		else if (!plane_hand_over(p, &d.source))
			plane_release(p, &d);
	}
	p->expired_ms = fmp_engine_next_ms(p->engine) > now_ms ? now_ms : 0;
	fmpd_plane_flush(p);
}

void plane_rearm(struct fmpd_plane *p)
{
	uint64_t next = fmp_engine_next_ms(p->engine), now = fmpd_now_ms();
	struct itimerspec when = { 0 };

	if (!p->deadline)
		return;
	if (next != UINT64_MAX && next < p->expired_ms + EXPIRE_EVERY_MS)
		next = p->expired_ms + EXPIRE_EVERY_MS;
	if (p->retry_due_ms < next)
		next = p->retry_due_ms;
	if (!p->resume && !p->comparing && p->reconcile_due_ms < next)
		next = p->reconcile_due_ms;
	if (!p->resume && !p->comparing && p->measure_due)
		next = now;
	if (next != UINT64_MAX) {
		if (next <= now)
			next = now + 1;
		when.it_value.tv_sec = (time_t)(next / 1000);
		when.it_value.tv_nsec = (long)(next % 1000) * 1000000;
	}
	timerfd_settime(p->deadline_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

/* The one that repairs first: who asks is told what there is to hear behind it. */
static void compare(struct fmpd_plane *p, uint64_t now_ms)
{
	struct fmp_error err;

	if (now_ms >= p->reconcile_due_ms) {
		/* Files of other programs say whom this machine relies on. */
		if (plane_guard(p, &err) < 0)
			fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed",
				       &err);
		/* From now on: what is changed while it goes on makes the next one come sooner. */
		p->reconcile_due_ms = p->options.layers ? now_ms + p->policy->enforce.reconcile_ms
							: UINT64_MAX;
		if (p->options.layers)
			plane_compare(p, false);
	} else if (p->measure_due) {
		p->measure_due = false;
		plane_compare(p, true);
	}
}

static void on_deadline(evutil_socket_t fd, short what, void *ctx)
{
	struct fmpd_plane *p = ctx;
	uint64_t now = fmpd_now_ms(), fired;

	if (read(fd, &fired, sizeof(fired)) < 0 && errno == EAGAIN)
		return;
	expire(p, now);
	plane_retry(p, now);
	if (!p->resume && !p->comparing)
		compare(p, now);
	plane_rearm(p);
}

/* ---- life ---- */

static int make_parts(struct fmpd_plane *p, struct fmp_error *err)
{
	int rc;

	if (getrandom(&p->seed, sizeof(p->seed), 0) != sizeof(p->seed))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no random numbers");
	p->holders = fmpd_holders_new(p->seed);
	if (!p->holders)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = fmp_net_new(&p->net, err);
	if (rc)
		return rc;
	plane_devices_changed(p);
	rc = plane_enforcer_open(p, err);
	if (rc)
		return rc;
	rc = fmp_protect_new(&p->protect, err);
	if (rc)
		return rc;
	fmp_protect_add_system_peer(p->protect, "");
	rc = plane_guard(p, err);
	return rc < 0 ? rc : plane_resume_begin(p, err);
}

/* --enforce named its layers: the user relies on them. */
static int check_demanded(const struct fmpd_plane *p, struct fmp_error *err)
{
	unsigned missing = p->options.layers & ~fmp_enforcer_layers(p->enforcer);

	if (!p->options.demanded || !missing)
		return 0;
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (missing & FMP_LAYER_BIT(l))
			return fmp_error_set(err, FMP_ERR_UNSUPPORTED,
					     "layer %s was asked for, but %s", fmp_layer_name(l),
					     fmp_enforcer_why(p->enforcer, l));
	return 0;
}

/* Settings that do nothing: whoever wrote them believes in them. */
static void log_warnings(const struct fmp_policy *policy)
{
	char text[700];

	for (size_t i = 0; i < policy->n_warnings; i++)
		fmpd_log(FMPD_WARNING, "policy", "%s",
			 fmp_error_format(&policy->warnings[i], text, sizeof(text)));
}

int fmpd_plane_new(const struct fmpd_options *o, struct fmpd_plane **out, struct fmp_error *err)
{
	struct fmpd_plane *p = calloc(1, sizeof(*p));
	int rc;

	if (!p)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	p->options = *o;
	p->deadline_fd = -1;
	p->retry_due_ms = UINT64_MAX;
	p->started_ms = fmpd_now_ms();
	rc = plane_pending_init(p, err);
	if (!rc)
		rc = fmpd_policy_load(o->policy, &p->policy, err);
	if (!rc)
		log_warnings(p->policy);
	if (!rc)
		rc = make_parts(p, err);
	if (!rc)
		rc = check_demanded(p, err);
	if (rc) {
		fmpd_plane_free(p);
		return rc;
	}
	*out = p;
	return 0;
}

int fmpd_plane_run(struct fmpd_plane *p, struct event_base *base, const struct fmpd_hooks *hooks,
		   struct fmp_error *err)
{
	int rc;

	p->base = base;
	p->hooks = *hooks;
	p->deadline_fd = timerfd_create(CLOCK_BOOTTIME, TFD_NONBLOCK | TFD_CLOEXEC);
	if (p->deadline_fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no timer");
	p->deadline = event_new(base, p->deadline_fd, EV_READ | EV_PERSIST, on_deadline, p);
	if (!p->deadline || event_add(p->deadline, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for an event");
	plane_watch_changes(p);
	plane_rearm(p);
	rc = plane_watch_net(p, err);
	if (!rc)
		rc = plane_resume_run(p, err);
	if (!rc)
		plane_feed_begin(p);
	return rc;
}

void fmpd_plane_free(struct fmpd_plane *p)
{
	if (!p)
		return;
	if (p->deadline)
		event_free(p->deadline);
	if (p->net_ready)
		event_free(p->net_ready);
	plane_unwatch_changes(p);
	plane_resume_free(p);
	plane_cut_free(p);
	plane_sweeps_free(p);
	plane_feed_free(p);
	if (p->flush_turn)
		event_free(p->flush_turn);
	if (p->compare_turn)
		event_free(p->compare_turn);
	if (p->net_again)
		event_free(p->net_again);
	if (p->deadline_fd >= 0)
		close(p->deadline_fd);
	free(p->pending);
	fmpd_holders_free(p->holders);
	fmpd_book_free(p->book);
	fmp_engine_free(p->engine);
	fmp_protect_free(p->protect);
	fmp_net_free(p->net);
	plane_forget_survey(p);
	fmp_enforcer_free(p->enforcer);
	fmp_policy_free(p->policy);
	free(p);
}

/* ---- events ---- */

static void log_event(const struct fmp_event *ev)
{
	char addr[FMP_ADDR_STRLEN];

	if (ev->kind == FMP_EVENT_GOOD)
		return;
	fmpd_log(FMPD_DETAIL, "message", "%s from %s%s: %s", fmp_event_kind_name(ev->kind),
		 fmp_addr_format(&ev->source, addr, sizeof(addr)),
		 ev->proven ? "" : " (address not proven)", ev->detail);
}

static void log_full(const struct fmpd_plane *p, const struct fmp_addr *source)
{
	char addr[FMP_ADDR_STRLEN];

	fmpd_log(FMPD_WARNING, "full",
		 "%s is malicious, but not blocked: the table of blocks is full (<enforce "
		 "max-blocks=\"%u\">); it is blocked as soon as there is room",
		 fmp_addr_format(source, addr, sizeof(addr)), p->policy->enforce.max_blocks);
}

void fmpd_plane_event(struct fmpd_plane *p, const struct fmp_event *ev)
{
	uint64_t now = fmpd_now_ms();
	uint32_t waiting = fmp_engine_waiting(p->engine);
	struct fmp_decision d;

	log_event(ev);
	plane_resume_know(p, &ev->source);
	if (fmp_engine_event(p->engine, ev, now, &d) == 1)
		decide(p, &d, ev, now);
	else if (fmp_engine_waiting(p->engine) > waiting)
		log_full(p, &ev->source);
	if (p->hooks.on_event)
		p->hooks.on_event(p->hooks.ctx, ev);
}

/* ---- by hand ---- */

/*
 * An import must not shorten a block nor take it over: flush --manual would end what fmpd decided by itself,
 * and a shorter feed would let an attacker in. Only the same origin, by hand with the same reason, may renew
 * its block, and only to a later end; a named set renews its own as its list says. A limit, and a block of one MAC alone, are weaker than a block.
 */
static int check_import(const struct fmpd_plane *p, const struct fmpd_block_request *req,
			uint64_t duration_ms, const char *reason, struct fmp_error *err)
{
	const struct fmpd_record *r = fmpd_book_find(p->book, &req->addr);
	char addr[FMP_ADDR_STRLEN];
	uint64_t left;

	if (!r || !r->in_force || r->d.action != FMP_ACTION_BLOCK ||
	    r->d.measure != FMP_ACTION_KIND_BLOCK || r->d.has_pair)
		return 0;
	if (req->set && *req->set && !strcmp(req->set, fmpd_book_set(p->book, r)))
		return 0;
	left = fmpd_record_left_ms(r, fmpd_now_ms()); /* 0: without end, as the duration's */
	if (r->d.manual && !strcmp(r->d.reason, reason) && !*fmpd_book_set(p->book, r) &&
	    (!duration_ms || (left && left < duration_ms)))
		return 0;
	return fmp_error_set(err, FMP_ERR_EXISTS, "%s: decision %llu stays",
			     fmp_addr_format(&req->addr, addr, sizeof(addr)),
			     (unsigned long long)r->d.id);
}

/* Another's block stays; the set has the address too, and blocks it once that has ended. */
static void note_holder(struct fmpd_plane *p, const struct fmpd_block_request *req,
			uint64_t duration_ms, uint64_t now_ms)
{
	if (req->set && *req->set)
		fmpd_holders_note(p->holders, &req->addr, req->set,
				  duration_ms ? now_ms + duration_ms : UINT64_MAX, now_ms,
				  p->policy->enforce.max_blocks);
}

static int refuse_block(const struct fmpd_plane *p, const struct fmp_addr *addr, int rc,
			struct fmp_error *err)
{
	const struct fmp_policy_enforce *e = &p->policy->enforce;
	const struct fmpd_record *r = fmpd_book_find(p->book, addr);

	if (rc != FMP_ERR_LIMIT)
		return fmp_error_set(err, (enum fmp_code)rc, "this can't be blocked");
	if (r && r->in_force)
		return fmp_error_set(
			err, FMP_ERR_LIMIT,
			"decision %llu of fmpd's own stays: by hand it would be one "
			"more than fit, %u%% of <enforce max-blocks=\"%u\"> are kept for "
			"what fmpd blocks by itself (automatic-share)",
			(unsigned long long)r->d.id, e->automatic_pct, e->max_blocks);
	if (fmpd_book_in_force(p->book) + p->n_pending >= e->max_blocks)
		return fmp_error_set(err, FMP_ERR_LIMIT,
				     "no more blocks fit (<enforce max-blocks=\"%u\">)",
				     e->max_blocks);
	return fmp_error_set(err, FMP_ERR_LIMIT,
			     "no more blocks by hand fit: %u%% of <enforce max-blocks=\"%u\"> are "
			     "kept for what fmpd blocks by itself (automatic-share)",
			     e->automatic_pct, e->max_blocks);
}

int fmpd_plane_decide(struct fmpd_plane *p, const struct fmpd_block_request *req,
		      struct fmp_error *err)
{
	const struct fmp_policy_block *b = &p->policy->block;
	unsigned layers = req->layers ? req->layers : b->layers;
	uint64_t now = fmpd_now_ms();
	uint64_t duration_ms = req->has_duration ? req->duration_ms : b->duration_ms;
	const char *reason = req->reason && *req->reason ? req->reason : "blocked by hand";
	struct fmp_decision d, undo;
	int rc;

	if (req->addr.family == FMP_FAMILY_MAC && layers == FMP_LAYER_BIT(FMP_LAYER_IP))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "the layer ip can't hold a MAC: name mac or premac");
	rc = plane_forbidden(p, &req->addr, err);
	if (rc)
		return rc;
	plane_resume_know(p, &req->addr);
	rc = req->import ? check_import(p, req, duration_ms, reason, err) : 0;
	if (rc) {
		note_holder(p, req, duration_ms, now);
		return rc;
	}
	rc = fmp_engine_block(p->engine, &req->addr, layers, duration_ms, reason, now, &d);
	if (rc)
		return refuse_block(p, &req->addr, rc, err);
	/* The engine may have widened it to the policy's IPv6 prefix. */
	rc = plane_forbidden(p, &d.source, err);
	if (rc) {
		if (fmp_engine_unblock(p->engine, &d.source, "protected", now, &undo))
			fmp_engine_cancel(p->engine, &d.source, now);
		return rc;
	}
	if (req->set && *req->set) {
		snprintf(d.set, sizeof(d.set), "%s", req->set);
		fmpd_holders_forget(p->holders, &d.source, d.set);
	}
	if (fmp_addr_is_ip(&d.source))
		plane_resolve_mac(p, &d, &req->addr, NULL);
	plane_push(p, &d, fmpd_now_ns());
	return 0;
}

/* A block by hand takes the place of a set's, and may be shorter. */
static void note_replaced(struct fmpd_plane *p, const struct fmp_addr *addr)
{
	const struct fmpd_record *r = fmpd_book_find(p->book, addr);
	struct fmpd_block_request of = { .addr = *addr };
	uint64_t now = fmpd_now_ms();

	if (!r || !r->in_force || r->d.action != FMP_ACTION_BLOCK)
		return;
	of.set = fmpd_book_set(p->book, r);
	note_holder(p, &of, fmpd_record_left_ms(r, now), now);
}

int fmpd_plane_block(struct fmpd_plane *p, const struct fmpd_block_request *req,
		     struct fmp_error *err)
{
	int rc;

	fmpd_plane_flush(p);
	note_replaced(p, &req->addr);
	rc = fmpd_plane_decide(p, req, err);
	if (!rc)
		fmpd_plane_flush(p);
	return rc;
}

static int not_blocked(const struct fmpd_plane *p, const struct fmp_addr *addr,
		       struct fmp_error *err)
{
	const struct fmp_addr none = { 0 };
	const struct fmpd_record *r = fmpd_cover_next(p->book, NULL, addr, &none, fmpd_now_ms());
	char text[FMP_ADDR_STRLEN], by[FMP_ADDR_STRLEN];

	fmp_addr_format(addr, text, sizeof(text));
	if (!r)
		return fmp_error_set(err, FMP_ERR_NOTFOUND, "%s is not blocked", text);
	return fmp_error_set(err, FMP_ERR_NOTFOUND,
			     "%s has no block of its own: decision %llu on %s holds it", text,
			     (unsigned long long)r->d.id,
			     fmp_addr_format(&r->d.source, by, sizeof(by)));
}

int fmpd_plane_unblock(struct fmpd_plane *p, const struct fmp_addr *addr, const char *reason,
		       struct fmp_addr *source, struct fmp_error *err)
{
	/* An IPv4 host by each of its names; who names a form means that one. */
	struct fmp_addr name[FMP_FORMS_MAX + 1] = { *addr };
	size_t n = 1 + fmp_addr_forms(addr, &p->policy->nat64, name + 1);
	struct fmp_decision d;
	bool any = false;

	plane_resume_finish(p);
	/* What is to be taken away stands in the book only once it was put in force. */
	fmpd_plane_flush(p);
	for (size_t i = 0; i < n; i++) {
		if (fmp_engine_unblock(p->engine, &name[i],
				       reason && *reason ? reason : "unblocked by hand",
				       fmpd_now_ms(), &d))
			continue;
		if (!any)
			*source = d.source;
		any = true;
		fmpd_holders_forget(p->holders, &d.source, NULL);
		plane_release(p, &d);
		/* One at a time: each changes the book. */
		fmpd_plane_flush(p);
	}
	return any ? 0 : not_blocked(p, addr, err);
}

int fmpd_plane_protect(struct fmpd_plane *p, const struct fmp_addr *addr, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	int rc = fmp_protect_add(p->protect, addr);

	fmp_addr_format(addr, text, sizeof(text));
	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "%s %s", text,
				     rc == FMP_ERR_EXISTS ? "is protected already"
							  : "can't be protected: the list is full");
	fmpd_log(FMPD_NOTICE, "protect", "%s is protected by hand", text);
	/* With a MAC its addresses. */
	rc = plane_guard(p, err);
	return rc < 0 ? rc : plane_guarded(p, err);
}

int fmpd_plane_unprotect(struct fmpd_plane *p, const struct fmp_addr *addr, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	int rc = fmp_protect_del(p->protect, addr);

	fmp_addr_format(addr, text, sizeof(text));
	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "%s was not protected by hand", text);
	fmpd_log(FMPD_NOTICE, "protect", "%s is no longer protected by hand", text);
	rc = plane_guard(p, err);
	return rc < 0 ? rc : plane_guarded(p, err);
}

/* ---- policy ---- */

void plane_fit(struct fmpd_plane *p)
{
	uint32_t n = fmp_engine_fit(p->engine, fmpd_now_ms());

	if (n)
		fmpd_log(
			FMPD_WARNING, "full",
			"blocks in force beyond <enforce max-blocks=\"%u\">: %u end. Limits of suspicious "
			"sources go first, then blocks by hand beyond their share, then the least "
			"dangerous, which are blocked again when there is room",
			p->policy->enforce.max_blocks, n);
}

int fmpd_plane_reload(struct fmpd_plane *p, const char *file, struct fmp_error *err)
{
	struct fmp_policy *fresh, *old = p->policy;
	char path[sizeof(old->file)];
	struct fmp_error trouble;
	int rc;

	/* A copy: the old policy goes. */
	snprintf(path, sizeof(path), "%s", file && *file ? file : old->file);
	rc = fmpd_policy_load(path, &fresh, err);
	if (rc)
		return rc;
	if (p->hooks.on_candidate)
		rc = p->hooks.on_candidate(p->hooks.ctx, fresh, err);
	if (rc) {
		fmp_policy_free(fresh);
		return rc;
	}
	plane_resume_finish(p);
	fmpd_plane_flush(p);
	plane_forget_survey(p); /* what is wanted was of the old one */
	fmp_engine_set_policy(p->engine, fresh, fmpd_now_ms());
	p->policy = fresh;
	plane_fit(p);
	plane_feed_end(p, old);
	fmp_policy_free(old);
	if (plane_devices_changed(p) && plane_enforcer_open(p, &trouble))
		fmpd_log_error(FMPD_ERROR, "policy", "the layers can't follow the policy",
			       &trouble);
	if (plane_guard(p, &trouble) < 0)
		fmpd_log_error(FMPD_ERROR, "policy", "the protected set can't be renewed",
			       &trouble);
	fmpd_log(FMPD_NOTICE, "policy", "policy %s (%s) is in force", fresh->name, fresh->file);
	log_warnings(fresh);
	if (p->hooks.on_policy)
		p->hooks.on_policy(p->hooks.ctx, fresh);
	plane_feed_begin(p);
	p->reconcile_due_ms = fmpd_now_ms();
	p->doubted = true; /* another policy may want other rules, or none */
	plane_rearm(p);
	return 0;
}

void fmpd_plane_translators(struct fmpd_plane *p, const struct fmp_translators *found)
{
	p->translators = *found;
	fmp_engine_set_translators(p->engine, found);
}

void fmpd_plane_settle(struct fmpd_plane *p)
{
	plane_resume_finish(p);
}

bool fmpd_plane_blocks(const struct fmpd_plane *p, const struct fmpd_record *r)
{
	return r->d.action == FMP_ACTION_BLOCK && r->d.measure == FMP_ACTION_KIND_BLOCK &&
	       !p->policy->block.observe &&
	       (fmpd_record_holders(r) & fmp_enforcer_layers(p->enforcer));
}

void fmpd_plane_view(const struct fmpd_plane *p, struct fmpd_plane_view *v)
{
	*v = (struct fmpd_plane_view){
		.options = &p->options,
		.policy = p->policy,
		.engine = p->engine,
		.protect = p->protect,
		.net = p->net,
		.enforcer = p->enforcer,
		.book = p->book,
		.started_ms = p->started_ms,
		.reconciled_ms = p->reconciled_ms,
		.compared_ms = p->compared_ms,
		.doubted = p->doubted,
		.repaired = p->repaired,
		.unheld = p->options.layers && !p->policy->block.observe
				  ? fmpd_book_unheld(p->book, fmp_enforcer_layers(p->enforcer))
				  : 0,
		.spared = p->spared,
		.resuming = p->resume != NULL,
		.translators = &p->translators,
		.ending = plane_sweeps_pending(p) ? &p->ending : NULL,
	};
	plane_known(p, &v->known);
}
