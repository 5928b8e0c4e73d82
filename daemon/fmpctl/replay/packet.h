/* SPDX-License-Identifier: GPL-2.0 */
/* Parses a captured packet down to its TCP segment. Pure and bounded; checksums are not verified. */
#ifndef FMPCTL_PACKET_H
#define FMPCTL_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

/** enum packet_link - the header before IP */
enum packet_link {
	PACKET_ETHERNET = 0, /**< with VLAN tags, or without */
	PACKET_COOKED, /**< Linux cooked capture (SLL), of the device "any" */
	PACKET_COOKED2, /**< SLL version 2 */
	PACKET_RAW, /**< none */
	PACKET_LOOPBACK, /**< four bytes of address family (BSD) */
};

enum packet_kind {
	PACKET_OTHER = 0, /**< not TCP */
	PACKET_TCP,
	PACKET_FRAGMENT, /**< an IP fragment, which is not reassembled */
	PACKET_CUT, /**< TCP, captured in part; or a malformed header */
};

#define PACKET_FIN 0x01u
#define PACKET_SYN 0x02u
#define PACKET_RST 0x04u
#define PACKET_ACK 0x10u

/** struct packet - a segment; payload points into the packet */
struct packet {
	struct fmp_addr mac; /**< of the sender, on Ethernet; else {0} */
	struct fmp_addr source, dest;
	uint16_t source_port, dest_port;
	uint32_t seq, ack;
	uint8_t flags; /**< PACKET_*; others may be set */
	const uint8_t *payload;
	size_t len;
};

/** packet_parse() - fills *out for PACKET_TCP only. */
enum packet_kind packet_parse(enum packet_link link, const void *bytes, size_t len,
			      struct packet *out);

#endif
