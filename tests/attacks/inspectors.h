/* SPDX-License-Identifier: GPL-2.0 */
/* Inspectors of every configuration with the limits of the default policy, and what a message costs them. */
#ifndef FMP_TESTS_ATTACK_INSPECTORS_H
#define FMP_TESTS_ATTACK_INSPECTORS_H

#include "attack.h"

struct inspectors;

/** inspectors_new() - tests: where interop/vectors is. */
struct inspectors *inspectors_new(const char *tests);
void inspectors_free(struct inspectors *set);
struct attack_pki *inspectors_pki(struct inspectors *set);
/** inspectors_body_limit() - largest message, in bytes. */
size_t inspectors_body_limit(const struct inspectors *set);

/** inspectors_inspect() - the pipeline's verdict, for a raw request beginning with HTTP; the verdict needs no clearing. */
struct fmp_inspection inspectors_inspect(struct inspectors *set, const struct attack *a,
					 const struct attack_bytes *b);
/** inspectors_forget_messages() - replace the inspector of that configuration by one that has seen nothing. */
void inspectors_forget_messages(struct inspectors *set, const struct attack *a);
/** inspectors_peak_memory() - the most bytes allocated at once by inspecting it. */
size_t inspectors_peak_memory(struct inspectors *set, const struct attack *a,
			      const struct attack_bytes *b);

#endif
