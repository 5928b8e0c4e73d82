/* SPDX-License-Identifier: GPL-2.0 */
/* Asks before a block that would end the SSH session in which fmpctl runs. */
#ifndef FMPCTL_OWN_SESSION_H
#define FMPCTL_OWN_SESSION_H

#include "control_client.h"

/**
 * own_session_confirm() - ask before operators lock themselves out
 * @addr: the n addresses, prefixes or MACs that are to be blocked
 * @yes: --yes was given: never ask
 *
 * Asks at a terminal if one of them covers the peer of the SSH session; without a terminal, refuses the
 * block and prints what to do. Return: 0; EXIT_REFUSED with the reason printed.
 */
int own_session_confirm(const struct ctl *ctl, const struct fmp_addr *addr, size_t n, bool yes);

#endif
