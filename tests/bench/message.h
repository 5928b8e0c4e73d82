/* SPDX-License-Identifier: GPL-2.0 */
/* What the programs of scripts/bench that count instructions have in common. */
#ifndef FMP_BENCH_MESSAGE_H
#define FMP_BENCH_MESSAGE_H

#include <stdio.h>
#include <stdlib.h>

#include <fmp/inspect.h>

#define MAX_BYTES (64u << 20)

/** read_message() - a file of at most MAX_BYTES; its bytes are the caller's. Ends the program if it can't. */
static inline struct fmp_message read_message(const char *file)
{
	FILE *f = fopen(file, "rb");
	char *bytes = malloc(MAX_BYTES);
	struct fmp_message m = { .bytes = bytes };

	if (!f || !bytes) {
		perror(file);
		exit(EXIT_FAILURE);
	}
	m.len = fread(bytes, 1, MAX_BYTES, f);
	fclose(f);
	return m;
}

/** wide_limits() - as no policy would set them: what is counted is the work. */
static inline struct fmp_policy_limits wide_limits(void)
{
	return (struct fmp_policy_limits){
		.body_bytes = MAX_BYTES,
		.depth = 64,
		.attributes = 64,
		.elements = 1000000,
		.name_bytes = 256,
		.text_bytes = MAX_BYTES,
		.references = 8,
	};
}

#endif
