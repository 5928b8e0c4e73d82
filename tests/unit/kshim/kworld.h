/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Userspace replacement of kernel functions for tables and rules: one thread, no interrupts
 *
 * Locks are counted, so that an unbalanced pair fails. RCU callbacks run when the last
 * reader has left, at once if there is none. Time advances only when a case sleeps; then
 * the work items that are due run.
 */
#ifndef _FMP_KSHIM_KWORLD_H
#define _FMP_KSHIM_KWORLD_H

#include "kshim.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define S32_MAX		 INT32_MAX
#define U64_MAX		 UINT64_MAX
#define BIT_ULL(n)	 (1ULL << (n))
#define BITS_PER_LONG	 (__SIZEOF_LONG__ * 8)
#define BITS_TO_LONGS(n) (((n) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define UINT_MAX	 0xffffffffU
#define U8_MAX		 UINT8_MAX
#define U32_MAX		 UINT32_MAX
#define NSEC_PER_MSEC	 1000000ULL
#define NSEC_PER_SEC	 1000000000ULL

#define __init
#define __ro_after_init
#define __rcu
#define noinline __attribute__((noinline))
#define __read_mostly

#define READ_ONCE(x)		(*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, v)	(*(volatile __typeof__(x) *)&(x) = (v))
#define smp_rmb()		__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_mb__before_atomic() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v) __atomic_store_n(p, v, __ATOMIC_RELEASE)

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))
#define offsetofend(type, member)	(offsetof(type, member) + sizeof(((type *)0)->member))
#define struct_size(p, member, n)	(sizeof(*(p)) + sizeof((p)->member[0]) * (n))
#define min(a, b)			((a) < (b) ? (a) : (b))
#define max(a, b)			((a) > (b) ? (a) : (b))
#define min_t(t, a, b)			min((t)(a), (t)(b))
#define max_t(t, a, b)			max((t)(a), (t)(b))
#define clamp(v, a, b)			min(max(v, a), b)
#define clamp_t(t, v, a, b)		clamp((t)(v), (t)(a), (t)(b))
#define roundup(x, n)			(((x) + (n)-1) / (n) * (n))
#define swap(a, b)                      \
	do {                            \
		__typeof__(a) _t = (a); \
		(a) = (b);              \
		(b) = _t;               \
	} while (0)

/* Atomics: one thread. */
typedef struct {
	s64 v;
} atomic64_t;
typedef struct {
	int v;
} atomic_t;
#define ATOMIC_INIT(i) \
	{              \
		i      \
	}
#define atomic_read(a)			((a)->v)
#define atomic_set(a, i)		((a)->v = (i))
#define atomic_inc(a)			((void)(a)->v++)
#define atomic_inc_return(a)		(++(a)->v)
#define atomic_add(n, a)		((void)((a)->v += (int)(n)))
#define atomic_add_return_relaxed(n, a) ((a)->v = (int)((u32)(a)->v + (u32)(n)))
#define atomic64_read(a)		((a)->v)
#define atomic64_set(a, i)		((a)->v = (s64)(i))
#define atomic64_inc(a)			((void)(a)->v++)
#define atomic64_add(n, a)		((void)((a)->v += (s64)(n)))
#define atomic64_inc_return_relaxed(a)	(++(a)->v)

/* Bits. */
#define __fls(w)	(BITS_PER_LONG - 1U - (unsigned int)__builtin_clzl(w))
#define set_bit(n, p)	((p)[(n) / BITS_PER_LONG] |= BIT((n) % BITS_PER_LONG))
#define __set_bit(n, p) set_bit(n, p)
#define clear_bit(n, p) ((p)[(n) / BITS_PER_LONG] &= ~BIT((n) % BITS_PER_LONG))
#define test_bit(n, p)	(!!((p)[(n) / BITS_PER_LONG] & BIT((n) % BITS_PER_LONG)))
#define for_each_set_bit(n, p, size)       \
	for ((n) = 0; (n) < (size); (n)++) \
		if (test_bit(n, p))
#define order_base_2(n)	      ((n) > 1 ? 64 - __builtin_clzll((u64)(n)-1) : 0)
#define ilog2(n)	      (63 - __builtin_clzll(n))
#define roundup_pow_of_two(n) (1UL << order_base_2(n))

/* Memory. */
#define GFP_KERNEL	    0
#define GFP_KERNEL_ACCOUNT  0
#define SLAB_ACCOUNT	    0
#define kzalloc(n, gfp)	    calloc(1, n)
#define kvzalloc(n, gfp)    calloc(1, n)
#define kvcalloc(n, m, gfp) calloc(n, m)
#define kfree(p)	    free((void *)(p))
#define kvfree(p)	    free((void *)(p))

static inline void *kmemdup(const void *p, size_t n, int gfp)
{
	return memcpy(malloc(n ? n : 1), p, n);
}

struct kmem_cache {
	size_t size;
};

static inline struct kmem_cache *kmem_cache_create(const char *name, size_t size, size_t align,
						   int flags, void *ctor)
{
	struct kmem_cache *c = calloc(1, sizeof(*c));

	c->size = size;
	return c;
}

#define kmem_cache_destroy(c)	  free(c)
#define kmem_cache_size(c)	  ((c)->size)
#define kmem_cache_zalloc(c, gfp) calloc(1, (c)->size)
#define kmem_cache_free(c, p)	  ((void)(c), free(p))

