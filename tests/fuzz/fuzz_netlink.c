// SPDX-License-Identifier: GPL-2.0
/*
 * What the kernel answers and tells, under libFuzzer: rtnetlink, nf_tables, sock_diag, the
 * module's family. The readers run as they are, over sockets that give the input's bytes.
 *
 * Each input is read twice, with other bytes behind each datagram: what was not received has no
 * part in what is made of it. All addresses that come out are proper ones.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include <linux/netlink.h>

#include <net/rtnl.h>
#include <fmp/enforce.h>
#include <fmp/net.h>

/* The first byte of an input: who reads the rest. */
enum {
	VIEW,
	ROUTE,
	NET,
	IP,
	MAC,
	PREMAC,
	WATCH,
	CUT,
	READERS
};

/* Datagrams of the input: a byte, and for most of them a length of two and the bytes. */
enum {
	BROKEN,
	OVERRUN,
	INTERRUPTED,
	DATAGRAM
};

static struct {
	const uint8_t *p;
	size_t left;
	uint8_t fill; /* behind a datagram */
	uint32_t seq; /* of the message sent last, or of the first of a batch */
	bool answered;
	uint64_t sum; /* of all that came out */
} in;

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

/* FNV-1a */
static void hash_bytes(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		in.sum = (in.sum ^ ((const uint8_t *)p)[i]) * 0x100000001b3u;
}

static void hash_number(uint64_t v)
{
	hash_bytes(&v, sizeof(v));
}

static void note_addr(const struct fmp_addr *a)
{
	struct fmp_addr cut = fmp_addr_mask(*a, a->prefix_len);

	check_holds(a->prefix_len <= fmp_addr_max_prefix(a->family) && fmp_addr_equal(a, &cut));
	hash_bytes(a->bytes, sizeof(a->bytes));
	hash_number(a->family << 8 | a->prefix_len);
}

/* ---- the sockets ---- */

/* So that messages are taken for answers: most have the number of what was asked. */
static void number_messages(uint8_t *buf, size_t len)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)buf;
	int left = (int)len;

	for (; fmp_nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		if (!(nlh->nlmsg_seq & 0x80))
			nlh->nlmsg_seq = in.seq + (nlh->nlmsg_seq & 7);
}

/* Once the input is used up each question is answered: that is all. */
static size_t answer_end(uint8_t *buf)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buf);
	struct nlmsgerr *e = mnl_nlmsg_put_extra_header(nlh, sizeof(*e));

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_seq = in.seq;
	e->error = 0;
	in.answered = true;
	return nlh->nlmsg_len;
}

static ssize_t receive_messages(void *buf, size_t size)
{
	unsigned kind = in.left ? in.p[0] % 8 : DATAGRAM;
	size_t n;

	memset(buf, in.fill, size);
	if (in.left < 3 && !in.answered)
		return (ssize_t)answer_end(buf);
	if (in.left < 3) {
		errno = EAGAIN;
		return -1;
	}
	if (kind < DATAGRAM) {
		errno = kind == BROKEN ? EIO : kind == OVERRUN ? ENOBUFS : EINTR;
		in.p++;
		in.left--;
		return -1;
	}
	n = in.p[1] | (size_t)in.p[2] << 8;
	in.p += 3;
	in.left -= 3;
	n = n < in.left ? n : in.left;
	n = n < size ? n : size;
	memcpy(buf, in.p, n);
	in.p += n;
	in.left -= n;
	number_messages(buf, n);
	return (ssize_t)n;
}

static struct mnl_socket *const socket_of_ours = (void *)&in;

struct mnl_socket *__wrap_mnl_socket_open2(int bus, int flags);
struct mnl_socket *__wrap_mnl_socket_open2(int bus, int flags)
{
	return socket_of_ours;
}

int __wrap_mnl_socket_bind(struct mnl_socket *nl, unsigned groups, pid_t pid);
int __wrap_mnl_socket_bind(struct mnl_socket *nl, unsigned groups, pid_t pid)
{
	return 0;
}

int __wrap_mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf, socklen_t len);
int __wrap_mnl_socket_setsockopt(const struct mnl_socket *nl, int type, void *buf, socklen_t len)
{
	return 0;
}

int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len);
int __wrap_setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	return 0;
}

int __wrap_epoll_ctl(int poll, int op, int fd, struct epoll_event *event);
int __wrap_epoll_ctl(int poll, int op, int fd, struct epoll_event *event)
{
	return 0;
}

