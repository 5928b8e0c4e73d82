// SPDX-License-Identifier: GPL-2.0
/* fmpd: the management plane. plane/ has its work; this file connects the parts. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <event2/event.h>

#include "common/clock.h"
#include "control/control.h"
#include "common/log.h"
#include "metrics/metrics.h"
#include "supervisor/nat64.h"
#include "supervisor/netns_lock.h"
#include "supervisor/notify.h"
#include "common/options.h"
#include "plane/plane.h"
#include <fmp/internal/privileges.h>
#include "control/reporters.h"
#include "plane/state_writer.h"
#include "supervisor/supervisor.h"
#include "control/unix_listen.h"

struct fmpd {
	struct fmpd_options options;
	struct event_base *base;
	struct fmpd_plane *plane;
	struct fmpd_control *control;
	struct fmpd_supervisor *supervisor; /* NULL: no gateway */
	struct fmpd_state_writer *state;
	struct fmpd_reporters *reporters;
	struct fmpd_metrics *metrics;
	struct fmpd_nat64 *nat64;
	struct fmpd_notify *notify;
	struct fmpd_show show;
	struct event *term_event, *int_event, *hup_event;
	bool ending;
};

/* ---- notifications between the parts ---- */

static void on_event(void *ctx, const struct fmp_event *ev)
{
	fmpd_control_event(((struct fmpd *)ctx)->control, ev);
}

static void on_decision(void *ctx, const struct fmpd_record *r)
{
	struct fmpd *f = ctx;

	fmpd_control_decision(f->control, r);
	fmpd_state_writer_changed(f->state);
	fmpd_metrics_decision(f->metrics, r);
}

static void on_blocked(void *ctx, const struct fmpd_record *r, bool blocked)
{
	struct fmpd *f = ctx;

	if (!f->supervisor)
		return;
	if (blocked)
		fmpd_supervisor_block(f->supervisor, &r->d.source,
				      fmpd_record_left_ms(r, fmpd_now_ms()), r->d.dest_port);
	else
		fmpd_supervisor_unblock(f->supervisor, &r->d.source);
}

/* A new gateway must refuse blocked sources behind proxies; without proxies it needs no list of blocks. */
static void send_active_blocks(struct fmpd *f)
{
	struct fmpd_plane_view v;
	uint64_t now = fmpd_now_ms();

	fmpd_plane_view(f->plane, &v);
	if (!f->supervisor || !v.policy->gateway.n_proxies || v.restoring)
		return;
	for (struct fmpd_record *r = fmpd_table_first(v.table); r; r = fmpd_table_next(r))
		if (fmpd_plane_is_blocking(f->plane, r) && fmp_addr_is_ip(&r->d.source))
			fmpd_supervisor_send_block(f->supervisor, &r->d.source,
						   fmpd_record_left_ms(r, now), r->d.dest_port);
	fmpd_supervisor_send_blocks_end(f->supervisor);
}

static void notify_ready(struct fmpd *f)
{
	char layers[32];
	struct fmpd_plane_view v;

	fmpd_plane_view(f->plane, &v);
	fmpd_notify_ready(f->notify, "policy %s; %s; layers: %s", v.policy->name,
			  f->supervisor ? f->options.listen : "no gateway",
			  fmp_layers_format(fmp_enforcer_layers(v.enforcer), layers,
					    sizeof(layers)));
}

/* Refuse a policy if a gateway can't use its schemas or keys, or if the address of its metrics is in use. */
static int on_candidate(void *ctx, const struct fmp_policy *policy, struct fmp_error *err)
{
	struct fmpd *f = ctx;
	int rc = f->supervisor ? fmpd_supervisor_check(f->supervisor, policy, err) : 0;

	return rc ? rc : fmpd_metrics_check(f->metrics, policy, err);
}

static void on_policy(void *ctx, const struct fmp_policy *policy)
{
	struct fmpd *f = ctx;

	if (f->supervisor)
		fmpd_supervisor_policy(f->supervisor);
	fmpd_reporters_policy(f->reporters);
	fmpd_state_writer_policy(f->state);
	fmpd_metrics_policy(f->metrics);
	fmpd_nat64_policy(f->nat64);
	notify_ready(f);
}

static void on_verified(void *ctx, uint64_t number, int rc, const struct fmp_error *err)
{
	fmpd_control_verified(((struct fmpd *)ctx)->control, number, rc, err);
}

static void on_unblocked(void *ctx, uint64_t number, uint64_t ended)
{
	fmpd_control_unblocked(((struct fmpd *)ctx)->control, number, ended);
}

static void on_protected(void *ctx)
{
	struct fmpd *f = ctx;

	fmpd_control_protected(f->control);
	fmpd_nat64_protected(f->nat64);
	if (f->supervisor)
		fmpd_supervisor_send_shared_prefixes(f->supervisor);
}

static void on_translator_changed(void *ctx, const struct fmp_addr *prefix, bool gone)
{
	fmpd_control_translator(((struct fmpd *)ctx)->control, prefix, gone);
}

