// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/spawn.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fmp/internal/privileges.h>

#include <fmp/internal/crash_note.h>
#include <fmp/internal/text.h>

/* File descriptor numbers in the gateway. */
#define LISTEN_FD 3
#define EVENT_FD  4
#define POLICY_FD 5
#define NOTE_FD	  6

#define CHECK_S 10 /* seconds for the gateway to read a policy's files, while fmpd waits */

void fmp_spawn_find(const char *name, const char *asked, char *program, size_t size)
{
	ssize_t n;
	char *slash;

	if (asked) {
		snprintf(program, size, "%s", asked);
		return;
	}
	n = readlink("/proc/self/exe", program, size - strlen(name) - 1);
	if (n > 0) {
		program[n] = '\0';
		slash = strrchr(program, '/');
		if (slash) {
			memcpy(slash + 1, name, strlen(name) + 1);
			if (!access(program, X_OK))
				return;
		}
	}
	snprintf(program, size, "%s/%s", FMP_LIBEXECDIR, name);
}

/* The descriptors passed to a gateway. */
enum {
	LISTEN,
	EVENTS,
	LOGS,
	POLICY,
	NOTE,
	GIVEN
};

static void close_fds(const int fd[GIVEN])
{
	for (unsigned i = 0; i < GIVEN; i++)
		if (fd[i] >= 0)
			close(fd[i]);
}

/* Duplicate above those numbers, so that dup2() below can't overwrite them. */
static bool duplicate_fds(const int from[GIVEN], int to[GIVEN])
{
	bool all = true;

	for (unsigned i = 0; i < GIVEN; i++) {
		to[i] = fcntl(from[i], F_DUPFD_CLOEXEC, NOTE_FD + 1);
		all &= to[i] >= 0;
	}
	return all;
}

int fmp_spawn_program(const char *program, char *const argv[], char *const env[], int fd, int as,
		      pid_t *pid)
{
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none, all;
	int rc;

	sigemptyset(&none);
	sigfillset(&all);
	if (posix_spawn_file_actions_init(&files))
		return ENOMEM;
	if (posix_spawnattr_init(&how)) {
		posix_spawn_file_actions_destroy(&files);
		return ENOMEM;
	}
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&how, &none);
	posix_spawnattr_setsigdefault(&how, &all);
	rc = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	if (!rc)
		rc = posix_spawn_file_actions_adddup2(&files, fd, as);
	if (!rc)
		rc = posix_spawn(pid, program, &files, &how, argv, env);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	return rc;
}

/* In the child, between fork and exec: only async-signal-safe calls. */
static void become_gateway(const struct fmp_spawn *s, const int at[GIVEN])
{
	char *const argv[] = { (char *)"fmp-gateway",
			       (char *)"--policy-fd",
			       (char *)"5",
			       (char *)"--listen-fd",
			       (char *)"3",
			       (char *)"--event-fd",
			       (char *)"4",
			       (char *)"--note-fd",
			       (char *)"6",
			       (char *)"--replay-file",
			       (char *)s->replay_file,
			       (char *)"--names-file",
			       (char *)s->names_file,
			       (char *)(s->backend ? "--backend" : NULL),
			       (char *)s->backend,
			       NULL };
	sigset_t none;
	int null;

	/* A process group of its own: fmpd handles a Ctrl-C on the terminal. */
	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	null = open("/dev/null", O_RDWR);
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(at[LOGS], STDERR_FILENO) < 0 || dup2(at[LISTEN], LISTEN_FD) < 0 ||
	    dup2(at[EVENTS], EVENT_FD) < 0 || dup2(at[POLICY], POLICY_FD) < 0 ||
	    dup2(at[NOTE], NOTE_FD) < 0)
		_exit(126);
	execv(s->program, argv);
	_exit(127);
}

/* Sealed: if the gateway truncated it, fmpd would get SIGBUS. Return: its descriptor, or -1. */
static int create_note(const struct fmp_crash_note **out)
{
	int fd = memfd_create("fmp-note", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	void *page = MAP_FAILED;

	if (fd >= 0 && !ftruncate(fd, FMP_CRASH_NOTE_BYTES) &&
	    !fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		page = mmap(NULL, FMP_CRASH_NOTE_BYTES, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED && fd >= 0)
		close(fd);
	*out = page == MAP_FAILED ? NULL : page;
	return *out ? fd : -1;
}

void fmp_spawn_note_free(const struct fmp_crash_note *note)
{
	if (note)
		munmap((void *)(uintptr_t)note, FMP_CRASH_NOTE_BYTES);
}

int fmp_spawn_gateway(const struct fmp_spawn *s, struct fmp_gateway_process *out,
		      struct fmp_error *err)
{
	int events[2], logs[2], at[GIVEN], note_fd, rc;
	const struct fmp_crash_note *note;
	pid_t pid;

	if (access(s->program, X_OK))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't run %s", s->program);
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, events))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no socketpair for the gateway");
	if (pipe2(logs, O_CLOEXEC)) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "no pipe for the gateway");
		goto err_events;
	}
	note_fd = create_note(&note);
	if (note_fd < 0) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "no note for the gateway");
		goto err_logs;
	}
	pid = duplicate_fds((const int[GIVEN]){ s->listen_fd, events[1], logs[1], s->policy_fd,
						note_fd },
			    at)
		      ? fork()
		      : -1;
	if (!pid)
		become_gateway(s, at);
	rc = pid < 0 ? fmp_error_sys(err, FMP_ERR_IO, errno, "can't start the gateway") : 0;
	close_fds(at);
	close(logs[1]);
	close(events[1]);
	close(note_fd);
	if (rc) {
		fmp_spawn_note_free(note);
		close(logs[0]);
		close(events[0]);
		return rc;
	}
	setpgid(pid, pid); /* both sides do, whichever runs first */
	fcntl(events[0], F_SETFL, O_NONBLOCK);
	fcntl(logs[0], F_SETFL, O_NONBLOCK);
	*out = (struct fmp_gateway_process){
		.pid = pid, .event_fd = events[0], .log_fd = logs[0], .note = note
	};
	return 0;

