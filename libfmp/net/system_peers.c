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
#define FILES_MAX    64 /* read of one pattern */
#define UDHCPC_LINES 8 /* read of a file of ours */
#define FOUND_MAX    16 /* different addresses taken of one file; libc asks 3 nameservers */
#define TAIL_MAX     65536 /* bytes read of a file that grows at its end */

#define DHCPCD_LEASES "/var/lib/dhcpcd/*.lease"
#define UDHCPC_LEASES "/var/run/fmp/dhcp/*"

/* What stands between addresses, and around one. */
#define BETWEEN " \t\r\n,;'\""

struct line {
	const char *key; /* what it begins with; blanks in it stand for one blank */
	enum fmp_protect_origin origin;
	bool list; /* each word behind may be an address, not just the first */
	bool newest; /* the file is appended to: what stands last counts, not first */
};

struct source_file {
	const char *pattern;
	struct line line;
};

static const struct line nameserver = { "nameserver ", FMP_PROTECT_RESOLVER, false, false };

/* resolv.conf may name a stub of this machine only: whom that one asks stands elsewhere. */
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

/* What follows the key, NULL if the line does not begin with it. */
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

/* A word as a full address, without a scope. */
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
	/* In the place of itself, or of the oldest one. */
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
	/* Of a shorter file that fails, and all of it is read. */
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
 * Of dhcpcd: one a network it was in, written anew with each renewal. Of networks that were left none
 * counts: who had us there for a moment would be protected here, and for as long as he said.
 */
static int read_lease(const char *path, const void *own, fmpi_system_peer_cb *cb, void *ctx)
{
	uint8_t bytes[FMPI_LEASE_MAX + 1]; /* one more: so that a longer file is none */
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

/* ---- udhcpc: of daemon/fmpd/udhcpc.sh, one file an interface ---- */

struct udhcpc_lease {
	struct fmp_addr yours, server; /* family 0: not said */
	uint64_t since, seconds; /* of CLOCK_BOOTTIME, and from then on */
};

/* A clock that is set behind the lease makes it no older. */
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

/* As of dhcpcd: of the network that we are in, and while its time is not over. */
static int read_udhcpc_lease(const char *path, const void *own, fmpi_system_peer_cb *cb, void *ctx)
{
	FILE *f = if_nametoindex(strrchr(path, '/') + 1) ? fopen(path, "re") : NULL;
	struct udhcpc_lease h = { .since = UINT64_MAX };
	struct stat st = { 0 };
	char text[64];

	if (!f)
		return 0;
	/* Of who runs udhcpc, and of nobody else. */
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
