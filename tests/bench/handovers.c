// SPDX-License-Identifier: GPL-2.0
/*
 * handovers N: measures the time to wake N processes one after the other; each byte on standard
 * input starts a round, whose nanoseconds are printed on a line
 *
 * This is a lower bound for a firewall in which N processes must run between a bad message and
 * its block, on a machine with the same load.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MOST 16

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Exits when the process before it does. */
static _Noreturn void forward_bytes(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1 && write(to, &byte, 1) == 1)
		;
	_exit(0);
}

/* Return: the end of the ring to read from, -1 with errno; *first is the end to write to. */
static int make_ring(int n, int *first)
{
	int pair[2], before;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return -1;
	*first = pair[0];
	before = pair[1];
	for (int i = 0; i < n; i++) {
		pid_t pid;

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
			return -1;
		pid = fork();
		if (pid < 0)
			return -1;
		if (!pid) {
			close(*first);
			close(pair[1]);
			forward_bytes(before, pair[0]);
		}
		close(before);
		close(pair[0]);
		before = pair[1];
	}
	return before;
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0, first, last;
	char byte;

	if (n < 1 || n > MOST) {
		fprintf(stderr, "usage: handovers N (1 to %d)\n", MOST);
		return 2;
	}
	last = make_ring(n, &first);
	while (last >= 0 && read(STDIN_FILENO, &byte, 1) == 1) {
		uint64_t start = now_ns();

		if (write(first, &byte, 1) != 1 || read(last, &byte, 1) != 1) {
			last = -1;
			break;
		}
		printf("%llu\n", (unsigned long long)(now_ns() - start));
		fflush(stdout);
	}
	if (last < 0)
		perror("handovers");
	return last < 0;
}
