// SPDX-License-Identifier: GPL-2.0
#include "describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/describe.h>
#include <fmp/internal/description.h>
#include <fmp/internal/request_route.h>

#include "connection_private.h"
#include "describe_pass.h"

#define TYPE	 "text/xml; charset=utf-8"
/* Pipelined requests for descriptions in one turn of the loop: no peer may hold it. */
#define PER_TURN 8u

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

static void refuse_request(struct gw_connection *c, int status, const char *why)
{
	gw_respond_refusal(c, FMP_EVENT_BROWSER, status, true, why);
}

/* RFC 9110 13.1.2, for one tag that has no weak form. */
static bool has_tag(const struct gw_connection *c, const char *tag)
{
	struct fmp_field f;

	return fmp_field_find(&c->http.fields, "if-none-match", &f) &&
	       memmem(f.value, f.value_len, tag, strlen(tag));
}

static void send_document(struct gw_connection *c, unsigned i, const char *url)
{
	const struct fmp_description *d = get_service(c)->description;
	size_t len = fmp_description_size(d, i, url);
	struct fmp_field_list *fields = &c->reply.fields;
	char tag[20];
	bool same;

	snprintf(tag, sizeof(tag), "\"%016llx\"",
		 (unsigned long long)fmp_description_tag(d, i, url));
	same = has_tag(c, tag);
	if (!same && c->http.method == FMP_HTTP_GET) {
		if (!gw_describe_take_budget(c, len)) {
			refuse_request(c, 503,
				       "asks for more bytes of descriptions than a source may");
			return;
		}
		c->reply.body = malloc(len);
	}
	if ((!c->reply.body && !same && c->http.method == FMP_HTTP_GET) ||
	    !fmp_field_list_add(fields, "ETag", tag) ||
	    !fmp_field_list_add(fields, "Cache-Control", "no-cache") ||
	    !fmp_field_list_add(fields, "Vary", "Host")) {
		gw_respond_refusal(c, FMP_EVENT_GOOD, 503, false, "");
		return;
	}
	if (c->reply.body)
		fmp_description_write(d, i, url, (char *)c->reply.body);
	gw_describe_report(c);
	gw_stream_pause(c->stream);
	if (++c->described > PER_TURN)
		c->http.keep_alive = false;
	if (same)
		gw_respond_from_backend(c, 304, "", NULL, 0);
	else
		gw_respond_from_backend(c, 200, TYPE, c->reply.body, len);
}

void gw_describe(struct gw_connection *c)
{
	const char *target = fmp_http_path(&c->http);
	struct fmp_description_route r;
	char url[FMP_DESCRIBE_URL];
	int i;

	fmp_request_route_description(&c->shared->settings->evaluator, target, c->peer.local, &r);
	if (r.routed) {
		c->service = r.service;
		c->routed = true;
	}
	if (r.detail) {
		refuse_request(c, r.status, r.detail);
	} else if (!gw_describe_url(c, r.ask.path, url)) {
		refuse_request(c, 400, "asks for the WSDL with a Host that is none");
	} else if (get_service(c)->evaluate->describe == FMP_DESCRIBE_PASS) {
		if (fmp_describe_is_outside(target))
			refuse_request(c, 404, "asks for a file outside of the service's folder");
		else
			gw_describe_pass(c);
	} else {
		i = fmp_description_find(get_service(c)->description, r.ask.schema, r.ask.name,
					 r.ask.name_len);
		if (i < 0)
			refuse_request(c, 404, "asks for a part that the WSDL does not have");
		else
			send_document(c, (unsigned)i, url);
	}
}
