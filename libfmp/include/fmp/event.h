/* SPDX-License-Identifier: GPL-2.0 */
/* One suspicious (or good) message, as the gateway or a local program reports it. */
#ifndef FMP_EVENT_H
#define FMP_EVENT_H

#include <fmp/error.h>
#include <fmp/source.h>
#include <fmp/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum fmp_event_kind - what was wrong; the policy gives each kind its rank
 *
 * The order is that of the ladder: what is found early comes first; new ones at the end. The names
 * of fmp_event_kind_name() are those of the policy file and of all output.
 */
enum fmp_event_kind {
	FMP_EVENT_GOOD = 0, /**< "good": passed every step; no rank of its own */
	FMP_EVENT_CONNECTION, /**< "connection": too many, or what was begun did not come, or not in time */
	FMP_EVENT_HTTP, /**< "http": not strict HTTP/1.1 */
	FMP_EVENT_OVERSIZE, /**< "oversize": body larger than allowed */
	FMP_EVENT_ENCODING, /**< "encoding": not UTF-8 or UTF-16 with BOM, XML 1.1 */
	FMP_EVENT_DTD, /**< "dtd": document type declaration, entities */
	FMP_EVENT_NESTING, /**< "nesting": deeper than allowed */
	FMP_EVENT_STRUCTURE, /**< "structure": too many attributes, namespaces, elements, PIs ... */
	FMP_EVENT_WELLFORMED, /**< "wellformed": not namespace-well-formed XML */
	FMP_EVENT_SOAP, /**< "soap": XML, but no proper SOAP envelope */
	FMP_EVENT_SCHEMA, /**< "schema": not valid against the service's schema */
	FMP_EVENT_UNSIGNED, /**< "unsigned": a required signature or signed part is missing */
	FMP_EVENT_TIMESTAMP, /**< "timestamp": missing, expired, from the future */
	FMP_EVENT_REPLAY, /**< "replay": seen before */
	FMP_EVENT_ALGORITHM, /**< "algorithm": an algorithm or transform that is not allowed */
	FMP_EVENT_TOKEN, /**< "token": certificate unreadable, not trusted, not valid now */
	FMP_EVENT_WRAPPING, /**< "wrapping": signed parts are not the ones processed */
	FMP_EVENT_SIGNATURE, /**< "signature": digest or signature value does not match */
	FMP_EVENT_UNENCRYPTED, /**< "unencrypted": required encryption is missing */
	FMP_EVENT_DECRYPT, /**< "decrypt": does not decrypt, for whatever reason */
	FMP_EVENT_CONTENT, /**< "content": a content rule matched */
	FMP_EVENT_CRASH, /**< "crash": a worker died over it, or the gateway that read it */
	FMP_EVENT_TIMEOUT, /**< "timeout": a worker gave up over it */
	/* Of other programs, see <fmp/report.h>; the gateway has none of these. */
	FMP_EVENT_LOGIN, /**< "login": wrong credentials for a service of this machine */
	FMP_EVENT_LOCAL, /**< "local": bad in the words of the program that saw it */
	/* Refused, but seldom intended: policies/README.md, "Whose fault it can be". */
	FMP_EVENT_BROWSER, /**< "browser": what any web page can make its reader's browser send */
	FMP_EVENT_UNSUPPORTED, /**< "unsupported": legal, but of a feature that is not supported */
	FMP_EVENT_OUTAGE, /**< "outage": a remote service's answer is a page, not SOAP */

	FMP_EVENT_KINDS
};

/** FMP_EVENT_DETAIL - bytes of the words of an event with their end: on the wire, in the table and in the state
 * file alike, so that whoever asks why reads all that was said. */
#define FMP_EVENT_DETAIL 256u

/**
 * struct fmp_event - plain value
 *
 * @proven: the source address completed a TCP handshake, or a local program
 * vouches for it; an event without it never gathers rank (DESIGN: invariant 2).
 */
