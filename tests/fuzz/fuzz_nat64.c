// SPDX-License-Identifier: GPL-2.0
/*
 * What a network says of its NAT64 prefix, under libFuzzer: any bytes as an answer of a name server, as an option of a
 * router advertisement, and as an address. What comes out is a prefix that a translator can have, and what is embedded
 * is extracted again.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/nat64_discovery.h>

static void check_holds(bool ok)
{
	if (!ok)
		abort();
}

static void check_found(const struct fmp_nat64_found *f)
{
	struct fmp_addr prefix;

	check_holds(fmp_nat64_found_prefix(f, &prefix) && fmp_translator_valid(&prefix));
	check_holds(fmp_addr_mask(prefix, prefix.prefix_len).prefix_len == f->prefix_len);
}

static void fuzz_address(const uint8_t bytes[16])
{
	struct fmp_addr a = fmp_addr_ipv6(bytes), prefix, ipv4, again;

	if (fmp_ipv4only_prefix(bytes, &prefix))
		check_holds(fmp_addr_extract(&a, &prefix, &ipv4) && ipv4.bytes[0] == 192);
	for (uint8_t len = 0; len <= 128; len++) {
		prefix = fmp_addr_mask(a, len);
		if (!fmp_addr_extract(&a, &prefix, &ipv4)) {
			check_holds(!fmp_addr_is_form(&a, &prefix));
			continue;
		}
		check_holds(fmp_translator_valid(&prefix) &&
			    fmp_addr_embed(&ipv4, &prefix, &again));
		check_holds(fmp_addr_contains(&prefix, &again));
		check_holds(!fmp_addr_is_form(&a, &prefix) || fmp_addr_equal(&a, &again));
		check_holds(fmp_addr_extract(&again, &prefix, &a) && fmp_addr_equal(&a, &ipv4));
		a = fmp_addr_ipv6(bytes);
	}
	if (fmp_addr_ipv4_host(&a, NULL, &ipv4))
		check_holds(fmp_addr_is_source(&ipv4) && ipv4.family == FMP_FAMILY_IPV4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fmp_nat64_found found[FMP_NAT64_FOUND_MAX];
	/* What is read behind its end ASan says. */
	uint8_t *copy = malloc(size ? size : 1);
	int n;

	if (!copy)
		return 0;
	memcpy(copy, data, size);
	n = fmp_ipv4only_parse(copy, size, found);
	check_holds(n <= (int)FMP_NAT64_FOUND_MAX);
	for (int i = 0; i < n; i++)
		check_found(&found[i]);
	if (fmp_pref64_parse(copy, size, found))
		check_found(&found[0]);
	if (size >= 16)
		fuzz_address(copy);
	free(copy);
	return 0;
}
