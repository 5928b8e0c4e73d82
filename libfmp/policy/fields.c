// SPDX-License-Identifier: GPL-2.0
/* <fields>: fields of HTTP that are removed, set or kept on the way. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <fmp/internal/policy_xml.h>

#define IN_RULE(field) offsetof(struct fmp_policy_field_rule, field)
#define VALUE_SIZE     sizeof(((struct fmp_policy_field_rule *)0)->value)

static const struct fmpi_setting name = {
	.type = FMPI_WORD, .offset = IN_RULE(name), .size = 64, .min = 1, .max = 63
};

/* RFC 9110 5.6.2; a star only behind what is removed. */
static bool is_name(const char *text, bool removed)
{
	static const char token[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789!#$%&'+-.^_`|~";
	size_t n = strspn(text, token);

	return n && (!text[n] || (removed && !strcmp(text + n, "*")));
}

/* The framing of messages, and what the gateway itself writes. */
static bool is_made_here(const char *text)
{
	static const char *const names[] = { "connection",
					     "content-encoding",
					     "content-length",
					     "content-type",
					     "expect",
					     "forwarded",
					     "host",
					     "keep-alive",
					     "soapaction",
					     "te",
					     "trailer",
					     "transfer-encoding",
					     "upgrade",
					     "via",
					     "x-forwarded-for",
					     "x-forwarded-host",
					     "x-forwarded-proto" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcasecmp(names[i], text))
			return true;
	return false;
}

/* RFC 9110 5.5, ASCII alone. */
static int read_value(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
		      struct fmp_policy_field_rule *rule)
{
	char value[FMPI_VALUE_MAX];
	size_t n;

	fmpi_policy_reader_value(r, node, a, value);
	if (r->failed)
		return r->failed;
	n = strlen(value);
	if (!n || n >= VALUE_SIZE)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "value",
					"value has 1 to %zu characters; write <remove> to "
					"remove a field",
					VALUE_SIZE - 1);
	for (size_t i = 0; i < n; i++)
		if (value[i] < 0x20 || value[i] > 0x7e)
			return fmpi_reader_fail(
				r, FMP_ERR_SCHEMA, node, "value",
				"value has a character that is not printable ASCII");
	if (value[0] == ' ' || value[n - 1] == ' ')
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "value",
					"value begins or ends with a space, which is no part of a "
					"field");
	memcpy(rule->value, value, n + 1);
	return 0;
}

static int read_direction(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			  struct fmp_policy_field_rule *rule)
{
	char value[FMPI_VALUE_MAX];
	bool both;

	fmpi_policy_reader_value(r, node, a, value);
	if (r->failed)
		return r->failed;
	both = !strcmp(value, "both");
	rule->requests = both || !strcmp(value, "requests");
	rule->answers = both || !strcmp(value, "answers");
	if (!rule->requests && !rule->answers)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "in",
					"in=\"%.64s\" is none of requests, answers, both", value);
	return 0;
}

static int read_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a, bool set,
			  struct fmp_policy_field_rule *rule)
{
	if (!a->ns && xmlStrEqual(a->name, BAD_CAST "name"))
		return fmpi_policy_reader_set(r, node, a, rule, &name);
	if (!a->ns && set && xmlStrEqual(a->name, BAD_CAST "value"))
		return read_value(r, node, a, rule);
	if (!a->ns && !rule->keep && xmlStrEqual(a->name, BAD_CAST "in"))
		return read_direction(r, node, a, rule);
	return fmpi_policy_reader_unknown(r, node, a);
}

static int read_rule(struct fmpi_reader *r, const xmlNode *node)
{
	bool set = xmlStrEqual(node->name, BAD_CAST "set");
	struct fmp_policy_fields *f = &r->policy->gateway.fields;
	struct fmp_policy_field_rule rule = { .requests = true,
					      .keep = xmlStrEqual(node->name, BAD_CAST "keep") };
	int rc = 0;

	if (f->n == FMP_FIELD_RULES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d rules",
					FMP_FIELD_RULES_MAX);
	for (const xmlAttr *a = node->properties; a && !rc; a = a->next)
		rc = read_attribute(r, node, a, set, &rule);
	if (rc)
		return rc;
	if (!*rule.name || (set && !*rule.value))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<%s> needs a %s",
					node->name, *rule.name ? "value" : "name");
	if (!is_name(rule.name, !set))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "name",
					"\"%.64s\" is no name of a field%s", rule.name,
					set ? "" : "; a star may stand at its end");
	if ((set || rule.keep) && is_made_here(rule.name))
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "name",
					"the gateway itself writes the field %s", rule.name);
	f->rule[f->n++] = rule;
	return 0;
}

int fmpi_fields_read(struct fmpi_reader *r, const xmlNode *node)
{
	int rc = 0;

	/* A list replaces what the file or the service would inherit. */
	r->policy->gateway.fields.n = 0;
	if (node->properties)
		return fmpi_policy_reader_unknown(r, node, node->properties);
	for (const xmlNode *n = node->children; n && !rc; n = n->next) {
		bool known = n->type == XML_ELEMENT_NODE && n->ns &&
			     xmlStrEqual(n->ns->href, BAD_CAST FMPI_POLICY_NS) &&
			     (xmlStrEqual(n->name, BAD_CAST "remove") ||
			      xmlStrEqual(n->name, BAD_CAST "set") ||
			      xmlStrEqual(n->name, BAD_CAST "keep"));

		if (n->type == XML_ELEMENT_NODE && !known)
			rc = fmpi_reader_fail(
				r, FMP_ERR_SCHEMA, n, NULL,
				"<fields> has no element <%.64s>: keep, remove or set", n->name);
		else if (n->type == XML_ELEMENT_NODE)
			rc = read_rule(r, n);
		else if (n->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)n))
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "<fields> holds elements only, no text");
	}
	return rc;
}
