// SPDX-License-Identifier: GPL-2.0
/* <override>: settings for the messages of a port, of a service, or of both. */
#include <policy/emit.h>
#include <fmp/internal/policy_xml.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* r->policy is a copy; its suspicion and block receive the override's own settings. */
static int read_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			  struct fmp_policy_override *o)
{
	const char *name = (const char *)a->name;
	const struct fmpi_setting *s;

	for (size_t i = 0; !a->ns && (s = fmpi_override_setting(i)); i++)
		if (!strcmp(s->attribute, name))
			return fmpi_policy_reader_set(r, node, a, o, s);
	for (size_t i = 0; !a->ns && (s = fmpi_overridable_setting(i)); i++)
		if (!strcmp(s->attribute, name))
			return fmpi_policy_reader_set(r, node, a, r->policy, s);
	return fmpi_policy_reader_unknown(r, node, a);
}

/* The override for exactly the same messages; n_overrides: none. */
static size_t find_override(const struct fmp_policy *p, const struct fmp_policy_override *o)
{
	size_t i = 0;

	while (i < p->n_overrides &&
	       (p->overrides[i].port != o->port || strcmp(p->overrides[i].service, o->service)))
		i++;
	return i;
}

static const char *next_service_name(size_t i, const void *policy)
{
	const struct fmp_policy *p = policy;

	return i < p->n_services ? p->services[i].name : NULL;
}

/* The gateway reports a message's service by the policy's own names only. */
static int check_service(struct fmpi_reader *r, const xmlNode *node, const char *service,
			 const struct fmp_policy *p)
{
	char hint[64];

	for (size_t i = 0; i < p->n_services; i++)
		if (!strcmp(p->services[i].name, service))
			return 0;
	fmp_suggestion(fmp_suggest(service, next_service_name, p), hint, sizeof(hint));
	return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "service",
				"service=\"%s\" is none of <services>%s", service, hint);
}

/* The number of other overrides with a pool of their own. */
static unsigned count_pools(const struct fmp_policy *p, const struct fmp_policy_override *o)
{
	size_t same = find_override(p, o);
	unsigned n = 0;

	for (size_t i = 0; i < p->n_overrides; i++)
		n += i != same && !p->overrides[i].pool;
	return n;
}

static int check_override(struct fmpi_reader *r, const xmlNode *node,
			  const struct fmp_policy_override *o, const struct fmp_policy *p)
{
	if (!o->port && !*o->service)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<override> needs a port, a service or both: for which "
					"messages");
	if (find_override(p, o) < p->n_overrides && r->own_override[find_override(p, o)])
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, NULL,
					"what holds for these messages is said already");
	if (!o->pool && count_pools(p, o) == FMP_POOLS_MAX)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "pool",
					"more than %d overrides with pool=\"no\"", FMP_POOLS_MAX);
	return *o->service ? check_service(r, node, o->service, p) : 0;
}

static int read_override(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_positions where = r->where;
	struct fmp_position event_at[FMP_EVENT_KINDS];
	uint32_t ranks, counts;
	struct fmp_policy *policy = r->policy, *copy;
	struct fmp_policy_override *o;
	size_t at;
	int rc = 0;

	if (policy->n_overrides == FMP_OVERRIDES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d overrides",
					FMP_OVERRIDES_MAX);
	o = realloc(policy->overrides, (policy->n_overrides + 1) * sizeof(*o));
	if (o)
		policy->overrides = o;
	copy = o ? malloc(sizeof(*copy)) : NULL;
	if (!copy)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	o = &policy->overrides[policy->n_overrides];
	memset(o, 0, sizeof(*o));
	o->pool = true;
	*copy = *policy;
	memcpy(event_at, r->event_at, sizeof(event_at));
	r->policy = copy;
	for (const xmlAttr *a = node->properties; a && !rc; a = a->next)
		rc = read_attribute(r, node, a, o);
	if (!rc)
		rc = fmpi_event_list_read(r, node, &ranks, &counts);
	o->suspicion = copy->suspicion;
	o->block = copy->block;
	if (!rc)
		rc = check_override(r, node, o, policy);
	if (!rc)
		rc = fmp_policy_check_rules(copy, &r->where, r->err);
	r->policy = policy;
	r->where = where;
	memcpy(r->event_at, event_at, sizeof(event_at));
	free(copy);
	if (!rc)
		rc = fmpi_rules_check_idle(r, node, &o->suspicion);
	if (rc)
		return rc;
	/* An override for the same messages from a file read earlier: the later one replaces it. */
	at = find_override(policy, o);
	r->own_override[at] = true;
	if (at < policy->n_overrides)
		policy->overrides[at] = *o;
	else
		policy->n_overrides++;
	return 0;
}

int fmpi_overrides_read(struct fmpi_reader *r)
{
	const xmlNode *list = fmpi_child(xmlDocGetRootElement(r->doc), "overrides");
	int rc = 0;

	memset(r->own_override, 0, sizeof(r->own_override));
	for (const xmlNode *n = list ? list->children : NULL; n && !rc; n = n->next)
		if (n->type == XML_ELEMENT_NODE)
			rc = read_override(r, n);
	return rc;
}
