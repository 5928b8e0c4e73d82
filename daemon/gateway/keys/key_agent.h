/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The keeper: the process that has the private keys of WS-Security, for messages that are
 * decrypted and answers that are signed. Workers read foreign XML, so they have the public
 * halves only, and ask. Each worker has a keeper of its own, forked from the one that read the
 * files: it takes requests of a fixed form, does one operation, and knows no XML. A worker that
 * is taken over can use the keys as long as it lives; it can't carry them away.
 *
 * Sockets are SOCK_SEQPACKET: one request or answer is one packet.
 */
#ifndef GW_KEY_AGENT_H
#define GW_KEY_AGENT_H

#include <stdint.h>

#include <fmp/error.h>
#include <fmp/inspect.h>

/** Of a key, a number or a path: RSA of 8192 bits. */
#define GW_KEY_AGENT_REQUEST_MAX 1024
/** Of an answer: that key's public half as DER. */
#define GW_KEY_AGENT_REPLY_MAX	 1200

enum gw_key_agent_op {
	GW_KEY_AGENT_LOAD, /* bytes: path; answer: public half, SubjectPublicKeyInfo */
	GW_KEY_AGENT_READY, /* all are loaded: no more LOAD, and no more rights */
	GW_KEY_AGENT_USE, /* bytes: as the key's use says; answer: what came of it */
};

/** struct gw_key_agent_request - what is sent is no longer than its bytes */
struct gw_key_agent_request {
	uint8_t op;
	uint8_t use; /* of LOAD: enum fmp_key_use */
	uint8_t key; /* of USE: the how manieth that was loaded */
	uint8_t bytes[GW_KEY_AGENT_REQUEST_MAX];
};

/** struct gw_key_agent_reply - as long as its bytes, too; of a failed LOAD or READY a struct fmp_error */
struct gw_key_agent_reply {
	uint64_t cpu_ns; /* that it has cost */
	int32_t status; /* 0, or a code */
	uint8_t bytes[GW_KEY_AGENT_REPLY_MAX];
};

/**
 * gw_key_agent_new() - a process with no keys, yet; before any secret is read
 *
 * It ends with its caller, and when all copies of the socket are closed.
 * Return: its socket, FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_key_agent_new(const char *user, struct fmp_error *err);

#endif
