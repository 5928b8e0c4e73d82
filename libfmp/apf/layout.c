// SPDX-License-Identifier: GPL-2.0
#include <apf/layout.h>

#include <linux/if_ether.h>
#include <stdlib.h>

#include <fmp/internal/apf.h>

/* Offsets in a frame without VLAN tags. R1 has the bytes of the tags; for ARP also what brings its sender's
 * address to the place of the source of IPv4. */
#define TYPE_AT	    12u
#define L3_AT	    14u
#define IPV4_END    34u
#define IPV4_SOURCE 26u
#define IPV6_END    54u
#define IPV6_SOURCE 22u
#define ARP_END	    42u
#define ARP_MORE    2
#define VLAN_TAG    4u

/* In place of a counter: the frame is marked, and goes on to its IP header. */
#define MARKS 0u

#define ARP_ETHERNET_IPV4 0x00010800u /* hardware and protocol */
#define ARP_LENGTHS	  0x0604u /* of their addresses */

/* Where the program goes on, or ends, with a frame whose address has an action. */
struct exit_place {
	unsigned counter; /* enum fmp_apf_counter */
	uint32_t action;
	unsigned label;
};

/* A program under construction. */
struct program {
	const struct fmpi_apf_layout *l;
	struct fmpi_apf_code *c;
	/* Frames of a blocked MAC go on to the IP header, which may protect them; slot 0 is 1 for them. */
	bool marks;
	bool wants4, wants6; /* IP addresses matter */
	unsigned network, ipv4, ipv6, no_address; /* labels */
	/* Ends of blocks: a few, as each costs a test of the time. */
	struct exit_place *ends;
	unsigned n_ends, ends_cap;
	bool failed;
};

/* A search within a program: what it counts, and where it leads if it finds nothing. */
struct stage {
	struct program *p;
	unsigned counter;
	unsigned none;
};

/* ---- tables ---- */

void fmpi_apf_layout_init(struct fmpi_apf_layout *l)
{
	static const struct fmpi_apf_table shape[FMPI_APF_SETS] = {
		[FMPI_APF_MAC] = { .key_len = 6, .fixed = 6 },
		[FMPI_APF_IPV4] = { .key_len = 4, .l3_at = IPV4_SOURCE },
		[FMPI_APF_IPV6] = { .key_len = 16, .l3_at = IPV6_SOURCE },
		[FMPI_APF_PAIR4] = { .key_len = 10, .fixed = 6, .l3_at = IPV4_SOURCE },
		[FMPI_APF_PAIR6] = { .key_len = 22, .fixed = 6, .l3_at = IPV6_SOURCE },
		[FMPI_APF_SPARED4] = { .key_len = 4, .l3_at = IPV4_SOURCE },
		[FMPI_APF_SPARED6] = { .key_len = 16, .l3_at = IPV6_SOURCE },
	};

	for (unsigned i = 0; i < FMPI_APF_SETS; i++)
		l->set[i] = shape[i];
}

void fmpi_apf_layout_free(struct fmpi_apf_layout *l)
{
	for (unsigned i = 0; i < FMPI_APF_SETS; i++)
		fmpi_apf_table_free(&l->set[i]);
}

void fmpi_apf_layout_reduce(struct fmpi_apf_layout *l)
{
	for (unsigned i = 0; i < FMPI_APF_SETS; i++)
		fmpi_apf_table_reduce(&l->set[i], i == FMPI_APF_MAC || i >= FMPI_APF_SPARED4);
}

/* ---- ends ---- */

/* The label of the code that drops a frame while the block is in force. */
static unsigned end_label(struct program *p, unsigned counter, uint32_t action)
{
	for (unsigned i = 0; i < p->n_ends; i++)
		if (p->ends[i].counter == counter && p->ends[i].action == action)
			return p->ends[i].label;
	if (action == FMPI_APF_FOREVER && p->c->version < 6 && counter != MARKS)
		return FMPI_APF_DROP;
	if (p->n_ends == p->ends_cap) {
		unsigned cap = p->ends_cap ? p->ends_cap * 2 : 16;
		struct exit_place *more = reallocarray(p->ends, cap, sizeof(*more));

		if (!more) {
			p->failed = true;
			return FMPI_APF_PASS;
		}
		p->ends = more;
		p->ends_cap = cap;
	}
	p->ends[p->n_ends] = (struct exit_place){ counter, action, fmpi_apf_new_label(p->c) };
	return p->ends[p->n_ends++].label;
}

