// SPDX-License-Identifier: GPL-2.0
/*
 * The shared medium: a ring of frames that all stations receive
 *
 * Senders write one at a time, under the medium's lock. Receivers take no lock:
 * each has its own cursor, and the sequence number in a slot tells whether the
 * slot was overwritten while it was read. A receiver that falls behind by the
 * whole ring loses frames, as with any receive FIFO.
 *
 * With a rate, the medium is busy for the duration of each frame. The queues of
 * stations that try to send meanwhile are stopped. When the medium is free they
 * are woken, the station that sent least recently first.
 */
#include "medium.h"
#include "param.h"
#include "station.h"

#include <linux/hrtimer.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>

/**
 * struct fmpbb_medium - the medium
 * @lock: taken to send, to join and to leave; bottom halves off
 * @stations: stations that are up, the one that sent least recently first; @lock
 * @slot: the ring
 * @slots: size of the ring, a power of two
 * @head: number of the next frame; written under @lock
 * @free_at: time when the medium is free again; @lock
 * @timer: wakes the stations at that time
 */
struct fmpbb_medium {
	spinlock_t lock; /* to send, to join and to leave */
	struct list_head stations;
	struct fmpbb_slot *slot;
	unsigned long slots;
	unsigned long head;
	ktime_t free_at;
	struct hrtimer timer;
};

/* There is one medium: each station receives the frames of all others. */
static struct fmpbb_medium air;

/**
 * fmpbb_slot_write() - write a frame into the ring
 * @st: the sender
 * @skb: the frame
 *
 * Context: air.lock held.
 * Return: false if the frame can't be read.
 */
static bool fmpbb_slot_write(struct fmpbb_station *st, const struct sk_buff *skb)
{
	unsigned long n = air.head;
	struct fmpbb_slot *slot = &air.slot[n & (air.slots - 1)];
	bool ok;

	/* Invalidate the slot: no frame of it has this number, they are a ring apart. */
	WRITE_ONCE(slot->seq, n);
	smp_wmb(); /* pairs with smp_rmb() in fmpbb_slot_is_intact() */
	slot->len = skb->len;
	slot->from = st;
	ok = !skb_copy_bits(skb, 0, slot->data, skb->len);
	if (!ok)
		return false;
	smp_store_release(&slot->seq, n + 1); /* the frame before its number */
	smp_store_release(&air.head, n + 1); /* pairs with fmpbb_medium_next_frame() */
	return true;
}

/**
 * fmpbb_medium_is_busy() - check whether a frame occupies the medium
 * @now: filled with the time if there is a rate
 * @rate: rate of the medium, kbit/s
 *
 * Context: air.lock held.
 * Return: true if a station must wait.
 */
static bool fmpbb_medium_is_busy(ktime_t *now, unsigned int rate)
{
	*now = 0;
	if (!rate && !air.free_at)
		return false;
	*now = ktime_get();
	if (ktime_before(*now, air.free_at))
		return true;
	air.free_at = 0;
	return false;
}

/**
 * fmpbb_medium_send() - send a frame
 * @st: the sender
 * @skb: the frame, at most FMPBB_FRAME_MAX bytes; the caller frees it
 *
 * Context: softirq, or bottom halves off.
 * Return: false if the medium is busy; the station's queue is then stopped until
 * it is free.
 */
bool fmpbb_medium_send(struct fmpbb_station *st, const struct sk_buff *skb)
{
	unsigned int rate = fmpbb_param_get(&fmpbb_rate_kbps);
	struct fmpbb_station *other;
	bool busy, sent;
	ktime_t now;

	spin_lock(&air.lock);
	busy = fmpbb_medium_is_busy(&now, rate);
	if (busy) {
		netif_stop_queue(st->dev);
		goto out;
	}
	sent = fmpbb_slot_write(st, skb);
	if (rate) {
		u64 ns = div_u64((u64)skb->len * BITS_PER_BYTE * USEC_PER_SEC, rate);

		air.free_at = ktime_add_ns(now, ns);
		netif_stop_queue(st->dev);
		list_move_tail(&st->list, &air.stations);
		hrtimer_start(&air.timer, air.free_at, HRTIMER_MODE_ABS_SOFT);
	}
	if (!sent)
		goto out;
	list_for_each_entry(other, &air.stations, list) {
		if (other != st)
			napi_schedule(&other->napi);
	}
out:
	spin_unlock(&air.lock);
	return !busy;
}

