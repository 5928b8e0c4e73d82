/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a rule expires: exactly for who holds the lock, in one word for the packet path
 *
 * A machine of 32 bits reads 64 of them in two parts, and one without instructions for that
 * would take a spinlock for each frame. There the packet path compares ticks of 16.8 ms.
 */
#ifndef _FMP_DEADLINE_H
#define _FMP_DEADLINE_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

/* log2 of a tick in ns: 32 bits of ticks are 834 days. */
#define FMP_TICK_SHIFT 24

/**
 * fmp_ticks_until() - convert a time to ticks
 * @end: ns of a clock, 0 for never
 * @now: current time
 *
 * Round up: by ticks a time never comes too early.
 *
 * Context: any.
 * Return: ticks, never 0; or 0 for never, and for what is too far away to be told from the past.
 */
static inline u32 fmp_ticks_until(u64 end, u64 now)
{
	if (!end || (end > now && (end - now) >> FMP_TICK_SHIFT >= S32_MAX))
		return 0;
	return (u32)((end + (1U << FMP_TICK_SHIFT) - 1) >> FMP_TICK_SHIFT) ?: 1;
}

/**
 * fmp_ticks_passed() - check whether a time has come
 * @ticks: return value of fmp_ticks_until()
 * @now: current time, at most 417 days later than that one
 *
 * Context: any.
 * Return: true if it has; false for 0.
 */
static inline bool fmp_ticks_passed(u32 ticks, u64 now)
{
	return ticks && (s32)((u32)(now >> FMP_TICK_SHIFT) - ticks) >= 0;
}

/**
 * struct fmp_deadline - a time; written under fmp_tables.lock
 * @ns: ns of CLOCK_BOOTTIME, 0 for never; with 32 bits read under that lock
 * @ticks: the same as fmp_ticks_until() gives it; read without a lock
 */
struct fmp_deadline {
	u64 ns;
#if BITS_PER_LONG == 32
	u32 ticks;
#endif
};

/**
 * fmp_deadline_set() - set a time
 * @d: the time
 * @end: ns of CLOCK_BOOTTIME, 0 for never
 * @now: current time
 *
 * Context: fmp_tables.lock held.
 */
static inline void fmp_deadline_set(struct fmp_deadline *d, u64 end, u64 now)
{
#if BITS_PER_LONG == 32
	WRITE_ONCE(d->ticks, fmp_ticks_until(end, now));
	d->ns = end;
#else
	WRITE_ONCE(d->ns, end);
#endif
}

/**
 * fmp_deadline_is_set() - check whether a time may come at all
 * @d: the time
 *
 * Context: any.
 * Return: false if it need not be compared.
 */
static __always_inline bool fmp_deadline_is_set(const struct fmp_deadline *d)
{
#if BITS_PER_LONG == 32
	return READ_ONCE(d->ticks);
#else
	return READ_ONCE(d->ns);
#endif
}

/**
 * fmp_deadline_passed() - check whether a time has come
 * @d: the time
 * @now: ns of CLOCK_BOOTTIME
 *
 * Context: any.
 * Return: true if it has.
 */
static inline bool fmp_deadline_passed(const struct fmp_deadline *d, u64 now)
{
#if BITS_PER_LONG == 32
	return fmp_ticks_passed(READ_ONCE(d->ticks), now);
#else
	u64 end = READ_ONCE(d->ns);

	return end && end <= now;
#endif
}

#endif /* _FMP_DEADLINE_H */
