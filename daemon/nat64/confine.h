/* SPDX-License-Identifier: GPL-2.0 */
/* The process that reads the network's words gives up all rights before it reads the first. */
#ifndef NAT64_CONFINE_H
#define NAT64_CONFINE_H

/** nat64_confine() - another user, if we are root; no capability, none to come, no file of anybody's memory,
 * few system calls. Return: NULL, or what could not be done. */
const char *nat64_confine(const char *user);

#endif
