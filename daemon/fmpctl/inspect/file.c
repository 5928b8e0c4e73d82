// SPDX-License-Identifier: GPL-2.0
#include "file.h"

#include <stdio.h>
#include <stdlib.h>

#include "../lib/message_file.h"
#include "http_file.h"

static void refuse_file(struct inspect_run *r, const char *file, const char *detail)
{
	struct fmp_inspection v;

	verdict_refuse(&v, FMP_STEP_HTTP, FMP_EVENT_HTTP, detail);
	inspect_run_report(r, &(const struct verdict){ .file = file, .v = &v });
}

/* A file without an HTTP header. */
static void inspect_message(struct inspect_run *r, const char *file, const void *bytes, size_t len)
{
	const struct offline_services *services = inspect_run_single(r);
	struct fmp_message m = {
		.bytes = bytes,
		.len = len,
		.now_s = inspect_run_now(r),
		.answer = r->answer || (r->service && r->service->client),
	};
	struct fmp_inspection v = { 0 };
	struct fmp_inspector *inspector;

	if (!services)
		return;
	inspector = services->evaluator.service[0].inspector;
	if (fmp_inspect(inspector, &m, &v))
		verdict_refuse(&v, v.step, FMP_EVENT_CRASH, "memory ran out");
	fmp_evaluate_browser_page(inspector, &m, &v);
	inspect_run_report(r, &(const struct verdict){ .file = file, .v = &v });
	fmp_inspection_clear(&v);
}

static void inspect_request(struct inspect_run *r, const char *file, const unsigned char *bytes,
			    size_t len)
{
	if (r->answer)
		refuse_file(r, file,
			    "an HTTP request, not an answer: without --answer it is looked at");
	else if (r->service && r->service->client)
		refuse_file(r, file,
			    "an HTTP request, not an answer: of a <client> only answers are "
			    "looked at");
	else
		http_file_inspect_requests(r, file, bytes, len);
}

/* Nothing in a response tells whose it is. */
static void inspect_answer(struct inspect_run *r, const char *file, const unsigned char *bytes,
			   size_t len)
{
	if (r->answer || r->service || (r->has_policy && !r->policy->n_services))
		http_file_inspect_answers(r, file, bytes, len);
	else if (r->has_policy)
		refuse_file(r, file,
			    "an HTTP answer, which does not tell its service: --service NAME does");
	else
		refuse_file(r, file, "an HTTP answer, not a request: --answer looks at these");
}

int inspect_file(struct inspect_run *r, const char *file)
{
	struct fmp_error err;
	unsigned char *bytes;
	size_t len;

	if (message_file_read(file, &bytes, &len, &err)) {
		fprintf(stderr, "fmpctl: %s\n", err.message);
		return EXIT_USAGE;
	}
	if (http_file_is_answer(bytes, len))
		inspect_answer(r, file, bytes, len);
	else if (http_file_is_request(bytes, len))
		inspect_request(r, file, bytes, len);
	else
		inspect_message(r, file, bytes, len);
	free(bytes);
	return r->failed;
}
