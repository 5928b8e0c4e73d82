// SPDX-License-Identifier: GPL-2.0
/* The enforcer against the kernel: what it puts there, finds there, mends there. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cap-ng.h>

#include <layers/layer.h>

#include "harness.h"
#include "suites.h"

#define MIN 60000u

static unsigned layer_bit(unsigned layer)
{
	return FMP_LAYER_BIT(layer);
}

static const char *family_of(unsigned layer)
{
	return layer == FMP_LAYER_IP ? "inet" : "netdev";
}

/* A block goes in, is found with its id and time, and goes out again. */
static void block_and_unblock(unsigned layer)
{
	static const char *const sources[] = { "10.9.0.7", "fd09::/64", "198.51.100.0/24",
					       "fd10::5", "203.0.112.0/20" };
	struct fmp_enforcer *e;
	struct fmp_rule r;

	peer_start();
	e = enforcer(layer);
	for (unsigned i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct fmp_decision d = block(sources[i], "", layer_bit(layer), 40 + i, 5 * MIN);

		CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
		CHECK(find_block(e, layer, sources[i], &r));
		CHECK_EQ(r.id, 40 + i);
		CHECK(r.left_ms > 4 * MIN && r.left_ms <= 5 * MIN);
		CHECK_EQ(count_blocks(e, layer), i + 1);
	}
	for (unsigned i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
		struct fmp_decision d = unblock(sources[i], "", layer_bit(layer));

		CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
		CHECK(!find_block(e, layer, sources[i], NULL));
	}
	CHECK_EQ(count_blocks(e, layer), 0);
	fmp_enforcer_free(e);
}

static void mac_goes_along(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "02:00:00:00:00:07", layer_bit(layer), 7, MIN);
	struct fmp_decision m = block("02:00:00:00:00:08", "", layer_bit(layer), 8, 0);
	struct fmp_enforcer *e;
	struct fmp_rule r;
	bool macs = layer != FMP_LAYER_IP;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", NULL));
	CHECK_EQ(find_block(e, layer, "02:00:00:00:00:07", NULL), macs);
	/* A MAC alone is nothing to the layer of IP addresses. */
	CHECK_EQ(apply(e, &m, layer).state,
		 macs ? FMP_LAYER_RESULT_ENFORCED : FMP_LAYER_RESULT_NONE);
	if (macs) {
		CHECK(find_block(e, layer, "02:00:00:00:00:08", &r));
		CHECK_EQ(r.left_ms, 0);
	}
	d.action = FMP_ACTION_UNBLOCK;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), macs ? 1 : 0);
	fmp_enforcer_free(e);
}

static void renewing_takes_the_new_time(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "", layer_bit(layer), 1, MIN);
	struct fmp_enforcer *e;
	struct fmp_rule r;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	d.id = 2;
	d.duration_ms = 10 * MIN;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", &r));
	CHECK_EQ(r.id, 2);
	CHECK(r.left_ms > 9 * MIN);
	d.id = 3;
	d.duration_ms = 0;
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", &r));
	CHECK_EQ(r.left_ms, 0);
	CHECK_EQ(count_blocks(e, layer), 1);
	fmp_enforcer_free(e);
}

static void unblocking_nothing_is_done(unsigned layer)
{
	static const char *const sources[] = { "10.9.0.7", "192.0.2.0/25", "02:00:00:00:00:07" };
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	for (int i = 0; i < (layer == FMP_LAYER_IP ? 2 : 3); i++) {
		struct fmp_decision d = unblock(sources[i], "", layer_bit(layer));

		CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	}
	CHECK_EQ(count_blocks(e, layer), 0);
	fmp_enforcer_free(e);
}

/* The decision with the rule's id has the rule's address: it is found, its id is 0 now. */
static int tick_off(const struct fmp_rule *r, void *ctx)
{
	struct fmp_decision *d = ctx;

	CHECK(r->id > 0 && r->id <= 32 + 128);
	CHECK(fmp_addr_equal(&r->addr, &d[r->id - 1].source));
	d[r->id - 1].id = 0;
	return 0;
}

