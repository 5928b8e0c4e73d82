/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An attacker that does not back off: the device sends a constant number of frames a second, whether requests are
 * answered, slow or blocked. Frames recorded from earlier requests are replayed where requests and connects do not
 * reach the rate.
 */
#ifndef FLOOD_STEADY_H
#define FLOOD_STEADY_H

#include <event2/event.h>

#include "device.h"
#include "pace.h"
#include "source.h"
#include "target.h"

#define FLOOD_REPLAY_FRAMES 256

struct flood_steady;

/* device, target and sources must outlive it. Return: 0, FMP_ERR_DENIED, FMP_ERR_IO, FMP_ERR_NOMEM. */
int flood_steady_new(struct event_base *base, struct flood_device *device,
		     const struct flood_target *target, const struct flood_sources *sources,
		     double rate, struct flood_steady **out, struct fmp_error *err);
void flood_steady_free(struct flood_steady *s);

/* At the start of the run, once. */
int flood_steady_begin(struct flood_steady *s, uint64_t now_ns, struct fmp_error *err);

/*
 * Return: number of requests that can start without exceeding the rate. under_way: requests in progress; answered:
 * all so far. A request of a blocked source takes one frame, its SYN.
 */
uint32_t flood_steady_allow(struct flood_steady *s, uint64_t now_ns, uint32_t under_way,
			    uint64_t answered, uint32_t wanted, bool all_blocked,
			    struct fmp_error *err);
/*
 * Called after the requests of a tick: replays the missing frames, without those of requests in progress and of
 * requests due at the next tick, so that replays do not displace requests.
 */
void flood_steady_fill(struct flood_steady *s, uint64_t now_ns, uint32_t under_way, uint32_t due);

uint64_t flood_steady_replayed(const struct flood_steady *s);
unsigned flood_steady_recorded(const struct flood_steady *s);

#endif
