/* SPDX-License-Identifier: GPL-2.0 */
/* One captured packet, down to its TCP segment. Pure and bounded; checksums are not looked at. */
#ifndef FMPCTL_PACKET_H
#define FMPCTL_PACKET_H

#include <stddef.h>
#include <stdint.h>

#include <fmp/source.h>

/** enum packet_link - what stands before IP */
enum packet_link {
	PACKET_ETHERNET = 0, /**< with VLAN tags, or without */
	PACKET_COOKED, /**< Linux, of the device "any" */
	PACKET_COOKED2, /**< its second version */
	PACKET_RAW, /**< nothing */
	PACKET_LOOPBACK, /**< four bytes of an address family, as BSD has it */
};

enum packet_kind {
	PACKET_OTHER = 0, /**< no TCP */
	PACKET_TCP,
	PACKET_FRAGMENT, /**< of IP: TCP or not, it is not put together */
	PACKET_CUT, /**< TCP of which the capture holds a part only, or what is no proper header */
};

#define PACKET_FIN 0x01u
#define PACKET_SYN 0x02u
#define PACKET_RST 0x04u
#define PACKET_ACK 0x10u

/** struct packet - a segment; payload points into the packet */
struct packet {
	struct fmp_addr mac; /**< of the sender, on an Ethernet; else {0} */
	struct fmp_addr source, dest;
	uint16_t source_port, dest_port;
	uint32_t seq, ack;
	uint8_t flags; /**< PACKET_*; others may be set */
	const uint8_t *payload;
	size_t len;
};

/** packet_parse() - *out is filled for PACKET_TCP only. */
enum packet_kind packet_parse(enum packet_link link, const void *bytes, size_t len,
			      struct packet *out);

#endif
