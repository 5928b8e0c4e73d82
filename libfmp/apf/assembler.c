// SPDX-License-Identifier: GPL-2.0
#include <apf/assembler.h>

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOT_PLACED SIZE_MAX

/* ---- instructions ---- */

void fmpi_apf_code_init(struct fmpi_apf_code *c, unsigned version)
{
	*c = (struct fmpi_apf_code){ .version = version };
	(void)fmpi_apf_new_label(c);
	(void)fmpi_apf_new_label(c);
}

void fmpi_apf_code_free(struct fmpi_apf_code *c)
{
	free(c->v);
	free(c->place);
}

unsigned fmpi_apf_new_label(struct fmpi_apf_code *c)
{
	if (c->n_labels == c->labels_cap) {
		unsigned cap = c->labels_cap ? c->labels_cap * 2 : 64;
		size_t *more = c->failed ? NULL : reallocarray(c->place, cap, sizeof(*more));

		if (!more) {
			c->failed = true;
			return FMPI_APF_PASS;
		}
		c->place = more;
		c->labels_cap = cap;
	}
	c->place[c->n_labels] = NOT_PLACED;
	return c->n_labels++;
}

void fmpi_apf_place(struct fmpi_apf_code *c, unsigned label)
{
	if (label > FMPI_APF_DROP)
		c->place[label] = c->n;
}

static void add_insn(struct fmpi_apf_code *c, const struct fmpi_apf_insn *insn)
{
	if (c->n == c->cap) {
		size_t cap = c->cap ? c->cap * 2 : 256;
		struct fmpi_apf_insn *more = c->failed ? NULL
						       : reallocarray(c->v, cap, sizeof(*more));

		if (!more) {
			c->failed = true;
			return;
		}
		c->v = more;
		c->cap = cap;
	}
	c->v[c->n++] = *insn;
}

static uint8_t unsigned_size(uint32_t v)
{
	if (v <= UINT8_MAX)
		return v ? 1 : 0;
	return v <= UINT16_MAX ? 2 : 4;
}

static uint8_t signed_size(int32_t v)
{
	if (v >= INT8_MIN && v <= INT8_MAX)
		return v ? 1 : 0;
	return v >= INT16_MIN && v <= INT16_MAX ? 2 : 4;
}

void fmpi_apf_emit(struct fmpi_apf_code *c, enum fmpi_apf_op op, unsigned reg, uint32_t imm)
{
	/* The immediate of LI is signed. */
	uint8_t size = op == FMPI_APF_LI ? signed_size((int32_t)imm) : unsigned_size(imm);

	add_insn(c, &(struct fmpi_apf_insn){
			    .op = op, .reg = (uint8_t)reg, .imm = imm, .size = size });
}

void fmpi_apf_emit_ext(struct fmpi_apf_code *c, enum fmpi_apf_ext ext, unsigned reg)
{
	add_insn(c, &(struct fmpi_apf_insn){
			    .op = FMPI_APF_EXT, .reg = (uint8_t)reg, .imm = ext, .size = 1 });
}

void fmpi_apf_emit_add(struct fmpi_apf_code *c, int32_t n)
{
	uint8_t size = c->version >= 6 ? signed_size(n) : unsigned_size((uint32_t)n);

	add_insn(c,
		 &(struct fmpi_apf_insn){ .op = FMPI_APF_ADD, .imm = (uint32_t)n, .size = size });
}

void fmpi_apf_emit_data(struct fmpi_apf_code *c)
{
	add_insn(c, &(struct fmpi_apf_insn){ .op = FMPI_APF_JMP, .reg = 1, .size = 2 });
}

void fmpi_apf_jump(struct fmpi_apf_code *c, unsigned label)
{
	add_insn(c, &(struct fmpi_apf_insn){
			    .op = FMPI_APF_JMP, .jumps = true, .absent = true, .label = label });
}

void fmpi_apf_jump_if(struct fmpi_apf_code *c, enum fmpi_apf_op op, uint32_t imm, unsigned label)
{
	uint8_t size = unsigned_size(imm);

	add_insn(c, &(struct fmpi_apf_insn){ .op = op,
					     .jumps = true,
					     .compares = true,
					     .imm = imm,
					     .size = size ? size : 1,
					     .label = label });
}

