/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Securing replies of a service: Timestamp, signature, encryption (WS-Security 1.1), configured by
 * <answers> of the policy. Uses no socket and no clock.
 */
#ifndef FMP_SECURE_H
#define FMP_SECURE_H

#include <fmp/error.h>
#include <fmp/inspect.h>
#include <fmp/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/** struct fmp_reply - a reply of the service */
struct fmp_reply {
	const void *bytes; /**< UTF-8, from the service */
	size_t len;
	int64_t now_s; /**< seconds since 1970: when its Timestamp is created */
	const struct fmp_reply_context *reply_context; /**< from the inspection of the request */
	bool may_be_empty; /**< its Body may be empty; it can then be signed, but not encrypted */
	/**
	 * `bytes` is the root part; the other parts. NULL: none. What an xop:Include names is signed and
	 * encrypted as its Base64, as WSS4J and WCF do. Any other part is signed by itself (SwA profile
	 * 1.1, 5.3), if it has a Content-ID; where answers are encrypted, the reply is refused.
	 */
	struct fmp_attachments *attachments;
};

/** struct fmp_secured - the secured reply; cleared by fmp_secured_clear() */
struct fmp_secured {
	const void *bytes; /**< what to send; NULL: nothing, the reply was refused */
	size_t len;
	int soap_version; /**< 11 or 12; 0 if it was not seen */
	bool fault; /**< it is a Fault */
	char detail[160]; /**< why it was refused: for a log, not for the client */
	void *own; /**< private */
};
FMP_API void fmp_secured_clear(struct fmp_secured *s);

/** struct fmp_securer - key and certificate; for one thread at a time */
struct fmp_securer;

/**
 * fmp_securer_new() - make a securer; reads key and certificate
 * @answers: not kept
 * @limits: for the reply; not kept
 * @keys: loads the key; NULL: the library does
 *
 * fmp_inspect_global_init() must have been called. Return: 0 with *out, NULL where the policy
 * wants nothing done; or a code with the file in err.
 */
FMP_API FMP_MUST_CHECK int fmp_securer_new(const struct fmp_policy_answers *answers,
					   const struct fmp_policy_limits *limits,
					   const struct fmp_key_source *keys,
					   struct fmp_securer **out, struct fmp_error *err);
FMP_API void fmp_securer_free(struct fmp_securer *s);

/**
 * fmp_secure() - secure one reply
 *
 * The whole reply is held in memory as a tree: a streaming service must finish first.
 * Return: 0 with *out filled, refused or not; FMP_ERR_NOMEM (out->bytes is NULL then).
 */
FMP_API FMP_MUST_CHECK int fmp_secure(struct fmp_securer *s, const struct fmp_reply *answer,
				      struct fmp_secured *out);

/** fmp_secured_max() - largest size of a secured reply of len bytes */
FMP_API size_t fmp_secured_max(size_t len);

#ifdef __cplusplus
}
#endif
#endif
