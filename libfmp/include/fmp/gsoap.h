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
 * What is refused is answered with a Fault that does not say why: of the sender, or where this
 * device lacks what it takes to judge it (enum fmp_lack) of the receiver. gSOAP's own limits of time and
 * connections are left to the service; the length of a message is that of the inspector's
 * limits or recv_maxlength, the smaller. Compressed messages are refused (415), and so is each content
 * type that the gateway refuses (fmp_media_read()), MIME and DIME among them. So is OPTIONS (405); the other methods
 * are the service's own, and are not inspected. What comes without HTTP around it, as gSOAP takes it too, is not read.
 *
 * As at the gateway, what any web page can have sent weighs nothing ("browser"), but for TLS handshakes: more than 200
 * full ones of a source for nothing but these, and one a second, are "connection", whatever thread they came to.
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

/** First in each configuration, where <stdsoap2.h> is included: what gSOAP was built with decides
 * how struct soap is laid out, and nothing else would notice a difference. */
#define FMP_GSOAP_CONFIG .soap_size = sizeof(struct soap)

/** struct fmp_gsoap_config - copied */
struct fmp_gsoap_config {
	size_t soap_size; /**< see above */
	struct fmp_inspector *inspector; /**< outlives the plugin; of this context alone */
	bool report; /**< to fmpd, if there is one */
	const char *report_socket; /**< NULL: FMP_REPORT_SOCKET */
	const char *service; /**< in reports; NULL: none */
};

/**
 * fmp_gsoap() - for soap_register_plugin_arg(); arg: a struct fmp_gsoap_config
 *
 * Contexts that have it can't be copied with soap_copy(): an inspector is one thread's. Each
 * registers its own. Return: SOAP_OK, SOAP_EOM, SOAP_PLUGIN_ERROR.
 */
FMP_API int fmp_gsoap(struct soap *soap, struct soap_plugin *p, void *arg);

/**
 * fmp_gsoap_inspection() - of the message that is being served
 *
 * Until the next one is received. Return: NULL: there is none, or the plugin is not registered.
 */
FMP_API const struct fmp_inspection *fmp_gsoap_inspection(struct soap *soap);

#ifdef __cplusplus
}
#endif
#endif
