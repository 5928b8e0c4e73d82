// SPDX-License-Identifier: GPL-2.0
#include "dns_watcher.h"

#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>

#include <event2/event.h>

#include <fmp/internal/text.h>

#include "../backend/backend_url.h"
#include "dns_helper.h"

struct watched_name {
	struct gw_service *svc;
	struct event *readable;
};

struct gw_dns_watcher {
	unsigned n;
	struct watched_name name[FMP_SERVICES_MAX];
};

static void log_name(const struct gw_service *svc, const char *what, const char *why)
{
	fmp_text_print(stderr, "fmp-gateway: %s%s%sbackend %s %s%s\n",
		       *svc->evaluate->name ? "service \"" : "", svc->evaluate->name,
		       *svc->evaluate->name ? "\": " : "", svc->url->name, what, why);
}

static void stop_helper(struct watched_name *name)
{
	if (name->readable)
		event_free(name->readable);
	name->readable = NULL;
	gw_dns_helper_stop(name->svc);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
	struct watched_name *name = arg;
	int before = name->svc->dns_helper.error;

	switch (gw_dns_helper_read(name->svc)) {
	case GW_DNS_HELPER_RESOLVED:
		stop_helper(name);
		log_name(name->svc, "is at ", name->svc->url->address[0]);
		break;
	case GW_DNS_HELPER_EXITED:
		stop_helper(name);
		log_name(name->svc, "is not resolved any more: its helper process has ended", "");
		break;
	case GW_DNS_HELPER_FAILED:
		/* Log a new error once, not every try. */
		if (name->svc->dns_helper.error != before)
			log_name(name->svc,
				 "does not resolve: ", gai_strerror(name->svc->dns_helper.error));
		break;
	case GW_DNS_HELPER_PENDING:
		break;
	}
}

struct gw_dns_watcher *gw_dns_watcher_new(struct event_base *base, struct gw_service *services,
					  unsigned n)
{
	struct gw_dns_watcher *r = calloc(1, sizeof(*r));

	for (unsigned i = 0; r && i < n; i++) {
		struct watched_name *name = &r->name[r->n];

		if (!services[i].dns_helper.pid)
			continue;
		name->svc = &services[i];
		name->readable = event_new(base, services[i].dns_helper.fd, EV_READ | EV_PERSIST,
					   on_readable, name);
		r->n++;
		if (!name->readable || event_add(name->readable, NULL)) {
			gw_dns_watcher_free(r);
			return NULL;
		}
	}
	return r;
}

void gw_dns_watcher_free(struct gw_dns_watcher *r)
{
	if (!r)
		return;
	for (unsigned i = 0; i < r->n; i++)
		stop_helper(&r->name[i]);
	free(r);
}