static void every_prefix_length(unsigned layer)
{
	struct fmp_decision d[32 + 128];
	struct fmp_layer_result answers[FMP_LAYERS * (32 + 128)];
	struct fmp_enforcer *e;
	size_t n = 0;

	peer_start();
	e = enforcer(layer);
	for (uint8_t len = 1; len <= 128; len++) {
		struct fmp_addr a = addr("41.255.255.255"), b = addr("2fff:ffff:ffff:ffff:ffff:"
								     "ffff:ffff:ffff");

		/* A half or a quarter of all addresses holds loopback. */
		if (len >= 3 && len <= 32) {
			d[n] = block("10.9.0.7", "", layer_bit(layer), n + 1, MIN);
			d[n++].source = fmp_addr_mask(a, len);
		}
		if (len >= 3) {
			d[n] = block("10.9.0.7", "", layer_bit(layer), n + 1, MIN);
			d[n++].source = fmp_addr_mask(b, len);
		}
	}
	CHECK_EQ(fmp_enforcer_apply(e, d, n, answers, NULL), 0);
	CHECK_EQ(fmp_enforcer_dump(e, layer, tick_off, d, NULL), 0);
	for (size_t i = 0; i < n; i++) {
		char text[FMP_ADDR_STRLEN];

		if (d[i].id)
			fail_at(__FILE__, __LINE__, "no block of %s",
				fmp_addr_format(&d[i].source, text, sizeof(text)));
	}
	CHECK_EQ(count_blocks(e, layer), n);
	if (layer != FMP_LAYER_PREMAC)
		must("nft list ruleset");
	fmp_enforcer_free(e);
}

static void inv10_blocks_survive_a_restart(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "", layer_bit(layer), 42, 5 * MIN);
	struct fmp_decision p = block("198.51.100.0/23", "", layer_bit(layer), 43, 0);
	struct fmp_enforcer *e;
	struct fmp_rule before, after;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(apply(e, &p, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", &before));
	fmp_enforcer_free(e);
	usleep(50000);
	e = enforcer(layer);
	CHECK(find_block(e, layer, "10.9.0.7", &after));
	CHECK_EQ(after.id, 42);
	/* The time goes on; it does not start anew. */
	CHECK(after.left_ms < before.left_ms && after.left_ms > 4 * MIN);
	CHECK(find_block(e, layer, "198.51.100.0/23", &after));
	CHECK_EQ(after.id, 43);
	CHECK_EQ(after.left_ms, 0);
	fmp_enforcer_free(e);
}

static void inv1_protected_is_refused(unsigned layer)
{
	struct fmp_protect_entry set[] = { { addr("10.9.0.7"), FMP_PROTECT_GATEWAY },
					   { addr("02:00:00:00:00:07"), FMP_PROTECT_GATEWAY } };
	struct fmp_decision d = block("10.9.0.7", "", layer_bit(layer), 1, MIN);
	struct fmp_decision wide = block("10.9.0.0/24", "", layer_bit(layer), 2, MIN);
	struct fmp_decision by_mac =
		block("10.9.0.8", "02:00:00:00:00:07", layer_bit(layer), 3, MIN);
	struct fmp_decision own = block("127.0.0.1", "", layer_bit(layer), 4, MIN);
	struct fmp_enforcer *e;
	struct fmp_layer_result a;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, set, 2, NULL), 0);
	a = apply(e, &d, layer);
	CHECK_EQ(a.state, FMP_LAYER_RESULT_FAILED);
	CHECK_EQ(a.sys_errno, EPERM);
	CHECK(!strcmp(a.text, "protected: 10.9.0.7 (gateway)"));
	CHECK_EQ(apply(e, &wide, layer).sys_errno, EPERM);
	CHECK_EQ(apply(e, &own, layer).sys_errno, EPERM);
	CHECK_EQ(count_blocks(e, layer), 0);
	/* The source is blocked, its router's MAC is not. */
	CHECK_EQ(apply(e, &by_mac, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), 1);
	fmp_enforcer_free(e);
}

static void senseless_is_refused(unsigned layer)
{
	struct fmp_decision d[2] = { block("10.9.0.7", "", layer_bit(layer), 1, MIN),
				     block("02:00:00:00:00:07", "", layer_bit(layer), 2, MIN) };
	struct fmp_enforcer *e;

	peer_start();
	e = enforcer(layer);
	d[0].source = (struct fmp_addr){ .family = FMP_FAMILY_IPV4 };
	d[1].source = fmp_addr_mask(d[1].source, 24);
	for (int i = 0; i < 2; i++) {
		struct fmp_layer_result a = apply(e, &d[i], layer);

		CHECK_EQ(a.state, FMP_LAYER_RESULT_FAILED);
		CHECK(a.sys_errno == EINVAL || a.sys_errno == EPERM);
	}
	CHECK_EQ(count_blocks(e, layer), 0);
	fmp_enforcer_free(e);
}

