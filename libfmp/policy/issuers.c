// SPDX-License-Identifier: GPL-2.0
/* <issuer>: an issuer whose SAML assertions are accepted. */
#include <string.h>

#include <fmp/internal/policy_xml.h>

/* Offset of a field in the struct of an issuer. */
#define IN_ISSUER(field)                                      \
	(offsetof(struct fmp_policy_saml, issuers[0].field) - \
	 offsetof(struct fmp_policy_saml, issuers[0]))

#define TEXT_SIZE sizeof(((struct fmp_policy_saml *)0)->issuers[0].name)

static const struct fmpi_setting name = {
	.type = FMPI_URIS, .offset = IN_ISSUER(name), .size = TEXT_SIZE, .max = TEXT_SIZE - 1
};
static const struct fmpi_setting trust = {
	.type = FMPI_FILE, .offset = IN_ISSUER(trust), .size = TEXT_SIZE, .max = TEXT_SIZE - 1
};

static int read_attribute(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *a,
			  void *issuer)
{
	if (!a->ns && xmlStrEqual(a->name, BAD_CAST "name"))
		return fmpi_policy_reader_set(r, node, a, issuer, &name);
	if (!a->ns && xmlStrEqual(a->name, BAD_CAST "trust"))
		return fmpi_policy_reader_set(r, node, a, issuer, &trust);
	return fmpi_policy_reader_unknown(r, node, a);
}

int fmpi_issuer_read(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_policy_saml *saml = &r->policy->gateway.saml;
	const size_t max = sizeof(saml->issuers) / sizeof(saml->issuers[0]);
	const unsigned n = saml->n_issuers;
	const char *own;

	if (n == max)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %zu issuers",
					max);
	if (!saml->audiences[0])
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node->parent, NULL,
					"<saml> needs audiences=\"URI\": as whom its issuers know "
					"this gateway");
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		int rc = read_attribute(r, node, a, &saml->issuers[n]);

		if (rc)
			return rc;
	}
	own = saml->issuers[n].name;
	if (!*own || !*saml->issuers[n].trust)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<issuer> needs a %s",
					*own ? "trust, the file of its certificates" : "name");
	if (strchr(own, ' '))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "name", "an issuer has one name");
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(saml->issuers[i].name, own))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "name",
						"the issuer \"%.64s\" is listed twice", own);
	saml->n_issuers++;
	return 0;
}
