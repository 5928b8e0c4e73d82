// SPDX-License-Identifier: GPL-2.0
/* The view of the net, and which MAC may be blocked (inv3), with real entries of the kernel. */
#include <poll.h>
#include <string.h>
#include <time.h>

#include <fmp/net.h>

#include "harness.h"
#include "suites.h"

/* When no change of the neighbour table is held against anybody any more. */
#define HOURS_LATER UINT64_MAX

static struct fmp_net *net_begin(void)
{
	struct fmp_net *net;

	peer_start();
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	return net;
}

/* An entry of the neighbour table as if the host had been heard. */
static void add_neighbour(const char *ip, const char *mac, const char *more)
{
	must("ip neighbour replace %s lladdr %s dev v0 %s", ip, mac, more);
}

static bool nobody_is_innocent(const struct fmp_addr *other, bool own, void *ctx)
{
	++*(unsigned *)ctx;
	return false;
}

static void expect_mac(struct fmp_net *net, const char *ip, enum fmp_mac_veto veto, const char *mac)
{
	struct fmp_addr a = addr(ip), got, want = addr(mac);

	CHECK_EQ(fmp_net_mac(net, &a, NULL, HOURS_LATER, NULL, NULL, &got), veto);
	CHECK(fmp_addr_equal(&got, &want));
}

static void inv3_mac_of_a_neighbour(unsigned layer)
{
	struct fmp_net *net = net_begin();
	struct fmp_addr a = addr("10.9.0.2"), mac, want = addr("02:00:00:00:09:02");

	expect_mac(net, "10.9.0.2", FMP_MAC_UNKNOWN, "");
	CHECK_EQ(fmp_net_lookup_mac(net, &a, &mac), FMP_ERR_NOTFOUND);
	CHECK(peer_reaches("10.9.0.1"));
	CHECK(peer_reaches("fd09::1"));
	expect_mac(net, "10.9.0.2", FMP_MAC_OK, "02:00:00:00:09:02");
	/* fd09::2 has the same MAC; whether that matters is the caller's word. */
	unsigned asked = 0;

	CHECK_EQ(fmp_net_mac(net, &a, NULL, HOURS_LATER, nobody_is_innocent, &asked, &mac),
		 FMP_MAC_OK);
	CHECK(asked >= 1);
	CHECK(fmp_addr_equal(&mac, &want));
	CHECK_EQ(fmp_net_lookup_mac(net, &a, &mac), 0);
	CHECK(fmp_addr_equal(&mac, &want));
	fmp_net_free(net);
}

static void inv3_states(unsigned layer)
{
	static const struct {
		const char *nud;
		bool valid;
	} states[] = { { "reachable", true }, { "stale", true },     { "delay", true },
		       { "probe", true },     { "permanent", true }, { "failed", false } };
	struct fmp_net *net = net_begin();

	for (unsigned i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
		char more[32] = "nud ";

		strcat(more, states[i].nud);
		add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
		add_neighbour("10.9.0.40", "02:00:00:00:00:40", more);
		if (states[i].valid)
			expect_mac(net, "10.9.0.40", FMP_MAC_OK, "02:00:00:00:00:40");
		else
			expect_mac(net, "10.9.0.40", FMP_MAC_UNKNOWN, "");
	}
	fmp_net_free(net);
}

static void inv3_shared(unsigned layer)
{
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_OK, "02:00:00:00:00:40");
	add_neighbour("10.9.0.41", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_SHARED, "");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud stale");
	/* An address that is made of the MAC is the same host's. */
	add_neighbour("fe80::ff:fe00:40", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_OK, "02:00:00:00:00:40");
	add_neighbour("fe80::1234", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_SHARED, "");
	fmp_net_free(net);
}

static bool whose_own_is_innocent(const struct fmp_addr *other, bool own, void *ctx)
{
	return own;
}

