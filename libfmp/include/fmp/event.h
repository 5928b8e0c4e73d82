/* SPDX-License-Identifier: GPL-2.0 */
/* One suspicious or good message, as the gateway or a local program reports it. */
#ifndef FMP_EVENT_H
#define FMP_EVENT_H

#include <fmp/error.h>
#include <fmp/source.h>
#include <fmp/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum fmp_event_kind - what is wrong with the message; the policy assigns a rank to each kind
 *
 * In the order of the pipeline: kinds that are detected early come first; new ones are added at the
 * end. The policy file and all output use the names of fmp_event_kind_name().
 */
enum fmp_event_kind {
	FMP_EVENT_GOOD = 0, /**< "good": passed all steps; has no rank */
	FMP_EVENT_CONNECTION, /**< "connection": too many, or a request that was not completed in time */
	FMP_EVENT_HTTP, /**< "http": not strict HTTP/1.1 */
	FMP_EVENT_OVERSIZE, /**< "oversize": body larger than allowed */
	FMP_EVENT_ENCODING, /**< "encoding": not UTF-8 or UTF-16 with BOM, XML 1.1 */
	FMP_EVENT_DTD, /**< "dtd": document type declaration, entities */
	FMP_EVENT_NESTING, /**< "nesting": deeper than allowed */
	FMP_EVENT_STRUCTURE, /**< "structure": too many attributes, namespaces, elements, PIs ... */
	FMP_EVENT_WELLFORMED, /**< "wellformed": not namespace-well-formed XML */
	FMP_EVENT_SOAP, /**< "soap": XML, but not a valid SOAP envelope */
	FMP_EVENT_SCHEMA, /**< "schema": not valid against the service's schema */
	FMP_EVENT_UNSIGNED, /**< "unsigned": a required signature or signed part is missing */
	FMP_EVENT_TIMESTAMP, /**< "timestamp": missing, expired, from the future */
	FMP_EVENT_REPLAY, /**< "replay": seen before */
	FMP_EVENT_ALGORITHM, /**< "algorithm": an algorithm or transform that is not allowed */
	FMP_EVENT_TOKEN, /**< "token": certificate unreadable, not trusted, not valid now */
	FMP_EVENT_WRAPPING, /**< "wrapping": the signed parts are not the processed ones */
	FMP_EVENT_SIGNATURE, /**< "signature": digest or signature value does not match */
	FMP_EVENT_UNENCRYPTED, /**< "unencrypted": required encryption is missing */
	FMP_EVENT_DECRYPT, /**< "decrypt": does not decrypt, for whatever reason */
	FMP_EVENT_CONTENT, /**< "content": a content rule matched */
	FMP_EVENT_CRASH, /**< "crash": a worker, or the gateway, died while reading it */
	FMP_EVENT_TIMEOUT, /**< "timeout": a worker took too long */
	/* Reported by other programs, see <fmp/report.h>; never by the gateway. */
	FMP_EVENT_LOGIN, /**< "login": wrong credentials for a service of this machine */
	FMP_EVENT_LOCAL, /**< "local": bad by the judgement of the reporting program */
	/* Refused, but seldom sent on purpose: policies/README.md, "Whose fault it can be". */
	FMP_EVENT_BROWSER, /**< "browser": any web page can make a browser send it */
	FMP_EVENT_UNSUPPORTED, /**< "unsupported": legal, but uses an unsupported feature */
	FMP_EVENT_OUTAGE, /**< "outage": a remote service's answer is a page, not SOAP */

	FMP_EVENT_KINDS
};

/** FMP_EVENT_DETAIL - size of an event's text with its NUL: the same on the wire, in the table and
 * in the state file, so that nothing is cut on the way. */
#define FMP_EVENT_DETAIL 256u

/**
 * @proven: the source address completed a TCP handshake, or a local program vouches for it; other
 * 	 events never gather rank (invariant 2)
 */
