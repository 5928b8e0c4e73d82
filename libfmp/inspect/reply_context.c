// SPDX-License-Identifier: GPL-2.0
#include "reply_context.h"

#include <stdlib.h>
#include <string.h>

#include "xml/names.h"

_Static_assert(FMP_REPLY_CONTEXT_CERTIFICATE >= FMPI_MAX_CERTIFICATE,
	       "every one that is taken fits");
_Static_assert(FMP_REPLY_CONTEXT_SIGNATURE >= FMPI_MAX_SIGNATURE, "every one that is taken fits");

static bool is_message_id(const xmlNode *block)
{
	const char *name = fmp_part_name(FMP_PART_MESSAGE_ID);

	return fmpi_is(block, NS_WSA, name) || fmpi_is(block, NS_WSA2004, name);
}

/* @block: NULL: none */
static void set_message_id(const xmlNode *block, struct fmp_reply_context *r)
{
	const char *text = block ? fmpi_text(block) : NULL;

	r->message_id[0] = '\0';
	if (!text || strlen(text) >= sizeof(r->message_id))
		return;
	strcpy(r->message_id, text);
	r->addressing_2004 = fmpi_is(block, NS_WSA2004, (const char *)block->name);
}

void fmpi_reply_context_message(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				struct fmp_inspection *v)
{
	const xmlNode *n;

	if (!i->reply_context || !soap->header)
		return;
	n = fmpi_first(soap->header);
	while (n && !is_message_id(n))
		n = fmpi_next(n);
	if (n)
		set_message_id(n, &v->reply_context);
}

/* Drop a MessageID that is not signed: somebody else may have added it. */
static void set_signed_message_id(const struct fmpi_signedinfo *info, struct fmp_reply_context *r)
{
	const xmlNode *found = NULL;

	for (unsigned k = 0; k < info->n_references; k++)
		if (fmpi_signedinfo_is_block(info, k) && is_message_id(info->target[k]))
			found = info->target[k];
	set_message_id(found, r);
}

int fmpi_reply_context_signed(const struct fmp_inspector *i, const struct fmpi_signedinfo *info,
			      const struct fmpi_signer *who, struct fmp_inspection *v)
{
	struct fmp_reply_context *r = &v->reply_context;
	uint8_t *p;

	if (!i->reply_context)
		return 0;
	set_signed_message_id(info, r);
	if (i->encryptable && (!who->der || EVP_PKEY_is_a(who->key, "ED25519")))
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(info->info),
				   "the answer is to be encrypted, and the signer has no "
				   "certificate of RSA or EC");
	p = malloc(who->der_len + info->value_len);
	if (!p)
		return FMP_ERR_NOMEM;
	v->own_reply_context = p;
	if (who->der_len)
		r->certificate = memcpy(p, who->der, who->der_len);
	r->certificate_len = who->der_len;
	r->signature = memcpy(p + who->der_len, info->value, info->value_len);
	r->signature_len = info->value_len;
	return 0;
}
