/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A timeline: what happened, as text, played through the suspicion engine; what it
 * would have decided, as text. No clock, no kernel: the same log and policy give the
 * same lines, always.
 *
 * One happening a line; '#' starts a comment. TIME is a duration since the start ("1min30s"),
 * or since the line before ("+200ms"); it never goes back.
 *
 *	TIME event ADDR KIND [unproven] [port=N] [cpu=DURATION] [bytes=N]
 *		[sources=N] [times=N] [every=DURATION] [text="..."]
 *	TIME block ADDR [DURATION|0] [layers=ip,mac,premac] [text="..."]
 *	TIME unblock ADDR [text="..."]
 *	TIME adopt ADDR [DURATION|0] [layers=...] [id=N]
 *	TIME cancel ADDR
 *	TIME show ADDR
 *	TIME stats
 *	TIME wait
 *
 * sources=N sends one event each from ADDR and the N - 1 addresses (IPv6: /64s) behind it; times=N
 * does that N times, every=DURATION apart. Blocks end when their time is over, between the lines.
 *
 * Lines out: SECONDS and then one of
 *
 *	block ADDR id=N for DURATION on LAYERS: REASON
 *	unblock ADDR id=N: REASON
 *	refused WORD ADDR: CODE
 *	source ADDR STATE rank=N events=N good=N unproven=N strikes=N decision=N
 *	stats sources=N suspicious=N blocked=N events=N good=N unproven=N decisions=N ...
 */
#ifndef FMP_TIMELINE_H
#define FMP_TIMELINE_H

#include <fmp/error.h>
#include <fmp/policy.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * fmp_timeline_play()
 * @seed: of the engine; changes no line
 * @text: the log; len bytes
 * @name: stands in errors
 * @line: gets each line out, without its end; non-zero stops the play
 *
 * Return: 0, what line() returned, FMP_ERR_SYNTAX with line in err, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_timeline_play(const struct fmp_policy *policy, uint64_t seed,
					     const char *text, size_t len, const char *name,
					     int (*line)(const char *text, void *ctx), void *ctx,
					     struct fmp_error *err);

#ifdef __cplusplus
}
#endif
#endif
