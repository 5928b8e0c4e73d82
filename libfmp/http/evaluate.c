// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/evaluate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/browser_page.h>
#include <fmp/internal/observation.h>
#include <fmp/internal/routing.h>

int fmp_evaluator_add(struct fmp_evaluator *e, const char *name,
		      const struct fmp_policy_gateway *demands, const struct fmp_key_source *keys,
		      struct fmp_error *err)
{
	struct fmp_evaluate_service *svc = &e->service[e->n_services];
	struct fmp_inspect_config cfg = fmp_inspect_config_of(demands);
	int rc;

	*svc = (struct fmp_evaluate_service){ .name = name, .demands = demands };
	cfg.replay_file = e->replay_file;
	cfg.check_only = e->check_only;
	cfg.keys = keys;
	if (e->policy && *e->policy->folder)
		cfg.schema_folder = e->policy->folder;
	for (unsigned i = 0; i < e->n_services && !cfg.share_replay; i++)
		if (fmp_inspector_shared_fd(e->service[i].inspector) >= 0)
			cfg.share_replay = e->service[i].inspector;
	rc = fmp_inspector_new(&cfg, &svc->inspector, err);
	if (rc)
		return rc;
	e->n_services++;
	/* Compare the keys: the policy reader compared only file names. */
	for (unsigned i = 0; i + 1 < e->n_services; i++)
		if (fmp_inspector_shares_session_keys(e->service[i].inspector, svc->inspector))
			return fmp_error_set(
				err, FMP_ERR_CONFLICT,
				"services \"%s\" and \"%s\" decrypt with one key, one "
				"of them with CBC, the other with GCM: give one of them "
				"a key of its own",
				e->service[i].name, name);
	return 0;
}

struct service_choice {
	const struct fmp_evaluator *evaluator;
	const struct fmp_message *message;
	unsigned service; /* whose policy applies */
};

static int set_refusal(struct fmp_inspection *v, int status, enum fmp_event_kind kind,
		       const char *why)
{
	v->accepted = false;
	v->step = FMP_STEP_HTTP;
	v->kind = kind;
	snprintf(v->detail, sizeof(v->detail), "%s", why);
	return status;
}

static struct fmp_inspector *choose_inspector(void *ctx, const char *action)
{
	struct service_choice *c = ctx;
	const struct fmp_policy *p = c->evaluator->policy;
	int n;

	/* That of a root part, which the listener has not read. */
	if (!*action && c->message->soap_action)
		action = c->message->soap_action;
	n = fmp_route_action(p->services, p->n_services, (int)c->service, action);
	if (n < 0)
		return NULL;
	c->service = (unsigned)n;
	return c->evaluator->service[n].inspector;
}

/*
 * The service may use either action, and gets both: they must be equal and have one reading.
 * Return: the error, or NULL.
 */
static const char *check_actions(const struct fmp_job *job, const char *parameter)
{
	if (strpbrk(parameter, "\"\\"))
		return "the action of the Content-Type is not well quoted";
	if (*parameter && *job->soap_action && strcmp(parameter, job->soap_action) != 0)
		return "SOAPAction and the action of the Content-Type differ";
	return NULL;
}

enum fmp_event_kind fmp_evaluate_media(const struct fmp_media *media, bool answer,
				       const struct fmp_policy_gateway *demands)
{
	if (demands->attachments.allowed && fmp_media_has_attachments(media))
		return FMP_EVENT_GOOD;
	if (answer && media->kind != FMP_EVENT_GOOD && !fmp_media_has_attachments(media))
		return FMP_EVENT_OUTAGE;
	/*
	 * A request that a page can send was refused before. This one has fields or a coding that a
	 * page sends only after CORS preflight.
	 */
	return media->kind == FMP_EVENT_BROWSER ? FMP_EVENT_UNSUPPORTED : media->kind;
}

/* XOP's own type, alone: what it holds is SOAP, and it has no part that an xop:Include could name. */
static int open_lone_xop(const struct fmp_job *job, struct fmp_message *m, struct fmp_media *media,
			 struct fmp_evaluation *out)
{
	static struct fmp_attachments none = { .xop = true };
	struct fmp_mime_type type, inner;

