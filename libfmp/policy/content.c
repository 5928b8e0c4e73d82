// SPDX-License-Identifier: GPL-2.0
#include <policy/content.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/pattern.h>

#define TEXT_MAX       2000 /* bytes of a regular expression or an XPath */
#define PREFIX_MAX     64
#define NAMESPACES_MAX 16
#define LIST_MAX       10000000

static int fail_no_memory(struct fmpi_reader *r)
{
	return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
}

/* ---- one rule ---- */

static const char *next_attribute(size_t i, const void *element)
{
	static const char *const rule_attributes[] = { "name", "xpath", "regex", "fold", NULL };
	static const char *const list_attributes[] = { "name", "xpath", "max", NULL };

	if (!strcmp(element, "content"))
		return i ? NULL : "rules";
	return !strcmp(element, "rule") ? rule_attributes[i] : list_attributes[i];
}

/* A rule's XPath may use the prefixes that are declared where the rule stands. */
static int read_namespaces(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_rule *rule)
{
	xmlNsPtr *list = xmlGetNsList(r->doc, (xmlNode *)node);
	int rc = 0;

	rule->namespaces = calloc(NAMESPACES_MAX, sizeof(*rule->namespaces));
	if (!rule->namespaces)
		rc = fail_no_memory(r);
	for (unsigned i = 0; list && list[i] && !rc; i++) {
		struct fmp_policy_namespace *ns = &rule->namespaces[rule->n_namespaces];

		if (!list[i]->prefix)
			continue;
		if (xmlStrlen(list[i]->prefix) > PREFIX_MAX)
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "a prefix longer than %d bytes", PREFIX_MAX);
		if (rule->n_namespaces == NAMESPACES_MAX) {
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "more than %d prefixes", NAMESPACES_MAX);
			break;
		}
		ns->prefix = strdup((const char *)list[i]->prefix);
		ns->uri = strdup((const char *)list[i]->href);
		rule->n_namespaces++;
		if (!ns->prefix || !ns->uri)
			rc = fail_no_memory(r);
	}
	xmlFree(list);
	return rc;
}

/* Return: 0, with the attribute's text in *out. */
static int copy_attribute_text(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			       char **out)
{
	xmlChar *value = xmlNodeListGetString(node->doc, a->children, 1);
	size_t n = value ? (size_t)xmlStrlen(value) : 0;
	int rc = 0;

	if (!n || n > TEXT_MAX)
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, (const char *)a->name, "%s %s",
				      a->name, n ? "is longer than 2000 bytes" : "is empty");
	else if (!(*out = strdup((const char *)value)))
		rc = fail_no_memory(r);
	xmlFree(value);
	return rc;
}

static int read_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			  struct fmp_policy_rule *rule, bool *has_max)
{
	static const struct fmpi_setting name = { .element = "rule",
						  .attribute = "name",
						  .type = FMPI_NAME,
						  .offset = offsetof(struct fmp_policy_rule, name),
						  .size = 32,
						  .max = 31 };
	static const struct fmpi_setting max = { .element = "list",
						 .attribute = "max",
						 .type = FMPI_COUNT,
						 .offset = offsetof(struct fmp_policy_rule, max),
						 .size = 4,
						 .max = LIST_MAX };
	static const struct fmpi_setting fold = { .element = "rule",
						  .attribute = "fold",
						  .type = FMPI_BOOL,
						  .offset = offsetof(struct fmp_policy_rule, fold),
						  .size = sizeof(bool) };
	const char *attribute = (const char *)a->name;
	char hint[64];

	if (a->ns)
		return fmpi_policy_reader_unknown(r, node, a);
	if (!strcmp(attribute, "fold") && !rule->list)
		return fmpi_policy_reader_set(r, node, a, rule, &fold);
	if (!strcmp(attribute, "name"))
		return fmpi_policy_reader_set(r, node, a, rule, &name);
	if (!strcmp(attribute, "xpath"))
		return copy_attribute_text(r, node, a, &rule->xpath);
	if (!strcmp(attribute, "regex") && !rule->list)
		return copy_attribute_text(r, node, a, &rule->regex);
	if (!strcmp(attribute, "max") && rule->list) {
		*has_max = true;
		return fmpi_policy_reader_set(r, node, a, rule, &max);
	}
	fmp_suggestion(fmp_suggest(attribute, next_attribute, node->name), hint, sizeof(hint));
	return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, attribute,
				"<%s> has no attribute '%.64s'%s", node->name, attribute, hint);
}