struct fmp_event {
	enum fmp_event_kind kind;
	bool proven;
	struct fmp_addr source; /**< full address, never a prefix */
	uint16_t source_port; /**< host order, 0 if unknown */
	uint16_t dest_port; /**< host order, 0 if unknown */
	uint64_t time_ns; /**< CLOCK_BOOTTIME when the last byte of the message arrived */
	uint64_t cpu_ns; /**< CPU time spent on the message */
	uint32_t bytes; /**< size of the message */
	/*
	 * The MAC in the SYN of its connection. {0}: unknown, as behind a proxy or under SYN
	 * cookies. Neighbour messages of other hosts can't change it.
	 */
	struct fmp_addr mac;
	/** CLOCK_BOOTTIME when the connection was accepted; 0: not by a program of ours */
	uint64_t accepted_ns;
	char step[16]; /**< the step that refused it, as fmp_step_name(); "": unknown */
	char service[32]; /**< the policy's name of the service it was for; "": unknown */
	char detail[FMP_EVENT_DETAIL]; /**< one sentence, printable ASCII or UTF-8 */
};

/** fmp_event_kind_name() - "schema" and so on; NULL if out of range. */
FMP_API const char *fmp_event_kind_name(unsigned kind);
/** fmp_event_kind_parse() - Return: 0, FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_event_kind_parse(const char *name, enum fmp_event_kind *out);

/**
 * Message types on the socketpair between fmpd and its gateway (FMP_MSG_EVENT also on the control
 * socket). Field ids are local to a type.
 */
enum fmp_msg {
	/** gateway -> fmpd: fmp_event_encode() */
	FMP_MSG_EVENT = 0x0101,
	/** gateway -> fmpd: sandboxed and accepting; 1: u64 pid, 2: u64 workers */
	FMP_MSG_GW_READY = 0x0102,
	/** gateway -> fmpd: 1: u64 accepted, 2: rejected, 3: connections open, 4: events lost, 5
	 * and 6: refused because the clock is not set and because CRLs are missing; for each step
	 * s of enum fmp_step 7 + 3s: messages it processed, 8 + 3s: refused, 9 + 3s: CPU ns */
	FMP_MSG_GW_STATS = 0x0103,
	/** gateway -> fmpd: 1: u64 1: the clock of this device is not set; 0: it is set again */
	FMP_MSG_GW_CLOCK = 0x0104,
	/** fmpd -> gateway: 1: addr or prefix that is blocked from now on; its connections are
	 * closed at once. 2: u64 ms left of the block, 0 without end; 3: u64 the only port that
	 * is blocked, 0 all */
	FMP_MSG_GW_CUT = 0x0111,
	/** fmpd -> gateway: finish the current requests, exit 0 */
	FMP_MSG_GW_STOP = 0x0112,
	/** fmpd -> gateway: another gateway accepts connections; serve one more request on each
	 * open one, then exit 0 */
	FMP_MSG_GW_DRAIN = 0x0113,
	/** fmpd -> gateway: 1: addr or prefix, no longer blocked */
	FMP_MSG_GW_FREE = 0x0114,
	/** fmpd -> gateway: 1: addr, any number: IPv6 prefixes shared with this machine or with a
	 * protected host, in which each address is a source of its own; 2: addr, a few:
	 * discovered NAT64 prefixes, see fmp_addr_is_found() */
	FMP_MSG_GW_SHARED = 0x0116,
	/** fmpd -> gateway: all blocks were sent; only if the policy lists proxies */
	FMP_MSG_GW_TOLD = 0x0115,
};

/** fmp_event_encode() - write an event as one complete wire message. Return: 0 and *len;
 * FMP_ERR_LIMIT. */
FMP_API FMP_MUST_CHECK int fmp_event_encode(const struct fmp_event *ev, void *buf, size_t cap,
					    size_t *len);
/** fmp_event_decode() - read the fields of a message of type FMP_MSG_EVENT; control characters in
 * detail become '?'.
 * Return: 0; FMP_ERR_INVALID: a field has a value that no event may have, so drop this event
 * only; FMP_ERR_SYNTAX: the message is torn, or a field is missing or duplicate. */
FMP_API FMP_MUST_CHECK int fmp_event_decode(struct fmp_wire_in *in, struct fmp_event *ev);

#ifdef __cplusplus
}
#endif
#endif
