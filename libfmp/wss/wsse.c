// SPDX-License-Identifier: GPL-2.0
#include "wsse.h"

#include <string.h>
#include <strings.h>

#include "xml/names.h"
#include "soap/named_header.h"
#include "soap/role.h"

#define refuse(v, kind, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, kind, fmpi_line(node), __VA_ARGS__)

static int set_once(xmlNode **slot, xmlNode *n, struct fmp_inspection *v)
{
	if (*slot)
		return refuse(v, FMP_EVENT_WRAPPING, n, "more than one %s", (const char *)n->name);
	*slot = n;
	return 0;
}

static unsigned count_bits(unsigned bits)
{
	return (unsigned)__builtin_popcount(bits);
}

static bool is_any(unsigned encrypted)
{
	return (encrypted & FMPI_ENCRYPTED_ANY) == FMPI_ENCRYPTED_ANY;
}

static unsigned count_parts(unsigned encrypted)
{
	return is_any(encrypted) ? FMPI_MAX_ENCRYPTED_ANY_PARTS
				 : count_bits(encrypted & FMPI_ENCRYPTED_PARTS);
}

/* Record an encrypted part. Its content is unknown: only the number can be checked. */
static int read_encrypted_part(struct fmpi_wsse *w, unsigned *n_seen, unsigned encrypted,
			       unsigned most, xmlNode *n, struct fmp_inspection *v)
{
	if (*n_seen == most && is_any(encrypted))
		return refuse(v, FMP_EVENT_UNSUPPORTED, n, "more than %u %s are not supported",
			      most, (const char *)n->name);
	if (*n_seen == most)
		return refuse(v, FMP_EVENT_WRAPPING, n, "more than %u %s, as are to be encrypted",
			      most, (const char *)n->name);
	w->encrypted[w->n_encrypted_parts + w->n_encrypted_blocks] = n;
	++*n_seen;
	return 0;
}

/* A ReferenceList says what to decrypt at its place in the header, so its key must come before it. */
static int read_list(struct fmpi_wsse *w, xmlNode *n, struct fmp_inspection *v)
{
	if (!w->encrypted_key)
		return refuse(v, FMP_EVENT_WRAPPING, n, "ReferenceList in front of its key");
	if (w->n_lists == FMPI_MAX_REFERENCE_LISTS)
		return refuse(v, FMP_EVENT_WRAPPING, n, "more than %u ReferenceLists",
			      FMPI_MAX_REFERENCE_LISTS);
	w->decrypt_first = !w->signature;
	w->list[w->n_lists++] = n;
	return 0;
}

/*
 * Is it a token or key, perhaps encrypted, that WS-Security, WS-SecureConversation, WS-Trust or SAML
 * allow there?
 */
static bool is_standard(const xmlNode *n)
{
	return fmpi_is_in_namespace(n, NS_WSSE) || fmpi_is_in_namespace(n, NS_WSSE11) ||
	       fmpi_is_in_namespace(n, NS_SC) || fmpi_is_in_namespace(n, NS_SC13) ||
	       fmpi_is_in_namespace(n, NS_TRUST) || fmpi_is_in_namespace(n, NS_TRUST13) ||
	       fmpi_is_in_namespace(n, NS_SAML1) || fmpi_is(n, NS_SAML2, "EncryptedAssertion") ||
	       fmpi_is(n, NS_XENC, "EncryptedData") || fmpi_is(n, NS_XENC11, "DerivedKey");
}

bool fmpi_wsse_is_attachment(const xmlNode *n)
{
	const char *type = fmpi_is(n, NS_XENC, "EncryptedData") ? fmpi_attribute(n, NULL, "Type")
								: NULL;

	return type && strncmp(type, NS_SWA, strlen(NS_SWA)) == 0;
}

static bool refers_to(const xmlNode *signature, const xmlNode *other)
{
	const char *id = fmpi_attribute(other, NULL, "Id");

	for (const xmlNode *n = signature; id && n; n = fmpi_walk_next(signature, n)) {
		const char *uri = fmpi_is(n, NS_DS, "Reference") ? fmpi_attribute(n, NULL, "URI")
								 : NULL;

		if (uri && uri[0] == '#' && strcmp(uri + 1, id) == 0)
			return true;
	}
	return false;
}

/*
 * WS-SecurityPolicy 1.2, 8.3: an endorsing signature covers the Signature of the message, in front of it
 * or behind it. Two that do not are a wrapping attack, or look like one.
 */
