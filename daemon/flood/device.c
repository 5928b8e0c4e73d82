// SPDX-License-Identifier: GPL-2.0
#include "device.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/rtnetlink.h>

#define BATCH 64

static int read_device(struct flood_device *d, struct fmp_error *err)
{
	struct ifreq req = { 0 };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	int rc = 0;

	if (fd < 0)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "socket");
	strcpy(req.ifr_name, d->name);
	if (ioctl(fd, SIOCGIFHWADDR, &req))
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "%s", d->name);
	else if (req.ifr_hwaddr.sa_family != ARPHRD_ETHER)
		rc = fmp_error_set(err, FMP_ERR_INVALID, "%s is not an Ethernet device", d->name);
	memcpy(d->mac, req.ifr_hwaddr.sa_data, sizeof(d->mac));
	if (!rc && ioctl(fd, SIOCGIFMTU, &req))
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "%s", d->name);
	d->mtu = (size_t)req.ifr_mtu;
	close(fd);
	return rc;
}

int flood_device_open(struct flood_device *d, const char *name, struct fmp_error *err)
{
	int rc;

	memset(d, 0, sizeof(*d));
	if (strlen(name) >= sizeof(d->name) || !(d->ifindex = (int)if_nametoindex(name)))
		return fmp_error_set(err, FMP_ERR_NOTFOUND, "no device \"%.20s\"", name);
	strcpy(d->name, name);
	rc = read_device(d, err);
	if (rc)
		return rc;
	d->nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (!d->nl)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink");
	if (mnl_socket_bind(d->nl, 0, MNL_SOCKET_AUTOPID) < 0) {
		rc = fmp_error_sys(err, FMP_ERR_IO, errno, "rtnetlink");
		flood_device_close(d);
	}
	return rc;
}

void flood_device_close(struct flood_device *d)
{
	if (d->nl)
		mnl_socket_close(d->nl);
	d->nl = NULL;
}

static int on_stats(const struct nlmsghdr *nlh, void *data)
{
	struct flood_device_counts *c = data;
	struct rtnl_link_stats64 s;
	const struct nlattr *attr;

	if (nlh->nlmsg_type != RTM_NEWSTATS)
		return MNL_CB_OK;
	mnl_attr_for_each(attr, nlh, sizeof(struct if_stats_msg)) {
		if (mnl_attr_get_type(attr) != IFLA_STATS_LINK_64 ||
		    mnl_attr_get_payload_len(attr) < offsetof(struct rtnl_link_stats64, rx_errors))
			continue;
		/* The attribute is only 4-byte aligned, and older kernels send a shorter one. */
		memset(&s, 0, sizeof(s));
		memcpy(&s, mnl_attr_get_payload(attr),
		       mnl_attr_get_payload_len(attr) < sizeof(s) ? mnl_attr_get_payload_len(attr)
								  : sizeof(s));
		c->rx_frames = s.rx_packets;
		c->tx_frames = s.tx_packets;
		c->rx_bytes = s.rx_bytes;
		c->tx_bytes = s.tx_bytes;
	}
	return MNL_CB_STOP;
}

int flood_device_read(struct flood_device *d, struct flood_device_counts *c, struct fmp_error *err)
{
	union {
		struct nlmsghdr align;
		char bytes[4096];
	} buf;
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(&buf);
	struct if_stats_msg *ask;
	ssize_t n;

	nlh->nlmsg_type = RTM_GETSTATS;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	nlh->nlmsg_seq = ++d->seq;
	ask = mnl_nlmsg_put_extra_header(nlh, sizeof(*ask));
	ask->ifindex = (uint32_t)d->ifindex;
	ask->filter_mask = IFLA_STATS_FILTER_BIT(IFLA_STATS_LINK_64);
	if (mnl_socket_sendto(d->nl, nlh, nlh->nlmsg_len) < 0)
		return fmp_error_sys(err, FMP_ERR_KERNEL, errno, "counters of %s", d->name);
	n = mnl_socket_recvfrom(d->nl, &buf, sizeof(buf));
	if (n < 0 || mnl_cb_run(&buf, (size_t)n, d->seq, mnl_socket_get_portid(d->nl), on_stats,
				c) < MNL_CB_STOP)
		return fmp_error_sys(err, FMP_ERR_KERNEL, errno, "counters of %s", d->name);
	return 0;
}

static int open_packet_socket(const struct flood_device *d, unsigned protocol,
			      struct fmp_error *err)
{
	struct sockaddr_ll sll = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons((uint16_t)protocol),
		.sll_ifindex = d->ifindex,
	};
	int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	int rc;

	if (fd < 0)
		return errno == EPERM ? fmp_error_set(err, FMP_ERR_DENIED,
						      "raw frames on %s need CAP_NET_RAW", d->name)
				      : fmp_error_sys(err, FMP_ERR_IO, errno, "packet socket");
	if (!bind(fd, (struct sockaddr *)&sll, sizeof(sll)))
		return fd;
	rc = fmp_error_sys(err, FMP_ERR_IO, errno, "packet socket on %s", d->name);
	close(fd);
	return rc;
}

int flood_device_raw(const struct flood_device *d, struct fmp_error *err)
{
	/* Protocol 0 receives nothing, not even copies of sent frames. */
	int fd = open_packet_socket(d, 0, err);
	const int on = 1;

	if (fd >= 0)
		(void)setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &on, sizeof(on));
	return fd;
}

int flood_device_tap(const struct flood_device *d, struct fmp_error *err)
{
	return open_packet_socket(d, ETH_P_ALL, err);
}

unsigned flood_device_send(int raw, const struct flood_bytes *frames, unsigned n)
{
	struct mmsghdr msgs[BATCH];
	struct iovec iov[BATCH];
	unsigned done = 0;

	while (done < n) {
		unsigned batch = n - done < BATCH ? n - done : BATCH;
		unsigned i;
		int sent;

		memset(msgs, 0, batch * sizeof(msgs[0]));
		for (i = 0; i < batch; i++) {
			iov[i].iov_base = frames[done + i].data;
			iov[i].iov_len = frames[done + i].len;
			msgs[i].msg_hdr.msg_iov = &iov[i];
			msgs[i].msg_hdr.msg_iovlen = 1;
		}
		sent = sendmmsg(raw, msgs, batch, 0);
		if (sent <= 0)
			break;
		done += (unsigned)sent;
	}
	return done;
}
