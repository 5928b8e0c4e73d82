// SPDX-License-Identifier: GPL-2.0
/* The operation of the sample service: adds up an order; its response has about 1 KB. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "soapH.h"

/* The runtime (a shared library) looks this table up by name. */
#pragma GCC visibility push(default)
#include "orders.nsmap"
#pragma GCC visibility pop

/* Lines repeated in the response: with the terms it has about 1 KB, however long the order is. */
#define ANSWER_LINES 2

static const char terms[] =
	"Goods remain ours until they are paid in full. Payment is due within thirty days of the "
	"date of the order, net. Prices do not include freight. Complaints about quantity or "
	"quality reach us in writing within eight days of delivery; hidden defects as soon as they "
	"are found. The place of performance is that of our warehouse.";

static char *format_decimal(struct soap *soap, double value)
{
	char text[64];

	snprintf(text, sizeof(text), "%.2f", value);
	return soap_strdup(soap, text);
}

/* Parse an xs:decimal, which has no exponent and no INF; bounded so that sums cannot overflow. */
static bool parse_price(const char *text, double *value)
{
	char *end;

	if (!text || text[strspn(text, "+-.0123456789")])
		return false;
	*value = strtod(text, &end);
	return end != text && !*end && fabs(*value) < 1e12;
}

/* Say what came with the order: tests compare it with what was sent. */
static void add_attachments(struct soap *soap, char *text, size_t size)
{
	/* gSOAP lists the root part, too, without its bytes. */
	const struct soap_multipart *part = soap->mime.list ? soap->mime.list->next : NULL;
	unsigned long bytes = 0, sum = 0;
	unsigned n = 0;
	size_t len = strlen(text);

	for (; part; part = part->next, n++) {
		bytes += part->size;
		for (size_t i = 0; i < part->size; i++)
			sum += (i + 1) * (unsigned char)part->ptr[i];
	}
	if (n)
		snprintf(text + len, size - len, " Attachments: %u, %lu bytes, sum %lu.", n, bytes,
			 sum);
}

int __o__submitOrder(struct soap *soap, struct _o__submitOrder *order,
		     struct _o__submitOrderResponse *answer)
{
	int i, lines = order->__sizeitem < ANSWER_LINES ? order->__sizeitem : ANSWER_LINES;
	double total = 0;
	char text[256];

	answer->line = soap_malloc(soap, sizeof(*answer->line) * (size_t)(lines + 1));
	if (!answer->line)
		return soap->error = SOAP_EOM;
	answer->__sizeline = lines;
	for (i = 0; i < order->__sizeitem; i++) {
		const struct o__Item *item = &order->item[i];
		double price;

		if (!parse_price(item->price, &price))
			return soap_sender_fault(soap, "Price is not a decimal", NULL);
		total += price * item->qty;
		if (i < lines)
			answer->line[i] = (struct o__Line){ .sku = item->sku,
							    .qty = item->qty,
							    .amount = format_decimal(
								    soap, price * item->qty) };
	}
	snprintf(text, sizeof(text), "Order %llu of %.40s: %d item(s) accepted.",
		 (unsigned long long)order->orderId, order->customer, order->__sizeitem);
	add_attachments(soap, text, sizeof(text));
	answer->orderId = order->orderId;
	answer->total = format_decimal(soap, total);
	answer->confirmation = soap_strdup(soap, text);
	answer->terms = soap_strdup(soap, terms);
	return SOAP_OK;
}
