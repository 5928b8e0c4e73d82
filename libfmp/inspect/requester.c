// SPDX-License-Identifier: GPL-2.0
#include "inspect/requester.h"

#include <stdlib.h>
#include <string.h>

#include "inspect/names.h"

_Static_assert(FMP_REQUESTER_CERTIFICATE >= FMPI_MAX_CERTIFICATE, "every one that is taken fits");
_Static_assert(FMP_REQUESTER_SIGNATURE >= FMPI_MAX_SIGNATURE, "every one that is taken fits");

void fmpi_requester_message(const struct fmp_inspector *i, const struct fmpi_soap *soap,
			    struct fmp_inspection *v)
{
	const char *name = fmp_part_name(FMP_PART_MESSAGE_ID), *text;
	const xmlNode *n;

	if (!i->requester || !soap->header)
		return;
	n = fmpi_first(soap->header);
	while (n && !fmpi_is(n, NS_WSA, name) && !fmpi_is(n, NS_WSA2004, name))
		n = fmpi_next(n);
	text = n ? fmpi_text(n) : NULL;
	if (!text || strlen(text) >= sizeof(v->requester.message_id))
		return;
	strcpy(v->requester.message_id, text);
	v->requester.addressing_2004 = fmpi_is(n, NS_WSA2004, name);
}

int fmpi_requester_signed(const struct fmp_inspector *i, const struct fmpi_signedinfo *info,
			  const struct fmpi_signer *who, struct fmp_inspection *v)
{
	struct fmp_requester *r = &v->requester;
	uint8_t *p;

	if (!i->requester)
		return 0;
	if (i->encryptable && (!who->der || !EVP_PKEY_is_a(who->key, "RSA")))
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(info->info),
				   "the answer is to be encrypted, and the signer has no "
				   "certificate of RSA");
	p = malloc(who->der_len + info->value_len);
	if (!p)
		return FMP_ERR_NOMEM;
	v->own_requester = p;
	if (who->der_len)
		r->certificate = memcpy(p, who->der, who->der_len);
	r->certificate_len = who->der_len;
	r->signature = memcpy(p + who->der_len, info->value, info->value_len);
	r->signature_len = info->value_len;
	return 0;
}
