/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages to the family: valid, nearly valid and invalid
 */
#ifndef FUZZ_MESSAGE_H
#define FUZZ_MESSAGE_H

#include "random.h"

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Enough for more rules than one message may have. */
#define FUZZ_MESSAGE_MAX 65536

/*
 * Makes a message of type family with number seq in buf. Return: its length.
 * no_timeouts: rules get no timeout (a mutated message may have one).
 */
size_t fuzz_message_make(struct test_random *r, void *buf, uint16_t family, uint32_t seq,
			 bool no_timeouts);

/* Return: true if the kernel may refuse it before the family does, and so without a text. */
bool fuzz_message_is_foreign(const void *buf, size_t len, uint16_t family);

#endif /* FUZZ_MESSAGE_H */
