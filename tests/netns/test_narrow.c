// SPDX-License-Identifier: GPL-2.0
/* Limits and blocks of one port: what passes, what ends here, what takes whose place. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "suites.h"

#define MIN   60000u
#define RATE  10u
#define PORT  8080u
#define OTHER 8081u

static struct fmp_decision make_limit(const char *source, unsigned layer, uint32_t rate)
{
	struct fmp_decision d = block(source, "", FMP_LAYER_BIT(layer), 7, MIN);

	d.action_kind = FMP_ACTION_KIND_LIMIT;
	d.rate = rate;
	return d;
}

static struct fmp_decision on_port(struct fmp_decision d, uint16_t port)
{
	d.dest_port = port;
	return d;
}

static struct fmp_decision make_unblock(struct fmp_decision d)
{
	d.action = FMP_ACTION_UNBLOCK;
	return d;
}

static uint64_t count_dropped(struct fmp_enforcer *e, unsigned layer)
{
	struct fmp_layer_stats s;

	CHECK_EQ(fmp_enforcer_stats(e, layer, &s, NULL), 0);
	return s.dropped;
}

/* ---- limits ---- */

/* A hundred pings in a second and a bit, of which a burst and the rate pass. */
static void limited_pings(struct fmp_enforcer *e, unsigned layer, const char *source,
			  const char *ping)
{
	struct fmp_decision d = make_limit(source, layer, RATE);
	uint64_t before, gone;
	struct fmp_rule r;

	CHECK(peer_reaches(ping));
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, source, &r));
	CHECK_EQ(r.rate, RATE);
	CHECK_EQ(r.id, 7);
	before = count_dropped(e, layer);
	CHECK_EQ(in_peer("ping -n -q -c 100 -i 0.01 -W 0.5 %s", ping), 0);
	gone = count_dropped(e, layer) - before;
	/* A machine under load takes longer for them: then more of them pass. */
	CHECK(gone >= 45 && gone <= 95);
	CHECK(find_block(e, layer, source, &r));
	CHECK_EQ(r.frames, gone);
	d = make_unblock(d);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 0);
	before = count_dropped(e, layer);
	CHECK_EQ(in_peer("ping -n -q -c 20 -i 0.01 -W 0.5 %s", ping), 0);
	CHECK_EQ(count_dropped(e, layer), before);
}

static void a_limit_lets_its_rate_pass(unsigned layer)
{
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	limited_pings(e, layer, "10.9.0.2", "10.9.0.1");
	limited_pings(e, layer, "fd09::/64", "fd09::1");
	fmp_enforcer_free(e);
}

static void slow_is_not_limited(unsigned layer)
{
	struct fmp_decision d = make_limit("10.9.0.2", layer, 50);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(in_peer("ping -n -q -c 20 -i 0.05 -W 0.5 10.9.0.1"), 0);
	CHECK_EQ(count_dropped(e, layer), 0);
	fmp_enforcer_free(e);
}

static void inv1_a_protected_host_is_not_limited(unsigned layer)
{
	struct fmp_protect_entry set = { addr("10.9.0.2"), FMP_PROTECT_MANUAL };
	struct fmp_decision d = make_limit("10.9.0.2", layer, 1);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_FAILED);
	/* Put in while it was not protected: the kernel asks again in front of the drop. */
	CHECK_EQ(fmp_enforcer_protect(e, NULL, 0, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(in_peer("ping -n -q -c 20 -i 0.01 -W 0.5 10.9.0.1"), 0);
	CHECK_EQ(count_dropped(e, layer), 0);
	fmp_enforcer_free(e);
}

static void a_limit_needs_a_rate(unsigned layer)
{
	struct fmp_decision d = make_limit("10.9.0.2", layer, 0);
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_FAILED);
	CHECK_EQ(count_blocks(e, layer), 0);
	fmp_enforcer_free(e);
}

/* ---- ports ---- */

