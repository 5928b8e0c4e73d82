// SPDX-License-Identifier: GPL-2.0
#include "own_session.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/net.h>

#define ENVIRON_MAX   65536
#define ANCESTORS_MAX 16

/* Parse the peer's address from "192.0.2.66 50000 192.0.2.1 22". */
static bool parse_connection(const char *text, struct fmp_addr *peer)
{
	char addr[FMP_ADDR_STRLEN];

	/* Cut the zone: it only names the link. */
	snprintf(addr, sizeof(addr), "%.*s", (int)strcspn(text, " %"), text);
	return !fmp_addr_parse(addr, peer, NULL);
}

static ssize_t read_file(pid_t pid, const char *name, char *buf, size_t size)
{
	char path[64];
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	n = read(fd, buf, size - 1);
	close(fd);
	if (n >= 0)
		buf[n] = '\0';
	return n;
}

static pid_t read_parent(pid_t pid)
{
	char stat[512];
	const char *behind;
	int parent;

	/* The name in parentheses may contain parentheses. */
	if (read_file(pid, "stat", stat, sizeof(stat)) <= 0)
		return 0;
	behind = strrchr(stat, ')');
	return behind && sscanf(behind, ") %*c %d", &parent) == 1 ? parent : 0;
}

static bool find_in_environ(pid_t pid, struct fmp_addr *peer)
{
	static char buf[ENVIRON_MAX];
	ssize_t n = read_file(pid, "environ", buf, sizeof(buf));

	for (char *s = buf; n > 0 && s < buf + n; s += strlen(s) + 1)
		if (!strncmp(s, "SSH_CONNECTION=", 15))
			return parse_connection(s + 15, peer);
	return false;
}

/* sudo(8) and su(1) remove SSH_CONNECTION: look for it in the ancestors as well. */
static bool find_peer(struct fmp_addr *peer)
{
	const char *own = getenv("SSH_CONNECTION");
	pid_t pid = getppid();

	if (own && *own)
		return parse_connection(own, peer);
	for (unsigned i = 0; i < ANCESTORS_MAX && pid > 1; i++, pid = read_parent(pid))
		if (find_in_environ(pid, peer))
			return true;
	return false;
}

/* The MAC of the peer, or {0}. */
static struct fmp_addr find_mac(const struct fmp_addr *peer)
{
	struct fmp_addr mac = { 0 };
	struct fmp_net *net;

	if (fmp_net_new(&net, NULL))
		return mac;
	if (fmp_net_neighbour_mac(net, peer, &mac))
		mac = (struct fmp_addr){ 0 };
	fmp_net_free(net);
	return mac;
}

static const struct fmp_addr *find_covering(const struct fmp_addr *addr, size_t n,
					    const struct fmp_addr *peer)
{
	struct fmp_addr mac = { 0 };
	bool asked = false;

	for (size_t i = 0; i < n; i++) {
		if (addr[i].family == FMP_FAMILY_MAC && !asked) {
			mac = find_mac(peer);
			asked = true;
		}
		if (fmp_addr_contains(&addr[i], peer) ||
		    (mac.family && fmp_addr_equal(&addr[i], &mac)))
			return &addr[i];
	}
	return NULL;
}

int own_session_confirm(const struct ctl *ctl, const struct fmp_addr *addr, size_t n, bool yes)
{
	char block[FMP_ADDR_STRLEN], own[FMP_ADDR_STRLEN], answer[8] = "";
	const struct fmp_addr *covering;
	struct fmp_error err;
	struct fmp_addr peer;

	if (yes || !find_peer(&peer))
		return 0;
	covering = find_covering(addr, n, &peer);
	if (!covering)
		return 0;
	fmp_addr_format(covering, block, sizeof(block));
	fmp_addr_format(&peer, own, sizeof(own));
	if (!ctl->json && isatty(STDIN_FILENO)) {
		fprintf(stderr,
			"Your SSH session comes from %s: a block of %s would end it. "
			"Block all the same? [y/N] ",
			own, block);
		if (fgets(answer, sizeof(answer), stdin) && (*answer == 'y' || *answer == 'Y'))
			return 0;
		fputs("fmpctl: nothing is changed\n", stderr);
		return EXIT_REFUSED;
	}
	fmp_error_set(&err, FMP_ERR_DENIED,
		      "your SSH session comes from %s, and a block of %s would end it: nothing is "
		      "changed; --yes blocks all the same, 'fmpctl protect add %s' keeps the "
		      "address from ever being blocked",
		      own, block, own);
	return control_print_error(ctl, EXIT_REFUSED, &err);
}
