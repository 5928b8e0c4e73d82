/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages to the family, right, nearly right and wrong
 */
#ifndef FUZZ_MESSAGE_H
#define FUZZ_MESSAGE_H

#include "random.h"

#include <linux/netlink.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Room for more rules than one message may carry. */
#define FUZZ_MESSAGE_MAX 65536

/*
 * Makes a message of type family with number seq in buf; returns its length.
 * calm: rules get no timeout (but a bent one may have it).
 */
size_t fuzz_message_make(struct test_random *r, void *buf, uint16_t family, uint32_t seq,
			 bool calm);

/* May the kernel refuse it before the family sees it, and so without a text? */
bool fuzz_message_alien(const void *buf, size_t len, uint16_t family);

#endif /* FUZZ_MESSAGE_H */
