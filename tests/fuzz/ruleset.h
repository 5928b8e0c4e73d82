/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Changes the rules of the kernel and the model of them
 */
#ifndef FUZZ_RULESET_H
#define FUZZ_RULESET_H

#include "channel.h"
#include "model.h"
#include "random.h"

/* One change each. Return: 0, or the errno of the kernel. A timeout of 0 is none. */
int ruleset_add(struct channel *ch, const struct model_rule *rule, uint64_t timeout_ms);
int ruleset_del(struct channel *ch, const struct model_rule *rule);
int ruleset_flush(struct channel *ch);
int ruleset_attach(struct channel *ch, const char *dev, bool observe);
int ruleset_detach(struct channel *ch, const char *dev);

/* Replaces all rules by random ones, and attaches the device with observe or without. */
void ruleset_change(struct channel *ch, struct test_random *r, struct model *m, const char *dev);

/* Deletes all rules and detaches the device. */
void ruleset_clear(struct channel *ch, const char *dev);

/* Writes the rules as text. */
void ruleset_print(const struct model *m);

#endif /* FUZZ_RULESET_H */
