// SPDX-License-Identifier: GPL-2.0
/*
 * What a proxy says of its client under libFuzzer: any bytes as a PROXY header and, as text,
 * as X-Forwarded-For. What is accepted is the address of a host, and no listed proxy unless all are.
 */
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/forwarded.h>

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

static void check_address(const struct fmp_addr *a)
{
	check_holds(fmp_addr_is_source(a));
}

static void try_header(const uint8_t *data, size_t size)
{
	struct fmp_forwarded_client client;
	size_t len = size < FMP_PROXY_PROTOCOL_HEAD ? 0 : fmp_proxy_protocol_length(data);
	uint8_t *exact;

	check_holds(!len || (len >= FMP_PROXY_PROTOCOL_HEAD && len <= FMP_PROXY_PROTOCOL_MAX));
	if (!len || len > size)
		return;
	/* Of its own length, so that a byte too far is seen. */
	exact = malloc(len);
	check_holds(exact);
	memcpy(exact, data, len);
	if (!fmp_proxy_protocol_parse(exact, len, &client) && client.source.family)
		check_address(&client.source);
	free(exact);
}

static void try_list(const uint8_t *data, size_t size)
{
	static const uint8_t proxy[4] = { 10, 0, 0, 0 };
	struct fmp_policy_gateway g = { .n_proxies = 1 };
	char *list = calloc(1, size + 1);
	struct fmp_addr a;

	check_holds(list);
	memcpy(list, data, size);
	g.proxies[0].address = fmp_addr_mask(fmp_addr_ipv4(proxy), 8);
	if (fmp_forwarded_for(&g, list, &a)) {
		check_address(&a);
		if (fmp_forwarded_find_proxy(&g, &a))
			check_holds(!strchr(list, ',') || strstr(list, "10.") || strstr(list, ":"));
	}
	free(list);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_header(data, size);
	try_list(data, size);
	return 0;
}
