/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What listener and worker say to each other over their socketpair (fmp/wire.h):
 *
 *	listener -> worker	FMP_JOB_MSG_JOB	one message to inspect and forward
 *	worker -> listener	FMP_JOB_MSG_VERDICT	what the ladder said of it
 *				FMP_JOB_MSG_REPLY	what to answer the client, or
 *				FMP_JOB_MSG_FORWARD	what to hand to the service; the worker is free again
 *
 * The verdict goes first, so that what the backend does is never charged to the source.
 * Of two jobs there is no verdict, only FMP_JOB_MSG_REPLY: of a service's answer that is to be signed
 * or encrypted, and of a message that reached nobody: its copies are to pass.
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

enum fmp_job_msg {
	FMP_JOB_MSG_JOB = 0x0301,
	FMP_JOB_MSG_VERDICT,
	FMP_JOB_MSG_REPLY,
	FMP_JOB_MSG_FORWARD,
};

#define FMP_JOB_HEAD		  4096u /**< room for all fields but the body */
#define FMP_JOB_REPLY_CONTEXT_MAX 10240u /**< room for who asked */
#define FMP_JOB_REPLY_MAX	  (4u << 20) /**< longest answer of the backend that is handed on */
#define FMP_HTTP_TYPE_MAX	  512u
#define FMP_JOB_FORWARD_TYPE_MAX  (2 * FMP_HTTP_TYPE_MAX) /**< with an action in it */

/** struct fmp_job - points into what it was made of or decoded from */
struct fmp_job {
	const void *body;
	size_t len;
	char content_type[FMP_HTTP_TYPE_MAX]; /**< as the client sent it, with parameters */
	char soap_action[FMP_HTTP_TYPE_MAX];
	bool has_action;
	enum fmp_content_coding coding; /**< of the body */
	unsigned service; /**< number of the service that it is for */
	bool clock_unset; /**< the clock is known to be behind */
	bool no_tries; /**< too many under CBC did not decrypt: see fmp/internal/decrypt_budget.h */
	bool open; /**< unless its wsa:Action says another one of the same path */
	bool answer; /**< of a remote service */
	bool secure; /**< of a service: to be signed or encrypted, not to be inspected */
	int status; /**< of that answer */
	int soap_version; /**< of a Fault in the place of an answer */
	const struct fmp_reply_context *requester; /**< who gets it; NULL else */
	/** What is no message any more: to be forgotten, answered by 200 if it was; n 0 else. */
	struct fmp_replay_keys forget;
};

/** fmp_job_is_evaluated() - whatever happens over it, who sent the message has not made it. */
static inline bool fmp_job_is_evaluated(const struct fmp_job *job)
{
	return job->secure || job->forget.n;
}

struct fmp_job_verdict {
	enum fmp_event_kind kind; /**< FMP_EVENT_GOOD: accepted */
	enum fmp_step step; /**< that refused it; FMP_STEP_DONE */
	unsigned service; /**< that it was for */
	enum fmp_lack lacks; /**< refused for want of it; nobody's offence */
	bool tried; /**< decrypted under CBC, and refused */
	bool tls_signer; /**< its signer's certificate is for TLS alone */
	uint64_t cpu_ns; /**< of the worker, for this message */
	uint64_t step_ns[FMP_STEPS]; /**< of that, each step's; 0: it did not run */
	char detail[FMP_EVENT_DETAIL];
	struct fmp_replay_keys remembered; /**< of what was accepted */
};

struct fmp_job_reply {
	int status;
	char content_type[FMP_HTTP_TYPE_MAX];
	const void *body;
	size_t len;
	bool retire; /**< the worker ends now, for reasons of its own */
	uint64_t cpu_ns; /**< that the worker has used up in its life */
};

/** struct fmp_job_forward - an accepted message as the service is to get it */
struct fmp_job_forward {
	char content_type[FMP_JOB_FORWARD_TYPE_MAX];
	int soap_version; /**< of a Fault if the service is away; 0: unknown */
	bool part; /**< body is a part of the job's own: @offset and @len, nothing is copied */
	size_t offset;
	const void *body;
	size_t len;
	bool retire;
	uint64_t cpu_ns;
	struct fmp_reply_context requester; /**< where the answer is to be signed or encrypted */
};

/* Each encodes into a new buffer that the caller frees. Return: NULL without memory. */
uint8_t *fmp_job_encode(const struct fmp_job *job, size_t *len);
uint8_t *fmp_job_verdict_encode(const struct fmp_job_verdict *v, size_t *len);
uint8_t *fmp_job_reply_encode(const struct fmp_job_reply *a, size_t *len);
uint8_t *fmp_job_forward_encode(const struct fmp_job_forward *f, size_t *len);

/* Each decodes the rest of a parsed message. Return: 0, FMP_ERR_SYNTAX. */
/** fmp_job_decode() - @requester: becomes the job's */
FMP_MUST_CHECK int fmp_job_decode(struct fmp_wire_in *in, struct fmp_job *job,
				  struct fmp_reply_context *requester);
FMP_MUST_CHECK int fmp_job_verdict_decode(struct fmp_wire_in *in, struct fmp_job_verdict *v);
FMP_MUST_CHECK int fmp_job_reply_decode(struct fmp_wire_in *in, struct fmp_job_reply *a);
/** fmp_job_forward_decode() - @job: that it is of; what is a part of it lies in it then. */
FMP_MUST_CHECK int fmp_job_forward_decode(struct fmp_wire_in *in, const struct fmp_job *job,
					  struct fmp_job_forward *f);

#endif
