// SPDX-License-Identifier: GPL-2.0
#include "syn.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

#define ETH_HEADER 14u
#define ETH_SOURCE 6u /* offset of the sender's MAC */
#define ETH_TYPE   12u
/* TCP_SAVE_SYN: include the link layer header (Linux 5.10). */
#define SAVE_LINK  2
/* All headers may fill a frame, even a jumbo frame: a sender may add IPv6 options of any length. */
#define SYN_MAX	   9216u

void gw_syn_save(int listen_fd)
{
	int how = SAVE_LINK;

	(void)setsockopt(listen_fd, IPPROTO_TCP, TCP_SAVE_SYN, &how, sizeof(how));
}

/* An IP header starts here, and the source address matches. */
static bool is_packet_of(const uint8_t *ip, size_t len, const struct fmp_addr *source)
{
	bool v6 = source->family == FMP_FAMILY_IPV6;
	size_t at = v6 ? 8 : 12, n = v6 ? 16 : 4;

	return len >= (v6 ? 40u : 20u) && ip[0] >> 4 == (v6 ? 6 : 4) &&
	       !memcmp(ip + at, source->bytes, n);
}

struct fmp_addr gw_syn_parse(const uint8_t *bytes, size_t len, const struct fmp_addr *source)
{
	static const uint8_t nobody[6];
	uint16_t type = source->family == FMP_FAMILY_IPV6 ? 0x86dd : 0x0800;
	const uint8_t *mac = bytes + ETH_SOURCE;

	/*
	 * On devices without Ethernet, such as tunnels, the IP header comes first: refuse bytes
	 * that look like both.
	 */
	if (len < ETH_HEADER || is_packet_of(bytes, len, source) ||
	    (bytes[ETH_TYPE] << 8 | bytes[ETH_TYPE + 1]) != type ||
	    !is_packet_of(bytes + ETH_HEADER, len - ETH_HEADER, source))
		return (struct fmp_addr){ 0 };
	if ((mac[0] & 1) || !memcmp(mac, nobody, sizeof(nobody)))
		return (struct fmp_addr){ 0 };
	return fmp_addr_mac(mac);
}

struct fmp_addr gw_syn_mac(int fd, const struct fmp_addr *source)
{
	uint8_t bytes[SYN_MAX];
	socklen_t len = sizeof(bytes);

	if (getsockopt(fd, IPPROTO_TCP, TCP_SAVED_SYN, bytes, &len))
		return (struct fmp_addr){ 0 };
	return gw_syn_parse(bytes, len, source);
}
