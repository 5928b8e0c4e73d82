/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A gSOAP plugin for a service that runs without a gateway before it: soap_serve() gets only
 * messages that were inspected, and the senders of others are reported to fmpd.
 *
 *	struct fmp_gsoap_config cfg = { FMP_GSOAP_CONFIG, .inspector = i, .report = true };
 *
 *	if (soap_register_plugin_arg(soap, fmp_gsoap, &cfg))
 *		...
 *	soap_serve(soap);
 *
 * With an inspector whose output is bytes soap_serve() reads them. With one whose output is
 * trees the service calls soap_begin_recv(), reads the tree of fmp_gsoap_inspection(), and
 * soap_end_recv(): nothing is parsed twice.
 *
 * A refused message is answered with a Fault that gives no reason: a sender Fault, or a receiver
 * Fault if this device cannot judge the message (enum fmp_lack). gSOAP's limits of time and
 * connections are left to the service; the length of a message is limited by the inspector or by
 * recv_maxlength, whichever is smaller. Refused with 415: compressed messages, and the content types
 * that the gateway refuses (fmp_media_read()), DIME among them. Refused with 405: OPTIONS.
 * Other methods go to the service without inspection. Data without HTTP, which gSOAP accepts too,
 * is not read.
 *
 * MTOM and SOAP with Attachments are taken if the inspector's configuration has `attachments`, else
 * refused with 415. They are read by fmp's own parser of MIME, as at the gateway, and written anew for
 * soap_serve(), which finds the attachments in soap->mime; the whole message counts against the same
 * limit, and is held twice at most. A service that reads a tree finds in it the Base64 of what an
 * xop:Include named, and the attachments by fmp_gsoap_attachments().
 *
 * As at the gateway, a message that any web page can send ("browser") gathers no rank. TLS handshakes
 * do: a source that makes more than 200 full ones, and more than one a second, only for such
 * messages is reported as "connection". They are counted for all threads together.
 */
#ifndef FMP_GSOAP_H
#define FMP_GSOAP_H

#include <fmp/error.h>
#include <fmp/inspect.h>
#include <stddef.h>

struct soap;
struct soap_plugin;

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_GSOAP_ID "urn:fmp:gsoap:1"

/**
 * FMP_GSOAP_CONFIG - first initializer of each configuration, where <stdsoap2.h> is included
 *
 * gSOAP's build options change the layout of struct soap, and nothing else would detect a mismatch.
 */
#define FMP_GSOAP_CONFIG .soap_size = sizeof(struct soap)

/** struct fmp_gsoap_config - copied */
struct fmp_gsoap_config {
	size_t soap_size; /**< see above */
	struct fmp_inspector *inspector; /**< outlives the plugin; used by this context only */
	bool report; /**< report to fmpd, if it runs */
	const char *report_socket; /**< NULL: FMP_REPORT_SOCKET */
	const char *service; /**< name in reports; NULL: none */
};

/**
 * fmp_gsoap() - for soap_register_plugin_arg(); arg: a struct fmp_gsoap_config
 *
 * A context with the plugin cannot be copied by soap_copy(), because only one thread may use an
 * inspector: register a plugin for each. Return: SOAP_OK, SOAP_EOM, SOAP_PLUGIN_ERROR.
 */
FMP_API int fmp_gsoap(struct soap *soap, struct soap_plugin *p, void *arg);

/**
 * fmp_gsoap_inspection() - the verdict on the message being served
 *
 * Valid until the next message is received. Return: NULL: none, or the plugin is not registered.
 */
FMP_API const struct fmp_inspection *fmp_gsoap_inspection(struct soap *soap);

/**
 * fmp_gsoap_attachments() - those of the message being served, whose verdict is a tree
 *
 * Valid until the next message is received, or soap_end(). Return: NULL: none.
 */
FMP_API const struct fmp_attachments *fmp_gsoap_attachments(struct soap *soap);

#ifdef __cplusplus
}
#endif
#endif
