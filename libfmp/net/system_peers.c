// SPDX-License-Identifier: GPL-2.0
#include <net/system_peers.h>

#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <net/lease.h>

#define LINES_MAX    4096 /* lines read of a file */
#define FILES_MAX    64 /* files read for one pattern */
#define UDHCPC_LINES 8 /* lines read of a lease written by udhcpc.sh */
#define FOUND_MAX    16 /* addresses taken from one file; libc uses 3 nameservers */
#define TAIL_MAX     65536 /* bytes read at the end of a file that is appended to */

#define DHCPCD_LEASES "/var/lib/dhcpcd/*.lease"
#define UDHCPC_LEASES "/var/run/fmp/dhcp/*"

/* Separators around addresses. */
#define BETWEEN " \t\r\n,;'\""

struct line {
	const char *key; /* start of the line; a space matches one or more blanks */
	enum fmp_protect_origin origin;
	bool list; /* all following words may be addresses, not only the first */
	bool newest; /* the file is appended to: prefer the last addresses */
};

struct source_file {
	const char *pattern;
	struct line line;
};

static const struct line nameserver = { "nameserver ", FMP_PROTECT_RESOLVER, false, false };

/* resolv.conf may name only a local stub resolver, whose servers are configured elsewhere. */
static const struct source_file source_files[] = {
	{ "/run/systemd/resolve/resolv.conf",
	  { "nameserver ", FMP_PROTECT_RESOLVER, false, false } },
	{ "/tmp/resolv.conf.d/resolv.conf.auto",
	  { "nameserver ", FMP_PROTECT_RESOLVER, false, false } },
	{ "/run/systemd/netif/leases/*", { "SERVER_ADDRESS=", FMP_PROTECT_DHCP, false, false } },
	{ "/run/systemd/netif/leases/*", { "NTP=", FMP_PROTECT_NTP, true, false } },
	{ "/var/lib/NetworkManager/*.lease",
	  { "SERVER_ADDRESS=", FMP_PROTECT_DHCP, false, false } },
	{ "/var/lib/dhcp/*.leases",
	  { "option dhcp-server-identifier ", FMP_PROTECT_DHCP, false, true } },
	{ "/etc/systemd/timesyncd.conf", { "NTP=", FMP_PROTECT_NTP, true, false } },
	{ "/etc/systemd/timesyncd.conf.d/*.conf", { "NTP=", FMP_PROTECT_NTP, true, false } },
	{ "/etc/chrony/chrony.conf", { "server ", FMP_PROTECT_NTP, false, false } },
	{ "/etc/chrony/sources.d/*.sources", { "server ", FMP_PROTECT_NTP, false, false } },
	{ "/etc/chrony.conf", { "server ", FMP_PROTECT_NTP, false, false } },
	{ "/etc/ntpsec/ntp.conf", { "server ", FMP_PROTECT_NTP, false, false } },
	{ "/etc/ntp.conf", { "server ", FMP_PROTECT_NTP, false, false } },
	{ "/etc/config/system", { "list server ", FMP_PROTECT_NTP, false, false } },
};

/* The text behind the key; NULL: the line does not begin with it. */
static char *skip_key(char *text, const char *key)
{
	for (; *key; key++) {
		if (*key != ' ') {
			if (*text++ != *key)
				return NULL;
			continue;
		}
		if (*text != ' ' && *text != '\t')
			return NULL;
		text += strspn(text, " \t");
	}
	return text;
}

/* Parse a word as a full address, ignoring a scope. */
static bool parse_address(char *word, struct fmp_addr *out)
{
	word[strcspn(word, "%")] = '\0';
	return !fmp_addr_parse(word, out, NULL) && fmp_addr_is_ip(out) &&
	       out->prefix_len == fmp_addr_max_prefix(out->family);
}

struct reading_state {
	const struct line *line;
	struct fmp_addr found[FOUND_MAX];
	unsigned n;
};

static void add_found(struct reading_state *r, const struct fmp_addr *a)
{
	unsigned i = 0;

	while (i < r->n && !fmp_addr_equal(&r->found[i], a))
		i++;
	if (i == FOUND_MAX && !r->line->newest)
		return;
	/* Replace itself, or the oldest one. */
	if (i == FOUND_MAX)
		i = 0;
	if (i < r->n) {
		memmove(&r->found[i], &r->found[i + 1], (r->n - i - 1) * sizeof(*a));
		r->n--;
	}
	r->found[r->n++] = *a;
}

static void read_line(struct reading_state *r, char *text)
{
	char *word, *rest;
	struct fmp_addr a;

	text[strcspn(text, "#")] = '\0';
	rest = skip_key(text + strspn(text, " \t"), r->line->key);
	while (rest && (word = strtok_r(NULL, BETWEEN, &rest))) {
		if (parse_address(word, &a))
			add_found(r, &a);
		if (!r->line->list)
			break;
	}
}

static int read_file(const char *path, const struct line *line, fmpi_system_peer_cb *cb, void *ctx,
		     struct fmp_error *err)
{
	struct reading_state r = { .line = line };
	FILE *f = fopen(path, "re");
	char text[512];
	int rc = 0;

	if (!f && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	if (!f)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "%s", path);
	/* This fails for a shorter file, which is then read completely. */
	if (line->newest)
		(void)fseek(f, -TAIL_MAX, SEEK_END);
	for (unsigned i = 0; i < LINES_MAX && fgets(text, sizeof(text), f); i++)
		read_line(&r, text);
	fclose(f);
	for (unsigned i = 0; !rc && i < r.n; i++)
		rc = cb(&r.found[i], line->origin, ctx);
	return rc;
}

