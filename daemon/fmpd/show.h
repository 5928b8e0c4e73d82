/* SPDX-License-Identifier: GPL-2.0 */
/* What fmpd says of itself: records of control.h, into a buffer with a limit. */
#ifndef FMPD_SHOW_H
#define FMPD_SHOW_H

#include <event2/buffer.h>

#include <fmp/control.h>

#include "plane.h"
#include "supervisor.h"

/** struct fmpd_out - records on their way to one client. */
struct fmpd_out {
	struct evbuffer *to;
	size_t limit; /**< most bytes in the buffer; 0: none */
	uint64_t left_out; /**< records that did not fit */
	struct fmp_wire_out w;
	uint8_t scratch[4096];
};

/** fmpd_out_begin() / _end() - one record; fields by fmp_wire_put_*(&o->w, ...) in between. */
void fmpd_out_begin(struct fmpd_out *o, const char *record);
void fmpd_out_end(struct fmpd_out *o);
/** fmpd_out_done() - the answer's end: 0 or a code with its words. */
void fmpd_out_done(struct fmpd_out *o, int code, const char *message);

/** struct fmpd_show - where all is looked up. */
struct fmpd_show {
	struct fmpd_plane *plane;
	struct fmpd_supervisor *supervisor; /**< NULL: no gateway */
};

FMP_MUST_CHECK int fmpd_show_status(const struct fmpd_show *s, struct fmpd_out *o,
				    struct fmp_error *err);
void fmpd_show_sources(const struct fmpd_show *s, struct fmpd_out *o);
void fmpd_show_why(const struct fmpd_show *s, struct fmpd_out *o, const struct fmp_addr *addr);
/** fmpd_show_protection() - the entry that protects an address, if one does. */
void fmpd_show_protection(const struct fmpd_show *s, struct fmpd_out *o,
			  const struct fmp_addr *addr);
void fmpd_show_protected(const struct fmpd_show *s, struct fmpd_out *o);
void fmpd_show_policy(const struct fmpd_show *s, struct fmpd_out *o);
/** fmpd_show_decisions() - every block in force, without asking the kernel. */
void fmpd_show_decisions(const struct fmpd_show *s, struct fmpd_out *o);
/** fmpd_show_decision() - one decision and its answers. @ask: dump the layers for it. */
void fmpd_show_decision(const struct fmpd_show *s, struct fmpd_out *o, const struct fmpd_record *r,
			bool ask);
void fmpd_show_event(struct fmpd_out *o, const struct fmp_event *ev, uint64_t rank);
void fmpd_show_gateway(struct fmpd_out *o, const struct fmpd_options *options,
		       const struct fmpd_gateway_status *st, const char *what);

#endif
