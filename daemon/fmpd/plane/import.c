// SPDX-License-Identifier: GPL-2.0
/*
 * Imported lists that replace a set, each in several requests of one process. Of two imports of one set the newer goes
 * on, and the older is refused at its next request: otherwise the set would hold parts of both.
 */
#include "plane_private.h"

#include <stdio.h>
#include <string.h>

#include "../common/clock.h"

#define IDLE_MS 60000u /* without a request for this long an import is over */

static struct plane_import *find_import(struct fmpd_plane *p, const char *set, uint64_t now_ms)
{
	for (unsigned i = 0; i < PLANE_IMPORTS_MAX; i++) {
		struct plane_import *one = &p->imports[i];

		if (*one->set && now_ms - one->last_ms < IDLE_MS && !strcmp(one->set, set))
			return one;
	}
	return NULL;
}

/* The import without a request for the longest time: its place is used again. */
static struct plane_import *find_oldest(struct fmpd_plane *p)
{
	struct plane_import *one = &p->imports[0];

	for (unsigned i = 1; i < PLANE_IMPORTS_MAX; i++)
		if (p->imports[i].last_ms < one->last_ms)
			one = &p->imports[i];
	return one;
}

void fmpd_plane_import_begin(struct fmpd_plane *p, const char *set, pid_t by)
{
	uint64_t now = fmpd_now_ms();
	struct plane_import *one = find_import(p, set, now);

	if (!one)
		one = find_oldest(p);
	*one = (struct plane_import){ .by = by, .last_ms = now };
	snprintf(one->set, sizeof(one->set), "%s", set);
}

int fmpd_plane_import_check(struct fmpd_plane *p, const char *set, pid_t by, struct fmp_error *err)
{
	uint64_t now = fmpd_now_ms();
	struct plane_import *one = *set ? find_import(p, set, now) : NULL;

	if (!one)
		return 0;
	if (one->by != by)
		return fmp_error_set(
			err, FMP_ERR_CONFLICT,
			"another list has begun to replace the set %s: this one ends here", set);
	one->last_ms = now;
	return 0;
}
