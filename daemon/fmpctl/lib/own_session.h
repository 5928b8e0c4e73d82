/* SPDX-License-Identifier: GPL-2.0 */
/* Whether a block would end the SSH session in which fmpctl was called. */
#ifndef FMPCTL_OWN_SESSION_H
#define FMPCTL_OWN_SESSION_H

#include "control_client.h"

/**
 * own_session_confirm() - ask before the operator locks himself out
 * @addr: the n addresses, prefixes or MACs that are to be blocked
 * @yes: --yes was said
 *
 * If one of them covers the peer of the SSH session: a person at a terminal is asked; without a
 * terminal the block is refused with what to do. Return: 0, or EXIT_REFUSED with the reason said.
 */
int own_session_confirm(const struct ctl *ctl, const struct fmp_addr *addr, size_t n, bool yes);

#endif
