/* SPDX-License-Identifier: GPL-2.0 */
/* Captures of packets (pcap, pcapng) as a log: what was said to the gateway's port. */
#ifndef FMPCTL_PCAP_READER_H
#define FMPCTL_PCAP_READER_H

#include <stdio.h>

#include <fmp/policy.h>

#include "../log/log_reader.h"

/** struct pcap_counts - of all files so far */
struct pcap_counts {
	uint64_t packets;
	uint64_t connections;
	/** Connections of which something was not read: their start, or a part, is not in the capture;
	 * they speak TLS; a PROXY header tells whose they are; there was no room for them. */
	uint64_t without_start, gaps, encrypted, proxied, given_up;
	uint64_t uncharged; /**< messages refused that are nobody's offence */
	uint64_t cut, fragments; /**< packets that were captured in part; that IP had cut */
};

struct pcap_reader;

/**
 * pcap_reader_new() - @policy: whose gateway judges what was said; it is not owned
 *
 * Connections go on from one file to the next. Return: 0; FMP_ERR_INVALID: it was built without
 * libpcap; a code of the policy's files.
 */
FMP_MUST_CHECK int pcap_reader_new(const struct fmp_policy *policy, uint16_t port,
				   struct pcap_reader **out, struct fmp_error *err);
/** pcap_reader_add_link() - hosts of this prefix are on the link: their frames have their own MACs, and their
 * server's address is this machine's. Return: 0, FMP_ERR_LIMIT. */
FMP_MUST_CHECK int pcap_reader_add_link(struct pcap_reader *c, const struct fmp_addr *prefix);
void pcap_reader_free(struct pcap_reader *c);
/** pcap_reader_read() - a whole file; f is closed unless it is standard input. Return: 0, FMP_ERR_IO,
 * FMP_ERR_SYNTAX with the number of the packet as line, FMP_ERR_NOMEM, what r->line() returned. */
FMP_MUST_CHECK int pcap_reader_read(struct pcap_reader *c, FILE *f, const char *file,
				    struct log_reader *r, struct fmp_error *err);
/** pcap_reader_finish() - no more files: what could not be followed to its end is counted. */
void pcap_reader_finish(struct pcap_reader *c, struct pcap_counts *out);

#endif
