// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/job.h>

#include <stdlib.h>
#include <string.h>

enum {
	JOB_BODY = 1,
	JOB_TYPE,
	JOB_ACTION,
	JOB_CODING,
	JOB_SERVICE,
	JOB_WSA_ACTION_DECIDES,
	JOB_ANSWER,
	JOB_SECURE,
	JOB_STATUS,
	JOB_VERSION,
	JOB_REPLAY_REMOVE,
	JOB_CLOCK,
	JOB_NO_TRIES,
	JOB_PENDING,
	JOB_SOURCE,
	JOB_OBSERVE
};
enum {
	VERDICT_KIND = 1,
	VERDICT_CPU,
	VERDICT_DETAIL,
	VERDICT_STEP,
	VERDICT_SERVICE,
	VERDICT_STEPS,
	VERDICT_REPLAY_KEYS,
	VERDICT_LACKS,
	VERDICT_CBC_FAILED,
	VERDICT_TLS_SIGNER,
	VERDICT_NEEDS_PARTS,
};
enum {
	REPLY_STATUS = 1,
	REPLY_TYPE,
	REPLY_BODY,
	REPLY_RETIRE,
	REPLY_CPU
};

enum {
	FORWARD_TYPE = 1,
	FORWARD_VERSION,
	FORWARD_BODY,
	FORWARD_OFFSET,
	FORWARD_LENGTH,
	FORWARD_RETIRE,
	FORWARD_CPU,
	FORWARD_METHODS,
	FORWARD_SUBJECT,
	FORWARD_ISSUER,
	FORWARD_USER,
	FORWARD_REFERENCES,
};

_Static_assert(2 * FMP_IDENTITY_VALUE + FMP_IDENTITY_USER + 64 <= FMP_JOB_IDENTITY_MAX,
	       "an identity fits");

/* Reply context, in jobs and forwarded messages. */
enum {
	CONTEXT_CERTIFICATE = 32,
	CONTEXT_SIGNATURE,
	CONTEXT_MESSAGE_ID,
	CONTEXT_ADDRESSING_2004
};

static uint8_t *begin_message(struct fmp_wire_out *w, uint16_t type, size_t body)
{
	uint8_t *buf = malloc(FMP_JOB_HEAD + body);

	if (buf)
		fmp_wire_begin(w, buf, FMP_JOB_HEAD + body, type);
	return buf;
}

static uint8_t *end_message(struct fmp_wire_out *w, uint8_t *buf, size_t *len)
{
	if (fmp_wire_end(w)) {
		free(buf);
		return NULL;
	}
	*len = w->len;
	return buf;
}

static void put_reply_context(struct fmp_wire_out *w, const struct fmp_reply_context *r)
{
	if (r->certificate)
		fmp_wire_put_bytes(w, CONTEXT_CERTIFICATE, r->certificate, r->certificate_len);
	if (r->signature)
		fmp_wire_put_bytes(w, CONTEXT_SIGNATURE, r->signature, r->signature_len);
	if (!*r->message_id)
		return;
	fmp_wire_put_str(w, CONTEXT_MESSAGE_ID, r->message_id);
	fmp_wire_put_u64(w, CONTEXT_ADDRESSING_2004, r->addressing_2004);
}

static int get_reply_context(const struct fmp_wire_field *f, struct fmp_reply_context *r)
{
	uint64_t addressing_2004 = 0;
	int rc = 0;

	if (f->id == CONTEXT_CERTIFICATE && f->len <= FMP_REPLY_CONTEXT_CERTIFICATE) {
		r->certificate = f->data;
		r->certificate_len = f->len;
	} else if (f->id == CONTEXT_SIGNATURE && f->len <= FMP_REPLY_CONTEXT_SIGNATURE) {
		r->signature = f->data;
		r->signature_len = f->len;
	} else if (f->id == CONTEXT_MESSAGE_ID) {
		rc = fmp_wire_get_str(f, r->message_id, sizeof(r->message_id));
	} else if (f->id == CONTEXT_ADDRESSING_2004) {
		rc = fmp_wire_get_u64(f, &addressing_2004);
		r->addressing_2004 = addressing_2004 != 0;
	} else if (f->id >= CONTEXT_CERTIFICATE) {
		rc = FMP_ERR_SYNTAX;
	}
	return rc;
}

