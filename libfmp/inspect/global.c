// SPDX-License-Identifier: GPL-2.0
/* Initialization of libxml2 and xmlsec1, once a process, with their messages silenced. */
#include <fmp/inspect.h>

#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <openssl/err.h>
#include <xmlsec/crypto.h>
#include <xmlsec/errors.h>
#include <xmlsec/xmlsec.h>

#include "xml/entity_loader.h"
#include "wss/pss.h"
#include "xml/oom.h"

static unsigned users;

/* The library never prints: errors are in the verdict. */
static void silent_xml(void *ctx, const char *fmt, ...)
{
}

static void silent_xmlsec(const char *file, int line, const char *func, const char *object,
			  const char *subject, int reason, const char *msg)
{
}

int fmp_inspect_global_init(struct fmp_error *err)
{
	if (users++)
		return 0;
	xmlInitParser();
	fmpi_oom_install();
	xmlSetGenericErrorFunc(NULL, silent_xml);
	/* Deprecated from 2.14 on, without another way for threads that begin later. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
	xmlThrDefSetGenericErrorFunc(NULL, silent_xml);
#pragma GCC diagnostic pop
	xmlSecErrorsSetCallback(silent_xmlsec);
	if (xmlSecInit() < 0)
		goto no_xmlsec;
	if (xmlSecCheckVersion() != 1)
		goto no_crypto_app;
	if (xmlSecCryptoAppInit(NULL) < 0)
		goto no_crypto_app;
	if (xmlSecCryptoInit() < 0)
		goto no_crypto;
	if (fmpi_pss_register() < 0)
		goto no_pss;
	fmpi_entity_loader_install();
	ERR_clear_error();
	return 0;

no_pss:
	xmlSecCryptoShutdown();
no_crypto:
	xmlSecCryptoAppShutdown();
no_crypto_app:
	xmlSecShutdown();
no_xmlsec:
	users--;
	return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "xmlsec1 with OpenSSL does not start");
}

void fmp_inspect_global_exit(void)
{
	if (users == 0 || --users)
		return;
	fmpi_entity_loader_remove();
	xmlSecCryptoShutdown();
	xmlSecCryptoAppShutdown();
	xmlSecShutdown();
	/* libxml2 stays initialized: the policy reader uses it too. */
}
