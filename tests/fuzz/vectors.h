/* SPDX-License-Identifier: GPL-2.0 */
/* What the fuzzers of the inspection share: messages of other stacks, and one look at a message. */
#ifndef FMP_FUZZ_VECTORS_H
#define FMP_FUZZ_VECTORS_H

#include <stdio.h>
#include <stdlib.h>

#include <fmp/inspect.h>

#define NOW 1795316400 /* 2026-11-22T03:00:00Z */

/* A path below tests/interop/vectors; FMP_TESTS says where tests/ is when it is not below here. */
static inline const char *vector_path(const char *name)
{
	static char buf[8][512];
	static unsigned next;
	const char *root = getenv("FMP_TESTS");
	char *p = buf[next++ % 8];

	snprintf(p, sizeof(buf[0]), "%s/interop/vectors/%s", root ? root : "tests", name);
	return p;
}

static inline struct fmp_inspection inspect_or_abort(struct fmp_inspector *i, const void *p,
						     size_t n)
{
	struct fmp_message m = { .bytes = p, .len = n, .now_s = NOW };
	struct fmp_inspection v;

	if (fmp_inspect(i, &m, &v)) {
		fputs("fuzz: memory ran out\n", stderr);
		abort();
	}
	return v;
}

#endif
