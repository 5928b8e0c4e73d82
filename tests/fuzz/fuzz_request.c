// SPDX-License-Identifier: GPL-2.0
/*
 * What programs say to fmpd under libFuzzer: any bytes as messages on the control socket, and as
 * reports. What is accepted is bounded text and sensible numbers; an event that is accepted can be
 * told again, as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "../../daemon/fmpd/control/request.h"

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

static void try_event(const struct fmp_event *ev)
{
	struct fmp_wire_in in;
	struct fmp_event again;
	uint8_t buf[1024];
	size_t len, used;

	check_holds(ev->kind < FMP_EVENT_KINDS && memchr(ev->detail, '\0', sizeof(ev->detail)) &&
		    memchr(ev->step, '\0', sizeof(ev->step)) &&
		    memchr(ev->service, '\0', sizeof(ev->service)));
	check_holds(!fmp_event_encode(ev, buf, sizeof(buf), &len));
	check_holds(!fmp_wire_parse(buf, len, sizeof(buf), &in, &used) && used == len);
	check_holds(!fmp_event_decode(&in, &again));
	check_holds(again.kind == ev->kind && again.proven == ev->proven &&
		    again.time_ns == ev->time_ns && again.cpu_ns == ev->cpu_ns &&
		    fmp_addr_equal(&again.source, &ev->source) &&
		    !strcmp(again.detail, ev->detail));
}

static void try_request(struct fmp_wire_in in)
{
	struct fmpd_request req;
	struct fmp_error err;

	if (fmpd_request_decode(&in, &req, &err))
		return;
	if (req.type == FMP_MSG_EVENT) {
		try_event(&req.event);
		return;
	}
	check_holds(memchr(req.reason, '\0', sizeof(req.reason)) &&
		    memchr(req.file, '\0', sizeof(req.file)));
	check_holds(!req.has_layers || req.layers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fmp_wire_in in;
	size_t used;

	while (size) {
		/* Of its own length, so that a byte too far is seen. */
		uint8_t *exact = malloc(size);
		int rc;

		check_holds(exact);
		memcpy(exact, data, size);
		rc = fmp_wire_parse(exact, size, FMP_WIRE_MAX, &in, &used);
		if (!rc) {
			check_holds(used && used <= size);
			try_request(in);
		}
		free(exact);
		if (rc)
			break;
		data += used;
		size -= used;
	}
	return 0;
}
