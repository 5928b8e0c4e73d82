/* SPDX-License-Identifier: GPL-2.0 */
/* Drops all privileges before the first byte is read from the network. */
#ifndef NAT64_CONFINE_H
#define NAT64_CONFINE_H

/**
 * nat64_confine() - change to the user if we are root; drop capabilities and the bounding set, hide
 * memory, allow few system calls. Return: NULL, or what failed.
 */
const char *nat64_confine(const char *user);

#endif
