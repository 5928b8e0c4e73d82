// SPDX-License-Identifier: GPL-2.0
/*
 * The shared medium: a ring of frames that every station hears
 *
 * One sender at a time writes, under the medium's lock. Receivers take no lock:
 * each has a cursor of its own, and the number in a slot tells whether the slot
 * was overwritten while it was read. A receiver that falls behind by the whole
 * ring loses frames, as with any receive FIFO.
 *
 * With a rate, the medium is busy for the time that a frame is in the air;
 * stations that want to send meanwhile have their queue stopped, and are woken
 * when it is free, whoever sent least recently first.
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
 * @lock: taken by senders, and to join and leave; bottom halves off
 * @stations: who is there, the one that sent least recently first; @lock
 * @slot: the ring
 * @slots: its size, a power of two
 * @head: number of the next frame; written under @lock
 * @free_at: when the medium is free again; @lock
 * @timer: wakes who waits for that
 */
struct fmpbb_medium {
	spinlock_t lock; /* senders; joining and leaving */
	struct list_head stations;
	struct fmpbb_slot *slot;
	unsigned long slots;
	unsigned long head;
	ktime_t free_at;
	struct hrtimer timer;
};

/* There is one: all stations of the machine hear each other. */
static struct fmpbb_medium air;

/**
 * fmpbb_slot_write() - put a frame into the air
 * @st: who sends it
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

	/* No frame of this slot has this number: they are all a ring apart. */
	WRITE_ONCE(slot->seq, n);
	smp_wmb(); /* pairs with smp_rmb() in fmpbb_slot_intact() */
	slot->len = skb->len;
	slot->from = st;
	ok = !skb_copy_bits(skb, 0, slot->data, skb->len);
	if (!ok)
		return false;
	smp_store_release(&slot->seq, n + 1); /* the frame before its number */
	smp_store_release(&air.head, n + 1); /* pairs with fmpbb_medium_look() */
	return true;
}

/**
 * fmpbb_medium_busy() - must a station wait
 * @now: filled with the time if there is a rate
 * @rate: of the medium, kbit/s
 *
 * Context: air.lock held.
 * Return: true if somebody's frame is in the air.
 */
static bool fmpbb_medium_busy(ktime_t *now, unsigned int rate)
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
 * @st: who sends it
 * @skb: the frame, stays the caller's; at most FMPBB_FRAME_MAX bytes
 *
 * Context: softirq, or bottom halves off.
 * Return: false if the medium is busy; the station's queue is stopped then, and
 * woken when it is free.
 */
bool fmpbb_medium_send(struct fmpbb_station *st, const struct sk_buff *skb)
{
	unsigned int rate = fmpbb_param_get(&fmpbb_rate_kbps);
	struct fmpbb_station *other;
	bool busy, sent;
	ktime_t now;

	spin_lock(&air.lock);
	busy = fmpbb_medium_busy(&now, rate);
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
 * fmpbb_medium_free() - the medium is free: let the stations send
 * @timer: air.timer
 *
 * Context: softirq.
 * Return: HRTIMER_NORESTART; the next frame starts it.
 */
static enum hrtimer_restart fmpbb_medium_free(struct hrtimer *timer)
{
	struct fmpbb_station *st;

	spin_lock(&air.lock);
	list_for_each_entry(st, &air.stations, list)
		netif_wake_queue(st->dev);
	spin_unlock(&air.lock);
	return HRTIMER_NORESTART;
}

/**
 * fmpbb_medium_look() - find the next frame for a receiver
 * @cursor: number of the frame it looks for; moved on after an overrun
 * @lost: filled with the frames skipped in an overrun
 * @slot: filled with the frame's slot
 *
 * The memory barriers of napi_schedule() and napi_complete_done() make sure
 * that a receiver that finds nothing and goes to sleep is woken by a frame that
 * came meanwhile: air.head is written before the one and read before the other.
 *
 * Context: any, no lock.
 * Return: what was found.
 */
enum fmpbb_sight fmpbb_medium_look(unsigned long *cursor, unsigned long *lost,
				   const struct fmpbb_slot **slot)
{
	unsigned long head = smp_load_acquire(&air.head); /* pairs with fmpbb_slot_write() */
	unsigned long behind = head - *cursor;

	if (!behind)
		return FMPBB_SIGHT_NONE;
	/* The oldest slot may be in the sender's hands already. */
	if (unlikely(behind >= air.slots)) {
		*lost = behind - air.slots / 2;
		*cursor += *lost;
		return FMPBB_SIGHT_OVERRUN;
	}
	*slot = &air.slot[*cursor & (air.slots - 1)];
	return FMPBB_SIGHT_FRAME;
}

/**
 * fmpbb_medium_join() - let a station hear and send
 * @st: the station
 *
 * Context: process.
 * Return: where it starts to listen.
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
 * fmpbb_medium_leave() - take a station away
 * @st: the station; nobody wakes it any more
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
 * fmpbb_medium_init() - make the medium
 * @slots: frames it holds at least
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
	hrtimer_init(&air.timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_SOFT);
	air.timer.function = fmpbb_medium_free;
	return 0;
}

/**
 * fmpbb_medium_exit() - free the medium, which everybody has left
 *
 * Context: process.
 */
void fmpbb_medium_exit(void)
{
	hrtimer_cancel(&air.timer);
	kvfree(air.slot);
}
