// SPDX-License-Identifier: GPL-2.0
#include "forwarding.h"

#include <fmp/internal/forward_fields.h>
#include <fmp/internal/forwarded.h>

#include "../backend/backend.h"
#include "../backend/backend_url.h"
#include "connection_private.h"

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

/* NULL: the policy names no services. */
static const char *get_prefix(const struct gw_service *svc)
{
	return svc->from ? svc->from->path : NULL;
}

/* Can the gateway forward a reply without reading it? */
static bool is_reply_read(const struct gw_service *svc, const struct fmp_http *h)
{
	return svc->securer || fmp_http_is_read(h) ||
	       (svc->client && svc->evaluate->demands->security != FMP_SECURITY_OS);
}

/* A remote service need not know which program of this machine calls it. */
static bool add_client(const struct gw_connection *c, struct fmp_field_list *out)
{
	const struct fmp_policy_gateway *g = &c->shared->settings->policy->gateway;
	struct fmp_addr client;
	const struct fmp_forwarded_by by = {
		.peer = &c->peer.source,
		.chain = c->client.family ? fmp_forwarded_chain(g, c->http.forwarded, &client)
					  : NULL,
		.tls = c->shared->settings->tls,
		.listed_proxy = c->peer.forwarded,
	};

	return get_service(c)->client || fmp_forward_client(out, &c->http, &by);
}

bool gw_forwarding_of_request(const struct gw_connection *c, bool changed,
			      struct gw_forwarding *out)
{
	const struct gw_service *svc = get_service(c);
	const struct fmp_forward_fields how = { .policy = &svc->evaluate->demands->fields,
						.identity = &svc->evaluate->demands->identity,
						.changed = changed,
						.reads_answer = is_reply_read(svc, &c->http) };

	return fmp_target_map(&out->target, svc->url->path, get_prefix(svc),
			      fmp_http_path(&c->http)) &&
	       fmp_field_list_append(&out->target, "", 1) &&
	       fmp_forward_fields(&out->fields, &c->http, &how) && add_client(c, &out->fields);
}

void gw_forwarding_clear(struct gw_forwarding *f)
{
	fmp_field_list_exit(&f->fields);
	fmp_field_list_exit(&f->target);
}

bool gw_forwarding_of_reply(const struct gw_connection *c, const struct gw_reply *r, bool changed,
			    struct fmp_field_list *out)
{
	const struct gw_service *svc = get_service(c);
	const struct fmp_target_service service = { .host = svc->url->name,
						    .port = svc->url->port,
						    .tls = svc->url->tls,
						    .to = svc->url->path,
						    .prefix = get_prefix(svc) };
	const struct fmp_forward_fields how = { .policy = &svc->evaluate->demands->fields,
						.answer = true,
						.changed = changed,
						.service = &service };

	fmp_field_list_exit(out);
	return fmp_forward_fields(out, r->http, &how);
}