	if (fmp_mime_type_read(job->content_type, &type))
		return set_refusal(&out->v, 400, FMP_EVENT_HTTP, type.why);
	if (!type.type[0] || fmp_mime_type_read(type.type, &inner))
		inner.media[0] = '\0';
	fmp_media_read(inner.media, media);
	if (media->kind != FMP_EVENT_GOOD)
		return set_refusal(&out->v, 415, FMP_EVENT_UNSUPPORTED,
				   "application/xop+xml without a type of SOAP");
	m->attachments = &none;
	return 0;
}

/* Split a message with attachments: its root part is inspected. */
static int open_parts(const struct fmp_policy_gateway *demands, const struct fmp_job *job,
		      struct fmp_message *m, struct fmp_media *media, struct fmp_evaluation *out)
{
	struct fmp_multipart *p;

	if (!fmp_mime_is_related(job->content_type))
		return open_lone_xop(job, m, media, out);
	p = fmp_multipart_read(job->content_type, m->bytes, m->len, &demands->attachments,
			       demands->limits.body_bytes, job->pending);
	if (!p)
		return set_refusal(&out->v, 0, FMP_EVENT_CRASH, "out of memory");
	out->multipart = p;
	if (p->status)
		return set_refusal(&out->v, p->status, p->kind, p->detail);
	fmp_media_read(p->media, media);
	m->bytes = p->root.bytes;
	m->len = p->root.len;
	m->plain_charset = p->plain_charset;
	m->attachments = &p->attachments;
	strcpy(out->action, p->action);
	if (!*job->soap_action)
		m->soap_action = *out->action ? out->action : NULL;
	return 0;
}

static int decode_body(const struct fmp_policy_gateway *demands, const struct fmp_job *job,
		       struct fmp_message *m, struct fmp_evaluation *out)
{
	const struct fmp_content_coding_limits limits = { .bytes = demands->limits.body_bytes,
							  .ratio = demands->http.ratio };

	if (job->coding == FMP_CONTENT_CODING_IDENTITY)
		return 0;
	out->decoded = fmp_content_decode(job->coding, job->body, job->len, &limits);
	if (!out->decoded.bytes)
		return set_refusal(&out->v, out->decoded.status, out->decoded.kind,
				   out->decoded.detail);
	m->bytes = out->decoded.bytes;
	m->len = out->decoded.len;
	return 0;
}

/* Set what is forwarded: the output of the pipeline, in its multipart message if it came in one. */
static int set_forward(const struct fmp_job *job, const void *whole, size_t whole_len,
		       struct fmp_evaluation *out)
{
	struct fmp_inspection *v = &out->v;
	int ret;

	out->forward = v->forward;
	out->forward_len = v->forward_len;
	if (!v->accepted || !out->multipart)
		return 0;
	ret = fmp_multipart_write(out->multipart, v->forward, v->forward_len, v->soap_version,
				  &out->own, &out->forward_len);
	if (ret == FMP_ERR_INVALID)
		return set_refusal(v, 0, FMP_EVENT_CRASH,
				   "a part that is to come is not included any more");
	if (ret == FMP_ERR_CONFLICT)
		return set_refusal(v, 400, FMP_EVENT_STRUCTURE,
				   "the boundary stands in what is forwarded");
	if (ret)
		return set_refusal(v, 0, FMP_EVENT_CRASH, "out of memory");
	if (job->pending)
		out->references = fmp_multipart_references(out->multipart, &out->references_len);
	if (job->pending && !out->references)
		return set_refusal(v, 0, FMP_EVENT_CRASH, "out of memory");
	out->forward = out->own;
	fmp_multipart_drop_replaced(out->multipart);
	/* Bytes as received need not be copied to the listener. */
	if ((job->pending ? out->forward_len <= whole_len : out->forward_len == whole_len) &&
	    memcmp(out->own, whole, out->forward_len) == 0)
		out->forward = whole;
	return 0;
}

/* The service that the action selected may not have what the first one may. */
static int check_selected(const struct fmp_message *m, struct fmp_inspection *v)
{
	const struct service_choice *c = m->select_ctx;

	if (!v->accepted || !m->attachments || !c ||
	    c->evaluator->service[c->service].demands->attachments.allowed)
		return 0;
	return set_refusal(v, 415, FMP_EVENT_UNSUPPORTED,
			   "attachments (MTOM, SwA) are not allowed");
}

/*
 * What was accepted can't be forwarded: it reached no service, so that its sender may send it again, in
 * another form. Its replay keys were the last thing that was done for it.
 */
