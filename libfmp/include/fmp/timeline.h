/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A timeline: what happened, as text, played through the suspicion engine; what it
 * would have decided, as text. No clock, no kernel: the same log and policy give the
 * same lines, always.
 *
 * One happening a line; '#' starts a comment. TIME is a duration since the start ("1min30s"),
 * or since the line before ("+200ms"); it never goes back.
 *
 *	TIME event ADDR KIND [unproven] [port=N] [service=NAME] [cpu=DURATION] [bytes=N]
 *		[mac=MAC] [sources=N] [times=N] [every=DURATION] [text="..."]
 *	TIME block ADDR [DURATION|0] [layers=ip,mac,premac] [text="..."]
 *	TIME unblock ADDR [text="..."]
 *	TIME adopt ADDR [DURATION|0] [layers=...] [id=N]
 *	TIME cancel ADDR
 *	TIME pair ADDR
 *	TIME protect ADDR
 *	TIME own ADDR|MAC
 *	TIME gateway ADDR|MAC
 *	TIME link PREFIX
 *	TIME neighbour ADDR MAC
 *	TIME router ADDR MAC
 *	TIME point MAC
 *	TIME gone ADDR|MAC
 *	TIME nat64 PREFIX
 *	TIME no-nat64 PREFIX
 *	TIME policy FILE
 *	TIME restart DOWNTIME
 *	TIME show ADDR
 *	TIME stats
 *	TIME wait
 *
 * sources=N sends one event each from ADDR and the N - 1 addresses (IPv6: /64s, but of a prefix that holds
 * a protected address its addresses) behind it; times=N
 * does that N times, every=DURATION apart. Blocks end when their time is over, between the lines.
 *
 * own (of this machine), gateway (a next hop of a route), link (a prefix that is reached without one),
 * neighbour (an entry of the neighbour table), router (one that says of itself that it is a router), point (an
 * access point that this machine is connected to) and an event's mac= (the neighbour entry of its source)
 * are what the machine would know by its kernel; gone takes back what was said of an address. From the
 * first of them on each block is followed by what becomes of the source's MAC. Addresses that have a
 * neighbour entry are on the link; others are not, if there is a gateway and no link that holds them.
 *
 * nat64 is a prefix of the network's own translators that was found by RFC 8781 or RFC 7050, no-nat64 takes it back;
 * both say nothing where the policy does not let it be looked for.
 *
 * Protected is what fmpd protects: what was said by protect, own, gateway and point, what the policy
 * lists, loopback. A decision for what overlaps it is cancelled; a block that it comes to forbid ends. A policy's FILE is relative to the log.
 * A restart saves every source and takes it into a new engine after the downtime.
 *
 * Lines out: SECONDS and then one of
 *
 *	block ADDR id=N for DURATION on LAYERS: REASON
 *	block ADDR port N id=N for DURATION on LAYERS: REASON
 *	limit ADDR to N/s id=N for DURATION on LAYERS: REASON
 *	only with mac MAC id=N
 *	with any mac id=N: MAC is protected
 *	mac MAC id=N [for DURATION]
 *	no mac id=N: WHY
 *	spared ADDR: ADDR is protected
 *	unblock ADDR id=N: REASON
 *	policy FILE
 *	refused WORD ADDR: CODE
 *	source ADDR STATE rank=N events=N good=N unproven=N strikes=N decision=N
 *	stats sources=N suspicious=N blocked=N events=N good=N unproven=N decisions=N ...
 */
#ifndef FMP_TIMELINE_H
#define FMP_TIMELINE_H

#include <fmp/error.h>
#include <fmp/policy.h>
#include <fmp/suspicion.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fmp_player;

/** struct fmp_player_ops - callbacks of a play; each may be NULL */
struct fmp_player_ops {
	/** An output line, without its end; non-zero stops the play. */
	int (*line)(const char *text, void *ctx);
	/** A decision, before its line is printed; non-zero stops the play. */
	int (*decision)(const struct fmp_decision *d, void *ctx);
	/** A source that is not blocked because it is protected. */
	void (*exempted)(const struct fmp_addr *source, void *ctx);
	/** A pair block now covers frames of any MAC. */
	void (*unpaired)(const struct fmp_addr *source, void *ctx);
	/** Does an event reach the engine? NULL: each does. */
	bool (*arrives)(const struct fmp_event *ev, void *ctx);
};

/**
 * fmp_player_new() - create a player, which plays a timeline line by line
 * @policy, @name, @ops: not owned
 * @seed: of the engine; changes no output line
 *
 * Return: 0, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_player_new(const struct fmp_policy *policy, uint64_t seed,
					  const char *name, const struct fmp_player_ops *ops,
					  void *ctx, struct fmp_player **out,
					  struct fmp_error *err);
FMP_API void fmp_player_free(struct fmp_player *p);
/** fmp_player_line() - play the next line, given without its end. Return: 0, an op's value,
 * FMP_ERR_SYNTAX with the line number in err. */
FMP_API FMP_MUST_CHECK int fmp_player_line(struct fmp_player *p, const char *text, size_t len,
					   struct fmp_error *err);
/** fmp_player_now() - the current time of the play. */
FMP_API uint64_t fmp_player_now(const struct fmp_player *p);
/** fmp_player_engine() - the engine, for reading between lines and within ops. */
FMP_API struct fmp_engine *fmp_player_engine(struct fmp_player *p);
/** fmp_player_mac() - the MAC in the log's neighbour entry of an address. Return: 0,
 * FMP_ERR_NOTFOUND. */
FMP_API FMP_MUST_CHECK int fmp_player_mac(struct fmp_player *p, const struct fmp_addr *ip,
					  struct fmp_addr *mac);

/**
 * fmp_timeline_play() - play a whole log
 * @seed: of the engine; changes no output line
 * @text: the log, @len bytes
 * @name: for errors
 * @line: called for each output line, without its end; non-zero stops the play
 *
 * Return: 0, line()'s value, FMP_ERR_SYNTAX with the line in err, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_timeline_play(const struct fmp_policy *policy, uint64_t seed,
					     const char *text, size_t len, const char *name,
					     int (*line)(const char *text, void *ctx), void *ctx,
					     struct fmp_error *err);

#ifdef __cplusplus
}
#endif
#endif