int __wrap_mnl_socket_get_fd(const struct mnl_socket *nl);
int __wrap_mnl_socket_get_fd(const struct mnl_socket *nl)
{
	return -1;
}

unsigned __wrap_mnl_socket_get_portid(const struct mnl_socket *nl);
unsigned __wrap_mnl_socket_get_portid(const struct mnl_socket *nl)
{
	return 7;
}

int __wrap_mnl_socket_close(struct mnl_socket *nl);
int __wrap_mnl_socket_close(struct mnl_socket *nl)
{
	check_holds(nl == socket_of_ours);
	return 0;
}

/* What is asked is of a whole message at least, and its memory is all there. */
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size);
ssize_t __wrap_mnl_socket_sendto(const struct mnl_socket *nl, const void *req, size_t size)
{
	const struct nlmsghdr *nlh = req;
	check_holds(size >= sizeof(*nlh) && nlh->nlmsg_len <= size &&
		    (nlh->nlmsg_flags & NLM_F_REQUEST));
	/* Reads it all. */
	check_holds(!memcmp(req, req, size));
	in.seq = nlh->nlmsg_seq;
	in.answered = false;
	return (ssize_t)size;
}

ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size);
ssize_t __wrap_mnl_socket_recvfrom(const struct mnl_socket *nl, void *buf, size_t size)
{
	return receive_messages(buf, size);
}

ssize_t __wrap_recv(int fd, void *buf, size_t size, int flags);
ssize_t __wrap_recv(int fd, void *buf, size_t size, int flags)
{
	check_holds(flags & MSG_DONTWAIT);
	return receive_messages(buf, size);
}

/* ---- the readers ---- */

static const char devices[1][16] = { "v0" };

static struct fmp_addr parse_address(const char *text)
{
	struct fmp_addr a;

	check_holds(!fmp_addr_parse(text, &a, NULL));
	return a;
}

static void note_set(const struct fmpi_addrset *s)
{
	for (size_t i = 0; i < s->n; i++) {
		note_addr(&s->v[i]);
		check_holds(!i || fmp_addr_compare(&s->v[i - 1], &s->v[i]) < 0);
	}
}

static void read_view(void)
{
	struct fmp_nl nl = { .sk = socket_of_ours };
	struct fmpi_netview v = { 0 };
	struct fmp_error err;

	hash_number((uint64_t)fmpi_rtnl_view(&nl, &v, &err));
	/* Sorted only where all was read. */
	fmpi_addrset_sort(&v.own);
	fmpi_addrset_sort(&v.own_macs);
	fmpi_addrset_sort(&v.gateways);
	note_set(&v.own);
	note_set(&v.own_macs);
	note_set(&v.gateways);
	for (size_t i = 0; i < v.neighs.n; i++) {
		note_addr(&v.neighs.v[i].ip);
		note_addr(&v.neighs.v[i].mac);
		check_holds(fmp_addr_is_ip(&v.neighs.v[i].ip));
		check_holds(v.neighs.v[i].mac.family == FMP_FAMILY_MAC);
	}
	fmpi_netview_free(&v);
}

static void read_route(void)
{
	const struct fmp_addr to = parse_address("192.0.2.1");
	struct fmp_nl nl = { .sk = socket_of_ours };
	struct fmpi_route way;

	hash_number((uint64_t)fmpi_rtnl_route(&nl, &to, &way, NULL));
	hash_number((uint64_t)way.oif << 2 | (uint64_t)way.local << 1 | way.gateway);
}

static void read_net(void)
{
	const struct fmp_addr host = parse_address("192.0.2.1");
	const struct fmp_protect_entry *set;
	struct fmp_protect *p;
	struct fmp_addr mac;
	struct fmp_net *net;

	if (fmp_net_new(&net, NULL))
		return;
	hash_number((uint64_t)fmp_net_refresh(net, NULL));
	hash_number(fmp_net_mac(net, &host, NULL, UINT64_MAX, NULL, NULL, &mac));
	note_addr(&mac);
	check_holds(!fmp_protect_new(&p, NULL));
	check_holds(fmp_protect_rebuild(p, net, "/nonexistent", NULL, 0, NULL) >= 0);
	for (size_t n = fmp_protect_list(p, &set), i = 0; i < n; i++)
		note_addr(&set[i].addr);
	fmp_protect_free(p);
	fmp_net_free(net);
}

static int note_rule(const struct fmp_rule *r, void *ctx)
{
	note_addr(&r->addr);
	hash_number(r->id ^ r->left_ms ^ r->frames ^ r->bytes ^ r->first_hit_ns);
	hash_number((uint64_t)r->rate << 16 | r->dest_port);
	return 0;
}

