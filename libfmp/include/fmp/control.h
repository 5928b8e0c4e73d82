/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control protocol of fmpd: a unix stream socket that carries wire messages (wire.h).
 *
 * A client sends one request; fmpd replies with any number of FMP_CTL_RECORD, then one FMP_CTL_END.
 * After FMP_CTL_WATCH records continue until the client closes. The fields of a record are
 * described by fmp_ctl_field_info(), one table for text and JSON. A record starts with
 * FMP_F_RECORD, the name of its kind.
 */
#ifndef FMP_CONTROL_H
#define FMP_CONTROL_H

#include <fmp/error.h>
#include <fmp/source.h>
#include <fmp/wire.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_CONTROL_SOCKET "/run/fmp/control"

/** Message types. Requests that change something require write access to the socket. */
enum fmp_ctl_type {
	FMP_CTL_STATUS = 0x0201, /**< FMP_F_VERIFY or as it is known -> one "status", one "layer" a
				      layer, one "device" a device of the layer premac, one "nat64" a
				      prefix of the network's translators that was found, one
				      "gateway", one "step" a stage of its pipeline: messages that
				      reached it, that it refused, their CPU */
	FMP_CTL_SOURCES, /**< -> one "source" a row */
	FMP_CTL_WHY, /**< FMP_F_ADDR -> "source", its "event"s, its "decision", its "answer"s, "covered": other
			blocks that hold it; of a prefix "member": the first blocks in it; "protected" */
	FMP_CTL_BLOCK, /**< FMP_F_ADDR, FMP_F_DURATION_MS, FMP_F_LAYERS, FMP_F_REASON -> "decision", "answer"s */
	/** FMP_F_ADDR, FMP_F_REASON -> "decision", "answer"s; one "covered" for each block in force
	 * that still covers the address, with the fields of "decision" */
	FMP_CTL_UNBLOCK,
	FMP_CTL_PROTECT_LIST, /**< -> one "protected" an entry */
	FMP_CTL_PROTECT_ADD, /**< FMP_F_ADDR; ends a block in force on it */
	FMP_CTL_PROTECT_DEL, /**< FMP_F_ADDR; manual entries only */
	FMP_CTL_POLICY_RELOAD, /**< FMP_F_FILE, else the current file -> "policy" */
	FMP_CTL_WATCH, /**< -> "event", "decision", "answer", "gateway", "protected", "nat64" as they come */
	FMP_CTL_DECISIONS, /**< FMP_F_SET, else any set -> every block in force: "decision", "answer"s */
	FMP_CTL_BLOCK_MANY, /**< any number of FMP_F_ADDR, and as FMP_CTL_BLOCK -> one "refused" an
				 address that was, with words; one "bulk": FMP_F_WANTED,
				 FMP_F_ENFORCED by all layers that were asked, FMP_F_KEPT;
				 a block of another origin, or one that lasts longer, stays;
				 FMP_F_LEFT_MS behind an address: its own duration; FMP_F_SET:
				 they belong to it, and it renews its own blocks */
	FMP_CTL_POLICY_SHOW, /**< -> one "setting" for each setting of the policy in force */
	FMP_CTL_FLUSH, /**< FMP_F_MANUAL or every one, FMP_F_SET or of any, FMP_F_KEPT: but those that
			    FMP_CTL_SET_KEEP named; FMP_F_REASON -> "flushed"; all blocks end */
	FMP_CTL_SET_KEEP, /**< FMP_F_SET, any number of FMP_F_ADDR: blocks of the set that stay; without
			       an address: those named before are forgotten. Nothing is answered */

	FMP_CTL_RECORD = 0x0280,
	FMP_CTL_END = 0x0281, /**< FMP_F_CODE (0 or a negative fmp_code as u64), FMP_F_MESSAGE */
};