static int read_signature(struct fmpi_wsse *w, xmlNode *n, struct fmp_inspection *v)
{
	bool endorses, is_endorsed;

	if (!w->signature)
		return set_once(&w->signature, n, v);
	endorses = refers_to(n, w->signature);
	is_endorsed = refers_to(w->signature, n);
	if (endorses == is_endorsed || w->endorsing)
		return endorses || is_endorsed
			       ? refuse(v, FMP_EVENT_UNSUPPORTED, n,
					w->endorsing ? "more than one endorsing Signature is not "
						       "supported"
						     : "two Signatures that cover each other")
			       : set_once(&w->signature, n, v);
	w->endorsing = endorses ? n : w->signature;
	if (is_endorsed)
		w->signature = n;
	return 0;
}

static bool is_derived_key(const xmlNode *n)
{
	return fmpi_is(n, NS_SC, "DerivedKeyToken") || fmpi_is(n, NS_SC13, "DerivedKeyToken");
}

static int read_username(struct fmpi_wsse *w, xmlNode *n, struct fmp_inspection *v)
{
	bool is_signed = false;

	if (!w->username)
		return set_once(&w->username, n, v);
	for (const xmlNode *s = fmpi_first(w->security); s; s = fmpi_next(s))
		is_signed |= fmpi_is(s, NS_DS, "Signature") || fmpi_is_in_namespace(s, NS_XENC);
	return is_signed ? set_once(&w->username, n, v)
			 : refuse(v, FMP_EVENT_UNSUPPORTED, n,
				  "more than one UsernameToken is not supported");
}

static int read_attachment(struct fmpi_wsse *w, const xmlNode *n, unsigned encrypted,
			   struct fmp_inspection *v)
{
	if (!(encrypted & FMPI_ENCRYPTED_ATTACHMENTS))
		return refuse(v, FMP_EVENT_UNSUPPORTED, n,
			      "an encrypted attachment is not supported");
	if (w->n_attachments == FMPI_MAX_ENCRYPTED_ATTACHMENTS)
		return refuse(v, FMP_EVENT_UNSUPPORTED, n,
			      "more than %u encrypted attachments are not supported",
			      FMPI_MAX_ENCRYPTED_ATTACHMENTS);
	w->n_attachments++;
	return 0;
}

static int read_part(struct fmpi_wsse *w, xmlNode *n, unsigned encrypted, struct fmp_inspection *v)
{
	if (fmpi_is(n, NS_WSU, "Timestamp"))
		return set_once(&w->timestamp, n, v);
	if (fmpi_is(n, NS_DS, "Signature"))
		return read_signature(w, n, v);
	if (fmpi_is(n, NS_XENC, "EncryptedKey")) {
		w->decrypt_first = !w->signature;
		return set_once(&w->encrypted_key, n, v);
	}
	if (fmpi_is(n, NS_XENC, "ReferenceList"))
		return read_list(w, n, v);
	if (is_derived_key(n)) {
		if (w->n_derived == FMPI_MAX_DERIVED)
			return refuse(v, FMP_EVENT_STRUCTURE, n, "more than %u DerivedKeyTokens",
				      FMPI_MAX_DERIVED);
		w->derived[w->n_derived++] = n;
		return 0;
	}
	if (fmpi_is(n, NS_SAML1, "Assertion"))
		return refuse(v, FMP_EVENT_UNSUPPORTED, n,
			      "an Assertion of SAML 1.1 is not supported, only of SAML 2.0");
	if (fmpi_is(n, NS_WSSE, "UsernameToken"))
		return read_username(w, n, v);
	if (fmpi_is(n, NS_SAML2, "Assertion"))
		return set_once(&w->assertion, n, v);
	if (fmpi_is(n, NS_WSSE11, "SignatureConfirmation"))
		return set_once(&w->confirmation, n, v);
	if (fmpi_is(n, NS_WSSE, "BinarySecurityToken")) {
		if (w->n_tokens == FMPI_MAX_TOKENS)
			return refuse(v, FMP_EVENT_WRAPPING, n, "more than %u tokens",
				      FMPI_MAX_TOKENS);
		w->token[w->n_tokens++] = n;
		return 0;
	}
	/* It says nothing by itself: what signs a token through it finds it here (str_transform.c). */
	if (fmpi_is(n, NS_WSSE, "SecurityTokenReference"))
		return w->n_str++ < FMPI_MAX_HEADER_STR
			       ? 0
			       : refuse(v, FMP_EVENT_STRUCTURE, n,
					"more than %u SecurityTokenReferences in a Security header",
					FMPI_MAX_HEADER_STR);
	if (fmpi_wsse_is_attachment(n))
		return read_attachment(w, n, encrypted, v);
	if (count_parts(encrypted) && fmpi_is(n, NS_XENC, "EncryptedData"))
		return read_encrypted_part(w, &w->n_encrypted_parts, encrypted,
					   count_parts(encrypted), n, v);
	return refuse(v, is_standard(n) ? FMP_EVENT_UNSUPPORTED : FMP_EVENT_TOKEN, n,
		      "%s is not supported in a Security header", (const char *)n->name);
}

