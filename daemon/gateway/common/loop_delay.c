// SPDX-License-Identifier: GPL-2.0
#include "loop_delay.h"

#define NS_PER_MS 1000000u

void gw_loop_delay_check(struct gw_loop_delay *d, uint64_t now_ns)
{
	if (d->due_ns && now_ns > d->due_ns + (uint64_t)GW_LOOP_DELAY_SLACK_MS * NS_PER_MS)
		d->lost_ns += now_ns - d->due_ns;
	d->due_ns = now_ns + (uint64_t)GW_LOOP_DELAY_PERIOD_MS * NS_PER_MS;
}

void gw_loop_delay_stop(struct gw_loop_delay *d)
{
	d->due_ns = 0;
}

uint64_t gw_loop_delay_extension_ms(const struct gw_loop_delay *d, uint64_t *since_ns)
{
	uint64_t extension = d->lost_ns - *since_ns;

	*since_ns = d->lost_ns;
	return (extension + NS_PER_MS - 1) / NS_PER_MS;
}
