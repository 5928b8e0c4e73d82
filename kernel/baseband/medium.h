/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBB_MEDIUM_H
#define _FMPBB_MEDIUM_H

#include <linux/cache.h>
#include <linux/if_ether.h>
#include <linux/if_vlan.h>
#include <linux/types.h>

struct fmpbb_station;
struct sk_buff;

/* Longest frame: MAC header, two VLAN tags, 1500 bytes. */
#define FMPBB_FRAME_MAX (ETH_HLEN + 2 * VLAN_HLEN + ETH_DATA_LEN)

/**
 * struct fmpbb_slot - a frame in the ring
 * @seq: number of the frame plus 1 when it is complete, another value while it is
 *	being written
 * @len: its length in bytes
 * @from: the sender
 * @data: the frame
 */
struct fmpbb_slot {
	unsigned long seq;
	u32 len;
	const struct fmpbb_station *from;
	u8 data[FMPBB_FRAME_MAX];
} ____cacheline_aligned;

/**
 * enum fmpbb_rx_state - result of fmpbb_medium_next_frame()
 * @FMPBB_RX_NONE: no new frame
 * @FMPBB_RX_FRAME: a frame
 * @FMPBB_RX_OVERRUN: the receiver was too slow, and frames were skipped
 */
enum fmpbb_rx_state {
	FMPBB_RX_NONE,
	FMPBB_RX_FRAME,
	FMPBB_RX_OVERRUN,
};

int fmpbb_medium_init(unsigned int slots);
void fmpbb_medium_exit(void);
unsigned long fmpbb_medium_join(struct fmpbb_station *st);
void fmpbb_medium_leave(struct fmpbb_station *st);
bool fmpbb_medium_send(struct fmpbb_station *st, const struct sk_buff *skb);
enum fmpbb_rx_state fmpbb_medium_next_frame(unsigned long *cursor, unsigned long *lost,
					    const struct fmpbb_slot **slot);

/**
 * fmpbb_slot_is_intact() - check that a slot was not overwritten while it was read
 * @slot: the slot
 * @cursor: number of its frame
 *
 * Call it after reading: if a sender has reached the slot meanwhile, the bytes
 * that were read are invalid.
 *
 * Context: any.
 * Return: true if all bytes read before belong to frame @cursor.
 */
static inline bool fmpbb_slot_is_intact(const struct fmpbb_slot *slot, unsigned long cursor)
{
	smp_rmb(); /* pairs with smp_wmb() in fmpbb_slot_write() */
	return READ_ONCE(slot->seq) == cursor + 1;
}

#endif /* _FMPBB_MEDIUM_H */
