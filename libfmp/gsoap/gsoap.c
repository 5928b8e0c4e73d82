// SPDX-License-Identifier: GPL-2.0
/* Hooks into gSOAP: a body is read and inspected as soon as its header is parsed, then fed to soap_serve(). */
#include <fmp/gsoap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <stdsoap2.h>

#include "gsoap_private.h"

/* gSOAP's limit also counts the header and the lengths of chunks. */
#define ROOM_BYTES (256u << 10)

static const char id[] = FMP_GSOAP_ID;

static struct fmpi_gsoap *get_plugin(struct soap *soap)
{
	return soap_lookup_plugin(soap, id);
}

/* ---- the message ---- */

static void clear_verdict(struct fmpi_gsoap *d)
{
	if (d->held)
		fmp_inspection_clear(&d->verdict);
	d->held = false;
	fmp_multipart_free(d->parts);
	d->parts = NULL;
	free(d->written);
	d->written = NULL;
}

/* Replaces frecv while bytes of the message are left. */
static size_t feed_body(struct soap *soap, char *buf, size_t n)
{
	struct fmpi_gsoap *d = get_plugin(soap);

	if (!d)
		return 0;
	if (n > d->left)
		n = d->left;
	memcpy(buf, d->next, n);
	d->next += n;
	d->left -= n;
	return n;
}

/*
 * gSOAP also accepts messages without HTTP: XML, MIME, DIME, compressed or not. Those would not be
 * inspected, so only what begins like an HTTP request is passed on.
 */
static bool is_of_http(struct fmpi_gsoap *d, const char *bytes, size_t n)
{
	for (size_t i = 0; i < n && d->fresh; i++) {
		if (strchr(" \t\r\n", bytes[i]) && bytes[i])
			continue;
		if (bytes[i] < 'A' || bytes[i] > 'Z')
			return false;
		d->fresh = false;
	}
	return true;
}

static void refuse_raw(struct soap *soap, struct fmpi_gsoap *d)
{
	d->verdict = (struct fmp_inspection){ .step = FMP_STEP_HTTP, .kind = FMP_EVENT_HTTP };
	snprintf(d->verdict.detail, sizeof(d->verdict.detail), "a message without HTTP");
	fmpi_gsoap_report(soap, d, 0, 0);
	soap->keep_alive = 0;
}

/* Replaces frecv until the message has arrived. */
static size_t receive_bytes(struct soap *soap, char *buf, size_t n)
{
	struct fmpi_gsoap *d = get_plugin(soap);
	size_t got;

	if (!d)
		return 0;
	got = d->chained_receive(soap, buf, n);
	if (is_of_http(d, buf, got))
		return got;
	refuse_raw(soap, d);
	return 0;
}

static void stop_feeding(struct soap *soap, struct fmpi_gsoap *d)
{
	soap->frecv = receive_bytes;
	d->feeding = false;
}

/* Start reading the body as soap_begin_recv() would: the header parser has set its transfer in imode. */
static void begin_body(struct soap *soap)
{
	soap->mode = soap->imode;
	if ((soap->mode & SOAP_IO) != SOAP_IO_CHUNK)
		return;
	soap->chunkbuflen = soap->buflen;
	soap->buflen = soap->bufidx;
	soap->chunksize = 0;
}

/* The body is complete: gSOAP must not wait for more. */
static void end_body(struct soap *soap)
{
	soap->imode &= ~(soap_mode)SOAP_IO;
	soap->mode = soap->imode;
}

/*
 * Can any web page make its reader's browser send it? Same rule as fmp_http_is_browser_request().
 */
static bool is_of_page(const struct soap *soap)
{
	const char *type = soap->http_content;
	struct fmp_media media;

	/* gSOAP also takes the action from the Content-Type, which a page may set. */
	if ((soap->action && !(type && strcasestr(type, "action="))) ||
	    (soap->imode & SOAP_IO) == SOAP_IO_CHUNK)
		return false;
	/* A script may omit the type, but not the Origin. */
	if (!type || !*type)
		return soap->origin != NULL;
	fmp_media_read(type, &media);
	return media.kind == FMP_EVENT_BROWSER;
}

/* Does the message have attachments, and may it? */
static bool takes_parts(const struct soap *soap, const struct fmpi_gsoap *d)
{
	return fmp_inspector_security(d->cfg.inspector) != FMP_SECURITY_OS &&
	       fmp_inspector_attachments(d->cfg.inspector) && soap->http_content &&
	       fmp_mime_is_related(soap->http_content);
}

/*
 * Refuse types that are not inspected. gSOAP reads a message as MIME or DIME if any field, even a
 * parameter of the Content-Type, names them, and would then find another message in one part.
 * Return: true: refused.
 */
