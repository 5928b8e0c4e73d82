// SPDX-License-Identifier: GPL-2.0
/* Jobs, verdicts and answers between listener and worker: there and back, and what is refused. */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/job.h>

#define MAX (8u << 20)

static struct fmp_wire_in parse_job(const uint8_t *bytes, size_t len, uint16_t type)
{
	struct fmp_wire_in in;
	size_t used;

	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(fmp_wire_parse(bytes, len, MAX, &in, &used), 0);
	ck_assert_uint_eq(used, len);
	ck_assert_uint_eq(in.type, type);
	return in;
}

START_TEST(job_round_trip)
{
	static uint8_t body[300000];
	struct fmp_job job = { .body = body,
			       .len = sizeof(body),
			       .content_type = "text/xml; charset=utf-8",
			       .soap_action = "",
			       .has_action = true,
			       .observe = 7,
			       .clock_unset = true },
		       got;
	struct fmp_reply_context who;
	struct fmp_wire_in in;
	uint8_t *bytes;
	size_t len;

	memset(body, 0xa5, sizeof(body));
	bytes = fmp_job_encode(&job, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
	ck_assert_int_eq(fmp_job_decode(&in, &got, &who), 0);
	ck_assert_uint_eq(got.len, sizeof(body));
	ck_assert_mem_eq(got.body, body, sizeof(body));
	ck_assert_str_eq(got.content_type, job.content_type);
	ck_assert(got.has_action && !*got.soap_action && got.clock_unset && got.observe == 7);
	free(bytes);

	job.observe = 0;
	job.has_action = job.clock_unset = false;
	job.len = 0;
	bytes = fmp_job_encode(&job, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
	ck_assert_int_eq(fmp_job_decode(&in, &got, &who), 0);
	ck_assert(!got.has_action && !got.len && !got.clock_unset && !got.observe);
	free(bytes);
}
END_TEST

START_TEST(verdict_round_trip)
{
	struct fmp_job_verdict v = { .kind = FMP_EVENT_TIMEOUT,
				     .cpu_ns = 1234567,
				     .detail = "why" },
			       got;
	struct fmp_wire_in in;
	size_t len;
	uint8_t *bytes = fmp_job_verdict_encode(&v, &len);

	in = parse_job(bytes, len, FMP_JOB_MSG_VERDICT);
	ck_assert_int_eq(fmp_job_verdict_decode(&in, &got), 0);
	ck_assert_int_eq(got.kind, v.kind);
	ck_assert_uint_eq(got.cpu_ns, v.cpu_ns);
	ck_assert_str_eq(got.detail, "why");
	ck_assert_int_eq(got.lacks, FMP_LACKS_NOTHING);
	free(bytes);

	v.lacks = FMP_LACKS_CRL;
	bytes = fmp_job_verdict_encode(&v, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_VERDICT);
	ck_assert_int_eq(fmp_job_verdict_decode(&in, &got), 0);
	ck_assert_int_eq(got.lacks, FMP_LACKS_CRL);
	free(bytes);

	v.lacks = FMP_LACKS;
	bytes = fmp_job_verdict_encode(&v, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_VERDICT);
	ck_assert_int_eq(fmp_job_verdict_decode(&in, &got), FMP_ERR_SYNTAX);
	free(bytes);

	v.lacks = FMP_LACKS_NOTHING;
	v.kind = FMP_EVENT_KINDS;
	bytes = fmp_job_verdict_encode(&v, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_VERDICT);
	ck_assert_int_eq(fmp_job_verdict_decode(&in, &got), FMP_ERR_SYNTAX);
	free(bytes);
}
END_TEST

/* What is to be forgotten: as many as there are, and no half one. */
START_TEST(replay_keys_round_trip)
{
	for (unsigned n = 0; n <= FMP_REPLAY_KEYS_MAX; n++) {
		struct fmp_job_verdict v = { .replay_keys.n = n }, got;
		struct fmp_job job = { .body = "" }, got_job;
		struct fmp_reply_context who;
		struct fmp_wire_in in;
		uint8_t *bytes;
		size_t len;

		for (unsigned i = 0; i < n; i++)
			memset(v.replay_keys.key[i], (int)i + 1, sizeof(v.replay_keys.key[i]));
		bytes = fmp_job_verdict_encode(&v, &len);
		in = parse_job(bytes, len, FMP_JOB_MSG_VERDICT);
		ck_assert_int_eq(fmp_job_verdict_decode(&in, &got), 0);
		ck_assert_mem_eq(&got.replay_keys, &v.replay_keys, sizeof(v.replay_keys));
		free(bytes);

		job.replay_remove = v.replay_keys;
		bytes = fmp_job_encode(&job, &len);
		in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
		ck_assert_int_eq(fmp_job_decode(&in, &got_job, &who), 0);
		ck_assert_mem_eq(&got_job.replay_remove, &v.replay_keys, sizeof(v.replay_keys));
		ck_assert_int_eq(fmp_job_is_evaluated(&got_job), n > 0);
		free(bytes);
	}
}
END_TEST

START_TEST(replay_keys_are_bounded)
{
	static const size_t lengths[] = { 1, 63, 65, 127, 193, 256, 4000 };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		static const uint8_t keys[4000];
		uint8_t bytes[4200];
		struct fmp_wire_out w;
		struct fmp_wire_in in;
		struct fmp_job_verdict v;

		fmp_wire_begin(&w, bytes, sizeof(bytes), FMP_JOB_MSG_VERDICT);
		fmp_wire_put_u64(&w, 1, FMP_EVENT_GOOD);
		fmp_wire_put_u64(&w, 4, FMP_STEP_DONE);
		fmp_wire_put_bytes(&w, 7, keys, lengths[i]);
		ck_assert_int_eq(fmp_wire_end(&w), 0);
		in = parse_job(bytes, w.len, FMP_JOB_MSG_VERDICT);
		ck_assert_int_eq(fmp_job_verdict_decode(&in, &v), FMP_ERR_SYNTAX);
	}
}
END_TEST

static int answer_decodes(const struct fmp_job_reply *a, struct fmp_job_reply *got)
{
	struct fmp_wire_in in;
	size_t len;
	uint8_t *bytes = fmp_job_reply_encode(a, &len);
	int rc;

	in = parse_job(bytes, len, FMP_JOB_MSG_REPLY);
	rc = fmp_job_reply_decode(&in, got);
	if (!rc)
		ck_assert_mem_eq(got->body, a->body, a->len);
	free(bytes);
	return rc;
}

/* A worker that was taken over must not write headers of its own. */
START_TEST(answers_are_not_trusted)
{
	struct fmp_job_reply a = { .status = 200,
				   .content_type = "text/xml",
				   .body = "<a/>",
				   .len = 4,
				   .retire = true,
				   .cpu_ns = 1234567890123 },
			     got;

	ck_assert_int_eq(answer_decodes(&a, &got), 0);
	ck_assert(got.status == 200 && got.retire && got.len == 4);
	ck_assert_uint_eq(got.cpu_ns, 1234567890123);
	strcpy(a.content_type, "text/xml\r\nSet-Cookie: a=b");
	ck_assert_int_eq(answer_decodes(&a, &got), FMP_ERR_SYNTAX);
	strcpy(a.content_type, "text/xml");
	a.status = 100;
	ck_assert_int_eq(answer_decodes(&a, &got), FMP_ERR_SYNTAX);
	a.status = 600;
	ck_assert_int_eq(answer_decodes(&a, &got), FMP_ERR_SYNTAX);
}
END_TEST

static struct fmp_reply_context make_reply_context(void)
{
	static uint8_t certificate[FMP_REPLY_CONTEXT_CERTIFICATE],
		signature[FMP_REPLY_CONTEXT_SIGNATURE];
	struct fmp_reply_context r = { .certificate = certificate,
				       .certificate_len = sizeof(certificate),
				       .signature = signature,
				       .signature_len = sizeof(signature),
				       .addressing_2004 = true };

	memset(certificate, 0x30, sizeof(certificate));
	memset(signature, 0x5a, sizeof(signature));
	memset(r.message_id, 'm', sizeof(r.message_id) - 1);
	return r;
}

static void check_someone(const struct fmp_reply_context *got)
{
	const struct fmp_reply_context r = make_reply_context();

	ck_assert_uint_eq(got->certificate_len, r.certificate_len);
	ck_assert_mem_eq(got->certificate, r.certificate, r.certificate_len);
	ck_assert_uint_eq(got->signature_len, r.signature_len);
	ck_assert_mem_eq(got->signature, r.signature, r.signature_len);
	ck_assert_str_eq(got->message_id, r.message_id);
	ck_assert(got->addressing_2004);
}

/* The largest that there can be, through the listener and back to a worker. */
START_TEST(reply_context_round_trip)
{
	struct fmp_reply_context r = make_reply_context(), who;
	struct fmp_job job = { .body = "<a/>",
			       .len = 4,
			       .secure = true,
			       .status = 500,
			       .soap_version = 12,
			       .reply_context = &r },
		       got;
	struct fmp_job_forward f = { .body = "<b/>", .len = 4, .reply_context = r }, forwarded;
	struct fmp_wire_in in;
	size_t len;
	uint8_t *bytes;

	memset(f.content_type, 'a', sizeof(f.content_type) - 1);
	bytes = fmp_job_forward_encode(&f, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_FORWARD);
	ck_assert_int_eq(fmp_job_forward_decode(&in, &job, &forwarded), 0);
	check_someone(&forwarded.reply_context);
	free(bytes);

	memset(job.content_type, 'a', sizeof(job.content_type) - 1);
	bytes = fmp_job_encode(&job, &len);
	ck_assert_uint_le(len, job.len + FMP_JOB_HEAD + FMP_JOB_REPLY_CONTEXT_MAX);
	in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
	ck_assert_int_eq(fmp_job_decode(&in, &got, &who), 0);
	ck_assert(got.secure && got.status == 500 && got.soap_version == 12);
	check_someone(got.reply_context);
	free(bytes);
}
END_TEST

/* What a worker says of who asked is bounded. */
START_TEST(reply_context_is_bounded)
{
	static uint8_t large[FMP_REPLY_CONTEXT_CERTIFICATE + 1];
	struct fmp_reply_context who;
	struct fmp_reply_context r = { .certificate = large, .certificate_len = sizeof(large) };
	struct fmp_job job = { .body = "", .reply_context = &r }, got;
	struct fmp_wire_in in;
	size_t len;
	uint8_t *bytes = fmp_job_encode(&job, &len);

	in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
	ck_assert_int_eq(fmp_job_decode(&in, &got, &who), FMP_ERR_SYNTAX);
	free(bytes);
	r = (struct fmp_reply_context){ .signature = large,
					.signature_len = FMP_REPLY_CONTEXT_SIGNATURE + 1 };
	bytes = fmp_job_encode(&job, &len);
	in = parse_job(bytes, len, FMP_JOB_MSG_JOB);
	ck_assert_int_eq(fmp_job_decode(&in, &got, &who), FMP_ERR_SYNTAX);
	free(bytes);
}
END_TEST

static int forward_decodes(const struct fmp_job_forward *f, const struct fmp_job *job,
			   struct fmp_job_forward *got)
{
	struct fmp_wire_in in;
	size_t len;
	uint8_t *bytes = fmp_job_forward_encode(f, &len);
	int rc;

	in = parse_job(bytes, len, FMP_JOB_MSG_FORWARD);
	rc = fmp_job_forward_decode(&in, job, got);
	if (!rc)
		ck_assert_mem_eq(got->body, f->body, f->len);
	free(bytes);
	return rc;
}

START_TEST(forwarded_part_lies_in_the_job)
{
	static const char whole[] = "\xef\xbb\xbf<a/>";
	const struct fmp_job job = { .body = whole, .len = 7 };
	struct fmp_job_forward f = { .content_type = "text/xml",
				     .soap_version = 12,
				     .part = true,
				     .offset = 3,
				     .body = whole + 3,
				     .len = 4,
				     .cpu_ns = 77 },
			       got;

	ck_assert_int_eq(forward_decodes(&f, &job, &got), 0);
	ck_assert(got.part && got.body == whole + 3 && got.soap_version == 12);
	ck_assert_uint_eq(got.cpu_ns, 77);
	f.len = 5;
	ck_assert_int_eq(forward_decodes(&f, &job, &got), FMP_ERR_SYNTAX);
	f.offset = SIZE_MAX - 1;
	ck_assert_int_eq(forward_decodes(&f, &job, &got), FMP_ERR_SYNTAX);
	/* Bytes of its own: what was decrypted. */
	f = (struct fmp_job_forward){ .content_type = "text/xml", .body = "<b>new</b>", .len = 10 };
	ck_assert_int_eq(forward_decodes(&f, &job, &got), 0);
	ck_assert(!got.part && got.len == 10);
	strcpy(f.content_type, "text/xml\r\nTransfer-Encoding: chunked");
	ck_assert_int_eq(forward_decodes(&f, &job, &got), FMP_ERR_SYNTAX);
	f.content_type[0] = 0;
	ck_assert_int_eq(forward_decodes(&f, &job, &got), FMP_ERR_SYNTAX);
}
END_TEST

/* Cut anywhere and with any byte changed: an error or another message, never a read beyond it. */
START_TEST(damaged)
{
	struct fmp_job_reply a = { .status = 500,
				   .content_type = "text/xml",
				   .body = "<b/>",
				   .len = 4 },
			     got;
	size_t len, used;
	uint8_t *bytes = fmp_job_reply_encode(&a, &len);

	for (size_t i = 0; i < len; i++) {
		uint8_t *copy = malloc(len);
		struct fmp_wire_in in;

		memcpy(copy, bytes, len);
		copy[i] ^= 0x81;
		if (!fmp_wire_parse(copy, len, MAX, &in, &used) && !fmp_job_reply_decode(&in, &got))
			ck_assert_uint_le(got.len, len);
		free(copy);
		copy = malloc(i + 1);
		memcpy(copy, bytes, i);
		ck_assert_int_eq(fmp_wire_parse(copy, i, MAX, &in, &used), FMP_ERR_AGAIN);
		free(copy);
	}
	free(bytes);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("job");
	TCase *tc = tcase_create("messages");
	SRunner *runner;
	int failed;

	tcase_add_test(tc, job_round_trip);
	tcase_add_test(tc, verdict_round_trip);
	tcase_add_test(tc, replay_keys_round_trip);
	tcase_add_test(tc, replay_keys_are_bounded);
	tcase_add_test(tc, answers_are_not_trusted);
	tcase_add_test(tc, reply_context_round_trip);
	tcase_add_test(tc, reply_context_is_bounded);
	tcase_add_test(tc, forwarded_part_lies_in_the_job);
	tcase_add_test(tc, damaged);
	suite_add_tcase(suite, tc);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? 1 : 0;
}
