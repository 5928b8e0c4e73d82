// SPDX-License-Identifier: GPL-2.0
#include "service.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/service_description.h>
#include <fmp/internal/text.h>

#include "../backend/backend_url.h"
#include <fmp/internal/evaluate.h>
#include "../keys/remote_keys.h"

/* Warn only: a newer list may be on its way. */
static void log_warnings(const struct gw_service *svc)
{
	struct fmp_error about = { 0 };
	char text[700];

	for (unsigned n = 0; fmp_inspector_wsdl_note(svc->evaluate->inspector, n, &about); n++)
		fmp_text_print(stderr, "fmp-gateway: warning: %s\n",
			       fmp_error_format(&about, text, sizeof(text)));
	if (fmp_inspector_crl_missing(svc->evaluate->inspector, time(NULL), &about))
		fmp_text_print(stderr, "fmp-gateway: warning: %s\n",
			       fmp_error_format(&about, text, sizeof(text)));
}

/* Read what GET ?wsdl is answered from. By default a WSDL that can't be offered is refused only. */
static int add_description(struct gw_service *svc, struct fmp_evaluate_service *evaluate,
			   const struct fmp_policy *p, struct fmp_error *err)
{
	struct fmp_service_description d;
	char text[700];
	int rc = fmp_service_description_load(evaluate->demands, p->folder, &d, err);

	if (rc)
		return rc;
	evaluate->describe = d.describe;
	svc->description = d.text;
	if (d.left_out)
		fmp_text_print(stderr, "fmp-gateway: warning: GET ?wsdl will be refused: %s\n",
			       fmp_error_format(&d.why, text, sizeof(text)));
	return 0;
}

static int add_service(struct gw_settings *s, struct gw_service *svc, const char *name,
		       const struct fmp_policy_gateway *demands, const char *backend,
		       struct fmp_error *err)
{
	const struct fmp_key_source source = { .load = gw_remote_keys_load,
					       .ctx = &s->key_agent_fd };
	const struct fmp_key_source client_source = { .load = gw_remote_keys_load,
						      .ctx = &s->client_agent_fd };
	const struct fmp_key_source *keys = s->key_agent_fd < 0 ? NULL : &source;
	int rc = fmp_evaluator_add(&s->evaluator, name, demands, keys, err);

	svc->evaluate = &s->evaluator.service[svc - s->service];
	if (rc)
		return rc;
	log_warnings(svc);
	rc = add_description(svc, &s->evaluator.service[svc - s->service], s->policy, err);
	if (rc)
		return rc;
	rc = fmp_securer_new(&demands->answers, &demands->limits, keys, &svc->securer, err);
	if (rc)
		return rc;
	if (!*backend)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     *name ? "service \"%s\" names no backend, and --backend is "
					     "not given"
					   : "--backend is missing: the policy names no services%s",
				     name);
	return gw_backend_url_new(backend, &demands->backend_tls,
				  s->client_agent_fd < 0 ? NULL : &client_source, &svc->url, err);
}

int gw_services_new(struct gw_settings *s, const char *backend, struct fmp_error *err)
{
	const struct fmp_policy *p = s->policy;
	int rc = 0;

	if (!backend)
		backend = "";
	if (!p->n_services) {
		s->service[0] = (struct gw_service){ 0 };
		return add_service(s, &s->service[0], "", &p->gateway, backend, err);
	}
	for (size_t i = 0; i < p->n_services && !rc; i++) {
		const struct fmp_policy_service *from = &p->services[i];

		s->service[i] = (struct gw_service){ .from = from, .client = from->client };
		rc = add_service(s, &s->service[i], from->name, &from->demands,
				 *from->backend ? from->backend : backend, err);
	}
	return rc;
}

static bool has_key(const struct fmp_policy_gateway *g)
{
	return g->answers.sign || g->security == FMP_SECURITY_BCE ||
	       g->security == FMP_SECURITY_BCES;
}

bool gw_services_have_keys(const struct fmp_policy *p)
{
	bool have = !p->n_services && has_key(&p->gateway);

	for (size_t i = 0; i < p->n_services && !have; i++)
		have = has_key(&p->services[i].demands);
	return have;
}

bool gw_services_have_client_keys(const struct fmp_policy *p)
{
	bool have = !p->n_services && *p->gateway.backend_tls.key;

	for (size_t i = 0; i < p->n_services && !have; i++)
		have = *p->services[i].demands.backend_tls.key;
	return have;
}

void gw_services_drop_secrets(struct gw_settings *s)
{
	/* The last one first: the cache belongs to an earlier one. */
	for (unsigned i = s->evaluator.n_services; i--;) {
		struct fmp_evaluate_service *e = &s->evaluator.service[i];

		fmp_inspector_free(e->inspector);
		e->inspector = NULL;
		fmp_securer_free(s->service[i].securer);
		s->service[i].securer = NULL;
	}
}

void gw_services_free(struct gw_settings *s)
{
	gw_services_drop_secrets(s);
	while (s->evaluator.n_services) {
		struct gw_service *svc = &s->service[--s->evaluator.n_services];

		gw_backend_url_free(svc->url);
		fmp_description_free(svc->description);
	}
}

bool gw_services_describe(const struct gw_settings *s)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		if (s->evaluator.service[i].describe != FMP_DESCRIBE_REFUSE)
			return true;
	return false;
}

int gw_services_shared_fd(const struct gw_settings *s)
{
	int fd = -1;

	for (unsigned i = 0; i < s->evaluator.n_services && fd < 0; i++)
		fd = fmp_inspector_shared_fd(s->evaluator.service[i].inspector);
	return fd;
}

int gw_services_shared_holder(const struct gw_settings *s)
{
	int pid = 0;

	for (unsigned i = 0; i < s->evaluator.n_services && !pid; i++)
		pid = fmp_inspector_shared_lock_owner(s->evaluator.service[i].inspector);
	return pid;
}

uint32_t gw_services_max_body(const struct gw_settings *s)
{
	uint32_t most = 0;

	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		if (s->evaluator.service[i].demands->limits.body_bytes > most)
			most = s->evaluator.service[i].demands->limits.body_bytes;
	return most;
}

size_t gw_services_max_result(const struct gw_settings *s)
{
	size_t most = 0;

	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		uint32_t body = s->evaluator.service[i].demands->limits.body_bytes;
		size_t n = s->service[i].securer ? fmp_secured_max(body) : 0;

		/* With what a root part refers to. */
		if (n < fmp_forward_max(body) + body)
			n = fmp_forward_max(body) + body;
		if (n > most)
			most = n;
	}
	return most;
}
