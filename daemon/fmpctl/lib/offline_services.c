// SPDX-License-Identifier: GPL-2.0
#include "offline_services.h"

#include <fmp/internal/multipart_stream.h>

static int add_service(struct offline_services *s, const char *name,
		       const struct fmp_policy_gateway *demands, struct fmp_error *err)
{
	uint32_t streamed = fmp_multipart_stream_max(demands);
	int rc = fmp_evaluator_add(&s->evaluator, name, demands, NULL, err);

	if (rc)
		return rc;
	if (demands->limits.body_bytes > s->body_max)
		s->body_max = demands->limits.body_bytes;
	if (streamed > s->body_max)
		s->body_max = streamed;
	return 0;
}

static int begin_services(struct offline_services *s, const struct fmp_policy *policy,
			  struct fmp_error *err)
{
	*s = (struct offline_services){ 0 };
	s->evaluator.policy = policy;
	return fmp_inspect_global_init(err);
}

int offline_services_init(struct offline_services *s, const struct fmp_policy *policy,
			  struct fmp_error *err)
{
	int rc = begin_services(s, policy, err);

	if (rc) {
		s->evaluator.policy = NULL;
		return rc;
	}
	if (!policy->n_services)
		rc = add_service(s, "", &policy->gateway, err);
	for (size_t i = 0; i < policy->n_services && !rc; i++)
		rc = add_service(s, policy->services[i].name, &policy->services[i].demands, err);
	if (rc)
		offline_services_exit(s);
	return rc;
}

int offline_services_init_single(struct offline_services *s, const struct fmp_policy *policy,
				 const struct fmp_policy_service *from, struct fmp_error *err)
{
	int rc = begin_services(s, &s->single, err);

	if (rc) {
		s->evaluator.policy = NULL;
		return rc;
	}
	s->single = *policy;
	s->single.services = NULL;
	s->single.n_services = 0;
	rc = add_service(s, from ? from->name : "", from ? &from->demands : &policy->gateway, err);
	if (rc)
		offline_services_exit(s);
	return rc;
}

uint32_t offline_services_body_limit(const struct offline_services *s, unsigned service,
				     const struct fmp_http *h)
{
	const struct fmp_policy_gateway *demands = s->evaluator.service[service].demands;
	uint32_t streamed = fmp_multipart_stream_max(demands);

	return streamed > demands->limits.body_bytes && h->coding == FMP_CONTENT_CODING_IDENTITY &&
			       fmp_mime_is_related(h->content_type)
		       ? streamed
		       : demands->limits.body_bytes;
}

void offline_services_exit(struct offline_services *s)
{
	if (!s->evaluator.policy)
		return;
	/* In reverse order: an inspector uses the cache of an earlier one. */
	while (s->evaluator.n_services)
		fmp_inspector_free(s->evaluator.service[--s->evaluator.n_services].inspector);
	s->evaluator.policy = NULL;
	fmp_inspect_global_exit();
}
