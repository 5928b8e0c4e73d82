/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Instructions of the Android Packet Filter, with labels.
 *
 * An instruction is a byte: operation (5 bits), size of its immediate fields (2 bits: 0, 1, 2, 4
 * bytes), register (1 bit). All immediate fields of an instruction have the same size. A jump adds
 * its first field to the place behind it; a conditional one compares R0 with the second field, or
 * with R1 if its register bit is set. A jump to the end of the program passes the frame, one byte
 * further it drops the frame. All jumps here go forward.
 */
#ifndef FMPI_APF_ASSEMBLER_H
#define FMPI_APF_ASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>

enum fmpi_apf_op {
	FMPI_APF_PASSDROP = 0, /* version 6: pass, or with the register bit drop; counts */
	FMPI_APF_LDB = 1,
	FMPI_APF_LDH = 2,
	FMPI_APF_LDW = 3,
	FMPI_APF_LDBX = 4, /* with R1 added to the offset */
	FMPI_APF_LDHX = 5,
	FMPI_APF_LDWX = 6,
	FMPI_APF_ADD = 7,
	FMPI_APF_LI = 13,
	FMPI_APF_JMP = 14, /* version 6, with the register bit: begins a program, skips its data */
	FMPI_APF_JEQ = 15,
	FMPI_APF_JNE = 16,
	FMPI_APF_JGT = 17,
	FMPI_APF_JLT = 18,
	/* Compares bytes of the program with those of the packet at R0; jumps if they differ, in
	 * version 6 with the register bit if they are equal. */
	FMPI_APF_JBS = 20,
	FMPI_APF_EXT = 21, /* its immediate field is one of enum fmpi_apf_ext */
};

enum fmpi_apf_ext {
	FMPI_APF_LDM = 0, /* plus the number of a memory slot */
	FMPI_APF_STM = 16,
	FMPI_APF_MOV = 35, /* from the other register */
};

/* Memory slots. */
#define FMPI_APF_SLOT_FREE 0u /* 0 to 7 begin as 0 */
#define FMPI_APF_SLOT_SIZE 14u /* bytes of the packet */
#define FMPI_APF_SLOT_AGE  15u /* seconds since the program was installed */

#define FMPI_APF_BYTES_MAX 16u /* of a comparison */

/* Labels that always exist. */
enum {
	FMPI_APF_PASS,
	FMPI_APF_DROP
};

struct fmpi_apf_insn {
	uint8_t op, reg;
	uint8_t size; /* of its immediate fields */
	bool jumps, compares, absent; /* absent: a jump to what follows anyway */
	uint8_t n_bytes;
	uint8_t bytes[FMPI_APF_BYTES_MAX];
	unsigned label; /* of a jump */
	uint32_t imm; /* of a jump: what it compares with */
	uint32_t at;
};

/* {0} is not valid: begin with fmpi_apf_code_init(). */
struct fmpi_apf_code {
	unsigned version;
	struct fmpi_apf_insn *v;
	size_t n, cap;
	size_t *place; /* label -> instruction */
	unsigned n_labels, labels_cap;
	bool failed; /* out of memory; checked once, by fmpi_apf_assemble() */
};

void fmpi_apf_code_init(struct fmpi_apf_code *c, unsigned version);
void fmpi_apf_code_free(struct fmpi_apf_code *c);

unsigned fmpi_apf_new_label(struct fmpi_apf_code *c);
/* fmpi_apf_place() - the label stands for the next instruction. */
void fmpi_apf_place(struct fmpi_apf_code *c, unsigned label);

/* fmpi_apf_emit() - an instruction with an unsigned immediate */
void fmpi_apf_emit(struct fmpi_apf_code *c, enum fmpi_apf_op op, unsigned reg, uint32_t imm);
void fmpi_apf_emit_ext(struct fmpi_apf_code *c, enum fmpi_apf_ext ext, unsigned reg);
/* fmpi_apf_emit_add() - R0 += n; versions differ in how they read the field */
void fmpi_apf_emit_add(struct fmpi_apf_code *c, int32_t n);
/* fmpi_apf_emit_data() - begin a program of version 6 */
void fmpi_apf_emit_data(struct fmpi_apf_code *c);
void fmpi_apf_jump(struct fmpi_apf_code *c, unsigned label);
/* fmpi_apf_jump_if() - compare R0 with imm */
void fmpi_apf_jump_if(struct fmpi_apf_code *c, enum fmpi_apf_op op, uint32_t imm, unsigned label);
/* fmpi_apf_jump_if_r1() - compare R0 with R1 */
void fmpi_apf_jump_if_r1(struct fmpi_apf_code *c, enum fmpi_apf_op op, unsigned label);
/* fmpi_apf_jump_bytes() - jump if the packet at R0 has not, or with @equal has, these bytes */
void fmpi_apf_jump_bytes(struct fmpi_apf_code *c, const uint8_t *bytes, unsigned n, bool equal,
			 unsigned label);

/*
 * fmpi_apf_assemble() - choose the sizes of all immediates and write the program; the caller frees
 * it. Return: 0, FMP_ERR_NOMEM.
 */
FMP_MUST_CHECK int fmpi_apf_assemble(struct fmpi_apf_code *c, uint8_t **out, size_t *len,
				     struct fmp_error *err);

#endif
