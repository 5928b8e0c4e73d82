/* SPDX-License-Identifier: GPL-2.0 */
/* Orders of the sample service, written as text. */
#ifndef FLOOD_ORDER_H
#define FLOOD_ORDER_H

#include "random.h"
#include "text.h"

enum flood_flaw {
	FLOOD_FLAW_NONE = 0,
	FLOOD_FLAW_TAG, /* the first item is never closed */
	FLOOD_FLAW_QTY, /* the first quantity is one the schema forbids */
};

/*
 * Appends a submitOrder element in canonical form, with as many items as
 * bring it to about size bytes, one at least.
 */
void flood_order_put(struct flood_text *t, struct flood_random *random, uint64_t order_id,
		     int64_t now_s, uint32_t size, enum flood_flaw flaw);

/* Changes one quantity in finished text to another valid one; false if there is none. */
bool flood_order_tamper(struct flood_text *t);

#endif