static bool refuse_media(struct soap *soap, struct fmpi_gsoap *d)
{
	struct fmp_media media;

	if (fmp_inspector_security(d->cfg.inspector) == FMP_SECURITY_OS || takes_parts(soap, d))
		return false;
	fmp_media_read(soap->http_content, &media);
	if (media.kind == FMP_EVENT_GOOD && soap->imode & (SOAP_ENC_MIME | SOAP_ENC_DIME)) {
		media.kind = FMP_EVENT_UNSUPPORTED;
		snprintf(media.why, sizeof(media.why), "Content-Type names MIME or DIME");
	}
	if (media.kind == FMP_EVENT_GOOD)
		return false;
	fmpi_gsoap_refuse(soap, d, 415,
			  is_of_page(soap) ? FMP_EVENT_BROWSER : FMP_EVENT_UNSUPPORTED, media.why);
	return true;
}

/* What gSOAP itself read of MIME in the header is void: fmpi_gsoap_write_parts() says what it is to read. */
static void forget_mime(struct soap *soap)
{
	soap->imode &= ~(soap_mode)(SOAP_ENC_MIME | SOAP_ENC_DIME | SOAP_ENC_MTOM);
	soap->mode = soap->imode;
	soap->mime.boundary = NULL;
	soap->mime.start = NULL;
}

/* gSOAP would allocate any length that a client names, and accept a truncated body. */
static char *read_body(struct soap *soap, struct fmpi_gsoap *d, size_t *len)
{
	bool chunked = (soap->imode & SOAP_IO) == SOAP_IO_CHUNK;
	ULONG64 said = soap->length;
	char *body;

	if (soap->zlib_in != SOAP_ZLIB_NONE)
		return fmpi_gsoap_refuse(soap, d, 415, FMP_EVENT_HTTP, "body is compressed");
	if (!chunked && said > d->body_bytes)
		return fmpi_gsoap_refuse(soap, d, 413,
					 is_of_page(soap) ? FMP_EVENT_BROWSER : FMP_EVENT_OVERSIZE,
					 "body is larger than allowed");
	if (refuse_media(soap, d))
		return NULL;
	if (takes_parts(soap, d))
		forget_mime(soap);
	begin_body(soap);
	body = soap_http_get_body(soap, len);
	end_body(soap);
	/* gSOAP silently truncates a chunked body that is too long. */
	if (chunked && (soap->error == SOAP_HTTP_ERROR || soap->count > soap->recv_maxlength ||
			(body && *len > d->body_bytes)))
		return fmpi_gsoap_refuse(soap, d, 413, FMP_EVENT_OVERSIZE,
					 "body is larger than allowed");
	if (soap->error)
		return NULL;
	if (body && !chunked && *len != said) {
		soap->error = SOAP_EOF;
		return NULL;
	}
	return body;
}

static void forward_message(struct soap *soap, struct fmpi_gsoap *d)
{
	if (d->verdict.tree.doc)
		return;
	/* The buffer, which holds a pipelined request, is now used for the message: close afterwards. */
	if (soap->bufidx < soap->buflen)
		soap->keep_alive = 0;
	d->next = d->verdict.forward;
	d->left = d->verdict.forward_len;
	d->feeding = true;
	soap->frecv = feed_body;
	soap->bufidx = soap->buflen = 0;
	soap->ahead = 0; /* still set by the last chunk */
	soap->length = d->left;
}

static int accept_message(struct soap *soap, struct fmpi_gsoap *d)
{
	int ret = d->parts && !d->verdict.tree.doc ? fmpi_gsoap_write_parts(soap, d) : SOAP_OK;

	if (ret)
		return ret;
	d->allowed = true;
	(void)fmpi_gsoap_take_handshake(soap);
	forward_message(soap, d);
	return SOAP_OK;
}

static int inspect_body(struct soap *soap, struct fmpi_gsoap *d, const char *body, size_t len)
{
	struct fmp_message m = {
		.bytes = body, .len = len, .now_s = time(NULL), .soap_action = soap->action
	};
	uint64_t before = fmpi_gsoap_clock_ns(CLOCK_THREAD_CPUTIME_ID);
	struct fmp_media media;

	fmp_media_read(soap->http_content, &media);
	m.plain_charset = media.plain_charset;
	if (takes_parts(soap, d) && fmpi_gsoap_open_parts(soap, d, &m))
		return soap->error;
	if (fmp_inspect(d->cfg.inspector, &m, &d->verdict))
		return soap->error = SOAP_EOM;
	d->held = true;
	soap_set_version(soap, d->verdict.soap_version == 12 ? 2 : 1);
	if (d->verdict.accepted)
		return accept_message(soap, d);
	if (d->verdict.lacks)
		return soap_receiver_fault(soap, "the message can't be judged now", NULL);
	fmpi_gsoap_report(soap, d, len, fmpi_gsoap_clock_ns(CLOCK_THREAD_CPUTIME_ID) - before);
	/* The sender is not told why. */
	return soap_sender_fault(soap, "the message is refused", NULL);
}