static int listen_on(int type, uint16_t port)
{
	struct sockaddr_in6 sa = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
	int fd = socket(AF_INET6, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	CHECK(fd >= 0);
	CHECK_EQ(bind(fd, (struct sockaddr *)&sa, sizeof(sa)), 0);
	if (type == SOCK_STREAM)
		CHECK_EQ(listen(fd, 8), 0);
	return fd;
}

static bool can_connect(const char *ip, unsigned port)
{
	return !in_peer("timeout 0.4 bash -c \"exec 3<>/dev/tcp/%s/%u\"", ip, port);
}

static bool datagram_comes(int fd, const char *ip, unsigned port)
{
	char byte;

	for (int i = 0; i < 3; i++) {
		in_peer("bash -c \"echo x >/dev/udp/%s/%u\"", ip, port);
		if (recv(fd, &byte, 1, 0) == 1)
			return true;
	}
	return false;
}

static void one_port_is_closed(struct fmp_enforcer *e, unsigned layer, const char *source,
			       const char *ip, const int *udp)
{
	struct fmp_decision d = on_port(block(source, "", FMP_LAYER_BIT(layer), 9, MIN), PORT);
	struct fmp_rule r;

	CHECK(peer_reaches(ip));
	CHECK(can_connect(ip, PORT) && datagram_comes(udp[0], ip, PORT));
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, source, &r));
	CHECK_EQ(r.dest_port, PORT);
	CHECK_EQ(r.rate, 0);
	CHECK(!can_connect(ip, PORT));
	CHECK(!datagram_comes(udp[0], ip, PORT));
	CHECK(can_connect(ip, OTHER));
	CHECK(datagram_comes(udp[1], ip, OTHER));
	CHECK(peer_reaches(ip));
	CHECK(find_block(e, layer, source, &r));
	CHECK(r.frames >= 4);
	d = make_unblock(d);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 0);
	CHECK(can_connect(ip, PORT) && datagram_comes(udp[0], ip, PORT));
}

static void a_port_is_blocked_alone(unsigned layer)
{
	const int udp[2] = { listen_on(SOCK_DGRAM, PORT), listen_on(SOCK_DGRAM, OTHER) };
	struct fmp_enforcer *e;

	listen_on(SOCK_STREAM, PORT);
	listen_on(SOCK_STREAM, OTHER);
	peer_start();
	e = enforcer(layer);
	one_port_is_closed(e, layer, "10.9.0.2", "10.9.0.1", udp);
	one_port_is_closed(e, layer, "fd09::/64", "fd09::1", udp);
	fmp_enforcer_free(e);
}

static void a_port_is_limited_alone(unsigned layer)
{
	struct fmp_decision d = on_port(make_limit("10.9.0.2", layer, RATE), PORT);
	int udp[2] = { listen_on(SOCK_DGRAM, PORT), listen_on(SOCK_DGRAM, OTHER) }, n[2] = { 0 };
	struct fmp_enforcer *e;
	struct fmp_rule r;
	char byte;

	peer_start();
	e = enforcer(layer);
	CHECK(peer_reaches("10.9.0.1"));
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.2", &r));
	CHECK(r.dest_port == PORT && r.rate == RATE);
	CHECK_EQ(in_peer("bash -c \"exec 3>/dev/udp/10.9.0.1/%u 4>/dev/udp/10.9.0.1/%u; "
			 "for i in {1..60}; do echo x >&3; echo x >&4; done\"",
			 PORT, OTHER),
		 0);
	for (unsigned i = 0; i < 2; i++)
		while (recv(udp[i], &byte, 1, 0) == 1)
			n[i]++;
	CHECK(n[0] >= (int)RATE && n[0] <= 40);
	CHECK_EQ(n[1], 60);
	fmp_enforcer_free(e);
}

/* ---- one in the place of another ---- */

/* The first goes and the second comes in one call, which is one transaction. */
static void replace_decision(struct fmp_enforcer *e, unsigned layer,
			     const struct fmp_decision *from, const struct fmp_decision *to)
{
	struct fmp_decision both[2] = { make_unblock(*from), *to };
	struct fmp_layer_result answers[2 * FMP_LAYERS];
	struct fmp_rule r;

	CHECK_EQ(fmp_enforcer_apply(e, both, 2, answers, NULL), 0);
	CHECK_EQ(answers[FMP_LAYERS + layer].state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 1);
	CHECK(find_block(e, layer, "10.9.0.2", &r));
	CHECK_EQ(r.rate, to->action_kind == FMP_ACTION_KIND_LIMIT ? to->rate : 0);
	CHECK_EQ(r.dest_port, to->dest_port);
}

