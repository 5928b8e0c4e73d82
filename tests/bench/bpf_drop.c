// SPDX-License-Identifier: GPL-2.0
/*
 * bpf_drop xdp|tc COUNT PIN: loads a BPF program that drops the benchmark's sources 0 to
 * COUNT - 1 by a hash map of their IPv4 addresses, and pins it at PIN, for ip or tc
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define IPV4_SADDR (ETH_HLEN + 12)
#define IPV4_END   (ETH_HLEN + 20)
#define OFF_PROTO  12
#define IPV4_FIRST 0x0a000100
#define PTR(p)	   ((uint64_t)(uintptr_t)(p))
#define INSN(c, d, s, o, i) \
	((struct bpf_insn){ .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) })

static char verifier_log[64 * 1024];

static int call_bpf(int cmd, union bpf_attr *attr)
{
	int ret = syscall(SYS_bpf, cmd, attr, sizeof(*attr));

	if (ret < 0) {
		fprintf(stderr, "bpf_drop: command %d: %s\n%s", cmd, strerror(errno), verifier_log);
		exit(1);
	}
	return ret;
}

static int make_map(uint32_t count)
{
	union bpf_attr attr = {
		.map_type = BPF_MAP_TYPE_HASH, .key_size = 4, .value_size = 4, .max_entries = count
	};
	int map = call_bpf(BPF_MAP_CREATE, &attr);

	for (uint32_t n = 0; n < count; n++) {
		uint32_t key = htonl(IPV4_FIRST + n), value = 1;

		memset(&attr, 0, sizeof(attr));
		attr.map_fd = map;
		attr.key = PTR(&key);
		attr.value = PTR(&value);
		call_bpf(BPF_MAP_UPDATE_ELEM, &attr);
	}
	return map;
}

/* r1 is the context; data and end are offsets of its fields. */
static int make_program(uint32_t type, int map, int data, int end, int drop, int pass)
{
	struct bpf_insn code[] = {
		INSN(BPF_LDX | BPF_MEM | BPF_W, 2, 1, data, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_W, 3, 1, end, 0),
		/* Pass a frame without a complete IPv4 header. */
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, IPV4_END),
		INSN(BPF_JMP | BPF_JGT | BPF_X, 4, 3, 10, 0),
		INSN(BPF_LDX | BPF_MEM | BPF_H, 5, 2, OFF_PROTO, 0),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 5, 0, 8, htons(ETH_P_IP)),
		INSN(BPF_LDX | BPF_MEM | BPF_W, 5, 2, IPV4_SADDR, 0),
		INSN(BPF_STX | BPF_MEM | BPF_W, 10, 5, -4, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_X, 2, 10, 0, 0),
		INSN(BPF_ALU64 | BPF_ADD | BPF_K, 2, 0, 0, -4),
		INSN(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map),
		INSN(0, 0, 0, 0, 0),
		INSN(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_map_lookup_elem),
		INSN(BPF_JMP | BPF_JNE | BPF_K, 0, 0, 2, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, pass),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
		INSN(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, drop),
		INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
	};
	union bpf_attr attr = {
		.prog_type = type,
		.insns = PTR(code),
		.insn_cnt = sizeof(code) / sizeof(code[0]),
		.license = PTR("GPL"),
		.log_buf = PTR(verifier_log),
		.log_size = sizeof(verifier_log),
		.log_level = 1,
	};

	return call_bpf(BPF_PROG_LOAD, &attr);
}

int main(int argc, char **argv)
{
	union bpf_attr attr = { 0 };
	int map;

	if (argc != 4 || (strcmp(argv[1], "xdp") && strcmp(argv[1], "tc"))) {
		fprintf(stderr, "usage: bpf_drop xdp|tc COUNT PIN\n");
		return 2;
	}
	map = make_map(strtoul(argv[2], NULL, 0));
	if (!strcmp(argv[1], "xdp"))
		attr.bpf_fd = make_program(BPF_PROG_TYPE_XDP, map, offsetof(struct xdp_md, data),
					   offsetof(struct xdp_md, data_end), XDP_DROP, XDP_PASS);
	else
		attr.bpf_fd =
			make_program(BPF_PROG_TYPE_SCHED_CLS, map, offsetof(struct __sk_buff, data),
				     offsetof(struct __sk_buff, data_end), TC_ACT_SHOT, TC_ACT_OK);
	attr.pathname = PTR(argv[3]);
	call_bpf(BPF_OBJ_PIN, &attr);
	return 0;
}