int fmpi_system_peers_resolvers(const char *path, fmpi_system_peer_cb *cb, void *ctx,
				struct fmp_error *err)
{
	return read_file(path, &nameserver, cb, ctx, err);
}

/* Return: 0, cb's code. */
typedef int read_file_fn(const char *path, const void *how, fmpi_system_peer_cb *cb, void *ctx);

static int read_lines(const char *path, const void *how, fmpi_system_peer_cb *cb, void *ctx)
{
	int rc = read_file(path, how, cb, ctx, NULL);

	return rc == FMP_ERR_IO ? 0 : rc;
}

static int read_files(const char *root, const char *files, read_file_fn *read, const void *how,
		      fmpi_system_peer_cb *cb, void *ctx)
{
	char pattern[PATH_MAX];
	glob_t found;
	int rc = 0;

	if (snprintf(pattern, sizeof(pattern), "%s%s", root, files) >= (int)sizeof(pattern))
		return 0;
	if (glob(pattern, GLOB_NOSORT, NULL, &found))
		return 0;
	for (size_t i = 0; !rc && i < found.gl_pathc && i < FILES_MAX; i++)
		rc = read(found.gl_pathv[i], how, cb, ctx);
	globfree(&found);
	return rc;
}

/*
 * A lease file of dhcpcd: one for each network, rewritten with each renewal. A lease of another
 * network does not count: its server would be protected here for as long as it pleases.
 */
static int read_lease(const char *path, const void *own, fmpi_system_peer_cb *cb, void *ctx)
{
	uint8_t bytes[FMPI_LEASE_MAX + 1]; /* one more byte, to detect a longer file */
	FILE *f = fopen(path, "re");
	time_t now = time(NULL);
	struct fmp_addr server, yours;
	struct stat st;
	size_t len;

	if (!f)
		return 0;
	len = fstat(fileno(f), &st) ? 0 : fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	if (!len ||
	    !fmpi_lease_server(bytes, len, now > st.st_mtime ? (uint64_t)(now - st.st_mtime) : 0,
			       &yours, &server) ||
	    (own && !fmpi_addrset_has(own, &yours)))
		return 0;
	return cb(&server, FMP_PROTECT_DHCP, ctx);
}

/* ---- udhcpc: written by daemon/fmpd/udhcpc.sh, one file for each interface ---- */

struct udhcpc_lease {
	struct fmp_addr yours, server; /* family 0: absent */
	uint64_t since, seconds; /* start in CLOCK_BOOTTIME, and duration */
};

/* CLOCK_BOOTTIME, so that setting the clock does not change the age. */
static bool is_in_force(const struct udhcpc_lease *h)
{
	struct timespec now;

	return !clock_gettime(CLOCK_BOOTTIME, &now) && h->since <= (uint64_t)now.tv_sec &&
	       (uint64_t)now.tv_sec - h->since <= h->seconds;
}

static void parse_udhcpc_line(struct udhcpc_lease *h, char *text)
{
	struct fmp_addr a;
	char *rest;

	text[strcspn(text, "\r\n")] = '\0';
	if ((rest = skip_key(text, "LIFETIME=")))
		h->seconds = strtoull(rest, NULL, 10);
	else if ((rest = skip_key(text, "SINCE=")))
		h->since = strtoull(rest, NULL, 10);
	else if ((rest = skip_key(text, "ADDRESS=")) && parse_address(rest, &a))
		h->yours = a;
	else if ((rest = skip_key(text, "SERVER_ADDRESS=")) && parse_address(rest, &a))
		h->server = a;
}

/* Like a lease of dhcpcd it counts only for the current network, and while it is in force. */
static int read_udhcpc_lease(const char *path, const void *own, fmpi_system_peer_cb *cb, void *ctx)
{
	FILE *f = if_nametoindex(strrchr(path, '/') + 1) ? fopen(path, "re") : NULL;
	struct udhcpc_lease h = { .since = UINT64_MAX };
	struct stat st = { 0 };
	char text[64];

	if (!f)
		return 0;
	/* Trust only root's or our own file. */
	if (!fstat(fileno(f), &st) && (!st.st_uid || st.st_uid == geteuid()))
		for (int i = 0; i < UDHCPC_LINES && fgets(text, sizeof(text), f); i++)
			parse_udhcpc_line(&h, text);
	fclose(f);
	if (!h.yours.family || !h.server.family || (own && !fmpi_addrset_has(own, &h.yours)) ||
	    !is_in_force(&h))
		return 0;
	return cb(&h.server, FMP_PROTECT_DHCP, ctx);
}

int fmpi_system_peers_servers(const char *root, const struct fmpi_addrset *own,
			      fmpi_system_peer_cb *cb, void *ctx)
{
	int rc = read_files(root, DHCPCD_LEASES, read_lease, own, cb, ctx);

	if (!rc)
		rc = read_files(root, UDHCPC_LEASES, read_udhcpc_lease, own, cb, ctx);
	for (size_t i = 0; !rc && i < sizeof(source_files) / sizeof(source_files[0]); i++)
		rc = read_files(root, source_files[i].pattern, read_lines, &source_files[i].line,
				cb, ctx);
	return rc;
}