static void each_takes_the_others_place(unsigned layer)
{
	struct fmp_decision d[5] = { block("10.9.0.2", "", FMP_LAYER_BIT(layer), 1, MIN),
				     make_limit("10.9.0.2", layer, RATE) };
	struct fmp_layer_result answers[FMP_LAYERS];
	struct fmp_enforcer *e;

	d[2] = make_limit("10.9.0.2", layer, 2 * RATE);
	d[3] = on_port(d[0], PORT);
	d[4] = on_port(d[1], PORT);
	peer_start();
	e = enforcer(layer);
	for (unsigned i = 0; i < 5; i++) {
		for (unsigned k = 0; k < 5; k++) {
			CHECK_EQ(fmp_enforcer_apply(e, &d[i], 1, answers, NULL), 0);
			replace_decision(e, layer, &d[i], &d[k]);
			d[k] = make_unblock(d[k]);
			CHECK_EQ(apply(e, &d[k], layer).state, FMP_LAYER_RESULT_ENFORCED);
			d[k].action = FMP_ACTION_BLOCK;
			CHECK_EQ(count_blocks(e, layer), 0);
		}
	}
	fmp_enforcer_free(e);
}

static void inv5_narrowed_blocks_are_mended(unsigned layer)
{
	const char *family = layer == FMP_LAYER_IP ? "inet" : "netdev";
	struct fmp_decision d[3] = { make_limit("10.9.0.2", layer, RATE),
				     on_port(make_limit("10.9.0.3", layer, RATE), PORT),
				     block("10.9.0.4", "", FMP_LAYER_BIT(layer), 1, MIN) };
	struct fmp_layer_result answers[3 * FMP_LAYERS];
	struct fmp_reconciled r;
	struct fmp_enforcer *e;
	struct fmp_rule rule;

	d[2].dest_port = PORT;
	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_apply(e, d, 3, answers, NULL), 0);
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 3, true, &r, NULL), 0);
	CHECK(r.wanted[layer] == 3 && r.enforced[layer] == 3 && !r.repaired[layer]);
	must("nft delete element %s fmp port4_32 \"{ 10.9.0.4 . %u }\"", family, PORT);
	must("nft add element %s fmp portlimit4_32 \"{ 10.9.0.4 . 1 }\"", family);
	d[0].rate = 2 * RATE;
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 3, true, &r, NULL), 0);
	CHECK_EQ(r.enforced[layer], 1);
	CHECK_EQ(r.foreign[layer], 1);
	CHECK_EQ(r.repaired[layer], 3);
	CHECK(find_block(e, layer, "10.9.0.2", &rule) && rule.rate == 2 * RATE);
	must("nft flush ruleset");
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 3, true, &r, NULL), 0);
	CHECK_EQ(fmp_enforcer_reconcile(e, d, 3, false, &r, NULL), 0);
	CHECK(r.enforced[layer] == 3 && !r.foreign[layer]);
	fmp_enforcer_free(e);
}

#define BOTH(f)                      \
	{ #f, f, FMP_LAYER_IP },     \
	{                            \
#f, f, FMP_LAYER_MAC \
	}

const struct test narrow_tests[] = {
	BOTH(a_limit_lets_its_rate_pass),
	BOTH(slow_is_not_limited),
	BOTH(inv1_a_protected_host_is_not_limited),
	BOTH(a_limit_needs_a_rate),
	BOTH(a_port_is_blocked_alone),
	BOTH(a_port_is_limited_alone),
	BOTH(each_takes_the_others_place),
	BOTH(inv5_narrowed_blocks_are_mended),
};
const size_t n_narrow_tests = sizeof(narrow_tests) / sizeof(narrow_tests[0]);
