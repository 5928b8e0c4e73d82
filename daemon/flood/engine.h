/* SPDX-License-Identifier: GPL-2.0 */
/* One run: the event loop that starts requests at the configured rate and counts their outcomes. */
#ifndef FLOOD_ENGINE_H
#define FLOOD_ENGINE_H

#include <event2/event.h>

#include "conn.h"
#include "device.h"
#include "pace.h"
#include "scenario.h"
#include "source.h"
#include "stats.h"
#include "steady.h"
#include "target.h"

struct flood_config {
	struct flood_target target;
	struct flood_sources sources;
	struct flood_scenario scenario;
	struct flood_message_config message;
	double rate; /* requests a second */
	double duration_s; /* of sending; the wait for responses is longer */
	double warmup_s; /* before the window of good_per_s */
	uint64_t count; /* 0: until the duration ends */
	uint32_t connections; /* most at once */
	uint32_t timeout_ms; /* of a connect; of a response, since the last byte received */
	double steady_frames; /* a second; 0: off */
	const char *device; /* NULL: none */
	const char *json; /* file, "-" for stdout, NULL */
	const char *mix; /* as given */
	bool keepalive, quiet, progress;
};

struct flood_engine {
	struct flood_config *cfg;
	struct event_base *base;
	struct event *tick, *second, *end;
	struct event *signals[2];
	struct flood_builder *builder;
	struct flood_conns conns;
	struct flood_pace pace;
	struct flood_stats stats;
	struct flood_device device;
	struct flood_device_counts counts_start, counts_end;
	struct flood_steady *steady;
	uint64_t start_ns, stop_ns; /* of sending */
	uint64_t answers;
	uint32_t *good_in_second; /* good responses in each second of the run */
	uint32_t seconds;
	bool stopping, interrupted;
	struct fmp_error failure; /* code 0: none */
};

/* Return: 0 or an FMP_ERR_ code; then nothing is left to free. */
int flood_engine_init(struct flood_engine *e, struct flood_config *cfg, struct fmp_error *err);
int flood_engine_run(struct flood_engine *e, struct fmp_error *err);
void flood_engine_exit(struct flood_engine *e);

#endif
