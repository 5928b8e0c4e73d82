/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_MESSAGE_H
#define _FMP_MESSAGE_H

#include "../hook/devices.h"
#include "../path/port.h"

struct sk_buff;

/* Bytes that a message with one rule or one device never exceeds. */
#define FMP_MESSAGE_SIZE     512
/* Bytes that a device takes more of for each processor. */
#define FMP_MESSAGE_CPU_SIZE 256

int fmp_message_put_rule(struct sk_buff *msg, const struct fmp_rule *rule, u64 now);
int fmp_message_put_dev(struct sk_buff *msg, const struct fmp_rx_port *port, bool per_cpu);
int fmp_message_put_wish(struct sk_buff *msg, const struct fmp_wish *wish);

#endif /* _FMP_MESSAGE_H */
