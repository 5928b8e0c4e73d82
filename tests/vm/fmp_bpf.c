// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_bpf: hand-written tc BPF programs that read or change header records
 *
 * read PIN              pins a program that stores the metadata of the last frame with 16
 *                       bytes of it, and a map PIN_map
 * show PIN              prints the stored record field by field, and the number of frames
 * flip PIN meta|data OFFSET MASK
 *                       pins a program that flips the bits MASK of the four bytes at OFFSET
 *                       of each frame's metadata, or of the frame itself; the lowest byte of
 *                       MASK is the first of them
 *
 * PIN is a path in a bpffs, for `tc filter add ... bpf direct-action pinned PIN`. The
 * programs access frames by half words, and the verifier enforces that (strict alignment),
 * so they run on all architectures.
 */
#include <endian.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/fmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Value of the map: the last record, and the number of frames with one. */
struct last_record {
	struct fmp_record rec;
	uint64_t frames;
};

#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })
#define LOAD(d, s, o)	    INSN(BPF_LDX | BPF_MEM | BPF_W, d, s, o, 0)
#define STORE(d, o, s)	    INSN(BPF_STX | BPF_MEM | BPF_W, d, s, o, 0)
#define LOAD_HALF(d, s, o)  INSN(BPF_LDX | BPF_MEM | BPF_H, d, s, o, 0)
#define STORE_HALF(d, o, s) INSN(BPF_STX | BPF_MEM | BPF_H, d, s, o, 0)
#define MOVE(d, s)	    INSN(BPF_ALU64 | BPF_MOV | BPF_X, d, s, 0, 0)
#define SET(d, i)	    INSN(BPF_ALU64 | BPF_MOV | BPF_K, d, 0, 0, i)
#define ADD(d, i)	    INSN(BPF_ALU64 | BPF_ADD | BPF_K, d, 0, 0, i)
#define FLIP(d, i)	    INSN(BPF_ALU | BPF_XOR | BPF_K, d, 0, 0, i)
#define IF_ABOVE(d, s, o)   INSN(BPF_JMP | BPF_JGT | BPF_X, d, s, o, 0)
#define IF_ZERO(d, o)	    INSN(BPF_JMP | BPF_JEQ | BPF_K, d, 0, o, 0)
#define COUNT(d, o, s)	    INSN(BPF_STX | BPF_ATOMIC | BPF_DW, d, s, o, BPF_ADD)
#define CALL(f)		    INSN(BPF_JMP | BPF_CALL, 0, 0, 0, f)
#define EXIT		    INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
/* Copy a half word of the frame to the same offset in the map; flip one in the frame. */
#define KEEP_HALF(o)	    LOAD_HALF(5, 2, o), STORE_HALF(0, o, 5)
#define FLIP_HALF(o, i)	    LOAD_HALF(5, 2, o), FLIP(5, i), STORE_HALF(2, o, 5)

static int report_errno(const char *what)
{
	fprintf(stderr, "fmp_bpf: %s: %s\n", what, strerror(errno));
	return -1;
}

static int call_bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

static int pin_object(int fd, const char *path)
{
	union bpf_attr attr = { .pathname = (uintptr_t)path, .bpf_fd = fd };

	return fd < 0 ? -1 : call_bpf(BPF_OBJ_PIN, &attr) ? report_errno(path) : 0;
}

static int load_program(const struct bpf_insn *insns, unsigned int n)
{
	static char log[65536];
	union bpf_attr attr = {
		.prog_type = BPF_PROG_TYPE_SCHED_CLS,
		.insns = (uintptr_t)insns,
		.insn_cnt = n,
		.license = (uintptr_t) "GPL",
		.log_buf = (uintptr_t)log,
		.log_size = sizeof(log),
		.log_level = 1,
		.prog_flags = BPF_F_STRICT_ALIGNMENT,
	};
	int fd = call_bpf(BPF_PROG_LOAD, &attr);

	if (fd >= 0)
		return fd;
	report_errno("the program");
	fputs(log, stderr);
	return -1;
}

static int format_map_path(char *path, size_t size, const char *pin_path)
{
	return snprintf(path, size, "%s_map", pin_path) < (int)size ? 0 : report_errno(pin_path);
}

