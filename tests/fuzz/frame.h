/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames and rules from few addresses, so that they match; most frames are mutated
 */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include "model.h"
#include "random.h"

/* Limits of a device with an MTU of 1500. */
#define FRAME_MAX 1514
#define FRAME_MIN 14

/* Makes a frame to address dst or to another one. Return: its length. */
size_t frame_make(struct test_random *r, uint8_t *buf, const uint8_t *dst);

/* Makes a rule for addresses that frames use. */
void frame_rule(struct test_random *r, struct model_rule *rule);

#endif /* FUZZ_FRAME_H */
