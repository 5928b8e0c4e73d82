/* SPDX-License-Identifier: GPL-2.0 */
/* The inspector: what the stages need, loaded once, and the state of the message at hand. */
#ifndef FMPI_INSPECT_INSPECTOR_H
#define FMPI_INSPECT_INSPECTOR_H

#include "soap/content.h"
#include "wss/decrypt.h"
#include "wss/dsig.h"
#include "wss/cert_store.h"
#include "wss/replay.h"
#include "saml/saml_issuer.h"
#include "schema/schema.h"
#include "x509/trust.h"
#include "wss/username.h"

/** Of the signature, the user's nonce, the one-time assertion. */
#define FMPI_MAX_REPLAY_KEYS 3

/** struct fmpi_message_key - the last EncryptedKey that was unwrapped (message_key.h) */
struct fmpi_message_key {
	char text[2048]; /**< Base64 of it; "": none */
	const char *oaep_digest, *oaep_mgf;
	struct fmpi_agreement agreement;
	struct fmpi_session session;
};

/** struct fmpi_identity - who sent the message at hand */
struct fmpi_identity {
	unsigned methods; /* FMP_ASSURANCE_BIT()s */
	char user[sizeof(((struct fmp_identity *)0)->user)];
	/* Of the certificate that signed last, and its names. */
	struct fmp_identity names;
	size_t der_len;
	uint8_t der[FMPI_MAX_CERTIFICATE];
};

/** struct fmp_inspector - members that the configuration does not use are NULL */
struct fmp_inspector {
	enum fmp_security security;
	uint64_t clock_skew_ms, max_age_ms;
	struct fmp_policy_limits limits;
	struct fmp_policy_attachments attachments;
	struct fmpi_parser parser;
	struct fmpi_schema *schema;
	struct fmpi_trust *trust;
	struct fmpi_dsig *dsig; /* NULL: xmlsec1 verifies every signature */
	struct fmpi_dsig *value_dsig; /* verifies SignatureValues before decryption; may be dsig */
	struct fmpi_cert_store *cert_store;
	unsigned require_signed;
	unsigned encrypted; /* FMP_ENCRYPTED_BIT()s of what must be encrypted besides the Body */
	enum fmp_order order;
	enum fmp_headers headers;
	struct fmp_policy_headers *named; /* header blocks */
	struct fmp_policy_algorithms algorithms;
	struct fmpi_passwords *passwords;
	bool password_text;
	struct fmpi_issuers *issuers;
	char *saml_audiences, *saml_recipients;
	bool saml_required, saml_one_time, saml_bearer, saml_vouched;
	struct fmpi_content *content;
	struct fmpi_replay *replay;
	enum fmp_repeats repeats;
	/* Of the message at hand: the hash by which repeats are known. */
	bool has_copy;
	uint8_t copy[FMPI_REPLAY_COPY];
	/* Replay keys of the message at hand, inserted when it has passed. */
	struct fmpi_replay_key replay_keys[FMPI_MAX_REPLAY_KEYS];
	unsigned n_replay_keys;
	/* Those that were there, as it repeats one that passed. */
	struct fmpi_replay_key repeated_keys[FMPI_MAX_REPLAY_KEYS];
	unsigned n_repeated_keys;
	/* Of the message at hand, or of its plaintext view. */
	struct fmpi_assertion assertion;
	/* The first verified assertion; its tree lives as long as the message. NULL: none. */
	const xmlNode *verified_assertion;
	/* Holder-of-key: the key that the assertion confirms; owned by issuers. */
	struct fmpi_signer holder;
	/* Of the verified assertion; "": none. */
	char subject[FMPI_MAX_SUBJECT + 1], issuer[256];
	EVP_PKEY *key;
	enum fmp_symmetric symmetric;
	/* Of the message at hand. */
	struct fmpi_message_key secret;
	struct fmpi_identity *identity;
	bool tree, reply_context, encryptable;
};

#endif
