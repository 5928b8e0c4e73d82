/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clients of a unix socket of fmpd. Their number is bounded, each has one message of bounded length in work, and one that
 * is idle for too long, or sends what does not decode, is closed.
 */
#ifndef FMPD_CLIENTS_H
#define FMPD_CLIENTS_H

#include <event2/bufferevent.h>
#include <stdbool.h>
#include <sys/un.h>

#include <fmp/internal/queue.h>
#include <fmp/wire.h>

struct fmpd_clients;

struct fmpd_client {
	struct fmpd_clients *all;
	struct bufferevent *bev;
	unsigned uid;
	pid_t pid; /* of when it connected; 0: it is in another PID namespace */
	uint64_t pending; /**< what its reply waits for; 0: nothing. Until then no further message is handled. */
	bool deferred; /**< its message is handled again after fmpd_clients_resume_deferred() */
	bool retried; /**< its message is handled for the second time: reply now */
	bool watching; /**< subscribed: never idle, and may send nothing more */
	LIST_ENTRY(fmpd_client) list;
};

/** struct fmpd_clients_kind - the use of a socket */
struct fmpd_clients_kind {
	const char *log; /**< event of its log lines */
	const char *close_reason; /**< for the log when its message is refused: "what it sent ..." */
	unsigned max_clients; /**< clients at once */
	unsigned max_per_uid; /**< of these, of one uid; root and fmpd's own uid have as many for themselves;
			  0: no such limit */
	uint32_t message_max; /**< bytes of a message */
	/** may the peer of a connection be a client? NULL: whatever the socket's mode allows */
	bool (*is_allowed)(void *ctx, int fd, unsigned uid);
	/** handle one message, and write the reply to the client's output. Return: false: close the client */
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

/** fmpd_clients_bind() - bind the socket at all->path. @all: all zero except for the path. */
FMP_MUST_CHECK int fmpd_clients_bind(struct fmpd_clients *all, const struct fmpd_clients_kind *kind,
				     mode_t mode, void *ctx, struct fmp_error *err);
/** fmpd_clients_run() - accept clients from now on. */
FMP_MUST_CHECK int fmpd_clients_run(struct fmpd_clients *all, struct event_base *base,
				    struct fmp_error *err);
/** fmpd_clients_close() - close all clients, and remove the socket. */
void fmpd_clients_close(struct fmpd_clients *all);

/** fmpd_client_watch() - it is subscribed from now on. */
void fmpd_client_watch(struct fmpd_client *c);
/** fmpd_client_set_pending() - its reply comes later. @what: not 0 */
void fmpd_client_set_pending(struct fmpd_client *c, uint64_t what);
/** fmpd_client_defer() - handle the current message again after fmpd_clients_resume_deferred(). */
void fmpd_client_defer(struct fmpd_client *c);
/** fmpd_clients_resume_deferred() - handle deferred messages, in later turns of the event loop. */
void fmpd_clients_resume_deferred(struct fmpd_clients *all);
/** fmpd_client_end_pending() - the reply is in its output. */
void fmpd_client_end_pending(struct fmpd_client *c);
void fmpd_client_close(struct fmpd_client *c);

#endif
