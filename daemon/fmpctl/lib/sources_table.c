// SPDX-License-Identifier: GPL-2.0
#include "sources_table.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static const struct column columns[] = {
	{ FMP_F_ADDR, "Source" },  { FMP_F_IPV4, NULL },      { FMP_F_STATE, NULL },
	{ FMP_F_RANK, NULL },	   { FMP_F_MALICIOUS, NULL }, { FMP_F_EVENTS, "Bad" },
	{ FMP_F_GOOD, NULL },	   { FMP_F_UNPROVEN, NULL },  { FMP_F_CPU_MS, NULL },
	{ FMP_F_DEST_PORT, NULL }, { FMP_F_STRIKES, NULL },   { FMP_F_DECISION_ID, NULL },
	{ FMP_F_LEFT_MS, NULL },   { FMP_F_AGE_MS, NULL },
};

/* Blocked ones first, then by rank, then by address. */
int sources_compare(const struct record *x, const struct record *y)
{
	bool bx = !strcmp(record_string(x, FMP_F_STATE), "malicious");
	bool by = !strcmp(record_string(y, FMP_F_STATE), "malicious");
	uint64_t rx = record_number(x, FMP_F_RANK), ry = record_number(y, FMP_F_RANK);

	if (bx != by)
		return bx ? -1 : 1;
	if (rx != ry)
		return rx > ry ? -1 : 1;
	return fmp_addr_compare(record_addr(x, FMP_F_ADDR), record_addr(y, FMP_F_ADDR));
}

static int compare_worst_first(const void *a, const void *b)
{
	return sources_compare(a, b);
}

void sources_sort(struct records *l)
{
	if (l->n)
		qsort(l->r, l->n, sizeof(*l->r), compare_worst_first);
}

size_t sources_print(const struct records *l)
{
	return text_table(l, "source", columns, sizeof(columns) / sizeof(columns[0]), "");
}
