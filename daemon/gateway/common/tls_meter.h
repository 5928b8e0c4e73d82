/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What one TLS connection may cost the loop, of clients and of services alike.
 *
 * OpenSSL reads on for as long as records come that carry nothing for us (KeyUpdate, a handshake in pieces, alerts,
 * tickets, empty ones), so whoever sends them as fast as they are read would hold the loop. The meter stands between
 * OpenSSL and the socket: after a number of reads in a row it says that nothing is there yet, and OpenSSL returns to the
 * loop, which turns to the others first. And it counts records: whoever sends too many without data, or with next to
 * none, is read from no more, and the connection ends with the reason.
 */
#ifndef GW_TLS_METER_H
#define GW_TLS_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

struct bufferevent;

/** Reads of the socket before the loop turns to others; a record takes two. */
#define GW_TLS_METER_READS	       64u
/** Records of a handshake: one of 32 KiB of certificates in records of 512 bytes (RFC 6066 4) takes 70. */
#define GW_TLS_METER_HANDSHAKE_RECORDS 256u
/** Records without data between two requests: a client that is well takes new keys after 2^24 records. */
#define GW_TLS_METER_EMPTY_RECORDS     64u
/** Records between two requests: whoever writes byte by byte may do so for a message of some KiB, ... */
#define GW_TLS_METER_RECORDS	       4096u
/** ... and of a longer one a record is to carry so many bytes on average. */
#define GW_TLS_METER_BYTES_PER_RECORD  16u

/** struct gw_tls_meter - of one connection; starts as all 0, must live as long as its bufferevent */
struct gw_tls_meter {
	unsigned reads; /**< private: since the loop last turned */
	unsigned empty, records; /**< private: since the handshake or the last request */
	uint64_t bytes; /**< private: of data, the same */
	bool open; /**< private: the handshake is done */
	const char *why; /**< it is read from no more, static text; NULL: it is */
};

/** gw_tls_meter_attach() - records of @ssl count from now on. Whoever sets the callback of its BIO calls the next two. */
void gw_tls_meter_attach(struct gw_tls_meter *m, SSL *ssl);
/** gw_tls_meter_before_read() - before a read. Return: what the callback of @bio is to return. */
long gw_tls_meter_before_read(struct gw_tls_meter *m, BIO *bio);
/** gw_tls_meter_after_read() - after it. @any: there was something. */
void gw_tls_meter_after_read(struct gw_tls_meter *m, bool any);
/** gw_tls_meter_count_data() - what OpenSSL hands on to @bev is data; without memory none counts. */
void gw_tls_meter_count_data(struct gw_tls_meter *m, struct bufferevent *bev);
/** gw_tls_meter_reset() - the handshake is done, or a request, or an answer. */
void gw_tls_meter_reset(struct gw_tls_meter *m);

#endif
