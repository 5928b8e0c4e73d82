// SPDX-License-Identifier: GPL-2.0
/* The one timer of the plane: when the next thing is due. A file of its own, for all that moves a due time rearms it. */
#include "plane_private.h"

#include <sys/timerfd.h>

#include "../common/clock.h"

/* Blocks that end within this time of each other are deleted in one transaction. */
#define EXPIRE_EVERY_MS 1000u

void plane_rearm_timer(struct fmpd_plane *p)
{
	uint64_t next = fmp_engine_next_ms(p->engine), now = fmpd_now_ms();
	struct itimerspec when = { 0 };

	if (!p->deadline)
		return;
	if (next != UINT64_MAX && next < p->expired_ms + EXPIRE_EVERY_MS)
		next = p->expired_ms + EXPIRE_EVERY_MS;
	if (p->retry_due_ms < next)
		next = p->retry_due_ms;
	if (!p->startup && !p->comparing && p->reconcile_due_ms < next)
		next = p->reconcile_due_ms;
	if (!p->startup && !p->comparing && p->verify_due)
		next = now;
	if (next != UINT64_MAX) {
		if (next <= now)
			next = now + 1;
		when.it_value.tv_sec = (time_t)(next / 1000);
		when.it_value.tv_nsec = (long)(next % 1000) * 1000000;
	}
	timerfd_settime(p->deadline_fd, TFD_TIMER_ABSTIME, &when, NULL);
}
