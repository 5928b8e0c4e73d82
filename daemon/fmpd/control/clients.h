/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Programs of this machine that talk to fmpd over a unix socket: so many at once, one message
 * at a time of a bounded length, closed when they are quiet or say what does not decode.
 */
#ifndef FMPD_CLIENTS_H
#define FMPD_CLIENTS_H

#include <event2/bufferevent.h>
#include <stdbool.h>
#include <sys/queue.h>
#include <sys/un.h>

#include <fmp/wire.h>

struct fmpd_clients;

struct fmpd_client {
	struct fmpd_clients *all;
	struct bufferevent *bev;
	unsigned uid;
	pid_t pid; /* when it connected; 0: of another PID namespace */
	uint64_t pending; /**< what its answer needs, which comes later; 0: nothing. Until then it asks
				 nothing more. */
	bool deferred; /**< what it asked can't be answered yet: fmpd_clients_resume_deferred() */
	bool retried; /**< it is asked once more: to be answered now */
	bool watching; /**< is told things unasked: never quiet, and has nothing more to ask */
	LIST_ENTRY(fmpd_client) list;
};

/** struct fmpd_clients_kind - what a socket is for */
struct fmpd_clients_kind {
	const char *log; /**< kind of its log lines */
	const char *close_reason; /**< what is said of one that is closed: "what it sent ..." */
	unsigned max_clients; /**< clients at once */
	unsigned max_per_uid; /**< of them of one uid but root's and fmpd's own, which have as many for
			  themselves; 0: no such limit */
	uint32_t message_max; /**< bytes of a message */
	/** may the peer of a connection come in? NULL: everybody whom the socket's mode lets */
	bool (*is_allowed)(void *ctx, int fd, unsigned uid);
	/** one message; the answer goes into the client's output. Return: false: it is closed */
	bool (*handle)(void *ctx, struct fmpd_client *c, struct fmp_wire_in *in);
};

struct fmpd_clients {
	const struct fmpd_clients_kind *kind;
	void *ctx;
	char path[sizeof(((struct sockaddr_un *)0)->sun_path)];
	int fd;
	struct event_base *base;
	struct event *accepting;
	LIST_HEAD(, fmpd_client) list;
	unsigned n;
};

/** fmpd_clients_bind() - the socket at all->path. @all: all zero but for that. */
FMP_MUST_CHECK int fmpd_clients_bind(struct fmpd_clients *all, const struct fmpd_clients_kind *kind,
				     mode_t mode, void *ctx, struct fmp_error *err);
/** fmpd_clients_run() - takes them in from now on. */
FMP_MUST_CHECK int fmpd_clients_run(struct fmpd_clients *all, struct event_base *base,
				    struct fmp_error *err);
/** fmpd_clients_close() - closes all of them, and removes the socket. */
void fmpd_clients_close(struct fmpd_clients *all);

/** fmpd_client_watch() - from now on it is told things unasked. */
void fmpd_client_watch(struct fmpd_client *c);
/** fmpd_client_set_pending() - its answer comes later. @what: not 0 */
void fmpd_client_set_pending(struct fmpd_client *c, uint64_t what);
/** fmpd_client_defer() - the message that is being taken comes once more, with fmpd_clients_resume_deferred(). */
void fmpd_client_defer(struct fmpd_client *c);
/** fmpd_clients_resume_deferred() - what was kept is taken, in turns of the event loop to come. */
void fmpd_clients_resume_deferred(struct fmpd_clients *all);
/** fmpd_client_end_pending() - the answer is in its output. */
void fmpd_client_end_pending(struct fmpd_client *c);
void fmpd_client_close(struct fmpd_client *c);

#endif