static int note_device(const struct fmp_device *d, void *ctx)
{
	hash_bytes(d->name, strlen(d->name));
	hash_bytes(d->hook, strlen(d->hook));
	hash_number(d->frames ^ d->dropped ^ d->observed);
	return 0;
}

static void read_layer(enum fmp_layer layer)
{
	const struct fmp_enforcer_config cfg = { .layers = FMP_LAYER_BIT(layer),
						 .devices = devices,
						 .n_devices = 1 };
	const struct fmp_protect_entry set = { parse_address("192.0.2.9"), FMP_PROTECT_OWN };
	const struct fmp_decision d = { .id = 3,
					.action = FMP_ACTION_BLOCK,
					.source = parse_address("192.0.2.1"),
					.mac = parse_address("02:00:5e:00:53:01"),
					.layers = FMP_LAYERS_ALL,
					.duration_ms = 60000 };
	struct fmp_layer_result answers[FMP_LAYERS];
	struct fmp_layer_stats stats;
	struct fmp_reconciled r;
	struct fmp_enforcer *e;
	struct fmp_error err;

	check_holds(!fmp_enforcer_new(&cfg, &e, NULL));
	hash_number((uint64_t)fmp_enforcer_protect(e, &set, 1, &err));
	hash_number((uint64_t)fmp_enforcer_dump(e, layer, note_rule, NULL, &err));
	hash_number((uint64_t)fmp_enforcer_stats(e, layer, &stats, &err));
	hash_number(stats.dropped ^ stats.protected_hits ^ stats.evicted);
	hash_number((uint64_t)fmp_enforcer_devices(e, note_device, NULL, &err));
	hash_number((uint64_t)fmp_enforcer_apply(e, &d, 1, answers, &err));
	hash_number(answers[layer].state);
	hash_bytes(answers[layer].text, strlen(answers[layer].text));
	hash_number((uint64_t)fmp_enforcer_reconcile(e, &d, 1, true, &r, &err));
	hash_number(r.wanted[layer] ^ r.enforced[layer] << 8 ^ (uint64_t)r.foreign[layer] << 16);
	hash_bytes(fmp_enforcer_why(e, layer), strlen(fmp_enforcer_why(e, layer)));
	fmp_enforcer_free(e);
}

static void read_watch(void)
{
	const struct fmp_enforcer_config cfg = { 0 };
	struct fmp_changer who;
	struct fmp_enforcer *e;
	struct fmp_watch *w;

	check_holds(!fmp_enforcer_new(&cfg, &e, NULL));
	if (!fmp_watch_new(e, &w, NULL)) {
		hash_number(fmp_watch_drain(w, &who));
		hash_number(who.pid);
		check_holds(memchr(who.name, '\0', sizeof(who.name)));
		hash_bytes(who.name, strlen(who.name));
		fmp_watch_free(w);
	}
	fmp_enforcer_free(e);
}

static bool every_other(const struct fmp_addr *peer, uint16_t port, void *ctx)
{
	note_addr(peer);
	hash_number(port);
	return port & 1;
}

/* Conntrack is there. */
int __wrap_access(const char *path, int mode);
int __wrap_access(const char *path, int mode)
{
	return 0;
}

static void read_cut(void)
{
	struct fmp_flushed flows;
	struct fmp_error err;
	size_t n;

	hash_number((uint64_t)fmp_kill_connections(every_other, NULL, &n, &err));
	hash_number(n);
	hash_number((uint64_t)fmp_flush_flows(every_other, NULL, &flows, &err));
	hash_number(flows.offloaded);
	hash_number(flows.flushed);
}

static uint64_t read_all(uint8_t reader, const uint8_t *data, size_t size, uint8_t fill)
{
	memset(&in, 0, sizeof(in));
	in.p = data;
	in.left = size;
	in.fill = fill;
	in.answered = true;
	switch (reader % READERS) {
	case VIEW:
		read_view();
		break;
	case ROUTE:
		read_route();
		break;
	case NET:
		read_net();
		break;
	case WATCH:
		read_watch();
		break;
	case CUT:
		read_cut();
		break;
	default:
		read_layer(reader % READERS - IP);
	}
	return in.sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size)
		check_holds(read_all(data[0], data + 1, size - 1, 0) ==
			    read_all(data[0], data + 1, size - 1, 0xff));
	return 0;
}