/**
 * fmpbb_medium_wake_senders() - wake the queues when the medium is free
 * @timer: air.timer
 *
 * Context: softirq.
 * Return: HRTIMER_NORESTART; the next frame starts the timer.
 */
static enum hrtimer_restart fmpbb_medium_wake_senders(struct hrtimer *timer)
{
	struct fmpbb_station *st;

	spin_lock(&air.lock);
	list_for_each_entry(st, &air.stations, list)
		netif_wake_queue(st->dev);
	spin_unlock(&air.lock);
	return HRTIMER_NORESTART;
}

/**
 * fmpbb_medium_next_frame() - find the next frame for a receiver
 * @cursor: number of the frame; advanced after an overrun
 * @lost: set to the number of frames skipped in an overrun
 * @slot: set to the frame's slot
 *
 * The memory barriers of napi_schedule() and napi_complete_done() ensure that a
 * receiver that finds no frame and goes to sleep is woken by a frame that was sent
 * meanwhile: air.head is written before the former and read before the latter.
 *
 * Context: any, no lock.
 * Return: whether there is a frame, none or an overrun.
 */
enum fmpbb_rx_state fmpbb_medium_next_frame(unsigned long *cursor, unsigned long *lost,
					    const struct fmpbb_slot **slot)
{
	unsigned long head = smp_load_acquire(&air.head); /* pairs with fmpbb_slot_write() */
	unsigned long backlog = head - *cursor;

	if (!backlog)
		return FMPBB_RX_NONE;
	/* A sender may be overwriting the oldest slot already. */
	if (unlikely(backlog >= air.slots)) {
		*lost = backlog - air.slots / 2;
		*cursor += *lost;
		return FMPBB_RX_OVERRUN;
	}
	*slot = &air.slot[*cursor & (air.slots - 1)];
	return FMPBB_RX_FRAME;
}

/**
 * fmpbb_medium_join() - add a station to the medium
 * @st: the station
 *
 * Context: process.
 * Return: number of the first frame that it receives.
 */
unsigned long fmpbb_medium_join(struct fmpbb_station *st)
{
	unsigned long cursor;

	spin_lock_bh(&air.lock);
	list_add(&st->list, &air.stations);
	cursor = air.head;
	spin_unlock_bh(&air.lock);
	return cursor;
}

/**
 * fmpbb_medium_leave() - remove a station from the medium
 * @st: the station; it is not woken any more
 *
 * Context: process.
 */
void fmpbb_medium_leave(struct fmpbb_station *st)
{
	spin_lock_bh(&air.lock);
	list_del(&st->list);
	spin_unlock_bh(&air.lock);
}

/**
 * fmpbb_medium_init() - allocate the medium
 * @slots: minimum number of frames in the ring
 *
 * Context: process.
 * Return: 0 or -ENOMEM.
 */
int __init fmpbb_medium_init(unsigned int slots)
{
	air.slots = roundup_pow_of_two(slots);
	air.slot = kvcalloc(air.slots, sizeof(*air.slot), GFP_KERNEL);
	if (!air.slot)
		return -ENOMEM;
	spin_lock_init(&air.lock);
	INIT_LIST_HEAD(&air.stations);
	hrtimer_setup(&air.timer, fmpbb_medium_wake_senders, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_SOFT);
	return 0;
}

/**
 * fmpbb_medium_exit() - free the medium after all stations have left
 *
 * Context: process.
 */
void fmpbb_medium_exit(void)
{
	hrtimer_cancel(&air.timer);
	kvfree(air.slot);
}
