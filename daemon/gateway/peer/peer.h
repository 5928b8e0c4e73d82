/* SPDX-License-Identifier: GPL-2.0 */
/* The other side of a connection; a header of its own, for the parts that know no connection yet. */
#ifndef GW_PEER_H
#define GW_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/source.h>

/** struct gw_peer - the other side of a connection */
struct gw_peer {
	struct fmp_addr source;
	struct fmp_addr group; /**< key of the source, see source_key.h */
	struct fmp_addr mac; /**< of the SYN; {0}: unknown, or the source is a proxy's client */
	uint64_t accepted_ns; /**< CLOCK_BOOTTIME */
	uint16_t source_port, dest_port;
	bool local; /**< a program of this machine */
	bool forwarded; /**< a proxy that names its clients in X-Forwarded-For */
};

#endif
