// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/request_route.h>

#include <string.h>

#include <fmp/internal/routing.h>

static void refuse_request(struct fmp_request_route *out, enum fmp_event_kind kind, int status,
			   const char *detail)
{
	out->kind = kind;
	out->status = status;
	out->detail = detail;
}

/*
 * Refuse what a web page sent: no program sends a cross-site Origin, and the content type of a form
 * is not SOAP. The sender is not charged. With security "Os" the service decides for itself.
 */
static void refuse_browser_request(const struct fmp_evaluator *e, const struct fmp_http *h,
				   struct fmp_request_route *out)
{
	const struct fmp_policy *p = e->policy;
	bool client = p->n_services && p->services[out->service].client;

	if (e->service[out->service].demands->security == FMP_SECURITY_OS)
		return;
	if (h->cross_site)
		refuse_request(out, FMP_EVENT_BROWSER, 403, "a web page of another site sent it");
	/* Requests of a local program to a remote service may have any type. */
	else if ((!client || fmp_http_has_origin(h)) && fmp_http_is_browser_request(h))
		refuse_request(out, FMP_EVENT_BROWSER, 415,
			       "its Content-Type is a form's, not SOAP's");
}

void fmp_request_route(const struct fmp_evaluator *e, const struct fmp_http *h, bool local,
		       struct fmp_request_route *out)
{
	const struct fmp_policy *p = e->policy;
	bool refused = h->state == FMP_HTTP_REFUSED;
	char action[FMP_HTTP_VALUE];
	int n = 0;

	*out = (struct fmp_request_route){ 0 };
	if (p->n_services)
		n = fmp_route(
			p->services, p->n_services, fmp_http_path(h), fmp_http_target_is_whole(h),
			fmp_soap_action(h->content_type, h->soap_action, action, sizeof(action)),
			local, &out->wsa_action_decides);
	if (n >= 0) {
		out->routed = true;
		out->service = (unsigned)n;
		if (!refused)
			refuse_browser_request(e, h, out);
	} else if (!refused) { /* else its reason is more precise */
		refuse_request(out,
			       fmp_http_refusal_kind(h, n == FMP_ROUTE_PATH ? FMP_EVENT_HTTP
									    : FMP_EVENT_SOAP),
			       404,
			       n == FMP_ROUTE_PATH ? "no service at this path"
						   : "no service for this action at this path");
	}
}

/* Services that share a path differ in their action, which a GET has not: one that is described. */
static int find_described_service(const struct fmp_evaluator *e, const char *path, bool local)
{
	const struct fmp_policy *p = e->policy;
	bool open;
	int n = 0;

	if (p->n_services)
		n = fmp_route(p->services, p->n_services, path, true, NULL, local, &open);
	for (size_t i = 0;
	     n >= 0 && i < p->n_services && e->service[n].describe == FMP_DESCRIBE_REFUSE; i++)
		if (strcmp(p->services[i].path, p->services[n].path) == 0 &&
		    p->services[i].client == p->services[n].client &&
		    e->service[i].describe != FMP_DESCRIBE_REFUSE)
			n = (int)i;
	return n;
}

void fmp_request_route_description(const struct fmp_evaluator *e, const char *target, bool local,
				   struct fmp_description_route *out)
{
	int n;

	*out = (struct fmp_description_route){ 0 };
	if (!fmp_describe_parse(target, &out->ask)) {
		out->status = 405;
		out->detail = "method is not POST";
		return;
	}
	n = find_described_service(e, out->ask.path, local);
	if (n < 0) {
		out->status = 404;
		out->detail = "no service at this path";
		return;
	}
	out->routed = true;
	out->service = (unsigned)n;
	if (e->service[n].describe == FMP_DESCRIBE_REFUSE) {
		out->status = 405;
		out->detail = "asks for the WSDL, which the policy does not offer";
	}
}
