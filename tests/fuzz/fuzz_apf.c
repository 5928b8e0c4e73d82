// SPDX-License-Identifier: GPL-2.0
/*
 * Programs for the Android Packet Filter, under libFuzzer: any rules are compiled, and an interpreter decides on
 * any frame as the model does. What is no program is disassembled and run without a read beyond its end.
 *
 * Input: a byte that chooses version and kind, a number of rules, the rules, and the frame.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/fmp.h>

#include <fmp/internal/apf.h>

#include "apf_run.h"
#include "model.h"

struct input {
	const uint8_t *p;
	size_t left;
};

static uint8_t take_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->p++;
}

static void take_bytes(struct input *in, uint8_t *to, size_t n)
{
	while (n--)
		*to++ = take_byte(in);
}

static void check_holds(bool ok)
{
	if (!ok)
		abort();
}

static void take_rule(struct input *in, struct model_rule *rule)
{
	unsigned kind = take_byte(in), bits;

	*rule = (struct model_rule){ .verdict = kind & 1 ? FMP_VERDICT_PROTECT
							 : FMP_VERDICT_BLOCK };
	rule->by_mac = !(kind & 2) || (kind & 8 && rule->verdict == FMP_VERDICT_BLOCK);
	if (rule->by_mac)
		take_bytes(in, rule->mac, 6);
	if (!(kind & 2))
		return;
	rule->ip = kind & 4 ? 16 : 4;
	take_bytes(in, rule->addr, rule->ip);
	bits = rule->ip * 8;
	rule->plen = (uint8_t)(kind & 16 ? take_byte(in) % (bits + 1) : bits);
	for (unsigned bit = rule->plen; bit < bits; bit++)
		rule->addr[bit / 8] &= (uint8_t) ~(0x80 >> bit % 8);
}

static struct fmp_apf_rule rule_of(const struct model_rule *m)
{
	struct fmp_apf_rule rule = { .protect = m->verdict == FMP_VERDICT_PROTECT };
	struct fmp_addr mac = fmp_addr_mac(m->mac);

	rule.addr = !m->ip ? mac : m->ip == 4 ? fmp_addr_ipv4(m->addr) : fmp_addr_ipv6(m->addr);
	if (m->ip)
		rule.addr = fmp_addr_mask(rule.addr, m->plen);
	if (m->ip && m->by_mac)
		rule.pair_mac = mac;
	return rule;
}

static char *list_program(const uint8_t *bytes, size_t len)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		return NULL;
	fmp_apf_disassemble(bytes, len, to);
	fclose(to);
	return text;
}

static void fuzz_rules(struct input *in, unsigned version)
{
	struct fmp_apf_config cfg = { .version = version, .max_size = FMP_APF_SIZE_MAX };
	struct fmp_apf_rule rules[MODEL_RULES_MAX];
	struct model m = { .rules = take_byte(in) % MODEL_RULES_MAX };
	struct fmp_apf_program p;
	struct apf_machine machine;
	enum apf_result result;
	uint8_t *frame;
	char *text;

	for (unsigned i = 0; i < m.rules; i++) {
		take_rule(in, &m.rule[i]);
		rules[i] = rule_of(&m.rule[i]);
	}
	if (in->left <= 14 || fmp_apf_compile(rules, m.rules, &cfg, &p, NULL))
		return;
	/* What is read behind its end ASan says. */
	frame = malloc(in->left);
	check_holds(frame);
	memcpy(frame, in->p, in->left);
	frame[0] |= 1; /* to all: the model stops foreign ones */
	machine = (struct apf_machine){ .version = version,
					.program = p.bytes,
					.program_len = p.len,
					.ram_len = FMP_APF_SIZE_MAX };
	result = apf_run(&machine, frame, in->left);
	check_holds(result != APF_FAULT);
	check_holds((model_evaluate(&m, frame, in->left) == MODEL_STOP) == (result == APF_DROP));
	/* No instruction of ours is unknown to our own list. */
	text = list_program(p.bytes, p.len);
	check_holds(text && !strstr(text, "unknown") && !strstr(text, "beyond"));
	free(text);
	free(p.bytes);
	free(frame);
}

static void fuzz_program(struct input *in, unsigned version)
{
	static const uint8_t frame[64];
	struct apf_machine machine = { .version = version,
				       .program = in->p,
				       .program_len = in->left,
				       .ram_len = in->left + 64 };

	free(list_program(in->p, in->left));
	apf_run(&machine, frame, sizeof(frame));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	uint8_t choice = take_byte(&in);
	unsigned version = choice & 1 ? 4 : 6;

	if (choice & 6)
		fuzz_rules(&in, version);
	else
		fuzz_program(&in, version);
	return 0;
}
