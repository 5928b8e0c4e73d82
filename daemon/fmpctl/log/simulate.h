/* SPDX-License-Identifier: GPL-2.0 */
/* A made-up attack under a policy, sampled as it goes. Pure. */
#ifndef FMPCTL_SIMULATE_H
#define FMPCTL_SIMULATE_H

#include <fmp/dryrun.h>

/** Messages of one simulation, all sources together. */
#define SIMULATE_MESSAGES_MAX 10000000u
/** Samples in the time of an attack, beside those at decisions. */
#define SIMULATE_SAMPLES      400u

/** struct attack - sources that do all the same */
struct attack {
	struct fmp_addr addr; /**< the first source; the others follow it */
	struct fmp_addr mac; /**< that all of them have; {0}: it is not known */
	struct fmp_addr own; /**< of this machine, which is protected; {0}: not said */
	enum fmp_event_kind kind;
	uint64_t sources;
	uint64_t every_ms; /**< between two messages of a source */
	uint64_t for_ms; /**< so long they send */
	uint64_t after_ms; /**< so long it is looked at afterwards */
	unsigned good; /**< so many of a hundred messages are good */
	uint64_t cpu_ms; /**< that a bad message costs */
	uint16_t port; /**< that they come to; 0: not said */
	const char *service; /**< that they are for; NULL: not said */
};

/** struct sample - the first source at one time; counts are of all sources since the start */
struct sample {
	uint64_t at_ms;
	uint32_t rank;
	enum fmp_source_state state;
	uint64_t decision_id; /**< of the block or the limit in force; 0: none */
	bool decided; /**< just now: it is another one than before */
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
