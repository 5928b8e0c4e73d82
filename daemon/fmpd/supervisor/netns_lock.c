// SPDX-License-Identifier: GPL-2.0
/*
 * Two fmpd in one network namespace would delete each other's rules at every reconcile. The lock is an abstract socket: it
 * exists once per network namespace, ends with the process, leaves no file behind, and does not depend on mount
 * namespaces.
 */
#include "netns_lock.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "../common/log.h"

/*
 * Each refused fmpd leaves one connection in the queue. They are taken out of it, for a full queue does not say who holds
 * the lock; at most so many at once.
 */
#define QUEUE 4096
#define TRIES 5u /* a tenth of a second */

static int lock_fd = -1;
static struct event *request_event;

static socklen_t lock_address(struct sockaddr_un *sun)
{
	static const char name[] = "fmpd-enforces";

	*sun = (struct sockaddr_un){ .sun_family = AF_UNIX };
	memcpy(sun->sun_path + 1, name, sizeof(name) - 1); /* a leading NUL: abstract, unix(7) */
	return offsetof(struct sockaddr_un, sun_path) + sizeof(name);
}

/* Return: false if the holder of the lock is not known. */
static bool read_holder(struct ucred *holder)
{
	struct sockaddr_un sun;
	socklen_t len = lock_address(&sun), size = sizeof(*holder);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool known = fd >= 0 && !connect(fd, (const struct sockaddr *)&sun, len) &&
		     !getsockopt(fd, SOL_SOCKET, SO_PEERCRED, holder, &size);

	if (fd >= 0)
		close(fd);
	return known;
}

static int refuse_second(struct fmp_error *err)
{
	struct ucred holder;

	/* Between bind() and listen() of an fmpd there is only a moment, and its queue is long: try again. */
	for (unsigned tries = 0; !read_holder(&holder); tries++) {
		if (tries == TRIES) {
			fmpd_log(FMPD_WARNING, "netns",
				 "a process that does not answer holds the lock of this network "
				 "namespace: a second fmpd would not be noticed");
			return 0;
		}
		usleep(20000);
	}
	/* Any user can bind the name; that must not stop fmpd. */
	if (holder.uid && holder.uid != geteuid()) {
		fmpd_log(FMPD_WARNING, "netns",
			 "process %d of user %u holds the lock of this network namespace: a second "
			 "fmpd would not be noticed",
			 (int)holder.pid, (unsigned)holder.uid);
		return 0;
	}
	return fmp_error_set(
		err, FMP_ERR_EXISTS,
		"the fmpd of pid %d enforces in this network namespace already: end it "
		"first, or use --enforce none",
		(int)holder.pid);
}

int fmpd_netns_lock(struct fmp_error *err)
{
	struct sockaddr_un sun;
	socklen_t len = lock_address(&sun);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), rc;

	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socket");
	if (!bind(fd, (const struct sockaddr *)&sun, len) && !listen(fd, QUEUE)) {
		lock_fd = fd;
		return 0;
	}
	rc = errno == EADDRINUSE
		     ? refuse_second(err)
		     : fmp_error_sys(err, FMP_ERR_IO, errno, "can't lock the network namespace");
	close(fd);
	return rc;
}

void fmpd_netns_lock_forked(void)
{
	/* listen() sets the pid that SO_PEERCRED returns. */
	if (lock_fd >= 0 && listen(lock_fd, QUEUE))
		fmpd_log(FMPD_WARNING, "netns",
			 "a second fmpd will report a wrong pid of this one");
}

static void on_request(evutil_socket_t fd, short what, void *ctx)
{
	for (unsigned i = 0; i < QUEUE; i++) {
		int request = accept4(fd, NULL, NULL, SOCK_CLOEXEC);

		if (request < 0)
			return;
		close(request);
	}
}

int fmpd_netns_lock_run(struct event_base *base, struct fmp_error *err)
{
	if (lock_fd < 0)
		return 0;
	/* By edges: where descriptors have run out, what stays in the queue does not call again. */
	request_event = event_new(base, lock_fd, EV_READ | EV_PERSIST | EV_ET, on_request, NULL);
	if (!request_event || event_add(request_event, NULL))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for the lock of the namespace");
	return 0;
}

void fmpd_netns_lock_stop(void)
{
	if (request_event)
		event_free(request_event);
	request_event = NULL;
}
