/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Limits what one TLS connection costs the event loop, for clients and services alike.
 *
 * OpenSSL keeps reading while records arrive that carry no data (KeyUpdate, fragments of a
 * handshake, alerts, tickets, empty records), so a peer that sends them fast enough would hold the
 * loop. The meter stands between OpenSSL and the socket: after a number of reads in a row it
 * pretends that nothing is there, and OpenSSL returns to the loop, which serves the others first.
 * It also counts records: a peer that sends too many without data, or with very little data, is not
 * read from any more, and the connection ends with the reason.
 */
#ifndef GW_TLS_METER_H
#define GW_TLS_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <openssl/types.h>

struct bufferevent;

/** Reads of the socket before OpenSSL has to return to the loop; a record takes two. */
#define GW_TLS_METER_READS	       64u
/** Records of a handshake: 32 KiB of certificates in records of 512 bytes (RFC 6066 4) take 70. */
#define GW_TLS_METER_HANDSHAKE_RECORDS 256u
/**
 * Records without data between two requests; a well-behaved client updates keys after 2^24 records.
 */
#define GW_TLS_METER_EMPTY_RECORDS     64u
/** Records between two requests: writing byte by byte is fine for a message of some KiB, ... */
#define GW_TLS_METER_RECORDS	       4096u
/** ... and in a longer one a record must carry so many bytes on average. */
#define GW_TLS_METER_BYTES_PER_RECORD  16u

/** struct gw_tls_meter - of one connection; starts as all 0, must outlive its bufferevent */
struct gw_tls_meter {
	unsigned reads; /**< private: since OpenSSL last returned to the loop */
	unsigned empty, records; /**< private: since the handshake or the last request */
	uint64_t bytes; /**< private: of data, since then */
	bool open; /**< private: the handshake is done */
	const char *why; /**< reading has stopped, with this reason (static text); NULL: it has not */
};

/**
 * gw_tls_meter_attach() - count records of @ssl from now on. The caller's BIO callback calls the
 * next two.
 */
void gw_tls_meter_attach(struct gw_tls_meter *m, SSL *ssl);
/** gw_tls_meter_before_read() - Return: the value to return from the callback of @bio. */
long gw_tls_meter_before_read(struct gw_tls_meter *m, BIO *bio);
/** gw_tls_meter_after_read() - @any: the read returned bytes. */
void gw_tls_meter_after_read(struct gw_tls_meter *m, bool any);
/**
 * gw_tls_meter_count_data() - count decrypted bytes passed to @bev; without memory none are
 * counted.
 */
void gw_tls_meter_count_data(struct gw_tls_meter *m, struct bufferevent *bev);
/** gw_tls_meter_reset() - a handshake, a request or a reply is complete. */
void gw_tls_meter_reset(struct gw_tls_meter *m);

#endif
