/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is behind a proxy: the PROXY protocol, version 2, and X-Forwarded-For.
 * Pure and bounded; only what a proxy says that the policy lists is ever asked.
 */
#ifndef FMP_FORWARDED_H
#define FMP_FORWARDED_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/policy.h>
#include <fmp/source.h>

#define FMP_PROXY_PROTOCOL_HEAD 16 /**< bytes that say how many follow */
#define FMP_PROXY_PROTOCOL_MAX \
	1024 /**< longest header: addresses and what proxies add, no certificates */

/** struct fmp_forwarded_client - {0}: the proxy speaks for itself */
struct fmp_forwarded_client {
	struct fmp_addr source;
	uint16_t source_port;
};

/**
 * fmp_proxy_protocol_length() - of the whole header, head included
 * @head: FMP_PROXY_PROTOCOL_HEAD bytes
 *
 * Return: at least FMP_PROXY_PROTOCOL_HEAD, at most FMP_PROXY_PROTOCOL_MAX; 0: no header of version 2, or too long.
 */
size_t fmp_proxy_protocol_length(const uint8_t *head);

/**
 * fmp_proxy_protocol_parse() - a whole header of fmp_proxy_protocol_length() bytes
 *
 * Return: NULL, or what is wrong with it, static text.
 */
const char *fmp_proxy_protocol_parse(const uint8_t *bytes, size_t len,
				     struct fmp_forwarded_client *out);

/** fmp_forwarded_find_proxy() - the policy's entry for an address, that of the longest prefix; NULL. */
const struct fmp_policy_proxy *fmp_forwarded_find_proxy(const struct fmp_policy_gateway *g,
							const struct fmp_addr *a);

/**
 * fmp_forwarded_for() - the last address that is no listed proxy; if all are, the first
 * @list: "client, proxy1, proxy2", as X-Forwarded-For has it
 *
 * Return: false if what counts of it is no address.
 */
bool fmp_forwarded_for(const struct fmp_policy_gateway *g, const char *list, struct fmp_addr *out);

#endif
