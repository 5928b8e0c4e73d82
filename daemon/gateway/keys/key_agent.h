/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The key agent: the process that holds the private keys of WS-Security, to decrypt messages and to
 * sign replies. Workers parse foreign XML, so they have only the public halves and ask the agent.
 * Each worker has an agent process of its own, forked from the one that read the files. It takes
 * requests of a fixed form, does one operation each, and knows no XML. A compromised worker can use
 * the keys as long as it lives, but can't copy them. A second agent holds the keys of TLS client
 * certificates for the listener, which has no way to the keys of the workers, nor they to its own.
 *
 * Sockets are SOCK_SEQPACKET: one request or reply is one packet.
 */
#ifndef GW_KEY_AGENT_H
#define GW_KEY_AGENT_H

#include <stdint.h>

#include <fmp/error.h>
#include <fmp/inspect.h>
#include <fmp/internal/key_agree.h>

/** Longest request: a path, or a value of RSA with 8192 bits. */
#define GW_KEY_AGENT_REQUEST_MAX 1024
/** Longest request to a key that signs by Ed25519, which signs a message and not its hash. */
#define GW_KEY_AGENT_MESSAGE_MAX FMP_ED25519_MESSAGE_MAX
/** Longest reply: the public half of that key as DER. */
#define GW_KEY_AGENT_REPLY_MAX	 1200

enum gw_key_agent_op {
	GW_KEY_AGENT_LOAD, /* bytes: path; reply: public half, SubjectPublicKeyInfo */
	GW_KEY_AGENT_READY, /* all are loaded: no more LOAD, drop privileges */
	GW_KEY_AGENT_USE, /* bytes: input for the key's use; reply: the result */
};

/** struct gw_key_agent_request - sent only up to the end of its bytes */
struct gw_key_agent_request {
	uint8_t op;
	uint8_t use; /* of LOAD: enum fmp_key_use */
	uint8_t key; /* of USE: index in the order of loading */
	uint8_t bytes[GW_KEY_AGENT_MESSAGE_MAX];
};

/** struct gw_key_agent_reply - likewise; bytes of a failed LOAD or READY hold a struct fmp_error */
struct gw_key_agent_reply {
	uint64_t cpu_ns; /* spent on it */
	int32_t status; /* 0, or a code */
	uint8_t bytes[GW_KEY_AGENT_REPLY_MAX];
};

/**
 * gw_key_agent_new() - fork the agent, before any secret is read; it has no keys yet
 *
 * It ends with its parent, and when all copies of the socket are closed.
 * Return: its socket, FMP_ERR_IO.
 */
FMP_MUST_CHECK int gw_key_agent_new(const char *user, struct fmp_error *err);

#endif
