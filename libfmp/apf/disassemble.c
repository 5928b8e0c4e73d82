// SPDX-License-Identifier: GPL-2.0
/* A program as text, one instruction a line: its offset, name and operands; jumps with their target's offset. */
#include <fmp/internal/apf.h>

#include <apf/assembler.h>

/* A program that is read. */
struct listing {
	const uint8_t *bytes;
	size_t len, at;
	FILE *to;
};

/* The bytes of one instruction. */
struct fields {
	unsigned op, reg, size;
	uint32_t imm;
};

static bool read_field(struct listing *l, unsigned size, uint32_t *out)
{
	*out = 0;
	if (l->len - l->at < size)
		return false;
	while (size--)
		*out = *out << 8 | l->bytes[l->at++];
	return true;
}

static int32_t as_signed(const struct fields *f)
{
	unsigned shift = f->size ? 32 - 8 * f->size : 0;

	return (int32_t)(f->imm << shift) >> shift;
}

static void print_target(const struct listing *l, uint32_t distance)
{
	size_t to = l->at + distance;

	if (to == l->len)
		fputs("PASS", l->to);
	else if (to == l->len + 1)
		fputs("DROP", l->to);
	else
		fprintf(l->to, "%zu%s", to, to > l->len ? " (beyond the end)" : "");
}

static bool print_load(struct listing *l, const struct fields *f)
{
	static const char *const names[] = {
		[FMPI_APF_LDB] = "ldb",	  [FMPI_APF_LDH] = "ldh",   [FMPI_APF_LDW] = "ldw",
		[FMPI_APF_LDBX] = "ldbx", [FMPI_APF_LDHX] = "ldhx", [FMPI_APF_LDWX] = "ldwx",
	};

	fprintf(l->to, "%-5s r%u, [%u%s]", names[f->op], f->reg, f->imm,
		f->op >= FMPI_APF_LDBX ? "+r1" : "");
	return true;
}

static bool print_compare(struct listing *l, const struct fields *f)
{
	static const char *const names[] = { "jeq", "jne", "jgt", "jlt" };
	uint32_t with;

	if (!f->reg && !read_field(l, f->size, &with))
		return false;
	fprintf(l->to, "%-5s r0, ", names[f->op - FMPI_APF_JEQ]);
	if (f->reg)
		fputs("r1, ", l->to);
	else
		fprintf(l->to, "0x%x, ", with);
	print_target(l, f->imm);
	return true;
}

static bool print_bytes_compare(struct listing *l, const struct fields *f)
{
	size_t first;
	uint32_t n;

	if (!read_field(l, f->size, &n) || l->len - l->at < n)
		return false;
	first = l->at;
	l->at += n;
	fprintf(l->to, "%-5s r0, 0x", f->reg ? "jbseq" : "jbsne");
	for (size_t i = first; i < l->at; i++)
		fprintf(l->to, "%02x", l->bytes[i]);
	fputs(", ", l->to);
	print_target(l, f->imm);
	return true;
}

static bool print_ext(struct listing *l, const struct fields *f)
{
	if (f->imm < FMPI_APF_STM)
		fprintf(l->to, "ldm   r%u, %u", f->reg, f->imm - FMPI_APF_LDM);
	else if (f->imm < 2 * FMPI_APF_STM)
		fprintf(l->to, "stm   r%u, %u", f->reg, f->imm - FMPI_APF_STM);
	else if (f->imm == FMPI_APF_MOV)
		fprintf(l->to, "mov   r%u, r%u", f->reg, f->reg ^ 1);
	else
		return false;
	return true;
}

/* The data of version 6 follow the jump over them. */
static bool print_jump(struct listing *l, const struct fields *f)
{
	if (!f->reg) {
		fputs("jmp   ", l->to);
		print_target(l, f->imm);
		return true;
	}
	if (l->len - l->at < f->imm)
		return false;
	fprintf(l->to, "data  %u", f->imm);
	l->at += f->imm;
	return true;
}

static bool print_passdrop(struct listing *l, const struct fields *f)
{
	fputs(f->reg ? "drop" : "pass", l->to);
	if (f->imm)
		fprintf(l->to, "  %u", f->imm);
	return true;
}

/* Return: false: it is none that a program of ours has. */
static bool print_insn(struct listing *l)
{
	static const uint8_t sizes[] = { 0, 1, 2, 4 };
	uint8_t first = l->bytes[l->at++];
	struct fields f = { first >> 3, first & 1, sizes[first >> 1 & 3], 0 };

	if (!read_field(l, f.size, &f.imm))
		return false;
	switch (f.op) {
	case FMPI_APF_PASSDROP:
		return print_passdrop(l, &f);
	case FMPI_APF_LDB ... FMPI_APF_LDWX:
		return print_load(l, &f);
	case FMPI_APF_ADD:
		fprintf(l->to, "add   r0, %d", as_signed(&f));
		return true;
	case FMPI_APF_LI:
		fprintf(l->to, "li    r%u, %d", f.reg, as_signed(&f));
		return true;
	case FMPI_APF_JMP:
		return print_jump(l, &f);
	case FMPI_APF_JEQ ... FMPI_APF_JLT:
		return print_compare(l, &f);
	case FMPI_APF_JBS:
		return print_bytes_compare(l, &f);
	case FMPI_APF_EXT:
		return print_ext(l, &f);
	default:
		return false;
	}
}

void fmp_apf_disassemble(const uint8_t *bytes, size_t len, FILE *to)
{
	struct listing l = { .bytes = bytes, .len = len, .to = to };

	while (l.at < len) {
		size_t at = l.at;

		fprintf(to, "%5zu: ", at);
		if (!print_insn(&l)) {
			fprintf(to, "unknown 0x%02x", bytes[at]);
			l.at = at + 1;
		}
		putc('\n', to);
	}
}
