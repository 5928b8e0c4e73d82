/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_ENFORCE_FLUSH_FLOWS_H
#define FMPI_ENFORCE_FLUSH_FLOWS_H

#include <libmnl/libmnl.h>

#include <fmp/source.h>

/* One direction of a connection: its frames come from the source, and go to the port (0: none). */
struct fmpi_flow_end {
	struct fmp_addr source;
	uint16_t dest_port;
};

/* Parse a message of ctnetlink; @tb: CTA_MAX + 1 entries. Return: false if it describes no connection that a flowtable
 * forwards. */
bool fmpi_flush_flows_parse(const struct nlmsghdr *nlh, const struct nlattr **tb,
			    struct fmpi_flow_end ends[2]);

#endif
