/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What <linux/fmp.h> promises of a frame, worked out anew: by no code of the module,
 * over the whole frame, over a plain list of rules
 */
#ifndef FUZZ_MODEL_H
#define FUZZ_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL_RULES_MAX 64

/**
 * struct model_rule - a rule
 * @verdict: enum fmp_verdict
 * @by_mac: it names a MAC address
 * @ip: length of the IP address it names: 0, 4 or 16
 * @plen: significant bits of that
 * @mac: MAC address
 * @addr: IP address
 */
struct model_rule {
	uint8_t verdict;
	bool by_mac;
	uint8_t ip;
	uint8_t plen;
	uint8_t mac[6];
	uint8_t addr[16];
};

/**
 * struct model - a device and the rules in force
 * @mac: its address
 * @observe: it has FMP_DEV_F_OBSERVE
 * @rule: the rules
 * @rules: their number
 */
struct model {
	uint8_t mac[6];
	bool observe;
	struct model_rule rule[MODEL_RULES_MAX];
	unsigned int rules;
};

enum model_fate {
	MODEL_PASS,
	MODEL_OBSERVED,
	MODEL_STOP,
	MODEL_FOREIGN,
};

enum model_fate model_judge(const struct model *m, const uint8_t *frame, size_t len);

#endif /* FUZZ_MODEL_H */
