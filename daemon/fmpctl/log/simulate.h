/* SPDX-License-Identifier: GPL-2.0 */
/* Simulates an attack under a policy and samples it. Pure. */
#ifndef FMPCTL_SIMULATE_H
#define FMPCTL_SIMULATE_H

#include <fmp/dryrun.h>

/** Messages of one simulation, from all sources. */
#define SIMULATE_MESSAGES_MAX 10000000u
/** Samples at equal distances; decisions add more. */
#define SIMULATE_SAMPLES      400u

/** struct attack - sources that all send the same */
struct attack {
	struct fmp_addr addr; /**< the first source; the others follow it */
	struct fmp_addr mac; /**< of all sources; {0}: unknown */
	struct fmp_addr own; /**< of this machine, protected; {0}: not given */
	enum fmp_event_kind kind;
	uint64_t sources;
	uint64_t every_ms; /**< time between two messages of a source */
	uint64_t for_ms; /**< duration of the attack */
	uint64_t after_ms; /**< sampled time after the attack */
	unsigned good; /**< percentage of good messages */
	uint64_t cpu_ms; /**< CPU time of a bad message */
	uint16_t port; /**< destination; 0: not given */
	const char *service; /**< addressed; NULL: not given */
};

/** struct sample - state of the first source at one time; counts of all sources since the start */
struct sample {
	uint64_t at_ms;
	uint32_t rank;
	enum fmp_source_state state;
	uint64_t decision_id; /**< of the active block or limit; 0: none */
	bool decided; /**< decision_id differs from the sample before */
	uint64_t bad, good, kept_out, good_lost;
};

struct simulation {
	struct fmp_dryrun *run;
	struct sample *samples;
	size_t n, cap;
};

/** simulate() - Return: 0, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int simulate(const struct fmp_policy *policy, const struct attack *a,
			    struct simulation *out, struct fmp_error *err);
void simulation_free(struct simulation *s);

#endif