static void a_thousand_at_once(unsigned layer)
{
	enum {
		N = 1000
	};
	struct fmp_decision *d = calloc(N, sizeof(*d));
	struct fmp_layer_result *answers = calloc(N * FMP_LAYERS, sizeof(*answers));
	struct fmp_protect_entry set = { addr("100.64.1.5"), FMP_PROTECT_POLICY };
	struct timespec t0, t1;
	struct fmp_enforcer *e;

	CHECK(d && answers);
	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	for (unsigned i = 0; i < N; i++) {
		d[i] = block("10.9.0.7", "02:00:00:00:00:07", layer_bit(layer), i + 1, MIN);
		d[i].source = fmp_addr_ipv4((const uint8_t[]){ 100, 64, i >> 8, i & 255 });
		d[i].mac.bytes[4] = (uint8_t)(i >> 8);
		d[i].mac.bytes[5] = (uint8_t)i;
	}
	clock_gettime(CLOCK_MONOTONIC, &t0);
	CHECK_EQ(fmp_enforcer_apply(e, d, N, answers, NULL), 1);
	clock_gettime(CLOCK_MONOTONIC, &t1);
	printf("   1000 decisions: %.1f ms\n",
	       (double)(t1.tv_sec - t0.tv_sec) * 1e3 + (double)(t1.tv_nsec - t0.tv_nsec) / 1e6);
	for (unsigned i = 0; i < N; i++)
		CHECK_EQ(answers[i * FMP_LAYERS + layer].state,
			 i == 256 + 5 ? FMP_LAYER_RESULT_FAILED : FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(count_blocks(e, layer), layer == FMP_LAYER_IP ? N - 1 : 2 * (N - 1));
	fmp_enforcer_free(e);
	free(d);
	free(answers);
}

/* inv4: the kernel's refusal is the answer of that change alone, the others are in force. */
static void inv4_one_refusal_spoils_nothing(unsigned layer)
{
	struct fmpi_change c[5] = {
		{ .addr = addr("10.9.0.5"), .block = true, .left_ms = MIN },
		{ .addr = addr("10.9.0.6"), .block = true, .left_ms = UINT64_MAX },
		{ .addr = addr("10.9.0.7"), .block = true, .left_ms = MIN },
		{ .addr = addr("10.9.0.8"), .block = true, .left_ms = UINT64_MAX },
		{ .addr = addr("10.9.0.9"), .block = true, .left_ms = MIN }
	};
	static const char device[1][16] = { "v0" };
	struct fmp_enforcer *e;
	struct fmpi_layer *l;

	peer_start();
	e = enforcer(layer);
	if (layer == FMP_LAYER_PREMAC)
		CHECK_EQ(fmpi_premac_open(device, 1, 0, &l, NULL), 0);
	else
		CHECK_EQ(fmpi_nft_open(layer, device, 1, &l, NULL), 0);
	CHECK_EQ(fmpi_layer_apply(l, NULL, 0, c, 5), 1);
	for (int i = 0; i < 5; i++) {
		CHECK(c[i].done);
		CHECK_EQ(c[i].result.sys_errno != 0, i % 2);
		CHECK_EQ(c[i].result.text[0] != '\0', i % 2);
	}
	CHECK_EQ(count_blocks(e, layer), 3);
	l->ops->free(l);
	fmp_enforcer_free(e);
}

static void teardown_leaves_nothing(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "", layer_bit(layer), 42, 5 * MIN);
	struct fmp_protect_entry set = { addr("10.9.0.1"), FMP_PROTECT_OWN };
	struct fmp_enforcer *e;
	char *text;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(fmp_enforcer_teardown(e, NULL), 0);
	CHECK_EQ(fmp_enforcer_layers(e), 0);
	text = output_of("nft list ruleset");
	CHECK(!*text);
	free(text);
	/* Twice is no error. */
	CHECK_EQ(fmp_enforcer_teardown(e, NULL), 0);
	fmp_enforcer_free(e);
	e = enforcer(layer);
	CHECK_EQ(count_blocks(e, layer), 0);
	fmp_enforcer_free(e);
}

