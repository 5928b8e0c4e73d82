/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters of 64 bits that several processors add to without a lock
 *
 * Without instructions for 64 bits at once (ARMv5 such as XScale, MIPS of 32 bits) the kernel
 * makes atomic64_t of a hashed spinlock with interrupts off, for each operation. There, and on
 * all machines of 32 bits, a counter is two words.
 */
#ifndef _FMP_COUNTER_H
#define _FMP_COUNTER_H

#include <linux/atomic.h>
#include <linux/types.h>

/**
 * struct fmp_halves - a counter of two words
 * @low: its lower 32 bits
 * @high: how often the highest bit of @low changed: bits 31 to 62
 *
 * Bit 31 is in both words, so that a reader sees whether a change of it has reached @high.
 */
struct fmp_halves {
	atomic_t low;
	atomic_t high;
};

/**
 * fmp_halves_add() - add to a counter
 * @h: the counter
 * @n: what to add, less than 2^31
 *
 * Context: any.
 * Return: its lower 32 bits.
 */
static __always_inline u32 fmp_halves_add(struct fmp_halves *h, u32 n)
{
	u32 low = atomic_add_return_relaxed(n, &h->low);

	if (unlikely((low ^ (low - n)) >> 31)) {
		/* Pairs with smp_rmb() in fmp_halves_read(): @high is never ahead of @low. */
		smp_mb__before_atomic();
		atomic_inc(&h->high);
	}
	return low;
}

/**
 * fmp_halves_read() - read a counter
 * @h: the counter
 *
 * Context: any; less than 2^31 are added while it runs, or while another processor is between
 * the two words.
 * Return: its value.
 */
static inline u64 fmp_halves_read(const struct fmp_halves *h)
{
	u32 high = atomic_read(&h->high);
	u32 low;

	/* Pairs with smp_mb__before_atomic() in fmp_halves_add(). */
	smp_rmb();
	low = atomic_read(&h->low);
	/* A change of bit 31 that has not reached @high. */
	high += (high ^ low >> 31) & 1;
	return ((u64)high << 31) | (low & ~(1U << 31));
}

/**
 * struct fmp_counter - a counter
 * @n: its value
 */
struct fmp_counter {
#if BITS_PER_LONG == 64
	atomic64_t n;
#else
	struct fmp_halves n;
#endif
};

/**
 * fmp_counter_add() - add to a counter
 * @c: the counter
 * @n: what to add, less than 2^31
 *
 * Context: any.
 */
static __always_inline void fmp_counter_add(struct fmp_counter *c, u32 n)
{
#if BITS_PER_LONG == 64
	atomic64_add(n, &c->n);
#else
	fmp_halves_add(&c->n, n);
#endif
}

/**
 * fmp_counter_inc() - add 1 to a counter
 * @c: the counter
 *
 * Context: any.
 */
static __always_inline void fmp_counter_inc(struct fmp_counter *c)
{
#if BITS_PER_LONG == 64
	atomic64_inc(&c->n);
#else
	fmp_halves_add(&c->n, 1);
#endif
}

/**
 * fmp_counter_inc_is_first() - add 1 to a counter, and check whether it was 0
 * @c: the counter
 *
 * It orders nothing.
 *
 * Context: any.
 * Return: true if its value is 1 now.
 */
static __always_inline bool fmp_counter_inc_is_first(struct fmp_counter *c)
{
#if BITS_PER_LONG == 64
	return unlikely(atomic64_inc_return_relaxed(&c->n) == 1);
#else
	return unlikely(fmp_halves_add(&c->n, 1) == 1) && !atomic_read(&c->n.high);
#endif
}

/**
 * fmp_counter_read() - read a counter
 * @c: the counter
 *
 * Context: any.
 * Return: its value.
 */
static inline u64 fmp_counter_read(const struct fmp_counter *c)
{
#if BITS_PER_LONG == 64
	return atomic64_read(&c->n);
#else
	return fmp_halves_read(&c->n);
#endif
}

#endif /* _FMP_COUNTER_H */
