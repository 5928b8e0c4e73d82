/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A socket to the module's family, or another one, and what comes back on it: for the tests' own
 * programs, which may send what libfmp never would
 */
#ifndef TEST_CHANNEL_H
#define TEST_CHANNEL_H

#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * struct channel - a socket
 * @nl: the socket
 * @family: number of the family
 * @group: number of its multicast group, of several the last
 * @seq: number of the last message sent
 * @large: somebody reads from the socket with more than this file does
 * @received: called when something was read, before it is looked at; may be NULL
 * @answered: called with the message that acknowledges or refuses; may be NULL
 */
struct channel {
	struct mnl_socket *nl;
	uint16_t family;
	uint32_t group;
	uint32_t seq;
	bool large;
	void (*received)(void);
	void (*answered)(const struct nlmsghdr *nlh);
};

/* Ends the program: it can't go on. */
void channel_die(const char *what) __attribute__((noreturn));

/* A socket in the network namespace that the caller is in. */
void channel_open(struct channel *ch);
/* The same to another family of generic netlink. */
void channel_open_family(struct channel *ch, const char *family);
void channel_close(struct channel *ch);

/* How long a reader waits before it gives up; 0: for ever. channel_open() says a minute. */
void channel_patience(struct channel *ch, unsigned int seconds);

/* Begins a message to the family; it asks for an acknowledgement if flags do. */
struct nlmsghdr *channel_begin(const struct channel *ch, void *buf, uint8_t cmd, uint16_t flags);

/*
 * Sends a message and reads its answer to the end, a dump's or the acknowledgement, for which
 * it must ask; calls show, if there is one, for each part. Returns 0 or an errno.
 */
int channel_talk(struct channel *ch, struct nlmsghdr *nlh, mnl_cb_t show, void *data);

/* The same for a message of which a command is all, and for one of which no part is shown. */
int channel_request(struct channel *ch, uint8_t cmd, uint16_t flags, mnl_cb_t show, void *data);
int channel_send(struct channel *ch, struct nlmsghdr *nlh);

/*
 * The text of an acknowledgement or refusal, NULL if it has none; at, if not NULL: where in
 * the message the fault is, -1 if that is not said.
 */
const char *channel_text(const struct nlmsghdr *nlh, long *at);

#endif /* TEST_CHANNEL_H */
