// SPDX-License-Identifier: GPL-2.0
#include "in_process.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <fmp/inspect.h>

#include "order_tree.h"

struct fmp_inspector **in_process_load(const char *file, unsigned n)
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
		cfg.tree = true;
		ret = fmp_inspect_global_init(&err);
		for (unsigned i = 0; i < n && !ret; i++) {
			ret = fmp_inspector_new(&cfg, &list[i], &err);
			cfg.beside = list[0];
		}
		fmp_policy_free(policy);
	}
	if (!ret)
		return list;
	fprintf(stderr, "fmp-orders: %s:%u:%u: %s\n", err.file[0] ? err.file : file, err.line,
		err.column, err.message);
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

static int put_answer(struct soap *soap, const struct _o__submitOrderResponse *answer)
{
	return soap_envelope_begin_out(soap) || soap_putheader(soap) || soap_body_begin_out(soap) ||
	       soap_put__o__submitOrderResponse(soap, answer, "o:submitOrderResponse", "") ||
	       soap_body_end_out(soap) || soap_envelope_end_out(soap);
}

/* As soapcpp2 writes it, but for where the order comes from. */
static int answer_order(struct soap *soap, const struct fmp_tree *tree)
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
	if ((soap->mode & SOAP_IO_LENGTH) && put_answer(soap, &answer))
		return soap->error;
	if (soap_end_count(soap) || soap_response(soap, SOAP_OK) || put_answer(soap, &answer) ||
	    soap_end_send(soap))
		return soap->error;
	return soap_closesock(soap);
}

/* gSOAP would take memory for whatever length a client names, and a short body for a whole one. */
static char *read_body(struct soap *soap, size_t *len)
{
	bool chunked = (soap->mode & SOAP_IO) == SOAP_IO_CHUNK;
	ULONG64 said = soap->length; /* what has been read is counted down from it */
	char *body;

	if (!chunked && said > (ULONG64)soap->recv_maxlength) {
		soap->error = 413;
		return NULL;
	}
	body = soap_http_get_body(soap, len);
	if (body && !chunked && *len != said) {
		soap->error = SOAP_EOF;
		return NULL;
	}
	return soap_end_recv(soap) ? NULL : body;
}

static int serve_one(struct soap *soap, struct fmp_inspector *inspector)
{
	struct fmp_message m = { .now_s = time(NULL) };
	struct fmp_inspection v;

	if (soap_begin_recv(soap))
		return soap->error;
	m.bytes = read_body(soap, &m.len);
	if (!m.bytes)
		return soap->error ? soap->error : (soap->error = SOAP_EOF);
	m.soap_action = soap->action;
	if (fmp_inspect(inspector, &m, &v))
		return soap->error = SOAP_EOM;
	soap_set_version(soap, v.soap_version == 12 ? 2 : 1);
	if (v.accepted)
		answer_order(soap, &v.tree);
	else
		/* Why is nobody's business who sends such things. */
		soap_sender_fault(soap, "the message is refused", NULL);
	fmp_inspection_clear(&v);
	return soap->error;
}

int in_process_serve(struct soap *soap, struct fmp_inspector *inspector)
{
	soap->keep_alive = soap->max_keep_alive + 1;
	do {
		if (soap->keep_alive > 0 && soap->max_keep_alive > 0)
			soap->keep_alive--;
		if (serve_one(soap, inspector) && soap->error < SOAP_STOP)
			return soap->error == SOAP_EOF ? SOAP_EOF : soap_send_fault(soap);
		soap_destroy(soap);
		soap_end(soap);
	} while (soap->keep_alive);
	return SOAP_OK;
}
