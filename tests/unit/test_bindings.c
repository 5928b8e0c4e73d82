// SPDX-License-Identifier: GPL-2.0
/* libfmp/enforce: whose entries named a MAC is known for an hour, or it is known that this is not known. */
#include <check.h>

#include <fmp/net.h>

#include "addr.h"
#include "run.h"

#define MINUTE 60000ull
#define START  (100 * MINUTE)

#define INNOCENT "10.9.0.50"
#define ATTACKER "10.9.0.60"
#define MAC	 "02:00:00:00:00:50"

static struct fmp_net *net;

static void setup(void)
{
	ck_assert_int_eq(fmp_net_new_static(&net, NULL), 0);
	fmp_net_set_time(net, START);
}

static void teardown(void)
{
	fmp_net_free(net);
}

static void add_neighbour(const char *ip, const char *mac)
{
	struct fmp_addr a = addr(ip), m = addr(mac);

	ck_assert_int_eq(fmp_net_add_fact(net, FMP_NET_NEIGHBOUR, &a, &m), 0);
}

/* Others come by the thousand, each once. */
static void add_neighbours(unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		const uint8_t ip[4] = { 10, 10, (uint8_t)(i >> 8), (uint8_t)i };
		const uint8_t mac[6] = { 2, 0, 0, 1, (uint8_t)(i >> 8), (uint8_t)i };
		struct fmp_addr a = fmp_addr_ipv4(ip), m = fmp_addr_mac(mac);

		ck_assert_int_eq(fmp_net_add_fact(net, FMP_NET_NEIGHBOUR, &a, &m), 0);
	}
}

/* Of a message that came with the MAC, on a connection that was accepted at that time. */
static enum fmp_mac_veto veto_at(uint64_t now)
{
	const struct fmp_mac_seen seen = { .mac = addr(MAC), .accepted_ms = now };
	struct fmp_addr ip = addr(ATTACKER), mac;

	fmp_net_set_time(net, now);
	add_neighbour(ATTACKER, MAC);
	return fmp_net_mac(net, &ip, &seen, now, NULL, NULL, &mac);
}

/* The innocent's entry was turned away from its MAC, so that the MAC looks like the attacker's alone. */
static void turn_away(void)
{
	add_neighbour(INNOCENT, MAC);
	add_neighbour(ATTACKER, MAC);
	add_neighbour(INNOCENT, "02:00:00:00:00:ff");
	ck_assert_int_eq(veto_at(START), FMP_MAC_SHARED);
}

START_TEST(inv3_moved_for_an_hour)
{
	turn_away();
	ck_assert_int_eq(veto_at(START + 11 * MINUTE), FMP_MAC_SHARED);
	ck_assert_int_eq(veto_at(START + 60 * MINUTE), FMP_MAC_SHARED);
	ck_assert_int_eq(veto_at(START + 60 * MINUTE + 1), FMP_MAC_OK);
}
END_TEST

START_TEST(inv3_moved_and_forgotten)
{
	turn_away();
	add_neighbours(8000);
	ck_assert_int_eq(veto_at(START + 11 * MINUTE), FMP_MAC_CHANGED);
	ck_assert_int_eq(veto_at(START + 60 * MINUTE), FMP_MAC_CHANGED);
	/* To know the attacker's entry again, 11 minutes behind, one more had to go. */
	ck_assert_int_eq(veto_at(START + 71 * MINUTE + 1), FMP_MAC_OK);
}
END_TEST

/* The entry is forgotten before it is turned away: that it named the MAC is what was lost. */
START_TEST(inv3_forgotten_and_moved)
{
	add_neighbour(INNOCENT, MAC);
	add_neighbour(ATTACKER, MAC);
	add_neighbours(8000);
	add_neighbour(INNOCENT, "02:00:00:00:00:ff");
	ck_assert_int_eq(veto_at(START + 11 * MINUTE), FMP_MAC_CHANGED);
	ck_assert_int_eq(veto_at(START + 60 * MINUTE), FMP_MAC_CHANGED);
	ck_assert_int_eq(veto_at(START + 71 * MINUTE + 1), FMP_MAC_OK);
}
END_TEST

/* As many as are remembered are no reason to doubt. */
START_TEST(few_are_all_remembered)
{
	add_neighbour(ATTACKER, MAC);
	add_neighbours(100);
	ck_assert_int_eq(veto_at(START + 1), FMP_MAC_OK);
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("bindings");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, inv3_moved_for_an_hour);
	tcase_add_test(tc, inv3_moved_and_forgotten);
	tcase_add_test(tc, inv3_forgotten_and_moved);
	tcase_add_test(tc, few_are_all_remembered);
	return run_tcase("bindings", tc);
}