const char *fmpi_wsu_id(const xmlNode *element)
{
	return element ? fmpi_attribute(element, NS_WSU, "Id") : NULL;
}

bool fmpi_wsse_is_kerberos(const xmlNode *n)
{
	const char *type = fmpi_is(n, NS_WSSE, "BinarySecurityToken")
				   ? fmpi_attribute(n, NULL, "ValueType")
				   : NULL;

	return type && strncmp(type, WSSE_KERBEROS, strlen(WSSE_KERBEROS)) == 0;
}

bool fmpi_is_id(const xmlAttr *a)
{
	return strcasecmp((const char *)a->name, "id") == 0 ||
	       strcmp((const char *)a->name, "AssertionID") == 0;
}

const char *fmp_local_id(const char *uri)
{
	if (!uri || uri[0] != '#' || xmlValidateNCName((const xmlChar *)uri + 1, 0) != 0)
		return NULL;
	return uri + 1;
}

bool fmpi_wsse_must_understand(const xmlNode *block, const char *soap_ns)
{
	const char *value = fmpi_attribute(block, soap_ns, "mustUnderstand");

	return value && strcmp(value, "0") != 0 && strcmp(value, "false") != 0;
}

/* Blocks of WS-Addressing are understood: addressing.c has checked them. */
bool fmpi_wsse_is_not_understood(const struct fmpi_wsse *w, const xmlNode *n, const char *soap_ns)
{
	struct fmpi_role role;

	if (fmpi_is(n, NS_WSSE, "Security") || !fmpi_wsse_must_understand(n, soap_ns) ||
	    fmpi_role_of(n, soap_ns, &role) || fmpi_is(n, NS_WSA, "FaultTo") ||
	    fmpi_is(n, NS_WSA2004, "FaultTo"))
		return false;
	for (unsigned p = FMP_PART_TO; p < FMP_PARTS; p++)
		if (w->addressing[p] == n)
			return false;
	for (unsigned h = 0; h < w->n_encrypted_parts + w->n_encrypted_blocks; h++)
		if (w->encrypted[h] == n)
			return false;
	return true;
}

int fmpi_wsse_check_understood(const struct fmpi_wsse *w, const struct fmpi_soap *soap,
			       const struct fmp_policy_headers *named, bool signing,
			       struct fmp_inspection *v)
{
	const xmlNode *n = w->not_understood;

	while (n && (!fmpi_wsse_is_not_understood(w, n, soap->ns) ||
		     fmpi_named_header_is_understood(named, n, soap->ns)))
		n = fmpi_next(n);
	if (!n)
		return 0;
	return refuse(v, FMP_EVENT_UNSUPPORTED, n,
		      "header block %s must be understood, but is not forwarded to the service%s",
		      (const char *)n->name,
		      signing ? ": sign it, and set headers=\"signed\" in the policy"
			      : ": name it in <headers> of the policy");
}

/* RelatesTo may be repeated (WS-Addressing 1.0, 3.1), the others may not within a role. */
static int read_address(struct fmpi_wsse *w, enum fmp_part part, xmlNode *n,
			struct fmp_inspection *v)
{
	if (w->addressing[part] && part == FMP_PART_RELATES_TO)
		return refuse(v, FMP_EVENT_UNSUPPORTED, n,
			      "more than one RelatesTo is not supported");
	return set_once(&w->addressing[part], n, v);
}

/* Each block that may be required must be unique: a service might read another one than we check. */
static int read_block(struct fmpi_wsse *w, xmlNode *n, const char *soap_ns,
		      struct fmp_inspection *v)
{
	for (unsigned p = FMP_PART_TO; p < FMP_PARTS; p++)
		if (fmpi_is(n, NS_WSA, fmp_part_name(p)) ||
		    fmpi_is(n, NS_WSA2004, fmp_part_name(p)))
			return read_address(w, (enum fmp_part)p, n, v);
	if (!w->not_understood && fmpi_wsse_is_not_understood(w, n, soap_ns))
		w->not_understood = n;
	return 0;
}