/* A regex that matches all of these unrelated texts matches every text. With an xpath, a regex
 * that needs at least one character still distinguishes non-empty nodes, so the empty text is
 * tried too. */
static bool matches_everything(struct fmpi_pattern *pattern, bool has_xpath)
{
	static const char *const texts[] = { "", "a", "0", "Z", "_", " ", "<", "\xc3\xa4" };

	for (size_t i = has_xpath ? 0 : 1; i < sizeof(texts) / sizeof(texts[0]); i++) {
		uint64_t steps = 100000;

		if (fmpi_pattern_match(pattern, texts[i], strlen(texts[i]), &steps) !=
		    FMPI_MATCH_FOUND)
			return false;
	}
	return true;
}

static int check_rule(struct fmpi_reader *r, const xmlNode *node,
		      const struct fmp_policy_rule *rule)
{
	struct fmpi_pattern *pattern = NULL;
	char why[256] = "";
	bool everything;
	int rc = 0;

	if (rule->regex) {
		rc = fmpi_pattern_new(rule->regex, &pattern, why, sizeof(why));
		everything = !rc && matches_everything(pattern, rule->xpath != NULL);
		fmpi_pattern_free(pattern);
		if (everything)
			return fmpi_reader_fail(
				r, FMP_ERR_CONFLICT, node, "regex",
				rule->xpath
					? "regex=\"%.64s\" matches every text: leave it out, the xpath "
					  "says all"
					: "regex=\"%.64s\" matches every text: every message would be "
					  "refused",
				rule->regex);
		if (rc == FMP_ERR_SYNTAX)
			return fmpi_reader_fail(r, FMP_ERR_SYNTAX, node, "regex",
						"the regular expression is wrong: %s", why);
	}
	if (!rc && rule->xpath) {
		rc = fmpi_xpath_check(rule->xpath, rule, why, sizeof(why));
		if (rc == FMP_ERR_SYNTAX)
			return fmpi_reader_fail(r, FMP_ERR_SYNTAX, node, "xpath", "xpath %s", why);
	}
	return rc ? fail_no_memory(r) : 0;
}

static int parse_rule(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_rule *rule)
{
	bool has_max = false;
	int rc = 0;

	rule->list = xmlStrEqual(node->name, BAD_CAST "list");
	for (const xmlAttr *a = node->properties; a && !rc; a = a->next)
		rc = read_attribute(r, node, a, rule, &has_max);
	if (!rc && xmlFirstElementChild((xmlNode *)node))
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<%s> holds no elements",
				      node->name);
	if (rc)
		return rc;
	if (!*rule->name)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<%s> needs a name",
					node->name);
	if (rule->list && (!rule->xpath || !has_max))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<list> needs %s",
					rule->xpath ? "max, the most that there may be"
						    : "an xpath");
	if (!rule->xpath && !rule->regex)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<rule> needs an xpath, a regex, or both");
	if (rule->fold && !rule->regex)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "fold",
					"fold needs a regex: an XPath is never folded");
	rc = read_namespaces(r, node, rule);
	return rc ? rc : check_rule(r, node, rule);
}

static int read_rule(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_content *c)
{
	struct fmp_policy_rule *rule = &c->rules[c->n_rules];
	int rc;

	if (c->n_rules == FMP_RULES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d rules",
					FMP_RULES_MAX);
	c->n_rules++;
	rc = parse_rule(r, node, rule);
	if (rc)
		return rc;
	for (unsigned i = 0; i + 1 < c->n_rules; i++)
		if (!strcmp(c->rules[i].name, rule->name))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "name",
						"the name \"%s\" is given twice", rule->name);
	return 0;
}

/* ---- <content> ---- */

