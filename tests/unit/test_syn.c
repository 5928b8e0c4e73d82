// SPDX-License-Identifier: GPL-2.0
/* The MAC of a saved SYN: of Ethernet alone, and of a packet that is the source's. */
#include <string.h>

#include "../../daemon/gateway/peer/syn.h"
#include "addr.h"
#include "run.h"

static const uint8_t mac[6] = { 2, 0, 0, 0, 9, 2 };

/* Ethernet, and an IP header of this source. Return: its length. */
static size_t make_frame(uint8_t *out, const struct fmp_addr *source)
{
	bool v6 = source->family == FMP_FAMILY_IPV6;

	memset(out, 0, 14 + 40 + 20);
	memcpy(out + 6, mac, sizeof(mac));
	out[12] = v6 ? 0x86 : 0x08;
	out[13] = v6 ? 0xdd : 0;
	out[14] = v6 ? 0x60 : 0x45;
	memcpy(out + 14 + (v6 ? 8 : 12), source->bytes, v6 ? 16 : 4);
	return 14u + (v6 ? 40 : 20) + 20;
}

static bool has_mac(const uint8_t *bytes, size_t len, const struct fmp_addr *source)
{
	struct fmp_addr want = fmp_addr_mac(mac), got = gw_syn_parse(bytes, len, source);

	if (got.family)
		ck_assert(fmp_addr_equal(&got, &want));
	return got.family;
}

START_TEST(ethernet)
{
	struct fmp_addr v4 = addr("192.0.2.7"), v6 = addr("2001:db8::7"), other = addr("192.0.2.8");
	uint8_t bytes[80];
	size_t len = make_frame(bytes, &v4);

	ck_assert(has_mac(bytes, len, &v4));
	ck_assert(!has_mac(bytes, len, &other));
	ck_assert(!has_mac(bytes, len, &v6));
	for (size_t cut = 0; cut < 34; cut++)
		ck_assert(!has_mac(bytes, cut, &v4));
	len = make_frame(bytes, &v6);
	ck_assert(has_mac(bytes, len, &v6));
	for (size_t cut = 0; cut < 54; cut++)
		ck_assert(!has_mac(bytes, cut, &v6));
}
END_TEST

/* Loopback has a header of zeros; a group sends nothing; before Linux 5.10, and on a tunnel, there is no header. */
START_TEST(no_mac)
{
	struct fmp_addr v4 = addr("8.0.64.7"), v6 = addr("2001:db8::7");
	uint8_t bytes[80];
	size_t len = make_frame(bytes, &v4);

	memset(bytes + 6, 0, 6);
	ck_assert(!has_mac(bytes, len, &v4));
	bytes[6] = 1;
	ck_assert(!has_mac(bytes, len, &v4));
	len = make_frame(bytes, &v4);
	ck_assert(!has_mac(bytes + 14, len - 14, &v4));
	len = make_frame(bytes, &v6);
	ck_assert(!has_mac(bytes + 14, len - 14, &v6));
	/* A tag of 802.1Q that is still there. */
	len = make_frame(bytes, &v4);
	bytes[12] = 0x81;
	ck_assert(!has_mac(bytes, len, &v4));
}
END_TEST

/* An IP header of a tunnel, made to look like Ethernet with another behind it: its source is in front. */
START_TEST(looks_like_both)
{
	struct fmp_addr v4 = addr("8.0.69.0");
	uint8_t bytes[80] = { 0x45, 0, 0, 60, 0, 0, 2, 0, 0, 0, 9, 2 };

	memcpy(bytes + 12, v4.bytes, 4);
	bytes[14] = 0x45;
	memcpy(bytes + 14 + 12, v4.bytes, 4);
	ck_assert(!has_mac(bytes, sizeof(bytes), &v4));
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("syn");

	tcase_add_test(tc, ethernet);
	tcase_add_test(tc, no_mac);
	tcase_add_test(tc, looks_like_both);
	return run_tcase("syn", tc);
}
