/* SPDX-License-Identifier: GPL-2.0 */
/* Starts other programs of fmp with explicit descriptors and arguments; they inherit nothing
 * else. */
#ifndef FMP_SPAWN_H
#define FMP_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <fmp/error.h>

struct fmp_crash_note;

/** fmp_spawn_find() - the path of a program of ours: @asked if not NULL, else the one beside fmpd,
 * else the installed one. */
void fmp_spawn_find(const char *name, const char *asked, char *program, size_t size);

/**
 * fmp_spawn_program() - start a helper of fmpd, with an empty input, one descriptor, and default
 * signals
 * @fd: is passed as @as; the numbers must differ
 *
 * Return: 0 or an errno.
 */
int fmp_spawn_program(const char *program, char *const argv[], char *const env[], int fd, int as,
		      pid_t *pid);

struct fmp_spawn {
	const char *program, *backend, *replay_file, *names_file;
	const char
		*policy; /**< for fmp_spawn_check() only: a path instead of policy_fd; NULL: none */
	bool as_daemon; /**< for fmp_spawn_check() only: drop the rights that fmpd drops */
	int policy_fd; /**< of fmpd_policy_seal() */
	int listen_fd;
};

/** struct fmp_gateway_process - fmpd's side of a gateway process. */
struct fmp_gateway_process {
	pid_t pid; /**< also its process group, to kill its workers too */
	int event_fd; /**< our end of the event socketpair, non-blocking */
	int log_fd; /**< what it writes to stderr, non-blocking */
	const struct fmp_crash_note *note; /**< for fmp_spawn_note_free() */
};

/** fmp_spawn_gateway() - start a gateway. Return: 0, FMP_ERR_IO. */
FMP_MUST_CHECK int fmp_spawn_gateway(const struct fmp_spawn *s, struct fmp_gateway_process *out,
				     struct fmp_error *err);

/** fmp_spawn_note_free() - unmap a crash note; @note may be NULL. */
void fmp_spawn_note_free(const struct fmp_crash_note *note);

/**
 * fmp_spawn_check() - run the gateway with --check, and wait for the result
 *
 * Return: 0, with its warnings in err->message, or ""; a code with its last line in err.
 */
FMP_MUST_CHECK int fmp_spawn_check(const struct fmp_spawn *s, struct fmp_error *err);

#endif
