/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between listener and worker over their socketpair (fmp/wire.h):
 *
 *     listener -> worker FMP_JOB_MSG_JOB a message to evaluate
 *     worker -> listener FMP_JOB_MSG_VERDICT result of the pipeline, then one of
 *                          FMP_JOB_MSG_REPLY the reply for the client
 *                          FMP_JOB_MSG_FORWARD the message for the service
 *
 * After the second message the worker is free again. The verdict comes first, so that the time of
 * the backend is never charged to the source. Two jobs have no verdict, only FMP_JOB_MSG_REPLY: a
 * service's reply to be signed or encrypted, and the removal of the replay keys of a message that
 * did not reach the service, so that a copy of it passes. A pending message that needs its parts has
 * a verdict that says so, and then an empty reply.
 */
#ifndef FMP_JOB_H
#define FMP_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>
#include <fmp/inspect.h>
#include <fmp/wire.h>

#include <fmp/internal/http.h>
#include <fmp/internal/identity_fields.h>

enum fmp_job_msg {
	FMP_JOB_MSG_JOB = 0x0301,
	FMP_JOB_MSG_VERDICT,
	FMP_JOB_MSG_REPLY,
	FMP_JOB_MSG_FORWARD,
};

#define FMP_JOB_HEAD		  4096u /**< all fields but the body */
#define FMP_JOB_REPLY_CONTEXT_MAX 10240u /**< the reply context */
#define FMP_JOB_IDENTITY_MAX	  4096u /**< fields of identity */
#define FMP_JOB_ROOT_MAX \
	8192u /**< delimiter and header of a root part; its references are no longer than it */
#define FMP_JOB_REPLY_MAX	 (4u << 20) /**< longest reply of the backend that is forwarded */
#define FMP_HTTP_TYPE_MAX	 512u
#define FMP_JOB_FORWARD_TYPE_MAX (2 * FMP_HTTP_TYPE_MAX) /**< with an action parameter */

/** struct fmp_job - points into the buffer that it was made from or decoded from */
struct fmp_job {
	const void *body;
	size_t len;
	char content_type[FMP_HTTP_TYPE_MAX]; /**< as received, with parameters */
	char soap_action[FMP_HTTP_TYPE_MAX];
	bool has_action;
	enum fmp_content_coding coding; /**< of the body */
	unsigned service; /**< index of the service */
	struct fmp_addr source; /**< of a message whose repeats are not charged; family 0: none */
	bool clock_unset; /**< the clock of this device is not set */
	bool decrypt_budget_spent; /**< refuse CBC: the sender's decryption budget is used up (decrypt_budget.h) */
	bool wsa_action_decides; /**< its wsa:Action may select another service of the same path */
	bool answer; /**< it is a reply of a remote service */
	bool pending; /**< the message up to the boundary behind its root part; the rest is to come */
	/** 0: no observation is asked for; else one, from this turn on (observation.h) */
	unsigned observe;
	bool secure; /**< it is a service's reply, to be signed or encrypted and not inspected */
	int status; /**< HTTP status of that reply */
	int soap_version; /**< of a Fault that replaces a reply */
	const struct fmp_reply_context *reply_context; /**< of the reply to secure; NULL: none */
	/**
	 * Replay keys to remove; no message then. The reply is 200 if they were removed. n 0: none.
	 */
	struct fmp_replay_keys replay_remove;
};

/**
 * fmp_job_is_evaluated() - the message already has its verdict: do not charge its sender for what
 * happens now.
 */
static inline bool fmp_job_is_evaluated(const struct fmp_job *job)
{
	return job->secure || job->replay_remove.n;
}

struct fmp_job_verdict {
	enum fmp_event_kind kind; /**< FMP_EVENT_GOOD: accepted */
	enum fmp_step step; /**< that refused it, or FMP_STEP_DONE */
	unsigned service; /**< whose policy applied */
	enum fmp_lack lacks; /**< what the device lacked; the sender is not charged */
	bool cbc_failed; /**< decrypted with CBC, and refused */
	bool needs_parts; /**< of a pending message: not evaluated, submit it again when it is whole */
	bool tls_signer; /**< the signer's certificate is for TLS only */
	uint64_t cpu_ns; /**< spent by the worker on this message */
	uint64_t step_ns[FMP_STEPS]; /**< share of each step; 0: it did not run */
	char detail[FMP_EVENT_DETAIL]; /**< of an accepted message: its observation; "": none */
	struct fmp_replay_keys replay_keys; /**< of an accepted message */
};

struct fmp_job_reply {
	int status;
	char content_type[FMP_HTTP_TYPE_MAX];
	const void *body;
	size_t len;
	bool retire; /**< the worker exits after this message */
	uint64_t cpu_ns; /**< spent by the worker since its start */
};

/** struct fmp_job_forward - an accepted message for the service */
struct fmp_job_forward {
	char content_type[FMP_JOB_FORWARD_TYPE_MAX];
	int soap_version; /**< of a Fault if the service is not available; 0: unknown */
	bool part; /**< body is the part @offset, @len of the job's body and is not copied */
	size_t offset;
	const void *body;
	size_t len;
	const char *references; /**< of a pending message (multipart_stream.h); NULL: none */
	size_t references_len;
	bool retire;
	uint64_t cpu_ns;
	struct fmp_reply_context reply_context; /**< if the reply is to be signed or encrypted */
	struct fmp_identity_fields identity; /**< if the policy forwards it */
};

/* Each encodes into a new buffer, which the caller frees. Return: NULL without memory. */
uint8_t *fmp_job_encode(const struct fmp_job *job, size_t *len);
uint8_t *fmp_job_verdict_encode(const struct fmp_job_verdict *v, size_t *len);
uint8_t *fmp_job_reply_encode(const struct fmp_job_reply *a, size_t *len);
uint8_t *fmp_job_forward_encode(const struct fmp_job_forward *f, size_t *len);

/* Each decodes the fields of a parsed message. Return: 0, FMP_ERR_SYNTAX. */
/** fmp_job_decode() - @reply_context: becomes the job's */
FMP_MUST_CHECK int fmp_job_decode(struct fmp_wire_in *in, struct fmp_job *job,
				  struct fmp_reply_context *reply_context);
FMP_MUST_CHECK int fmp_job_verdict_decode(struct fmp_wire_in *in, struct fmp_job_verdict *v);
FMP_MUST_CHECK int fmp_job_reply_decode(struct fmp_wire_in *in, struct fmp_job_reply *a);
/** fmp_job_forward_decode() - @job: whose body a partial message points into */
FMP_MUST_CHECK int fmp_job_forward_decode(struct fmp_wire_in *in, const struct fmp_job *job,
					  struct fmp_job_forward *f);

#endif