static void put_replay_keys(struct fmp_wire_out *w, uint16_t id, const struct fmp_replay_keys *r)
{
	if (r->n)
		fmp_wire_put_bytes(w, id, r->key, r->n * sizeof(r->key[0]));
}

static int get_replay_keys(const struct fmp_wire_field *f, struct fmp_replay_keys *r)
{
	if (f->len > sizeof(r->key) || f->len % sizeof(r->key[0]))
		return FMP_ERR_SYNTAX;
	memcpy(r->key, f->data, f->len);
	r->n = (unsigned)(f->len / sizeof(r->key[0]));
	return 0;
}

uint8_t *fmp_job_encode(const struct fmp_job *job, size_t *len)
{
	struct fmp_wire_out w;
	uint8_t *buf =
		begin_message(&w, FMP_JOB_MSG_JOB,
			      job->len + (job->reply_context ? FMP_JOB_REPLY_CONTEXT_MAX : 0));

	if (!buf)
		return NULL;
	fmp_wire_put_str(&w, JOB_TYPE, job->content_type);
	if (job->has_action)
		fmp_wire_put_str(&w, JOB_ACTION, job->soap_action);
	fmp_wire_put_u64(&w, JOB_CODING, job->coding);
	fmp_wire_put_u64(&w, JOB_SERVICE, job->service);
	fmp_wire_put_u64(&w, JOB_WSA_ACTION_DECIDES, job->wsa_action_decides);
	fmp_wire_put_u64(&w, JOB_ANSWER, job->answer);
	if (job->source.family)
		fmp_wire_put_addr(&w, JOB_SOURCE, &job->source);
	if (job->clock_unset)
		fmp_wire_put_u64(&w, JOB_CLOCK, 1);
	if (job->decrypt_budget_spent)
		fmp_wire_put_u64(&w, JOB_NO_TRIES, 1);
	if (job->pending)
		fmp_wire_put_u64(&w, JOB_PENDING, 1);
	if (job->observe)
		fmp_wire_put_u64(&w, JOB_OBSERVE, job->observe);
	if (job->secure) {
		fmp_wire_put_u64(&w, JOB_SECURE, 1);
		fmp_wire_put_u64(&w, JOB_STATUS, (uint64_t)job->status);
	}
	if (job->secure || job->answer)
		fmp_wire_put_u64(&w, JOB_VERSION, (uint64_t)job->soap_version);
	if (job->reply_context)
		put_reply_context(&w, job->reply_context);
	put_replay_keys(&w, JOB_REPLAY_REMOVE, &job->replay_remove);
	fmp_wire_put_bytes(&w, JOB_BODY, job->body, job->len);
	return end_message(&w, buf, len);
}

uint8_t *fmp_job_verdict_encode(const struct fmp_job_verdict *v, size_t *len)
{
	struct fmp_wire_out w;
	uint8_t *buf = begin_message(&w, FMP_JOB_MSG_VERDICT, 0);

	if (!buf)
		return NULL;
	fmp_wire_put_u64(&w, VERDICT_KIND, v->kind);
	fmp_wire_put_u64(&w, VERDICT_CPU, v->cpu_ns);
	fmp_wire_put_u64(&w, VERDICT_STEP, v->step);
	fmp_wire_put_u64(&w, VERDICT_SERVICE, v->service);
	if (v->lacks)
		fmp_wire_put_u64(&w, VERDICT_LACKS, v->lacks);
	if (v->cbc_failed)
		fmp_wire_put_u64(&w, VERDICT_CBC_FAILED, 1);
	if (v->tls_signer)
		fmp_wire_put_u64(&w, VERDICT_TLS_SIGNER, 1);
	if (v->needs_parts)
		fmp_wire_put_u64(&w, VERDICT_NEEDS_PARTS, 1);
	fmp_wire_put_bytes(&w, VERDICT_STEPS, v->step_ns, sizeof(v->step_ns));
	put_replay_keys(&w, VERDICT_REPLAY_KEYS, &v->replay_keys);
	fmp_wire_put_str(&w, VERDICT_DETAIL, v->detail);
	return end_message(&w, buf, len);
}

