/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A socket to the family, and what comes back on it
 */
#ifndef FUZZ_CHANNEL_H
#define FUZZ_CHANNEL_H

#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct channel - a socket
 * @nl: the socket
 * @family: number of the family "fmp"
 * @group: number of its multicast group
 * @seq: number of the last message sent
 */
struct channel {
	struct mnl_socket *nl;
	uint16_t family;
	uint32_t group;
	uint32_t seq;
};

/* Ends the program: the fuzzer itself can't go on. */
void channel_die(const char *what) __attribute__((noreturn));

/* A socket in the network namespace that the caller is in. */
void channel_open(struct channel *ch);
void channel_close(struct channel *ch);

/* Sends a request of ours, and calls show for each part of the answer; 0 or an errno. */
int channel_ask(struct channel *ch, uint8_t cmd, uint16_t flags, mnl_cb_t show, void *data);

/* Sends a message, which must ask for an acknowledgement; 0 or an errno. */
int channel_send(struct channel *ch, struct nlmsghdr *nlh);

/* The text of a refusal, NULL if it has none. */
const char *channel_text(const struct nlmsghdr *nlh);

#endif /* FUZZ_CHANNEL_H */
