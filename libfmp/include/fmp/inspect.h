/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The pipeline: screen -> parse -> validate -> verify -> decrypt, cheapest first,
 * one verdict a message (DESIGN: invariants 8 and 9). Knows no socket and no clock.
 */
#ifndef FMP_INSPECT_H
#define FMP_INSPECT_H

#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/policy.h>

/* libxml2's, <libxml/tree.h>: of no concern to who takes bytes. */
struct _xmlDoc;
struct _xmlNode;

#ifdef __cplusplus
extern "C" {
#endif

/** The steps, in the order in which a message pays for them. */
enum fmp_step {
	FMP_STEP_CONNECTION = 0, /**< "connection": limits and TLS handshakes, the gateway's */
	FMP_STEP_HTTP, /**< "http": done by the gateway before the pipeline */
	FMP_STEP_SCREEN, /**< "screen": byte pre-scan, no allocation */
	FMP_STEP_PARSE, /**< "parse": libxml2, namespace-well-formed */
	FMP_STEP_SOAP, /**< "soap": envelope structure */
	FMP_STEP_SCHEMA, /**< "schema": XSD */
	FMP_STEP_TIMESTAMP, /**< "timestamp" */
	FMP_STEP_SIGNATURE, /**< "signature": WS-Security header, token, XML-DSig */
	FMP_STEP_DECRYPT, /**< "decrypt": XML-Enc */
	FMP_STEP_CONTENT, /**< "content": the policy's own rules on what it says */
	FMP_STEP_DONE, /**< "done": accepted */
	FMP_STEPS
};
FMP_API const char *fmp_step_name(unsigned step);

/** enum fmp_lack - what this device lacks to judge a message that is refused for it, which is nobody's offence */
enum fmp_lack {
	FMP_LACKS_NOTHING = 0,
	FMP_LACKS_TIME, /**< the message is of the future of a clock that is known to be behind */
	FMP_LACKS_CRL, /**< its signer's CA has no revocation list that holds now */
	FMP_LACKS_DECRYPT_BUDGET, /**< too many messages under CBC did not decrypt: no more is tried now */
	FMP_LACKS
};

struct evp_pkey_st; /* OpenSSL's EVP_PKEY */

/** enum fmp_key_use - what a private key is for */
enum fmp_key_use {
	FMP_KEY_DECRYPT, /**< of messages: the operation of RSA, without padding */
	FMP_KEY_SIGN, /**< of answers: RSA of PKCS #1 v1.5, or ECDSA */
	FMP_KEY_USES,
};

/**
 * struct fmp_key_source - who makes a key of its file
 * @load: as fmp_key_load(); the key needs no more than its public half, if OpenSSL can do with
 *	  it what @use says
 *
 * For those who do not want private keys in a process that parses messages.
 */
struct fmp_key_source {
	int (*load)(void *ctx, const char *path, enum fmp_key_use use, struct evp_pkey_st **out,
		    struct fmp_error *err);
	void *ctx;
};

/**
 * fmp_key_load() - a private key from a PEM file, without a passphrase
 *
 * Return: 0 with *out for EVP_PKEY_free(); FMP_ERR_IO; FMP_ERR_SYNTAX: there is none in it.
 */
FMP_API FMP_MUST_CHECK int fmp_key_load(const char *path, struct evp_pkey_st **out,
					struct fmp_error *err);

/** struct fmp_inspect_config - copied where it must be kept; files are read once, by _new(). */
struct fmp_inspect_config {
	enum fmp_security security;
	const char *schema; /**< path of the XSD or WSDL; needed from BcV on */
	const char *port; /**< of that WSDL, the others are left out; NULL: all that can be checked */
	const char *trust; /**< path of a PEM file of CAs; needed for BcS, BcES */
	const char *crl; /**< path of a PEM file of their revocation lists; NULL: none */
	const char *certificates; /**< PEM file or directory: what messages may name; NULL: none */
	/** Extended key usages: names (fmp-policy(5)) and OIDs; a signer's certificate must have one. NULL: any. */
	const char *purpose;
	const char *key; /**< path of a PEM private key; needed for BcE, BcES */
	const struct fmp_key_source *keys; /**< who reads it; NULL: the library does */
	uint64_t clock_skew_ms;
	uint64_t max_age_ms; /**< 0: no limit but Expires */
	unsigned require_signed; /**< FMP_PART_BIT()s; Body and Timestamp without being named */
	unsigned require_encrypted; /**< FMP_ENCRYPTED_BIT()s; the Body without being named */
	enum fmp_order order; /**< under BcES; a message of the other one is refused */
	enum fmp_headers headers; /**< under BcS, BcES: what becomes of header blocks */
	const struct fmp_policy_algorithms *algorithms; /**< NULL: FMP_ALGORITHMS_DEFAULT */
	const char *
		passwords; /**< file of users: each message needs a UsernameToken; NULL: none may */
	bool password_text; /**< a password as text is taken too */
	const struct fmp_policy_saml *saml; /**< assertions, from Bc on; NULL: none may */
	const struct fmp_policy_content *content; /**< rules, from Bc on; NULL: none */
	uint32_t replay_entries; /**< stored keys of signed messages; 0: copies pass */
	uint32_t replay_per_signer; /**< of one signer; 1 to replay_entries */
	/** Longest time that a message takes from its now_s on; its key is stored so long beyond its end. */
	uint64_t message_ms;
	struct fmp_policy_limits limits;
	/**
	 * Where that memory lies for those who come later: made if it is not there, and anew
	 * with another number of entries; NULL: it ends with the last who has it. Several
	 * processes may have it at once. In a directory in which nobody else may write.
	 */
	const char *replay_file;
	bool check_only; /**< what is asked is whether it can be made: replay_file is left as it is */
	/** That it shares memory of replays with, perhaps another thread's; NULL: none. */
	const struct fmp_inspector *share_replay;
	bool xmlsec_only; /**< no verification but xmlsec1's, no parser but libxml2's: three times as dear */
	bool tree; /**< the output is a struct fmp_tree, not as bytes; not under Os */
	bool reply_context; /**< the verdict says who asked, for the answer */
	bool encryptable; /**< who signed must have a certificate that can be encrypted for */
};
/** fmp_inspect_config_of() - of what a service demands; points into it. */
FMP_API struct fmp_inspect_config fmp_inspect_config_of(const struct fmp_policy_gateway *demands);
/** fmp_inspect_config_from() - of a policy without services; points into it. */
FMP_API struct fmp_inspect_config fmp_inspect_config_from(const struct fmp_policy *policy);

/** struct fmp_message - what there is to know of a message beside its bytes. */
struct fmp_message {
	const void *bytes;
	size_t len;
	int64_t now_s; /**< seconds since 1970: the wall clock that Timestamps are held against */
	/** It is known to be behind: what is refused for lying in its future is nobody's offence. */
	bool clock_unset;
	/** Too many messages under CBC were refused behind decryption: this one is not decrypted. */
	bool decrypt_budget_spent;
	const char *soap_action; /**< of the HTTP header or the content type; NULL if none */
	const char *content_type; /**< without parameters; NULL if unknown */
	/** As struct fmp_media has it: what is no UTF-8 then is not supported, and no attack. */
	bool plain_charset;
	bool answer; /**< of a service: it may be a Fault, which no schema of it declares */
	/**
	 * Asked when it is parsed, where more than one inspector could be the right one; NULL: it
	 * is this one. @action: its wsa:Action, "" if it has none. Return: NULL refuses it.
	 */
	struct fmp_inspector *(*select_inspector)(void *ctx, const char *action);
	void *select_ctx;
	uint64_t (*clock_ns)(void); /**< by which each step's time is taken; NULL: it is not */
};

/** SHA-256 of a public key. */
#define FMP_SIGNER_ID 32

/**
 * struct fmp_tree - what was verified, as libxml2's tree
 *
 * An Envelope with the Body and, before it, a Header with the blocks of `header` (under Bc
 * and BcV without users: with all that came; they are nobody's word). There are no comments,
 * no entities, no DTD, no CDATA sections: the text of an element without elements is one
 * text node, or none.
 *
 * Under BcS and BcES the tree says what the signed bytes say: the canonical form of `body`
 * is what was signed. Of namespaces there are only those that a name in the tree or an
 * InclusiveNamespaces of the signature uses, so a prefix in a text or an xsi:type
 * may have become unbound: it was not signed.
 *
 * All nodes belong to the inspection and are gone with fmp_inspection_clear(). Strings of
 * the tree are shared with the inspector's parser: a tree is read and cleared in the thread
 * that uses its inspector, but may outlive both the next message and the inspector. It is not
 * changed: its nodes are no memory of libxml2's to free, and the document's _private is taken. Whoever
 * wants to keep or change a node copies it (xmlDocCopyNode() into a document of his own).
 */
struct fmp_tree {
	struct _xmlDoc *doc; /**< NULL: refused, or not asked for */
	struct _xmlNode *body;
	struct _xmlNode
		*payload; /**< the one element in the body; NULL: it is empty, as the WSDL has it */
	/** Signed blocks of WS-Addressing; NULL else, and for one that was encrypted, then signed. */
	struct _xmlNode *header[FMP_PARTS];
	bool is_signed;
	uint8_t signer[FMP_SIGNER_ID]; /**< of the key of the certificate, if is_signed */
	char user[68]; /**< of the UsernameToken; "": nobody said */
};

/** Longest SignatureValue and MessageID that are kept for the answer. */
#define FMP_REPLY_CONTEXT_SIGNATURE   1024
#define FMP_REPLY_CONTEXT_MESSAGE_ID  255
/** Longest certificate, DER. */
#define FMP_REPLY_CONTEXT_CERTIFICATE 8192

/** struct fmp_reply_context - what the answer to a message needs to know of it */
struct fmp_reply_context {
	const void *certificate; /**< DER, of the verified signature; NULL: there was none */
	size_t certificate_len;
	const void *signature; /**< bytes of its SignatureValue */
	size_t signature_len;
	/** of WS-Addressing; "": none, too long, or not signed where the message is */
	char message_id[FMP_REPLY_CONTEXT_MESSAGE_ID + 1];
	bool addressing_2004; /**< of its version of August 2004 */
};

/**
 * struct fmp_inspection - the verdict
 *
 * For an accepted message `forward` are the bytes to forward; they belong to
 * the inspection and live until fmp_inspection_clear() (or point into
 * message->bytes when nothing had to be changed).
 */
struct fmp_inspection {
	bool accepted;
	enum fmp_step step; /**< that refused it; FMP_STEP_DONE if accepted */
	enum fmp_event_kind kind; /**< why; FMP_EVENT_GOOD: accepted, or nobody's offence */
	enum fmp_lack lacks; /**< refused for want of it; kind is FMP_EVENT_GOOD then */
	unsigned line; /**< 1-based line in the message, 0 if unknown */
	char detail[160]; /**< one sentence; the same for every failure of decryption */
	int soap_version; /**< 11 or 12; 0 if it was not seen */
	char subject[128]; /**< NameID of the assertion of an accepted message; "": it had none */
	char issuer[256]; /**< who vouches for it */
	const void *forward;
	size_t forward_len;
	struct fmp_reply_context reply_context; /**< where the configuration asks for it */
	struct fmp_tree tree; /**< instead of `forward` where the configuration says so */
	/** What each step took; 0: it did not run. All 0 without a clock. */
	uint64_t step_ns[FMP_STEPS];
	void *own, *own_reply_context; /**< private */
	struct _xmlDoc *own_doc[2]; /**< private */
	uint64_t (*clock_ns)(void); /**< private */
	uint64_t since_ns; /**< private */
	bool not_yet; /**< private */
	int crl_error; /**< private */
	bool tls_signer; /**< it was signed with a key whose certificate is for TLS alone */
	/** It was decrypted under CBC and refused: how long that took may tell of its text. */
	bool cbc_failed;
};
FMP_API void fmp_inspection_clear(struct fmp_inspection *v);

/**
 * fmp_forward_max() - most bytes that are forwarded of a message
 * @body_bytes: as the limits of the inspector say
 *
 * A canonical form is longer than what it is of. What would be longer than this is refused.
 */
FMP_API size_t fmp_forward_max(uint32_t body_bytes);

struct fmp_inspector;

/** fmp_inspect_global_init() / _exit() - once a process, before threads: libxml2, xmlsec1. */
FMP_API FMP_MUST_CHECK int fmp_inspect_global_init(struct fmp_error *err);
FMP_API void fmp_inspect_global_exit(void);

/**
 * fmp_inspector_new() - reads schema, CAs, key
 *
 * Nothing of cfg is kept but what `beside` shares, which lives as long as the last that
 * uses it. Return: 0 or a code with file:line in err.
 */
FMP_API FMP_MUST_CHECK int fmp_inspector_new(const struct fmp_inspect_config *cfg,
					     struct fmp_inspector **out, struct fmp_error *err);
FMP_API void fmp_inspector_free(struct fmp_inspector *i);
/**
 * fmp_inspector_wsdl_note() - what of its WSDL is left out, where and why: no fault, but worth to be known
 * @n: from 0 on
 *
 * Return: is there an n-th?
 */
FMP_API bool fmp_inspector_wsdl_note(const struct fmp_inspector *i, unsigned n,
				     struct fmp_error *out);

/**
 * fmp_inspector_crl_missing() - are all signers of a CA refused now, for want of a revocation list?
 * @out: the file, and which CA; or else which list is ignored, as no CA of ours has signed it;
 *	 untouched if neither
 *
 * Return: is there something to say?
 */
FMP_API bool fmp_inspector_crl_missing(const struct fmp_inspector *i, int64_t now_s,
				       struct fmp_error *out);
/**
 * fmp_inspector_shared_fd() - a descriptor that forked children must not close; -1: none
 *
 * An inspector that is made before a fork and used in the children remembers messages
 * for all of them.
 */
FMP_API int fmp_inspector_shared_fd(const struct fmp_inspector *i);
/**
 * fmp_inspector_shared_lock_owner() - another process that has the lock of what is shared; 0: none has
 *
 * Outside fmp_inspect() none has it: who does keeps all others from it.
 */
FMP_API int fmp_inspector_shared_lock_owner(const struct fmp_inspector *i);

/** struct fmp_replay_keys - what a copy of an accepted message is known by; the key of each is private */
#define FMP_REPLAY_KEYS_MAX 3
#define FMP_REPLAY_KEYS_KEY 64
struct fmp_replay_keys {
	unsigned n; /**< 0: a copy passes */
	uint8_t key[FMP_REPLAY_KEYS_MAX][FMP_REPLAY_KEYS_KEY];
};
/**
 * fmp_inspector_replay_keys() - of the message that this inspector has just accepted
 * @i: where one was chosen for the message, that one
 */
FMP_API void fmp_inspector_replay_keys(const struct fmp_inspector *i, struct fmp_replay_keys *out);
/**
 * fmp_inspector_replay_remove() - the message reached nobody, and its sender may repeat it
 * @i: any of those that share the memory
 *
 * For who was given the message, once, and never for one that somebody may have obeyed.
 * Return: 0; FMP_ERR_NOTFOUND: its key is not stored any more, and a copy may be refused;
 * FMP_ERR_IO.
 */
FMP_API FMP_MUST_CHECK int fmp_inspector_replay_remove(struct fmp_inspector *i,
						       const struct fmp_replay_keys *what);

/**
 * fmp_inspector_accepts_empty() - does it take an empty Body?
 * @answer: of what the service sends
 *
 * With a schema only if that is a WSDL with an operation whose message has no part; without one,
 * under Bc, always.
 */
FMP_API bool fmp_inspector_accepts_empty(const struct fmp_inspector *i, bool answer);

/** fmp_inspector_has_wsdl() - its schema is a WSDL, in which a port can be chosen. */
FMP_API bool fmp_inspector_has_wsdl(const struct fmp_inspector *i);

/**
 * fmp_inspector_shares_session_keys() - would what is GCM to one of them be CBC to the other?
 *
 * They decrypt with the same private key then: whoever has captured a message for one could have
 * guesses of its text confirmed by the other. Such a pair must not serve side by side.
 */
FMP_API bool fmp_inspector_shares_session_keys(const struct fmp_inspector *a,
					       const struct fmp_inspector *b);

/** Bytes of a media type in text; a longer one is none of SOAP's. */
#define FMP_MEDIA_MAX 64

/** struct fmp_media - what a Content-Type says of a message */
struct fmp_media {
	char type[FMP_MEDIA_MAX]; /**< in lower case, without parameters; "": none, or too long */
	/**
	 * GOOD: an XML type of SOAP. Else it is refused: BROWSER, as a form of any web page may send
	 * it (Fetch standard, CORS-safelisted); UNSUPPORTED: MIME, DIME, all others, and none.
	 */
	enum fmp_event_kind kind;
	bool plain_charset; /**< its charset is one such as ISO-8859-1 */
	char why[100]; /**< one sentence, "" if it is GOOD */
};

/**
 * fmp_media_read() - the same for the gateway and for services in process
 * @content_type: the field's value; NULL or "": there was none
 *
 * Under Os all types pass: the caller looks at that.
 */
FMP_API void fmp_media_read(const char *content_type, struct fmp_media *out);

/** fmp_inspector_security() - what it was made for. */
FMP_API enum fmp_security fmp_inspector_security(const struct fmp_inspector *i);

/** fmp_inspector_body_bytes() - a longer message is refused, whatever it says. */
FMP_API uint32_t fmp_inspector_body_bytes(const struct fmp_inspector *i);

/**
 * fmp_inspect() - one message through the pipeline
 *
 * An inspector is one thread's at a time: make one for each, tied by `beside`.
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
