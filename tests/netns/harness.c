// SPDX-License-Identifier: GPL-2.0
#include "harness.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_REPORTED 99 /* the test has written its own line */
#define TEST_SECONDS  60

static pid_t peer;
static char current[96];

void fail_at(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	printf("FAIL %s\n    %s:%d: ", current, file, line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	fflush(stdout);
	/* Not exit(): what the test did not come to free is no leak. */
	_exit(EXIT_REPORTED);
}

static void make_command(char *buf, size_t size, const char *before, const char *fmt, va_list ap)
{
	size_t len = (size_t)snprintf(buf, size, "%s", before);

	len += (size_t)vsnprintf(buf + len, size - len, fmt, ap);
	CHECK(len < size);
}

static int run_shell(const char *command, const char *redirect)
{
	char line[2048];
	int status;

	CHECK(snprintf(line, sizeof(line), "{ %s; } %s", command, redirect) < (int)sizeof(line));
	fflush(stdout);
	status = system(line);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int run(const char *fmt, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, fmt);
	make_command(command, sizeof(command), "", fmt, ap);
	va_end(ap);
	return run_shell(command, ">/dev/null 2>&1");
}

void must(const char *fmt, ...)
{
	char command[1024];
	va_list ap;

	va_start(ap, fmt);
	make_command(command, sizeof(command), "", fmt, ap);
	va_end(ap);
	if (run_shell(command, ">/dev/null"))
		fail_at(__FILE__, __LINE__, "%s", command);
}

char *output_of(const char *fmt, ...)
{
	char command[1024], *text = NULL;
	size_t size = 0, got;
	va_list ap;
	FILE *f;

	va_start(ap, fmt);
	make_command(command, sizeof(command), "", fmt, ap);
	va_end(ap);
	fflush(stdout);
	f = popen(command, "re");
	CHECK(f);
	do {
		text = realloc(text, size + 65536 + 1);
		CHECK(text);
		got = fread(text + size, 1, 65536, f);
		size += got;
	} while (got);
	text[size] = '\0';
	if (pclose(f))
		fail_at(__FILE__, __LINE__, "%s", command);
	return text;
}

/* ---- the other namespace ---- */

void peer_start(void)
{
	int ready[2];
	char byte;

	CHECK(!pipe(ready));
	peer = fork();
	CHECK(peer >= 0);
	if (!peer) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNET) || write(ready[1], "r", 1) != 1)
			_exit(EXIT_FAILURE);
		for (;;)
			pause();
	}
	close(ready[1]);
	CHECK_EQ(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	must("ip link add v0 address 02:00:00:00:09:01 type veth "
	     "peer name v1 address 02:00:00:00:09:02 netns %d",
	     peer);
	must("ip link set v0 up && ip address add 10.9.0.1/24 dev v0 && "
	     "ip address add fd09::1/64 dev v0 nodad");
	CHECK_EQ(in_peer("ip link set lo up && ip link set v1 up && "
			 "ip address add 10.9.0.2/24 dev v1 && "
			 "ip address add fd09::2/64 dev v1 nodad"),
		 0);
}

int in_peer(const char *fmt, ...)
{
	char command[1024], whole[1200];
	va_list ap;

	va_start(ap, fmt);
	make_command(command, sizeof(command), "", fmt, ap);
	va_end(ap);
	snprintf(whole, sizeof(whole), "nsenter -t %d -n sh -c '%s'", peer, command);
	return run_shell(whole, ">/dev/null 2>&1");
}

static bool peer_pings(const char *address)
{
	return !in_peer("ping -n -q -c 3 -i 0.2 -W 0.5 %s", address);
}

/* The first pings may be spent on finding the neighbour, which a block held up before. */
bool peer_reaches(const char *address)
{
	for (int i = 0; i < 8; i++) {
		if (peer_pings(address))
			return true;
	}
	return false;
}

/* No answer in a while; three requests were sent. */
bool peer_is_cut_off(const char *address)
{
	return !peer_pings(address);
}

/* ---- short words ---- */

struct fmp_addr addr(const char *text)
{
	struct fmp_addr a = { 0 };

	CHECK(!*text || !fmp_addr_parse(text, &a, NULL));
	return a;
}

struct fmp_decision block(const char *source, const char *mac, unsigned layers,
			  unsigned long long id, unsigned long long ms)
{
	return (struct fmp_decision){ .id = id,
				      .action = FMP_ACTION_BLOCK,
				      .source = addr(source),
				      .mac = addr(mac),
				      .layers = layers,
				      .duration_ms = ms };
}

struct fmp_decision unblock(const char *source, const char *mac, unsigned layers)
{
	struct fmp_decision d = block(source, mac, layers, 1, 0);

	d.action = FMP_ACTION_UNBLOCK;
	return d;
}

struct fmp_enforcer *enforcer(unsigned layer)
{
	static const char device[1][16] = { "v0" };
	struct fmp_enforcer_config cfg = { .layers = FMP_LAYER_BIT(layer),
					   .devices = device,
					   .n_devices = 1 };
	struct fmp_enforcer *e;

	CHECK_EQ(fmp_enforcer_new(&cfg, &e, NULL), 0);
	if (fmp_enforcer_layers(e) != cfg.layers)
		fail_at(__FILE__, __LINE__, "%s", fmp_enforcer_why(e, layer));
	return e;
}

