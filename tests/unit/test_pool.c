// SPDX-License-Identifier: GPL-2.0
/* Workers that were taken over: what they keep from the others, they don't keep for long. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../daemon/gateway/workers/pool.h"
#include "../../daemon/gateway/sandbox/sandbox.h"
#include "../../daemon/gateway/service/service.h"
#include "../../daemon/gateway/workers/fork_server.h"
#include "../../daemon/gateway/workers/worker.h"
#include "wss/replay.h"
#include "run.h"

#define WORKER_MS 3000
#define GUARD_S	  20 /* much longer than anything here needs */

static struct fmpi_replay *replays;
static struct gw_settings settings;
static struct event_base *base;
static struct gw_pool *pool;
static struct shared {
	atomic_uint begun;
	pid_t pid[16], answered; /* of those that began; of who answered last */
	unsigned service; /* that they select */
	bool retires; /* the first that answers says that it ends, and stays */
} * shared; /* with the workers */

/* ---- what else the gateway is made of ---- */

int gw_services_shared_fd(const struct gw_settings *s)
{
	return fmpi_replay_fd(replays);
}

int gw_services_shared_holder(const struct gw_settings *s)
{
	return fmpi_replay_lock_owner(replays);
}

size_t gw_services_max_result(const struct gw_settings *s)
{
	return 1024;
}

int gw_sandbox_enter(enum gw_role role, const char *user, unsigned connections,
		     struct fmp_error *err)
{
	return 0;
}

int gw_sandbox_worker(int shared_fd, size_t memory, struct fmp_error *err)
{
	return 0;
}

/* ---- workers ---- */

static void send_all(int fd, uint8_t *bytes, size_t len)
{
	if (send(fd, bytes, len, MSG_NOSIGNAL) != (ssize_t)len)
		_exit(2);
	free(bytes);
}

static void send_reply(int fd, bool retire)
{
	const struct fmp_job_verdict v = { .kind = FMP_EVENT_GOOD,
					   .step = FMP_STEP_DONE,
					   .service = shared->service };
	const struct fmp_job_reply a = { .status = 200, .body = "", .retire = retire };
	size_t len;
	uint8_t *bytes = fmp_job_verdict_encode(&v, &len);

	send_all(fd, bytes, len);
	bytes = fmp_job_reply_encode(&a, &len);
	send_all(fd, bytes, len);
}

/* The number of the message is a job's first byte. */
static bool take_job(int fd)
{
	struct fmpi_replay_key k = { .created_ms = 1000, .until_ms = 2000 };
	uint8_t job[FMP_JOB_HEAD + 1024];
	uint32_t length;

	if (recv(fd, &length, sizeof(length), MSG_WAITALL) != sizeof(length) ||
	    ntohl(length) > sizeof(job) ||
	    recv(fd, job, ntohl(length), MSG_WAITALL) != (ssize_t)ntohl(length))
		return false;
	k.id[0] = job[ntohl(length) - 1];
	return fmpi_replay_insert(replays, &k, 1000) == FMPI_REPLAY_NEW;
}

static void keep_the_lock(int sig)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };

	if (fcntl(fmpi_replay_fd(replays), F_SETLKW, &l))
		_exit(3);
	for (;;)
		pause();
}

int gw_worker_run(const struct gw_settings *s, int fd)
{
	signal(SIGUSR1, keep_the_lock);
	shared->pid[atomic_fetch_add(&shared->begun, 1) % 16] = getpid();
	while (take_job(fd)) {
		bool retire = shared->retires;

		shared->answered = getpid();
		shared->retires = false;
		send_reply(fd, retire);
		while (retire)
			pause();
	}
	return 0;
}

/* ---- the listener ---- */

struct message {
	struct gw_task task;
	uint8_t number;
	bool answered, lost;
	enum fmp_event_kind kind; /* that it was lost by */
};

static void on_verdict(struct gw_task *t, const struct fmp_job_verdict *v)
{
}

static void on_answer(struct gw_task *t, const struct fmp_job_reply *a)
{
	((struct message *)t)->answered = true;
	event_base_loopbreak(base);
}

static void on_forward(struct gw_task *t, const struct fmp_job_forward *f)
{
	ck_abort_msg("nothing is forwarded here");
}

static void on_lost(struct gw_task *t, enum fmp_event_kind kind, uint64_t cpu_ns,
		    const char *detail)
{
	fprintf(stderr, "lost: %s: %s\n", fmp_event_kind_name(kind), detail);
	((struct message *)t)->lost = true;
	((struct message *)t)->kind = kind;
	event_base_loopbreak(base);
}

static void submit_job(struct message *m, uint8_t number, unsigned forget, bool selects)
{
	const struct timeval guard = { GUARD_S, 0 };

	*m = (struct message){ .task = { .job = { .body = &m->number,
						  .len = 1,
						  .wsa_action_decides = selects,
						  .replay_remove = { .n = forget } },
					 .verdict = on_verdict,
					 .reply = on_answer,
					 .forward = on_forward,
					 .lost = on_lost },
			       .number = number };
	gw_pool_submit(pool, &m->task);
	event_base_loopexit(base, &guard);
	event_base_dispatch(base);
}

