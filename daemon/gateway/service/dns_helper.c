// SPDX-License-Identifier: GPL-2.0
#include "dns_helper.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../backend/backend_url.h"
#include "../common/helper.h"
#include "../sandbox/sandbox.h"
#include "service.h"

/* Where its sockets are in the process of a name, and beyond, until they are there. */
#define SOCKET_FD 3
#define FILE_FD	  4
#define BEYOND	  16

#define START_MS    3000 /* that a start waits for names at most */
#define DELAY_MAX_S 60u /* between two tries; the first is 1 s */
#define FILE_BYTES  (64 << 10)

/** struct answer - one packet; of the same program */
struct answer {
	int32_t error; /* of getaddrinfo() */
	uint32_t n;
	struct sockaddr_storage sa[GW_BACKEND_ADDRESSES];
};

struct query {
	const char *host, *user;
	int file; /* that it is written to when it is resolved; -1 */
	struct gw_settings *settings;
};

/* ---- the process of a name ---- */

static void ask(const char *host, struct answer *a)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list = NULL;

	*a = (struct answer){ .error = getaddrinfo(host, NULL, &hints, &list) };
	if (a->error)
		return;
	for (const struct addrinfo *i = list; i && a->n < GW_BACKEND_ADDRESSES; i = i->ai_next)
		if (i->ai_addrlen <= sizeof(a->sa[0]))
			memcpy(&a->sa[a->n++], i->ai_addr, i->ai_addrlen);
	freeaddrinfo(list);
	if (!a->n)
		a->error = EAI_NONAME;
}

/* One line, by one write: others write there as well. What can't be written is lost. */
static void put_line(int file, const struct gw_backend_url *u)
{
	char line[sizeof(u->name) + sizeof(u->address) + GW_BACKEND_ADDRESSES + 2];
	size_t len = (size_t)snprintf(line, sizeof(line), "%s", u->name);
	struct stat st;

	for (unsigned n = 0; n < u->n; n++)
		len += (size_t)snprintf(line + len, sizeof(line) - len, " %s", u->address[n]);
	line[len++] = '\n';
	if (file >= 0 && !fstat(file, &st) && st.st_size + (off_t)len <= FILE_BYTES &&
	    write(file, line, len) != (ssize_t)len)
		fmp_text_print(stderr, "fmp-gateway: the addresses of %s are not kept: %s\n",
			       u->name, strerror(errno));
}

static void keep(const struct query *q, const struct answer *a)
{
	struct gw_backend_url u = { 0 };

	snprintf(u.name, sizeof(u.name), "%s", q->host);
	for (unsigned n = 0; n < a->n; n++)
		gw_backend_url_add(&u, (const struct sockaddr *)&a->sa[n]);
	if (u.n)
		put_line(q->file, &u);
}

/* Each descriptor to its place, whichever it has now. */
static bool settle(int fd, int *file)
{
	int own = fcntl(fd, F_DUPFD, BEYOND);
	int other = *file < 0 ? -1 : fcntl(*file, F_DUPFD, BEYOND);

	if (own < 0 || dup2(own, SOCKET_FD) < 0 || (other >= 0 && dup2(other, FILE_FD) < 0))
		return false;
	*file = other < 0 ? -1 : FILE_FD;
	return !close_range(other < 0 ? FILE_FD : FILE_FD + 1, ~0u, 0);
}

