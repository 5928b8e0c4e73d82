/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The block list as a program for the Android Packet Filter (APF), which firmware of Wi-Fi chips
 * runs on each frame that it receives: it drops what the kernel module would stop, before the main
 * processor wakes up.
 */
#ifndef FMP_APF_H
#define FMP_APF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <fmp/error.h>
#include <fmp/source.h>

/** Maximum number of rules of a program, as the module's table. */
#define FMP_APF_RULES_MAX 65536u

/** Sizes of program memory that each device has which offers the version at all. */
#define FMP_APF_SIZE_V4	 1024u
#define FMP_APF_SIZE_V6	 2000u
#define FMP_APF_SIZE_MAX 65535u

/**
 * Counters of an APFv6 program: big-endian u32, N words before the end of program memory. The
 * interpreter uses those below 7 itself, 2 for all frames.
 */
enum fmp_apf_counter {
	FMP_APF_COUNTER_MAC = 7, /**< dropped by MAC address */
	FMP_APF_COUNTER_IPV4 = 8, /**< by IPv4 address, in IPv4 or ARP */
	FMP_APF_COUNTER_IPV6 = 9,
};

/** struct fmp_apf_rule - a block, or an address that blocks must not touch */
struct fmp_apf_rule {
	struct fmp_addr addr; /**< IP address, prefix or MAC */
	struct fmp_addr pair_mac; /**< block the IP address only in frames of this MAC; {0}: in any */
	bool protect; /**< passes even if its MAC, its IP address or the pair is blocked */
	uint32_t left_s; /**< the block ends so many seconds after the installation; 0: never */
	bool left_out; /**< out: there was no room for it */
};

struct fmp_apf_config {
	unsigned version; /**< 4 or 6 */
	size_t max_size; /**< of program memory; APFv6 needs 36 bytes of it for counters */
	/** if not all fits: leave out the blocks with the least time left, as the module does; false:
	 * fail */
	bool truncate;
};

/** struct fmp_apf_program - free(bytes) */
struct fmp_apf_program {
	uint8_t *bytes;
	size_t len;
	size_t n_blocks; /**< blocks in it */
	size_t n_left_out; /**< blocks left out */
};

/**
 * fmp_apf_compile() - make a program that drops the frames that the module stops by these rules
 *
 * A frame of 14 bytes or less, which no network has, passes: interpreters refuse to look at it.
 * Return: 0; FMP_ERR_LIMIT: does not fit; FMP_ERR_INVALID; FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmp_apf_compile(struct fmp_apf_rule *rules, size_t n,
				   const struct fmp_apf_config *cfg, struct fmp_apf_program *out,
				   struct fmp_error *err);

/**
 * fmp_apf_disassemble() - print a program, one instruction a line
 *
 * Any bytes may be given: what is no instruction is printed as such.
 */
void fmp_apf_disassemble(const uint8_t *bytes, size_t len, FILE *to);

#endif