/* WS-Security 1.1, 5: one Security header for each role. */
static int read_other_security(struct fmpi_wsse *w, xmlNode *n, const char *soap_ns,
			       const struct fmpi_role *role, struct fmp_inspection *v)
{
	struct fmpi_role have;

	for (unsigned i = 0; i < w->n_others; i++)
		if (fmpi_role_of(w->other[i], soap_ns, &have) && have.len == role->len &&
		    memcmp(have.uri, role->uri, have.len) == 0)
			return refuse(v, FMP_EVENT_WRAPPING, n,
				      "more than one Security for the role %.*s", (int)role->len,
				      role->uri);
	if (w->n_others == FMPI_MAX_OTHERS)
		return refuse(v, FMP_EVENT_WRAPPING, n, "more than %u Security for other roles",
			      FMPI_MAX_OTHERS);
	w->other[w->n_others++] = n;
	return 0;
}

static int read_security(struct fmpi_wsse *w, xmlNode *n, const char *soap_ns,
			 struct fmp_inspection *v)
{
	struct fmpi_role role;

	if (fmpi_role_of(n, soap_ns, &role))
		return read_other_security(w, n, soap_ns, &role, v);
	return set_once(&w->security, n, v);
}

static bool is_encrypted_header(const xmlNode *n, const char *soap_ns)
{
	struct fmpi_role role;

	return fmpi_is(n, NS_WSSE11, "EncryptedHeader") && !fmpi_role_of(n, soap_ns, &role);
}

bool fmpi_wsse_has_encrypted(const struct fmpi_soap *soap)
{
	struct fmpi_role role;

	for (const xmlNode *n = soap->header ? fmpi_first(soap->header) : NULL; n;
	     n = fmpi_next(n)) {
		if (is_encrypted_header(n, soap->ns))
			return true;
		if (!fmpi_is(n, NS_WSSE, "Security") || fmpi_role_of(n, soap->ns, &role))
			continue;
		for (const xmlNode *p = fmpi_first(n); p; p = fmpi_next(p))
			if (fmpi_is(p, NS_XENC, "EncryptedData") && !fmpi_wsse_is_attachment(p))
				return true;
	}
	return false;
}

int fmpi_wsse_read(const struct fmpi_soap *soap, struct fmpi_wsse *out, struct fmp_inspection *v)
{
	return fmpi_wsse_read_encrypted(soap, 0, out, v);
}

int fmpi_wsse_read_encrypted(const struct fmpi_soap *soap, unsigned encrypted,
			     struct fmpi_wsse *out, struct fmp_inspection *v)
{
	unsigned blocks = encrypted & FMPI_ENCRYPTED_BLOCKS;
	int ret = 0;

	*out = (struct fmpi_wsse){ .username_encrypted =
					   encrypted & FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) };
	if (!soap->header)
		return 0;
	for (xmlNode *n = fmpi_first(soap->header); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_WSSE, "Security"))
			ret = read_security(out, n, soap->ns, v);
		else if (blocks && is_encrypted_header(n, soap->ns))
			ret = read_encrypted_part(out, &out->n_encrypted_blocks, encrypted,
						  count_bits(blocks), n, v);
		else
			ret = read_block(out, n, soap->ns, v);
	}
	if (ret || !out->security)
		return ret;
	if (!fmpi_has_only_elements(out->security))
		return refuse(v, FMP_EVENT_SOAP, out->security, "text inside the Security header");
	for (xmlNode *n = fmpi_first(out->security); n && !ret; n = fmpi_next(n))
		ret = read_part(out, n, encrypted, v);
	if (is_any(encrypted) && out->n_encrypted_parts) {
		out->username_encrypted = !out->username;
		out->assertion_encrypted = !out->assertion;
	}
	/* The third one is of an endorsing signature. */
	if (!ret && out->n_tokens == FMPI_MAX_TOKENS && !out->endorsing)
		return refuse(v, FMP_EVENT_WRAPPING, out->token[FMPI_MAX_TOKENS - 1],
			      "more than %u tokens without an endorsing Signature",
			      FMPI_MAX_TOKENS - 1);
	return ret;
}
