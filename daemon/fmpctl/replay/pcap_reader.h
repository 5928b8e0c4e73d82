/* SPDX-License-Identifier: GPL-2.0 */
/* Reads packet captures (pcap, pcapng) as a log: the requests to the gateway's port. */
#ifndef FMPCTL_PCAP_READER_H
#define FMPCTL_PCAP_READER_H

#include <stdio.h>

#include <fmp/policy.h>

#include "../log/log_reader.h"

/** struct pcap_counts - totals of all files so far */
struct pcap_counts {
	uint64_t packets;
	uint64_t connections;
	/** Connections not read, or in part: their start or a part of them is missing; they are under TLS;
	 * they begin with a PROXY header; the table was full. */
	uint64_t without_start, gaps, encrypted, proxied, given_up;
	uint64_t uncharged; /**< messages refused and not charged */
	uint64_t cut, fragments; /**< packets captured in part; IP fragments */
};

struct pcap_reader;

/**
 * pcap_reader_new() - @policy: the gateway that evaluates requests is this policy's; not owned
 *
 * Connections continue from one file to the next. Return: 0; FMP_ERR_INVALID: built without
 * libpcap; a code for the policy's files.
 */
FMP_MUST_CHECK int pcap_reader_new(const struct fmp_policy *policy, uint16_t port,
				   struct pcap_reader **out, struct fmp_error *err);
/** pcap_reader_add_link() - hosts in this prefix are on-link: the MACs of their frames are theirs, and the server
 * they talk to is this machine. Return: 0, FMP_ERR_LIMIT. */
FMP_MUST_CHECK int pcap_reader_add_link(struct pcap_reader *c, const struct fmp_addr *prefix);
void pcap_reader_free(struct pcap_reader *c);
/** pcap_reader_read() - read a whole file; closes f unless it is standard input. Return: 0, FMP_ERR_IO,
 * FMP_ERR_SYNTAX with the number of the packet as line, FMP_ERR_NOMEM, the result of r->line(). */
FMP_MUST_CHECK int pcap_reader_read(struct pcap_reader *c, FILE *f, const char *file,
				    struct log_reader *r, struct fmp_error *err);
/** pcap_reader_finish() - after the last file: count the connections that did not end. */
void pcap_reader_finish(struct pcap_reader *c, struct pcap_counts *out);

#endif
