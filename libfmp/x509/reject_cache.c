// SPDX-License-Identifier: GPL-2.0
#include "reject_cache.h"

#include <stdio.h>
#include <string.h>

static unsigned find_entry(const struct fmpi_reject_cache *r,
			   const uint8_t id[FMPI_REJECT_CACHE_ID])
{
	unsigned i;

	for (i = 0; i < FMPI_REJECT_CACHE_ENTRIES; i++)
		if (r->entry[i].used && memcmp(r->entry[i].id, id, FMPI_REJECT_CACHE_ID) == 0)
			break;
	return i;
}

static unsigned find_oldest(const struct fmpi_reject_cache *r)
{
	unsigned best = 0;

	for (unsigned i = 1; i < FMPI_REJECT_CACHE_ENTRIES; i++)
		if (r->entry[i].used < r->entry[best].used)
			best = i;
	return best;
}

const struct fmpi_rejected_cert *fmpi_reject_cache_find(struct fmpi_reject_cache *r,
							const uint8_t id[FMPI_REJECT_CACHE_ID],
							int64_t now_s)
{
	unsigned i = find_entry(r, id);

	/* now_s is before from_s if the clock was set back; the reason may no longer hold then. */
	if (i == FMPI_REJECT_CACHE_ENTRIES || now_s < r->entry[i].from_s ||
	    now_s >= r->entry[i].until_s)
		return NULL;
	r->entry[i].used = ++r->tick;
	return &r->entry[i].what;
}

void fmpi_reject_cache_add(struct fmpi_reject_cache *r, const uint8_t id[FMPI_REJECT_CACHE_ID],
			   int64_t now_s, int64_t until_s, const struct fmp_inspection *v)
{
	unsigned i = find_entry(r, id);

	if (i == FMPI_REJECT_CACHE_ENTRIES)
		i = find_oldest(r);
	memcpy(r->entry[i].id, id, FMPI_REJECT_CACHE_ID);
	r->entry[i].from_s = now_s;
	r->entry[i].until_s = now_s + FMPI_REJECT_CACHE_S;
	if (until_s < r->entry[i].until_s)
		r->entry[i].until_s = until_s;
	r->entry[i].used = ++r->tick;
	r->entry[i].what.not_yet = v->not_yet;
	snprintf(r->entry[i].what.why, sizeof(r->entry[i].what.why), "%s", v->detail);
}