uint8_t *fmp_job_reply_encode(const struct fmp_job_reply *a, size_t *len)
{
	struct fmp_wire_out w;
	uint8_t *buf = begin_message(&w, FMP_JOB_MSG_REPLY, a->len);

	if (!buf)
		return NULL;
	fmp_wire_put_u64(&w, REPLY_STATUS, (uint64_t)a->status);
	fmp_wire_put_str(&w, REPLY_TYPE, a->content_type);
	fmp_wire_put_u64(&w, REPLY_RETIRE, a->retire);
	fmp_wire_put_u64(&w, REPLY_CPU, a->cpu_ns);
	fmp_wire_put_bytes(&w, REPLY_BODY, a->body, a->len);
	return end_message(&w, buf, len);
}

static void put_identity(struct fmp_wire_out *w, const struct fmp_identity_fields *id)
{
	fmp_wire_put_u64(w, FORWARD_METHODS, id->methods);
	fmp_wire_put_str(w, FORWARD_SUBJECT, id->subject);
	fmp_wire_put_str(w, FORWARD_ISSUER, id->issuer);
	fmp_wire_put_str(w, FORWARD_USER, id->user);
}

/* The values become fields: do not trust a worker with control characters. */
static int get_identity(const struct fmp_wire_field *f, struct fmp_identity_fields *id)
{
	uint64_t methods = 0;
	int rc;

	switch (f->id) {
	case FORWARD_METHODS:
		rc = fmp_wire_get_u64(f, &methods);
		id->methods = (unsigned)methods;
		return rc || methods >= FMP_ASSURANCE_BIT(FMP_ASSURANCES) ? FMP_ERR_SYNTAX : 0;
	case FORWARD_SUBJECT:
		rc = fmp_wire_get_str(f, id->subject, sizeof(id->subject));
		return rc || !fmp_identity_value_is_valid(id->subject) ? FMP_ERR_SYNTAX : 0;
	case FORWARD_ISSUER:
		rc = fmp_wire_get_str(f, id->issuer, sizeof(id->issuer));
		return rc || !fmp_identity_value_is_valid(id->issuer) ? FMP_ERR_SYNTAX : 0;
	default:
		rc = fmp_wire_get_str(f, id->user, sizeof(id->user));
		return rc || !fmp_identity_value_is_valid(id->user) ? FMP_ERR_SYNTAX : 0;
	}
}

uint8_t *fmp_job_forward_encode(const struct fmp_job_forward *f, size_t *len)
{
	struct fmp_wire_out w;
	const struct fmp_reply_context *r = &f->reply_context;
	bool known = r->certificate || r->signature || *r->message_id;
	uint8_t *buf = begin_message(&w, FMP_JOB_MSG_FORWARD,
				     (f->part ? 0 : f->len) + f->references_len +
					     (known ? FMP_JOB_REPLY_CONTEXT_MAX : 0) +
					     (f->identity.methods ? FMP_JOB_IDENTITY_MAX : 0));

	if (!buf)
		return NULL;
	fmp_wire_put_str(&w, FORWARD_TYPE, f->content_type);
	fmp_wire_put_u64(&w, FORWARD_VERSION, (uint64_t)f->soap_version);
	fmp_wire_put_u64(&w, FORWARD_RETIRE, f->retire);
	fmp_wire_put_u64(&w, FORWARD_CPU, f->cpu_ns);
	if (known)
		put_reply_context(&w, r);
	if (f->identity.methods)
		put_identity(&w, &f->identity);
	if (f->references)
		fmp_wire_put_bytes(&w, FORWARD_REFERENCES, f->references, f->references_len);
	if (f->part) {
		fmp_wire_put_u64(&w, FORWARD_OFFSET, f->offset);
		fmp_wire_put_u64(&w, FORWARD_LENGTH, f->len);
	} else {
		fmp_wire_put_bytes(&w, FORWARD_BODY, f->body, f->len);
	}
	return end_message(&w, buf, len);
}

int fmp_job_decode(struct fmp_wire_in *in, struct fmp_job *job,
		   struct fmp_reply_context *reply_context)
{
	uint64_t coding = FMP_CONTENT_CODING_IDENTITY, service = 0, open = 0, answer = 0;
	uint64_t secure = 0, status = 0, version = 0, unset = 0, spent = 0, pending = 0,
		 observe = 0;
	struct fmp_wire_field f;
	int rc;

