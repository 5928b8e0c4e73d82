// SPDX-License-Identifier: GPL-2.0
/* <group>: settings for the sources of some addresses. */
#include <policy/emit.h>
#include <fmp/internal/policy_xml.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ADDRESSES_LEN (FMP_GROUP_ADDRESSES_MAX * FMP_ADDR_STRLEN)

static int add_address(struct fmpi_reader *r, const xmlNode *node, const char *text,
		       struct fmp_policy_group *g)
{
	struct fmp_error why;
	struct fmp_addr a;

	if (fmp_addr_parse(text, &a, &why))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address", "%s", why.message);
	if (!fmp_addr_is_ip(&a))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address",
					"\"%.64s\" is not an IP address", text);
	if (!a.prefix_len)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "address",
					"\"%.64s\" holds every source: what is for all is written "
					"in <suspicion> and <block>",
					text);
	for (unsigned i = 0; i < g->n_addresses; i++)
		if (fmp_addr_equal(&g->addresses[i], &a))
			return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "address",
						"%s is listed twice", text);
	if (g->n_addresses == FMP_GROUP_ADDRESSES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address",
					"more than %d addresses in one group",
					FMP_GROUP_ADDRESSES_MAX);
	g->addresses[g->n_addresses++] = a;
	return 0;
}

static int read_addresses(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
			  struct fmp_policy_group *g)
{
	xmlChar *value = xmlNodeListGetString(node->doc, attr->children, 1);
	char text[ADDRESSES_LEN] = "", *rest = text, *word;
	int rc = 0;

	if (value && (size_t)xmlStrlen(value) < sizeof(text))
		snprintf(text, sizeof(text), "%s", value);
	else if (value)
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address",
				      "longer than any value can be");
	xmlFree(value);
	while (!rc && (word = strsep(&rest, " \t\r\n")))
		if (*word)
			rc = add_address(r, node, word, g);
	return rc;
}

/* r->policy is a copy; its suspicion and block receive the group's own settings. */
static int read_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			  struct fmp_policy_group *g)
{
	const char *name = (const char *)a->name;
	const struct fmpi_setting *s;

	for (size_t i = 0; !a->ns && (s = fmpi_group_setting(i)); i++)
		if (!strcmp(s->attribute, name))
			return fmpi_policy_reader_set(r, node, a, g, s);
	for (size_t i = 0; !a->ns && (s = fmpi_overridable_setting(i)); i++)
		if (!strcmp(s->attribute, name)) {
			g->own_settings |= 1u << i;
			return fmpi_policy_reader_set(r, node, a, r->policy, s);
		}
	return !a->ns && !strcmp(name, "address") ? read_addresses(r, node, a, g)
						  : fmpi_policy_reader_unknown(r, node, a);
}

/* ---- contradictions ---- */

static int check_unique(struct fmpi_reader *r, const xmlNode *node,
			const struct fmp_policy_group *g, const struct fmp_policy *p)
{
	char text[FMP_ADDR_STRLEN];

	for (size_t i = 0; i < p->n_groups; i++)
		for (unsigned a = 0;
		     strcmp(p->groups[i].name, g->name) != 0 && a < p->groups[i].n_addresses; a++)
			for (unsigned b = 0; b < g->n_addresses; b++)
				if (fmp_addr_equal(&p->groups[i].addresses[a], &g->addresses[b]))
					return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node,
								"address",
								"%s is in the group \"%s\" already",
								fmp_addr_format(&g->addresses[b],
										text, sizeof(text)),
								p->groups[i].name);
	return 0;
}

static size_t find_group(const struct fmp_policy *p, const struct fmp_policy_group *g)
{
	size_t i = 0;

	while (i < p->n_groups && strcmp(p->groups[i].name, g->name) != 0)
		i++;
	return i;
}