static void on_translators_changed(void *ctx)
{
	struct fmpd *f = ctx;

	if (f->supervisor)
		fmpd_supervisor_send_shared_prefixes(f->supervisor);
}

static void on_layers_added(void *ctx)
{
	send_active_blocks(ctx);
}

static void on_restored(void *ctx)
{
	struct fmpd *f = ctx;

	if (f->control)
		fmpd_control_restored(f->control);
	send_active_blocks(f);
}

static void on_gateway(void *ctx, const struct fmpd_gateway_status *st, const char *what)
{
	struct fmpd *f = ctx;

	fmpd_control_gateway(f->control, st, what);
	if (st->ready && strcmp(what, "ready") == 0)
		send_active_blocks(f);
}

/* ---- signals ---- */

static void on_gateway_stopped(void *ctx)
{
	event_base_loopexit(((struct fmpd *)ctx)->base, NULL);
}

static void on_end_signal(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd *f = ctx;

	if (f->ending) { /* the second signal: do not wait for the gateway */
		event_base_loopbreak(f->base);
		return;
	}
	f->ending = true;
	fmpd_notify_stopping(f->notify);
	fmpd_log(FMPD_NOTICE, "end", "fmpd ends; the rules in force stay in force");
	if (f->supervisor)
		fmpd_supervisor_stop(f->supervisor, on_gateway_stopped, f);
	else
		event_base_loopexit(f->base, NULL);
}

static void on_reload_signal(evutil_socket_t sig, short what, void *ctx)
{
	struct fmpd *f = ctx;
	struct fmp_error err;

	fmpd_notify_reloading(f->notify);
	if (!fmpd_plane_reload(f->plane, NULL, &err))
		return;
	fmpd_log_error(FMPD_ERROR, "policy", "the policy stays as it was", &err);
	/* Even then reopen the access log, for logrotate may have moved it. */
	if (f->supervisor && fmpd_supervisor_reopen(f->supervisor, &err))
		fmpd_log_error(FMPD_ERROR, "gateway", "the access log is not opened anew", &err);
	notify_ready(f);
}

