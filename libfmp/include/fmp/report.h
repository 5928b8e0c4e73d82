/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A program of this machine tells fmpd of a bad source: a mail server of a client that tries
 * passwords, a web server of one that asks for what nobody links to.
 *
 *	struct fmp_event ev = { .kind = FMP_EVENT_LOGIN, .proven = true, .dest_port = 22 };
 *	struct fmp_reporter *r;
 *
 *	if (!fmp_addr_from_sockaddr(peer, &ev.source, &ev.source_port) &&
 *	    !fmp_reporter_open(NULL, &r, NULL)) {
 *		snprintf(ev.detail, sizeof(ev.detail), "wrong password for %s", user);
 *		(void)fmp_report(r, &ev, NULL);
 *		fmp_reporter_close(r);
 *	}
 *
 * Root, the user as whom fmpd runs and the members of the policy's <report group=...> may. What
 * comes faster than its rate is refused and counted.
 */
#ifndef FMP_REPORT_H
#define FMP_REPORT_H

#include <fmp/error.h>
#include <fmp/event.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_REPORT_SOCKET "/run/fmp/report"

struct fmp_reporter;

/** fmp_reporter_open() - connect; path NULL: FMP_REPORT_SOCKET, else that of an fmpd which the
 * user runs without root; the listener is checked as by fmp_client_open(). Return: 0, FMP_ERR_IO
 * (no daemon), FMP_ERR_DENIED (another user listens). */
FMP_API FMP_MUST_CHECK int fmp_reporter_open(const char *path, struct fmp_reporter **out,
					     struct fmp_error *err);
FMP_API void fmp_reporter_close(struct fmp_reporter *r);

/**
 * fmp_report() - report one event, and wait at most a second for fmpd's reply
 * @ev: proven only if the address is: its TCP handshake was completed. Any kind but good: only
 * 	 verified messages earn credit. time_ns may be 0: now
 *
 * After an error other than FMP_ERR_LIMIT and FMP_ERR_INVALID the connection can't be used any
 * more.
 *
 * Return: 0; FMP_ERR_LIMIT: too many from this user; FMP_ERR_INVALID; FMP_ERR_CLOSED: also if the
 * user has no permission; FMP_ERR_AGAIN, FMP_ERR_IO.
 */
FMP_API FMP_MUST_CHECK int fmp_report(struct fmp_reporter *r, const struct fmp_event *ev,
				      struct fmp_error *err);

#ifdef __cplusplus
}
#endif
#endif
