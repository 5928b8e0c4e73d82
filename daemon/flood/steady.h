/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An attacker that doesn't back off: the device sends the same number of
 * frames a second whether requests are answered, slow or blocked. What the
 * requests and connects lack to the target is made up with frames recorded
 * from its own earlier requests.
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
 * How many requests may be begun so that the frames they will take stay below
 * the target. under_way: requests not finished; answered: all so far.
 * A request to a blocked source takes one frame, its SYN.
 */
uint32_t flood_steady_allow(struct flood_steady *s, uint64_t now_ns, uint32_t under_way,
			    uint64_t answered, uint32_t wanted, bool all_blocked,
			    struct fmp_error *err);
/*
 * After the requests of a tick: replays what is missing, but leaves the frames
 * of the requests that are under way, and of those due at the next tick: else
 * replays would leave no room for what they stand in for.
 */
void flood_steady_fill(struct flood_steady *s, uint64_t now_ns, uint32_t under_way, uint32_t due);

uint64_t flood_steady_replayed(const struct flood_steady *s);
unsigned flood_steady_recorded(const struct flood_steady *s);

#endif
