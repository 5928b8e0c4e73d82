/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A request with attachments, passed to the service as it comes: the memory for it does not depend
 * on its length.
 *
 * The root part is held until a worker has evaluated it. Then the service gets it, and each piece of
 * the rest once it was parsed: a part that is against the policy or that nothing refers to, or a
 * fault of the framing, ends the connection to the service before the message is complete. What a
 * signature, a schema or content rules need to see is held whole instead, and so is what is short.
 */
#ifndef GW_UPLOAD_H
#define GW_UPLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fmp_job_forward;
struct fmp_job_verdict;
struct gw_connection;

/** gw_upload_begin() - the header is complete. Return: false: the request is held whole. */
bool gw_upload_begin(struct gw_connection *c);
/**
 * gw_upload_find_root() - more of the body came
 *
 * Return: true: read on, or, if the request is complete, it is held whole; false: it is at a worker,
 * or refused.
 */
bool gw_upload_find_root(struct gw_connection *c);
/** gw_upload_keep_verdict() - Return: true: the event is reported when all of the message has come. */
bool gw_upload_keep_verdict(struct gw_connection *c, const struct fmp_job_verdict *v);
bool gw_upload_needs_parts(const struct gw_connection *c);
/** gw_upload_hold() - the message has to be whole: read on. */
void gw_upload_hold(struct gw_connection *c);
/** gw_upload_expect() - @rest: out: for struct gw_request. Return: false without memory. */
bool gw_upload_expect(struct gw_connection *c, const struct fmp_job_forward *f, uint64_t *rest);
/** gw_upload_root_sent() - the call has a copy of the root: free it. */
void gw_upload_root_sent(struct gw_connection *c);
/** gw_upload_start() - the call has begun. */
void gw_upload_start(struct gw_connection *c);
/** gw_upload_drained() - @c: a struct gw_connection; see struct gw_call_ops */
void gw_upload_drained(void *c);
/** gw_upload_is_blocked() - the service has to read first. */
bool gw_upload_is_blocked(const struct gw_connection *c);
/** gw_upload_can_read() - more of the body can be passed now. */
bool gw_upload_can_read(const struct gw_connection *c);
/** gw_upload_pass() - pass what was read of the body. */
void gw_upload_pass(struct gw_connection *c);
/** gw_upload_check_progress() - refuse a client that is too slow to send. */
void gw_upload_check_progress(struct gw_connection *c);
/** gw_upload_cut() - the service has answered, or failed, before it had all. */
void gw_upload_cut(struct gw_connection *c);
/** gw_upload_broken_off() - charge a client that left before it had sent all. */
void gw_upload_broken_off(struct gw_connection *c);
/** gw_upload_abort() - end it to free its buffers. */
void gw_upload_abort(struct gw_connection *c);
/** gw_upload_cancel() - the client is gone. */
void gw_upload_cancel(struct gw_connection *c);
void gw_upload_free(struct gw_connection *c);

/** gw_upload_size() - bytes that it holds, beside the body's */
size_t gw_upload_size(const struct gw_connection *c);

#endif