void fmpi_apf_jump_if_r1(struct fmpi_apf_code *c, enum fmpi_apf_op op, unsigned label)
{
	add_insn(c, &(struct fmpi_apf_insn){
			    .op = op, .reg = 1, .jumps = true, .size = 1, .label = label });
}

void fmpi_apf_jump_bytes(struct fmpi_apf_code *c, const uint8_t *bytes, unsigned n, bool equal,
			 unsigned label)
{
	struct fmpi_apf_insn insn = { .op = FMPI_APF_JBS,
				      .reg = equal,
				      .jumps = true,
				      .compares = true,
				      .imm = n,
				      .size = 1,
				      .n_bytes = (uint8_t)n,
				      .label = label };

	memcpy(insn.bytes, bytes, n);
	add_insn(c, &insn);
}

/* ---- layout ---- */

static uint32_t insn_length(const struct fmpi_apf_insn *insn)
{
	unsigned fields = insn->jumps && insn->compares ? 2 : 1;

	return insn->absent ? 0 : 1 + fields * insn->size + insn->n_bytes;
}

static uint32_t label_offset(const struct fmpi_apf_code *c, unsigned label, uint32_t end)
{
	if (label <= FMPI_APF_DROP)
		return end + label;
	assert(c->place[label] != NOT_PLACED);
	return c->place[label] < c->n ? c->v[c->place[label]].at : end;
}

static uint32_t place_all(struct fmpi_apf_code *c)
{
	uint32_t at = 0;

	for (size_t i = 0; i < c->n; i++) {
		c->v[i].at = at;
		at += insn_length(&c->v[i]);
	}
	return at;
}

static uint32_t jump_distance(const struct fmpi_apf_code *c, const struct fmpi_apf_insn *insn,
			      uint32_t end)
{
	uint32_t to = label_offset(c, insn->label, end), from = insn->at + insn_length(insn);

	assert(to >= from);
	return to - from;
}

/* Sizes only grow, so that this ends. */
static bool grow_jump(const struct fmpi_apf_code *c, struct fmpi_apf_insn *insn, uint32_t end)
{
	uint32_t distance = jump_distance(c, insn, end);
	uint8_t size = unsigned_size(distance);

	if (insn->absent && !distance)
		return false;
	if (size <= insn->size && !insn->absent)
		return false;
	insn->size = size > insn->size ? size : insn->size;
	insn->absent = false;
	return true;
}

static uint8_t *put_field(uint8_t *p, uint32_t v, unsigned size)
{
	while (size)
		*p++ = (uint8_t)(v >> (8 * --size));
	return p;
}

static uint8_t *put_insn(const struct fmpi_apf_code *c, const struct fmpi_apf_insn *insn,
			 uint32_t end, uint8_t *p)
{
	uint8_t size_bits = insn->size == 4 ? 3 : insn->size;

	if (insn->absent)
		return p;
	*p++ = (uint8_t)(insn->op << 3 | size_bits << 1 | insn->reg);
	if (insn->jumps)
		p = put_field(p, jump_distance(c, insn, end), insn->size);
	if (!insn->jumps || insn->compares)
		p = put_field(p, insn->imm, insn->size);
	memcpy(p, insn->bytes, insn->n_bytes);
	return p + insn->n_bytes;
}

int fmpi_apf_assemble(struct fmpi_apf_code *c, uint8_t **out, size_t *len, struct fmp_error *err)
{
	uint32_t end = 0;
	bool grown = true;
	uint8_t *p;

	while (!c->failed && grown) {
		grown = false;
		end = place_all(c);
		for (size_t i = 0; i < c->n; i++)
			grown |= c->v[i].jumps && grow_jump(c, &c->v[i], end);
	}
	*out = c->failed ? NULL : malloc(end + 1);
	if (!*out)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	p = *out;
	for (size_t i = 0; i < c->n; i++)
		p = put_insn(c, &c->v[i], end, p);
	*len = end;
	return 0;
}