static int check_group(struct fmpi_reader *r, const xmlNode *node, const struct fmp_policy_group *g,
		       const struct fmp_policy *p)
{
	size_t at = find_group(p, g);

	if (!*g->name)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<group> needs a name");
	if (!g->n_addresses)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<group> needs an address: of which sources");
	if (at < p->n_groups && r->own_group[at])
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "name",
					"the group \"%s\" is given twice", g->name);
	if (g->action == FMP_GROUP_LIMIT && g->block.layers == FMP_LAYER_BIT(FMP_LAYER_PREMAC))
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "action",
					"layers=\"premac\" holds whole blocks only, no limit of "
					"action=\"limit\"");
	return check_unique(r, node, g, p);
}

static int warn_idle_group(struct fmpi_reader *r, const xmlNode *node,
			   const struct fmp_policy_group *g)
{
	struct fmp_position at = fmpi_reader_locate(r, node, NULL);
	int rc = 0;

	if (g->action == FMP_GROUP_BLOCK && !g->own_settings && !g->own_ranks && !g->own_counts)
		rc = fmp_policy_warn(
			r->policy, &at,
			"the group \"%s\" says nothing of its sources: they are judged "
			"as all others",
			g->name);
	if (!rc && g->action != FMP_GROUP_LIMIT && xmlHasProp((xmlNode *)node, BAD_CAST "rate")) {
		at = fmpi_reader_locate(r, node, "rate");
		rc = fmp_policy_warn(r->policy, &at,
				     "rate does nothing: it is for action=\"limit\"");
	}
	if (rc)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	return fmpi_rules_check_idle(r, node, &g->suspicion);
}

/* ---- one group ---- */

/* Append an empty group that is not counted yet. @p: the policy it inherits from */
static struct fmp_policy_group *append_group(struct fmp_policy *p)
{
	struct fmp_policy_group *more = realloc(p->groups, (p->n_groups + 1) * sizeof(*more));

	if (!more)
		return NULL;
	p->groups = more;
	memset(&more[p->n_groups], 0, sizeof(*more));
	more[p->n_groups].rate = p->suspicious.rate;
	return &more[p->n_groups];
}

static int read_group_contents(struct fmpi_reader *r, const xmlNode *node,
			       struct fmp_policy_group *g, const struct fmp_policy *policy)
{
	int rc = 0;

	for (const xmlAttr *a = node->properties; a && !rc; a = a->next)
		rc = read_attribute(r, node, a, g);
	if (!rc)
		rc = fmpi_event_list_read(r, node, &g->own_ranks, &g->own_counts);
	g->suspicion = r->policy->suspicion;
	g->block = r->policy->block;
	if (!rc)
		rc = check_group(r, node, g, policy);
	return rc ? rc : fmp_policy_check_rules(r->policy, &r->where, r->err);
}

static int read_group(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_positions where = r->where;
	struct fmp_position event_at[FMP_EVENT_KINDS];
	struct fmp_policy *policy = r->policy, *copy;
	struct fmp_policy_group *g;
	size_t at;
	int rc;

	if (policy->n_groups == FMP_GROUPS_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d groups",
					FMP_GROUPS_MAX);
	g = append_group(policy);
	copy = g ? malloc(sizeof(*copy)) : NULL;
	if (!copy)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	*copy = *policy;
	memcpy(event_at, r->event_at, sizeof(event_at));
	r->policy = copy;
	rc = read_group_contents(r, node, g, policy);
	r->policy = policy;
	r->where = where;
	memcpy(r->event_at, event_at, sizeof(event_at));
	free(copy);
	if (!rc)
		rc = warn_idle_group(r, node, g);
	if (rc)
		return rc;
	/* A group of the same name from a file read earlier: the later one replaces it. */
	at = find_group(policy, g);
	r->own_group[at] = true;
	if (at < policy->n_groups)
		policy->groups[at] = *g;
	else
		policy->n_groups++;
	return 0;
}

int fmpi_groups_read(struct fmpi_reader *r)
{
	const xmlNode *list = fmpi_child(xmlDocGetRootElement(r->doc), "groups");
	int rc = 0;

	memset(r->own_group, 0, sizeof(r->own_group));
	for (const xmlNode *n = list ? list->children : NULL; n && !rc; n = n->next)
		if (n->type == XML_ELEMENT_NODE)
			rc = read_group(r, n);
	return rc;
}
