// SPDX-License-Identifier: GPL-2.0
/*
 * The layers on the devices of now: the list of devices, the enforcer, and snapshots of what the kernel has.
 * Start-up and every comparison read the kernel through a snapshot that is begun here.
 */
#include "plane_private.h"

#include <ifaddrs.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "../common/clock.h"
#include "../common/log.h"

struct device {
	char name[16];
	unsigned layers; /* bits of the layers used on it */
};

struct device_list {
	struct device v[PLANE_DEVICES_MAX];
	unsigned n;
};

static void add_device(struct device_list *l, const char *name, unsigned layers)
{
	for (unsigned i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].name, name))
			return;
	if (l->n == PLANE_DEVICES_MAX || strlen(name) >= sizeof(l->v[0].name))
		return;
	l->v[l->n].layers = layers;
	memcpy(l->v[l->n++].name, name, strlen(name) + 1);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct device *)a)->name, ((const struct device *)b)->name);
}

/* Every device with an address, except loopback. */
static void add_own_devices(struct device_list *l)
{
	struct ifaddrs *all, *ifa;

	if (getifaddrs(&all))
		return;
	for (ifa = all; ifa; ifa = ifa->ifa_next)
		if (ifa->ifa_addr && !(ifa->ifa_flags & IFF_LOOPBACK) &&
		    (ifa->ifa_addr->sa_family == AF_INET || ifa->ifa_addr->sa_family == AF_INET6))
			add_device(l, ifa->ifa_name, FMP_LAYERS_ALL);
	freeifaddrs(all);
	qsort(l->v, l->n, sizeof(l->v[0]), compare_names);
}

/* Return: the list changed. */
static bool set_devices(struct fmpd_plane *p, const struct device_list *l)
{
	bool same = l->n == p->n_devices;

	for (unsigned i = 0; i < l->n; i++) {
		same = same && !strcmp(p->devices[i], l->v[i].name) &&
		       p->device_layers[i] == l->v[i].layers;
		memcpy(p->devices[i], l->v[i].name, sizeof(p->devices[i]));
		p->device_layers[i] = l->v[i].layers;
	}
	p->n_devices = l->n;
	return !same;
}

bool plane_devices_changed(struct fmpd_plane *p)
{
	const struct fmp_policy_enforce *e = &p->policy->enforce;
	const char(*named)[16] = p->options.n_devices ? p->options.devices : e->devices;
	unsigned n_named = p->options.n_devices ? p->options.n_devices : e->n_devices;
	struct device_list l = { .n = 0 };
	bool only_exceptions = true;

	/* Leave out a named device that does not exist yet: with it the layer could not be opened for the others. */
	for (unsigned i = 0; i < n_named; i++) {
		unsigned layers = p->options.n_devices ? FMP_LAYERS_ALL : e->device_layers[i];

		only_exceptions = only_exceptions && layers == FMP_LAYER_BIT(FMP_LAYER_IP);
		if (if_nametoindex(named[i]))
			add_device(&l, named[i], layers);
	}
	if (only_exceptions)
		add_own_devices(&l);
	return set_devices(p, &l);
}

/* Notify of layers that are not in @before. */
static void notify_layers_added(const struct fmpd_plane *p, unsigned before)
{
	if ((fmp_enforcer_layers(p->enforcer) & ~before) && p->hooks.on_layers_added)
		p->hooks.on_layers_added(p->hooks.ctx);
}

void plane_snapshot_drop(struct fmpd_plane *p)
{
	fmp_snapshot_free(p->snapshot);
	p->snapshot = NULL;
	p->phase = PLANE_READ_LAYERS;
}

int plane_enforcer_open(struct fmpd_plane *p, struct fmp_error *err)
{
	struct fmp_enforcer_config cfg = { .layers = p->options.layers,
					   .devices = (const char(*)[16])p->devices,
					   .device_layers = p->device_layers,
					   .n_devices = p->n_devices,
					   .seed = p->seed };
	unsigned before = p->enforcer ? fmp_enforcer_layers(p->enforcer) : 0;
	struct fmp_enforcer *e;
	int rc = fmp_enforcer_new(&cfg, &e, err);

	if (rc)
		return rc;
	plane_snapshot_drop(p);
	fmp_enforcer_free(p->enforcer);
	p->enforcer = e;
	plane_watch_enforcer(p);
	notify_layers_added(p, before);
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		bool there = fmp_enforcer_layers(e) & FMP_LAYER_BIT(l);

		if (!(p->options.layers & FMP_LAYER_BIT(l)))
			continue;
		fmpd_log(there ? FMPD_INFO : FMPD_WARNING, "layer", "layer %s%s: %s",
			 fmp_layer_name(l), there ? "" : " is not there", fmp_enforcer_why(e, l));
	}
	p->reconcile_due_ms = fmpd_now_ms();
	p->stale = true;
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

/* Try layers that were not available before. */
static void raise_layers(struct fmpd_plane *p)
{
	unsigned before = fmp_enforcer_layers(p->enforcer);

	fmp_enforcer_retry_layers(p->enforcer);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (fmp_enforcer_layers(p->enforcer) & ~before & FMP_LAYER_BIT(l))
			fmpd_log(FMPD_NOTICE, "layer", "layer %s is there now: %s",
				 fmp_layer_name(l), fmp_enforcer_why(p->enforcer, l));
	notify_layers_added(p, before);
}

int plane_snapshot_begin(struct fmpd_plane *p, bool repair, struct fmp_error *err)
{
	if (repair) {
		raise_layers(p);
		p->changes_logged = false;
	}
	p->snapshot_ms = fmpd_now_ms();
	p->outdated = false;
	p->phase = PLANE_READ_LAYERS;
	return fmp_enforcer_snapshot(p->enforcer, p->snapshot_ms, &p->snapshot, err);
}
