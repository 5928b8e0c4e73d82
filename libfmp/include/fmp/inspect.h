/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The inspection of a message: a pipeline screen -> parse -> validate -> verify -> decrypt, cheapest
 * first, with one verdict (invariants 8 and 9 of libfmp/README.md). Uses no socket and no clock.
 */
#ifndef FMP_INSPECT_H
#define FMP_INSPECT_H

#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/policy.h>

/* From <libxml/tree.h>; programs that forward bytes need not include it. */
struct _xmlDoc;
struct _xmlNode;

#ifdef __cplusplus
extern "C" {
#endif

/** The stages of the pipeline, in the order in which a message passes them. */
enum fmp_step {
	FMP_STEP_CONNECTION = 0, /**< "connection": limits and TLS handshakes, the gateway's */
	FMP_STEP_HTTP, /**< "http": done by the gateway before the inspection */
	FMP_STEP_SCREEN, /**< "screen": byte pre-scan, no allocation */
	FMP_STEP_PARSE, /**< "parse": libxml2, namespace-well-formed */
	FMP_STEP_SOAP, /**< "soap": envelope structure */
	FMP_STEP_SCHEMA, /**< "schema": XSD */
	FMP_STEP_TIMESTAMP, /**< "timestamp" */
	FMP_STEP_SIGNATURE, /**< "signature": WS-Security header, token, XML-DSig */
	FMP_STEP_DECRYPT, /**< "decrypt": XML-Enc */
	FMP_STEP_CONTENT, /**< "content": the policy's content rules */
	FMP_STEP_DONE, /**< "done": accepted */
	FMP_STEPS
};
FMP_API const char *fmp_step_name(unsigned step);

/** enum fmp_lack - why a message cannot be judged on this device; it is refused without blame */
enum fmp_lack {
	FMP_LACKS_NOTHING = 0,
	FMP_LACKS_TIME, /**< the clock is known to be behind, and the message is from its future */
	FMP_LACKS_CRL, /**< the signer's CA has no current CRL */
	FMP_LACKS_DECRYPT_BUDGET, /**< too many messages under CBC failed to decrypt: decryption is suspended */
	FMP_LACKS
};

struct evp_pkey_st; /* OpenSSL's EVP_PKEY */

/** enum fmp_key_use - the use of a private key */
enum fmp_key_use {
	FMP_KEY_DECRYPT, /**< of messages: the operation of RSA, without padding */
	FMP_KEY_SIGN, /**< of answers: RSA of PKCS #1 v1.5, or ECDSA */
	FMP_KEY_CLIENT, /**< in TLS handshakes with backends: RSA of PKCS #1 v1.5 and PSS, or ECDSA */
	FMP_KEY_USES,
};

/**
 * struct fmp_key_source - loads private keys
 * @load: as fmp_key_load(); the key may have only its public half, if OpenSSL can do what @use
 *	  says with it (a provider in another process)
 *
 * For programs that keep private keys out of processes that parse messages.
 */
struct fmp_key_source {
	int (*load)(void *ctx, const char *path, enum fmp_key_use use, struct evp_pkey_st **out,
		    struct fmp_error *err);
	void *ctx;
};

/**
 * fmp_key_load() - read a private key from a PEM file without a passphrase
 *
 * Return: 0 with *out for EVP_PKEY_free(); FMP_ERR_IO; FMP_ERR_SYNTAX: the file holds none.
 */
FMP_API FMP_MUST_CHECK int fmp_key_load(const char *path, struct evp_pkey_st **out,
					struct fmp_error *err);

/** struct fmp_inspect_config - copied where it must be kept; files are read once, by _new(). */
struct fmp_inspect_config {
	enum fmp_security security;
	const char *schema; /**< path of the XSD or WSDL; needed from BcV on */
	const char *port; /**< port of that WSDL to check against; NULL: all that can be checked */
	const char *catalog; /**< XML catalog for the imports of schema; NULL: none */
	/** besides the schema's own folder, its imports may be files *.xsd and *.wsdl below this one;
	 * NULL: only below its own */
	const char *schema_folder;
	const char *trust; /**< path of a PEM file of CAs; needed for BcS, BcES */
	const char *crl; /**< path of a PEM file of their CRLs; NULL: none */
	const char *
		certificates; /**< PEM file or directory of certificates that messages may name; NULL: none */
	/** Extended key usages: names (fmp-policy(5)) and OIDs; a signer's certificate must have one. NULL: any. */
	const char *purpose;
	/** Path of a PEM private key; needed for BcE, BcES, and under BcS for signatures by an EncryptedKey. */
	const char *key;
	enum fmp_symmetric symmetric; /**< what such a signature needs besides */
	enum fmp_repeats repeats; /**< by the source that sent the message first */
	const struct fmp_key_source *keys; /**< loads it; NULL: the library does */
	uint64_t clock_skew_ms;
	uint64_t max_age_ms; /**< 0: no limit but Expires */
	unsigned require_signed; /**< FMP_PART_BIT()s; Body and Timestamp always */
	unsigned require_encrypted; /**< FMP_ENCRYPTED_BIT()s; the Body always */
	enum fmp_order order; /**< under BcES; other orders are refused */
	enum fmp_headers headers; /**< under BcS, BcES: what becomes of header blocks */
	const struct fmp_policy_headers *header_blocks; /**< named ones, from Bc on; NULL: none */
	const struct fmp_policy_algorithms *algorithms; /**< NULL: FMP_ALGORITHMS_DEFAULT */
	const char *
		passwords; /**< file of users: each message needs a UsernameToken; NULL: none may */
	bool password_text; /**< PasswordText is accepted too */
	const struct fmp_policy_saml *saml; /**< assertions, from Bc on; NULL: none may */
	const struct fmp_policy_content *content; /**< rules, from Bc on; NULL: none */
	uint32_t replay_entries; /**< capacity of the replay cache; 0: replays pass */
	uint32_t replay_per_signer; /**< share of one signer; 1 to replay_entries */
	/** Longest time from now_s to the verdict; replay entries are kept that much longer. */
	uint64_t message_ms;
	struct fmp_policy_limits limits;
	/**
	 * File of the replay cache, which outlives the process. Created if it is missing, replaced if
	 * the number of entries changes; several processes may share it. Nobody else may write
	 * to its directory. NULL: anonymous memory, freed with its last user.
	 */
	const char *replay_file;
	bool check_only; /**< only check whether the inspector can be made; replay_file is left as it is */
	/** Inspector, perhaps another thread's, whose replay cache to share; NULL: none. */
	const struct fmp_inspector *share_replay;
	bool xmlsec_only; /**< use only xmlsec1 and libxml2: three times as expensive */
	bool tree; /**< forward a struct fmp_tree, not bytes; not under Os */
	bool reply_context; /**< fill reply_context of the verdict */
	bool identity; /**< fill identity of the verdict */
	bool encryptable; /**< the signer must have an RSA certificate, for an encrypted reply */
	const struct fmp_policy_attachments *attachments; /**< NULL: none may; fmp_gsoap() obeys it */
};
/** fmp_inspect_config_of() - configuration for one service of a policy; points into it */
FMP_API struct fmp_inspect_config fmp_inspect_config_of(const struct fmp_policy_gateway *demands);
/** fmp_inspect_config_from() - configuration for a policy without services; points into it */
FMP_API struct fmp_inspect_config fmp_inspect_config_from(const struct fmp_policy *policy);

/** Longest href of an xop:Include, with its NUL. */
#define FMP_ATTACHMENT_HREF	   300
/** Bytes that stand for those of a part that is still to come. */
#define FMP_ATTACHMENT_PLACEHOLDER 96

/** struct fmp_attachment - a part of the message behind its root */
struct fmp_attachment {
	const char *id; /**< Content-ID, as fmp_mime_id() decodes it; "": none */
	const void *bytes;
	size_t len;
	const char *header; /**< its fields, "Name: value" CR LF each, unfolded */
	size_t header_len;
	bool encoded; /**< it has a Content-Transfer-Encoding that changes its bytes */
	unsigned references; /**< out: how often the message refers to it */
	/** out: the message's how manieth xop:Include names it, from 1; 0: none; SIZE_MAX: one of cipher text */
	size_t included;
	char href[FMP_ATTACHMENT_HREF]; /**< out: with which URL */
	bool is_signed; /**< out: a verified signature covers it by itself */
	void *own; /**< out: header and bytes that took the place of those that came; for free() */
	struct _xmlNode *element; /**< private */
};

/** struct fmp_attachments - all of a message, which stay the caller's */
struct fmp_attachments {
	struct fmp_attachment *part;
	size_t n;
	bool xop; /**< the root is application/xop+xml: xop:Include stands for a part's Base64 */
	bool unreferenced; /**< parts that nothing refers to are accepted; not those of XOP */
	size_t included; /**< out: number of xop:Include that were replaced */
	bool verbatim; /**< out: what is forwarded has each xop:Include as it came, in UTF-8 */
	/**
	 * The parts are still to come, after the root: `part` has room for `most`, and each URL that
	 * the root refers to adds one, with an id for free(). No more is known of it: a part that is
	 * included has the bytes of `placeholder`, and unreferenced ones are not refused here.
	 */
	bool pending;
	size_t most;
	const uint8_t (*placeholder)[FMP_ATTACHMENT_PLACEHOLDER]; /**< one for each of `most` */
};

struct fmp_observation;

/** struct fmp_message - a message, and what HTTP says of it */
struct fmp_message {
	const void *bytes;
	size_t len;
	int64_t now_s; /**< seconds since 1970: the wall clock that Timestamps are held against */
	/** Where it comes from; NULL: unknown, then no message is a repeat. */
	const struct fmp_addr *source;
	const char *
		service; /**< the one that its path names: a repeat goes to the same; NULL: the only one */
	/** The clock is known to be behind: messages from its future are refused without blame. */
	bool clock_unset;
	/** The decrypt budget is spent: do not decrypt under CBC. */
	bool decrypt_budget_spent;
	const char *soap_action; /**< of the HTTP header or the content type; NULL if none */
	const char *content_type; /**< without parameters; NULL if unknown */
	/** From struct fmp_media: text that is not UTF-8 is then unsupported, not an attack. */
	bool plain_charset;
	/** With attachments, `bytes` is the root part; the other parts. NULL: none. */
	struct fmp_attachments *attachments;
	bool answer; /**< it is a reply of a service, and may be a Fault, which no schema declares */
	/**
	 * Called when the message is parsed, to select the inspector of its service; NULL: no
	 * choice. @action: its wsa:Action, "" if it has none. Return: NULL: refuse the message.
	 */
	struct fmp_inspector *(*select_inspector)(void *ctx, const char *action);
	void *select_ctx;
	uint64_t (*clock_ns)(void); /**< for step_ns; NULL: not measured */
	/** out: of an accepted message, what it had, for who writes a policy; NULL: not asked */
	struct fmp_observation *observation;
};

/** How the sender of a message was verified. */
enum fmp_assurance {
	FMP_ASSURANCE_X509 = 0, /**< "x509": its certificate's key signed the message */
	FMP_ASSURANCE_USERNAME, /**< "username": it knows the user's password */
	FMP_ASSURANCE_SAML, /**< "saml": a trusted issuer's assertion */
	FMP_ASSURANCE_TLS, /**< "tls": the client certificate of the connection; by the gateway only */
	FMP_ASSURANCES
};
#define FMP_ASSURANCE_BIT(a) (1u << (a))
/** fmp_assurance_name() - NULL if out of range. */
FMP_API const char *fmp_assurance_name(unsigned assurance);

/**
 * struct fmp_identity - who sent an accepted message, as far as it was verified; texts are UTF-8
 *
 * A text that does not fit is "": none is cut.
 */
struct fmp_identity {
	unsigned methods; /**< FMP_ASSURANCE_BIT()s; 0: nothing was verified */
	char subject[512]; /**< of the signer's certificate, as in RFC 4514 */
	char issuer[512]; /**< of that certificate */
	char serial[64]; /**< of that certificate, hexadecimal */
	char user[68]; /**< of the UsernameToken */
	char saml_subject[128]; /**< NameID of the assertion */
	char saml_issuer[256];
};

/** SHA-256 of a public key. */
#define FMP_SIGNER_ID 32

/**
 * struct fmp_tree - the verified message as a libxml2 tree
 *
 * An Envelope with the Body and, before it, a Header with the blocks of `header` (under Bc and BcV
 * without users: with all blocks, which nothing vouches for). There are no comments, entities, DTD
 * or CDATA sections: an element without child elements has one text node, or none.
 *
 * Under BcS and BcES the canonical form of `body` is what was signed. The tree declares only
 * namespaces that a name in it or an InclusiveNamespaces of the signature uses: a prefix in a text
 * or an xsi:type may be unbound, if its declaration was not signed.
 *
 * All nodes belong to the inspection and are freed by fmp_inspection_clear(). The tree shares strings
 * with the inspector's parser: read and clear it in the thread that uses the inspector. It may
 * outlive the next message and the inspector. Do not change it: its nodes are not allocated by
 * libxml2, and the document's _private is in use. To keep or change a node, copy it with
 * xmlDocCopyNode() into another document.
 */
struct fmp_tree {
	struct _xmlDoc *doc; /**< NULL: refused, or forwarded as bytes */
	struct _xmlNode *body;
	struct _xmlNode *payload; /**< the one element in the Body; NULL: empty, as the WSDL allows */
	/** Signed blocks of WS-Addressing; NULL: none, or it was encrypted, then signed. */
	struct _xmlNode *header[FMP_PARTS];
	bool is_signed;
	uint8_t signer[FMP_SIGNER_ID]; /**< of the key of the certificate, if is_signed */
	char user[68]; /**< of the UsernameToken; "": none */
};

/** Longest SignatureValue and MessageID that are kept for the reply. */
#define FMP_REPLY_CONTEXT_SIGNATURE   1024
#define FMP_REPLY_CONTEXT_MESSAGE_ID  255
/** Longest certificate, DER. */
#define FMP_REPLY_CONTEXT_CERTIFICATE 8192

/** struct fmp_reply_context - what a reply needs of the request */
struct fmp_reply_context {
	const void *certificate; /**< DER, of the verified signature; NULL: there was none */
	size_t certificate_len;
	const void *signature; /**< bytes of its SignatureValue */
	size_t signature_len;
	/** of WS-Addressing; "": none, too long, or unsigned in a signed message */
	char message_id[FMP_REPLY_CONTEXT_MESSAGE_ID + 1];
	bool addressing_2004; /**< WS-Addressing of August 2004 */
};

/**
 * struct fmp_inspection - the verdict
 *
 * For an accepted message `forward` holds the bytes to forward. They belong to the inspection until
 * fmp_inspection_clear(), or point into message->bytes if nothing had to be changed.
 */
struct fmp_inspection {
	bool accepted;
	enum fmp_step step; /**< that refused it; FMP_STEP_DONE if accepted */
	enum fmp_event_kind kind; /**< why; FMP_EVENT_GOOD: accepted, or refused without blame */
	enum fmp_lack lacks; /**< refused for lack of it; kind is FMP_EVENT_GOOD then */
	unsigned line; /**< 1-based line in the message, 0 if unknown */
	char detail[160]; /**< one sentence; the same for every failure of decryption */
	int soap_version; /**< 11 or 12; 0 if it was not seen */
	char subject[128]; /**< NameID of the assertion of an accepted message; "": it had none */
	char issuer[256]; /**< issuer of that assertion */
	struct fmp_identity identity; /**< if the configuration has identity */
	const void *forward;
	size_t forward_len;
	struct fmp_reply_context reply_context; /**< if the configuration has reply_context */
	struct fmp_tree tree; /**< instead of `forward` if the configuration has tree */
	/** Time of each stage; 0: it did not run, or there is no clock. */
	uint64_t step_ns[FMP_STEPS];
	void *own, *own_reply_context; /**< private */
	struct _xmlDoc *own_doc[2]; /**< private */
	uint64_t (*clock_ns)(void); /**< private */
	uint64_t since_ns; /**< private */
	bool not_yet; /**< private */
	int crl_error; /**< private */
	bool tls_signer; /**< signed with a key whose certificate is for TLS only */
	/**
	 * Not evaluated, not accepted, no offence: the parts have to be there, as they are not yet
	 * (struct fmp_attachments).
	 */
	bool needs_parts;
	/** Decrypted under CBC and refused: charge the decrypt budget. */
	bool cbc_failed;
};
FMP_API void fmp_inspection_clear(struct fmp_inspection *v);

/**
 * fmp_forward_max() - most bytes that are forwarded for a message
 * @body_bytes: the limit of the inspector
 *
 * A canonical form may be longer than its source. A longer one is refused.
 */
FMP_API size_t fmp_forward_max(uint32_t body_bytes);

struct fmp_inspector;

/** fmp_inspect_global_init() / _exit() - once a process, before threads: libxml2, xmlsec1. */
FMP_API FMP_MUST_CHECK int fmp_inspect_global_init(struct fmp_error *err);
FMP_API void fmp_inspect_global_exit(void);

/**
 * fmp_inspector_new() - make an inspector; reads schema, CAs, key
 *
 * Nothing of cfg is kept but the shared replay cache, which lives as long as its last user. Return: 0 or a code with file:line in err.
 */
FMP_API FMP_MUST_CHECK int fmp_inspector_new(const struct fmp_inspect_config *cfg,
					     struct fmp_inspector **out, struct fmp_error *err);
FMP_API void fmp_inspector_free(struct fmp_inspector *i);
/**
 * fmp_inspector_wsdl_note() - a part of the WSDL or XSD that is left out, with place and reason
 * @n: from 0 on
 *
 * Return: false: there is no n-th note.
 */
FMP_API bool fmp_inspector_wsdl_note(const struct fmp_inspector *i, unsigned n,
				     struct fmp_error *out);

/**
 * fmp_inspector_crl_missing() - are all signers of a CA refused for lack of a CRL?
 * @out: the file and the CA, or the CRL that is ignored because no trusted CA signed it; untouched
 *	 if neither
 *
 * Return: is @out set?
 */
FMP_API bool fmp_inspector_crl_missing(const struct fmp_inspector *i, int64_t now_s,
				       struct fmp_error *out);
/**
 * fmp_inspector_shared_fd() - a descriptor that forked children must not close; -1: none
 *
 * Children that use an inspector made before the fork share its replay cache.
 */
FMP_API int fmp_inspector_shared_fd(const struct fmp_inspector *i);
/**
 * fmp_inspector_shared_lock_owner() - another process that holds the lock of the replay cache; 0: none
 *
 * Outside fmp_inspect() no process should hold it: the holder blocks all others.
 */
FMP_API int fmp_inspector_shared_lock_owner(const struct fmp_inspector *i);

/** struct fmp_replay_keys - the replay keys of an accepted message, opaque to the caller */
#define FMP_REPLAY_KEYS_MAX 3
#define FMP_REPLAY_KEYS_KEY 64
struct fmp_replay_keys {
	unsigned n; /**< 0: a copy passes */
	uint8_t key[FMP_REPLAY_KEYS_MAX][FMP_REPLAY_KEYS_KEY];
};
/**
 * fmp_inspector_replay_keys() - get the keys of the message just accepted
 * @i: the inspector that was selected for the message
 */
FMP_API void fmp_inspector_replay_keys(const struct fmp_inspector *i, struct fmp_replay_keys *out);
/**
 * fmp_inspector_replay_remove() - let the sender repeat a message that reached no service
 * @i: any inspector that shares the cache
 *
 * Call it at most once per message, and never for one that a service may have acted on.
 * Return: 0; FMP_ERR_NOTFOUND: the keys were evicted, and a copy may be refused;
 * FMP_ERR_IO.
 */
FMP_API FMP_MUST_CHECK int fmp_inspector_replay_remove(struct fmp_inspector *i,
						       const struct fmp_replay_keys *what);

/**
 * fmp_inspector_accepts_empty() - is an empty Body accepted?
 * @answer: of a reply
 *
 * With a schema, only if it is a WSDL with an operation whose message has no part; without one, always
 * under Bc.
 */
FMP_API bool fmp_inspector_accepts_empty(const struct fmp_inspector *i, bool answer);

/** fmp_inspector_has_wsdl() - is its schema a WSDL, with ports to choose from? */
FMP_API bool fmp_inspector_has_wsdl(const struct fmp_inspector *i);

/**
 * fmp_inspector_shares_session_keys() - do two inspectors accept GCM and CBC under the same private key?
 *
 * An attacker that has captured a message for one could have guesses of its text confirmed by the
 * other. Such a pair must not serve side by side.
 */
FMP_API bool fmp_inspector_shares_session_keys(const struct fmp_inspector *a,
					       const struct fmp_inspector *b);

/** Bytes of a media type in text; a longer one is no type of SOAP. */
#define FMP_MEDIA_MAX 64

/** struct fmp_media - a parsed Content-Type */
struct fmp_media {
	char type[FMP_MEDIA_MAX]; /**< in lower case, without parameters; "": none, or too long */
	/**
	 * GOOD: an XML type of SOAP. Others are refused: BROWSER: a form of any web page may send it
	 * (Fetch standard, CORS-safelisted); UNSUPPORTED: MIME, DIME, all others, and none.
	 */
	enum fmp_event_kind kind;
	bool plain_charset; /**< its charset is one such as ISO-8859-1 */
	char why[100]; /**< one sentence, "" if it is GOOD */
};

/**
 * fmp_media_read() - parse a Content-Type, for the gateway and for services in process
 * @content_type: the field's value; NULL or "": there was none
 *
 * Under Os all types pass; the caller decides that.
 */
FMP_API void fmp_media_read(const char *content_type, struct fmp_media *out);

/** fmp_inspector_security() - its security configuration */
FMP_API enum fmp_security fmp_inspector_security(const struct fmp_inspector *i);

/** fmp_inspector_body_bytes() - longest message that is accepted */
FMP_API uint32_t fmp_inspector_body_bytes(const struct fmp_inspector *i);
/** fmp_inspector_attachments() - limits for who splits a message; NULL: none may have attachments */
FMP_API const struct fmp_policy_attachments *
fmp_inspector_attachments(const struct fmp_inspector *i);

/**
 * fmp_inspect() - inspect one message
 *
 * One thread at a time may use an inspector: make one for each thread, with share_replay.
 *
 * Return: 0 with *out filled, accepted or not; FMP_ERR_NOMEM when memory ran out
 * (the message is then refused: out->accepted is false).
 */
FMP_API FMP_MUST_CHECK int fmp_inspect(struct fmp_inspector *i, const struct fmp_message *m,
				       struct fmp_inspection *out);

#ifdef __cplusplus
}
#endif
#endif
