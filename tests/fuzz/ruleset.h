/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules into the kernel, and the model of them
 */
#ifndef FUZZ_RULESET_H
#define FUZZ_RULESET_H

#include "channel.h"
#include "model.h"
#include "random.h"

/* Instead of the rules in force: random ones, and a device that observes or does not. */
void ruleset_change(struct channel *ch, struct fuzz_random *r, struct model *m, const char *dev);

/* None, and the device detached. */
void ruleset_clear(struct channel *ch, const char *dev);

/* Writes the rules as text. */
void ruleset_print(const struct model *m);

#endif /* FUZZ_RULESET_H */