/** Field ids. fmp_ctl_field_info() gives types and names. New ids at the end only. */
enum fmp_ctl_field {
	FMP_F_RECORD = 1, /**< str: kind of the record */
	FMP_F_CODE,
	FMP_F_MESSAGE,
	FMP_F_ADDR,
	FMP_F_MAC,
	FMP_F_MAC_VETO,
	FMP_F_STATE,
	FMP_F_RANK,
	FMP_F_SUSPICIOUS,
	FMP_F_MALICIOUS,
	FMP_F_DEST_PORT,
	FMP_F_SOURCE_PORT,
	FMP_F_EVENTS,
	FMP_F_GOOD,
	FMP_F_UNPROVEN,
	FMP_F_CPU_MS,
	FMP_F_STRIKES,
	FMP_F_DECISION_ID,
	FMP_F_LEFT_MS,
	FMP_F_DURATION_MS,
	FMP_F_AGE_MS,
	FMP_F_KIND,
	FMP_F_DETAIL,
	FMP_F_LAYER,
	FMP_F_LAYERS,
	FMP_F_ACTION,
	FMP_F_REASON,
	FMP_F_MANUAL,
	FMP_F_ERRNO,
	FMP_F_TEXT,
	FMP_F_ORIGIN,
	FMP_F_FILE,
	FMP_F_NAME,
	FMP_F_VERSION,
	FMP_F_PID,
	FMP_F_UPTIME_MS,
	FMP_F_SOURCES,
	FMP_F_MAX_SOURCES,
	FMP_F_BLOCKED,
	FMP_F_WANTED,
	FMP_F_ENFORCED,
	FMP_F_FOREIGN,
	FMP_F_ENFORCEMENT_RATIO, /**< in millionths: 1000000 is all */
	FMP_F_DROPPED,
	FMP_F_DROPPED_LATE,
	FMP_F_STOPPED_BYTES,
	FMP_F_PROTECTED_HITS,
	FMP_F_RESTARTS,
	FMP_F_REPAIRED,
	FMP_F_LAST_RECONCILE_MS,
	FMP_F_EVICTED,
	FMP_F_FRAMES,
	FMP_F_FIRST_HIT_NS,
	FMP_F_TIME_NS,
	FMP_F_OBSERVE,
	FMP_F_DECISIONS,
	FMP_F_LISTEN,
	FMP_F_BACKEND,
	FMP_F_SECURITY,
	FMP_F_CPU_NS,
	FMP_F_BYTES,
	FMP_F_PROVEN,
	FMP_F_SUSPICIOUS_SOURCES, /**< rows at or above the first threshold */
	FMP_F_UNBLOCKS,
	FMP_F_KERNEL, /**< str: what a dump says at the time of asking: "enforced", "missing", "unknown" */
	FMP_F_FOREIGN_FRAMES, /**< premac: frames stopped for a foreign destination MAC */
	FMP_F_ACCEPTED,
	FMP_F_REJECTED,
	FMP_F_CONNECTIONS,
	FMP_F_LOST,
	FMP_F_WORKERS,
	FMP_F_VERDICT,
	FMP_F_STEP,
	FMP_F_LINE,
	FMP_F_COLUMN,
	FMP_F_HOOK, /**< str: place of the filter on a device, see struct fmp_device */
	FMP_F_OBSERVED, /**< frames that passed only because of observe mode */
	FMP_F_SERVICE, /**< str: name of the service that a message was for */
	FMP_F_MEASURE, /**< str: what a decision does, see fmp_action_kind_name() */
	FMP_F_RATE, /**< packets a second that a limit lets through */
	FMP_F_POLICY, /**< str: its name; this and the following are for `fmpctl replay` */
	FMP_F_AT_MS, /**< since the log's start */
	FMP_F_TIME, /**< str: the same as time of day, if the log has it */
	FMP_F_BLOCKS, /**< how many */
	FMP_F_BLOCKED_MS, /**< their total duration; absent: without end */
	FMP_F_KEPT_OUT, /**< bad messages that did not get through */
	FMP_F_GOOD_LOST, /**< good ones */
	FMP_F_BLOCKED_BY, /**< str: "both", "first" or "second" policy */
	FMP_F_OTHER_AT_MS, /**< this and the following: the same for the second policy */
	FMP_F_OTHER_TIME,
	FMP_F_OTHER_BLOCKS,
	FMP_F_OTHER_BLOCKED_MS,
	FMP_F_OTHER_KEPT_OUT,
	FMP_F_OTHER_GOOD_LOST,
	FMP_F_LEFT_OUT, /**< lines of a log that are not about a client */
	FMP_F_NOT_UNDERSTOOD, /**< lines of a log that do not match its format */
	FMP_F_COUNT, /**< of a counter of `fmpctl stats` */
	FMP_F_VALUE, /**< str: of a setting, as it would be written */
	FMP_F_FROM, /**< str: its value in the first of two policies */
	FMP_F_TO, /**< str: its value in the second */
	FMP_F_REPORTS, /**< reports of other programs that were accepted */
	FMP_F_REPORTS_LOST, /**< reports that exceeded the rate */
	FMP_F_MAC_LEFT_MS, /**< of the MAC, if it is blocked for a shorter time than its source */
	FMP_F_VERIFY, /**< of a request: compare with the kernel now */
	FMP_F_COMPARED_MS, /**< time since the newest comparison with the kernel */
	FMP_F_DOUBTED, /**< the state is stale: other programs have changed something since */
	FMP_F_RESUMING, /**< fmpd is still restoring the blocks of before its start */
	FMP_F_PREFIX, /**< of a source that is judged by itself: its prefix, which can't be blocked */
	FMP_F_HOLDS, /**< the protected address in that prefix; FMP_F_ORIGIN is its origin */
	FMP_F_MAC_RANK, /**< of such a source: sum of the points of all addresses of its MAC */
	FMP_F_PAIR_MAC, /**< the IP address is blocked only in frames of this MAC */
	FMP_F_CLOCK_UNSET, /**< of this device, as the gateway sees it */
	FMP_F_UNJUDGED_TIME, /**< messages refused because the clock is not set; nobody is charged */
	FMP_F_UNJUDGED_LISTS, /**< messages, TLS clients refused for want of revocation lists; uncharged */
	FMP_F_UNJUDGED_TRIES, /**< messages not decrypted: too many under CBC were refused behind that; uncharged */
	FMP_F_KEPT, /**< addresses of a list whose block in force was kept */
	FMP_F_EVENTS_REFUSED, /**< events of the gateway with an invalid value; dropped */
	FMP_F_MAX_BLOCKS, /**< upper bound on active blocks */
	FMP_F_WAITING, /**< malicious sources that wait for room for their block */
	FMP_F_BLOCKS_REFUSED, /**< blocks refused for lack of room since the start */
	FMP_F_SET, /**< str: the named set that a block belongs to */
	FMP_F_RULE, /**< str: the group or override whose thresholds apply to a source; absent: the policy */
	FMP_F_IPV4, /**< of an IPv6 source behind a NAT64 translator: its IPv4 host */
	FMP_F_HOST_RANK, /**< of an IPv4 host with several addresses: sum of their points */
	FMP_F_NUMBER, /**< of a message in its file; this and the following are for `fmpctl inspect` */
	FMP_F_STATUS, /**< of the gateway's own answer */
	FMP_F_TARGET, /**< str: path and query that the service is asked for */
	FMP_F_WITHHELD, /**< str: names of fields that are not forwarded */
	FMP_F_ADDED, /**< str: names of fields that the gateway adds */

