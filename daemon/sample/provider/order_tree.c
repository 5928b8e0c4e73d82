// SPDX-License-Identifier: GPL-2.0
#include "order_tree.h"

#include <errno.h>
#include <libxml/tree.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NS "urn:fmp:orders"

static bool is_element(const xmlNode *n, const char *name)
{
	return n && n->ns && strcmp((const char *)n->name, name) == 0 &&
	       strcmp((const char *)n->ns->href, NS) == 0;
}

static const xmlNode *next_element(const xmlNode *n)
{
	while (n && n->type != XML_ELEMENT_NODE)
		n = n->next;
	return n;
}

/* A verified tree has no comments: such an element has one text node, or none. */
static char *get_text(const xmlNode *n)
{
	static char empty[1];

	if (!n->children)
		return empty;
	return n->children->type == XML_TEXT_NODE && !n->children->next
		       ? (char *)n->children->content
		       : NULL;
}

/* Read the element *at if it has this name, and advance *at. Return: was it there, with a text? */
static bool take_text(const xmlNode **at, const char *name, char **out)
{
	if (!is_element(*at, name))
		return false;
	*out = get_text(*at);
	*at = next_element((*at)->next);
	return *out != NULL;
}

/* Read a number; white space around it is ignored. */
static bool take_number(const xmlNode **at, const char *name, unsigned long long max,
			unsigned long long *out)
{
	char *text, *end;

	if (!take_text(at, name, &text))
		return false;
	errno = 0;
	*out = strtoull(text, &end, 10);
	return !errno && end != text && !end[strspn(end, " \t\r\n")] && *out <= max &&
	       !strchr(text, '-');
}

static bool read_item(const xmlNode *n, struct o__Item *item)
{
	const xmlNode *at = next_element(n->children);
	unsigned long long qty;

	*item = (struct o__Item){ 0 };
	if (!take_text(&at, "sku", &item->sku) || !take_number(&at, "qty", INT_MAX, &qty) ||
	    !take_text(&at, "price", &item->price))
		return false;
	item->qty = (int)qty;
	if (at && !take_text(&at, "note", &item->note))
		return false;
	return !at;
}

static int read_items(struct soap *soap, const xmlNode *first, struct _o__submitOrder *order)
{
	size_t count = 0;

	for (const xmlNode *n = first; n; n = next_element(n->next)) {
		if (!is_element(n, "item") || count == INT_MAX)
			return SOAP_TYPE;
		count++;
	}
	order->item = soap_malloc(soap, (count + 1) * sizeof(*order->item));
	if (!order->item)
		return SOAP_EOM;
	for (const xmlNode *n = first; n; n = next_element(n->next))
		if (!read_item(n, &order->item[order->__sizeitem++]))
			return SOAP_TYPE;
	return SOAP_OK;
}

int order_from_tree(struct soap *soap, const xmlNode *payload, struct _o__submitOrder *order)
{
	const xmlNode *at;
	unsigned long long id;

	*order = (struct _o__submitOrder){ 0 };
	if (!is_element(payload, "submitOrder"))
		return SOAP_NO_METHOD;
	at = next_element(payload->children);
	if (!take_number(&at, "orderId", ULLONG_MAX, &id) ||
	    !take_text(&at, "customer", &order->customer) || !take_text(&at, "date", &order->date))
		return SOAP_TYPE;
	order->orderId = id;
	return read_items(soap, at, order);
}