static int pin_reader(const char *path)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_ARRAY,
		.key_size = sizeof(uint32_t),
		.value_size = sizeof(struct last_record),
		.max_entries = 1,
	};
	int fd = call_bpf(BPF_MAP_CREATE, &map);
	const struct bpf_insn insns[] = {
		MOVE(6, 1),
		SET(1, 0),
		STORE(10, -4, 1),
		INSN(BPF_LD | BPF_DW | BPF_IMM, 1, BPF_PSEUDO_MAP_FD, 0, fd),
		INSN(0, 0, 0, 0, 0),
		MOVE(2, 10),
		ADD(2, -4),
		CALL(BPF_FUNC_map_lookup_elem),
		IF_ZERO(0, 23),
		LOAD(2, 6, offsetof(struct __sk_buff, data_meta)),
		LOAD(3, 6, offsetof(struct __sk_buff, data)),
		MOVE(4, 2),
		ADD(4, sizeof(struct fmp_record)),
		IF_ABOVE(4, 3, 18),
		KEEP_HALF(0),
		KEEP_HALF(2),
		KEEP_HALF(4),
		KEEP_HALF(6),
		KEEP_HALF(8),
		KEEP_HALF(10),
		KEEP_HALF(12),
		KEEP_HALF(14),
		SET(1, 1),
		COUNT(0, offsetof(struct last_record, frames), 1),
		SET(0, -1), /* TC_ACT_UNSPEC: go on */
		EXIT,
	};
	char path_of_map[256];

	if (fd < 0)
		return report_errno("the map");
	if (format_map_path(path_of_map, sizeof(path_of_map), path) || pin_object(fd, path_of_map))
		return -1;
	return pin_object(load_program(insns, sizeof(insns) / sizeof(insns[0])), path);
}

static int pin_flipper(const char *path, const char *where, const char *offset, const char *mask)
{
	int meta = !strcmp(where, "meta");
	int off = atoi(offset);
	const union {
		uint32_t word;
		uint16_t half[2];
	} bits = { .word = htole32(strtoul(mask, NULL, 0)) };
	const struct bpf_insn insns[] = {
		LOAD(2, 1,
		     meta ? offsetof(struct __sk_buff, data_meta)
			  : offsetof(struct __sk_buff, data)),
		LOAD(3, 1,
		     meta ? offsetof(struct __sk_buff, data)
			  : offsetof(struct __sk_buff, data_end)),
		MOVE(4, 2),
		ADD(4, off + 4),
		IF_ABOVE(4, 3, 6),
		FLIP_HALF(off, bits.half[0]),
		FLIP_HALF(off + 2, bits.half[1]),
		SET(0, -1),
		EXIT,
	};

	return pin_object(load_program(insns, sizeof(insns) / sizeof(insns[0])), path);
}

static int show_record(const char *path)
{
	char path_of_map[256];
	union bpf_attr get = { .pathname = (uintptr_t)path_of_map };
	struct last_record last_record;
	uint32_t key = 0;
	union bpf_attr lookup = { .key = (uintptr_t)&key, .value = (uintptr_t)&last_record };
	int fd;

	if (format_map_path(path_of_map, sizeof(path_of_map), path))
		return -1;
	fd = call_bpf(BPF_OBJ_GET, &get);
	if (fd < 0)
		return report_errno(path_of_map);
	lookup.map_fd = fd;
	if (call_bpf(BPF_MAP_LOOKUP_ELEM, &lookup))
		return report_errno("the map");
	printf("frames=%llu magic=%#x generation=%u l3_off=%u l4_off=%u l3=%u verdict=%u\n",
	       (unsigned long long)last_record.frames, last_record.rec.magic,
	       last_record.rec.generation, last_record.rec.l3_off, last_record.rec.l4_off,
	       last_record.rec.l3, last_record.rec.verdict);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "read"))
		return pin_reader(argv[2]) ? 1 : 0;
	if (argc == 3 && !strcmp(argv[1], "show"))
		return show_record(argv[2]) ? 1 : 0;
	if (argc == 6 && !strcmp(argv[1], "flip"))
		return pin_flipper(argv[2], argv[3], argv[4], argv[5]) ? 1 : 0;
	fprintf(stderr, "usage: fmp_bpf read PIN | show PIN | flip PIN meta|data OFFSET MASK\n");
	return 2;
}
