/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What good requests had, as text of their events (observation.h), for fmpctl learn. Only where the policy observes, and of
 * some requests a second.
 */
#ifndef GW_OBSERVE_H
#define GW_OBSERVE_H

struct fmp_job_verdict;
struct gw_connection;

/** gw_observe_request() - the request is submitted for inspection: is it to be observed? */
void gw_observe_request(struct gw_connection *c);
/** gw_observe_verdict() - the request is good: add what the worker saw. */
void gw_observe_verdict(struct gw_connection *c, const struct fmp_job_verdict *v);
/** gw_observe_attachments() - they were passed on as they came. */
void gw_observe_attachments(struct gw_connection *c, unsigned parts, unsigned long long bytes);
/** gw_observe_end() - forget the request. */
void gw_observe_end(struct gw_connection *c);

#endif
