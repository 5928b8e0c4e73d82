// SPDX-License-Identifier: GPL-2.0
/* Userspace replacement of kernel functions for tables and rules: the parts with state. */
#include "kworld.h"

int kshim_readers;
void (*kshim_grace_period)(void);

static struct rcu_head *rcu_callbacks;
static u64 now = 1000 * NSEC_PER_MSEC;
static struct work_struct *pending_work;

u64 ktime_get_boottime_ns(void)
{
	return now;
}

static void run_rcu_callbacks(void)
{
	struct rcu_head *head;

	while (!kshim_readers && (head = rcu_callbacks)) {
		rcu_callbacks = head->next;
		head->func(head);
	}
}

void kshim_read_unlock(void)
{
	assert(kshim_readers--);
	run_rcu_callbacks();
}

void kshim_synchronize_rcu(void)
{
	assert(!kshim_readers);
	if (kshim_grace_period)
		kshim_grace_period();
}

void kshim_call_rcu(struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	*head = (struct rcu_head){ rcu_callbacks, func };
	rcu_callbacks = head;
	run_rcu_callbacks();
}

void kshim_work_cancel(struct work_struct *work)
{
	struct work_struct **p = &pending_work;

	while (*p && *p != work)
		p = &(*p)->next;
	if (*p)
		*p = work->next;
	work->pending = false;
}

void kshim_work_add(struct work_struct *work, u64 jiffies)
{
	assert(jiffies <= MAX_JIFFY_OFFSET);
	kshim_work_cancel(work);
	work->due = now + jiffies * NSEC_PER_MSEC;
	work->pending = true;
	work->next = pending_work;
	pending_work = work;
}

/* Return: the work item that is due first, not after @end; NULL if there is none. */
static struct work_struct *find_due_work(u64 end)
{
	struct work_struct *first = NULL, *w;

	for (w = pending_work; w; w = w->next) {
		if (w->due <= end && (!first || w->due < first->due))
			first = w;
	}
	return first;
}

void msleep(unsigned int ms)
{
	u64 end = now + ms * NSEC_PER_MSEC;
	struct work_struct *w;

	while ((w = find_due_work(end))) {
		kshim_work_cancel(w);
		now = max(now, w->due);
		w->func(w);
	}
	now = end;
}

struct rb_node *rb_first_cached(const struct rb_root_cached *root)
{
	struct rb_node *n = root->top;

	while (n && n->left)
		n = n->left;
	return n;
}

struct rb_node *rb_next(const struct rb_node *node)
{
	struct rb_node *n = node->right;

	if (n) {
		while (n->left)
			n = n->left;
		return n;
	}
	while ((n = node->up) && n->right == node)
		node = n;
	return n;
}

bool rb_add_cached(struct rb_node *node, struct rb_root_cached *root,
		   bool (*less)(struct rb_node *a, const struct rb_node *b))
{
	struct rb_node **p = &root->top;

	*node = (struct rb_node){ NULL, NULL, NULL };
	while (*p) {
		node->up = *p;
		p = less(node, *p) ? &(*p)->left : &(*p)->right;
	}
	*p = node;
	return rb_first_cached(root) == node;
}

/* Puts @with, which may be NULL, in the place of @node. */
static void replace_node(struct rb_root_cached *root, struct rb_node *node, struct rb_node *with)
{
	if (!node->up)
		root->top = with;
	else if (node->up->left == node)
		node->up->left = with;
	else
		node->up->right = with;
	if (with)
		with->up = node->up;
}

void rb_erase_cached(struct rb_node *node, struct rb_root_cached *root)
{
	struct rb_node *next;

	if (!node->left || !node->right) {
		replace_node(root, node, node->left ? node->left : node->right);
		return;
	}
	next = rb_next(node);
	if (next->up != node) {
		replace_node(root, next, next->right);
		next->right = node->right;
		next->right->up = next;
	}
	replace_node(root, node, next);
	next->left = node->left;
	next->left->up = next;
}

u32 get_random_u32(void)
{
	static u64 state = 20261121;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return state >> 32;
}

void get_random_bytes(void *p, size_t n)
{
	u8 *b = p;

	while (n--)
		*b++ = get_random_u32();
}

u32 jhash2(const u32 *p, u32 n, u32 seed)
{
	while (n--)
		seed = (seed ^ *p++) * 2654435761U + (seed >> 15);
	return seed;
}
