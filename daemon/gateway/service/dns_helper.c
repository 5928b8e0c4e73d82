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

#include <fmp/internal/close_fds.h>
#include <fmp/internal/text.h>

#include "../common/clock.h"
#include "../backend/backend_url.h"
#include "../common/helper.h"
#include "../sandbox/sandbox.h"
#include "service.h"

/* Descriptors in the helper process; the rest moves beyond first. */
#define SOCKET_FD 3
#define FILE_FD	  4
#define BEYOND	  16

#define START_MS    3000 /* longest wait of a start */
#define DELAY_MAX_S 60u /* between two tries; starts at 1 s */
#define FILE_BYTES  (64 << 10)

/** struct dns_reply - one packet; both ends are the same program */
struct dns_reply {
	int32_t error; /* of getaddrinfo(); 0: none */
	uint32_t n;
	struct sockaddr_storage sa[GW_BACKEND_ADDRESSES];
};

struct dns_query {
	const char *host, *user;
	int file; /* to save the addresses in; -1 */
	struct gw_settings *settings;
};

/* ---- the helper process ---- */

static void lookup_addresses(const char *host, struct dns_reply *a)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *list = NULL;

	*a = (struct dns_reply){ .error = getaddrinfo(host, NULL, &hints, &list) };
	if (a->error)
		return;
	for (const struct addrinfo *i = list; i && a->n < GW_BACKEND_ADDRESSES; i = i->ai_next)
		if (i->ai_addrlen <= sizeof(a->sa[0]))
			memcpy(&a->sa[a->n++], i->ai_addr, i->ai_addrlen);
	freeaddrinfo(list);
	if (!a->n)
		a->error = EAI_NONAME;
}

/* Append one line with one write: other helpers append, too. If it fails, the line is lost. */
static void append_line(int file, const struct gw_backend_url *u)
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

static void save_addresses(const struct dns_query *q, const struct dns_reply *a)
{
	struct gw_backend_url u = { 0 };

	snprintf(u.name, sizeof(u.name), "%s", q->host);
	for (unsigned n = 0; n < a->n; n++)
		gw_backend_url_add(&u, (const struct sockaddr *)&a->sa[n]);
	if (u.n)
		append_line(q->file, &u);
}

/* Move each descriptor to its place, wherever it is now. */
static bool move_fds(int fd, int *file)
{
	int own = fcntl(fd, F_DUPFD, BEYOND);
	int other = *file < 0 ? -1 : fcntl(*file, F_DUPFD, BEYOND);

	if (own < 0 || dup2(own, SOCKET_FD) < 0 || (other >= 0 && dup2(other, FILE_FD) < 0))
		return false;
	*file = other < 0 ? -1 : FILE_FD;
	return !fmp_close_fds(other < 0 ? FILE_FD : FILE_FD + 1, ~0u);
}

static void run_helper(const void *ctx, int fd)
{
	struct dns_query q = *(const struct dns_query *)ctx;
	struct dns_reply a;
	unsigned delay = 1;

	prctl(PR_SET_NAME, "fmp-gw-dns");
	gw_services_drop_secrets(q.settings);
	/* Signals from a terminal or to the whole service: the listener decides, we end with it. */
	signal(SIGTERM, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	if (!move_fds(fd, &q.file) || gw_sandbox_enter(GW_ROLE_DNS_HELPER, q.user, 0, NULL))
		_exit(1);
	/* After the change of the uid, which clears it. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		lookup_addresses(q.host, &a);
		if (!a.error)
			save_addresses(&q, &a);
		if (send(SOCKET_FD, &a, sizeof(a), MSG_NOSIGNAL) != sizeof(a) || !a.error)
			_exit(0);
		sleep(delay);
		delay = 2 * delay < DELAY_MAX_S ? 2 * delay : DELAY_MAX_S;
	}
}

/* ---- its parent ---- */

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

void gw_dns_helpers_stop(struct gw_settings *s)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		gw_dns_helper_stop(&s->service[i]);
}

enum gw_dns_helper_result gw_dns_helper_read(struct gw_service *svc)
{
	struct dns_reply a;
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

/*
 * Return: its text, which the caller frees; NULL: no file, or one that others could have written.
 */
static char *read_saved_file(const char *file)
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

/* Add the addresses of one line, as append_line() wrote them. */
static void add_saved_addresses(struct gw_backend_url *u, char *line)
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

/* The last complete line counts. */
static void load_saved_addresses(struct gw_backend_url *u, const char *text)
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
	add_saved_addresses(u, copy);
}

/* Create the file that will replace the old one. Return: -1: failed, which is logged. */
static int create_file(const char *file, char *fresh, size_t size)
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

/* With the place in the policy, if the policy names it. */
static void log_unresolved(const struct gw_settings *s, const struct gw_service *svc)
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

static int start_helpers(struct gw_settings *s, int file, struct fmp_error *err)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		struct gw_service *svc = &s->service[i];
		const struct dns_query q = { .host = svc->url->name,
					     .user = s->policy->gateway.user,
					     .file = file,
					     .settings = s };

		if (svc->url->n)
			continue;
		svc->dns_helper.fd = gw_helper_start(run_helper, &q, &svc->dns_helper.pid, err);
		if (svc->dns_helper.fd < 0) {
			svc->dns_helper.pid = 0;
			return svc->dns_helper.fd;
		}
	}
	return 0;
}

/* Wait until each helper has reported, or START_MS have passed. */
static void wait_for_helpers(struct gw_settings *s)
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

/* Use saved addresses for names that are not resolved. */
static void use_saved_addresses(struct gw_settings *s, const char *saved, int file)
{
	for (unsigned i = 0; i < s->evaluator.n_services; i++) {
		struct gw_service *svc = &s->service[i];

		if (svc->url->n)
			continue;
		if (saved)
			load_saved_addresses(svc->url, saved);
		if (svc->url->n) {
			gw_dns_helper_stop(svc);
			append_line(file, svc->url);
		}
		log_unresolved(s, svc);
	}
}

int gw_dns_helpers_start(struct gw_settings *s, const char *file, struct fmp_error *err)
{
	char fresh[PATH_MAX], *saved;
	int fd, rc;
	bool any = false;

	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		any = any || !s->service[i].url->n;
	if (!any)
		return 0;
	saved = file ? read_saved_file(file) : NULL;
	fd = file ? create_file(file, fresh, sizeof(fresh)) : -1;
	rc = start_helpers(s, fd, err);
	if (!rc) {
		wait_for_helpers(s);
		use_saved_addresses(s, saved, fd);
	}
	if (fd >= 0) {
		if (rc || rename(fresh, file))
			unlink(fresh);
		close(fd);
	}
	free(saved);
	return rc;
}
