// SPDX-License-Identifier: GPL-2.0
/*
 * Adds and deletes blocks, in transactions of some thousands.
 *
 * Usually the expected state holds: new blocks are absent, renewed and deleted ones are present.
 * That is tried first, in few messages and with the fewest changes for each element: one, and two
 * for a renewal. If the kernel refuses, the same is done without assumptions about existing
 * elements; if it refuses that too, every change gets messages of its own, which identify the one
 * at fault.
 */
#include <layers/nft.h>

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include <linux/netfilter/nf_tables.h>

/* Upper bound for a transaction: 8192 renewed limits take about 4 MB of messages. */
#define CHANGES_MAX  8192u
/* Rounds of leaving out refused changes and trying the rest again. */
#define ROUNDS_MAX   8
/* A set whose hash table is being resized refuses additions for a moment (EBUSY): retry the
 * transaction this often, after 1, 2, 4 ms. */
#define BUSY_TRIES   3u
#define BUSY_WAIT_US 1000u

/* The changes to apply, one for each key, sorted by set. */
struct work {
	struct fmpi_change **v; /* new blocks, renewed ones, unblocks */
	size_t fresh, blocks, n; /* number of new blocks; of all blocks; of all changes */
};

static int compare_keys(const void *x, const void *y)
{
	const struct fmpi_change *a = *(struct fmpi_change *const *)x;
	const struct fmpi_change *b = *(struct fmpi_change *const *)y;
	int c = (a->dest_port != 0) - (b->dest_port != 0);

	if (!c)
		c = (a->pair_mac.family != 0) - (b->pair_mac.family != 0);
	if (!c)
		c = (a->rate != 0) - (b->rate != 0);
	if (!c)
		c = (int)a->addr.family - (int)b->addr.family;
	if (!c)
		c = (int)a->addr.prefix_len - (int)b->addr.prefix_len;
	if (!c)
		c = fmp_addr_compare(&a->addr, &b->addr);
	if (!c)
		c = fmp_addr_compare(&a->pair_mac, &b->pair_mac);
	if (!c)
		c = (int)a->dest_port - (int)b->dest_port;
	/* Changes of one key stay in their order. */
	return c ? c : (a > b) - (a < b);
}

static bool equal_keys(const struct fmpi_change *a, const struct fmpi_change *b)
{
	return a->dest_port == b->dest_port && !a->rate == !b->rate &&
	       fmp_addr_equal(&a->addr, &b->addr) && fmp_addr_equal(&a->pair_mac, &b->pair_mac);
}

/* The section of the work that a change belongs to. */
static unsigned pass_number(const struct fmpi_change *c)
{
	return !c->block ? 2 : c->renews ? 1 : 0;
}

/* Collect the pending changes; of several changes of a key the last one counts. */
static int collect_work(struct nft_layer *l, struct fmpi_change *c, size_t n, struct work *w)
{
	struct fmpi_change **all = calloc(2 * n, sizeof(struct fmpi_change *));
	size_t k = 0;

	*w = (struct work){ 0 };
	if (!all)
		return FMP_ERR_NOMEM;
	w->v = all + n;
	for (size_t i = 0; i < n; i++) {
		/* Without a set there is nothing to unblock. */
		if (!c[i].done && *fmpi_nft_shape_at(&l->shape, fmpi_nft_set_of_change(&c[i])))
			all[k++] = &c[i];
	}
	qsort(all, k, sizeof(struct fmpi_change *), compare_keys);
	for (unsigned pass = 0; pass < 3; pass++) {
		for (size_t i = 0; i < k; i++) {
			if (i + 1 < k && equal_keys(all[i], all[i + 1]))
				continue;
			if (pass_number(all[i]) == pass)
				w->v[w->n++] = all[i];
		}
		if (pass == 0)
			w->fresh = w->n;
		else if (pass == 1)
			w->blocks = w->n;
	}
	/* Reuse the allocation: the first list is no longer needed. */
	for (size_t i = 0; i < w->n; i++)
		all[i] = w->v[i];
	w->v = all;
	return 0;
}

/* Append changes from..to in as few messages as possible, without owner. */
static int put_bulk(const struct nft_layer *l, struct nft_batch *b, uint16_t type, uint16_t flags,
		    enum nft_elem_form form, const struct work *w, size_t from, size_t to)
{
	while (from < to) {
		size_t some = fmpi_nft_elems_put(l, b, type, flags, form,
						 (const struct fmpi_change *const *)w->v + from,
						 to - from, NFT_NOBODY);

		if (!some)
			return FMP_ERR_NOMEM;
		from += some;
	}
	return 0;
}

/*
 * Assume that new blocks are absent, and renewed or deleted ones present. A renewal deletes and
 * adds: only kernels from 6.12 on change the timeout of an existing element, none changes its id.
 */
static int put_expected(const struct nft_layer *l, struct nft_batch *b, const struct work *w)
{
	int rc = put_bulk(l, b, NFT_MSG_DELSETELEM, 0, NFT_ELEM_KEY, w, w->fresh, w->n);

	return rc ? rc
		  : put_bulk(l, b, NFT_MSG_NEWSETELEM, NLM_F_CREATE | NLM_F_EXCL, NFT_ELEM_BLOCK, w,
			     0, w->blocks);
}

/*
 * Make no assumption: add (deleting an absent element would abort the transaction), delete, and add
 * again (only kernels from 6.12 on change the timeout of an existing element).
 */
