// SPDX-License-Identifier: GPL-2.0
#include "apf_run.h"

#include <stdbool.h>
#include <string.h>

#define SLOTS 16

struct state {
	struct apf_machine *m;
	const uint8_t *packet;
	uint32_t len, pc;
	uint32_t r[2], slot[SLOTS];
	bool v6; /* after the instruction that only version 6 knows: arithmetic differs from there on */
};

/* The fields of an instruction: @size is 0, 1, 2 or 4. */
struct insn {
	unsigned op, reg, size;
	uint32_t imm;
	int32_t signed_imm;
};

/* Go on with the next instruction. */
#define NEXT ((enum apf_result) - 1)

static bool read_imm(struct state *s, unsigned size, uint32_t *out)
{
	*out = 0;
	if (size > s->m->program_len - s->pc)
		return false;
	while (size--)
		*out = *out << 8 | s->m->program[s->pc++];
	return true;
}

static enum apf_result run_load(struct state *s, const struct insn *i)
{
	static const uint8_t widths[] = { 0, 1, 2, 4, 1, 2, 4 };
	uint32_t at = i->imm + (i->op >= 4 ? s->r[1] : 0), width = widths[i->op], value = 0;

	if (at >= s->len || at + width - 1 < at || at + width - 1 >= s->len)
		return APF_TOO_SHORT;
	while (width--)
		value = value << 8 | s->packet[at++];
	s->r[i->reg] = value;
	return NEXT;
}

/* Version 4: R0 op= R1 or the immediate. Version 6: the register op= the immediate, or the other one if there is none. */
static enum apf_result run_arithmetic(struct state *s, const struct insn *i)
{
	uint32_t *to = &s->r[s->v6 ? i->reg : 0], by = i->reg ? s->r[1] : i->imm;
	int32_t shift = i->reg ? (int32_t)s->r[1] : i->signed_imm;

	if (s->v6) {
		by = i->size ? i->imm : s->r[!i->reg];
		shift = i->size ? i->signed_imm : (int32_t)s->r[!i->reg];
	}
	switch (i->op) {
	case 7:
		*to += s->v6 ? (uint32_t)shift : by;
		break;
	case 8:
		*to *= by;
		break;
	case 9:
		if (!by)
			return APF_FAULT;
		*to /= by;
		break;
	case 10:
		*to &= s->v6 ? (uint32_t)shift : by;
		break;
	case 11:
		*to |= by;
		break;
	default:
		if (shift > 31 || shift < -31)
			return APF_FAULT; /* undefined there */
		*to = shift >= 0 ? *to << shift : *to >> -shift;
	}
	return NEXT;
}

static enum apf_result run_jump(struct state *s, const struct insn *i)
{
	if (i->reg) {
		if (s->m->version < 6)
			return APF_FAULT;
		if (!s->v6)
			s->m->counter[2]++;
		s->v6 = true;
	}
	s->pc += i->imm;
	return NEXT;
}

static enum apf_result run_compare(struct state *s, const struct insn *i)
{
	uint32_t a = s->r[0], b = s->r[1];
	bool jumps;

	if (!i->reg && !read_imm(s, i->size, &b))
		return APF_FAULT;
	switch (i->op) {
	case 15:
		jumps = a == b;
		break;
	case 16:
		jumps = a != b;
		break;
	case 17:
		jumps = a > b;
		break;
	case 18:
		jumps = a < b;
		break;
	default:
		jumps = a & b;
	}
	if (jumps)
		s->pc += i->imm;
	return NEXT;
}

static enum apf_result run_bytes(struct state *s, const struct insn *i)
{
	uint32_t n, at = s->r[0];
	bool equal;

	/* In version 4 with the register bit it is R1 that has the length: nobody wants that. */
	if ((i->reg && s->m->version < 6) || !read_imm(s, i->size, &n) || !n ||
	    n > s->m->program_len - s->pc)
		return APF_FAULT;
	if (at >= s->len || n > s->len - at)
		return APF_TOO_SHORT;
	equal = !memcmp(s->m->program + s->pc, s->packet + at, n);
	s->pc += n;
	if (equal == (i->reg == 1))
		s->pc += i->imm;
	return NEXT;
}

static enum apf_result run_ext(struct state *s, const struct insn *i)
{
	uint32_t *r = &s->r[i->reg], *other = &s->r[!i->reg], old = *r;

	if (i->imm < SLOTS) {
		*r = s->slot[i->imm];
		return NEXT;
	}
	if (i->imm < 2 * SLOTS) {
		s->slot[i->imm - SLOTS] = *r;
		return NEXT;
	}
	switch (i->imm) {
	case 32:
		*r = ~*r;
		return NEXT;
	case 33:
		*r = -*r;
		return NEXT;
	case 34:
		*r = *other;
		*other = old;
		return NEXT;
	case 35:
		*r = *other;
		return NEXT;
	default:
		return APF_FAULT; /* those that send frames are not here */
	}
}

static enum apf_result run_passdrop(struct state *s, const struct insn *i)
{
	if (s->m->version < 6 || i->size > 2 || 4 * i->imm > s->m->ram_len)
		return APF_FAULT;
	if (i->imm && i->imm < 16)
		s->m->counter[i->imm]++;
	return i->reg ? APF_DROP : APF_PASS;
}

static enum apf_result run_insn(struct state *s)
{
	static const uint8_t sizes[] = { 0, 1, 2, 4 };
	uint8_t first = s->m->program[s->pc++];
	struct insn i = { first >> 3, first & 1, sizes[first >> 1 & 3], 0, 0 };
	unsigned shift = i.size ? 32 - 8 * i.size : 0;

	if (!read_imm(s, i.size, &i.imm))
		return APF_FAULT;
	i.signed_imm = (int32_t)(i.imm << shift) >> shift;
	switch (i.op) {
	case 0:
		return run_passdrop(s, &i);
	case 1 ... 6:
		return run_load(s, &i);
	case 7 ... 12:
		return run_arithmetic(s, &i);
	case 13:
		s->r[i.reg] = (uint32_t)i.signed_imm;
		return NEXT;
	case 14:
		return run_jump(s, &i);
	case 15 ... 19:
		return run_compare(s, &i);
	case 20:
		return run_bytes(s, &i);
	case 21:
		return run_ext(s, &i);
	default:
		return APF_FAULT;
	}
}

enum apf_result apf_run(struct apf_machine *m, const uint8_t *packet, size_t len)
{
	struct state s = { .m = m, .packet = packet, .len = (uint32_t)len };

	m->steps = 0;
	/* Version 6 has five counters behind the program at least. */
	if (m->program_len > m->ram_len || (m->version >= 6 && m->program_len + 20 > m->ram_len))
		return APF_FAULT;
	if (len <= 14)
		return APF_TOO_SHORT;
	s.slot[11] = (uint32_t)m->program_len;
	s.slot[12] = (uint32_t)m->ram_len;
	if (packet[14] >> 4 == 4)
		s.slot[13] = (packet[14] & 15) * 4;
	s.slot[14] = (uint32_t)len;
	s.slot[15] = m->age_s;
	while (m->steps++ <= m->program_len) {
		enum apf_result result;

		if (s.pc == m->program_len)
			return APF_PASS;
		if (s.pc == m->program_len + 1)
			return APF_DROP;
		if (s.pc > m->program_len)
			return APF_FAULT;
		result = run_insn(&s);
		if (result != NEXT)
			return result;
	}
	return APF_FAULT;
}
