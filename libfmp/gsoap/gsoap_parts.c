// SPDX-License-Identifier: GPL-2.0
/* Messages with attachments: split for the inspector, and written anew for soap_serve(). */
#include "gsoap_private.h"

#include <string.h>

/* The service may use either action: they must be equal. */
static bool has_one_action(const struct soap *soap, const struct fmp_multipart *p)
{
	return !p->action[0] || !soap->action || !*soap->action ||
	       strcmp(soap->action, p->action) == 0;
}

int fmpi_gsoap_open_parts(struct soap *soap, struct fmpi_gsoap *d, struct fmp_message *m)
{
	struct fmp_multipart *p = fmp_multipart_read(soap->http_content, m->bytes, m->len,
						     fmp_inspector_attachments(d->cfg.inspector),
						     fmp_inspector_body_bytes(d->cfg.inspector),
						     false);

	if (!p)
		return soap->error = SOAP_EOM;
	d->parts = p;
	if (!p->status && !has_one_action(soap, p)) {
		p->status = 400;
		p->kind = FMP_EVENT_HTTP;
		p->detail = "SOAPAction and the action of the Content-Type differ";
	}
	if (p->status) {
		fmpi_gsoap_refuse(soap, d, p->status, p->kind, p->detail);
		return soap->error;
	}
	if (p->action[0] && (!soap->action || !*soap->action))
		soap->action = soap_strdup(soap, p->action);
	m->soap_action = soap->action;
	m->bytes = p->root.bytes;
	m->len = p->root.len;
	m->content_type = p->media;
	m->plain_charset = p->plain_charset;
	m->attachments = &p->attachments;
	return SOAP_OK;
}

/*
 * gSOAP looks for DIME in parameters of the root's type, and for
 * the root by a start of its own reading: give it only our reading of both.
 */
int fmpi_gsoap_write_parts(struct soap *soap, struct fmpi_gsoap *d)
{
	static const char xop[] = "Content-Type: application/xop+xml\r\n",
			  xml[] = "Content-Type: text/xml\r\n";
	struct fmp_multipart *p = d->parts;
	struct fmp_inspection *v = &d->verdict;
	void *out;
	size_t len;
	int ret;

	p->root.header = p->attachments.xop ? xop : xml;
	p->root.header_len = strlen(p->root.header);
	ret = fmp_multipart_write(p, v->forward, v->forward_len, v->soap_version, &out, &len);
	if (ret == FMP_ERR_CONFLICT) {
		fmp_inspection_clear(v);
		fmpi_gsoap_refuse(soap, d, 400, FMP_EVENT_STRUCTURE,
				  "the boundary stands in what is forwarded");
		return soap->error;
	}
	if (ret)
		return soap->error = SOAP_EOM;
	d->written = out;
	v->forward = out;
	v->forward_len = len;
	soap->mime.boundary = soap_strdup(soap, p->type.boundary);
	soap->mime.start = NULL;
	soap->imode |= SOAP_ENC_MIME | (p->attachments.xop ? SOAP_ENC_MTOM : 0);
	soap->mode = soap->imode;
	fmp_multipart_free(p);
	d->parts = NULL;
	return soap->mime.boundary ? SOAP_OK : (soap->error = SOAP_EOM);
}
