/* SPDX-License-Identifier: GPL-2.0 */
/* Writes orders of the sample service as text. */
#ifndef FLOOD_ORDER_H
#define FLOOD_ORDER_H

#include "random.h"
#include "text.h"

enum flood_flaw {
	FLOOD_FLAW_NONE = 0,
	FLOOD_FLAW_TAG, /* the first item is never closed */
	FLOOD_FLAW_QTY, /* the first quantity violates the schema */
};

/* Appends a submitOrder element in canonical form, with at least one item, of about size bytes. */
void flood_order_put(struct flood_text *t, struct flood_random *random, uint64_t order_id,
		     int64_t now_s, uint32_t size, enum flood_flaw flaw);

/* Changes one quantity in finished text to another valid one. Return: false: there is none. */
bool flood_order_tamper(struct flood_text *t);

#endif
