// SPDX-License-Identifier: GPL-2.0
#include "in_process.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <fmp/internal/text.h>
#include <fmp/gsoap.h>

#include "order_tree.h"

struct fmp_inspector **in_process_load(const char *file, bool tree, unsigned n)
{
	struct fmp_inspector **list = calloc(n, sizeof(struct fmp_inspector *));
	struct fmp_inspect_config cfg;
	struct fmp_policy *policy;
	struct fmp_error err = { 0 };
	int ret;

	if (!list)
		return NULL;
	ret = fmp_policy_load(file, NULL, &policy, &err);
	if (!ret) {
		cfg = fmp_inspect_config_from(policy);
		cfg.tree = tree;
		ret = fmp_inspect_global_init(&err);
		for (unsigned i = 0; i < n && !ret; i++) {
			ret = fmp_inspector_new(&cfg, &list[i], &err);
			cfg.share_replay = list[0];
		}
		fmp_policy_free(policy);
	}
	if (!ret)
		return list;
	fmp_text_print(stderr, "fmp-orders: %s:%u:%u: %s\n", err.file[0] ? err.file : file,
		       err.line, err.column, err.message);
	in_process_free(list, n);
	return NULL;
}

void in_process_free(struct fmp_inspector **list, unsigned n)
{
	if (!list)
		return;
	for (unsigned i = 0; i < n; i++)
		fmp_inspector_free(list[i]);
	fmp_inspect_global_exit();
	free(list);
}

bool in_process_begin(struct soap *soap, struct fmp_inspector *inspector, const char *report)
{
	struct fmp_gsoap_config cfg = { FMP_GSOAP_CONFIG, .inspector = inspector,
					.report = report != NULL,
					.report_socket = report && *report ? report : NULL,
					.service = "orders" };

	return soap_register_plugin_arg(soap, fmp_gsoap, &cfg) == SOAP_OK;
}

static int put_response(struct soap *soap, const struct _o__submitOrderResponse *answer)
{
	return soap_envelope_begin_out(soap) || soap_putheader(soap) || soap_body_begin_out(soap) ||
	       soap_put__o__submitOrderResponse(soap, answer, "o:submitOrderResponse", "") ||
	       soap_body_end_out(soap) || soap_envelope_end_out(soap);
}

/* Like the code that soapcpp2 generates, but the order comes from the tree. */
static int respond_to_order(struct soap *soap, const struct fmp_tree *tree)
{
	struct _o__submitOrderResponse answer;
	struct _o__submitOrder order;

	soap_default__o__submitOrderResponse(soap, &answer);
	soap->error = order_from_tree(soap, tree->payload, &order);
	if (!soap->error)
		soap->error = __o__submitOrder(soap, &order, &answer);
	if (soap->error)
		return soap->error;
	soap->encodingStyle = NULL;
	soap_serializeheader(soap);
	soap_serialize__o__submitOrderResponse(soap, &answer);
	if (soap_begin_count(soap))
		return soap->error;
	if ((soap->mode & SOAP_IO_LENGTH) && put_response(soap, &answer))
		return soap->error;
	if (soap_end_count(soap) || soap_response(soap, SOAP_OK) || put_response(soap, &answer) ||
	    soap_end_send(soap))
		return soap->error;
	return soap_closesock(soap);
}

static int serve_request(struct soap *soap)
{
	const struct fmp_inspection *v;

	/* A refused message ends here. */
	if (soap_begin_recv(soap))
		return soap->error;
	v = fmp_gsoap_inspection(soap);
	if (!v || !v->tree.payload || soap_end_recv(soap))
		return soap->error ? soap->error : (soap->error = SOAP_FAULT);
	return respond_to_order(soap, &v->tree);
}

int in_process_serve(struct soap *soap)
{
	soap->keep_alive = soap->max_keep_alive + 1;
	do {
		if (soap->keep_alive > 0 && soap->max_keep_alive > 0)
			soap->keep_alive--;
		if (serve_request(soap) && soap->error < SOAP_STOP)
			return soap->error == SOAP_EOF ? SOAP_EOF : soap_send_fault(soap);
		soap_destroy(soap);
		/* soap_end() would clear tables, too, that soap_begin_recv() clears anyway. */
		soap_dealloc(soap, NULL);
	} while (soap->keep_alive);
	return SOAP_OK;
}
