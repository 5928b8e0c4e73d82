// SPDX-License-Identifier: GPL-2.0
/*
 * Reads the filter's counters by generic netlink, the radio's by ethtool
 */
#include "counters.h"

#include <linux/ethtool.h>
#include <linux/fmp.h>
#include <linux/genetlink.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#define RADIO_MAX 32

const char *const counter_name[COUNTERS] = {
	"frames",	 "bytes", "passed",   "stopped_mac",  "stopped_ip",	 "stopped_foreign",
	"stopped_bytes", "late",  "observed", "radio_frames", "radio_delivered", "radio_overruns",
};

static const uint16_t filter_attr[] = {
	[FILTER_FRAMES] = FMP_DEV_A_RX_FRAMES,
	[FILTER_BYTES] = FMP_DEV_A_RX_BYTES,
	[FILTER_PASSED] = FMP_DEV_A_PASSED,
	[FILTER_STOPPED_MAC] = FMP_DEV_A_STOPPED_MAC,
	[FILTER_STOPPED_IP] = FMP_DEV_A_STOPPED_IP,
	[FILTER_STOPPED_FOREIGN] = FMP_DEV_A_STOPPED_FOREIGN,
	[FILTER_STOPPED_BYTES] = FMP_DEV_A_STOPPED_BYTES,
	[FILTER_LATE] = FMP_DEV_A_DROPPED_LATE,
	[FILTER_OBSERVED] = FMP_DEV_A_OBSERVED,
};

/* Names of the radio's counters, and their positions in ethtool's list. */
static const char *const radio_name[] = { "rx_frames", "rx_delivered", "rx_overruns" };
static unsigned int radio_at[3];
static unsigned int radio_counters;

struct dev_request {
	const char *dev;
	uint64_t *n;
};

static int read_dev(const struct nlmsghdr *nlh, void *data)
{
	const struct nlattr *dev, *attr;
	const struct dev_request *dev_request = data;
	uint64_t n[FILTER_OBSERVED + 1] = { 0 };
	const char *name = "";

	mnl_attr_for_each(dev, nlh, GENL_HDRLEN) {
		if (mnl_attr_get_type(dev) != FMP_A_DEV)
			continue;
		mnl_attr_for_each_nested(attr, dev) {
			if (mnl_attr_get_type(attr) == FMP_DEV_A_NAME)
				name = mnl_attr_get_str(attr);
			for (int i = 0; i <= FILTER_OBSERVED; i++) {
				if (mnl_attr_get_type(attr) == filter_attr[i])
					n[i] = mnl_attr_get_u64(attr);
			}
		}
	}
	if (!strcmp(name, dev_request->dev))
		memcpy(dev_request->n, n, sizeof(n));
	return MNL_CB_OK;
}

static void ioctl_device(const struct receiver *rx, unsigned long request, struct ifreq *ifr)
{
	snprintf(ifr->ifr_name, sizeof(ifr->ifr_name), "%s", rx->dev);
	if (ioctl(rx->sock, request, ifr))
		channel_die(rx->dev);
}

static void ioctl_ethtool(const struct receiver *rx, void *request)
{
	struct ifreq ifr = { .ifr_data = request };

	ioctl_device(rx, SIOCETHTOOL, &ifr);
}

static void find_radio_counters(const struct receiver *rx)
{
	union {
		struct ethtool_gstrings head;
		char space[sizeof(struct ethtool_gstrings) + RADIO_MAX * ETH_GSTRING_LEN];
	} names = { .head = { .cmd = ETHTOOL_GSTRINGS, .string_set = ETH_SS_STATS } };
	unsigned int i, k;

	ioctl_ethtool(rx, &names);
	radio_counters = names.head.len;
	for (i = 0; i < radio_counters; i++) {
		for (k = 0; k < 3; k++) {
			if (!strcmp((char *)names.head.data + i * ETH_GSTRING_LEN, radio_name[k]))
				radio_at[k] = i;
		}
	}
}

void receiver_open(struct receiver *rx, const char *dev)
{
	struct ifreq ifr = { 0 };

	snprintf(rx->dev, sizeof(rx->dev), "%s", dev);
	rx->sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	ioctl_device(rx, SIOCGIFHWADDR, &ifr);
	memcpy(rx->mac, ifr.ifr_hwaddr.sa_data, sizeof(rx->mac));
	find_radio_counters(rx);
	channel_open(&rx->ch);
}

static void radio_read(const struct receiver *rx, uint64_t n[3])
{
	union {
		struct ethtool_stats head;
		char space[sizeof(struct ethtool_stats) + RADIO_MAX * sizeof(uint64_t)];
	} stats = { .head = { .cmd = ETHTOOL_GSTATS } };
	unsigned int k;

	stats.head.n_stats = radio_counters;
	ioctl_ethtool(rx, &stats);
	for (k = 0; k < 3; k++)
		n[k] = stats.head.data[radio_at[k]];
}

void counters_read(struct receiver *rx, uint64_t n[COUNTERS])
{
	struct dev_request dev_request = { rx->dev, n };

	memset(n, 0, COUNTERS * sizeof(*n));
	if (channel_request(&rx->ch, FMP_CMD_DEV_GET, NLM_F_DUMP, read_dev, &dev_request))
		channel_die("DEV_GET is refused");
	radio_read(rx, n + RADIO_FRAMES);
}

uint64_t counters_radio_done(const struct receiver *rx)
{
	uint64_t n[3];

	radio_read(rx, n);
	return n[0] + n[2];
}