static void inv10_foreign_tables_are_untouched(unsigned layer)
{
	struct fmp_decision d = block("10.9.0.7", "", layer_bit(layer), 42, 5 * MIN);
	struct fmp_protect_entry set = { addr("10.9.0.1"), FMP_PROTECT_OWN };
	struct fmp_reconciled sum;
	struct fmp_enforcer *e;
	char *before, *after;

	peer_start();
	must("nft 'table inet fmp2 { set block4_32 { type ipv4_addr; elements = { 192.0.2.1 }; }; "
	     "chain blocked { type filter hook prerouting priority -450; ip saddr @block4_32 drop; }; }'");
	must("nft 'table ip fmp { counter blocked { }; chain verdict { counter accept; }; }'");
	before = output_of("nft list ruleset");
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, &set, 1, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(fmp_enforcer_reconcile(e, NULL, 0, true, &sum, NULL), 0);
	after = output_of("nft list table inet fmp2; nft list table ip fmp");
	CHECK(!strcmp(before, after));
	CHECK_EQ(fmp_enforcer_teardown(e, NULL), 0);
	free(after);
	after = output_of("nft list ruleset");
	CHECK(!strcmp(before, after));
	fmp_enforcer_free(e);
	free(before);
	free(after);
}

static bool contains_text(const char *text, const char *part)
{
	return strstr(text, part);
}

