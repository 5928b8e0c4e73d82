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
 * struct fmpbb_slot - a frame in the air
 * @seq: number of the frame plus 1 when it is complete, anything else while it
 *	is written
 * @len: its length in bytes
 * @from: who sends it
 * @data: the frame
 */
struct fmpbb_slot {
	unsigned long seq;
	u32 len;
	const struct fmpbb_station *from;
	u8 data[FMPBB_FRAME_MAX];
} ____cacheline_aligned;

/**
 * enum fmpbb_sight - what a receiver finds in the air
 * @FMPBB_SIGHT_NONE: nothing new
 * @FMPBB_SIGHT_FRAME: a frame
 * @FMPBB_SIGHT_OVERRUN: frames went by unheard, their number was skipped
 */
enum fmpbb_sight {
	FMPBB_SIGHT_NONE,
	FMPBB_SIGHT_FRAME,
	FMPBB_SIGHT_OVERRUN,
};

int fmpbb_medium_init(unsigned int slots);
void fmpbb_medium_exit(void);
unsigned long fmpbb_medium_join(struct fmpbb_station *st);
void fmpbb_medium_leave(struct fmpbb_station *st);
bool fmpbb_medium_send(struct fmpbb_station *st, const struct sk_buff *skb);
enum fmpbb_sight fmpbb_medium_look(unsigned long *cursor, unsigned long *lost,
				   const struct fmpbb_slot **slot);

/**
 * fmpbb_slot_intact() - is what was read of a frame that frame
 * @slot: its slot
 * @cursor: its number
 *
 * Asked after the reading; if the sender has come round to the slot meanwhile,
 * what was read is worth nothing.
 *
 * Context: any.
 * Return: true if all that was read before belongs to frame @cursor.
 */
static inline bool fmpbb_slot_intact(const struct fmpbb_slot *slot, unsigned long cursor)
{
	smp_rmb(); /* pairs with smp_wmb() in fmpbb_slot_write() */
	return READ_ONCE(slot->seq) == cursor + 1;
}

#endif /* _FMPBB_MEDIUM_H */
