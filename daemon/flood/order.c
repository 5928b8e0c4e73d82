// SPDX-License-Identifier: GPL-2.0
#include "order.h"

#include <string.h>

static const char *const customers[] = {
	"Jane O'Neil-Smith", "A. Kowalska", "Field Unit 7", "M. Brandt",   "Harbour Office",
	"Ines Duarte",	     "R. Okafor",   "Depot North",  "L. Virtanen", "Survey Team 12",
};
static const char *const notes[] = {
	"deliver to the back door", "fragile, keep upright", "second floor, ring twice",
	"call before delivery",	    "no substitutes please", "batch as ordered last week",
};
static const char *const bad_quantities[] = { "0", "-4", "10000", "many", "1.5", "" };

#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))
#define PICK(r, a) ((a)[flood_random_below(r, COUNT(a))])

static void put_item(struct flood_text *t, struct flood_random *r, enum flood_flaw flaw)
{
	char letters[3];
	unsigned i;

	for (i = 0; i < sizeof(letters); i++)
		letters[i] = (char)('A' + flood_random_below(r, 26));
	flood_text_str(t, "<item><sku>");
	flood_text_add(t, letters, sizeof(letters));
	flood_text_str(t, "-");
	flood_text_uint(t, flood_random_below(r, 1000000), 6);
	flood_text_str(t, "</sku><qty>");
	if (flaw == FLOOD_FLAW_QTY)
		flood_text_str(t, PICK(r, bad_quantities));
	else
		flood_text_uint(t, 1 + flood_random_below(r, 9998), 0);
	flood_text_str(t, "</qty><price>");
	flood_text_uint(t, flood_random_below(r, 500), 0);
	flood_text_str(t, ".");
	flood_text_uint(t, flood_random_below(r, 100), 2);
	flood_text_str(t, "</price><note>");
	flood_text_str(t, PICK(r, notes));
	flood_text_str(t, flaw == FLOOD_FLAW_TAG ? "</note>" : "</note></item>");
}

void flood_order_put(struct flood_text *t, struct flood_random *random, uint64_t order_id,
		     int64_t now_s, uint32_t size, enum flood_flaw flaw)
{
	static const char tail[] = "</submitOrder>";
	size_t start = t->len;
	size_t item;

	flood_text_str(t, "<submitOrder xmlns=\"urn:fmp:orders\"><orderId>");
	flood_text_uint(t, order_id, 0);
	flood_text_str(t, "</orderId><customer>");
	flood_text_str(t, PICK(random, customers));
	flood_text_str(t, "</customer><date>");
	flood_text_time(t, now_s);
	flood_text_str(t, "</date>");
	do {
		item = t->len;
		put_item(t, random, flaw);
		flaw = FLOOD_FLAW_NONE;
		item = t->len - item;
	} while (!t->failed && t->len - start + item / 2 + sizeof(tail) < size);
	flood_text_str(t, tail);
}

bool flood_order_tamper(struct flood_text *t)
{
	static const char tag[] = "<qty>";
	char *at = memmem(t->data, t->len, tag, sizeof(tag) - 1);

	if (!at || at + sizeof(tag) >= t->data + t->len)
		return false;
	at += sizeof(tag) - 1;
	/* Replace a digit 1..9 by another: the number stays within 1..9999. */
	*at = *at == '9' ? '1' : (char)(*at + 1);
	return true;
}
