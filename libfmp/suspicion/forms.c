// SPDX-License-Identifier: GPL-2.0
/*
 * An IPv4 host and its forms, the IPv6 addresses it has behind NAT64 translators. Frames carry the
 * form, so each form has a row and a block of its own; but they are one host, so each is judged by
 * what all of them have gathered. Only a form that was bad itself is blocked, and one with far more
 * good than bad messages is judged alone, as with addresses of one MAC (mac_siblings.c). Discovered
 * prefixes are left out: a forged announcement must not add to the points of another host.
 */
#include <suspicion/engine.h>

bool fmpi_host_find(const struct fmp_engine *e, const struct fmp_addr *key, struct fmp_addr *host)
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

	if (!fmpi_host_find(e, key, &name[0]))
		return 0;
	n = 1 + fmp_addr_forms(&name[0], &e->policy->nat64, name + 1);
	for (size_t i = 0; i < n; i++) {
		struct fmpi_row *row =
			fmp_addr_equal(&name[i], key) ? NULL : fmpi_table_find(&e->table, &name[i]);
		bool again = false;

		/* The policy may list a well-known prefix again. */
		for (size_t k = 0; k < found; k++)
			again |= rows[k] == row;
		if (row && !again)
			rows[found++] = row;
	}
	return found;
}

void fmpi_forms_reset(struct fmp_engine *e, const struct fmp_addr *key, uint64_t now_ms)
{
	struct fmpi_row *rows[FMPI_FORMS_MAX];
	size_t n = fmpi_forms_rows(e, key, rows);

	for (size_t i = 0; i < n; i++)
		fmpi_row_reset_rank(rows[i], now_ms);
}
