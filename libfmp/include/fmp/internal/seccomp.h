/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rules of a system call filter that several programs share (libseccomp, seccomp(2)). Each program
 * lists its own calls; what kills it, and how memory and sockets are narrowed, is the same for all.
 */
#ifndef FMP_SECCOMP_H
#define FMP_SECCOMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <seccomp.h>

/* Each adds rules to @ctx. Return: false if libseccomp refuses one. */

/** fmp_seccomp_add() - @action for each call; skips calls that the architecture does not have. */
bool fmp_seccomp_add(scmp_filter_ctx ctx, uint32_t action, const int *calls, size_t n);
/** fmp_seccomp_add_deadly() - kill the process on calls that only an exploit makes. */
bool fmp_seccomp_add_deadly(scmp_filter_ctx ctx);
/** fmp_seccomp_allow_data() - allow mmap() and mprotect() without PROT_EXEC. */
bool fmp_seccomp_allow_data(scmp_filter_ctx ctx);
/** fmp_seccomp_allow_families() - allow socket() of any type in these address families. */
bool fmp_seccomp_allow_families(scmp_filter_ctx ctx, const int *families, size_t n);
/** fmp_seccomp_allow_abort() - allow tgkill() for the calling process only, as abort() needs it. */
bool fmp_seccomp_allow_abort(scmp_filter_ctx ctx);

#endif
