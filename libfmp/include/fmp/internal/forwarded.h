/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The client behind a proxy, from the PROXY protocol version 2 or X-Forwarded-For.
 * Pure and bounded. Call it only for proxies that the policy lists.
 */
#ifndef FMP_FORWARDED_H
#define FMP_FORWARDED_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/policy.h>
#include <fmp/source.h>

#define FMP_PROXY_PROTOCOL_HEAD 16 /**< fixed part; contains the length of the rest */
#define FMP_PROXY_PROTOCOL_MAX	1024 /**< longest header: addresses and TLVs, no certificates */

/** struct fmp_forwarded_client - {0}: the connection is the proxy's own */
struct fmp_forwarded_client {
	struct fmp_addr source;
	uint16_t source_port;
};

/**
 * fmp_proxy_protocol_length() - length of the whole header
 * @head: FMP_PROXY_PROTOCOL_HEAD bytes
 *
 * Return: FMP_PROXY_PROTOCOL_HEAD to FMP_PROXY_PROTOCOL_MAX; 0: not version 2, or too long.
 */
size_t fmp_proxy_protocol_length(const uint8_t *head);

/**
 * fmp_proxy_protocol_parse() - parse a header of fmp_proxy_protocol_length() bytes
 *
 * Return: NULL, or the error as static text.
 */
const char *fmp_proxy_protocol_parse(const uint8_t *bytes, size_t len,
				     struct fmp_forwarded_client *out);

/**
 * fmp_forwarded_find_proxy() - the policy's entry with the longest prefix for an address; NULL:
 * none.
 */
const struct fmp_policy_proxy *fmp_forwarded_find_proxy(const struct fmp_policy_gateway *g,
							const struct fmp_addr *a);

/**
 * fmp_forwarded_for() - the last address that is not a listed proxy; the first one if all are
 * @list: value of X-Forwarded-For: "client, proxy1, proxy2"
 *
 * Return: false if the address that decides does not parse.
 */
bool fmp_forwarded_for(const struct fmp_policy_gateway *g, const char *list, struct fmp_addr *out);

/**
 * fmp_forwarded_chain() - like fmp_forwarded_for()
 *
 * Return: the elements from that address on, which are addresses, and all but the first of listed
 * proxies; NULL if the address does not parse.
 */
const char *fmp_forwarded_chain(const struct fmp_policy_gateway *g, const char *list,
				struct fmp_addr *out);

#endif
