/* SPDX-License-Identifier: GPL-2.0 */
/* The target of the load, and whether it is allowed. */
#ifndef FLOOD_TARGET_H
#define FLOOD_TARGET_H

#include <netinet/in.h>
#include <sys/socket.h>

#include <fmp/error.h>
#include <fmp/source.h>

struct flood_target {
	struct fmp_addr addr;
	uint16_t port;
	char host[64]; /* value of the Host header */
	char path[256]; /* with the slash */
	struct sockaddr_storage sa;
	socklen_t sa_len;
};

/* http://ADDR[:PORT][/PATH]; ADDR is numeric, [..] around IPv6, or localhost.
 * Return: 0, FMP_ERR_SYNTAX. */
int flood_target_parse(struct flood_target *t, const char *url, struct fmp_error *err);

/*
 * A load generator must not target foreign hosts: only loopback, link-local, private, documentation and benchmark
 * ranges and the addresses of this machine are allowed. Return: 0, FMP_ERR_DENIED.
 */
int flood_target_allowed(const struct fmp_addr *addr, struct fmp_error *err);

/* Converts addr and port to a socket address. Return: its length. */
socklen_t flood_sockaddr(const struct fmp_addr *addr, uint16_t port, struct sockaddr_storage *sa);

#endif
