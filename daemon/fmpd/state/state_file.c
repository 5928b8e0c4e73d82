// SPDX-License-Identifier: GPL-2.0
#include "state_file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../common/clock.h"

#define BELIEVABLE_MS (30ull * 24 * 3600 * 1000)

const char *fmpd_state_path(const struct fmpd_options *o, const struct fmp_policy *policy,
			    char *path, size_t size)
{
	const char *dir = getenv("STATE_DIRECTORY"), *from = o->state;

	if (!from && policy->state.file[0])
		from = policy->state.file;
	if (from)
		snprintf(path, size, "%s", strcmp(from, "none") ? from : "");
	else if (dir && *dir == '/')
		snprintf(path, size, "%.*s/state", (int)strcspn(dir, ":"), dir);
	else
		*path = '\0';
	return *path ? path : NULL;
}

static void read_boot_id(uint8_t id[16])
{
	char text[64] = "";
	int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	unsigned digits = 0;

	if (fd >= 0)
		close(fd);
	memset(id, 0, 16);
	for (ssize_t i = 0; i < n && digits < 32; i++) {
		const char *hex = "0123456789abcdef", *at = strchr(hex, text[i]);

		if (!at || !*at)
			continue;
		id[digits / 2] = (uint8_t)(id[digits / 2] << 4 | (at - hex));
		digits++;
	}
	if (digits < 32)
		memset(id, 0, 16);
}

void fmpd_state_now(struct fmpd_state_time *t)
{
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	t->wall_ms = wall.tv_sec < 0
			     ? 0
			     : (uint64_t)wall.tv_sec * 1000 + (uint64_t)wall.tv_nsec / 1000000;
	t->boot_ms = fmpd_now_ms();
	read_boot_id(t->boot_id);
	t->n_nexthop_macs = t->lists.n = 0;
}

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
