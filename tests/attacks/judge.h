/* SPDX-License-Identifier: GPL-2.0 */
/* Inspectors of every configuration with the limits of the default policy, and what a message costs them. */
#ifndef FMP_TESTS_ATTACK_JUDGE_H
#define FMP_TESTS_ATTACK_JUDGE_H

#include "attack.h"

struct judge;

/** judge_new() - tests: where interop/vectors is. */
struct judge *judge_new(const char *tests);
void judge_free(struct judge *j);
struct attack_world *judge_world(struct judge *j);
/** judge_body_limit() - largest message, in bytes. */
size_t judge_body_limit(const struct judge *j);

/** judge_look() - the pipeline's verdict, of a request from HTTP on; nothing of the verdict is left to free. */
struct fmp_inspection judge_look(struct judge *j, const struct attack *a,
				 const struct attack_bytes *b);
/** judge_forget() - to the inspector of that configuration nothing was seen before. */
void judge_forget(struct judge *j, const struct attack *a);
/** judge_memory() - the most that it takes at once. */
size_t judge_memory(struct judge *j, const struct attack *a, const struct attack_bytes *b);

#endif
