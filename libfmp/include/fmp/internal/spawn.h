/* SPDX-License-Identifier: GPL-2.0 */
/* Starting other programs of fmp: descriptors, arguments, nothing else of ours inherited. */
#ifndef FMP_SPAWN_H
#define FMP_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <fmp/error.h>

struct fmp_crash_note;

/** fmp_spawn_find() - one of ours: as asked, else the one beside fmpd, else the installed one. */
void fmp_spawn_find(const char *name, const char *asked, char *program, size_t size);

/**
 * fmp_spawn_program() - a helper of fmpd's, with an empty input, one descriptor and signals as a program expects them
 * @fd: is @as in it; another number than @as
 *
 * Return: 0 or an errno.
 */
int fmp_spawn_program(const char *program, char *const argv[], char *const env[], int fd, int as,
		      pid_t *pid);

struct fmp_spawn {
	const char *program, *backend, *replay_file, *names_file;
	const char *
		policy; /**< for fmp_spawn_check() alone: a path, in the place of policy_fd; NULL: none */
	bool as_daemon; /**< for fmp_spawn_check() alone: with no more rights than fmpd keeps */
	int policy_fd; /**< of fmpd_policy_seal() */
	int listen_fd;
};

/** struct fmp_gateway_process - what fmpd keeps of it. */
struct fmp_gateway_process {
	pid_t pid; /**< also its process group: its workers die with it */
	int event_fd; /**< our end of the event socketpair, non-blocking */
	int log_fd; /**< what it writes to stderr, non-blocking */
	const struct fmp_crash_note *note; /**< for fmp_spawn_note_free() */
};

/** fmp_spawn_gateway() - Return: 0, FMP_ERR_IO. */
FMP_MUST_CHECK int fmp_spawn_gateway(const struct fmp_spawn *s, struct fmp_gateway_process *out,
				     struct fmp_error *err);

/** fmp_spawn_note_free() - @note may be NULL. */
void fmp_spawn_note_free(const struct fmp_crash_note *note);

/**
 * fmp_spawn_check() - runs the gateway with --check, and waits for its verdict
 *
 * Return: 0, with all that it has to say all the same in err->message, or ""; a code with its last
 * line in err.
 */
FMP_MUST_CHECK int fmp_spawn_check(const struct fmp_spawn *s, struct fmp_error *err);

#endif