/* A host has addresses of both families, and of IPv6 several. */
static void inv3_one_host(unsigned layer)
{
	struct fmp_addr a = addr("10.9.0.40"), mac;
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("fd09::1:40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("fd09::2:40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("fe80::1:40", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_OK, "02:00:00:00:00:40");
	expect_mac(net, "fd09::1:40", FMP_MAC_OK, "02:00:00:00:00:40");
	expect_mac(net, "fe80::1:40", FMP_MAC_OK, "02:00:00:00:00:40");
	/* The caller may know that it is another's. */
	CHECK_EQ(fmp_net_mac(net, &a, NULL, HOURS_LATER, whose_own_is_innocent, NULL, &mac),
		 FMP_MAC_SHARED);
	/* Another host behind the same MAC. */
	add_neighbour("10.9.0.41", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_SHARED, "");
	expect_mac(net, "fd09::1:40", FMP_MAC_SHARED, "");
	must("ip neighbour del 10.9.0.41 dev v0");
	add_neighbour("fe80::1:41", "02:00:00:00:00:40", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_SHARED, "");
	fmp_net_free(net);
}

/* Two hosts of one link-local address, each on a link of its own: neither pays for the other. */
static void expect_host(struct fmp_net *net, const char *ip, const char *mac)
{
	struct fmp_addr a = addr(ip), got, want = addr(mac);

	CHECK_EQ(fmp_net_host_mac(net, &a, NULL, HOURS_LATER, &got), *mac ? 0 : FMP_ERR_NOTFOUND);
	CHECK(fmp_addr_equal(&got, &want));
}

/* One entry, asked for by itself; whoever may stand for many is nobody's. */
static void inv3_mac_of_one_host(unsigned layer)
{
	struct fmp_net *net = net_begin();

	expect_host(net, "fd09::1:40", "");
	add_neighbour("fd09::1:40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("fd09::2:40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("fe80::1:40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud stale");
	expect_host(net, "fd09::1:40", "02:00:00:00:00:40");
	expect_host(net, "fe80::1:40", "02:00:00:00:00:40");
	expect_host(net, "10.9.0.41", "02:00:00:00:00:41");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud failed");
	expect_host(net, "10.9.0.41", "");
	/* Ours, beyond a gateway, no address of one. */
	expect_host(net, "fd09::1", "");
	must("ip route add 192.0.2.0/24 via 10.9.0.9");
	expect_host(net, "192.0.2.1", "");
	expect_host(net, "fd09::/64", "");
	/* A router by its own word alone: no MAC of it is blocked, and it is one host. */
	add_neighbour("fd09::3:40", "02:00:00:00:00:43", "router nud stale");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	expect_mac(net, "fd09::3:40", FMP_MAC_ROUTER, "");
	expect_host(net, "fd09::3:40", "02:00:00:00:00:43");
	/* A next hop, by another entry of its MAC. */
	add_neighbour("10.9.0.9", "02:00:00:00:00:44", "nud stale");
	add_neighbour("fd09::4:40", "02:00:00:00:00:44", "nud stale");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	expect_host(net, "fd09::4:40", "");
	expect_host(net, "fd09::2:40", "02:00:00:00:00:40");
	fmp_net_free(net);
}

static void inv3_link_local_on_two_links(unsigned layer)
{
	struct fmp_net *net = net_begin();
	struct fmp_addr a = addr("fe80::66"), mac, want = addr("02:00:00:00:00:66");

	must("ip link add w0 type veth peer name w1 && ip link set w0 up && ip link set w1 up");
	add_neighbour("fe80::66", "02:00:00:00:00:66", "nud stale");
	expect_mac(net, "fe80::66", FMP_MAC_OK, "02:00:00:00:00:66");
	must("ip neighbour replace fe80::66 lladdr 02:00:00:00:00:67 dev w0 nud stale");
	expect_mac(net, "fe80::66", FMP_MAC_UNKNOWN, "");
	expect_host(net, "fe80::66", "");
	CHECK_EQ(fmp_net_lookup_mac(net, &a, &mac), FMP_ERR_NOTFOUND);
	/* One host on both. */
	must("ip neighbour replace fe80::66 lladdr 02:00:00:00:00:66 dev w0 nud stale");
	expect_mac(net, "fe80::66", FMP_MAC_OK, "02:00:00:00:00:66");
	expect_host(net, "fe80::66", "02:00:00:00:00:66");
	CHECK_EQ(fmp_net_lookup_mac(net, &a, &mac), 0);
	CHECK(fmp_addr_equal(&mac, &want));
	fmp_net_free(net);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return (uint64_t)t.tv_sec * 1000u + (uint64_t)t.tv_nsec / 1000000u;
}

/* By what its packets carried in a connection of now. */
static void expect_seen(struct fmp_net *net, const char *ip, const char *carried,
			enum fmp_mac_veto veto)
{
	struct fmp_mac_seen seen = { addr(carried), now_ms() };
	struct fmp_addr a = addr(ip), got;

	CHECK_EQ(fmp_net_mac(net, &a, &seen, now_ms(), NULL, NULL, &got), veto);
	CHECK(fmp_addr_equal(&got, veto == FMP_MAC_OK ? &seen.mac : &(struct fmp_addr){ 0 }));
	CHECK_EQ(fmp_net_host_mac(net, &a, &seen, now_ms(), &got),
		 veto == FMP_MAC_OK || veto == FMP_MAC_SHARED ? 0 : FMP_ERR_NOTFOUND);
}

/* What the source's own packets carried, and the neighbour table, which anybody can change. */
static void inv3_own_packets(unsigned layer)
{
	static const char mine[] = "02:00:00:00:00:40", other[] = "02:00:00:00:00:41";
	struct fmp_mac_seen seen = { .accepted_ms = now_ms() };
	struct fmp_addr a = addr("10.9.0.40"), mac;
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.40", mine, "nud reachable");
	add_neighbour("fd09::40", mine, "nud reachable");
	expect_seen(net, "10.9.0.40", mine, FMP_MAC_OK);
	expect_seen(net, "fd09::40", mine, FMP_MAC_OK);
	expect_seen(net, "10.9.0.40", other, FMP_MAC_DIFFERS);
	expect_seen(net, "10.9.0.40", "", FMP_MAC_UNSEEN);
	/* Nobody of us saw a packet: the entry has stood for as long as it is known. */
	seen.accepted_ms = 0;
	CHECK_EQ(fmp_net_mac(net, &a, &seen, now_ms(), NULL, NULL, &mac), FMP_MAC_OK);
	/* It names another one, as in a SYN that was forged like it; then the first again. */
	add_neighbour("10.9.0.40", other, "nud reachable");
	expect_seen(net, "10.9.0.40", mine, FMP_MAC_DIFFERS);
	expect_seen(net, "10.9.0.40", other, FMP_MAC_CHANGED);
	CHECK_EQ(fmp_net_mac(net, &a, &seen, now_ms(), NULL, NULL, &mac), FMP_MAC_CHANGED);
	CHECK_EQ(fmp_net_mac(net, &a, NULL, now_ms(), NULL, NULL, &mac), FMP_MAC_CHANGED);
	add_neighbour("10.9.0.40", mine, "nud reachable");
	expect_seen(net, "10.9.0.40", mine, FMP_MAC_CHANGED);
	/* Nor is an entry new because it was deleted. */
	must("ip neighbour del fd09::40 dev v0");
	add_neighbour("fd09::40", other, "nud reachable");
	expect_seen(net, "fd09::40", other, FMP_MAC_CHANGED);
	/* Later both are believed again. */
	CHECK_EQ(fmp_net_mac(net, &a, NULL, HOURS_LATER, NULL, NULL, &mac), FMP_MAC_OK);
	fmp_net_free(net);
}

/* Whose entry was turned away from his MAC has it still, for all that is known. */
static void inv3_moved_away(unsigned layer)
{
	static const char victim[] = "02:00:00:00:00:50";
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.50", victim, "nud reachable");
	add_neighbour("10.9.0.60", victim, "nud reachable");
	expect_seen(net, "10.9.0.60", victim, FMP_MAC_SHARED);
	add_neighbour("10.9.0.50", "02:00:00:00:00:ff", "nud reachable");
	expect_seen(net, "10.9.0.60", victim, FMP_MAC_SHARED);
	fmp_net_free(net);
}

/* More neighbours than are remembered: those that were heard of first are not taken for unchanged. */
static void inv3_many_neighbours(unsigned layer)
{
	static const char mine[] = "02:00:00:00:00:40";
	struct fmp_net *net;

	peer_start();
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	must("seq 0 4095 | awk '{ a = sprintf(\"fd09::7:%%x lladdr 02:00:00:01:%%02x:%%02x dev v0\", "
	     "$1, $1 / 256, $1 %% 256); print \"neighbour replace \" a \" nud stale\"; print \"neighbour del \" a }' | ip -batch -");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	add_neighbour("10.9.0.40", mine, "nud reachable");
	expect_seen(net, "10.9.0.40", mine, FMP_MAC_CHANGED);
	fmp_net_free(net);
}

static void inv3_router(unsigned layer)
{
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud stale");
	must("ip route add default via 10.9.0.40");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	expect_mac(net, "10.9.0.40", FMP_MAC_ROUTER, "");
	expect_mac(net, "10.9.0.41", FMP_MAC_OK, "02:00:00:00:00:41");
	/* Another address of the router's, whatever the caller thinks of the gateway. */
	unsigned asked = 0;
	struct fmp_addr a = addr("10.9.0.42"), mac;

	add_neighbour("10.9.0.42", "02:00:00:00:00:40", "nud stale");
	CHECK_EQ(fmp_net_mac(net, &a, NULL, HOURS_LATER, nobody_is_innocent, &asked, &mac),
		 FMP_MAC_ROUTER);
	/* And one that says of itself that it is one. */
	add_neighbour("fd09::43", "02:00:00:00:00:43", "nud stale router");
	expect_mac(net, "fd09::43", FMP_MAC_ROUTER, "");
	fmp_net_free(net);
}

static void inv3_offlink(unsigned layer)
{
	struct fmp_net *net = net_begin();

	expect_mac(net, "192.0.2.1", FMP_MAC_UNKNOWN, "");
	must("ip route add 192.0.2.0/24 via 10.9.0.2");
	/* An entry for it changes nothing: frames for it do not go there. */
	add_neighbour("192.0.2.1", "02:00:00:00:00:50", "nud permanent");
	expect_mac(net, "192.0.2.1", FMP_MAC_OFFLINK, "");
	must("ip route add 198.51.100.0/24 nexthop via 10.9.0.2 nexthop via 10.9.0.3");
	expect_mac(net, "198.51.100.1", FMP_MAC_OFFLINK, "");
	must("ip route add 203.0.113.0/24 via inet6 fd09::2 dev v0");
	expect_mac(net, "203.0.113.1", FMP_MAC_OFFLINK, "");
	must("ip -6 route add fd77::/64 via fd09::2");
	expect_mac(net, "fd77::1", FMP_MAC_OFFLINK, "");
	fmp_net_free(net);
}

static void inv3_own(unsigned layer)
{
	struct fmp_net *net = net_begin();

	expect_mac(net, "10.9.0.1", FMP_MAC_OWN, "");
	expect_mac(net, "127.0.0.1", FMP_MAC_OWN, "");
	expect_mac(net, "fd09::1", FMP_MAC_OWN, "");
	/* A forger answers with our own MAC. */
	add_neighbour("10.9.0.40", "02:00:00:00:09:01", "nud stale");
	expect_mac(net, "10.9.0.40", FMP_MAC_OWN, "");
	fmp_net_free(net);
}

static void inv3_no_full_address(unsigned layer)
{
	struct fmp_net *net = net_begin();

	expect_mac(net, "10.9.0.0/24", FMP_MAC_UNKNOWN, "");
	expect_mac(net, "02:00:00:00:09:02", FMP_MAC_UNKNOWN, "");
	fmp_net_free(net);
}

static bool is_readable(const struct fmp_net *net)
{
	struct pollfd p = { .fd = fmp_net_fd(net), .events = POLLIN };

	return poll(&p, 1, 0) == 1;
}

static void refresh_tells_what_matters(unsigned layer)
{
	struct fmp_net *net = net_begin();

	while (is_readable(net))
		CHECK(fmp_net_refresh(net, NULL) >= 0);
	must("ip address add 10.9.1.1/24 dev v0");
	CHECK(is_readable(net));
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK(!is_readable(net));
	CHECK_EQ(fmp_net_refresh(net, NULL), 0);
	/* Hosts come and go. */
	for (int i = 10; i < 20; i++) {
		must("ip neighbour replace 10.9.0.%d lladdr 02:00:00:00:00:%d dev v0 nud stale", i,
		     i);
	}
	CHECK(is_readable(net));
	CHECK_EQ(fmp_net_refresh(net, NULL), 0);
	must("ip route add default via 10.9.0.40");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	/* The gateway is heard of, and then has another MAC. */
	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	add_neighbour("10.9.0.40", "02:00:00:00:00:41", "nud stale");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	add_neighbour("10.9.0.40", "02:00:00:00:00:41", "nud reachable");
	CHECK_EQ(fmp_net_refresh(net, NULL), 0);
	must("ip link set v0 down && ip link set v0 address 02:00:00:00:09:11");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	fmp_net_free(net);
}

static struct fmp_protect *p;

static int find_origin(const char *text)
{
	struct fmp_addr a = addr(text);
	const struct fmp_protect_entry *e = fmp_protect_check(p, &a);

	return e ? (int)e->origin : 0;
}

static void inv1_set_from_the_net(unsigned layer)
{
	struct fmp_net *net;

	peer_start();
	must("ip route add default via 10.9.0.40");
	must("ip route add 198.51.100.0/24 nexthop via 10.9.0.50 nexthop via 10.9.0.51");
	must("ip -6 route add default via fe80::40 dev v0");
	must("ip route add 203.0.113.0/24 via inet6 fd09::53 dev v0 table 77");
	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("10.9.0.51", "02:00:00:00:00:51", "nud stale");
	add_neighbour("10.9.0.60", "02:00:00:00:00:60", "nud stale");
	add_neighbour("fd09::61", "02:00:00:00:00:61", "nud stale router");
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	CHECK_EQ(fmp_protect_new(&p, NULL), 0);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 1);
	CHECK_EQ(find_origin("10.9.0.1"), FMP_PROTECT_OWN);
	CHECK_EQ(find_origin("fd09::1"), FMP_PROTECT_OWN);
	CHECK_EQ(find_origin("02:00:00:00:09:01"), FMP_PROTECT_OWN);
	CHECK_EQ(find_origin("10.9.0.40"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("10.9.0.50"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("10.9.0.51"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("fe80::40"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("fd09::53"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:40"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:51"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("10.9.0.0/24"), FMP_PROTECT_OWN);
	CHECK_EQ(find_origin("10.9.0.60"), 0);
	CHECK_EQ(find_origin("02:00:00:00:00:60"), 0);
	/* A host's own word that it is a router does not make it untouchable. */
	CHECK_EQ(find_origin("02:00:00:00:00:61"), 0);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 0);
	fmp_protect_free(p);
	fmp_net_free(net);
}

static int origin_after(struct fmp_net *net, const char *text)
{
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 1);
	return find_origin(text);
}

/* Routes that name their next hops by id, and say nothing else of them (compat_mode 0). */
static void inv1_next_hop_objects(unsigned layer)
{
	struct fmp_net *net;

	peer_start();
	must("sysctl -qw net.ipv4.nexthop_compat_mode=0");
	must("ip nexthop add id 1 via 10.9.0.40 dev v0");
	must("ip nexthop add id 2 via 10.9.0.41 dev v0");
	must("ip nexthop add id 3 via 10.9.0.42 dev v0");
	must("ip nexthop add id 6 via fe80::46 dev v0");
	must("ip nexthop add id 7 dev v0");
	must("ip nexthop add id 9 group 2/3");
	must("ip route add default nhid 1");
	must("ip route add 198.51.100.0/24 nhid 7");
	must("ip -6 route add default nhid 6");
	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud stale");
	add_neighbour("10.9.0.42", "02:00:00:00:00:42", "nud stale");
	add_neighbour("10.9.0.43", "02:00:00:00:00:43", "nud stale");
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	CHECK_EQ(fmp_protect_new(&p, NULL), 0);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 1);
	CHECK_EQ(find_origin("10.9.0.40"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:40"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("fe80::46"), FMP_PROTECT_GATEWAY);
	/* No route goes by these. */
	CHECK_EQ(find_origin("10.9.0.41"), 0);
	CHECK_EQ(find_origin("10.9.0.42"), 0);
	expect_mac(net, "203.0.113.1", FMP_MAC_OFFLINK, "");
	expect_mac(net, "2001:db8::1", FMP_MAC_OFFLINK, "");

	must("ip route add 203.0.113.0/24 nhid 9");
	CHECK_EQ(origin_after(net, "10.9.0.41"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("10.9.0.42"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:42"), FMP_PROTECT_GATEWAY);

	/* The routes stay as they are; what they name changes. */
	must("ip nexthop replace id 3 via 10.9.0.43 dev v0");
	CHECK_EQ(origin_after(net, "10.9.0.43"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:43"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("10.9.0.42"), 0);
	must("ip nexthop del id 2");
	CHECK_EQ(origin_after(net, "10.9.0.41"), 0);
	must("ip nexthop del id 9");
	CHECK_EQ(origin_after(net, "10.9.0.43"), 0);
	CHECK_EQ(find_origin("10.9.0.40"), FMP_PROTECT_GATEWAY);
	fmp_protect_free(p);
	fmp_net_free(net);
}

/* A gateway's MAC of an earlier time, until the neighbour table says another one. */
static void inv1_learned_gateways(unsigned layer)
{
	struct fmp_neighbour gateway = { addr("10.9.0.40"), addr("02:00:00:00:00:40") },
			     other = { addr("10.9.0.60"), addr("02:00:00:00:00:60") },
			     wrong = gateway;
	const struct fmp_neighbour *learned;
	struct fmp_net *net;

	peer_start();
	must("ip route add default via 10.9.0.40");
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	CHECK_EQ(fmp_protect_new(&p, NULL), 0);
	CHECK_EQ(fmp_net_nexthop_macs(net, &learned), 0);
	CHECK_EQ(fmp_net_add_nexthop_mac(net, &gateway), 0);
	CHECK_EQ(fmp_net_add_nexthop_mac(net, &other), 0);
	wrong.mac = addr("03:00:00:00:00:40");
	CHECK_EQ(fmp_net_add_nexthop_mac(net, &wrong), FMP_ERR_INVALID);
	wrong.mac = addr("10.9.0.40");
	CHECK_EQ(fmp_net_add_nexthop_mac(net, &wrong), FMP_ERR_INVALID);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 1);
	CHECK_EQ(find_origin("02:00:00:00:00:40"), FMP_PROTECT_GATEWAY);
	/* It is no gateway, yet. */
	CHECK_EQ(find_origin("02:00:00:00:00:60"), 0);
	must("ip route add 198.51.100.0/24 via 10.9.0.60");
	CHECK_EQ(origin_after(net, "02:00:00:00:00:60"), FMP_PROTECT_GATEWAY);
	/* Who answers now is the gateway. */
	add_neighbour("10.9.0.40", "02:00:00:00:00:41", "nud reachable");
	CHECK_EQ(origin_after(net, "02:00:00:00:00:41"), FMP_PROTECT_GATEWAY);
	CHECK_EQ(find_origin("02:00:00:00:00:40"), 0);
	CHECK_EQ(fmp_net_nexthop_macs(net, &learned), 2);
	CHECK(fmp_addr_equal(&learned[1].ip, &gateway.ip));
	CHECK_EQ(learned[1].mac.bytes[5], 0x41);
	/* What was seen is not unseen by what is said of earlier times, or by silence. */
	CHECK_EQ(fmp_net_add_nexthop_mac(net, &gateway), 0);
	must("ip neighbour del 10.9.0.40 dev v0");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	CHECK(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL) >= 0);
	CHECK_EQ(find_origin("02:00:00:00:00:41"), FMP_PROTECT_GATEWAY);
	fmp_protect_free(p);
	fmp_net_free(net);
}

/* Whoever has a protected MAC now; but an entry that named another one is no proof of it. */
static void inv1_addresses_of_a_mac(unsigned layer)
{
	struct fmp_addr mac = addr("02:00:00:00:00:40"), contested = addr("fd09::40");
	struct fmp_net *net = net_begin();

	add_neighbour("10.9.0.40", "02:00:00:00:00:40", "nud reachable");
	add_neighbour("10.9.0.41", "02:00:00:00:00:41", "nud reachable");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	CHECK_EQ(fmp_protect_new(&p, NULL), 0);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL), 1);
	while (fmp_net_refresh(net, NULL) == 1)
		CHECK(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL) >= 0);
	CHECK_EQ(find_origin("10.9.0.40"), FMP_PROTECT_DEVICE);
	CHECK_EQ(find_origin("10.9.0.41"), 0);
	add_neighbour("fd09::40", "02:00:00:00:00:40", "nud reachable");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL), 1);
	CHECK_EQ(find_origin("fd09::40"), FMP_PROTECT_DEVICE);
	/* Somebody says that it is the protected one: anybody could. */
	add_neighbour("10.9.0.41", "02:00:00:00:00:40", "nud reachable");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL), 0);
	CHECK_EQ(find_origin("10.9.0.41"), 0);
	add_neighbour("10.9.0.40", "02:00:00:00:00:42", "nud reachable");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL), 1);
	CHECK_EQ(find_origin("10.9.0.40"), 0);
	/* Its packets carry another one. */
	fmp_net_contest(net, &contested);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", &mac, 1, NULL), 1);
	CHECK_EQ(find_origin("fd09::40"), 0);
	/* By hand, too. */
	mac = addr("02:00:00:00:00:42");
	CHECK_EQ(fmp_protect_add(p, &mac), 0);
	add_neighbour("10.9.0.50", "02:00:00:00:00:42", "nud reachable");
	CHECK(fmp_net_refresh(net, NULL) >= 0);
	CHECK(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL) >= 0);
	CHECK_EQ(fmp_net_refresh(net, NULL), 0);
	add_neighbour("10.9.0.51", "02:00:00:00:00:42", "nud reachable");
	CHECK_EQ(fmp_net_refresh(net, NULL), 1);
	CHECK_EQ(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL), 1);
	CHECK_EQ(find_origin("10.9.0.51"), FMP_PROTECT_DEVICE);
	fmp_protect_free(p);
	fmp_net_free(net);
}