	FMP_F_MAX
};

enum fmp_ctl_value {
	FMP_V_U64 = 1, /**< a number */
	FMP_V_STR, /**< text */
	FMP_V_ADDR, /**< struct fmp_addr */
	FMP_V_BOOL, /**< u64 0 or 1 */
	FMP_V_MS, /**< u64 milliseconds, shown as a duration; in JSON a number */
	FMP_V_BYTES, /**< u64 bytes, shown with a unit; in JSON a number */
	FMP_V_RATIO, /**< u64 millionths, shown in percent; in JSON a number 0..1 */
};

struct fmp_ctl_field_info {
	uint16_t id;
	const char *name; /**< JSON key, snake_case */
	const char *label; /**< for people */
	enum fmp_ctl_value type;
};
/** fmp_ctl_field_info() - the description of a field; NULL if unknown. */
FMP_API const struct fmp_ctl_field_info *fmp_ctl_field_info(uint16_t id);

/* ---- client side, used by fmpctl and by fmp_report() ---- */

struct fmp_client;

/** fmp_client_open() - connect; path NULL: FMP_CONTROL_SOCKET, else that of an fmpd which the user
 * runs without root (root has none). The folder must belong to root or the caller and not be
 * writable by others, and the listener must run as root or the caller. Return: 0, FMP_ERR_IO (no
 * daemon), FMP_ERR_DENIED (another user listens). */
FMP_API FMP_MUST_CHECK int fmp_client_open(const char *path, struct fmp_client **out,
					   struct fmp_error *err);
FMP_API void fmp_client_close(struct fmp_client *c);
/** fmp_client_send() - send one encoded message. */
FMP_API FMP_MUST_CHECK int fmp_client_send(struct fmp_client *c, const void *msg, size_t len,
					   struct fmp_error *err);
/** fmp_client_receive() - receive the next message, waiting up to timeout_ms (-1: for ever); its
 * bytes are valid until the next call. Return: 0, FMP_ERR_AGAIN after the timeout,
 * FMP_ERR_CLOSED, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_client_receive(struct fmp_client *c, int timeout_ms,
					      struct fmp_wire_in *in, struct fmp_error *err);

#ifdef __cplusplus
}
#endif
#endif
