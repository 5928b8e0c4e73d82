/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The model: what <linux/fmp.h> promises for a frame, implemented without code of the
 * module, with the whole frame and a plain list of rules
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
 * @by_mac: it has a MAC address
 * @ip: length of its IP address: 0, 4 or 16
 * @plen: significant bits of the IP address
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
 * @mac: address of the device
 * @observe: the device has FMP_DEV_F_OBSERVE
 * @rule: the rules
 * @rules: their number
 */
struct model {
	uint8_t mac[6];
	bool observe;
	struct model_rule rule[MODEL_RULES_MAX];
	unsigned int rules;
};

enum model_result {
	MODEL_PASS,
	MODEL_OBSERVED,
	MODEL_STOP,
	MODEL_FOREIGN,
};

enum model_result model_evaluate(const struct model *m, const uint8_t *frame, size_t len);

#endif /* FUZZ_MODEL_H */