static void emit_pass(struct fmpi_apf_code *c)
{
	if (c->version >= 6)
		fmpi_apf_emit(c, FMPI_APF_PASSDROP, 0, 0);
	else
		fmpi_apf_jump(c, FMPI_APF_PASS);
}

static void emit_drop(struct fmpi_apf_code *c, unsigned counter)
{
	if (c->version >= 6)
		fmpi_apf_emit(c, FMPI_APF_PASSDROP, 1, counter);
	else
		fmpi_apf_jump(c, FMPI_APF_DROP);
}

/* Last of the program: those that test the time add some that don't. */
static void emit_ends(struct program *p)
{
	for (unsigned i = 0; i < p->n_ends; i++) {
		struct exit_place end = p->ends[i];

		fmpi_apf_place(p->c, end.label);
		if (end.action != FMPI_APF_FOREVER) {
			fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_AGE, 0);
			fmpi_apf_jump_if(p->c, FMPI_APF_JGT, end.action - 1, FMPI_APF_PASS);
		}
		emit_drop(p->c, end.counter);
	}
}

/* ---- searches ---- */

static unsigned stage_label(void *ctx, uint32_t action)
{
	const struct stage *s = ctx;

	if (action == FMPI_APF_NONE)
		return s->none;
	return action == FMPI_APF_PROTECT ? FMPI_APF_PASS : end_label(s->p, s->counter, action);
}

static void stage_go(void *ctx, uint32_t action)
{
	const struct stage *s = ctx;
	unsigned label = stage_label(ctx, action);

	if (label == FMPI_APF_PASS)
		emit_pass(s->p->c);
	else if (action == FMPI_APF_FOREVER && s->counter != MARKS)
		emit_drop(s->p->c, s->counter);
	else
		fmpi_apf_jump(s->p->c, label);
}

static int search_set(struct program *p, enum fmpi_apf_set set, unsigned counter, unsigned none)
{
	struct stage stage = { .p = p, .counter = counter, .none = none };
	const struct fmpi_apf_targets to = { stage_label, stage_go, &stage };

	return fmpi_apf_search(p->c, &p->l->set[set], &to);
}

/* ---- MAC header ---- */

/* The ends of blocked MACs mark the frame, if a protected IP address may save it. */
static int search_mac_marking(struct program *p)
{
	struct stage stage = { .p = p, .counter = MARKS, .none = p->network };
	const struct fmpi_apf_targets to = { stage_label, stage_go, &stage };
	int rc = fmpi_apf_search(p->c, &p->l->set[FMPI_APF_MAC], &to);

	for (unsigned i = 0; i < p->n_ends; i++) {
		struct exit_place end = p->ends[i];

		fmpi_apf_place(p->c, end.label);
		if (end.action != FMPI_APF_FOREVER) {
			fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_AGE, 0);
			fmpi_apf_jump_if(p->c, FMPI_APF_JGT, end.action - 1, p->network);
		}
		fmpi_apf_emit(p->c, FMPI_APF_LI, 0, 1);
		fmpi_apf_emit_ext(p->c, FMPI_APF_STM + FMPI_APF_SLOT_FREE, 0);
		fmpi_apf_jump(p->c, p->network);
	}
	p->n_ends = 0;
	return rc;
}

/* ---- network header ---- */

/*
 * The frame must have so many bytes, and those of R1: otherwise it has no network header. A load beyond
 * the frame passes it, which is right but for a marked one.
 */
static void require_bytes(struct program *p, unsigned n)
{
	if (!p->marks) {
		fmpi_apf_emit(p->c, FMPI_APF_LDBX, 0, n - 1);
		return;
	}
	fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_SIZE, 0);
	fmpi_apf_jump_if(p->c, FMPI_APF_JLT, n, p->no_address);
	fmpi_apf_emit_add(p->c, -(int32_t)n);
	fmpi_apf_jump_if_r1(p->c, FMPI_APF_JLT, p->no_address);
}

