// SPDX-License-Identifier: GPL-2.0
/* <service> and <client>: settings that differ from the gateway's, by path and action. */
#include <policy/emit.h>
#include <fmp/internal/policy_xml.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <policy/content.h>

static const char *const children[] = { "algorithms", "answers", "attachments", "content",
					"fields",     "headers", "identity",	"limits",
					"require",    "username" };

static bool is_service_child(const char *child)
{
	for (size_t i = 0; i < sizeof(children) / sizeof(children[0]); i++)
		if (!strcmp(children[i], child))
			return true;
	return false;
}

static const struct fmpi_setting *find_service_setting(const char *name)
{
	const struct fmpi_setting *own;

	for (size_t i = 0; (own = fmpi_service_setting(i)); i++)
		if (!strcmp(own->attribute, name))
			return own;
	return NULL;
}

/* r->policy is a copy; its gateway receives the service's own settings. */
static int read_attributes(struct fmpi_reader *r, const xmlNode *node,
			   struct fmp_policy_service *svc)
{
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		const char *name = (const char *)a->name;
		const struct fmpi_setting *own = a->ns ? NULL : find_service_setting(name);
		const struct fmpi_setting *s = fmpi_setting_find("gateway", name);
		int rc;

		if (own)
			rc = fmpi_policy_reader_set(r, node, a, svc, own);
		else if (!a->ns && s && fmpi_is_service_setting(s))
			rc = fmpi_policy_reader_set(r, node, a, r->policy, s);
		else
			rc = fmpi_policy_reader_unknown(r, node, a);
		if (rc)
			return rc;
	}
	return 0;
}

static int read_service_child(struct fmpi_reader *r, const xmlNode *node, const xmlNode *child)
{
	const char *name = (const char *)child->name;

	if (!child->ns || !xmlStrEqual(child->ns->href, BAD_CAST FMPI_POLICY_NS))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, child, NULL,
					"<%.64s> is not of the namespace " FMPI_POLICY_NS, name);
	if (!is_service_child(name))
		return fmpi_reader_fail(
			r, FMP_ERR_SCHEMA, child, NULL,
			"<%s> has no element <%.64s>: algorithms, answers, attachments, content, fields, "
			"headers, identity, limits, require or username",
			node->name, name);
	if (!strcmp(name, "answers") && !strcmp((const char *)node->name, "client"))
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, child, NULL,
					"the answers that a <client> gets are of others: they are "
					"not signed here");
	for (const xmlNode *n = child->prev; n; n = n->prev)
		if (n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, child->name))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, child, NULL,
						"<%s> stands twice in <%s>", name, node->name);
	if (!strcmp(name, "content"))
		return fmpi_content_read(r, child);
	if (!strcmp(name, "fields"))
		return fmpi_fields_read(r, child);
	if (!strcmp(name, "headers"))
		return fmpi_headers_read(r, child);
	return fmpi_policy_reader_settings(r, child);
}

static int read_requirements(struct fmpi_reader *r, const xmlNode *node,
			     struct fmp_policy_service *svc)
{
	int rc = read_attributes(r, node, svc);

	for (const xmlNode *child = node->children; child && !rc; child = child->next) {
		if (child->type == XML_ELEMENT_NODE)
			rc = read_service_child(r, node, child);
		else if (child->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)child))
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "<%s> holds elements only, no text", node->name);
	}
	return rc;
}

/* A path is compared bytewise with what a client sends: it must have only one spelling. */
static bool is_path(const char *path)
{
	const char *star = strchr(path, '*');

	if (*path != '/' || strpbrk(path, "?#%\\") || strstr(path, "//") || strstr(path, "/."))
		return false;
	return !star || (!star[1] && star[-1] == '/');
}

/* Remember the position for errors that are found only when the service is used. */
static void record_position(struct fmpi_reader *r, const xmlNode *node,
			    struct fmp_policy_service *svc)
{
	struct fmp_position at = fmpi_reader_locate(r, node, *svc->backend ? "backend" : NULL);

	/* Only names of the policy's own file are kept. */
	if (r->kind != FMPI_INCLUDE_MAIN)
		return;
	svc->line = at.line;
	svc->column = at.column;
}

static int check_service(struct fmpi_reader *r, const xmlNode *node,
			 const struct fmp_policy_service *svc)
{
	static const char *const of_tls[] = { "ca", "client-certificate", "client-key",
					      "server-name" };
	bool tls = !strncmp(svc->backend, "https://", 8);

	if (!*svc->name || !*svc->path)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<%s> needs a %s",
					node->name, *svc->name ? "path" : "name");
	if (!is_path(svc->path))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "path",
					"path=\"%.64s\" is not a path like \"/orders\" or "
					"\"/orders/*\", without %%, ?, # and dots behind a slash",
					svc->path);
	if (*svc->backend && !tls && strncmp(svc->backend, "http://", 7))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "backend",
					"backend=\"%.64s\" is neither http:// nor https://",
					svc->backend);
	if (svc->client && !*svc->backend)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<client> needs a backend: where the remote service is");
	for (size_t i = 0; i < sizeof(of_tls) / sizeof(of_tls[0]) && !tls; i++)
		if (xmlHasProp((xmlNode *)node, BAD_CAST of_tls[i]))
			return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, of_tls[i],
						"%s is of an https:// backend; there is none",
						of_tls[i]);
	if (tls && !*svc->demands.backend_tls.ca)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "backend",
					"an https:// backend needs ca=\"FILE\", the CAs that "
					"vouch for it");
	if (*svc->action && svc->client)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "action",
					"a <client> is chosen by its path alone");
	if (*svc->action && svc->demands.security == FMP_SECURITY_OS)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "action",
					"security=\"Os\" does not look for the action");
	return 0;
}

