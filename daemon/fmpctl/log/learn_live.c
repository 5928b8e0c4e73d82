// SPDX-License-Identifier: GPL-2.0
#include "learn_live.h"

#include <stdio.h>
#include <time.h>

#include "log_entry.h"
#include "../lib/control_client.h"

static int64_t monotonic_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Times never go back: a late event gets the time of the event before it. */
static int take_event(struct learn *l, const struct record *r, uint64_t *start_ms,
		      uint64_t *last_ms, struct fmp_error *err)
{
	struct log_entry e = { 0 };
	uint64_t at = record_number(r, FMP_F_TIME_NS) / 1000000;
	char line[1024];
	size_t n;

	if (!record_is(r, "event") ||
	    fmp_event_kind_parse(record_string(r, FMP_F_KIND), &e.event.kind))
		return 0;
	if (!*start_ms)
		*start_ms = *last_ms = at;
	if (at > *last_ms)
		*last_ms = at;
	e.event.source = *record_addr(r, FMP_F_ADDR);
	e.event.proven = record_number(r, FMP_F_PROVEN);
	e.event.bytes = (uint32_t)record_number(r, FMP_F_BYTES);
	e.event.cpu_ns = record_number(r, FMP_F_CPU_NS);
	e.event.dest_port = (uint16_t)record_number(r, FMP_F_DEST_PORT);
	snprintf(e.event.detail, sizeof(e.event.detail), "%s", record_string(r, FMP_F_DETAIL));
	n = log_entry_format(&e, *last_ms - *start_ms, line, sizeof(line));
	return learn_line(l, line, n, err);
}

static int receive_events(struct fmp_client *c, struct learn *l, int64_t end, struct fmp_error *err)
{
	uint64_t start_ms = 0, last_ms = 0;
	struct fmp_wire_in in;
	struct record r;
	int rc = 0;

	while (!rc) {
		int64_t left = end - monotonic_ms();

		if (left <= 0)
			return 0;
		rc = fmp_client_receive(c, left < 1000000 ? (int)left : 1000000, &in, err);
		if (rc == FMP_ERR_AGAIN)
			rc = 0;
		else if (!rc && in.type == FMP_CTL_END)
			rc = fmp_error_set(err, FMP_ERR_DENIED, "fmpd takes no more watchers");
		else if (!rc && in.type == FMP_CTL_RECORD) {
			rc = record_decode(&in, &r);
			if (rc)
				return fmp_error_set(err, (enum fmp_code)rc,
						     "fmpd sent what does not decode");
			rc = take_event(l, &r, &start_ms, &last_ms, err);
			record_free(&r);
		}
	}
	return rc;
}

int learn_live(const struct ctl *ctl, struct learn *l, uint64_t duration_ms, struct fmp_error *err)
{
	int64_t end = monotonic_ms() + (int64_t)duration_ms;
	struct fmp_client *c;
	struct control_request req;
	int rc = fmp_client_open(ctl->control, &c, err);

	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_WATCH);
	rc = fmp_wire_end(&req.w) ? fmp_error_set(err, FMP_ERR_LIMIT, "the request is too long")
				  : fmp_client_send(c, req.w.buf, req.w.len, err);
	if (!rc)
		rc = receive_events(c, l, end, err);
	fmp_client_close(c);
	return rc;
}
