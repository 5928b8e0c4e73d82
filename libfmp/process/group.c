// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/group.h>

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_S 10 /* a directory service may be slow or unreachable */

static void write_gid(const char *name, int fd)
{
	const struct group *g;

	alarm(ANSWER_S);
	g = getgrnam(name);
	_exit(g && write(fd, &g->gr_gid, sizeof(g->gr_gid)) == sizeof(g->gr_gid) ? 0 : 1);
}

bool fmp_group_find(const char *name, gid_t *gid)
{
	int ends[2];
	ssize_t got;
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return false;
	pid = fork();
	if (!pid)
		write_gid(name, ends[1]);
	close(ends[1]);
	do {
		got = pid < 0 ? 0 : read(ends[0], gid, sizeof(*gid));
	} while (got < 0 && errno == EINTR);
	close(ends[0]);
	while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return got == sizeof(*gid);
}
