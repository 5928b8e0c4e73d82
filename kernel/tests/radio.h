/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A device whose driver asks for frames with 802.11 headers, for the suites
 */
#ifndef _FMP_TESTS_RADIO_H
#define _FMP_TESTS_RADIO_H

#include "frames.h"
#include "world.h"

#include "../path/port.h"

#include <linux/netdevice.h>

/* Last byte of the cell's address; bytes behind the headers of a frame. */
#define FMP_RADIO_CELL	  0x07
#define FMP_RADIO_PAYLOAD 40

/* The device of a case, its port, and what fmp_rx_ops.stop was told last. */
extern struct net_device *fmp_radio_dev;
extern struct fmp_rx_port *fmp_radio_port;
extern u32 fmp_radio_taken;
extern const struct fmp_rx_ops fmp_radio_ops;

int fmp_radio_init(struct kunit *test);
void fmp_radio_exit(struct kunit *test);
void fmp_radio_frame(struct fmp_frame *f, u8 fc0, u8 fc1);

#endif /* _FMP_TESTS_RADIO_H */