	memset(job, 0, sizeof(*job));
	memset(reply_context, 0, sizeof(*reply_context));
	job->reply_context = reply_context;
	while ((rc = fmp_wire_next(in, &f)) == 1) {
		if (f.id == JOB_BODY) {
			job->body = f.data;
			job->len = f.len;
		} else if (f.id == JOB_TYPE) {
			rc = fmp_wire_get_str(&f, job->content_type, sizeof(job->content_type));
		} else if (f.id == JOB_ACTION) {
			rc = fmp_wire_get_str(&f, job->soap_action, sizeof(job->soap_action));
			job->has_action = true;
		} else if (f.id == JOB_CODING) {
			rc = fmp_wire_get_u64(&f, &coding);
		} else if (f.id == JOB_SERVICE) {
			rc = fmp_wire_get_u64(&f, &service);
		} else if (f.id == JOB_WSA_ACTION_DECIDES) {
			rc = fmp_wire_get_u64(&f, &open);
		} else if (f.id == JOB_ANSWER) {
			rc = fmp_wire_get_u64(&f, &answer);
		} else if (f.id == JOB_SECURE) {
			rc = fmp_wire_get_u64(&f, &secure);
		} else if (f.id == JOB_STATUS) {
			rc = fmp_wire_get_u64(&f, &status);
		} else if (f.id == JOB_VERSION) {
			rc = fmp_wire_get_u64(&f, &version);
		} else if (f.id == JOB_REPLAY_REMOVE) {
			rc = get_replay_keys(&f, &job->replay_remove);
		} else if (f.id == JOB_SOURCE) {
			rc = fmp_wire_get_addr(&f, &job->source);
		} else if (f.id == JOB_CLOCK) {
			rc = fmp_wire_get_u64(&f, &unset);
		} else if (f.id == JOB_NO_TRIES) {
			rc = fmp_wire_get_u64(&f, &spent);
		} else if (f.id == JOB_PENDING) {
			rc = fmp_wire_get_u64(&f, &pending);
		} else if (f.id == JOB_OBSERVE) {
			rc = fmp_wire_get_u64(&f, &observe);
		} else {
			rc = get_reply_context(&f, reply_context);
		}
		if (rc < 0)
			return rc;
	}
	if (rc || !job->body || coding > FMP_CONTENT_CODING_DEFLATE || service >= FMP_SERVICES_MAX)
		return FMP_ERR_SYNTAX;
	job->coding = (enum fmp_content_coding)coding;
	job->service = (unsigned)service;
	job->wsa_action_decides = open != 0;
	job->answer = answer != 0;
	job->secure = secure != 0;
	job->clock_unset = unset != 0;
	job->decrypt_budget_spent = spent != 0;
	job->pending = pending != 0;
	job->observe = (unsigned)observe;
	job->status = status < 600 ? (int)status : 0;
	job->soap_version = version == 12 ? 12 : 11;
	return 0;
}

/* A worker is the same program: the number of steps must be equal. */
static int get_step_times(const struct fmp_wire_field *f, uint64_t out[FMP_STEPS])
{
	if (f->len != FMP_STEPS * sizeof(*out))
		return FMP_ERR_SYNTAX;
	memcpy(out, f->data, f->len);
	return 0;
}

int fmp_job_verdict_decode(struct fmp_wire_in *in, struct fmp_job_verdict *v)
{
	struct fmp_wire_field f;
	uint64_t kind = FMP_EVENT_KINDS, step = FMP_STEPS, service = 0, lacks = 0, cbc_failed = 0,
		 tls_signer = 0, needs_parts = 0;
	int rc;

	memset(v, 0, sizeof(*v));
	while ((rc = fmp_wire_next(in, &f)) == 1) {
		if (f.id == VERDICT_KIND)
			rc = fmp_wire_get_u64(&f, &kind);
		else if (f.id == VERDICT_CPU)
			rc = fmp_wire_get_u64(&f, &v->cpu_ns);
		else if (f.id == VERDICT_STEP)
			rc = fmp_wire_get_u64(&f, &step);
		else if (f.id == VERDICT_SERVICE)
			rc = fmp_wire_get_u64(&f, &service);
		else if (f.id == VERDICT_LACKS)
			rc = fmp_wire_get_u64(&f, &lacks);
		else if (f.id == VERDICT_CBC_FAILED)
			rc = fmp_wire_get_u64(&f, &cbc_failed);
		else if (f.id == VERDICT_TLS_SIGNER)
			rc = fmp_wire_get_u64(&f, &tls_signer);
		else if (f.id == VERDICT_NEEDS_PARTS)
			rc = fmp_wire_get_u64(&f, &needs_parts);
		else if (f.id == VERDICT_STEPS)
			rc = get_step_times(&f, v->step_ns);
		else if (f.id == VERDICT_REPLAY_KEYS)
			rc = get_replay_keys(&f, &v->replay_keys);
		else if (f.id == VERDICT_DETAIL)
			rc = fmp_wire_get_str(&f, v->detail, sizeof(v->detail));
		if (rc < 0)
			return rc;
	}
	if (rc < 0 || kind >= FMP_EVENT_KINDS || step >= FMP_STEPS || service >= FMP_SERVICES_MAX ||
	    lacks >= FMP_LACKS)
		return FMP_ERR_SYNTAX;
	v->step = (enum fmp_step)step;
	v->service = (unsigned)service;
	v->kind = (enum fmp_event_kind)kind;
	v->lacks = (enum fmp_lack)lacks;
	v->cbc_failed = cbc_failed != 0;
	v->tls_signer = tls_signer != 0;
	v->needs_parts = needs_parts != 0;
	return 0;
}

