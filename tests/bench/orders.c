// SPDX-License-Identifier: GPL-2.0
/*
 * orders second-parse|handed-on SECURITY SCHEMA CAS KEY NOW COUNT FILE
 *
 * From a message to the order that the sample service works on, COUNT times: the octets
 * that fmp_inspect() hands on, read by gSOAP's parser; or the tree that it hands on, read
 * by the service. Counted from outside: all of it in once(), the reading in read_once().
 * What was read is said at the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/inspect.h>

#include "message.h"
#include "order_tree.h"

static void die(const char *what, const char *why)
{
	fprintf(stderr, "orders: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

static struct fmp_inspector *make(char **arg, bool tree)
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
		die(arg[0], "no security");
	if (fmp_inspect_global_init(&err) || fmp_inspector_new(&cfg, &i, &err))
		die("the inspector", err.message);
	return i;
}

/* ---- gSOAP, from memory ---- */

struct source {
	const char *at;
	size_t left;
};

static size_t receive(struct soap *soap, char *buf, size_t size)
{
	struct source *s = soap->user;
	size_t n = s->left < size ? s->left : size;

	memcpy(buf, s->at, n);
	s->at += n;
	s->left -= n;
	return n;
}

static void parse_again(struct soap *soap, const struct fmp_inspection *v,
			struct _o__submitOrder *order)
{
	struct source s = { v->forward, v->forward_len };

	soap->user = &s;
	if (soap_begin_recv(soap) || soap_envelope_begin_in(soap) || soap_recv_header(soap) ||
	    soap_body_begin_in(soap) ||
	    !soap_get__o__submitOrder(soap, order, "o:submitOrder", NULL) ||
	    soap_body_end_in(soap) || soap_envelope_end_in(soap) || soap_end_recv(soap))
		die("gSOAP", "does not take it");
}

/* What a certificate costs that is new, no message pays again. */
static void warm_up(struct fmp_inspector *i, const struct fmp_message *m)
{
	struct fmp_inspection v;

	if (fmp_inspect(i, m, &v) || !v.accepted)
		die(fmp_step_name(v.step), v.detail);
	fmp_inspection_clear(&v);
}

/* ---- what is counted: by these names ---- */

static __attribute__((noinline)) void read_once(struct soap *soap, const struct fmp_inspection *v,
						struct _o__submitOrder *order)
{
	if (!v->tree.doc)
		parse_again(soap, v, order);
	else if (order_from_tree(soap, v->tree.payload, order))
		die("the tree", "is no order");
}

static __attribute__((noinline)) void once(struct fmp_inspector *i, const struct fmp_message *m,
					   struct soap *soap, bool last)
{
	struct _o__submitOrder order = { 0 };
	struct fmp_inspection v;

	if (fmp_inspect(i, m, &v) || !v.accepted)
		die(fmp_step_name(v.step), v.detail);
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
	i = make(argv + 2, tree);
	m = read_message(argv[8]);
	m.now_s = atoll(argv[6]);
	soap_init1(&soap, SOAP_C_UTFSTRING);
	soap.frecv = receive;
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
