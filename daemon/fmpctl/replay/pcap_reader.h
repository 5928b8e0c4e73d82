/* SPDX-License-Identifier: GPL-2.0 */
/* Captures of packets (pcap, pcapng) as a log: what was said to the gateway's port. */
#ifndef FMPCTL_CAPTURE_H
#define FMPCTL_CAPTURE_H

#include <stdio.h>

#include <fmp/policy.h>

#include "../log/log_reader.h"

/** struct capture_counts - of all files so far */
struct capture_counts {
	uint64_t packets;
	uint64_t connections;
	/** Connections of which something was not read: their start, or a part, is not in the capture;
	 * they speak TLS; a PROXY header tells whose they are; there was no room for them. */
	uint64_t headless, gaps, encrypted, proxied, given_up;
	uint64_t nobodys; /**< messages refused that are nobody's offence */
	uint64_t cut, fragments; /**< packets that were captured in part; that IP had cut */
};

struct capture;

/**
 * capture_new() - @policy: whose gateway judges what was said; it is not owned
 *
 * Connections go on from one file to the next. Return: 0; FMP_ERR_INVALID: it was built without
 * libpcap; a code of the policy's files.
 */
FMP_MUST_CHECK int capture_new(const struct fmp_policy *policy, uint16_t port, struct capture **out,
			       struct fmp_error *err);
/** capture_link() - hosts of this prefix are on the link: their frames have their own MACs, and their
 * server's address is this machine's. Return: 0, FMP_ERR_LIMIT. */
FMP_MUST_CHECK int capture_link(struct capture *c, const struct fmp_addr *prefix);
void capture_free(struct capture *c);
/** capture_read() - a whole file; f is closed unless it is standard input. Return: 0, FMP_ERR_IO,
 * FMP_ERR_SYNTAX with the number of the packet as line, FMP_ERR_NOMEM, what r->line() returned. */
FMP_MUST_CHECK int capture_read(struct capture *c, FILE *f, const char *file, struct log_reader *r,
				struct fmp_error *err);
/** capture_end() - no more files: what could not be followed to its end is counted. */
void capture_end(struct capture *c, struct capture_counts *out);

#endif