/* The value goes into a header: do not trust a worker with control characters. */
static bool is_field_value(const char *p)
{
	for (; *p; p++)
		if ((unsigned char)*p < 0x20 || *p == 0x7f)
			return false;
	return true;
}

int fmp_job_reply_decode(struct fmp_wire_in *in, struct fmp_job_reply *a)
{
	struct fmp_wire_field f;
	uint64_t status = 0, retire = 0;
	int rc;

	memset(a, 0, sizeof(*a));
	while ((rc = fmp_wire_next(in, &f)) == 1) {
		if (f.id == REPLY_STATUS)
			rc = fmp_wire_get_u64(&f, &status);
		else if (f.id == REPLY_TYPE)
			rc = fmp_wire_get_str(&f, a->content_type, sizeof(a->content_type));
		else if (f.id == REPLY_RETIRE)
			rc = fmp_wire_get_u64(&f, &retire);
		else if (f.id == REPLY_CPU)
			rc = fmp_wire_get_u64(&f, &a->cpu_ns);
		else if (f.id == REPLY_BODY) {
			a->body = f.data;
			a->len = f.len;
		}
		if (rc < 0)
			return rc;
	}
	if (rc < 0 || status < 200 || status > 599)
		return FMP_ERR_SYNTAX;
	a->status = (int)status;
	a->retire = retire != 0;
	return is_field_value(a->content_type) ? 0 : FMP_ERR_SYNTAX;
}

int fmp_job_forward_decode(struct fmp_wire_in *in, const struct fmp_job *job,
			   struct fmp_job_forward *f)
{
	uint64_t version = 0, retire = 0, offset = 0, length = 0;
	struct fmp_wire_field field;
	int rc;

	memset(f, 0, sizeof(*f));
	while ((rc = fmp_wire_next(in, &field)) == 1) {
		if (field.id == FORWARD_TYPE)
			rc = fmp_wire_get_str(&field, f->content_type, sizeof(f->content_type));
		else if (field.id == FORWARD_VERSION)
			rc = fmp_wire_get_u64(&field, &version);
		else if (field.id == FORWARD_RETIRE)
			rc = fmp_wire_get_u64(&field, &retire);
		else if (field.id == FORWARD_CPU)
			rc = fmp_wire_get_u64(&field, &f->cpu_ns);
		else if (field.id == FORWARD_OFFSET)
			rc = fmp_wire_get_u64(&field, &offset);
		else if (field.id == FORWARD_LENGTH)
			rc = fmp_wire_get_u64(&field, &length);
		else if (field.id >= FORWARD_METHODS && field.id <= FORWARD_USER)
			rc = get_identity(&field, &f->identity);
		else if (field.id == FORWARD_REFERENCES) {
			f->references = (const char *)field.data;
			f->references_len = field.len;
		} else if (field.id == FORWARD_BODY) {
			f->body = field.data;
			f->len = field.len;
		} else {
			rc = get_reply_context(&field, &f->reply_context);
		}
		if (rc < 0)
			return rc;
	}
	if (rc < 0 || offset > job->len || length > job->len - offset ||
	    !is_field_value(f->content_type) || !*f->content_type)
		return FMP_ERR_SYNTAX;
	f->part = !f->body;
	if (f->part) {
		f->offset = (size_t)offset;
		f->body = (const uint8_t *)job->body + offset;
		f->len = (size_t)length;
	}
	f->soap_version = version == 12 ? 12 : 11;
	f->retire = retire != 0;
	return 0;
}