/* Read one VLAN tag, if there is one; else go to @type with the EtherType in R0. */
static void skip_tag(struct program *p, unsigned tags, unsigned type)
{
	unsigned tag = fmpi_apf_new_label(p->c);

	fmpi_apf_jump_if(p->c, FMPI_APF_JEQ, ETH_P_8021Q, tag);
	fmpi_apf_jump_if(p->c, FMPI_APF_JNE, ETH_P_8021AD, type);
	fmpi_apf_place(p->c, tag);
	if (p->marks) {
		fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_SIZE, 0);
		fmpi_apf_jump_if(p->c, FMPI_APF_JLT, L3_AT + tags * VLAN_TAG, p->no_address);
	}
	fmpi_apf_emit(p->c, FMPI_APF_LI, 1, tags * VLAN_TAG);
	fmpi_apf_emit(p->c, FMPI_APF_LDHX, 0, TYPE_AT);
}

static void read_arp(struct program *p)
{
	require_bytes(p, ARP_END);
	fmpi_apf_emit(p->c, FMPI_APF_LDWX, 0, L3_AT);
	fmpi_apf_jump_if(p->c, FMPI_APF_JNE, ARP_ETHERNET_IPV4, p->no_address);
	fmpi_apf_emit(p->c, FMPI_APF_LDHX, 0, L3_AT + 4);
	fmpi_apf_jump_if(p->c, FMPI_APF_JNE, ARP_LENGTHS, p->no_address);
	fmpi_apf_emit_ext(p->c, FMPI_APF_MOV, 0);
	fmpi_apf_emit_add(p->c, ARP_MORE);
	fmpi_apf_emit_ext(p->c, FMPI_APF_MOV, 1);
}

/* A first byte outside these bounds has a version or a length that no stack takes. */
static void read_ip(struct program *p, unsigned end, unsigned lowest, unsigned highest)
{
	require_bytes(p, end);
	fmpi_apf_emit(p->c, FMPI_APF_LDBX, 0, L3_AT);
	fmpi_apf_jump_if(p->c, FMPI_APF_JLT, lowest, p->no_address);
	fmpi_apf_jump_if(p->c, FMPI_APF_JGT, highest, p->no_address);
}

static int search_ip(struct program *p, bool is_ipv6)
{
	unsigned counter = is_ipv6 ? FMP_APF_COUNTER_IPV6 : FMP_APF_COUNTER_IPV4;
	enum fmpi_apf_set set = is_ipv6 ? FMPI_APF_IPV6 : FMPI_APF_IPV4;
	enum fmpi_apf_set pairs = is_ipv6 ? FMPI_APF_PAIR6 : FMPI_APF_PAIR4;
	enum fmpi_apf_set spared = is_ipv6 ? FMPI_APF_SPARED6 : FMPI_APF_SPARED4;
	unsigned marked = 0, next = FMPI_APF_PASS;
	int rc;

	if (p->marks) {
		marked = fmpi_apf_new_label(p->c);
		fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_FREE, 0);
		fmpi_apf_jump_if(p->c, FMPI_APF_JNE, 0, marked);
	}
	if (p->l->set[pairs].n)
		next = fmpi_apf_new_label(p->c);
	rc = search_set(p, set, counter, next);
	fmpi_apf_place(p->c, next);
	if (!rc && p->l->set[pairs].n)
		rc = search_set(p, pairs, counter, FMPI_APF_PASS);
	if (!rc && p->marks) {
		fmpi_apf_place(p->c, marked);
		rc = search_set(p, spared, FMP_APF_COUNTER_MAC,
				end_label(p, FMP_APF_COUNTER_MAC, FMPI_APF_FOREVER));
	}
	return rc;
}

