/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Watches the DNS helpers that were not done at the start (dns_helper.h), in the listener's event
 * loop.
 */
#ifndef GW_DNS_WATCHER_H
#define GW_DNS_WATCHER_H

#include <stdbool.h>

#include "../common/settings.h"

struct event_base;
struct gw_dns_watcher;

/**
 * gw_dns_watcher_new() - add addresses to the services' URLs as they arrive. Return: NULL without
 * memory.
 */
struct gw_dns_watcher *gw_dns_watcher_new(struct event_base *base, struct gw_service *services,
					  unsigned n);
/** gw_dns_watcher_free() - and stop the remaining helpers. */
void gw_dns_watcher_free(struct gw_dns_watcher *r);

#endif