struct fmp_layer_result apply(struct fmp_enforcer *e, const struct fmp_decision *d, unsigned layer)
{
	struct fmp_layer_result answers[FMP_LAYERS];
	struct fmp_error err = { 0 };

	if (fmp_enforcer_apply(e, d, 1, answers, &err) < 0)
		fail_at(__FILE__, __LINE__, "%s", err.message);
	return answers[layer];
}

struct fmp_enforcer *enforcer_cutting_off(const struct fmp_decision *d, unsigned layer)
{
	struct fmp_enforcer *e = enforcer(layer);

	CHECK_EQ(apply(e, d, layer).state, FMP_LAYER_RESULT_ENFORCED);
	CHECK(peer_is_cut_off("10.9.0.1"));
	return e;
}

struct search {
	struct fmp_addr addr;
	struct fmp_rule *out;
	bool found;
	size_t n;
};

static int collect_rule(const struct fmp_rule *r, void *ctx)
{
	struct search *s = ctx;

	s->n++;
	if (!fmp_addr_equal(&r->addr, &s->addr))
		return 0;
	CHECK(!s->found);
	s->found = true;
	*s->out = *r;
	return 0;
}

static void search_rules(struct fmp_enforcer *e, unsigned layer, struct search *s)
{
	struct fmp_error err = { 0 };

	if (fmp_enforcer_dump(e, layer, collect_rule, s, &err))
		fail_at(__FILE__, __LINE__, "%s", err.message);
}

/* A lookup of the one rule returns the same. */
static void check_lookup(struct fmp_enforcer *e, unsigned layer, const struct search *s)
{
	struct fmp_rule key = { .addr = s->addr }, alone;

	if (!s->found) {
		CHECK_EQ(fmp_enforcer_find(e, layer, &key, &alone, NULL), FMP_ERR_NOTFOUND);
		return;
	}
	key.pair_mac = s->out->pair_mac;
	key.dest_port = s->out->dest_port;
	key.rate = s->out->rate;
	CHECK_EQ(fmp_enforcer_find(e, layer, &key, &alone, NULL), 0);
	CHECK(fmp_addr_equal(&alone.addr, &s->addr));
	CHECK_EQ(alone.id, s->out->id);
	CHECK_EQ(alone.rate, s->out->rate);
	CHECK_EQ(alone.dest_port, s->out->dest_port);
	CHECK(fmp_addr_equal(&alone.pair_mac, &s->out->pair_mac));
	CHECK_EQ(!alone.left_ms, !s->out->left_ms);
	CHECK(alone.left_ms <= s->out->left_ms);
	CHECK(alone.frames >= s->out->frames);
	key.dest_port ^= 1;
	CHECK_EQ(fmp_enforcer_find(e, layer, &key, &alone, NULL), FMP_ERR_NOTFOUND);
}

bool find_block(struct fmp_enforcer *e, unsigned layer, const char *address, struct fmp_rule *out)
{
	struct fmp_rule scrap;
	struct search s = { .addr = addr(address), .out = out ? out : &scrap };

	search_rules(e, layer, &s);
	check_lookup(e, layer, &s);
	return s.found;
}

size_t count_blocks(struct fmp_enforcer *e, unsigned layer)
{
	struct fmp_rule scrap;
	struct search s = { .out = &scrap };

	search_rules(e, layer, &s);
	return s.n;
}

/* ---- running ---- */

static void own_namespace(void)
{
	if (unshare(CLONE_NEWNET))
		fail_at(__FILE__, __LINE__, "unshare: %s", strerror(errno));
	must("ip link set lo up");
}

static int run_one(const struct test *t)
{
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0)
		return EXIT_FAILURE;
	if (!pid) {
		/* Its own group, so that what it started ends with it. */
		setpgid(0, 0);
		alarm(TEST_SECONDS);
		own_namespace();
		t->run(t->layer);
		exit(EXIT_SUCCESS);
	}
	if (waitpid(pid, &status, 0) != pid)
		return EXIT_FAILURE;
	kill(-pid, SIGKILL); /* the peer, and whatever a timed-out test left */
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_chosen(char *const *parts)
{
	bool any = false;

	for (; *parts; parts++) {
		any = true;
		if (strstr(current, *parts))
			return true;
	}
	return !any;
}

int run_tests(const struct test *tests, size_t n, unsigned layers, char *const *parts)
{
	unsigned passed = 0, failed = 0;

	for (size_t i = 0; i < n; i++) {
		const struct test *t = &tests[i];
		bool layered = t->layer < FMP_LAYERS;
		int status;

		snprintf(current, sizeof(current), "%s%s%s", t->name, layered ? "-" : "",
			 layered ? fmp_layer_name(t->layer) : "");
		if (!(layers & FMP_LAYER_BIT(t->layer)) || !is_chosen(parts))
			continue;
		status = run_one(t);
		if (status)
			failed++;
		else
			passed++;
		if (!status)
			printf("ok %s\n", current);
		else if (status != EXIT_REPORTED)
			printf("FAIL %s\n    ended with status %d\n", current, status);
		fflush(stdout);
	}
	printf("%u passed, %u failed\n", passed, failed);
	return failed || !passed ? EXIT_FAILURE : EXIT_SUCCESS;
}
