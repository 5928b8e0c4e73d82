/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SAML 2.0 assertions in a Security header (WSS SAML token profile 1.1): what one says, held
 * against the clock and the policy. Whether its issuer says so is saml_issuer.c's.
 *
 * Narrower than the standard where that leaves less to be misread: one NameID, one
 * SubjectConfirmation, an end in time, an audience. What restricts an assertion in a way
 * that is not understood refuses it.
 */
#ifndef FMPI_SAML_SAML_H
#define FMPI_SAML_SAML_H

#include "holder_of_key.h"
#include "wss/wsse.h"

enum fmpi_confirmation {
	FMPI_BEARER, /**< whoever shows the assertion is its subject */
	FMPI_HOLDER, /**< whoever signs with the key that it names */
};

/** struct fmpi_assertion - nodes and texts of the tree */
struct fmpi_assertion {
	xmlNode *node;
	xmlNode *signature; /**< that it envelopes */
	const char *id, *issuer;
	const char *name; /**< NameID of the subject */
	enum fmpi_confirmation confirmation;
	const xmlNode *data; /**< SubjectConfirmationData; NULL: none, of a bearer */
	const xmlNode *holder; /**< FMPI_HOLDER: KeyInfo of the key */
	/* Of that, by fmpi_holder_of_key_read(): */
	struct fmpi_keytext key;
	uint8_t key_id[FMPI_HOLDER_ID];
	const xmlNode *conditions;
	int64_t issued_ms;
	/* Of the conditions: */
	int64_t until_ms; /**< from then on it is refused, skew counted in */
	bool one_time; /**< says that it may be used once */
};

/** Longest NameID that is taken. */
#define FMPI_MAX_SUBJECT 127u

/** struct fmpi_saml_rules - what is asked of an assertion; lists have single blanks in between */
struct fmpi_saml_rules {
	const char *audiences; /**< that we are */
	const char *recipients; /**< addresses that we have */
	bool bearer; /**< FMPI_BEARER is enough */
	uint64_t skew_ms;
};

/**
 * fmpi_assertion_read() - the parts of it, each where the standard has it
 *
 * Nothing else in the document is an Assertion, or has the Id of this one.
 * Return: 0, FMPI_REFUSED.
 */
int fmpi_assertion_read(xmlNode *node, struct fmpi_assertion *out, struct fmp_inspection *v);

/**
 * fmpi_assertion_check() - is it for us, and now?
 *
 * Fills until_ms and one_time. Return: 0, FMPI_REFUSED.
 */
int fmpi_assertion_check(struct fmpi_assertion *a, const struct fmpi_saml_rules *rules,
			 int64_t now_s, struct fmp_inspection *v);

#endif
