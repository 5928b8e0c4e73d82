// SPDX-License-Identifier: GPL-2.0
/*
 * Checks the XPath of a rule when the policy is loaded. libxml2 reports a syntax error at compile
 * time, but an unknown prefix, function or variable only when it evaluates the expression: then the
 * sender of a message would be charged for the policy's mistake.
 */
#include <policy/content.h>

#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/xml_error_arg.h>

/* XPath 1.0 functions, and node tests, which have the same syntax. */
static const char *const xpath_functions[] = {
	"last",
	"position",
	"count",
	"id",
	"name",
	"local-name",
	"string",
	"namespace-uri",
	"concat",
	"starts-with",
	"contains",
	"substring-before",
	"substring",
	"sum",
	"floor",
	"substring-after",
	"translate",
	"boolean",
	"not",
	"string-length",
	"true",
	"false",
	"lang",
	"normalize-space",
	"number",
	"ceiling",
	"round",
	"comment",
	"text",
	"node",
	"processing-instruction",
};

static bool is_name_start(unsigned char c)
{
	return c == '_' || c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static size_t name_length(const char *p)
{
	size_t n = 0;

	while (is_name_start((unsigned char)p[n]) || (n && p[n] && strchr("0123456789-.", p[n])))
		n++;
	return n;
}

static bool is_xpath_function(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(xpath_functions) / sizeof(xpath_functions[0]); i++)
		if (strlen(xpath_functions[i]) == n && !memcmp(xpath_functions[i], name, n))
			return true;
	return false;
}

static bool is_declared(const struct fmp_policy_rule *rule, const char *prefix, size_t n)
{
	if (n == 3 && !memcmp(prefix, "xml", 3))
		return true;
	for (unsigned i = 0; i < rule->n_namespaces; i++)
		if (strlen(rule->namespaces[i].prefix) == n &&
		    !memcmp(rule->namespaces[i].prefix, prefix, n))
			return true;
	return false;
}

/* Check a name of @n bytes at @p. Return: false, with the reason in *why. */
static bool check_name(const char *p, size_t n, const struct fmp_policy_rule *rule, char *why,
		       size_t size)
{
	const char *behind = p + n + strspn(p + n, " \t\r\n");
	int shown = n < 64 ? (int)n : 64;

	if (p[n] == ':' && p[n + 1] != ':' && !is_declared(rule, p, n)) {
		snprintf(why, size, "uses the prefix \"%.*s\", which no xmlns:%.*s declares", shown,
			 p, shown, p);
		return false;
	}
	if (*behind == '(' && !is_xpath_function(p, n)) {
		/* operators such as "div (" look like calls */
		if ((n == 2 && !memcmp(p, "or", 2)) ||
		    (n == 3 &&
		     (!memcmp(p, "and", 3) || !memcmp(p, "div", 3) || !memcmp(p, "mod", 3))))
			return true;
		snprintf(why, size, "calls %.*s(), which XPath 1.0 does not have", shown, p);
		return false;
	}
	return true;
}

static bool check_tokens(const char *p, const struct fmp_policy_rule *rule, char *why, size_t size)
{
	while (*p) {
		size_t n = name_length(p);

		if (*p == '"' || *p == '\'') {
			const char *end = strchr(p + 1, *p);

			if (!end)
				return true; /* libxml2 reports it */
			p = end + 1;
		} else if (*p == '$') {
			snprintf(why, size, "has a variable; there are none");
			return false;
		} else if (n) {
			if (!check_name(p, n, rule, why, size))
				return false;
			p += n;
			if (*p == ':' && p[1] != ':')
				p++;
		} else {
			p++;
		}
	}
	return true;
}

static void keep_first_error(void *ctx, fmpi_xml_error_arg e)
{
	char *text = ctx;
	size_t n = strcspn(e->message ? e->message : "", "\n");

	if (!*text)
		snprintf(text, 100, "%.*s", n < 90 ? (int)n : 90, e->message ? e->message : "");
}

int fmpi_xpath_check(const char *xpath, const struct fmp_policy_rule *rule, char *why, size_t size)
{
	xmlXPathContextPtr ctx = xmlXPathNewContext(NULL);
	xmlXPathCompExprPtr compiled;
	char text[100] = "";

	if (!ctx)
		return FMP_ERR_NOMEM;
	ctx->error = keep_first_error;
	ctx->userData = text;
	compiled = xmlXPathCtxtCompile(ctx, (const xmlChar *)xpath);
	xmlXPathFreeContext(ctx);
	if (!compiled) {
		snprintf(why, size, "is not an XPath: %s", *text ? text : "invalid expression");
		return FMP_ERR_SYNTAX;
	}
	xmlXPathFreeCompExpr(compiled);
	return check_tokens(xpath, rule, why, size) ? 0 : FMP_ERR_SYNTAX;
}