static void remove_replay_keys(const struct fmp_evaluate_service *svc, const struct fmp_message *m)
{
	const struct service_choice *c = m->select_ctx;
	struct fmp_inspector *i = c ? c->evaluator->service[c->service].inspector : svc->inspector;
	struct fmp_replay_keys keys;

	fmp_inspector_replay_keys(i, &keys);
	/* A table without memory for the removal keeps them: the copy is refused as a replay. */
	if (keys.n && fmp_inspector_replay_remove(i, &keys))
		return;
}

static void observe_attachments(const struct fmp_job *job, const struct fmp_multipart *p,
				struct fmp_observation *o)
{
	size_t largest = 0, bytes = 0;

	/* Of a pending message they are still to come. */
	if (!o || !p || job->pending)
		return;
	for (size_t n = 0; n < p->attachments.n; n++) {
		size_t len = p->attachments.part[n].len;

		largest = len > largest ? len : largest;
		bytes += len;
	}
	(void)fmp_observation_add_number(o, "parts", p->attachments.n);
	(void)fmp_observation_add_number(o, "part", largest);
	(void)fmp_observation_add_number(o, "bytes", bytes);
}

/* Return: HTTP status of a refusal, 0: that of the Fault. */
static int check_and_inspect(const struct fmp_evaluate_service *svc, const struct fmp_job *job,
			     struct fmp_message *m, struct fmp_media *media,
			     struct fmp_evaluation *out)
{
	const struct fmp_policy_gateway *demands = svc->demands;
	bool plain = demands->security == FMP_SECURITY_OS;
	enum fmp_event_kind kind = fmp_evaluate_media(media, job->answer, demands);
	const void *whole;
	const char *wrong;
	size_t whole_len;
	bool accepted;
	int status;

	if (!plain && kind != FMP_EVENT_GOOD)
		return set_refusal(&out->v, 415, kind, media->why);
	wrong = plain ? NULL : check_actions(job, out->action);
	status = wrong ? set_refusal(&out->v, 400, FMP_EVENT_HTTP, wrong)
		       : decode_body(demands, job, m, out);
	if (out->v.step == FMP_STEP_HTTP && *out->v.detail)
		return status;
	whole = m->bytes;
	whole_len = m->len;
	if (!plain && fmp_media_has_attachments(media)) {
		status = open_parts(demands, job, m, media, out);
		wrong = *out->v.detail ? NULL : check_actions(job, out->action);
		if (wrong)
			status = set_refusal(&out->v, 400, FMP_EVENT_HTTP, wrong);
		if (*out->v.detail)
			return status;
	}
	observe_attachments(job, out->multipart, out->observation);
	if (fmp_inspect(svc->inspector, m, &out->v) && out->v.kind == FMP_EVENT_GOOD)
		out->v.kind = FMP_EVENT_CRASH; /* out of memory while inspecting */
	accepted = out->v.accepted;
	status = check_selected(m, &out->v);
	if (!status)
		status = set_forward(job, whole, whole_len, out);
	if (accepted && !out->v.accepted)
		remove_replay_keys(svc, m);
	return status;
}

static unsigned count_lines(const char *bytes, size_t len)
{
	unsigned n = 0;

	for (const char *p = bytes; (p = memchr(p, '\n', len - (size_t)(p - bytes))); p++)
		n++;
	return n;
}

/* The pipeline stops at a document type declaration. For a page, inspect what follows its own. */
static void inspect_behind_doctype(struct fmp_inspector *inspector, const struct fmp_message *m,
				   size_t rest, struct fmp_inspection *v)
{
	struct fmp_message behind = *m;
	struct fmp_inspection found = { 0 };

	behind.bytes = (const char *)m->bytes + rest;
	behind.len = m->len - rest;
	if (!fmp_inspect(inspector, &behind, &found) && !found.accepted) {
		v->kind = found.kind;
		v->step = found.step;
		v->line = found.line ? found.line + count_lines(m->bytes, rest) : 0;
		memcpy(v->detail, found.detail, sizeof(v->detail));
	}
	fmp_inspection_clear(&found);
}

void fmp_evaluate_browser_page(struct fmp_inspector *inspector, const struct fmp_message *m,
			       struct fmp_inspection *v)
{
	size_t rest;

	bool by_doctype = v->kind == FMP_EVENT_DTD;

