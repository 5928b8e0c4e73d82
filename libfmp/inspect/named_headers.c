// SPDX-License-Identifier: GPL-2.0
#include "named_headers.h"

#include <stdio.h>
#include <string.h>

#include <fmp/internal/observation.h>

#include "namespace_context.h"
#include "schema/wsdl.h"
#include "soap/named_header.h"
#include "soap/role.h"
#include "wss/wsse.h"
#include "xml/c14n.h"
#include "xml/names.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

bool fmpi_named_headers_forward_all(const struct fmp_inspector *i)
{
	return !i->tree &&
	       (i->headers == FMP_HEADERS_SIGNED || i->headers == FMP_HEADERS_ONLY_SIGNED);
}

/* What the policy says of a block; NULL: it does not name it. */
static const struct fmp_policy_header *
find_header(const struct fmp_inspector *i, const struct fmpi_soap *soap, const xmlNode *block)
{
	return fmpi_named_header(i->named, block, soap->ns);
}

static bool is_clear_allowed(const struct fmp_policy_header *h)
{
	return h->is_signed == FMP_HEADER_SIGNED_NO;
}

static bool has_entry(const struct fmp_policy_headers *named, const char *ns, const char *local)
{
	for (unsigned i = 0; i < named->n; i++)
		if (strcmp(named->block[i].ns, ns) == 0 &&
		    (strcmp(named->block[i].local, local) == 0 ||
		     strcmp(named->block[i].local, "*") == 0))
			return true;
	return false;
}

bool fmpi_named_headers_is_application(const char *ns)
{
	static const char *const own[] = { "",	      NS_SOAP11, NS_SOAP12, NS_WSSE,
					   NS_WSSE11, NS_WSA,	 NS_WSA2004 };

	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		if (strcmp(ns, own[i]) == 0)
			return false;
	return true;
}

int fmpi_named_headers_add_bound(struct fmp_inspector *i, const struct fmpi_wsdl *w)
{
	for (unsigned k = 0; w && k < w->n_headers; k++) {
		const struct fmpi_wsdl_name *name = &w->header[k];
		struct fmp_policy_header *h;

		if (!i->named)
			i->named = calloc(1, sizeof(*i->named));
		if (!i->named)
			return FMP_ERR_NOMEM;
		h = &i->named->block[i->named->n];
		if (i->named->n == FMP_HEADER_BLOCKS_MAX ||
		    !fmpi_named_headers_is_application(name->ns) ||
		    has_entry(i->named, name->ns, name->local) ||
		    strlen(name->ns) >= sizeof(h->ns) || strlen(name->local) >= sizeof(h->local))
			continue;
		*h = (struct fmp_policy_header){ .understood = true,
						 .forwarded = true,
						 .bound = true };
		strcpy(h->ns, name->ns);
		strcpy(h->local, name->local);
		i->named->n++;
	}
	return 0;
}

/* Must it be signed? One of a binding only if dropping it would break what its sender demands. */
static bool needs_signature(const struct fmp_policy_header *h, const struct fmpi_soap *soap,
			    const xmlNode *block)
{
	return h->bound ? fmpi_wsse_must_understand(block, soap->ns) : !is_clear_allowed(h);
}

static int refuse_unsigned(const struct fmp_inspector *i, const struct fmp_policy_header *h,
			   const xmlNode *n, struct fmp_inspection *v)
{
	bool is_unsupported = h->bound && !fmpi_named_headers_forward_all(i);

	return refuse(v, is_unsupported ? FMP_EVENT_UNSUPPORTED : FMP_EVENT_UNSIGNED, n,
		      h->bound ? "header block %s must be understood, but is not signed, so it is "
				 "not forwarded"
			       : "header block %s is not signed",
		      (const char *)n->name);
}

int fmpi_named_headers_check(const struct fmp_inspector *i, const struct fmpi_soap *soap,
			     const struct fmpi_signedinfo *info, struct fmp_inspection *v)
{
	const struct fmp_policy_headers *named = i->named;
	unsigned count[FMP_HEADER_BLOCKS_MAX] = { 0 };

	if (!named)
		return 0;
	for (xmlNode *n = soap->header ? fmpi_first(soap->header) : NULL; n; n = fmpi_next(n)) {
		const struct fmp_policy_header *h = find_header(i, soap, n);

		if (!h)
			continue;
		if (info && needs_signature(h, soap, n) && !fmpi_signedinfo_covers(info, n))
			return refuse_unsigned(i, h, n, v);
		if (++count[h - named->block] > 1 && h->required)
			return refuse(v, info ? FMP_EVENT_WRAPPING : FMP_EVENT_SOAP, n,
				      "header block %s stands twice", (const char *)n->name);
	}
	for (unsigned k = 0; k < named->n; k++)
		if (named->block[k].required && !count[k])
			return refuse(v, info ? FMP_EVENT_UNSIGNED : FMP_EVENT_SOAP,
				      soap->header ? soap->header : soap->body->parent,
				      "no header block %s", named->block[k].local);
	return 0;
}

