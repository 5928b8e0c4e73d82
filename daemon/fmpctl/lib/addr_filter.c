// SPDX-License-Identifier: GPL-2.0
#include "addr_filter.h"

#include <stdlib.h>

int addr_filter_parse(struct addr_filter *f, const char *command, int argc, char **argv)
{
	int rc = 0;

	*f = (struct addr_filter){ 0 };
	if (!argc)
		return 0;
	f->addr = calloc((size_t)argc, sizeof(*f->addr));
	if (!f->addr)
		return usage_error(command, "no memory");
	for (int i = 0; i < argc && !rc; i++)
		rc = parse_addr_argument(command, argv[i], &f->addr[f->n++]);
	if (rc)
		addr_filter_free(f);
	return rc;
}

void addr_filter_free(struct addr_filter *f)
{
	free(f->addr);
	*f = (struct addr_filter){ 0 };
}

static bool matches_record(const struct addr_filter *f, const struct record *r)
{
	for (size_t i = 0; i < f->n; i++)
		if (fmp_addr_overlaps(&f->addr[i], record_addr(r, FMP_F_ADDR)) ||
		    fmp_addr_overlaps(&f->addr[i], record_addr(r, FMP_F_IPV4)) ||
		    fmp_addr_equal(&f->addr[i], record_addr(r, FMP_F_MAC)) ||
		    fmp_addr_equal(&f->addr[i], record_addr(r, FMP_F_PAIR_MAC)))
			return true;
	return false;
}

void addr_filter_apply(const struct addr_filter *f, const char *kind, struct records *l)
{
	bool keep = true;
	size_t n = 0;

	for (size_t i = 0; i < l->n && f->n; i++) {
		if (record_is(&l->r[i], kind))
			keep = matches_record(f, &l->r[i]);
		if (keep)
			l->r[n++] = l->r[i];
		else
			record_free(&l->r[i]);
	}
	if (f->n)
		l->n = n;
}
