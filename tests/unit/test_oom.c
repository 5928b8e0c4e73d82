// SPDX-License-Identifier: GPL-2.0
/*
 * Out of memory in libxml2 is not the sender's fault: no good message is called bad because of it.
 */
#include <fcntl.h>
#include <libxml/xmlmemory.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/secure.h>

#include "run.h"
#include "vectors.h"

#define ORDER                                                                              \
	"<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Body>"               \
	"<submitOrder xmlns='urn:fmp:orders'><orderId>1</orderId><customer>A B</customer>" \
	"<date>2026-11-21T03:00:00Z</date>"
#define ITEM "<item><sku>ABC-123456</sku><qty>1</qty><price>4.50</price></item>\n"
#define END  "</submitOrder></Body></Envelope>"

#define LARGE  4000 /* items: large enough for streaming validation */
#define FIRST  80 /* each of so many allocations ... */
#define SAMPLE 20 /* ... and so many of those behind them */

static long allocations, first_to_fail, last_to_fail;

static bool should_fail(void)
{
	long n = allocations++;

	return n >= first_to_fail && n <= last_to_fail;
}

static void *failing_malloc(size_t n)
{
	return should_fail() ? NULL : malloc(n);
}

static void *failing_realloc(void *p, size_t n)
{
	return should_fail() ? NULL : realloc(p, n);
}

static char *failing_strdup(const char *text)
{
	return should_fail() ? NULL : strdup(text);
}

static struct bytes order_of(unsigned items)
{
	struct bytes b = { malloc(sizeof(ORDER ITEM END) + items * strlen(ITEM)), 0 };
	char *p;

	ck_assert_ptr_nonnull(b.p);
	p = stpcpy(b.p, ORDER);
	while (items--)
		p = stpcpy(p, ITEM);
	b.len = (size_t)(stpcpy(p, END) - b.p);
	return b;
}

/* A message to inspect, or an answer to sign. */
struct subject {
	struct fmp_inspector *inspector;
	struct fmp_securer *securer;
	struct bytes b;
};

enum {
	DONE = 10, /* no status of a sanitizer's */
	NO_MEMORY,
	REFUSED,
	DIED
};

static int inspect_subject(const struct subject *s)
{
	struct fmp_message m = { .bytes = s->b.p, .len = s->b.len, .now_s = VECTORS_NOW };
	struct fmp_inspection v;
	int ret = fmp_inspect(s->inspector, &m, &v), is = REFUSED;

	if (!ret && v.accepted)
		is = DONE;
	else if (ret == FMP_ERR_NOMEM && v.kind == FMP_EVENT_GOOD)
		is = NO_MEMORY;
	else
		printf("%s: %s\n", fmp_event_kind_name(v.kind), v.detail);
	fmp_inspection_clear(&v);
	return is;
}

static int secure_subject(const struct subject *s)
{
	struct fmp_reply_context nobody = { 0 };
	struct fmp_reply reply = {
		.bytes = s->b.p, .len = s->b.len, .now_s = VECTORS_NOW, .reply_context = &nobody
	};
	struct fmp_secured out;
	int ret = fmp_secure(s->securer, &reply, &out);
	int is = !ret && out.bytes ? DONE : ret == FMP_ERR_NOMEM ? NO_MEMORY : REFUSED;

	if (is == REFUSED)
		printf("answer: %s\n", out.detail);
	fmp_secured_clear(&out);
	return is;
}

static int try_subject(const struct subject *s)
{
	return s->securer ? secure_subject(s) : inspect_subject(s);
}

/* In a process of its own: libxml2 leaks after a failed allocation, and may crash. */
static int run_in_child(const struct subject *s, long first, long last)
{
	pid_t pid = fork();
	int status, is;

	ck_assert_int_ge(pid, 0);
	if (pid) {
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		is = WIFEXITED(status) ? WEXITSTATUS(status) : DIED;
		return is < DONE || is > DIED ? DIED : is;
	}
	/* How libxml2 crashes does not matter here. */
	ck_assert_int_ge(dup2(open("/dev/null", O_WRONLY), STDERR_FILENO), 0);
	allocations = 0;
	first_to_fail = first;
	last_to_fail = last;
	is = try_subject(s);
	fflush(stdout);
	_exit(is);
}

/* In a process of its own too: a parser that was used needs less memory. */
static long count_allocations(const struct subject *s)
{
	int ends[2];
	long n = 0;
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (!pid) {
		allocations = 0;
		n = try_subject(s) == DONE ? allocations : 0;
		_exit(write(ends[1], &n, sizeof(n)) != sizeof(n));
	}
	ck_assert_int_eq(read(ends[0], &n, sizeof(n)), sizeof(n));
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	close(ends[0]);
	close(ends[1]);
	return n;
}

static void fail_allocations(const struct subject *s)
{
	unsigned is[DIED + 1] = { 0 };
	long all = count_allocations(s), step = all / SAMPLE + 1;

	ck_assert_int_gt(all, 0);
	for (long n = 0; n < all; n += n < FIRST ? 1 : step) {
		is[run_in_child(s, n, n)]++;
		is[run_in_child(s, n, LONG_MAX)]++;
	}
	ck_assert_uint_eq(is[REFUSED], 0);
	ck_assert_uint_eq(is[DONE], 0);
	ck_assert_uint_gt(is[NO_MEMORY], 9 * is[DIED]);
}

static const struct {
	enum fmp_security security;
	unsigned items;
	bool libxml2_only;
} rows[] = {
	{ FMP_SECURITY_BC, 2, false },	   { FMP_SECURITY_BC, 2, true },
	{ FMP_SECURITY_BCV, 2, false },	   { FMP_SECURITY_BCV, 2, true },
	{ FMP_SECURITY_BC, LARGE, false }, { FMP_SECURITY_BCV, LARGE, true },
};

START_TEST(no_good_message_is_charged)
{
	struct fmp_inspect_config cfg = vector_config(rows[_i].security);
	struct subject s = { .b = order_of(rows[_i].items) };

	cfg.xmlsec_only = rows[_i].libxml2_only;
	s.inspector = make_inspector(&cfg);
	fail_allocations(&s);
	fmp_inspector_free(s.inspector);
	free(s.b.p);
}
END_TEST

/* No answer is signed with a part missing. */
START_TEST(no_answer_is_half_there)
{
	struct fmp_policy_answers a = { .sign = FMP_SIGN_RSA_SHA256, .timestamp_ms = 300000 };
	struct fmp_policy_limits limits = vector_limits();
	struct subject s = { .b = order_of(2) };

	strcpy(a.certificate, tests_path("interop/vectors/pki/server.crt"));
	strcpy(a.key, tests_path("interop/vectors/pki/server.key"));
	ck_assert_int_eq(fmp_securer_new(&a, &limits, NULL, &s.securer, NULL), 0);
	fail_allocations(&s);
	fmp_securer_free(s.securer);
	free(s.b.p);
}
END_TEST

static void setup(void)
{
	first_to_fail = LONG_MAX;
	vectors_setup();
}

int main(void)
{
	TCase *tc = tcase_create("oom");

	/* Before libxml2 allocates anything. */
	if (xmlMemSetup(free, failing_malloc, failing_realloc, failing_strdup) != 0)
		return EXIT_FAILURE;
	tcase_add_checked_fixture(tc, setup, vectors_teardown);
	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, no_good_message_is_charged, 0, sizeof(rows) / sizeof(*rows));
	tcase_add_test(tc, no_answer_is_half_there);
	return run_tcase("oom", tc);
}