const struct test net_tests[] = {
	{ "inv3_mac_of_a_neighbour", inv3_mac_of_a_neighbour, FMP_LAYERS },
	{ "inv3_states", inv3_states, FMP_LAYERS },
	{ "inv3_shared", inv3_shared, FMP_LAYERS },
	{ "inv3_one_host", inv3_one_host, FMP_LAYERS },
	{ "inv3_mac_of_one_host", inv3_mac_of_one_host, FMP_LAYERS },
	{ "inv3_link_local_on_two_links", inv3_link_local_on_two_links, FMP_LAYERS },
	{ "inv3_own_packets", inv3_own_packets, FMP_LAYERS },
	{ "inv3_moved_away", inv3_moved_away, FMP_LAYERS },
	{ "inv3_many_neighbours", inv3_many_neighbours, FMP_LAYERS },
	{ "inv3_router", inv3_router, FMP_LAYERS },
	{ "inv3_offlink", inv3_offlink, FMP_LAYERS },
	{ "inv3_own", inv3_own, FMP_LAYERS },
	{ "inv3_no_full_address", inv3_no_full_address, FMP_LAYERS },
	{ "refresh_tells_what_matters", refresh_tells_what_matters, FMP_LAYERS },
	{ "inv1_set_from_the_net", inv1_set_from_the_net, FMP_LAYERS },
	{ "inv1_addresses_of_a_mac", inv1_addresses_of_a_mac, FMP_LAYERS },
	{ "inv1_learned_gateways", inv1_learned_gateways, FMP_LAYERS },
	{ "inv1_next_hop_objects", inv1_next_hop_objects, FMP_LAYERS },
};
const size_t n_net_tests = sizeof(net_tests) / sizeof(net_tests[0]);