/* ---- the hooks ---- */

/* A message begins: read from the socket again, whatever the state of the previous one. */
static int begin_message(struct soap *soap)
{
	struct fmpi_gsoap *d = get_plugin(soap);

	if (!d)
		return soap->error = SOAP_PLUGIN_ERROR;
	stop_feeding(soap, d);
	clear_verdict(d);
	d->fresh = true;
	d->allowed = false;
	/* A pipelined request may be in the buffer already. */
	if (soap->bufidx < soap->buflen &&
	    !is_of_http(d, soap->buf + soap->bufidx, soap->buflen - soap->bufidx)) {
		refuse_raw(soap, d);
		return soap->error = SOAP_EOF;
	}
	return d->chained_begin ? d->chained_begin(soap) : SOAP_OK;
}

/* The message is complete; the service acts on it next. */
static int finish_message(struct soap *soap)
{
	struct fmpi_gsoap *d = get_plugin(soap);

	if (!d || !d->allowed)
		return soap->error = SOAP_HTTP_ERROR;
	return d->chained_finish ? d->chained_finish(soap) : SOAP_OK;
}

static bool is_of_hook(const struct soap *soap)
{
	return soap->status == SOAP_GET || soap->status == SOAP_PUT || soap->status == SOAP_PATCH ||
	       soap->status == SOAP_DEL || soap->status == SOAP_HEAD;
}

static int parse_header(struct soap *soap)
{
	struct fmpi_gsoap *d = get_plugin(soap);
	size_t len;
	char *body;
	int rc;

	if (!d)
		return soap->error = SOAP_PLUGIN_ERROR;
	rc = d->chained_parse(soap);
	if (rc)
		return rc;
	/* Refuse CORS preflights: gSOAP would allow every page everything. */
	if (soap->status == SOAP_OPTIONS) {
		fmpi_gsoap_refuse(soap, d, 405, FMP_EVENT_BROWSER, "method is not POST");
		return soap->error;
	}
	/* GET and similar methods go to the service's own hooks. */
	if (is_of_hook(soap)) {
		d->allowed = true;
		return SOAP_OK;
	}
	body = read_body(soap, d, &len);
	if (!body)
		return soap->error ? soap->error : (soap->error = SOAP_EOF);
	return inspect_body(soap, d, body, len);
}

static int refuse_copy(struct soap *soap, struct soap_plugin *to, struct soap_plugin *from)
{
	to->data = NULL;
	return SOAP_PLUGIN_ERROR;
}

static void delete_plugin(struct soap *soap, struct soap_plugin *p)
{
	struct fmpi_gsoap *d = p->data;

	if (!d)
		return;
	clear_verdict(d);
	fmp_reporter_close(d->reporter);
	soap->frecv = d->chained_receive;
	soap->fparse = d->chained_parse;
	soap->fprepareinitrecv = d->chained_begin;
	soap->fpreparefinalrecv = d->chained_finish;
	free(d);
}

int fmp_gsoap(struct soap *soap, struct soap_plugin *p, void *arg)
{
	const struct fmp_gsoap_config *cfg = arg;
	struct fmpi_gsoap *d;
	ULONG64 most;

	if (!cfg || cfg->soap_size != sizeof(*soap) || !cfg->inspector)
		return SOAP_PLUGIN_ERROR;
	most = fmp_inspector_body_bytes(cfg->inspector);
	d = calloc(1, sizeof(*d));
	if (!d)
		return SOAP_EOM;
	d->cfg = *cfg;
	d->chained_parse = soap->fparse;
	d->chained_begin = soap->fprepareinitrecv;
	d->chained_finish = soap->fpreparefinalrecv;
	d->chained_receive = soap->frecv;
	/* Limit what gSOAP buffers before the inspector can refuse it. */
	if (!soap->recv_maxlength || soap->recv_maxlength > most + ROOM_BYTES)
		soap->recv_maxlength = most + ROOM_BYTES;
	d->body_bytes = soap->recv_maxlength < most ? soap->recv_maxlength : most;
	p->id = id;
	p->data = d;
	p->fcopy = refuse_copy;
	p->fdelete = delete_plugin;
	soap->fparse = parse_header;
	soap->fprepareinitrecv = begin_message;
	soap->fpreparefinalrecv = finish_message;
	return SOAP_OK;
}

const struct fmp_inspection *fmp_gsoap_inspection(struct soap *soap)
{
	struct fmpi_gsoap *d = get_plugin(soap);

	return d && d->held ? &d->verdict : NULL;
}

const struct fmp_attachments *fmp_gsoap_attachments(struct soap *soap)
{
	struct fmpi_gsoap *d = get_plugin(soap);

	return d && d->held && d->parts ? &d->parts->attachments : NULL;
}
