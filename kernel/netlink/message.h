/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMP_MESSAGE_H
#define _FMP_MESSAGE_H

#include "../hook/devices.h"
#include "../path/port.h"

struct sk_buff;

/* Upper bound for the bytes of a message with one rule or one device. */
#define FMP_MESSAGE_SIZE     512
/* Upper bound for the bytes that each processor adds to a device. */
#define FMP_MESSAGE_CPU_SIZE 256

int fmp_message_put_rule(struct sk_buff *msg, const struct fmp_rule *rule, u64 now);
int fmp_message_put_dev(struct sk_buff *msg, const struct fmp_rx_port *port, bool per_cpu);
int fmp_message_put_pending(struct sk_buff *msg, const struct fmp_pending_attach *pending);

#endif /* _FMP_MESSAGE_H */