struct fmp_event {
	enum fmp_event_kind kind;
	bool proven;
	struct fmp_addr source; /**< full address, never a prefix */
	uint16_t source_port; /**< host order, 0 if unknown */
	uint16_t dest_port; /**< host order, 0 if unknown */
	uint64_t time_ns; /**< CLOCK_BOOTTIME when the last byte of the message arrived */
	uint64_t cpu_ns; /**< CPU time spent on it */
	uint32_t bytes; /**< size of the message */
	/*
	 * What its own packets carried: the MAC of the SYN of its connection; {0}: not known, as of who comes
	 * through a proxy, or under SYN cookies. Neighbour messages of others can't change it.
	 */
	struct fmp_addr mac;
	uint64_t accepted_ns; /**< CLOCK_BOOTTIME when that was accepted; 0: by nobody of us */
	char step[16]; /**< that refused it, of fmp_step_name(); "": unknown */
	char service[32]; /**< that it was for, of the policy; "": unknown */
	char detail[FMP_EVENT_DETAIL]; /**< one sentence in words, printable ASCII or UTF-8 */
};

/** fmp_event_kind_name() - "schema" ...; NULL if out of range. */
FMP_API const char *fmp_event_kind_name(unsigned kind);
/** fmp_event_kind_parse() - Return: 0, FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_event_kind_parse(const char *name, enum fmp_event_kind *out);

/**
 * Message types on the socketpair between fmpd and its gateway (FMP_MSG_EVENT on the
 * control socket too). Field ids are local to a type.
 */
enum fmp_msg {
	/** gateway -> fmpd: fmp_event_encode() */
	FMP_MSG_EVENT = 0x0101,
	/** gateway -> fmpd: sandboxed and accepting; 1: u64 pid, 2: u64 workers */
	FMP_MSG_GW_READY = 0x0102,
	/** gateway -> fmpd: 1: u64 accepted, 2: rejected, 3: connections open, 4: events lost, 5 and 6:
	 * refused for want of time and of revocation lists; and of each step s of enum fmp_step 7 + 3s:
	 * messages it ran for, 8 + 3s: that it refused, 9 + 3s: CPU ns */
	FMP_MSG_GW_STATS = 0x0103,
	/** gateway -> fmpd: 1: u64 1: the clock of this device is not set; 0: it is again */
	FMP_MSG_GW_CLOCK = 0x0104,
	/** fmpd -> gateway: 1: addr or prefix, blocked from now on; its connections are to be closed at
	 * once. 2: u64 ms that are left of the block, 0 without end; 3: u64 port that alone is blocked, 0
	 * all */
	FMP_MSG_GW_CUT = 0x0111,
	/** fmpd -> gateway: finish what is being worked on, exit 0 */
	FMP_MSG_GW_STOP = 0x0112,
	/** fmpd -> gateway: another one accepts; serve the connections there are, one more request
	 * each, then exit 0 */
	FMP_MSG_GW_DRAIN = 0x0113,
	/** fmpd -> gateway: 1: addr or prefix, no longer blocked */
	FMP_MSG_GW_FREE = 0x0114,
	/** fmpd -> gateway: 1: addr, any number: the IPv6 prefixes that are shared with this machine or with
	 * who is protected: in them each address is a source; 2: addr, a few: prefixes of the network's own
	 * translators that were found, see fmp_addr_is_found() */
	FMP_MSG_GW_SHARED = 0x0116,
	/** fmpd -> gateway: all that is blocked was told, where its policy lists proxies */
	FMP_MSG_GW_TOLD = 0x0115,
};

/** fmp_event_encode() - one whole wire message into buf. Return: 0 and *len; FMP_ERR_LIMIT. */
FMP_API FMP_MUST_CHECK int fmp_event_encode(const struct fmp_event *ev, void *buf, size_t cap,
					    size_t *len);
/** fmp_event_decode() - the rest of a parsed message of type FMP_MSG_EVENT; control characters in
 * detail become '?'. Return: 0; FMP_ERR_INVALID: a field has a value that no event may have, and this event
 * alone is to be dropped; FMP_ERR_SYNTAX: the message is torn, or a field is missing or comes twice. */
FMP_API FMP_MUST_CHECK int fmp_event_decode(struct fmp_wire_in *in, struct fmp_event *ev);

#ifdef __cplusplus
}
#endif
#endif
