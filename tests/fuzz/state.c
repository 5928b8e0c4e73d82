// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the rules by dumps
 *
 * Other programs may change rules meanwhile, and rules expire: the number of rules is
 * checked only if the generation is the same before and after a dump.
 */
#include "state.h"

#include <errno.h>
#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Upper bound for the number of rules in this test. */
#define RULES_MAX 16384
/* Tries until no rule changes during a dump, 10 ms each. */
#define TRIES	  500

/**
 * struct address - address of a rule, comparable by memcmp()
 * @kind: bit N is set if it has attribute N
 * @bytes: MAC, IPv4, IPv6
 * @plen: prefix length, 0 if there is none
 */
struct address {
	uint8_t kind;
	uint8_t bytes[26];
	uint8_t plen;
};

struct dump {
	struct address *address;
	unsigned int n;
	unsigned int timed;
	bool interrupted;
	const char *wrong;
};

static int read_stats(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr;
	struct state *st = data;

	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		switch (mnl_attr_get_type(attr)) {
		case FMP_A_RULES:
			st->rules = mnl_attr_get_u32(attr);
			break;
		case FMP_A_RULES_MAX:
			st->rules_max = mnl_attr_get_u32(attr);
			break;
		case FMP_A_GENERATION:
			st->generation = mnl_attr_get_u32(attr);
			break;
		}
	}
	return MNL_CB_OK;
}

void state_get(struct channel *ch, struct state *st)
{
	memset(st, 0, sizeof(*st));
	if (channel_request(ch, FMP_CMD_STATS_GET, NLM_F_ACK, read_stats, st))
		channel_die("STATS_GET is refused");
}

static void put_bytes(struct address *a, const struct nlattr *attr, unsigned int at)
{
	a->kind |= 1 << (mnl_attr_get_type(attr) & 7);
	memcpy(a->bytes + at, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
}

static bool has_bits_after(const uint8_t *p, unsigned int len, unsigned int plen)
{
	for (unsigned int bit = plen; bit < len * 8; bit++) {
		if (p[bit / 8] & 0x80 >> bit % 8)
			return true;
	}
	return false;
}

/* Return: NULL, or the violation of the contract. */
static const char *check_rule(const struct address *a, uint8_t verdict, uint64_t timeout)
{
	const uint8_t mac = 1 << FMP_RULE_A_MAC, v4 = 1 << FMP_RULE_A_IPV4,
		      v6 = 1 << FMP_RULE_A_IPV6;

	if (a->kind != mac && a->kind != v4 && a->kind != v6 && a->kind != (mac | v4) &&
	    a->kind != (mac | v6))
		return "a rule of no family";
	if (verdict == FMP_VERDICT_UNSPEC || verdict > FMP_VERDICT_MAX)
		return "a rule without a verdict";
	if (timeout > FMP_TIMEOUT_MAX_MS)
		return "a rule that lives too long";
	if (a->kind & mac && a->bytes[0] & 1)
		return "a rule for a group";
	if (a->kind == v4 && (!a->plen || a->plen > 32 || has_bits_after(a->bytes + 6, 4, a->plen)))
		return "an IPv4 rule with a wrong prefix";
	if (a->kind == v6 &&
	    (!a->plen || a->plen > 128 || has_bits_after(a->bytes + 10, 16, a->plen)))
		return "an IPv6 rule with a wrong prefix";
	return NULL;
}

static void read_rule(struct dump *d, const struct nlattr *nest)
{
	struct address *a = &d->address[d->n];
	const struct nlattr *attr;
	uint64_t timeout = 0;
	uint8_t verdict = 0;
	const char *wrong;

	if (d->n == RULES_MAX) {
		d->wrong = "more rules than there can be";
		return;
	}
	memset(a, 0, sizeof(*a));
	mnl_attr_for_each_nested(attr, nest) {
		switch (mnl_attr_get_type(attr)) {
		case FMP_RULE_A_MAC:
			put_bytes(a, attr, 0);
			break;
		case FMP_RULE_A_IPV4:
			put_bytes(a, attr, 6);
			break;
		case FMP_RULE_A_IPV6:
			put_bytes(a, attr, 10);
			break;
		case FMP_RULE_A_PREFIX_LEN:
			a->plen = mnl_attr_get_u8(attr);
			break;
		case FMP_RULE_A_VERDICT:
			verdict = mnl_attr_get_u8(attr);
			break;
		case FMP_RULE_A_TIMEOUT_MS:
			timeout = mnl_attr_get_u64(attr);
			break;
		}
	}
	d->n++;
	d->timed += !!timeout;
	wrong = check_rule(a, verdict, timeout);
	if (wrong)
		d->wrong = wrong;
}

static int read_dump(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *attr;
	struct dump *d = data;

	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		d->interrupted = true;
	mnl_attr_for_each(attr, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == FMP_A_RULE)
			read_rule(d, attr);
	}
	return MNL_CB_OK;
}

static int compare_addresses(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct address));
}

static const char *check_once(struct channel *ch, struct dump *d, bool *again)
{
	struct state before, after;
	unsigned int i;

	d->n = 0;
	d->timed = 0;
	d->interrupted = false;
	d->wrong = NULL;
	state_get(ch, &before);
	if (channel_request(ch, FMP_CMD_RULE_GET, NLM_F_DUMP, read_dump, d))
		return "a dump is refused";
	state_get(ch, &after);

	*again = before.generation != after.generation || d->interrupted || d->n != after.rules;
	if (d->wrong)
		return d->wrong;
	qsort(d->address, d->n, sizeof(*d->address), compare_addresses);
	for (i = 1; i < d->n; i++) {
		if (!d->interrupted && before.generation == after.generation &&
		    !compare_addresses(&d->address[i - 1], &d->address[i]))
			return "an address is twice in a dump";
	}
	return NULL;
}

const char *state_check(struct channel *ch, unsigned int *timed)
{
	struct dump d = { .address = calloc(RULES_MAX, sizeof(struct address)) };
	const char *wrong = NULL;
	bool again = true;
	int i;

	if (!d.address)
		channel_die("no memory");
	for (i = 0; i < TRIES && again && !wrong; i++) {
		if (i)
			usleep(10000);
		wrong = check_once(ch, &d, &again);
	}
	free(d.address);
	*timed = d.timed;
	return wrong ? wrong : again ? "the number of rules is not that of a dump" : NULL;
}