static void be_name(const void *ctx, int fd)
{
	struct query q = *(const struct query *)ctx;
	struct answer a;
	unsigned delay = 1;

	prctl(PR_SET_NAME, "fmp-gw-name");
	gw_services_drop_secrets(q.settings);
	/* A terminal's, or one to all of a service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (!settle(fd, &q.file) || gw_sandbox_enter(GW_ROLE_DNS_HELPER, q.user, 0, NULL))
		_exit(1);
	/* After the change of uid, which takes it away. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		ask(q.host, &a);
		if (!a.error)
			keep(&q, &a);
		if (send(SOCKET_FD, &a, sizeof(a), MSG_NOSIGNAL) != sizeof(a) || !a.error)
			_exit(0);
		sleep(delay);
		delay = 2 * delay < DELAY_MAX_S ? 2 * delay : DELAY_MAX_S;
	}
}

/* ---- who waits for it ---- */

void gw_dns_helper_stop(struct gw_service *svc)
{
	struct gw_dns_helper *r = &svc->dns_helper;

	if (!r->pid)
		return;
	close(r->fd);
	kill(r->pid, SIGKILL);
	while (waitpid(r->pid, NULL, 0) < 0 && errno == EINTR)
		;
	r->pid = 0;
}

enum gw_dns_helper_result gw_dns_helper_read(struct gw_service *svc)
{
	struct answer a;
	ssize_t n = recv(svc->dns_helper.fd, &a, sizeof(a), MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return GW_DNS_HELPER_PENDING;
	if (n == sizeof(a) && a.error) {
		svc->dns_helper.error = a.error;
		return GW_DNS_HELPER_FAILED;
	}
	for (unsigned i = 0; n == sizeof(a) && i < a.n && i < GW_BACKEND_ADDRESSES; i++)
		gw_backend_url_add(svc->url, (const struct sockaddr *)&a.sa[i]);
	return svc->url->n ? GW_DNS_HELPER_RESOLVED : GW_DNS_HELPER_EXITED;
}

/* ---- the file ---- */

/* Return: its text, to be freed; NULL: there is none, or none that only we can have written. */
static char *read_kept(const char *file)
{
	int fd = open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char *text = NULL;
	struct stat st;
	ssize_t n;

	if (fd < 0)
		return NULL;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
	    !(st.st_mode & 077))
		text = malloc(FILE_BYTES + 1);
	n = text ? read(fd, text, FILE_BYTES) : -1;
	close(fd);
	if (n < 0) {
		free(text);
		return NULL;
	}
	text[n] = 0;
	return text;
}

/* One line's addresses, as put_line() wrote them. */
static void take_line(struct gw_backend_url *u, char *line)
{
	char *save = NULL;

	for (char *p = strtok_r(line, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
		struct sockaddr_in v4 = { .sin_family = AF_INET };
		struct sockaddr_in6 v6 = { .sin6_family = AF_INET6 };

		if (inet_pton(AF_INET, p, &v4.sin_addr) == 1)
			gw_backend_url_add(u, (const struct sockaddr *)&v4);
		else if (inet_pton(AF_INET6, p, &v6.sin6_addr) == 1)
			gw_backend_url_add(u, (const struct sockaddr *)&v6);
	}
}

/* The last line that is whole counts. */
static void take_kept(struct gw_backend_url *u, const char *text)
{
	size_t len = strlen(u->name), most;
	const char *line = NULL, *end;
	char copy[sizeof(u->address) + GW_BACKEND_ADDRESSES];

	for (; (end = strchr(text, '\n')); text = end + 1)
		if (!strncmp(text, u->name, len) && text[len] == ' ')
			line = text + len + 1;
	if (!line)
		return;
	most = strcspn(line, "\n");
	if (most >= sizeof(copy))
		return;
	memcpy(copy, line, most);
	copy[most] = 0;
	take_line(u, copy);
}

/* Return: a new file, nobody's yet; -1: none, which is said. */
static int open_new(const char *file, char *fresh, size_t size)
{
	int fd = -1;

	if ((size_t)snprintf(fresh, size, "%s.new", file) < size) {
		unlink(fresh);
		fd = open(fresh, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
			  0600);
	}
	if (fd < 0)
		fmp_text_print(stderr, "fmp-gateway: can't make %s: %s\n", fresh, strerror(errno));
	return fd;
}

/* ---- the start ---- */

/* With its place in the policy where that names it. */
static void say_unresolved(const struct gw_settings *s, const struct gw_service *svc)
{
	const char *why = svc->dns_helper.error ? gai_strerror(svc->dns_helper.error)
						: "no answer yet";

	fputs("fmp-gateway: ", stderr);
	if (svc->from && svc->from->line && *s->policy_file)
		fmp_text_print(stderr, "%s:%u:%u: ", s->policy_file, svc->from->line,
			       svc->from->column);
	if (*svc->evaluate->name)
		fmp_text_print(stderr, "service \"%s\": ", svc->evaluate->name);
	fmp_text_print(stderr, "backend %s does not resolve: %s; %s\n", svc->url->name, why,
		       svc->url->n ? "it keeps the addresses that it had" : "503 until it does");
}

static int start_all(struct gw_settings *s, int file, struct fmp_error *err)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		struct gw_service *svc = &s->service[i];
		const struct query q = { .host = svc->url->name,
					 .user = s->policy->gateway.user,
					 .file = file,
					 .settings = s };

		if (svc->url->n)
			continue;
		svc->dns_helper.fd = gw_helper_start(be_name, &q, &svc->dns_helper.pid, err);
		if (svc->dns_helper.fd < 0) {
			svc->dns_helper.pid = 0;
			return svc->dns_helper.fd;
		}
	}
	return 0;
}

/* Each has said something, or it takes too long. */
static void wait_all(struct gw_settings *s)
{
	uint64_t now, end = gw_clock_ns(CLOCK_MONOTONIC) + START_MS * 1000000ull;

	while ((now = gw_clock_ns(CLOCK_MONOTONIC)) < end) {
		struct pollfd fds[FMP_SERVICES_MAX];
		nfds_t n = 0;

		for (unsigned i = 0; i < s->evaluator.n_services; i++) {
			struct gw_service *svc = &s->service[i];

			if (svc->dns_helper.pid && !svc->dns_helper.error &&
			    gw_dns_helper_read(svc) >= GW_DNS_HELPER_RESOLVED)
				gw_dns_helper_stop(svc);
			if (svc->dns_helper.pid && !svc->dns_helper.error)
				fds[n++] = (struct pollfd){ .fd = svc->dns_helper.fd,
							    .events = POLLIN };
		}
		if (!n || poll(fds, n, (int)((end - now) / 1000000) + 1) < 0)
			return;
	}
}

/* What is not resolved now may be so of old. */
static void look_back(struct gw_settings *s, const char *kept, int file)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		struct gw_service *svc = &s->service[i];

		if (svc->url->n)
			continue;
		if (kept)
			take_kept(svc->url, kept);
		if (svc->url->n) {
			gw_dns_helper_stop(svc);
			put_line(file, svc->url);
		}
		say_unresolved(s, svc);
	}
}

int gw_dns_helpers_start(struct gw_settings *s, const char *file, struct fmp_error *err)
{
	char fresh[PATH_MAX], *kept;
	int fd, rc;
	bool any = false;

	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		any = any || !s->service[i].url->n;
	if (!any)
		return 0;
	kept = file ? read_kept(file) : NULL;
	fd = file ? open_new(file, fresh, sizeof(fresh)) : -1;
	rc = start_all(s, fd, err);
	if (!rc) {
		wait_all(s);
		look_back(s, kept, fd);
	}
	if (fd >= 0) {
		if (rc || rename(fresh, file))
			unlink(fresh);
		close(fd);
	}
	free(kept);
	return rc;
}
