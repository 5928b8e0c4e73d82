/* SPDX-License-Identifier: GPL-2.0 */
/* Encode records of <fmp/control.h> into a buffer with a limit. */
#ifndef FMPD_REPLY_STREAM_H
#define FMPD_REPLY_STREAM_H

#include <event2/buffer.h>

#include <fmp/control.h>

/** struct fmpd_reply - a reply to one client that is being written. */
struct fmpd_reply {
	struct evbuffer *to;
	size_t limit; /**< most bytes in the buffer; 0: no limit */
	uint64_t left_out; /**< records without room */
	struct fmp_wire_out w;
	uint8_t scratch[4096];
};

/** fmpd_reply_begin() / _end() - one record; put its fields in between. */
void fmpd_reply_begin(struct fmpd_reply *o, const char *record);
void fmpd_reply_end(struct fmpd_reply *o);
/** fmpd_reply_finish() - the end of the reply: 0, or an error code, and its text. */
void fmpd_reply_finish(struct fmpd_reply *o, int code, const char *message);
void fmpd_reply_put_u64(struct fmpd_reply *o, uint16_t id, uint64_t v);
void fmpd_reply_put_str(struct fmpd_reply *o, uint16_t id, const char *s);
void fmpd_reply_put_addr(struct fmpd_reply *o, uint16_t id, const struct fmp_addr *a);

#endif
