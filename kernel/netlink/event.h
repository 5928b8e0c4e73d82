/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_EVENT_H
#define _FMP_EVENT_H

#include "../core/netns.h"
#include "../hook/devices.h"

extern const struct fmp_tables_ops fmp_event_tables_ops;
extern const struct fmp_devices_ops fmp_event_devices_ops;

void fmp_events_init(struct fmp_events *events);
void fmp_events_start(struct fmp_events *events);
void fmp_events_stop(struct fmp_events *events);

void fmp_event_rules(struct fmp_net *fn);
u64 fmp_events_lost(struct fmp_net *fn);

#endif /* _FMP_EVENT_H */
