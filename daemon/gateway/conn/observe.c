// SPDX-License-Identifier: GPL-2.0
#include "observe.h"

#include <stdlib.h>

#include <fmp/internal/forward_fields.h>
#include <fmp/internal/observation.h>

#include "../common/clock.h"
#include "connection_private.h"

/* Names of withheld fields in one text: the others have their turn in another one. */
#define FIELDS_MAX 2u

/* The name as servers read it: in whatever form a client writes it, it is one. */
static bool fold_name(const struct fmp_field *f, char out[FMP_HTTP_NAME])
{
	if (f->name_len >= FMP_HTTP_NAME)
		return false;
	for (size_t i = 0; i < f->name_len; i++)
		out[i] = fmp_field_name_fold(f->name[i]);
	out[f->name_len] = '\0';
	return true;
}

/* Add up to FIELDS_MAX names behind the first @skip. Return: how many fields are withheld. */
static unsigned add_withheld(struct gw_connection *c, const struct fmp_policy_fields *policy,
			     unsigned skip, unsigned most)
{
	char name[FMP_HTTP_NAME];
	unsigned n = 0, added = 0;
	struct fmp_field f;
	size_t at = 0;

	while (fmp_field_list_next(&c->http.fields, &at, &f)) {
		if (!fmp_forward_withholds(&f, policy) || !fold_name(&f, name))
			continue;
		if (n++ >= skip && added < most)
			added += fmp_observation_add(c->observation, "field", name);
	}
	return n;
}

static void add_header(struct gw_connection *c)
{
	const struct fmp_policy_gateway *demands =
		c->shared->settings->service[c->service].evaluate->demands;
	const struct fmp_http_limits used = fmp_http_used(&c->http);
	unsigned n = add_withheld(c, &demands->fields, 0, 0);

	if (used.header_bytes)
		(void)fmp_observation_add_number(c->observation, "head", used.header_bytes);
	(void)fmp_observation_add_number(c->observation, "fields", used.fields);
	(void)fmp_observation_add_number(c->observation, "target", used.target_bytes);
	if (n)
		(void)add_withheld(c, &demands->fields,
				   n > FIELDS_MAX ? c->observation->turn % n : 0, FIELDS_MAX);
}

void gw_observe_request(struct gw_connection *c)
{
	uint64_t now_ns = gw_clock_ns(CLOCK_BOOTTIME);
	const struct fmp_addr *source = c->client.family ? &c->client_key : &c->peer.group;

	c->task.job.observe = 0;
	/* A message with attachments may be submitted twice: when its root has come, and when it is whole. */
	if (!c->observation && !c->task.job.answer &&
	    gw_observe_budget_take(&c->shared->observe_budget, source, now_ns)) {
		c->observation = calloc(1, sizeof(*c->observation));
		if (!c->observation)
			return;
		c->observation->turn = (unsigned)(now_ns >> 10 & 0xffff) + 1;
		add_header(c);
	}
	if (c->observation)
		c->task.job.observe = c->observation->turn;
}

void gw_observe_verdict(struct gw_connection *c, const struct fmp_job_verdict *v)
{
	const char *service = c->shared->settings->evaluator.service[c->service].name;

	if (!c->observation)
		return;
	if (service)
		(void)fmp_observation_add(c->observation, "service", service);
	fmp_observation_append(c->observation, v->detail);
}

void gw_observe_attachments(struct gw_connection *c, unsigned parts, unsigned long long bytes)
{
	if (!c->observation)
		return;
	(void)fmp_observation_add_number(c->observation, "parts", parts);
	/* How long each was is not known here: none was longer than all. */
	(void)fmp_observation_add_number(c->observation, "part", bytes);
	(void)fmp_observation_add_number(c->observation, "bytes", bytes);
}

void gw_observe_end(struct gw_connection *c)
{
	free(c->observation);
	c->observation = NULL;
}