err_logs:
	close(logs[0]);
	close(logs[1]);
err_events:
	close(events[0]);
	close(events[1]);
	return rc;
}

/* In the child, between fork and exec. */
static void become_check(const struct fmp_spawn *s, int log_fd)
{
	const char *argv[9] = { "fmp-gateway", "--check", "--policy-fd", "5" };
	int null = open("/dev/null", O_RDWR), n = 4;
	int policy_fd = s->policy ? -1 : fcntl(s->policy_fd, F_DUPFD_CLOEXEC, POLICY_FD + 1);

	if (s->policy) {
		argv[2] = "--policy";
		argv[3] = s->policy;
	}
	if (s->replay_file) {
		argv[n++] = "--replay-file";
		argv[n++] = s->replay_file;
	}
	if (s->backend) {
		argv[n++] = "--backend";
		argv[n++] = s->backend;
	}
	if (null < 0 || dup2(null, STDIN_FILENO) < 0 || dup2(null, STDOUT_FILENO) < 0 ||
	    dup2(log_fd, STDERR_FILENO) < 0 || (!s->policy && dup2(policy_fd, POLICY_FD) < 0))
		_exit(126);
	/* fmpd can't read all that root can: it has dropped CAP_DAC_OVERRIDE. */
	if (s->as_daemon && fmp_privileges_drop(NULL))
		_exit(126);
	alarm(CHECK_S);
	execv(s->program, (char *const *)argv);
	_exit(127);
}

/* Read all output; if it is too long, keep the end. */
static void read_output(int fd, char *buf, size_t size)
{
	size_t len = 0;
	ssize_t n;

	while ((n = read(fd, buf + len, size - 1 - len)) > 0 || (n < 0 && errno == EINTR)) {
		len += n > 0 ? (size_t)n : 0;
		if (len == size - 1) {
			memmove(buf, buf + size / 2, len - size / 2);
			len -= size / 2;
		}
	}
	while (len && buf[len - 1] == '\n')
		len--;
	buf[len] = '\0';
}

static char *skip_program_name(char *line)
{
	return line + (strncmp(line, "fmp-gateway: ", 13) ? 0 : 13);
}

/* The last line, with the cause of its exit. */
static char *last_line(char *text)
{
	char *line = strrchr(text, '\n');

	line = skip_program_name(line ? line + 1 : text);
	fmp_text_clean(line);
	return line;
}

/* Join all lines; "..." marks an omission. */
static void join_lines(char *text, char *out, size_t size)
{
	char *rest, *line = strtok_r(text, "\n", &rest);
	size_t len = 0;

	for (; line && len < size; line = strtok_r(NULL, "\n", &rest))
		len += (size_t)snprintf(out + len, size - len, "%s%s", len ? "; " : "",
					skip_program_name(line));
	if (len >= size)
		memcpy(out + size - 4, "...", 4);
	fmp_text_clean(out);
}

int fmp_spawn_check(const struct fmp_spawn *s, struct fmp_error *err)
{
	int logs[2], status;
	char text[2048];
	pid_t pid;

	if (pipe2(logs, O_CLOEXEC))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "no pipe for the gateway");
	pid = fork();
	if (!pid)
		become_check(s, logs[1]);
	close(logs[1]);
	if (pid < 0) {
		close(logs[0]);
		return fmp_error_sys(err, FMP_ERR_IO, errno, "can't start the gateway");
	}
	read_output(logs[0], text, sizeof(text));
	close(logs[0]);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && !WEXITSTATUS(status)) {
		err->message[0] = '\0';
		join_lines(text, err->message, sizeof(err->message));
		return 0;
	}
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return fmp_error_set(err, FMP_ERR_LIMIT, "no gateway is ready in %d s with it",
				     CHECK_S);
	return fmp_error_set(err, FMP_ERR_CONFLICT, "%s",
			     *text ? last_line(text) : "no gateway can start with it");
}