static void submit_task(struct message *m, uint8_t number, unsigned forget)
{
	submit_job(m, number, forget, false);
}

/* Is it answered in the end? */
static bool is_answered(uint8_t number)
{
	struct message m;

	submit_task(&m, number, 0);
	return m.answered && !m.lost;
}

static void start_pool(unsigned workers)
{
	struct fmp_error err;

	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	ck_assert(shared != MAP_FAILED);
	ck_assert_int_eq(fmpi_replay_new(NULL, 64, 64, 0, &replays, &err), 0);
	settings = (struct gw_settings){ .policy = fmp_policy_default(),
					 .key_agent_fd = -1,
					 .client_agent_fd = -1 };
	settings.policy->gateway.workers = workers;
	settings.policy->gateway.worker_timeout_ms = WORKER_MS;
	settings.evaluator.n_services = 1;
	settings.fork_server_fd = gw_fork_server_new(&settings, &err);
	ck_assert_int_ge(settings.fork_server_fd, 0);
	base = event_base_new();
	pool = gw_pool_new(base, &settings);
	ck_assert_ptr_nonnull(pool);
}

static void end_pool(void)
{
	gw_pool_free(pool);
	event_base_free(base);
	close(settings.fork_server_fd);
	fmp_policy_free(settings.policy);
	fmpi_replay_free(replays);
	munmap(shared, sizeof(*shared));
}

static int wait_for_holder(void)
{
	int pid = 0;

	for (int i = 0; i < GUARD_S * 100 && !(pid = fmpi_replay_lock_owner(replays)); i++)
		usleep(10000);
	ck_assert_int_ne(pid, 0);
	return pid;
}

/* A worker that has the lock without a message is ended; who waited for it is not charged. */
START_TEST(the_lock_of_a_worker_without_a_message)
{
	pid_t hostile;

	start_pool(2);
	/* Who answers one answers the next, too. */
	ck_assert(is_answered(1));
	while (!shared->pid[0] || !shared->pid[1])
		usleep(1000);
	hostile = shared->pid[shared->pid[0] == shared->answered];
	ck_assert_int_eq(kill(hostile, SIGUSR1), 0);
	ck_assert_int_eq(wait_for_holder(), hostile);
	ck_assert(is_answered(2));
	ck_assert_int_ne(fmpi_replay_lock_owner(replays), hostile);
	ck_assert(kill(hostile, 0) && errno == ESRCH);
	ck_assert(is_answered(3));
	end_pool();
}
END_TEST

/* Another gateway's, that ends soon: what it keeps waiting is not lost. */
START_TEST(the_lock_of_a_process_that_is_no_worker)
{
	struct flock l = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1 };
	pid_t other;

	start_pool(1);
	other = fork();
	if (!other) {
		if (fcntl(fmpi_replay_fd(replays), F_SETLKW, &l))
			_exit(1);
		usleep(WORKER_MS * 1500);
		_exit(0);
	}
	ck_assert_int_eq(wait_for_holder(), other);
	ck_assert(is_answered(1));
	waitpid(other, NULL, 0);
	end_pool();
}
END_TEST

/* One that says it ends and does not leaves its place to another one. */
START_TEST(a_worker_that_retires_and_stays)
{
	start_pool(1);
	shared->retires = true;
	ck_assert(is_answered(1));
	ck_assert(is_answered(2));
	end_pool();
}
END_TEST

/* It was judged before: a worker that judges it once more, as these do, has nobody charged. */
START_TEST(no_verdict_of_what_is_to_be_forgotten)
{
	struct message m;

	start_pool(1);
	submit_task(&m, 1, 1);
	ck_assert(m.lost && !m.answered);
	ck_assert_int_eq(m.kind, FMP_EVENT_GOOD);
	ck_assert(is_answered(2));
	end_pool();
}
END_TEST

/* One that was taken over would lead a message to a service that it was not sent to. */
START_TEST(a_service_of_another_path)
{
	static struct fmp_policy_service services[] = { { .path = "/a", .action = "urn:x" },
							{ .path = "/a" },
							{ .path = "/b" } };
	static const struct fmp_policy several = { .services = services, .n_services = 3 };

	start_pool(1);
	settings.evaluator.policy = &several;
	settings.evaluator.n_services = 3;
	for (unsigned service = 0; service < 4; service++) {
		struct message m;

		shared->service = service;
		submit_job(&m, (uint8_t)(10 + service), 0, true);
		ck_assert_int_eq(m.answered, service < 2);
		ck_assert_int_eq(m.lost, service >= 2);
	}
	shared->service = 0;
	ck_assert(is_answered(2));
	end_pool();
}
END_TEST

int main(void)
{
	TCase *tc = tcase_create("pool");

	tcase_set_timeout(tc, 4 * GUARD_S);
	tcase_add_test(tc, the_lock_of_a_worker_without_a_message);
	tcase_add_test(tc, the_lock_of_a_process_that_is_no_worker);
	tcase_add_test(tc, a_worker_that_retires_and_stays);
	tcase_add_test(tc, no_verdict_of_what_is_to_be_forgotten);
	tcase_add_test(tc, a_service_of_another_path);
	return run_tcase("pool", tc);
}
