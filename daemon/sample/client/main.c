// SPDX-License-Identifier: GPL-2.0
/* fmp-orders-client: sends orders and checks the sums that come back. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/text.h>

#include "soapH.h"

/* The runtime (a shared library) looks this table up by name. */
#pragma GCC visibility push(default)
#include "orders.nsmap"
#pragma GCC visibility pop

#define MAX_ITEMS 1000
#define MAX_COUNT 1000000

struct settings {
	const char *endpoint;
	long count, items, timeout_s;
	int quiet;
};

static void usage(FILE *to)
{
	fputs("Usage: fmp-orders-client [--endpoint URL] [--count N] [--items N] [--timeout S] [--quiet]\n"
	      "Sends orders over one kept-alive connection and checks each answer.\n\n"
	      "  --endpoint URL  the service or a gateway (http://127.0.0.1:9000/orders)\n"
	      "  --count N       orders to send, 1..1000000 (1)\n"
	      "  --items N       items in an order, 1..1000 (7: a message of about 1 KB)\n"
	      "  --timeout S     seconds to wait for an answer, 1..3600 (10)\n"
	      "  --quiet         print the summary only\n"
	      "  --help, --version\n\n"
	      "Exit status: 0 all answers right; 1 a fault, a wrong answer, no connection; 2 usage.\n",
	      to);
}

/* Fill an order. Prices are whole cents, so that the sum can be compared as text. */
static int fill_order(struct soap *soap, struct _o__submitOrder *order, long number, long items,
		      char *total, size_t size)
{
	long cents = 0;
	char text[64];
	time_t now = time(NULL);
	struct tm tm;

	order->orderId = (ULONG64)number;
	order->customer = "Jane O'Neil-Smith";
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
	order->date = soap_strdup(soap, text);
	order->item = soap_malloc(soap, sizeof(*order->item) * (size_t)items);
	if (!order->item)
		return SOAP_EOM;
	order->__sizeitem = (int)items;
	for (long i = 0; i < items; i++) {
		struct o__Item *item = &order->item[i];
		long price = 101 * i + number % 100;

		snprintf(text, sizeof(text), "ABC-%06ld", i);
		item->sku = soap_strdup(soap, text);
		item->qty = (int)(i % 99 + 1);
		snprintf(text, sizeof(text), "%ld.%02ld", price / 100, price % 100);
		item->price = soap_strdup(soap, text);
		snprintf(text, sizeof(text), "plain item number %ld in the order", i);
		item->note = soap_strdup(soap, text);
		cents += price * item->qty;
	}
	snprintf(total, size, "%ld.%02ld", cents / 100, cents % 100);
	return SOAP_OK;
}

/* Print the fault on one line; control characters of the service are replaced. */
static void print_fault(struct soap *soap, long number)
{
	char text[2048] = "";

	soap_sprint_fault(soap, text, sizeof(text));
	for (char *end = text; (end = strchr(end, '\n'));)
		*end = ' ';
	fmp_text_print(stderr, "fmp-orders-client: order %ld: %s\n", number, text);
}

static int send_order(struct soap *soap, const struct settings *s, long number)
{
	struct _o__submitOrder order = { 0 };
	struct _o__submitOrderResponse answer = { 0 };
	char total[32];

	if (fill_order(soap, &order, number, s->items, total, sizeof(total)) ||
	    soap_call___o__submitOrder(soap, s->endpoint, "", &order, &answer)) {
		print_fault(soap, number);
		return 1;
	}
	if (answer.orderId != order.orderId || !answer.total || strcmp(answer.total, total)) {
		fmp_text_print(stderr, "fmp-orders-client: order %ld: total %s, expected %s\n",
			       number, answer.total ? answer.total : "none", total);
		return 1;
	}
	if (!s->quiet)
		fmp_text_print(stdout, "order %ld: total %s\n", number, answer.total);
	return 0;
}

static int run_orders(const struct settings *s)
{
	struct soap soap;
	struct timespec start, end;
	long good = 0;

	soap_init2(&soap, SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING,
		   SOAP_IO_KEEPALIVE | SOAP_C_UTFSTRING);
	soap.connect_timeout = soap.recv_timeout = soap.send_timeout = (int)s->timeout_s;
	soap.socket_flags = MSG_NOSIGNAL;
	clock_gettime(CLOCK_MONOTONIC, &start);
	for (long i = 1; i <= s->count; i++) {
		good += !send_order(&soap, s, i);
		soap_destroy(&soap);
		soap_end(&soap);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	soap_closesock(&soap);
	soap_done(&soap);
	printf("%ld of %ld orders answered right in %.3f s\n", good, s->count,
	       (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9);
	return good == s->count ? 0 : 1;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "endpoint", required_argument, NULL, 'e' },
						 { "count", required_argument, NULL, 'c' },
						 { "items", required_argument, NULL, 'i' },
						 { "timeout", required_argument, NULL, 't' },
						 { "quiet", no_argument, NULL, 'q' },
						 { "help", no_argument, NULL, 'h' },
						 { "version", no_argument, NULL, 'V' },
						 { NULL, 0, NULL, 0 } };
	struct settings s = {
		.endpoint = "http://127.0.0.1:9000/orders", .count = 1, .items = 7, .timeout_s = 10
	};
	int c;

	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'e':
			s.endpoint = optarg;
			break;
		case 'c':
			s.count = strtol(optarg, NULL, 10);
			break;
		case 'i':
			s.items = strtol(optarg, NULL, 10);
			break;
		case 't':
			s.timeout_s = strtol(optarg, NULL, 10);
			break;
		case 'q':
			s.quiet = 1;
			break;
		case 'h':
			usage(stdout);
			return 0;
		case 'V':
			puts("fmp-orders-client " FMP_VERSION);
			return 0;
		default:
			usage(stderr);
			return 2;
		}
	}
	if (optind < argc || s.count < 1 || s.count > MAX_COUNT || s.items < 1 ||
	    s.items > MAX_ITEMS || s.timeout_s < 1 || s.timeout_s > 3600) {
		usage(stderr);
		return 2;
	}
	return run_orders(&s);
}