static int read_network(struct program *p)
{
	unsigned type = fmpi_apf_new_label(p->c), arp = fmpi_apf_new_label(p->c);
	unsigned plain = fmpi_apf_new_label(p->c);
	int rc = 0;

	fmpi_apf_place(p->c, p->network);
	fmpi_apf_emit(p->c, FMPI_APF_LDH, 0, TYPE_AT);
	skip_tag(p, 1, type);
	skip_tag(p, 2, type);
	fmpi_apf_place(p->c, type);
	if (p->wants6)
		fmpi_apf_jump_if(p->c, FMPI_APF_JEQ, ETH_P_IPV6, p->ipv6);
	if (p->wants4) {
		fmpi_apf_jump_if(p->c, FMPI_APF_JEQ, ETH_P_IP, plain);
		fmpi_apf_jump_if(p->c, FMPI_APF_JEQ, ETH_P_ARP, arp);
	}
	fmpi_apf_jump(p->c, p->no_address);
	if (p->wants4) {
		fmpi_apf_place(p->c, arp);
		read_arp(p);
		fmpi_apf_jump(p->c, p->ipv4);
		fmpi_apf_place(p->c, plain);
		read_ip(p, IPV4_END, 0x45, 0x4f);
		fmpi_apf_place(p->c, p->ipv4);
		rc = search_ip(p, false);
	}
	if (!rc && p->wants6) {
		fmpi_apf_place(p->c, p->ipv6);
		read_ip(p, IPV6_END, 0x60, 0x6f);
		rc = search_ip(p, true);
	}
	return rc;
}

/* ---- the whole ---- */

static bool blocks_any(const struct fmpi_apf_table *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->v[i].action != FMPI_APF_PROTECT)
			return true;
	return false;
}

static void plan_program(struct program *p)
{
	const struct fmpi_apf_table *set = p->l->set;
	bool macs = blocks_any(&set[FMPI_APF_MAC]);

	p->marks = macs && (set[FMPI_APF_SPARED4].n || set[FMPI_APF_SPARED6].n);
	p->wants4 = set[FMPI_APF_IPV4].n || set[FMPI_APF_PAIR4].n ||
		    (p->marks && set[FMPI_APF_SPARED4].n);
	p->wants6 = set[FMPI_APF_IPV6].n || set[FMPI_APF_PAIR6].n ||
		    (p->marks && set[FMPI_APF_SPARED6].n);
	p->network = p->wants4 || p->wants6 ? fmpi_apf_new_label(p->c) : FMPI_APF_PASS;
	p->no_address = p->marks ? fmpi_apf_new_label(p->c) : FMPI_APF_PASS;
	p->ipv4 = fmpi_apf_new_label(p->c);
	p->ipv6 = fmpi_apf_new_label(p->c);
}

static int emit_program(struct program *p)
{
	bool looks_at_ip = p->wants4 || p->wants6;
	int rc = 0;

	if (p->c->version >= 6)
		fmpi_apf_emit_data(p->c);
	if (p->marks)
		rc = search_mac_marking(p);
	else if (blocks_any(&p->l->set[FMPI_APF_MAC]) || (looks_at_ip && p->l->set[FMPI_APF_MAC].n))
		rc = search_set(p, FMPI_APF_MAC, FMP_APF_COUNTER_MAC, p->network);
	if (!rc && looks_at_ip)
		rc = read_network(p);
	if (!rc && p->marks) {
		fmpi_apf_place(p->c, p->no_address);
		fmpi_apf_emit_ext(p->c, FMPI_APF_LDM + FMPI_APF_SLOT_FREE, 0);
		fmpi_apf_jump_if(p->c, FMPI_APF_JNE, 0,
				 end_label(p, FMP_APF_COUNTER_MAC, FMPI_APF_FOREVER));
		emit_pass(p->c);
	}
	if (!rc)
		emit_ends(p);
	/* A program has at least one instruction; this one does nothing. */
	if (!p->c->n)
		fmpi_apf_emit(p->c, FMPI_APF_LI, 0, 0);
	return p->failed ? FMP_ERR_NOMEM : rc;
}

int fmpi_apf_layout_emit(const struct fmpi_apf_layout *l, struct fmpi_apf_code *c)
{
	struct program p = { .l = l, .c = c };
	int rc;

	plan_program(&p);
	rc = emit_program(&p);
	free(p.ends);
	return rc;
}
