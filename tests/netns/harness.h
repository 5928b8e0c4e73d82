/* SPDX-License-Identifier: GPL-2.0 */
/* Each test is a process of its own in a network namespace of its own. */
#ifndef FMP_TESTS_NETNS_HARNESS_H
#define FMP_TESTS_NETNS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/enforce.h>

/* Ends the test. */
_Noreturn void fail_at(const char *file, int line, const char *fmt, ...) FMP_PRINTF(3, 4);
#define CHECK(cond)                                               \
	do {                                                      \
		if (!(cond))                                      \
			fail_at(__FILE__, __LINE__, "%s", #cond); \
	} while (0)
#define CHECK_EQ(a, b)                                                                            \
	do {                                                                                      \
		long long a_ = (long long)(a), b_ = (long long)(b);                               \
		if (a_ != b_)                                                                     \
			fail_at(__FILE__, __LINE__, "%s is %lld, should be %s, %lld", #a, a_, #b, \
				b_);                                                              \
	} while (0)

struct test {
	const char *name;
	void (*run)(unsigned layer);
	unsigned layer; /* the layer that it is about; FMP_LAYERS: none */
};
/*
 * Runs the tests of some layers (bits; FMP_LAYERS: of none) whose name holds one of
 * parts (ends with NULL; none: all). Return: exit status.
 */
int run_tests(const struct test *tests, size_t n, unsigned layers, char *const *parts);

/* A shell command; its output is shown only when must() fails. Return: exit status. */
int run(const char *fmt, ...) FMP_PRINTF(1, 2);
void must(const char *fmt, ...) FMP_PRINTF(1, 2);
/* What a command that must succeed prints; the caller frees it. */
char *output_of(const char *fmt, ...) FMP_PRINTF(1, 2);

/*
 * A second namespace behind a veth pair: here v0 with 10.9.0.1/24, fd09::1/64
 * and MAC 02:00:00:00:09:01; there v1 with 10.9.0.2, fd09::2, 02:00:00:00:09:02.
 */
void peer_start(void);
/* The same as run(), there. */
int in_peer(const char *fmt, ...) FMP_PRINTF(1, 2);
/* Does one of a few pings from there come back? */
bool peer_reaches(const char *address);
bool peer_is_cut_off(const char *address);

struct fmp_addr addr(const char *text);
/* A decision on the layers given; mac may be "". */
struct fmp_decision block(const char *source, const char *mac, unsigned layers,
			  unsigned long long id, unsigned long long ms);
struct fmp_decision unblock(const char *source, const char *mac, unsigned layers);

/* An enforcer of one layer on v0. */
struct fmp_enforcer *enforcer(unsigned layer);
/* The same with one block in force, that the peer's pings of 10.9.0.1 have met. */
struct fmp_enforcer *enforcer_cutting_off(const struct fmp_decision *d, unsigned layer);
/* Applies one decision. Return: the answer of the layer. */
struct fmp_layer_result apply(struct fmp_enforcer *e, const struct fmp_decision *d, unsigned layer);
/* The block of an address as the layer has it. Return: false if it has none. */
bool find_block(struct fmp_enforcer *e, unsigned layer, const char *address, struct fmp_rule *out);
size_t count_blocks(struct fmp_enforcer *e, unsigned layer);

#endif
