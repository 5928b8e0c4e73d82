// SPDX-License-Identifier: GPL-2.0
/*
 * orders second-parse|handed-on SECURITY SCHEMA CAS KEY NOW COUNT FILE
 *
 * Converts a message to the order that the sample service processes, COUNT times:
 * second-parse has gSOAP's parser read the bytes that fmp_inspect() forwards; handed-on
 * has the service read the tree of fmp_inspect(). callgrind counts all of it in once(),
 * the reading in read_once(). The last order is printed at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/inspect.h>

#include "message.h"
#include "order_tree.h"

static void die_with(const char *what, const char *why)
{
	fprintf(stderr, "orders: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static struct fmp_inspector *make_inspector(char **arg, bool tree)
{
	struct fmp_inspect_config cfg = {
		.schema = arg[1],
		.trust = arg[2],
		.key = arg[3],
		.clock_skew_ms = 60000,
		.tree = tree,
		.limits = wide_limits(),
	};
	struct fmp_inspector *i;
	struct fmp_error err;

	if (fmp_security_parse(arg[0], &cfg.security))
		die_with(arg[0], "no security");
	if (fmp_inspect_global_init(&err) || fmp_inspector_new(&cfg, &i, &err))
		die_with("the inspector", err.message);
	return i;
}

/* ---- gSOAP, from memory ---- */

struct source {
	const char *at;
	size_t left;
};

static size_t read_source(struct soap *soap, char *buf, size_t size)
{
	struct source *s = soap->user;
	size_t n = s->left < size ? s->left : size;

	memcpy(buf, s->at, n);
	s->at += n;
	s->left -= n;
	return n;
}

static void parse_second_time(struct soap *soap, const struct fmp_inspection *v,
			      struct _o__submitOrder *order)
{
	struct source s = { v->forward, v->forward_len };

	soap->user = &s;
	if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) ||
	    soap_body_begin_in(soap) ||
	    !soap_get__o__submitOrder(soap, order, "o:submitOrder", NULL) ||
	    soap_body_end_in(soap) || soap_envelope_end_in(soap) || soap_end_recv(soap))
		die_with("gSOAP", "does not take it");
}

/* Fills the caches: only the first message pays for a new certificate. */
static void warm_up(struct fmp_inspector *i, const struct fmp_message *m)
{
	struct fmp_inspection v;

	if (fmp_inspect(i, m, &v) || !v.accepted)
		die_with(fmp_step_name(v.step), v.detail);
	fmp_inspection_clear(&v);
}

/* ---- not inlined: callgrind counts by these names ---- */

static __attribute__((noinline)) void read_once(struct soap *soap, const struct fmp_inspection *v,
						struct _o__submitOrder *order)
{
	if (!v->tree.doc)
		parse_second_time(soap, v, order);
	else if (order_from_tree(soap, v->tree.payload, order))
		die_with("the tree", "is no order");
}

static __attribute__((noinline)) void once(struct fmp_inspector *i, const struct fmp_message *m,
					   struct soap *soap, bool last)
{
	struct _o__submitOrder order = { 0 };
	struct fmp_inspection v;

	if (fmp_inspect(i, m, &v) || !v.accepted)
		die_with(fmp_step_name(v.step), v.detail);
	read_once(soap, &v, &order);
	if (last)
		printf("order %llu of %s: %d items, the last %s\n",
		       (unsigned long long)order.orderId, order.customer, order.__sizeitem,
		       order.item[order.__sizeitem - 1].sku);
	soap_destroy(soap);
	soap_end(soap);
	fmp_inspection_clear(&v);
}

int main(int argc, char **argv)
{
	bool tree = argc > 1 && !strcmp(argv[1], "handed-on");
	struct fmp_inspector *i;
	struct fmp_message m;
	struct soap soap;

	if (argc != 9 || (!tree && strcmp(argv[1], "second-parse"))) {
		fputs("usage: orders second-parse|handed-on SECURITY SCHEMA CAS KEY NOW COUNT FILE\n",
		      stderr);
		return 2;
	}
	i = make_inspector(argv + 2, tree);
	m = read_message(argv[8]);
	m.now_s = atoll(argv[6]);
	soap_init1(&soap, SOAP_C_UTFSTRING);
	soap.frecv = read_source;
	warm_up(i, &m);
	for (int n = atoi(argv[7]); n; n--)
		once(i, &m, &soap, n == 1);
	soap_done(&soap);
	fmp_inspector_free(i);
	fmp_inspect_global_exit();
	free((void *)m.bytes);
	return EXIT_SUCCESS;
}

/* The runtime (a shared library) looks this table up by name. */
#pragma GCC visibility push(default)
#include "orders.nsmap"
#pragma GCC visibility pop