static void nft_shows_what_we_made(unsigned layer)
{
	struct fmp_decision d =
		block("10.9.0.7", "02:00:00:00:00:07", layer_bit(layer), 42, 5 * MIN);
	struct fmp_decision v6 = block("fd09:1::/64", "", layer_bit(layer), 43, 5 * MIN);
	struct fmp_protect_entry set[] = { { addr("10.9.0.1"), FMP_PROTECT_OWN },
					   { addr("02:00:00:00:09:01"), FMP_PROTECT_OWN },
					   { addr("127.0.0.1"), FMP_PROTECT_OWN } };
	struct fmp_enforcer *e;
	char *text;

	peer_start();
	e = enforcer(layer);
	CHECK_EQ(fmp_enforcer_protect(e, set, 3, NULL), 0);
	CHECK_EQ(apply(e, &d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK_EQ(apply(e, &v6, layer).state, FMP_LAYER_RESULT_ENFORCED);
	text = output_of("nft list table %s fmp", family_of(layer));
	CHECK(contains_text(text, "type ipv4_addr") && contains_text(text, "type ipv6_addr"));
	CHECK(contains_text(text, "10.9.0.7 counter packets 0 bytes 0 timeout 5m"));
	CHECK(contains_text(text, "comment \"fmp 42\"") &&
	      contains_text(text, "comment \"fmp 43\""));
	CHECK(contains_text(text, "fd09:1:: counter"));
	CHECK(contains_text(text, "ip saddr @block4_32 goto verdict"));
	CHECK(contains_text(text, "ip6 saddr & ffff:ffff:ffff:ffff:: == @block6_64 goto verdict"));
	CHECK(contains_text(text, "ip saddr @protect4_32 counter name \"protected\" accept"));
	CHECK(contains_text(text, "counter name \"blocked\" drop"));
	CHECK(contains_text(text, "elements = { 10.9.0.1 }"));
	CHECK(!contains_text(text, "127.0.0.1"));
	if (layer == FMP_LAYER_MAC) {
		CHECK(contains_text(text, "hook ingress device \"v0\" priority -500"));
		CHECK(contains_text(text, "ether saddr @block_mac goto verdict"));
		CHECK(contains_text(text, "02:00:00:00:00:07 counter"));
		CHECK(contains_text(text, "arp saddr ip @protect4_32"));
	} else {
		CHECK(contains_text(text, "hook prerouting priority -450"));
	}
	free(text);
	/* A protected address that is none any more leaves no empty set to be asked. */
	CHECK_EQ(fmp_enforcer_protect(e, set, 0, NULL), 0);
	text = output_of("nft list table %s fmp", family_of(layer));
	CHECK(!contains_text(text, "protect4_32") && contains_text(text, "block4_32"));
	free(text);
	/* nft takes its own listing back: nothing in it is beyond its words. */
	must("nft list table %s fmp | sed 's/ expires [^ ]*//' | nft -c -f -", family_of(layer));
	fmp_enforcer_free(e);
}

/* What nft lists and puts back is told from what an enforcer put there, though both have the same comment. */
static void nft_puts_back_what_is_not_our_own(unsigned layer)
{
	const struct fmp_decision d[] = { block("10.9.0.7", "", layer_bit(layer), 42, 5 * MIN),
					  block("10.9.0.8", "", layer_bit(layer), 0, 0) };
	const char *family = family_of(layer);
	struct fmp_enforcer *e;
	struct fmp_rule r;

	peer_start();
	e = enforcer(layer);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQ(apply(e, &d[i], layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", &r) && r.id == 42 && r.is_own);
	CHECK(find_block(e, layer, "10.9.0.8", &r) && r.id == 0 && r.is_own);
	must("saved=$(nft list table %s fmp | sed 's/ expires [^ ]*//') && nft delete table %s fmp && "
	     "echo \"$saved\" | nft -f -",
	     family, family);
	CHECK(find_block(e, layer, "10.9.0.7", &r) && r.id == 42 && !r.is_own);
	CHECK(find_block(e, layer, "10.9.0.8", &r) && !r.is_own);
	/* Once it is taken away and put there again it is. */
	must("nft delete element %s fmp block4_32 '{ 10.9.0.7 }'", family);
	CHECK_EQ(apply(e, &d[0], layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(find_block(e, layer, "10.9.0.7", &r) && r.is_own);
	fmp_enforcer_free(e);
}

/* A device that is no longer named is left alone, one that is named now is not. */
static void other_devices_after_a_restart(unsigned layer)
{
	static const char before[3][16] = { "v0", "old0", "none0" },
			  after[2][16] = { "v0", "new0" };
	struct fmp_enforcer_config cfg = { .layers = layer_bit(layer),
					   .devices = before,
					   .n_devices = 3 };
	struct fmp_enforcer *e;
	char *text;

	peer_start();
	must("ip link add old0 type veth peer name old1 && ip link add new0 type veth peer name new1");
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK_EQ(fmp_enforcer_layers(e), layer_bit(layer));
	fmp_enforcer_free(e);
	text = output_of("nft list table netdev fmp");
	CHECK(contains_text(text, "device \"v0\"") && contains_text(text, "device \"old0\""));
	CHECK(!contains_text(text, "none0") && !contains_text(text, "new0"));
	free(text);
	cfg = (struct fmp_enforcer_config){ .layers = layer_bit(layer),
					    .devices = after,
					    .n_devices = 2 };
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	text = output_of("nft list table netdev fmp");
	CHECK(contains_text(text, "device \"v0\"") && contains_text(text, "device \"new0\""));
	CHECK(!contains_text(text, "old0"));
	free(text);
	fmp_enforcer_free(e);
}

/* What a device is left out of goes from it at once; out of the last one, with all its blocks. */
static void devices_left_out(unsigned layer)
{
	static const char devices[2][16] = { "v0", "guest0" };
	const unsigned all[2] = { FMP_LAYERS_ALL, FMP_LAYERS_ALL },
		       one[2] = { FMP_LAYERS_ALL, layer_bit(FMP_LAYER_IP) },
		       none[2] = { layer_bit(FMP_LAYER_IP), layer_bit(FMP_LAYER_IP) };
	struct fmp_enforcer_config cfg = {
		.layers = layer_bit(layer), .devices = devices, .device_layers = all, .n_devices = 2
	};
	struct fmp_enforcer *e;
	char *text;

	peer_start();
	must("ip link add guest0 type veth peer name guest1");
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	fmp_enforcer_free(e);
	text = output_of("nft list table netdev fmp");
	CHECK(contains_text(text, "device \"v0\"") && contains_text(text, "device \"guest0\""));
	free(text);
	cfg.device_layers = one;
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK(contains_text(fmp_enforcer_why(e, layer), "v0") &&
	      !contains_text(fmp_enforcer_why(e, layer), "guest0"));
	fmp_enforcer_free(e);
	text = output_of("nft list table netdev fmp");
	CHECK(contains_text(text, "device \"v0\"") && !contains_text(text, "guest0"));
	free(text);
	cfg.device_layers = none;
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK_EQ(fmp_enforcer_layers(e), 0);
	CHECK(contains_text(fmp_enforcer_why(e, layer), "left out on every device"));
	fmp_enforcer_free(e);
	text = output_of("nft list ruleset");
	CHECK(!*text);
	free(text);
}

static int find_guest(const struct fmp_device *dev, void *ctx)
{
	if (!strcmp(dev->name, "guest0") && strcmp(dev->hook, "none"))
		*(bool *)ctx = true;
	return 0;
}

/* Is the module on guest0? */
static bool has_guest(struct fmp_enforcer *e)
{
	bool found = false;

	CHECK_EQ(fmp_enforcer_devices(e, find_guest, &found, NULL), 0);
	return found;
}

static void module_leaves_device(unsigned layer)
{
	static const char devices[2][16] = { "v0", "guest0" };
	const unsigned one[2] = { FMP_LAYERS_ALL, layer_bit(FMP_LAYER_IP) };
	struct fmp_enforcer_config cfg = { .layers = layer_bit(layer),
					   .devices = devices,
					   .n_devices = 2 };
	struct fmp_enforcer *e;

	peer_start();
	must("ip link add guest0 type veth peer name guest1");
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK(has_guest(e));
	fmp_enforcer_free(e);
	cfg.device_layers = one;
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK_EQ(fmp_enforcer_layers(e), layer_bit(layer));
	CHECK(!has_guest(e) && contains_text(fmp_enforcer_why(e, layer), "v0"));
	fmp_enforcer_free(e);
}

static void without_rights_it_says_so(unsigned layer)
{
	static const char device[1][16] = { "v0" };
	struct fmp_enforcer_config cfg = { .layers = FMP_LAYERS_ALL,
					   .devices = device,
					   .n_devices = 1 };
	static const char missing[] =
		"Operation not permitted: it needs CAP_NET_ADMIN: start as root, or grant it";
	struct fmp_decision d = block("10.9.0.7", "", FMP_LAYERS_ALL, 1, MIN);
	struct fmp_enforcer *e;
	struct fmp_net *net;

	peer_start();
	capng_clear(CAPNG_SELECT_CAPS);
	CHECK(!capng_apply(CAPNG_SELECT_CAPS));
	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	CHECK_EQ(fmp_enforcer_layers(e), 0);
	CHECK(contains_text(fmp_enforcer_why(e, FMP_LAYER_IP), missing));
	CHECK(contains_text(fmp_enforcer_why(e, FMP_LAYER_MAC), missing));
	CHECK(contains_text(fmp_enforcer_why(e, FMP_LAYER_PREMAC), "not loaded") ||
	      contains_text(fmp_enforcer_why(e, FMP_LAYER_PREMAC), missing) ||
	      contains_text(fmp_enforcer_why(e, FMP_LAYER_PREMAC),
			    "CAP_NET_ADMIN is needed in the user namespace of this network "
			    "namespace: start as root, or grant it"));
	CHECK_EQ(apply(e, &d, FMP_LAYER_IP).state, FMP_LAYER_RESULT_NONE);
	fmp_enforcer_free(e);
	/* Looking needs no right. */
	CHECK_EQ(fmp_net_new(&net, NULL), 0);
	fmp_net_free(net);
}

static void observing_enforces_nothing(unsigned layer)
{
	struct fmp_enforcer_config cfg = { 0 };
	struct fmp_decision d = block("10.9.0.7", "", FMP_LAYERS_ALL, 1, MIN);
	struct fmp_enforcer *e;
	char *text;

	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		CHECK_EQ(apply(e, &d, l).state, FMP_LAYER_RESULT_OBSERVED);
	text = output_of("nft list ruleset");
	CHECK(!*text);
	free(text);
	fmp_enforcer_free(e);
}

const struct test enforce_tests[] = {
	EACH_LAYER(block_and_unblock),
	EACH_LAYER(mac_goes_along),
	EACH_LAYER(renewing_takes_the_new_time),
	EACH_LAYER(unblocking_nothing_is_done),
	EACH_LAYER(every_prefix_length),
	EACH_LAYER(inv10_blocks_survive_a_restart),
	EACH_LAYER(inv1_protected_is_refused),
	EACH_LAYER(senseless_is_refused),
	EACH_LAYER(a_thousand_at_once),
	EACH_LAYER(inv4_one_refusal_spoils_nothing),
	EACH_LAYER(teardown_leaves_nothing),
	EACH_LAYER(inv10_foreign_tables_are_untouched),
	NFT_LAYERS(nft_shows_what_we_made),
	NFT_LAYERS(nft_puts_back_what_is_not_our_own),
	{ "other_devices_after_a_restart", other_devices_after_a_restart, FMP_LAYER_MAC },
	{ "devices_left_out", devices_left_out, FMP_LAYER_MAC },
	{ "module_leaves_device", module_leaves_device, FMP_LAYER_PREMAC },
	{ "without_rights_it_says_so", without_rights_it_says_so, FMP_LAYERS },
	{ "observing_enforces_nothing", observing_enforces_nothing, FMP_LAYERS },
};
const size_t n_enforce_tests = sizeof(enforce_tests) / sizeof(enforce_tests[0]);
