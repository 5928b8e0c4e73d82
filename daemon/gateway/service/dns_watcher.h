/* SPDX-License-Identifier: GPL-2.0 */
/* Names that were not resolved at the start (dns_helper.h), in the listener's event loop. */
#ifndef GW_DNS_WATCHER_H
#define GW_DNS_WATCHER_H

#include <stdbool.h>

#include "../common/settings.h"

struct event_base;
struct gw_dns_watcher;

/** gw_dns_watcher_new() - takes addresses as they come, into the services' URLs. Return: NULL without memory. */
struct gw_dns_watcher *gw_dns_watcher_new(struct event_base *base, struct gw_service *services,
					  unsigned n);
/** gw_dns_watcher_free() - and ends whoever resolves still. */
void gw_dns_watcher_free(struct gw_dns_watcher *r);

#endif
