/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An interpreter of the Android Packet Filter, as its description and the reference behave: for tests of
 * what fmp compiles for it.
 */
#ifndef FMP_TESTS_APF_RUN_H
#define FMP_TESTS_APF_RUN_H

#include <stddef.h>
#include <stdint.h>

enum apf_result {
	APF_PASS,
	APF_DROP,
	/* The frame passes because the program went wrong: a bad instruction, a jump or load beyond the bounds. */
	APF_TOO_SHORT, /* a load beyond the frame */
	APF_FAULT,
};

struct apf_machine {
	unsigned version; /* 4 or 6 */
	const uint8_t *program;
	size_t program_len;
	size_t ram_len; /* of program memory, in bytes */
	uint32_t age_s; /* since the program was installed */
	uint64_t counter[16]; /* version 6: how often each was counted */
	unsigned steps; /* of the last frame */
};

enum apf_result apf_run(struct apf_machine *m, const uint8_t *packet, size_t len);

#endif
