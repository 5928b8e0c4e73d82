// SPDX-License-Identifier: GPL-2.0
/* <headers>: header blocks of the application, by their qualified names. */
#include <string.h>

#include <libxml/tree.h>

#include <fmp/internal/policy_xml.h>

#define NS_WSSE	  "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
#define NS_SOAP11 "http://schemas.xmlsoap.org/soap/envelope/"
#define NS_SOAP12 "http://www.w3.org/2003/05/soap-envelope"

#define SWITCH(attr, field)                                                               \
	{                                                                                 \
		.element = "header", .attribute = attr, .type = FMPI_BOOL,                \
		.offset = offsetof(struct fmp_policy_header, field), .size = sizeof(bool) \
	}

static const struct fmpi_setting switches[] = {
	SWITCH("understood", understood),
	SWITCH("required", required),
	SWITCH("handed-on", forwarded),
};

static int read_signed(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
		       struct fmp_policy_header *h)
{
	static const struct fmpi_setting setting = {
		.element = "header", .attribute = "signed", .type = FMPI_BOOL, .size = sizeof(bool)
	};
	bool is_signed;
	int rc = fmpi_policy_reader_set(r, node, a, &is_signed, &setting);

	if (!rc)
		h->is_signed = is_signed ? FMP_HEADER_SIGNED_YES : FMP_HEADER_SIGNED_NO;
	return rc;
}

/* Split "{namespace}local". Return: the local part; NULL: malformed. */
static const char *split_braces(const char *name, struct fmp_policy_header *h)
{
	size_t n = strcspn(name + 1, "{} \t\r\n");

	if (!n || n >= sizeof(h->ns) || name[1 + n] != '}')
		return NULL;
	memcpy(h->ns, name + 1, n);
	return name + n + 2;
}

/* Split "prefix:local" by the declarations in scope. Return: as above. */
static const char *split_prefix(struct fmpi_reader *r, const xmlNode *node, const char *name,
				struct fmp_policy_header *h)
{
	const char *colon = strchr(name, ':');
	char prefix[FMPI_VALUE_MAX] = "";
	const xmlNs *ns;

	if (!colon || colon == name)
		return NULL;
	memcpy(prefix, name, (size_t)(colon - name));
	ns = xmlSearchNs(r->doc, (xmlNode *)node, BAD_CAST prefix);
	if (!ns) {
		r->failed = fmpi_reader_fail(
			r, FMP_ERR_SCHEMA, node, "name",
			"name=\"%.64s\": the prefix %.32s is not declared; add xmlns:%.32s=\"...\"",
			name, prefix, prefix);
		return NULL;
	}
	if (!ns->href || !*ns->href || strlen((const char *)ns->href) >= sizeof(h->ns))
		return NULL;
	strcpy(h->ns, (const char *)ns->href);
	return colon + 1;
}

static int read_name(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
		     struct fmp_policy_header *h)
{
	char name[FMPI_VALUE_MAX];
	const char *local;

	fmpi_policy_reader_value(r, node, a, name);
	if (r->failed)
		return r->failed;
	local = *name == '{' ? split_braces(name, h) : split_prefix(r, node, name, h);
	if (r->failed)
		return r->failed;
	if (!local || strlen(local) >= sizeof(h->local) ||
	    (strcmp(local, "*") && xmlValidateNCName(BAD_CAST local, 0)))
		return fmpi_reader_fail(
			r, FMP_ERR_SCHEMA, node, "name",
			"name=\"%.64s\" is not {NAMESPACE}NAME or PREFIX:NAME, of 159 and 63 bytes "
			"at most; * stands for all names of a namespace",
			name);
	strcpy(h->local, local);
	return 0;
}

