// SPDX-License-Identifier: GPL-2.0
/*
 * The receivers of frames that nothing dropped: a UDP socket above the whole stack,
 * or an rx_handler, directly above the driver
 */
#include "sink.h"
#include "frame.h"

#include <linux/in.h>
#include <linux/in6.h>
#include <linux/net.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <net/sock.h>
#include <net/udp.h>

/* Receive buffer for a batch of frames, even if each has a page of its own. */
#define FMPBENCH_SOCKET_BYTES 1048576

struct fmpbench_arrived fmpbench_arrived;

/* One for IPv4, one for IPv6. */
static struct socket *fmpbench_socket[2];

/**
 * fmpbench_handle_frame() - rx_handler: count and free the frame
 * @pskb: the frame
 *
 * Context: softirq, RCU read section.
 * Return: %RX_HANDLER_CONSUMED.
 */
static rx_handler_result_t fmpbench_handle_frame(struct sk_buff **pskb)
{
	fmpbench_arrived.handler++;
	consume_skb(*pskb);
	return RX_HANDLER_CONSUMED;
}

/**
 * fmpbench_sink_set() - choose the receiver of a device's frames
 * @dev: the device
 * @handler: the rx_handler, otherwise the stack
 *
 * Context: process, may sleep.
 * Return: 0, or -EBUSY if the device has another rx_handler.
 */
int fmpbench_sink_set(struct net_device *dev, bool handler)
{
	int err = 0;

	rtnl_lock();
	if (rtnl_dereference(dev->rx_handler) == fmpbench_handle_frame)
		netdev_rx_handler_unregister(dev);
	if (handler)
		err = netdev_rx_handler_register(dev, fmpbench_handle_frame, NULL);
	rtnl_unlock();
	return err;
}

/**
 * fmpbench_sink_drain() - empty the sockets
 *
 * Context: process.
 */
void fmpbench_sink_drain(void)
{
	struct sk_buff *skb;
	int i, off, err;

	for (i = 0; i < ARRAY_SIZE(fmpbench_socket); i++) {
		struct sock *sk = fmpbench_socket[i]->sk;

		for (;;) {
			off = 0;
			skb = __skb_recv_udp(sk, MSG_DONTWAIT, &off, &err);
			if (!skb)
				break;
			fmpbench_arrived.socket++;
			consume_skb(skb);
		}
	}
}

/**
 * fmpbench_socket_create() - create and bind a UDP socket
 * @family: AF_INET or AF_INET6
 * @sock: filled
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
static int fmpbench_socket_create(int family, struct socket **sock)
{
	struct sockaddr_in6 any6 = { .sin6_family = AF_INET6, .sin6_port = htons(FMPBENCH_PORT) };
	struct sockaddr_in any4 = { .sin_family = AF_INET, .sin_port = htons(FMPBENCH_PORT) };
	int err;

	err = sock_create_kern(&init_net, family, SOCK_DGRAM, IPPROTO_UDP, sock);
	if (err)
		return err;
	if (family == AF_INET) {
		err = kernel_bind(*sock, (struct sockaddr_unsized *)&any4, sizeof(any4));
	} else {
		(*sock)->sk->sk_ipv6only = true;
		err = kernel_bind(*sock, (struct sockaddr_unsized *)&any6, sizeof(any6));
	}
	if (err)
		sock_release(*sock);
	else
		sock_set_rcvbuf((*sock)->sk, FMPBENCH_SOCKET_BYTES);
	return err;
}

/**
 * fmpbench_sink_init() - open the sockets
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
int fmpbench_sink_init(void)
{
	int err;

	err = fmpbench_socket_create(AF_INET, &fmpbench_socket[0]);
	if (err)
		return err;
	err = fmpbench_socket_create(AF_INET6, &fmpbench_socket[1]);
	if (err)
		sock_release(fmpbench_socket[0]);
	return err;
}

/**
 * fmpbench_sink_exit() - close the sockets
 *
 * Context: process.
 */
void fmpbench_sink_exit(void)
{
	sock_release(fmpbench_socket[1]);
	sock_release(fmpbench_socket[0]);
}
