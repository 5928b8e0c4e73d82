// SPDX-License-Identifier: GPL-2.0
/* What should be in force against what the kernel has; and the layers to have it on. */
#include "plane_private.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "log.h"

struct device_list {
	char names[8][16];
	unsigned n;
};

static void add_device(struct device_list *l, const char *name)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->names[i], name))
			return;
	if (l->n == sizeof(l->names) / sizeof(l->names[0]) || strlen(name) >= sizeof(l->names[0]))
		return;
	memcpy(l->names[l->n++], name, strlen(name) + 1);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Every device with an address of ours but loopback. */
static void own_devices(struct device_list *l)
{
	struct ifaddrs *all, *ifa;

	if (getifaddrs(&all))
		return;
	for (ifa = all; ifa; ifa = ifa->ifa_next)
		if (ifa->ifa_addr && !(ifa->ifa_flags & IFF_LOOPBACK) &&
		    (ifa->ifa_addr->sa_family == AF_INET || ifa->ifa_addr->sa_family == AF_INET6))
			add_device(l, ifa->ifa_name);
	freeifaddrs(all);
	qsort(l->names, l->n, sizeof(l->names[0]), by_name);
}

bool plane_devices_changed(struct fmpd_plane *p)
{
	const struct fmp_policy_enforce *e = &p->policy->enforce;
	const char(*named)[16] = p->options.n_devices ? p->options.devices : e->devices;
	unsigned n_named = p->options.n_devices ? p->options.n_devices : e->n_devices;
	struct device_list l = { .n = 0 };

	/* A named device that is not there yet would cost the others their layer. */
	for (unsigned i = 0; i < n_named; i++)
		if (if_nametoindex(named[i]))
			add_device(&l, named[i]);
	if (!n_named)
		own_devices(&l);
	if (l.n == p->n_devices && !memcmp(l.names, p->devices, sizeof(l.names)))
		return false;
	memcpy(p->devices, l.names, sizeof(l.names));
	p->n_devices = l.n;
	return true;
}

int plane_enforcer_open(struct fmpd_plane *p, struct fmp_error *err)
{
	struct fmp_enforcer_config cfg = { .layers = p->options.layers,
					   .devices = (const char(*)[16])p->devices,
					   .n_devices = p->n_devices };
	struct fmp_enforcer *e;
	int rc = fmp_enforcer_new(&cfg, &e, err);

	if (rc)
		return rc;
	plane_forget_survey(p);
	fmp_enforcer_free(p->enforcer);
	p->enforcer = e;
	plane_rewatch(p);
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		bool there = fmp_enforcer_layers(e) & FMP_LAYER_BIT(l);

		if (!(p->options.layers & FMP_LAYER_BIT(l)))
			continue;
		fmpd_log(there ? FMPD_INFO : FMPD_WARNING, "layer", "layer %s%s: %s",
			 fmp_layer_name(l), there ? "" : " is not there", fmp_enforcer_why(e, l));
	}
	p->reconcile_due_ms = fmpd_now_ms();
	if (p->protect) {
		const struct fmp_protect_entry *set;
		size_t n = fmp_protect_list(p->protect, &set);

		rc = fmp_enforcer_protect(e, set, n, err);
		if (rc)
			return rc;
	}
	if (!fmp_enforcer_layers(e))
		fmpd_log(FMPD_NOTICE, "layer",
			 "nothing is enforced: fmpd only says what it would block");
	return 0;
}

/* Every block that should be in force now. Return: what was allocated, NULL without memory. */
static struct fmp_decision *desired(struct fmpd_plane *p, size_t *n)
{
	/* What is left of a block is compared as of when it was read. */
	uint64_t now = p->survey ? p->surveyed_ms : fmpd_now_ms();
	struct fmp_decision *list;
	struct fmpd_record *r;

	*n = 0;
	list = calloc(fmpd_book_in_force(p->book) + 1, sizeof(*list));
	if (!list || p->policy->block.observe)
		return list;
	for (r = fmpd_book_first(p->book); r; r = fmpd_book_next(r)) {
		fmpd_record_mac_end(r, now);
		list[*n] = fmpd_record_decision(r);
		list[*n].mac_ms = fmpd_record_mac_left_ms(r, now);
		list[(*n)++].duration_ms = fmpd_record_left_ms(r, now);
	}
	return list;
}

void plane_forget_survey(struct fmpd_plane *p)
{
	fmp_survey_free(p->survey);
	p->survey = NULL;
}

static int compare(struct fmpd_plane *p, bool repair, struct fmp_reconciled *out,
		   struct fmp_error *err)
{
	struct fmp_decision *list;
	size_t n;
	int rc;

	memset(out, 0, sizeof(*out));
	list = desired(p, &n);
	if (!list)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = fmp_enforcer_reconcile_survey(p->enforcer, p->survey, list, n, repair, out, err);
	plane_forget_survey(p);
	free(list);
	if (rc >= 0)
		p->measured = *out;
	return rc < 0 ? rc : 0;
}

int fmpd_plane_measure(struct fmpd_plane *p, struct fmp_reconciled *out, struct fmp_error *err)
{
	fmpd_plane_flush(p);
	return compare(p, false, out, err);
}

/* Layers that could not be had before. */
static void say_raised(const struct fmpd_plane *p, unsigned before)
{
	unsigned now = fmp_enforcer_layers(p->enforcer);

	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (now & ~before & FMP_LAYER_BIT(l))
			fmpd_log(FMPD_NOTICE, "layer", "layer %s is there now: %s",
				 fmp_layer_name(l), fmp_enforcer_why(p->enforcer, l));
}

void plane_reconcile(struct fmpd_plane *p)
{
	struct fmp_reconciled was;
	uint64_t started;
	unsigned before;
	struct fmp_error err;

	if (!p->options.layers)
		return;
	fmpd_plane_flush(p);
	before = fmp_enforcer_layers(p->enforcer);
	started = fmpd_now_ms();
	p->changes_told = false;
	if (compare(p, true, &was, &err)) {
		fmpd_log_error(FMPD_ERROR, "reconcile", "table and kernel can't be compared", &err);
		return;
	}
	p->reconciled_ms = fmpd_now_ms();
	p->reconcile_took_ms = p->reconciled_ms - started;
	say_raised(p, before);
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (!(fmp_enforcer_layers(p->enforcer) & FMP_LAYER_BIT(l)))
			continue;
		p->repaired += was.repaired[l];
		if (!was.reachable[l])
			fmpd_log(FMPD_WARNING, "reconcile", "layer %s can't be dumped",
				 fmp_layer_name(l));
		else if (was.repaired[l])
			fmpd_log(FMPD_WARNING, "reconcile",
				 "layer %s: %u of %u rules were in force, %u did not belong; "
				 "%u repaired",
				 fmp_layer_name(l), was.enforced[l], was.wanted[l], was.foreign[l],
				 was.repaired[l]);
	}
}
