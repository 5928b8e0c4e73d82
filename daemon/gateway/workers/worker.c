// SPDX-License-Identifier: GPL-2.0
#include "worker.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <fmp/wire.h>

#include <fmp/internal/content_coding.h>
#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "fault.h"
#include <fmp/internal/evaluate.h>
#include <fmp/internal/mime.h>
#include <fmp/internal/multipart_secure.h>
#include "../keys/remote_keys.h"
#include "../sandbox/sandbox.h"
#include "../service/service.h"

/* Bytes of a job and its answer: to free and to send so few costs hardly more than the clock. */
#define SMALL_JOB 4096u

struct worker {
	const struct gw_settings *settings;
	int fd;
	uint8_t *buf; /* the current job */
	size_t cap;
	size_t max; /* longest job, including its length field */
	struct fmp_reply_context reply_context; /* of the job */
	uint64_t cpu_ns; /* spent when the job was done */
	size_t sent; /* bytes, since then */
	bool out_of_memory; /* a message needed too much memory; free memory is fragmented now */
};

/*
 * Use the thread's clock: with RLIMIT_CPU the clock of the process advances only at scheduler
 * ticks. There is one thread.
 */
static uint64_t get_cpu_ns(void)
{
	return gw_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* The age counts the time of its key agent, too. */
static bool is_old(const struct worker *w)
{
	return w->out_of_memory ||
	       (w->cpu_ns + gw_remote_keys_cpu_ns()) / 1000000000u >= GW_WORKER_RETIRE_S;
}

/* Read n to room bytes; the listener sends one job at a time. Return: 0: it is gone. */
static size_t read_at_least(int fd, uint8_t *p, size_t n, size_t room)
{
	size_t have = 0;

	while (have < n) {
		ssize_t r = recv(fd, p + have, room - have, 0);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return 0;
		have += (size_t)r;
	}
	return have;
}

/* Send both parts with one call, so that the listener wakes up once. */
static bool send_parts(int fd, struct iovec part[2])
{
	struct msghdr m = { .msg_iov = part, .msg_iovlen = 2 };

	while (part[0].iov_len + part[1].iov_len) {
		ssize_t r = sendmsg(fd, &m, MSG_NOSIGNAL);

		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return false;
		for (int i = 0; i < 2; i++) {
			size_t n = (size_t)r < part[i].iov_len ? (size_t)r : part[i].iov_len;

			part[i].iov_base = (uint8_t *)part[i].iov_base + n;
			part[i].iov_len -= n;
			r -= (ssize_t)n;
		}
	}
	return true;
}

/* Return: 1: a job; 0: the listener is gone; -1: not a job. */
static int receive_job(struct worker *w, struct fmp_job *job)
{
	struct fmp_wire_in in;
	uint32_t length;
	size_t whole, used, have = read_at_least(w->fd, w->buf, sizeof(length), w->cap);

	if (!have)
		return 0;
	memcpy(&length, w->buf, sizeof(length));
	whole = sizeof(length) + ntohl(length);
	if (whole > w->max || whole < have)
		return -1;
	if (whole > w->cap) {
		uint8_t *buf = realloc(w->buf, whole);

		if (!buf)
			return -1;
		w->buf = buf;
		w->cap = whole;
	}
	if (have < whole && !read_at_least(w->fd, w->buf + have, whole - have, whole - have))
		return 0;
	if (fmp_wire_parse(w->buf, whole, (uint32_t)w->max, &in, &used) ||
	    in.type != FMP_JOB_MSG_JOB || fmp_job_decode(&in, job, &w->reply_context) ||
	    job->service >= w->settings->evaluator.n_services)
		return -1;
	return 1;
}

/* Send the verdict, if any, and the message after it; frees the latter. */
static bool send_result(struct worker *w, const struct fmp_job_verdict *v, uint8_t *bytes,
			size_t len)
{
	struct iovec part[2] = { { 0 }, { .iov_base = bytes, .iov_len = len } };
	uint8_t *verdict = v ? fmp_job_verdict_encode(v, &part[0].iov_len) : NULL;
	bool ok;

	part[0].iov_base = verdict;
	w->sent += len;
	ok = (verdict || !v) && bytes && send_parts(w->fd, part);
	free(verdict);
	free(bytes);
	return ok;
}

static bool send_reply(struct worker *w, const struct fmp_job_verdict *v, struct fmp_job_reply *a)
{
	size_t len = 0;
	uint8_t *bytes;

	a->retire = is_old(w);
	a->cpu_ns = w->cpu_ns;
	bytes = fmp_job_reply_encode(a, &len);
	return send_result(w, v, bytes, len) && !a->retire;
}

static bool send_fault(struct worker *w, const struct fmp_job_verdict *v, int soap_version,
		       bool sender, const char *reason, int status)
{
	struct gw_fault f = gw_fault_make(soap_version, sender, reason);
	struct fmp_job_reply a = { .status = status ? status : f.status,
				   .body = f.body,
				   .len = f.len };

	snprintf(a.content_type, sizeof(a.content_type), "%s", f.content_type);
	return send_reply(w, v, &a);
}

/* The content type for the service: built here from what was checked. */
static void format_content_type(const struct fmp_job *job, int soap_version, const char *action,
				char *out, size_t size)
{
	if (!soap_version)
		snprintf(out, size, "%s",
			 *job->content_type ? job->content_type : "text/xml; charset=utf-8");
	else if (soap_version == 12 && *action)
		snprintf(out, size, "application/soap+xml; charset=utf-8; action=\"%s\"", action);
	else
		snprintf(out, size, "%s; charset=utf-8",
			 soap_version == 12 ? "application/soap+xml" : "text/xml");
}

static bool send_forward(struct worker *w, const struct fmp_job *job,
			 const struct fmp_job_verdict *verdict, const struct fmp_evaluation *j)
{
	uintptr_t from = (uintptr_t)j->forward, whole = (uintptr_t)job->body;
	struct fmp_job_forward f = { .soap_version = j->v.soap_version,
				     .body = j->forward,
				     .len = j->forward_len,
				     .retire = is_old(w),
				     .cpu_ns = w->cpu_ns,
				     .references = j->references,
				     .references_len = j->references_len,
				     .reply_context = j->v.reply_context };
	size_t len = 0;
	uint8_t *bytes;

	if (j->v.identity.methods)
		fmp_identity_fields_from(&j->v.identity, &f.identity);
	/* Unchanged bytes need not be copied: the listener still has them. */
	f.part = from >= whole && from - whole <= job->len && f.len <= job->len - (from - whole);
	f.offset = f.part ? from - whole : 0;
	/* The type of a multipart message was checked, and its boundary is written again. */
	format_content_type(job, j->multipart ? 0 : j->v.soap_version, j->action, f.content_type,
			    sizeof(f.content_type));
	bytes = fmp_job_forward_encode(&f, &len);
	return send_result(w, verdict, bytes, len) && !f.retire;
}

static const char *get_lack_reason(enum fmp_lack lacks)
{
	switch (lacks) {
	case FMP_LACKS_TIME:
		return GW_REASON_CLOCK;
	case FMP_LACKS_DECRYPT_BUDGET:
		return GW_REASON_DECRYPT_BUDGET;
	default:
		return GW_REASON_CRL;
	}
}

/* Return: false: the worker must exit. */
static bool evaluate_message(struct worker *w, const struct fmp_job *job)
{
	uint64_t start = w->cpu_ns, agent_ns = gw_remote_keys_cpu_ns();
	struct fmp_evaluation j;
	struct fmp_job_verdict verdict;
	int version;
	bool ok;

	fmp_evaluate(&w->settings->evaluator, job, time(NULL), &j);
	/* A Fault that replaces a reply has the SOAP version of the request. */
	version = job->answer ? job->soap_version : j.v.soap_version;
	verdict = fmp_evaluate_verdict(&j);
	w->out_of_memory = j.v.kind == FMP_EVENT_CRASH;
	w->cpu_ns = get_cpu_ns();
	fmp_evaluate_cost(&j, w->cpu_ns - start + gw_remote_keys_cpu_ns() - agent_ns, &verdict);
	if (j.v.accepted)
		fmp_inspector_replay_keys(w->settings->evaluator.service[j.service].inspector,
					  &verdict.replay_keys);
	if (j.v.accepted)
		ok = send_forward(w, job, &verdict, &j);
	else if (j.v.needs_parts)
		ok = send_reply(w, &verdict, &(struct fmp_job_reply){ .status = 200, .body = "" });
	else if (j.v.lacks)
		ok = send_fault(w, &verdict, version, false, get_lack_reason(j.v.lacks), j.status);
	else if (j.v.kind == FMP_EVENT_GOOD && j.v.step == FMP_STEP_HTTP)
		ok = send_fault(w, &verdict, version, false, GW_REASON_FAILED, j.status);
	else
		ok = send_fault(w, &verdict, version, !job->answer, gw_fault_reason(j.v.step),
				job->answer ? 500 : j.status);
	fmp_evaluate_clear(&j);
	return ok;
}

/*
 * @decoded, @own: what *out may point into. Return: why it can't be forwarded; NULL: *out is to
 * be sent.
 */
static const char *sign_or_encrypt(struct worker *w, const struct fmp_job *job,
				   const struct gw_service *svc,
				   struct fmp_content_decoded *decoded, struct fmp_secured *out,
				   void **own)
{
	const struct fmp_policy_gateway *demands = svc->evaluate->demands;
	const struct fmp_content_coding_limits limits = { .bytes = demands->limits.body_bytes,
							  .ratio = demands->http.ratio };
	struct fmp_reply reply = { .bytes = job->body,
				   .len = job->len,
				   .now_s = time(NULL),
				   .reply_context = job->reply_context,
				   .may_be_empty = fmp_inspector_accepts_empty(
					   svc->evaluate->inspector, true) };

	if (job->coding != FMP_CONTENT_CODING_IDENTITY) {
		*decoded = fmp_content_decode(job->coding, job->body, job->len, &limits);
		if (!decoded->bytes)
			return decoded->detail;
		reply.bytes = decoded->bytes;
		reply.len = decoded->len;
	}
	if (svc->securer && fmp_mime_is_related(job->content_type))
		w->out_of_memory = fmp_multipart_secure(svc->securer, job->content_type, &reply,
							&demands->attachments,
							demands->limits.body_bytes, out, own);
	else
		w->out_of_memory = svc->securer && fmp_secure(svc->securer, &reply, out);
	if (w->out_of_memory)
		return "no memory";
	return out->bytes ? NULL : out->detail;
}

/* Sign or encrypt a service's reply. Return: false: the worker must exit. */
static bool secure_reply(struct worker *w, const struct fmp_job *job)
{
	const struct gw_service *svc = &w->settings->service[job->service];
	struct fmp_secured out = { 0 };
	struct fmp_content_decoded decoded = { 0 };
	struct fmp_job_reply a = { .status = job->status };
	void *own = NULL;
	const char *why = sign_or_encrypt(w, job, svc, &decoded, &out, &own);
	bool ok;

	w->cpu_ns = get_cpu_ns();
	/* With SOAP 1.1 only a Fault has this status: what else has it is no answer. */
	if (job->status == 400 && out.soap_version != 12 && !out.fault)
		out.len = 0;
	a.body = out.bytes;
	a.len = out.len;
	/* The type of a multipart message was checked, and its boundary is written again. */
	if (own)
		snprintf(a.content_type, sizeof(a.content_type), "%s", job->content_type);
	else
		snprintf(a.content_type, sizeof(a.content_type), "%s; charset=utf-8",
			 out.soap_version == 12 ? "application/soap+xml" : "text/xml");
	if (!why) {
		ok = send_reply(w, NULL, &a);
	} else {
		fmp_text_print(stderr, "fmp-gateway: a reply%s%s can't be forwarded: %s\n",
			       *svc->evaluate->name ? " of " : "", svc->evaluate->name, why);
		ok = send_fault(w, NULL, job->soap_version, false, GW_REASON_BACKEND, 502);
	}
	fmp_secured_clear(&out);
	free(own);
	free(decoded.bytes);
	return ok;
}

/* Return: false: the worker must exit. */
static bool remove_replay_keys(struct worker *w, const struct fmp_job *job)
{
	const struct gw_service *svc = &w->settings->service[job->service];
	struct fmp_job_reply a = { .body = "" };

	a.status = fmp_inspector_replay_remove(svc->evaluate->inspector, &job->replay_remove) ? 500
											      : 200;
	w->cpu_ns = get_cpu_ns();
	return send_reply(w, NULL, &a);
}

static bool handle_job(struct worker *w, const struct fmp_job *job)
{
	if (job->replay_remove.n)
		return remove_replay_keys(w, job);
	return job->secure ? secure_reply(w, job) : evaluate_message(w, job);
}

/*
 * No sender is charged for what a long job before leaves to be freed and sent; what a small one
 * leaves, no more than its answer, is charged to the next sender.
 */
static void end_job(struct worker *w, const struct fmp_job *job)
{
	if (job->len + w->sent > SMALL_JOB || job->coding != FMP_CONTENT_CODING_IDENTITY)
		w->cpu_ns = get_cpu_ns();
	w->sent = 0;
}

int gw_worker_run(const struct gw_settings *s, int fd)
{
	struct worker w = { .settings = s,
			    .fd = fd,
			    .cpu_ns = get_cpu_ns(),
			    .cap = FMP_JOB_HEAD,
			    .max = gw_services_max_body(s) + FMP_JOB_HEAD +
				   FMP_JOB_REPLY_CONTEXT_MAX };
	struct fmp_job job;
	int rc = 1;

	w.buf = malloc(w.cap);
	if (w.buf)
		while ((rc = receive_job(&w, &job)) == 1 && handle_job(&w, &job))
			end_job(&w, &job);
	free(w.buf);
	return rc < 0;
}
