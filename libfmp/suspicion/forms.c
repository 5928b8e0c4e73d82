// SPDX-License-Identifier: GPL-2.0
/*
 * An IPv4 host and its forms behind translators. Frames carry the form, so each is a row by itself and is blocked by
 * itself; but they are one host, so each is judged by what all of them have gathered. Only what has been bad itself is
 * ever blocked by it, and what is good far more often than bad is judged alone, as of addresses of one MAC (mac_siblings.c).
 * Prefixes that were found, not listed, are left out: who forges one must not add to the points of somebody else.
 */
#include <suspicion/engine.h>

bool fmpi_host_of(const struct fmp_engine *e, const struct fmp_addr *key, struct fmp_addr *host)
{
	if (key->family == FMP_FAMILY_IPV6)
		return fmp_addr_ipv4_host(key, &e->policy->nat64, host);
	*host = *key;
	return key->family == FMP_FAMILY_IPV4 && key->prefix_len == 32;
}

size_t fmpi_forms_rows(const struct fmp_engine *e, const struct fmp_addr *key,
		       struct fmpi_row *rows[FMPI_FORMS_MAX])
{
	struct fmp_addr name[FMPI_FORMS_MAX];
	size_t n, found = 0;

	if (!fmpi_host_of(e, key, &name[0]))
		return 0;
	n = 1 + fmp_addr_forms(&name[0], &e->policy->nat64, name + 1);
	for (size_t i = 0; i < n; i++) {
		struct fmpi_row *row =
			fmp_addr_equal(&name[i], key) ? NULL : fmpi_table_find(&e->table, &name[i]);
		bool again = false;

		/* A policy may list what is known anyway. */
		for (size_t k = 0; k < found; k++)
			again |= rows[k] == row;
		if (row && !again)
			rows[found++] = row;
	}
	return found;
}

void fmpi_forms_pardon(struct fmp_engine *e, const struct fmp_addr *key, uint64_t now_ms)
{
	struct fmpi_row *rows[FMPI_FORMS_MAX];
	size_t n = fmpi_forms_rows(e, key, rows);

	for (size_t i = 0; i < n; i++)
		fmpi_engine_pardon(rows[i], now_ms);
}
