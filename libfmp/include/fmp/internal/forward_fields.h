/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which fields of a message are forwarded: all but those of one hop (RFC 9110 7.6.1), those that
 * the gateway makes itself, and those that the policy removes. Pure.
 */
#ifndef FMP_FORWARD_FIELDS_H
#define FMP_FORWARD_FIELDS_H

#include <fmp/policy.h>
#include <fmp/source.h>

#include <fmp/internal/http.h>
#include <fmp/internal/target.h>

/** struct fmp_forward_fields - how the fields of one message are forwarded */
struct fmp_forward_fields {
	const struct fmp_policy_fields *policy;
	const struct fmp_policy_identity
		*identity; /**< of a request: fields of these names are the gateway's; NULL */
	bool answer; /**< from the service to the client */
	bool changed; /**< the body is not the received one: fields about it are not forwarded */
	bool reads_answer; /**< of a request: the gateway has to read the answer, so no coding is asked for */
	const struct fmp_target_service
		*service; /**< of an answer: its own URLs are rewritten; NULL */
};

/**
 * fmp_forward_fields() - append the fields of a message that are forwarded, Via, and those that
 * the policy sets
 *
 * Return: false without memory.
 */
bool fmp_forward_fields(struct fmp_field_list *out, const struct fmp_http *h,
			const struct fmp_forward_fields *how);

/**
 * fmp_forward_withholds() - is it a field of a request that is forwarded only if the policy keeps it, and is not?
 */
bool fmp_forward_withholds(const struct fmp_field *f, const struct fmp_policy_fields *policy);

/**
 * fmp_forward_is_of_connection() - does Authorization log in on the connection (NTLM, Negotiate)?
 *
 * The service may take all that follows on this connection for the same user's.
 */
bool fmp_forward_is_of_connection(const struct fmp_field_list *l);

/** struct fmp_forwarded_by - what is proven of the client of a request */
struct fmp_forwarded_by {
	const struct fmp_addr *peer; /**< the other side of the connection */
	const char *
		chain; /**< elements of a listed proxy's X-Forwarded-For, from the client on; NULL */
	bool tls;
	bool listed_proxy; /**< its X-Forwarded-Proto and X-Forwarded-Host count */
};

/**
 * fmp_forward_origin() - the host by which the client sees the gateway; "": it is not known
 *
 * Return: the scheme.
 */
const char *fmp_forward_origin(const struct fmp_http *h, const struct fmp_forwarded_by *by,
			       char host[FMP_HTTP_ORIGIN]);
/**
 * fmp_forward_client() - append Forwarded (RFC 7239) and X-Forwarded-For, -Proto and -Host
 *
 * Return: false without memory.
 */
bool fmp_forward_client(struct fmp_field_list *out, const struct fmp_http *h,
			const struct fmp_forwarded_by *by);

#endif
