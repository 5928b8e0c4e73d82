// SPDX-License-Identifier: GPL-2.0
/*
 * tcp_burst: sends segments of one TCP stream back to back
 *
 * tcp_burst DEVICE DSTMAC SRCIP DSTIP N BYTES
 *
 * Sends N segments of BYTES in order from the device's own MAC address, as a sender with an
 * open window does; it handles no replies. With a real-time priority above the receiver's,
 * all segments are sent before the first one is received.
 */
#include <arpa/inet.h>
#include <linux/if_packet.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct segment {
	struct ether_header eth;
	struct iphdr ip;
	struct tcphdr tcp;
	uint8_t data[1460];
} __attribute__((packed));

static void check_call(int failed, const char *what)
{
	if (!failed)
		return;
	perror(what);
	exit(1);
}

static uint32_t add_words(uint32_t sum, const void *p, size_t n)
{
	const uint8_t *b = p;
	size_t i;

	for (i = 0; i < n; i++)
		sum += i & 1 ? b[i] : b[i] << 8;
	return sum;
}

static uint16_t fold_sum(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return htons(~sum);
}

static void fill_segment(struct segment *s, uint32_t seq, uint16_t bytes)
{
	size_t len = sizeof(s->tcp) + bytes;
	uint16_t be_len = htons(len);
	uint8_t proto[2] = { 0, IPPROTO_TCP };
	uint32_t sum;

	s->ip.ihl = 5;
	s->ip.version = 4;
	s->ip.tot_len = htons(sizeof(s->ip) + len);
	s->ip.frag_off = htons(IP_DF);
	s->ip.ttl = 64;
	s->ip.protocol = IPPROTO_TCP;
	s->ip.check = 0;
	s->ip.check = fold_sum(add_words(0, &s->ip, sizeof(s->ip)));
	s->tcp.source = htons(40000);
	s->tcp.dest = htons(40001);
	s->tcp.seq = htonl(seq);
	s->tcp.ack_seq = htonl(1);
	s->tcp.doff = 5;
	s->tcp.ack = 1;
	s->tcp.window = htons(1000);
	s->tcp.check = 0;
	sum = add_words(add_words(add_words(0, &s->ip.saddr, 8), proto, 2), &be_len, 2);
	s->tcp.check = fold_sum(add_words(sum, &s->tcp, len));
}

int main(int argc, char **argv)
{
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_halen = ETH_ALEN };
	static struct segment s;
	struct ifreq ifr = { 0 };
	unsigned int mac[ETH_ALEN];
	int fd, i, n, bytes;

	if (argc != 7 || (bytes = atoi(argv[6])) < 1 || bytes > (int)sizeof(s.data)) {
		fprintf(stderr, "usage: tcp_burst DEVICE DSTMAC SRCIP DSTIP N BYTES\n");
		return 2;
	}
	n = atoi(argv[5]);
	fd = socket(AF_PACKET, SOCK_RAW, 0);
	check_call(fd < 0, "socket");
	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", argv[1]);
	check_call(ioctl(fd, SIOCGIFHWADDR, &ifr), argv[1]);
	memcpy(s.eth.ether_shost, ifr.ifr_hwaddr.sa_data, ETH_ALEN);
	check_call(sscanf(argv[2], "%x:%x:%x:%x:%x:%x", &mac[0], &mac[1], &mac[2], &mac[3], &mac[4],
			  &mac[5]) != ETH_ALEN,
		   argv[2]);
	for (i = 0; i < ETH_ALEN; i++)
		s.eth.ether_dhost[i] = mac[i];
	s.eth.ether_type = htons(ETHERTYPE_IP);
	check_call(inet_pton(AF_INET, argv[3], &s.ip.saddr) != 1, argv[3]);
	check_call(inet_pton(AF_INET, argv[4], &s.ip.daddr) != 1, argv[4]);
	to.sll_ifindex = if_nametoindex(argv[1]);
	for (i = 0; i < n; i++) {
		size_t len = sizeof(s) - sizeof(s.data) + bytes;

		fill_segment(&s, 1000 + i * bytes, bytes);
		check_call(sendto(fd, &s, len, 0, (void *)&to, sizeof(to)) != (ssize_t)len,
			   "sendto");
	}
	close(fd);
	return 0;
}
