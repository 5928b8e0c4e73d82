// SPDX-License-Identifier: GPL-2.0
/*
 * engine [EVENTS] [SOURCES] [POLICY.xml]: measures the events per second of the suspicion engine
 * on one core, as rows of JSON; callgrind counts its instructions in engine_run(). The events are
 * those of a gateway under attack: one message in four is good, the others fail for changing
 * reasons, from SOURCES addresses in random order; blocks begin and end all the time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <fmp/suspicion.h>

#define EVENTS_MAX  1000000000u
#define PREPARED    65536u
#define A_MS_EVENTS 1000u /* a second of the log's time is a million events */

/* Prepared before the measurement, which covers only the engine. */
static struct fmp_event events[PREPARED];

static uint64_t state = 88172645463325252u;
static uint64_t random_below(uint64_t below)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static void prepare_events(uint32_t sources)
{
	for (uint32_t i = 0; i < PREPARED; i++) {
		uint32_t n = (uint32_t)random_below(sources) + (10u << 24);
		uint8_t b[4] = { (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
				 (uint8_t)n };

		events[i] = (struct fmp_event){ .kind = i % 4 ? (enum fmp_event_kind)(1 + i % 20)
							      : FMP_EVENT_GOOD,
						.proven = true,
						.source = fmp_addr_ipv4(b),
						.dest_port = 8080,
						.service = "orders",
						.detail = "element 'quantity' is not valid" };
	}
}

/* Not inlined: callgrind counts by its name. */
__attribute__((noinline)) static uint64_t engine_run(struct fmp_engine *e, uint64_t n)
{
	uint64_t decisions = 0;
	struct fmp_decision d;

	for (uint64_t i = 0; i < n; i++) {
		uint64_t now = i / A_MS_EVENTS;

		decisions += fmp_engine_event(e, &events[i % PREPARED], now, &d) == 1;
		while (fmp_engine_next_ms(e) <= now)
			decisions += (uint64_t)fmp_engine_expire(e, now, &d);
	}
	return decisions;
}

static uint64_t parse_number(const char *text, uint64_t max)
{
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	if (*end || !v || v > max) {
		fprintf(stderr, "engine: %s is not a number of 1 to %" PRIu64 "\n", text, max);
		exit(2);
	}
	return v;
}

int main(int argc, char **argv)
{
	uint64_t n = argc > 1 ? parse_number(argv[1], EVENTS_MAX) : 5000000, decisions;
	uint32_t sources = argc > 2 ? (uint32_t)parse_number(argv[2], 1u << 24) : 10000;
	struct fmp_policy *policy = NULL;
	struct fmp_engine *e = NULL;
	struct timespec a, b;
	struct fmp_error err;
	char why[1024];
	double s;
	int rc = 0;

	if (argc > 3)
		rc = fmp_policy_load(argv[3], NULL, &policy, &err);
	else
		policy = fmp_policy_default();
	if (!rc && policy)
		rc = fmp_engine_new(policy, 1, 1, &e, &err);
	if (rc || !e) {
		fprintf(stderr, "engine: %s\n",
			rc ? fmp_error_format(&err, why, sizeof(why)) : "no memory");
		return 1;
	}
	prepare_events(sources);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	decisions = engine_run(e, n);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	s = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) / 1e9;
	printf("{\"case\":\"fmp\",\"metric\":\"events_per_s\",\"value\":%.0f,\"events\":%" PRIu64
	       ",\"sources\":%" PRIu32 ",\"decisions\":%" PRIu64 ",\"policy\":\"%s\"}\n",
	       (double)n / s, n, sources, decisions, policy->name);
	fmp_engine_free(e);
	fmp_policy_free(policy);
	return 0;
}