/* Locks. */
struct mutex {
	int held;
};
typedef struct {
	int held;
} spinlock_t;
#define mutex_init(m)		     ((m)->held = 0)
#define mutex_lock(m)		     assert(!(m)->held++)
#define mutex_unlock(m)		     assert(!--(m)->held)
#define spin_lock_init(l)	     ((l)->held = 0)
#define spin_lock(l)		     assert(!(l)->held++)
#define spin_unlock(l)		     assert(!--(l)->held)
#define spin_lock_irq(l)	     spin_lock(l)
#define spin_unlock_irq(l)	     spin_unlock(l)
#define spin_lock_irqsave(l, f)	     (spin_lock(l), (void)((f) = 0))
#define spin_unlock_irqrestore(l, f) ((void)(f), spin_unlock(l))
#define lockdep_assert_held(l)	     assert((l)->held)
#define lockdep_is_held(l)	     ((l)->held)

/* RCU. */
struct rcu_head {
	void *next;
	void (*func)(struct rcu_head *head);
};
extern int kshim_readers;
/* If set, called in each synchronize_rcu(). */
extern void (*kshim_grace_period)(void);
void kshim_read_unlock(void);
void kshim_synchronize_rcu(void);
void kshim_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head));
#define rcu_read_lock()			   ((void)kshim_readers++)
#define rcu_read_unlock()		   kshim_read_unlock()
#define rcu_read_lock_bh()		   rcu_read_lock()
#define rcu_read_unlock_bh()		   rcu_read_unlock()
#define rcu_read_lock_any_held()	   (kshim_readers > 0)
#define rcu_dereference(p)		   (p)
#define rcu_dereference_raw(p)		   (p)
#define rcu_dereference_check(p, cond)	   (assert(cond), (p))
#define rcu_dereference_protected(p, cond) (assert(cond), (p))
#define rcu_assign_pointer(p, v)	   ((p) = (v))
#define RCU_INIT_POINTER(p, v)		   ((p) = (v))
#define RCU_LOCKDEP_WARN(cond, text)	   assert(!(cond))
#define call_rcu(head, f)		   kshim_call_rcu(head, f)
#define rcu_barrier()			   ((void)0)
#define synchronize_rcu()		   kshim_synchronize_rcu()
#define cond_resched()			   ((void)0)

/* Hash chains. */
struct hlist_node {
	struct hlist_node *next, **pprev;
};
struct hlist_head {
	struct hlist_node *first;
};

static inline void hlist_add_head_rcu(struct hlist_node *n, struct hlist_head *h)
{
	n->next = h->first;
	n->pprev = &h->first;
	if (h->first)
		h->first->pprev = &n->next;
	h->first = n;
}

static inline void hlist_del_rcu(struct hlist_node *n)
{
	*n->pprev = n->next;
	if (n->next)
		n->next->pprev = n->pprev;
}

#define hlist_first_rcu(head)	     ((head)->first)
#define hlist_next_rcu(node)	     ((node)->next)
#define hlist_entry(p, type, m)	     container_of(p, type, m)
#define hlist_entry_safe(p, type, m) ((p) ? container_of(p, type, m) : NULL)
#define hlist_for_each_entry(pos, head, m)                                      \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), m); pos; \
	     pos = hlist_entry_safe((pos)->m.next, __typeof__(*(pos)), m))
#define hlist_for_each_entry_rcu(pos, head, m, cond...) hlist_for_each_entry(pos, head, m)
#define hlist_for_each_entry_safe(pos, n, head, m)                         \
	for (pos = hlist_entry_safe((head)->first, __typeof__(*(pos)), m); \
	     pos && ((n) = (pos)->m.next, 1); pos = hlist_entry_safe(n, __typeof__(*(pos)), m))

/* A search tree that is not rebalanced. */
struct rb_node {
	struct rb_node *up, *left, *right;
};
struct rb_root_cached {
	struct rb_node *top;
};
#define RB_ROOT_CACHED          \
	(struct rb_root_cached) \
	{                       \
		NULL            \
	}
#define rb_entry(p, type, m) container_of(p, type, m)
struct rb_node *rb_first_cached(const struct rb_root_cached *root);
struct rb_node *rb_next(const struct rb_node *node);
bool rb_add_cached(struct rb_node *node, struct rb_root_cached *root,
		   bool (*less)(struct rb_node *a, const struct rb_node *b));
void rb_erase_cached(struct rb_node *node, struct rb_root_cached *root);

/* Work and time. */
struct work_struct {
	void (*func)(struct work_struct *work);
	struct work_struct *next;
	u64 due;
	bool pending;
};
struct delayed_work {
	struct work_struct work;
};
#define system_power_efficient_wq   NULL
#define INIT_WORK(w, f)		    (*(w) = (struct work_struct){ .func = (f) })
#define INIT_DELAYED_WORK(w, f)	    INIT_WORK(&(w)->work, f)
#define queue_work(wq, w)	    kshim_work_add(w, 0)
#define mod_delayed_work(wq, w, j)  kshim_work_add(&(w)->work, j)
#define cancel_work_sync(w)	    kshim_work_cancel(w)
#define cancel_delayed_work_sync(w) kshim_work_cancel(&(w)->work)
void kshim_work_add(struct work_struct *work, u64 jiffies);
void kshim_work_cancel(struct work_struct *work);

/* A jiffy is a millisecond here, and a timer has 32 bits, as on a handheld. */
#define MAX_JIFFY_OFFSET	       ((1U << 30) - 1)
#define nsecs_to_jiffies64(ns)	       ((u64)(ns) / NSEC_PER_MSEC)
#define ktime_get_coarse_boottime_ns() ktime_get_boottime_ns()
u64 ktime_get_boottime_ns(void);
void msleep(unsigned int ms);

/* Random numbers, the same in each run. */
void get_random_bytes(void *p, size_t n);
u32 get_random_u32(void);
u32 jhash2(const u32 *p, u32 n, u32 seed);

#endif /* _FMP_KSHIM_KWORLD_H */