static int read_attributes(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_header *h)
{
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		const char *name = (const char *)a->name;
		const struct fmpi_setting *s = NULL;
		int rc;

		for (size_t i = 0; i < sizeof(switches) / sizeof(switches[0]); i++)
			if (!strcmp(switches[i].attribute, name))
				s = &switches[i];
		if (a->ns)
			rc = fmpi_policy_reader_unknown(r, node, a);
		else if (s)
			rc = fmpi_policy_reader_set(r, node, a, h, s);
		else if (!strcmp(name, "name"))
			rc = read_name(r, node, a, h);
		else if (!strcmp(name, "signed"))
			rc = read_signed(r, node, a, h);
		else
			rc = fmpi_policy_reader_unknown(r, node, a);
		if (rc)
			return rc;
	}
	return 0;
}

static int check_header(struct fmpi_reader *r, const xmlNode *node,
			const struct fmp_policy_headers *all, const struct fmp_policy_header *h)
{
	if (!*h->local)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<header> needs a name");
	if ((!strcmp(h->ns, NS_WSSE) && !strcmp(h->local, "Security")) ||
	    !strcmp(h->ns, NS_SOAP11) || !strcmp(h->ns, NS_SOAP12))
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "name",
					"%s is not a header block of an application: the gateway "
					"reads it itself",
					h->local);
	if (h->required && !strcmp(h->local, "*"))
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "required",
					"required=\"yes\" asks for one block: name it instead of "
					"*");
	for (unsigned i = 0; i < all->n; i++)
		if (!strcmp(all->block[i].ns, h->ns) && !strcmp(all->block[i].local, h->local))
			return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "name",
						"the header block {%.100s}%s is named twice", h->ns,
						h->local);
	return 0;
}

static int read_header(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_headers *all)
{
	struct fmp_policy_header *h = &all->block[all->n];
	int rc;

	if (!node->ns || !xmlStrEqual(node->ns->href, BAD_CAST FMPI_POLICY_NS) ||
	    !xmlStrEqual(node->name, BAD_CAST "header"))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<headers> has no element <%.64s>: header", node->name);
	if (all->n == FMP_HEADER_BLOCKS_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"more than %d header blocks: name all of a namespace with "
					"*",
					FMP_HEADER_BLOCKS_MAX);
	h->understood = h->forwarded = true;
	rc = read_attributes(r, node, h);
	if (!rc && xmlFirstElementChild((xmlNode *)node))
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<header> holds no elements");
	if (!rc)
		rc = check_header(r, node, all, h);
	if (!rc)
		all->n++;
	return rc;
}

int fmpi_headers_read(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_policy_headers *all = &r->policy->gateway.header_blocks;
	int rc = 0;

	memset(all, 0, sizeof(*all));
	if (node->properties)
		return fmpi_policy_reader_unknown(r, node, node->properties);
	for (const xmlNode *n = node->children; n && !rc; n = n->next) {
		if (n->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)n))
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "<headers> holds elements only, no text");
		else if (n->type == XML_ELEMENT_NODE)
			rc = read_header(r, n, all);
	}
	return rc;
}

/* Where the blocks are written: in the service, or wherever <headers> of <gateway> was read last. */
static int fail_at_headers(struct fmpi_reader *r, const xmlNode *node, const char *text)
{
	const xmlNode *own = fmpi_child(node, "headers");
	const struct fmpi_element *e = fmpi_element_find("headers");
	const struct fmp_position *at = &r->element_at[e - fmpi_elements];

	if (node)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, own ? own : node, NULL, "%s", text);
	return fmp_error_at(r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file,
			    at->line, at->column, "%s", text);
}

int fmpi_headers_check(struct fmpi_reader *r, const struct fmp_policy_gateway *g,
		       const xmlNode *node)
{
	bool verifies = g->security == FMP_SECURITY_BCS || g->security == FMP_SECURITY_BCES;

	if (g->header_blocks.n && g->security == FMP_SECURITY_OS)
		return fail_at_headers(r, node,
				       "security=\"Os\" looks at no header block: <headers> "
				       "needs Bc or more");
	for (unsigned i = 0; i < g->header_blocks.n && !verifies; i++)
		if (g->header_blocks.block[i].is_signed == FMP_HEADER_SIGNED_YES)
			return fail_at_headers(r, node,
					       "signed=\"yes\" of a header block needs security "
					       "BcS or BcES, which verify signatures");
	return 0;
}
