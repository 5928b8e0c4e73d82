// SPDX-License-Identifier: GPL-2.0
#include "state_format.h"

#include <string.h>

#define BELIEVABLE_MS (30ull * 24 * 3600 * 1000)

uint64_t fmpd_state_age(const struct fmpd_state_time *then, const struct fmpd_state_time *now)
{
	static const uint8_t unknown[sizeof(then->boot_id)];

	if (memcmp(then->boot_id, unknown, sizeof(unknown)) &&
	    !memcmp(then->boot_id, now->boot_id, sizeof(unknown)) && now->boot_ms >= then->boot_ms)
		return now->boot_ms - then->boot_ms;
	if (now->wall_ms < then->wall_ms || now->wall_ms - then->wall_ms > BELIEVABLE_MS)
		return 0;
	return now->wall_ms - then->wall_ms;
}

bool fmpd_state_other_boot(const struct fmpd_state_time *then, const struct fmpd_state_time *now)
{
	static const uint8_t unknown[sizeof(then->boot_id)];

	return memcmp(then->boot_id, unknown, sizeof(unknown)) &&
	       memcmp(now->boot_id, unknown, sizeof(unknown)) &&
	       memcmp(then->boot_id, now->boot_id, sizeof(unknown));
}