static bool is_reference_parameter(const xmlNode *block)
{
	const xmlAttr *a = fmpi_attribute_node(block, NS_WSA, "IsReferenceParameter");
	const char *value = a ? fmpi_attribute_value(a) : NULL;

	return value && (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

/*
 * Blocks of WS-Addressing, and those that carry an endpoint's reference parameters (WS-Addressing
 * 1.0 SOAP Binding 3.4).
 */
static uint64_t select_addressing(const struct fmpi_signedinfo *info)
{
	uint64_t bits = 0;

	for (unsigned r = 0; r < info->n_references; r++)
		if (fmpi_signedinfo_is_block(info, r) &&
		    (fmpi_is_in_namespace(info->target[r], NS_WSA) ||
		     fmpi_is_in_namespace(info->target[r], NS_WSA2004) ||
		     is_reference_parameter(info->target[r])))
			bits |= UINT64_C(1) << r;
	return bits;
}

uint64_t fmpi_named_headers_select(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				   const struct fmpi_signedinfo *info)
{
	/* A tree holds the blocks of WS-Addressing anyway, and of others only named ones. */
	uint64_t bits = fmpi_named_headers_forward_all(i) ? info->blocks : 0;

	if (i->headers == FMP_HEADERS_ADDRESSING && !i->tree && info->blocks)
		bits = select_addressing(info);
	for (unsigned r = 0; i->named && r < info->n_references; r++) {
		const struct fmp_policy_header *h = fmpi_signedinfo_is_block(info, r)
							    ? find_header(i, soap, info->target[r])
							    : NULL;

		if (h && h->forwarded)
			bits |= UINT64_C(1) << r;
		else if (h)
			bits &= ~(UINT64_C(1) << r);
	}
	return bits;
}

/* All prefixes in scope, so that those in values mean to the service what they meant here. */
static int collect_prefixes(const xmlNode *block, struct fmpi_prefixes *out,
			    struct fmp_inspection *v)
{
	out->n = 0;
	for (const xmlNode *n = block; n && n->type == XML_ELEMENT_NODE; n = n->parent) {
		for (const xmlNs *ns = n->nsDef; ns; ns = ns->next) {
			const char *p = ns->prefix ? (const char *)ns->prefix : "";
			unsigned k = 0;

			while (k < out->n && strcmp(out->prefix[k].p, p) != 0)
				k++;
			if (k < out->n)
				continue;
			if (out->n == FMPI_C14N_PREFIXES)
				return refuse(
					v, FMP_EVENT_STRUCTURE, block,
					"header block %s has more than %d namespaces in scope",
					(const char *)block->name, FMPI_C14N_PREFIXES);
			out->prefix[out->n].p = p;
			out->prefix[out->n++].len = strlen(p);
		}
	}
	return 0;
}

static int add_block(const struct fmp_inspector *i, const struct fmpi_soap *soap,
		     const xmlNode *block, size_t *budget, struct fmpi_buffer *out,
		     struct fmp_inspection *v)
{
	struct fmpi_namespace_context c = { .top = block,
					    .soap_ns = soap->ns,
					    .qnames = i->schema &&
						      fmpi_schema_has_qnames(i->schema) };
	int ret = collect_prefixes(block, &c.listed, v);

	if (!ret)
		ret = fmpi_namespace_context_check(&c, v);
	if (!ret)
		ret = fmpi_c14n_exclusive(block, &c.listed, budget, out);
	if (ret == FMP_ERR_LIMIT || ret == FMP_ERR_UNSUPPORTED)
		return refuse(v, FMP_EVENT_STRUCTURE, block, "header block %s can't be forwarded",
			      (const char *)block->name);
	return ret;
}

int fmpi_named_headers_add_unsigned(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				    struct fmpi_verified_signature *p, struct fmp_inspection *v)
{
	size_t budget = p->info.budget;

	p->n_unsigned = 0;
	if (!i->named || !soap->header)
		return 0;
	for (xmlNode *n = fmpi_first(soap->header); n; n = fmpi_next(n)) {
		const struct fmp_policy_header *h = find_header(i, soap, n);
		int ret = 0;

		if (!h || !h->forwarded || !is_clear_allowed(h) ||
		    fmpi_signedinfo_covers(&p->info, n))
			continue;
		if (p->n_unsigned == FMP_HEADER_BLOCKS_MAX)
			return refuse(v, FMP_EVENT_STRUCTURE, n,
				      "more than %d unsigned header blocks to forward",
				      FMP_HEADER_BLOCKS_MAX);
		p->unsigned_block[p->n_unsigned++] = n;
		if (!i->tree)
			ret = add_block(i, soap, n, &budget, &p->signed_bytes.blocks, v);
		if (ret)
			return ret;
	}
	return 0;
}

bool fmpi_named_headers_is_forwarded(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				     const xmlNode *block)
{
	const struct fmp_policy_header *h = find_header(i, soap, block);

	return h && h->forwarded;
}

bool fmpi_named_headers_is_dropped(const struct fmp_inspector *i, const struct fmpi_soap *soap,
				   const xmlNode *block)
{
	const struct fmp_policy_header *h = find_header(i, soap, block);

	return h && !h->forwarded;
}

bool fmpi_named_headers_has_dropped(const struct fmp_inspector *i, const struct fmpi_soap *soap)
{
	const xmlNode *n = i->named && soap->header ? fmpi_first(soap->header) : NULL;

	while (n && !fmpi_named_headers_is_dropped(i, soap, n))
		n = fmpi_next(n);
	return n;
}

/* ---- observation ---- */

/* A message has few; what is beyond does not fit into the text anyway. */
#define BLOCKS_MAX 64u

/* The blocks of an application, for this node. Return: their number. */
static unsigned list_blocks(const struct fmpi_soap *soap, const xmlNode *block[BLOCKS_MAX])
{
	struct fmpi_role role;
	unsigned n = 0;

	for (const xmlNode *b = soap->header ? fmpi_first(soap->header) : NULL; b && n < BLOCKS_MAX;
	     b = fmpi_next(b))
		if (b->ns && fmpi_named_headers_is_application((const char *)b->ns->href) &&
		    !fmpi_role_of(b, soap->ns, &role))
			block[n++] = b;
	return n;
}

static void observe_block(struct fmp_observation *o, const struct fmpi_soap *soap,
			  const xmlNode *block, bool is_signed, bool is_dropped)
{
	char text[FMP_OBSERVATION_VALUE];
	int n = snprintf(text, sizeof(text), "{%s}%s%s%s%s", (const char *)block->ns->href,
			 (const char *)block->name, is_signed ? ":signed" : "",
			 fmpi_wsse_must_understand(block, soap->ns) ? ":must" : "",
			 is_dropped ? ":dropped" : "");

	if (n > 0 && (size_t)n < sizeof(text))
		(void)fmp_observation_add(o, "header", text);
}

void fmpi_observe_headers(struct fmp_observation *o, const struct fmp_inspector *i,
			  const struct fmpi_soap *soap, enum fmpi_header_output output)
{
	const xmlNode *block[BLOCKS_MAX];
	unsigned n = o ? list_blocks(soap, block) : 0;

	for (unsigned k = 0; k < n; k++) {
		const xmlNode *b = block[(k + o->turn) % n];
		bool dropped = output == FMPI_HEADER_OUTPUT_ALL
				       ? fmpi_named_headers_is_dropped(i, soap, b)
				       : !fmpi_named_headers_is_forwarded(i, soap, b);

		observe_block(o, soap, b, false, dropped);
	}
}

static bool is_forwarded(const struct fmpi_verified_signature *p, const xmlNode *block)
{
	for (unsigned r = 0; r < p->info.n_references; r++)
		if (p->info.target[r] == block && p->info.forwarded >> r & 1)
			return true;
	for (unsigned k = 0; k < p->n_unsigned; k++)
		if (p->unsigned_block[k] == block)
			return true;
	return false;
}

void fmpi_observe_signed_headers(struct fmp_observation *o, const struct fmpi_soap *soap,
				 const struct fmpi_verified_signature *p)
{
	const xmlNode *block[BLOCKS_MAX];
	unsigned n = o ? list_blocks(soap, block) : 0;

	for (unsigned k = 0; k < n; k++) {
		const xmlNode *b = block[(k + o->turn) % n];

		observe_block(o, soap, b, fmpi_signedinfo_covers(&p->info, b), !is_forwarded(p, b));
	}
}