	if (!m->answer || v->accepted || !(by_doctype || fmp_browser_page_explains(v->kind)) ||
	    !fmp_browser_page_is(m->bytes, m->len, &rest))
		return;
	if (by_doctype && rest)
		inspect_behind_doctype(inspector, m, rest, v);
	if (fmp_browser_page_explains(v->kind))
		v->kind = FMP_EVENT_OUTAGE;
}

/*
 * CLOCK_MONOTONIC is served by the vDSO; the thread's CPU clock would cost a system call per step.
 */
static uint64_t monotonic_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void fmp_evaluate(const struct fmp_evaluator *e, const struct fmp_job *job, int64_t now_s,
		  struct fmp_evaluation *out)
{
	struct service_choice choice = { .evaluator = e, .service = job->service };
	struct fmp_media media;
	struct fmp_message m = { .bytes = job->body,
				 .len = job->len,
				 .now_s = now_s,
				 .source = job->source.family ? &job->source : NULL,
				 .service = e->service[job->service].name,
				 .clock_unset = job->clock_unset,
				 .decrypt_budget_spent = job->decrypt_budget_spent,
				 .content_type = media.type,
				 .answer = job->answer,
				 .clock_ns = monotonic_ns };

	*out = (struct fmp_evaluation){ 0 };
	if (job->observe)
		out->observation = calloc(1, sizeof(*out->observation));
	if (out->observation)
		out->observation->turn = job->observe;
	m.observation = out->observation;
	fmp_media_read(job->content_type, &media);
	m.plain_charset = media.plain_charset;
	fmp_soap_action_parameter(job->content_type, out->action, sizeof(out->action));
	m.soap_action = *job->soap_action ? job->soap_action : *out->action ? out->action : NULL;
	if (job->wsa_action_decides) {
		choice.message = &m;
		m.select_inspector = choose_inspector;
		m.select_ctx = &choice;
	}
	out->status = check_and_inspect(&e->service[job->service], job, &m, &media, out);
	fmp_evaluate_browser_page(e->service[choice.service].inspector, &m, &out->v);
	out->service = choice.service;
	if (out->v.lacks)
		/*
		 * A repeated request may succeed soon. A reply must not lead to a repetition: the
		 * service already acted on the request.
		 */
		out->status = job->answer ? 502 : 503;
}

void fmp_evaluate_clear(struct fmp_evaluation *j)
{
	fmp_inspection_clear(&j->v);
	free(j->decoded.bytes);
	j->decoded.bytes = NULL;
	fmp_multipart_free(j->multipart);
	free(j->own);
	free(j->references);
	free(j->observation);
	j->observation = NULL;
	j->multipart = NULL;
	j->own = NULL;
	j->references = NULL;
}

struct fmp_job_verdict fmp_evaluate_verdict(const struct fmp_evaluation *j)
{
	const struct fmp_inspection *v = &j->v;
	const char *step = fmp_step_name(v->step);
	struct fmp_job_verdict verdict = { .kind = v->accepted ? FMP_EVENT_GOOD : v->kind,
					   .step = v->accepted ? FMP_STEP_DONE : v->step,
					   .service = j->service,
					   .lacks = v->lacks,
					   .cbc_failed = v->cbc_failed,
					   .needs_parts = v->needs_parts,
					   .tls_signer = v->accepted && v->tls_signer };

	if (v->accepted && j->observation)
		memcpy(verdict.detail, j->observation->text, sizeof(verdict.detail));
	if (v->accepted)
		return verdict;
	/* If step and kind have the same name, one is enough. */
	if (strcmp(step, fmp_event_kind_name(v->kind)) == 0)
		step = "";
	if (v->line)
		snprintf(verdict.detail, sizeof(verdict.detail), "%s%s%s (line %u)", step,
			 *step ? ": " : "", v->detail, v->line);
	else
		snprintf(verdict.detail, sizeof(verdict.detail), "%s%s%s", step, *step ? ": " : "",
			 v->detail);
	return verdict;
}

void fmp_evaluate_cost(const struct fmp_evaluation *j, uint64_t cpu_ns, struct fmp_job_verdict *out)
{
	uint64_t sum_ns = 0;

	out->cpu_ns = cpu_ns;
	for (unsigned s = 0; s < FMP_STEPS; s++)
		sum_ns += j->v.step_ns[s];
	for (unsigned s = 0; s < FMP_STEPS; s++)
		if (j->v.step_ns[s])
			out->step_ns[s] = 1 + (uint64_t)((double)cpu_ns * (double)j->v.step_ns[s] /
							 (double)sum_ns);
}
