// SPDX-License-Identifier: GPL-2.0
#include "identity.h"

#include <stdio.h>
#include <string.h>

#include <openssl/x509.h>

#include <fmp/internal/certificate_names.h>

#include "xml/names.h"

const char *fmp_assurance_name(unsigned assurance)
{
	static const char *const names[FMP_ASSURANCES] = {
		[FMP_ASSURANCE_X509] = "x509",
		[FMP_ASSURANCE_USERNAME] = "username",
		[FMP_ASSURANCE_SAML] = "saml",
		[FMP_ASSURANCE_TLS] = "tls",
	};

	return assurance < FMP_ASSURANCES ? names[assurance] : NULL;
}

void fmpi_identity_begin(struct fmp_inspector *i)
{
	struct fmpi_identity *id = i->identity;

	if (!id)
		return;
	id->methods = 0;
	id->user[0] = '\0';
}

/* Clients send many messages with one certificate: keep the names of the latest. */
static void read_names(struct fmpi_identity *id, const struct fmpi_signer *who)
{
	const unsigned char *p = who->der;
	X509 *cert;

	if (id->der_len == who->der_len && !memcmp(id->der, who->der, who->der_len))
		return;
	id->der_len = 0;
	memset(&id->names, 0, sizeof(id->names));
	cert = who->der_len <= sizeof(id->der) ? d2i_X509(NULL, &p, (long)who->der_len) : NULL;
	if (!cert)
		return;
	fmp_certificate_names(cert, &id->names);
	X509_free(cert);
	memcpy(id->der, who->der, who->der_len);
	id->der_len = who->der_len;
}

void fmpi_identity_set_signer(struct fmp_inspector *i, const struct fmpi_signer *who)
{
	struct fmpi_identity *id = i->identity;

	/* The key that an assertion confirms has no certificate: the assertion says who it is. */
	if (!id || !who->der)
		return;
	read_names(id, who);
	id->methods |= FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509);
}

void fmpi_identity_set_user(struct fmp_inspector *i, const xmlNode *username)
{
	struct fmpi_identity *id = i->identity;
	const xmlNode *n = id ? fmpi_first(username) : NULL;
	const char *name;

	while (n && !fmpi_is(n, NS_WSSE, "Username"))
		n = fmpi_next(n);
	name = n ? fmpi_text(n) : NULL;
	if (!name || strlen(name) >= sizeof(id->user))
		return;
	strcpy(id->user, name);
	id->methods |= FMP_ASSURANCE_BIT(FMP_ASSURANCE_USERNAME);
}

void fmpi_identity_commit(const struct fmp_inspector *i, struct fmp_inspection *v)
{
	const struct fmpi_identity *id = i->identity;

	if (!id)
		return;
	if (id->methods & FMP_ASSURANCE_BIT(FMP_ASSURANCE_X509))
		v->identity = id->names;
	v->identity.methods = id->methods;
	snprintf(v->identity.user, sizeof(v->identity.user), "%s", id->user);
	if (!*i->subject)
		return;
	v->identity.methods |= FMP_ASSURANCE_BIT(FMP_ASSURANCE_SAML);
	snprintf(v->identity.saml_subject, sizeof(v->identity.saml_subject), "%s", i->subject);
	snprintf(v->identity.saml_issuer, sizeof(v->identity.saml_issuer), "%s", i->issuer);
}