static int read_rules(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_content *c)
{
	int rc = 0;

	for (const xmlNode *n = node->children; n && !rc; n = n->next) {
		if (n->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)n))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
						"<content> holds elements only, no text");
		if (n->type != XML_ELEMENT_NODE)
			continue;
		if (!n->ns || !xmlStrEqual(n->ns->href, BAD_CAST FMPI_POLICY_NS) ||
		    (!xmlStrEqual(n->name, BAD_CAST "rule") &&
		     !xmlStrEqual(n->name, BAD_CAST "list")))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, n, NULL,
						"<content> has no element <%.64s>: rule or list",
						(const char *)n->name);
		rc = read_rule(r, n, c);
	}
	return rc;
}

/* Read rules from a file of their own. Errors name that file, not the policy. */
static int read_rules_file(struct fmpi_reader *outer, const xmlNode *node, const char *file,
			   struct fmp_policy_content *c)
{
	struct fmpi_reader r = { .name = file, .policy = outer->policy, .err = outer->err };
	struct fmpi_include source;
	const xmlNode *root;
	int sys, rc = fmpi_file_read(file, &source, &sys);

	if (rc == FMP_ERR_IO)
		return fmpi_reader_fail(outer, rc, node, "rules", "%s: %s", file,
					fmpi_file_why(sys));
	if (rc)
		return fmp_error_at(r.err, rc, file, 0, 0,
				    rc == FMP_ERR_NOMEM ? "out of memory" : "larger than 1 MiB");
	r.text = source.text;
	r.len = source.len;
	rc = fmpi_xml_parse(&r);
	root = rc ? NULL : xmlDocGetRootElement(r.doc);
	if (!rc && (!root->ns || !xmlStrEqual(root->ns->href, BAD_CAST FMPI_POLICY_NS) ||
		    !xmlStrEqual(root->name, BAD_CAST "content")))
		rc = fmpi_reader_fail(&r, FMP_ERR_SCHEMA, root, NULL,
				      "the root is not <content xmlns=\"" FMPI_POLICY_NS "\">");
	if (!rc && root->properties)
		rc = fmpi_reader_fail(&r, FMP_ERR_SCHEMA, root,
				      (const char *)root->properties->name,
				      "a file of rules names no other");
	if (!rc)
		rc = read_rules(&r, root, c);
	xmlFreeDoc(r.doc);
	free(source.text);
	return rc;
}

/* If there is no such file beside the policy, a bare name refers to a shipped file. */
static void prefer_shipped_file(const struct fmpi_reader *r, char *file, size_t size)
{
	const char *name = file + strlen(r->dir);
	char path[PATH_MAX + 64];

	if (!access(file, F_OK) || strncmp(file, r->dir, strlen(r->dir)) || strchr(name, '/'))
		return;
	fmpi_data_file(name, path, sizeof(path));
	if (!access(path, R_OK) && strlen(path) < size)
		memcpy(file, path, strlen(path) + 1);
}

static int read_rules_attribute(struct fmpi_reader *r, const xmlNode *node,
				struct fmp_policy_content *c)
{
	static const struct fmpi_setting rules = { .element = "content",
						   .attribute = "rules",
						   .type = FMPI_FILE,
						   .size = 256,
						   .max = 255 };
	char file[256] = "", hint[64];
	int rc;

	for (const xmlAttr *a = node->properties; a; a = a->next) {
		if (a->ns)
			return fmpi_policy_reader_unknown(r, node, a);
		if (!xmlStrEqual(a->name, BAD_CAST "rules")) {
			fmp_suggestion(fmp_suggest((const char *)a->name, next_attribute,
						   node->name),
				       hint, sizeof(hint));
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, (const char *)a->name,
						"<content> has no attribute '%.64s'%s", a->name,
						hint);
		}
		rc = fmpi_policy_reader_set(r, node, a, file, &rules);
		if (rc)
			return rc;
	}
	if (!*file)
		return 0;
	prefer_shipped_file(r, file, sizeof(file));
	return read_rules_file(r, node, file, c);
}

int fmpi_content_read(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_policy_content *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return fail_no_memory(r);
	c->next = r->policy->contents;
	r->policy->contents = c;
	c->rules = calloc(FMP_RULES_MAX, sizeof(*c->rules));
	if (!c->rules)
		return fail_no_memory(r);
	rc = read_rules_attribute(r, node, c);
	if (!rc)
		rc = read_rules(r, node, c);
	/* An empty <content/> in a service switches the gateway's rules off. */
	r->policy->gateway.content = c->n_rules ? c : NULL;
	return rc;
}
