// SPDX-License-Identifier: GPL-2.0
#include "target.h"

#include <string.h>

#include "xml/names.h"
#include "soap/role.h"

xmlAttr *fmpi_target_id(const xmlNode *n)
{
	bool own = fmpi_is_in_namespace(n, NS_XENC) || fmpi_is(n, NS_DS, "Signature");

	if (fmpi_is(n, NS_SAML2, "Assertion"))
		return fmpi_attribute_node(n, NULL, "ID");
	return own ? fmpi_attribute_node(n, NULL, "Id") : fmpi_attribute_node(n, NS_WSU, "Id");
}

const char *fmpi_target_id_of(const xmlNode *n)
{
	const xmlAttr *a = n ? fmpi_target_id(n) : NULL;

	return a ? fmpi_attribute_value(a) : NULL;
}

xmlNode *fmpi_target_datum(const xmlNode *encrypted)
{
	return fmpi_is(encrypted, NS_WSSE11, "EncryptedHeader") ? fmpi_first(encrypted) : NULL;
}

/* Find the node with this Id among those that a service could take for a required part. */
static xmlNode *find_part(const char *id, const struct fmpi_wsse *w, const struct fmpi_soap *soap)
{
	xmlNode *candidates[7 + FMPI_MAX_TOKENS + FMPI_MAX_DERIVED + FMP_PARTS +
			    2 * FMP_ENCRYPTED_PARTS] = { soap->body,	   w->timestamp,
							 w->username,	   w->confirmation,
							 w->encrypted_key, w->endorsed,
							 w->assertion };
	unsigned n = 7;

	for (unsigned i = 0; i < w->n_tokens; i++)
		candidates[n++] = w->token[i];
	for (unsigned i = 0; i < w->n_derived; i++)
		candidates[n++] = w->derived[i];
	for (unsigned p = 0; p < FMP_PARTS; p++)
		candidates[n++] = w->addressing[p];
	for (unsigned h = 0; h < w->n_encrypted_parts + w->n_encrypted_blocks; h++) {
		candidates[n++] = w->encrypted[h];
		candidates[n++] = fmpi_target_datum(w->encrypted[h]);
	}
	for (unsigned i = 0; i < n; i++) {
		const char *have = fmpi_target_id_of(candidates[i]);

		if (have && strcmp(have, id) == 0)
			return candidates[i];
	}
	return NULL;
}

static bool is_addressing(const xmlNode *n)
{
	return fmpi_is_in_namespace(n, NS_WSA) || fmpi_is_in_namespace(n, NS_WSA2004);
}

bool fmpi_target_is_part(const xmlNode *n, const struct fmpi_soap *soap)
{
	static const struct {
		const char *ns, *local;
	} kinds[] = {
		{ NS_WSU, "Timestamp" },
		{ NS_WSSE, "Security" },
		{ NS_WSSE, "UsernameToken" },
		{ NS_WSSE, "BinarySecurityToken" },
		{ NS_WSSE11, "SignatureConfirmation" },
		{ NS_WSSE11, "EncryptedHeader" },
		{ NS_SAML2, "Assertion" },
		{ NS_XENC, "EncryptedData" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (fmpi_is(n, kinds[i].ns, kinds[i].local))
			return true;
	return fmpi_is_in_namespace(n, soap->ns) || is_addressing(n);
}

/* Find the header block with this Id; signing more than is required is no attack. */
static xmlNode *find_block(const char *id, const struct fmpi_soap *soap)
{
	for (xmlNode *n = soap->header ? fmpi_first(soap->header) : NULL; n; n = fmpi_next(n)) {
		const char *have = fmpi_target_id_of(n);

		if (have && strcmp(have, id) == 0)
			return is_addressing(n) || !fmpi_target_is_part(n, soap) ? n : NULL;
	}
	return NULL;
}

bool fmpi_target_is_block(const xmlNode *target, const struct fmpi_wsse *w,
			  const struct fmpi_soap *soap)
{
	struct fmpi_role role;

	for (unsigned p = FMP_PART_TO; p < FMP_PARTS; p++)
		if (w->addressing[p] == target)
			return true;
	return target->parent == soap->header && !fmpi_is(target, NS_WSSE11, "EncryptedHeader") &&
	       !fmpi_role_of(target, soap->ns, &role);
}

/* Does the node stand where its kind belongs, and not where an attacker may have moved it? */
static bool is_in_place(const xmlNode *n, const struct fmpi_wsse *w, const struct fmpi_soap *soap)
{
	if (n->parent == w->security)
		return !fmpi_is_in_namespace(n, soap->ns) && !is_addressing(n);
	return n == soap->body ||
	       (n->parent == soap->header && (is_addressing(n) || fmpi_is(n, NS_WSSE, "Security")));
}

/* By wsu:Id, xml:id, or an attribute of the element's own schema. */
static bool is_id_of_a_schema(const xmlAttr *a)
{
	return fmpi_is_id(a) && (!a->ns || strcmp((const char *)a->ns->href, NS_WSU) == 0 ||
				 strcmp((const char *)a->ns->href, NS_XML) == 0);
}

/* Return: the element that a Reference with this Id may mean; NULL: none, or more than one. */
static const xmlNode *find_by_id(const char *id, const xmlNode *root)
{
	const xmlNode *found = NULL;

	for (const xmlNode *n = root; n; n = fmpi_walk_next(root, n)) {
		for (const xmlAttr *a = n->properties; a; a = a->next) {
			const char *value = is_id_of_a_schema(a) ? fmpi_attribute_value(a) : NULL;

			if (!value || strcmp(value, id) != 0)
				continue;
			if (found && found != n)
				return NULL;
			found = n;
		}
	}
	return found;
}

xmlNode *fmpi_target_find(const char *id, const struct fmpi_wsse *w, const struct fmpi_soap *soap)
{
	xmlNode *target = find_part(id, w, soap);

	return target ? target : find_block(id, soap);
}

const xmlNode *fmpi_target_other(const char *id, const struct fmpi_wsse *w,
				 const struct fmpi_soap *soap)
{
	const xmlNode *n = find_by_id(id, soap->body->parent);

	return n && (is_in_place(n, w, soap) || !fmpi_target_is_part(n, soap)) ? n : NULL;
}
