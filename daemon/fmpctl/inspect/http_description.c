// SPDX-License-Identifier: GPL-2.0
#include "http_description.h"

#include <stdio.h>

#include <fmp/internal/forward_fields.h>
#include <fmp/internal/request_route.h>
#include <fmp/internal/service_description.h>
#include <fmp/internal/text.h>

int http_description_load(struct fmp_evaluator *e, struct described *out, struct fmp_error *err)
{
	struct fmp_service_description d;
	char text[700];
	int rc = 0;

	for (unsigned i = 0; i < e->n_services && !rc; i++) {
		rc = fmp_service_description_load(e->service[i].demands, e->policy->folder, &d,
						  err);
		if (rc)
			continue;
		e->service[i].describe = d.describe;
		out->text[i] = d.text;
		out->any |= d.describe != FMP_DESCRIBE_REFUSE;
		if (d.left_out)
			fmp_text_print(stderr, "fmpctl: warning: GET ?wsdl will be refused: %s\n",
				       fmp_error_format(&d.why, text, sizeof(text)));
	}
	out->loaded = true;
	return rc;
}

void http_description_exit(struct described *d)
{
	for (unsigned i = 0; i < FMP_SERVICES_MAX; i++)
		fmp_description_free(d->text[i]);
	*d = (struct described){ 0 };
}

/* A client without a Host gets the address that it connected to, which is in no file. */
static bool has_url(const struct fmp_evaluator *e, const struct fmp_http *h, const char *path)
{
	const struct fmp_forwarded_by by = { .tls = *e->policy->gateway.tls.certificate };
	char host[FMP_HTTP_ORIGIN], url[FMP_DESCRIBE_URL];
	const char *scheme = fmp_forward_origin(h, &by, host);

	return !*fmp_http_host(h) || fmp_describe_url(scheme, host, path, url);
}

static void refuse_request(struct description_verdict *out, int status, const char *why)
{
	out->status = status;
	out->refusal = why;
}

void http_description_evaluate(const struct fmp_evaluator *e, const struct described *d,
			       const struct fmp_http *h, struct description_verdict *out)
{
	struct fmp_description_route r;

	fmp_request_route_description(e, fmp_http_path(h), false, &r);
	*out = (struct description_verdict){ .routed = r.routed,
					     .service = r.service,
					     .status = 200 };
	if (r.detail)
		refuse_request(out, r.status, r.detail);
	else if (!has_url(e, h, r.ask.path))
		refuse_request(out, 400, "asks for the WSDL with a Host that is none");
	else if (e->service[r.service].describe == FMP_DESCRIBE_PASS)
		out->passed = true;
	else if (fmp_description_find(d->text[r.service], r.ask.schema, r.ask.name,
				      r.ask.name_len) < 0)
		refuse_request(out, 404, "asks for a part that the WSDL does not have");
	if (!out->passed)
		return;
	out->status = 0;
	if (fmp_describe_is_outside(fmp_http_path(h))) {
		out->passed = false;
		refuse_request(out, 404, "asks for a file outside of the service's folder");
	}
}
