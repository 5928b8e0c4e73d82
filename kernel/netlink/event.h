/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_EVENT_H
#define _FMP_EVENT_H

#include "../core/netns.h"
#include "../hook/devices.h"
#include "../path/port.h"

extern const struct fmp_tables_ops fmp_event_tables_ops;

void fmp_event_dev(const struct fmp_rx_port *port, u8 type);
void fmp_event_pending(struct fmp_net *fn, const struct fmp_pending_attach *pending, u8 type);
void fmp_event_rules(struct fmp_net *fn);
u64 fmp_events_lost(struct fmp_net *fn);

#endif /* _FMP_EVENT_H */
