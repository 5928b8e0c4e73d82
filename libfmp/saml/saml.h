/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SAML 2.0 assertions in a Security header (WSS SAML token profile 1.1): content, checked against the
 * clock and the policy. saml_issuer.c verifies the issuer's signature.
 *
 * Narrower than the standard, so that less can be misread: one NameID, one SubjectConfirmation, an
 * end of validity, an audience. An unknown restriction refuses the assertion.
 */
#ifndef FMPI_SAML_SAML_H
#define FMPI_SAML_SAML_H

#include "holder_of_key.h"
#include "wss/wsse.h"

enum fmpi_confirmation {
	FMPI_BEARER, /**< the sender of the assertion is its subject */
	FMPI_VOUCHES, /**< a trusted signer of the message vouches for the subject */
	FMPI_HOLDER, /**< the subject signs the message with the key that it names */
};

/** struct fmpi_assertion - points into the tree */
struct fmpi_assertion {
	xmlNode *node;
	xmlNode *signature; /**< that it envelopes */
	const char *id, *issuer;
	const char *name; /**< NameID of the subject */
	enum fmpi_confirmation confirmation;
	const xmlNode *data; /**< SubjectConfirmationData; NULL: none, of a bearer */
	const xmlNode *holder; /**< FMPI_HOLDER: KeyInfo of the key */
	/* The same, read by fmpi_holder_of_key_read(): */
	struct fmpi_keytext key;
	uint8_t key_id[FMPI_HOLDER_ID];
	const xmlNode *conditions;
	int64_t issued_ms;
	/* From the conditions: */
	int64_t until_ms; /**< from then on it is refused, skew included */
	bool one_time; /**< OneTimeUse */
};

/** Longest NameID that is accepted. */
#define FMPI_MAX_SUBJECT 127u

/** struct fmpi_saml_rules - what the policy requires; lists are separated by single spaces */
struct fmpi_saml_rules {
	const char *audiences; /**< our names */
	const char *recipients; /**< our addresses */
	bool bearer; /**< FMPI_BEARER is accepted */
	bool vouched; /**< FMPI_VOUCHES is accepted */
	uint64_t skew_ms;
};

/**
 * fmpi_assertion_read() - find the parts of an assertion, in the order of the schema
 *
 * Another Assertion, or another element with its Id, is refused.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_assertion_read(xmlNode *node, struct fmpi_assertion *out, struct fmp_inspection *v);

/**
 * fmpi_assertion_check() - check audience, recipient and validity
 *
 * Fills until_ms and one_time. Return: 0, FMPI_REFUSED.
 */
int fmpi_assertion_check(struct fmpi_assertion *a, const struct fmpi_saml_rules *rules,
			 int64_t now_s, struct fmp_inspection *v);

#endif