static bool is_decrypting(const struct fmp_policy_service *svc)
{
	return svc->demands.security == FMP_SECURITY_BCE ||
	       svc->demands.security == FMP_SECURITY_BCES ||
	       (svc->demands.security == FMP_SECURITY_BCS && svc->demands.key[0]);
}

static bool has_same_attachments(const struct fmp_policy_attachments *a,
				 const struct fmp_policy_attachments *b)
{
	return a->allowed == b->allowed && a->unreferenced == b->unreferenced &&
	       a->parts == b->parts && a->part_bytes == b->part_bytes && a->bytes == b->bytes;
}

/* Check it against the services before it. */
static int check_unique(struct fmpi_reader *r, const xmlNode *node, const struct fmp_policy *p,
			const struct fmp_policy_service *svc)
{
	for (size_t i = 0; i < p->n_services; i++) {
		const struct fmp_policy_service *o = &p->services[i];

		if (!strcmp(o->name, svc->name))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "name",
						"the name \"%s\" is given twice", svc->name);
		if (is_decrypting(svc) && is_decrypting(o) &&
		    !strcmp(o->demands.key, svc->demands.key) &&
		    fmp_ciphers_mixed(o->demands.algorithms.encryption |
				      svc->demands.algorithms.encryption))
			return fmpi_reader_fail(
				r, FMP_ERR_CONFLICT, node, NULL,
				"\"%s\" and \"%s\" decrypt with one key, one of "
				"them with CBC, the other with GCM: what is GCM could "
				"be said to be CBC; give one of them a key of its own",
				o->name, svc->name);
		if (strcmp(o->path, svc->path))
			continue;
		if (svc->client || o->client || !strcmp(o->action, svc->action))
			return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "path",
						"path=\"%s\" is that of \"%s\" already, and no "
						"action tells them apart",
						svc->path, o->name);
		/* Both apply before a message's action is known. */
		if (memcmp(&o->demands.limits, &svc->demands.limits, sizeof(o->demands.limits)))
			return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, NULL,
						"services that share a path share their <limits>: "
						"\"%s\" has others than \"%s\"",
						svc->name, o->name);
		if (!has_same_attachments(&o->demands.attachments, &svc->demands.attachments))
			return fmpi_reader_fail(
				r, FMP_ERR_CONFLICT, node, NULL,
				"services that share a path share their <attachments>: "
				"\"%s\" has others than \"%s\"; write the same in both, or give "
				"one of them a path of its own",
				svc->name, o->name);
	}
	return 0;
}

/* The gateway's lists are for all services; that one service does not use them is no mistake. */
static void clear_algorithm_positions(struct fmpi_reader *r)
{
	for (size_t i = 0; i < fmpi_n_settings; i++)
		if (fmpi_settings[i].type == FMPI_ALGORITHMS)
			r->where.at[i] = (struct fmp_position){ 0 };
}

static int read_service(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_positions where = r->where;
	struct fmp_policy *policy = r->policy, *copy;
	struct fmp_policy_service *svc;
	int rc;

	if (policy->n_services == FMP_SERVICES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d services",
					FMP_SERVICES_MAX);
	svc = realloc(policy->services, (policy->n_services + 1) * sizeof(*svc));
	if (svc)
		policy->services = svc;
	copy = svc ? malloc(sizeof(*copy)) : NULL;
	if (!copy)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	svc = &policy->services[policy->n_services];
	memset(svc, 0, sizeof(*svc));
	svc->client = xmlStrEqual(node->name, BAD_CAST "client");
	clear_algorithm_positions(r);
	*copy = *policy;
	r->policy = copy;
	if (svc->client)
		copy->gateway.answers = (struct fmp_policy_answers){ 0 };
	rc = read_requirements(r, node, svc);
	svc->demands = copy->gateway;
	policy->contents = copy->contents;
	record_position(r, node, svc);
	if (!rc)
		rc = check_service(r, node, svc);
	if (!rc)
		rc = check_unique(r, node, policy, svc);
	if (!rc)
		rc = fmpi_policy_check_requirements(copy, &r->where, r->err);
	if (!rc)
		rc = fmpi_headers_check(r, &copy->gateway, node);
	r->policy = policy;
	if (!rc)
		rc = fmpi_service_check_idle(r, svc, &where);
	r->where = where;
	free(copy);
	if (!rc)
		policy->n_services++;
	return rc;
}

int fmpi_services_read(struct fmpi_reader *r)
{
	const xmlNode *root = xmlDocGetRootElement(r->doc);
	const xmlNode *list = fmpi_child(fmpi_child(root, "gateway"), "services");
	int rc = 0;

	for (const xmlNode *n = list ? list->children : NULL; n && !rc; n = n->next)
		if (n->type == XML_ELEMENT_NODE)
			rc = read_service(r, n);
	return rc;
}
