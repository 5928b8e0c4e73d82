/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is behind a proxy: the PROXY protocol, version 2, and X-Forwarded-For.
 * Pure and bounded; only what a proxy says that the policy lists is ever asked.
 */
#ifndef GW_PROXY_H
#define GW_PROXY_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/policy.h>
#include <fmp/source.h>

#define GW_PROXY_HEAD 16 /**< bytes that say how many follow */
#define GW_PROXY_MAX  1024 /**< longest header: addresses and what proxies add, no certificates */

/** struct gw_proxy_client - {0}: the proxy speaks for itself */
struct gw_proxy_client {
	struct fmp_addr source;
	uint16_t source_port;
};

/**
 * gw_proxy_length() - of the whole header, head included
 * @head: GW_PROXY_HEAD bytes
 *
 * Return: at least GW_PROXY_HEAD, at most GW_PROXY_MAX; 0: no header of version 2, or too long.
 */
size_t gw_proxy_length(const uint8_t *head);

/**
 * gw_proxy_parse() - a whole header of gw_proxy_length() bytes
 *
 * Return: NULL, or what is wrong with it, static text.
 */
const char *gw_proxy_parse(const uint8_t *bytes, size_t len, struct gw_proxy_client *out);

/** gw_proxy_listed() - the policy's entry for an address, that of the longest prefix; NULL. */
const struct fmp_policy_proxy *gw_proxy_listed(const struct fmp_policy_gateway *g,
					       const struct fmp_addr *a);

/**
 * gw_proxy_forwarded() - the last address that is no listed proxy; if all are, the first
 * @list: "client, proxy1, proxy2", as X-Forwarded-For has it
 *
 * Return: false if what counts of it is no address.
 */
bool gw_proxy_forwarded(const struct fmp_policy_gateway *g, const char *list, struct fmp_addr *out);

#endif