static int add_signals(struct fmpd *f, struct fmp_error *err)
{
	signal(SIGPIPE, SIG_IGN);
	f->term_event = evsignal_new(f->base, SIGTERM, on_end_signal, f);
	f->int_event = evsignal_new(f->base, SIGINT, on_end_signal, f);
	f->hup_event = evsignal_new(f->base, SIGHUP, on_reload_signal, f);
	if (!f->term_event || !f->int_event || !f->hup_event || event_add(f->term_event, NULL) ||
	    event_add(f->int_event, NULL) || event_add(f->hup_event, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for a signal");
	return 0;
}

/* ---- start and end ---- */

/* An error with which each gateway would end is reported here, once. */
static int check_backends(const struct fmpd *f, struct fmp_error *err)
{
	const char *backend = f->options.backend;
	const struct fmp_policy *p;
	struct fmpd_plane_view v;
	size_t i = 0;

	if (!f->options.listen)
		return 0;
	fmpd_plane_view(f->plane, &v);
	p = v.policy;
	while (i < p->n_services && *p->services[i].backend)
		i++;
	if (p->n_services && i == p->n_services)
		return 0;
	/* https:// needs CAs for the backend, which only a policy can name. */
	if (backend && strncasecmp(backend, "http://", 7))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "--backend %s is not http://HOST[:PORT]/PATH; one of https:// "
				     "is named by a service of the policy, beside its CAs",
				     backend);
	if (backend)
		return 0;
	if (!p->n_services)
		return fmp_error_set(err, FMP_ERR_CONFLICT,
				     "--listen needs --backend: the policy names no services");
	return fmp_error_set(err, FMP_ERR_CONFLICT,
			     "service \"%s\" names no backend, and --backend is not given",
			     p->services[i].name);
}

/* All that needs the rights of our caller, or whose errors it should see at once. */
static int create_parts(struct fmpd *f, struct fmp_error *err)
{
	int rc = fmpd_control_new(f->options.control, &f->control, err);

	/* After the control socket, for its error names the path. */
	if (!rc && f->options.layers)
		rc = fmpd_netns_lock(err);
	if (!rc)
		rc = fmpd_reporters_new(fmpd_control_path(f->control), &f->reporters, err);
	if (!rc && f->options.listen)
		rc = fmpd_supervisor_new(&f->options, fmpd_control_path(f->control), &f->supervisor,
					 err);
	if (!rc)
		rc = fmp_privileges_drop(err);
	if (!rc)
		rc = fmpd_plane_new(&f->options, &f->plane, err);
	if (!rc)
		rc = check_backends(f, err);
	return rc;
}

static int run_daemon(struct fmpd *f, struct fmp_error *err)
{
	const struct fmpd_hooks hooks = {
		f,	     on_event,	   on_decision,	    on_blocked,	  on_candidate, on_policy,
		on_verified, on_unblocked, on_layers_added, on_protected, on_restored
	};
	const struct fmpd_nat64_hooks nat64_hooks = { f, on_translator_changed,
						      on_translators_changed };
	const struct fmpd_supervisor_hooks gateway_hooks = { f, on_gateway };
	struct fmpd_plane_view v;
	int rc;

	f->base = event_base_new();
	if (!f->base)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no event loop");
	f->show = (struct fmpd_show){ f->plane, f->supervisor, f->reporters, NULL };
	rc = fmpd_notify_new(f->base, &f->notify, err);
	if (!rc)
		rc = fmpd_netns_lock_run(f->base, err);
	if (!rc)
		rc = add_signals(f, err);
	if (!rc)
		rc = fmpd_plane_run(f->plane, f->base, &hooks, err);
	if (!rc)
		rc = fmpd_control_run(f->control, f->base, &f->show, err);
	if (!rc)
		rc = fmpd_reporters_run(f->reporters, f->base, f->plane, err);
	if (!rc)
		rc = fmpd_state_writer_new(f->base, f->plane, &f->state, err);
	if (!rc)
		rc = fmpd_metrics_new(f->base, &f->show, f->state, &f->metrics, err);
	if (rc)
		return rc;
	fmpd_plane_view(f->plane, &v);
	fmpd_log(FMPD_NOTICE, "start", "fmpd " FMP_VERSION ": policy %s, %s", v.policy->name,
		 f->supervisor ? f->options.listen : "no gateway");
	if (f->supervisor)
		rc = fmpd_supervisor_run(f->supervisor, f->base, f->plane, v.policy, &gateway_hooks,
					 err);
	if (!rc)
		rc = fmpd_nat64_new(f->base, f->plane, &nat64_hooks, &f->nat64, err);
	if (rc)
		return rc;
	f->show.nat64 = f->nat64;
	notify_ready(f);
	event_base_dispatch(f->base);
	return 0;
}

static void free_parts(struct fmpd *f)
{
	/* The supervisor first: the last events of the gateway still reach the plane. */
	fmpd_supervisor_free(f->supervisor);
	f->show.nat64 = NULL;
	fmpd_nat64_free(f->nat64);
	f->nat64 = NULL;
	fmpd_metrics_free(f->metrics);
	fmpd_reporters_free(f->reporters);
	fmpd_control_free(f->control);
	f->control = NULL; /* no more notifications */
	fmpd_state_writer_free(f->state);
	fmpd_plane_free(f->plane);
	if (f->term_event)
		event_free(f->term_event);
	if (f->int_event)
		event_free(f->int_event);
	if (f->hup_event)
		event_free(f->hup_event);
	fmpd_notify_free(f->notify);
	fmpd_netns_lock_stop();
	if (f->base)
		event_base_free(f->base);
}

static int teardown_rules(const struct fmpd_options *o, struct fmp_error *err)
{
	struct fmp_enforcer_config cfg = { .layers = FMP_LAYERS_ALL,
					   .devices = (const char(*)[16])o->devices,
					   .n_devices = o->n_devices };
	const char *control = o->control ? o->control : FMP_CONTROL_SOCKET;
	struct fmp_enforcer *e;
	int rc;

	/* A running fmpd would add all rules again at once. */
	if (fmpd_unix_held(control))
		return fmp_error_set(err, FMP_ERR_EXISTS, "an fmpd runs at %s: end it first",
				     control);
	rc = fmpd_netns_lock(err);
	if (rc)
		return rc;
	rc = fmp_enforcer_new(&cfg, &e, err);
	if (rc)
		return rc;
	rc = fmp_enforcer_teardown(e, err);
	fmp_enforcer_free(e);
	return rc < 0 ? rc : 0;
}

/*
 * Give memory of large batches back to the system at once. By default glibc raises this threshold after a few large
 * allocations, and then places them among the small ones of the tables, where they leave holes.
 */
static void set_malloc_threshold(void)
{
#ifdef M_MMAP_THRESHOLD
	mallopt(M_MMAP_THRESHOLD, 64 << 10);
#endif
}

int main(int argc, char **argv)
{
	struct fmpd f = { 0 };
	struct fmp_error err;
	int rc = fmpd_options_parse(&f.options, argc, argv);

	if (rc)
		return rc == 1 ? 0 : rc;
	set_malloc_threshold();
	fmpd_log_open(false, f.options.log_format);
	rc = f.options.teardown ? teardown_rules(&f.options, &err) : create_parts(&f, &err);
	if (!rc && !f.options.teardown) {
		if (!f.options.foreground && daemon(1, 0))
			rc = fmp_error_sys(&err, FMP_ERR_IO, errno, "can't go to the background");
		if (!rc && !f.options.foreground)
			fmpd_netns_lock_forked();
		if (!rc && !f.options.foreground)
			fmpd_log_open(true, f.options.log_format);
		if (!rc)
			rc = run_daemon(&f, &err);
	}
	if (rc)
		fmpd_log_error(FMPD_ERROR, "fatal", "fmpd can't go on", &err);
	free_parts(&f);
	return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
