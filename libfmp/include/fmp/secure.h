/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers of a service on their way back: Timestamp, signature, encryption (WS-Security 1.1),
 * as <answers> of the policy says. Knows no socket and no clock.
 */
#ifndef FMP_SECURE_H
#define FMP_SECURE_H

#include <fmp/error.h>
#include <fmp/inspect.h>
#include <fmp/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/** struct fmp_reply - what there is to know of one */
struct fmp_reply {
	const void *bytes; /**< UTF-8, as the service gave it */
	size_t len;
	int64_t now_s; /**< seconds since 1970: when its Timestamp is created */
	const struct fmp_reply_context *reply_context; /**< of the inspection of the request */
	bool may_be_empty; /**< its Body; such a one can be signed, but not encrypted */
};

/** struct fmp_secured - what came of it; cleared by fmp_secured_clear() */
struct fmp_secured {
	const void *bytes; /**< what to send; NULL: nothing, for the answer was refused */
	size_t len;
	int soap_version; /**< 11 or 12; 0 if it was not seen */
	char detail[160]; /**< why it was refused: for a log, not for who asked */
	void *own; /**< private */
};
FMP_API void fmp_secured_clear(struct fmp_secured *s);

/** struct fmp_securer - key and certificate; one thread's at a time */
struct fmp_securer;

/**
 * fmp_securer_new() - reads key and certificate
 * @answers: neither it nor limits is kept
 * @limits: that an answer must keep
 * @keys: who reads the key; NULL: the library does
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
 * fmp_secure() - one answer
 *
 * The whole answer is held in memory, as a tree: a service that streams is waited for.
 * Return: 0 with *out filled, refused or not; FMP_ERR_NOMEM (out->bytes is NULL then).
 */
FMP_API FMP_MUST_CHECK int fmp_secure(struct fmp_securer *s, const struct fmp_reply *answer,
				      struct fmp_secured *out);

/** fmp_secured_max() - most bytes that an answer of len bytes can become. */
FMP_API size_t fmp_secured_max(size_t len);

#ifdef __cplusplus
}
#endif
#endif