static int put_unconditional(const struct nft_layer *l, struct nft_batch *b, const struct work *w)
{
	int rc = put_bulk(l, b, NFT_MSG_NEWSETELEM, NLM_F_CREATE, NFT_ELEM_KEY, w, 0, w->n);

	if (!rc)
		rc = put_bulk(l, b, NFT_MSG_DELSETELEM, 0, NFT_ELEM_KEY, w, 0, w->n);
	return rc ? rc
		  : put_bulk(l, b, NFT_MSG_NEWSETELEM, NLM_F_CREATE, NFT_ELEM_BLOCK, w, 0,
			     w->blocks);
}

/* The same, with each change as the owner of its messages. */
static int put_one_by_one(const struct nft_layer *l, struct nft_batch *b, const struct work *w)
{
	static const struct {
		uint16_t type, flags;
		enum nft_elem_form form;
	} steps[3] = { { NFT_MSG_NEWSETELEM, NLM_F_CREATE, NFT_ELEM_KEY },
		       { NFT_MSG_DELSETELEM, 0, NFT_ELEM_KEY },
		       { NFT_MSG_NEWSETELEM, NLM_F_CREATE, NFT_ELEM_BLOCK } };

	for (size_t i = 0; i < w->n; i++) {
		for (unsigned s = 0; s < (i < w->blocks ? 3 : 2); s++) {
			if (!w->v[i]->done &&
			    !fmpi_nft_elems_put(l, b, steps[s].type, steps[s].flags, steps[s].form,
						(const struct fmpi_change *const *)w->v + i, 1, i))
				return FMP_ERR_NOMEM;
		}
	}
	return 0;
}

struct refusals {
	const struct work *w;
	bool missing; /* a set or the table is missing */
	bool patient; /* EBUSY is not an error yet */
	bool busy; /* EBUSY occurred */
	struct fmp_kerr all; /* refusal of the transaction as a whole */
};

static void record_refusal(size_t owner, const struct fmp_kerr *kerr, void *ctx)
{
	struct refusals *r = ctx;

	if (kerr->sys_errno == ENOENT)
		r->missing = true;
	else if (kerr->sys_errno == EBUSY && r->patient)
		r->busy = true;
	else if (owner == NFT_NOBODY)
		r->all = *kerr;
	else if (!r->w->v[owner]->done) {
		r->w->v[owner]->done = true;
		r->w->v[owner]->result = *kerr;
	}
}

typedef int (*put_fn)(const struct nft_layer *l, struct nft_batch *b, const struct work *w);

static int try_once(struct nft_layer *l, put_fn put, const struct work *w, bool patient,
		    struct refusals *r, struct fmp_error *err)
{
	struct nft_batch b = { .nl = &l->nl };
	int rc = put(l, &b, w);

	*r = (struct refusals){ .w = w, .patient = patient };
	if (rc) {
		fmpi_nft_batch_abort(&b);
		return fmp_error_set(err, rc, "out of memory");
	}
	return fmpi_nft_batch_commit(&b, record_refusal, r, err);
}

/* Run one transaction. Return: 0, or a code with the refusals in @r. */
static int try_transaction(struct nft_layer *l, put_fn put, const struct work *w,
			   struct refusals *r, struct fmp_error *err)
{
	for (unsigned i = 0;; i++) {
		int rc = try_once(l, put, w, i < BUSY_TRIES, r, err);

		if (rc != FMP_ERR_KERNEL || !r->busy)
			return rc;
		usleep(BUSY_WAIT_US << i);
	}
}

static int fail_missing(struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_AGAIN, "the table is not complete");
}

static int apply_work(struct nft_layer *l, const struct work *w, struct fmp_error *err)
{
	struct refusals r;
	int rc = try_transaction(l, put_expected, w, &r, err);

	if (rc == FMP_ERR_KERNEL)
		rc = try_transaction(l, put_unconditional, w, &r, err);
	if (rc == FMP_ERR_KERNEL && r.missing)
		return fail_missing(err);
	for (int round = 0; rc == FMP_ERR_KERNEL && round < ROUNDS_MAX; round++) {
		rc = try_transaction(l, put_one_by_one, w, &r, err);
		if (rc && r.missing)
			return fail_missing(err);
		if (r.all.sys_errno)
			break;
	}
	return rc;
}

static int apply_chunk(struct nft_layer *l, struct fmpi_change *c, size_t n, struct fmp_error *err)
{
	struct work w;
	int rc = collect_work(l, c, n, &w);

	if (rc)
		return fmp_error_set(err, rc, "out of memory");
	if (w.n)
		rc = apply_work(l, &w, err);
	free(w.v);
	for (size_t i = 0; !rc && i < n; i++)
		c[i].done = true;
	return rc;
}

/* Mark the missing sets that blocks need. Return: are there any? */
static bool mark_needed_sets(struct nft_layer *l, const struct fmpi_change *c, size_t n)
{
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		bool *has = fmpi_nft_shape_at(&l->shape, fmpi_nft_set_of_change(&c[i]));

		any |= c[i].block && !*has;
		*has |= c[i].block;
	}
	return any;
}

int fmpi_nft_apply(struct nft_layer *l, struct fmpi_change *c, size_t n, struct fmp_error *err)
{
	int rc = 0;

	if (mark_needed_sets(l, c, n))
		return fmp_error_set(err, FMP_ERR_AGAIN, "a set is missing");
	for (size_t from = 0; !rc && from < n; from += CHANGES_MAX)
		rc = apply_chunk(l, c + from, n - from < CHANGES_MAX ? n - from : CHANGES_MAX, err);
	return rc;
}
