// SPDX-License-Identifier: GPL-2.0
/* The table of sources: hash, order of eviction, order of expiry. */
#include <suspicion/table.h>

#include <stdlib.h>
#include <string.h>

#include <suspicion/macs.h>

#define BUCKETS_FIRST 256u

static struct fmpi_row **bucket(const struct fmpi_table *t, const struct fmp_addr *key)
{
	uint64_t at = fmp_addr_hash(key, t->seed) & (2 * t->base - 1);

	return &t->buckets[at < t->n_buckets ? at : at & (t->base - 1)];
}

int fmpi_table_init(struct fmpi_table *t, uint32_t max, uint64_t seed)
{
	*t = (struct fmpi_table){ .max = max, .seed = seed, .waiting = { .second = true } };
	t->n_buckets = t->base = t->cap = BUCKETS_FIRST;
	t->buckets = calloc(t->cap, sizeof(struct fmpi_row *));
	return t->buckets ? 0 : FMP_ERR_NOMEM;
}

static void free_row(struct fmpi_table *t, struct fmpi_row *row)
{
	fmpi_history_free(row->history, &t->texts);
	fmpi_ledger_free(&row->ledger);
	fmpi_macs_forget(row->good);
	free(row->good);
	free(row);
}

void fmpi_table_exit(struct fmpi_table *t)
{
	fmpi_groups_exit(t);
	for (uint64_t i = 0; t->buckets && i < t->n_buckets; i++)
		while (t->buckets[i]) {
			struct fmpi_row *row = t->buckets[i];

			t->buckets[i] = row->next;
			free_row(t, row);
		}
	fmp_intern_exit(&t->texts);
	free(t->buckets);
	free(t->macs);
	fmpi_heap_exit(&t->idle);
	fmpi_heap_exit(&t->ends);
	fmpi_heap_exit(&t->waiting);
}

struct fmpi_row *fmpi_table_find(const struct fmpi_table *t, const struct fmp_addr *key)
{
	struct fmpi_row *row = *bucket(t, key);

	while (row && !fmp_addr_equal(&row->key, key))
		row = row->next;
	return row;
}

struct fmpi_row *fmpi_table_cover(const struct fmpi_table *t, const struct fmp_addr *addr)
{
	const uint32_t *count;

	if (!fmp_addr_is_ip(addr))
		return NULL;
	count = t->prefixes[addr->family == FMP_FAMILY_IPV6];
	for (int len = addr->prefix_len; len >= 0; len--) {
		struct fmp_addr cut;
		struct fmpi_row *row;

		if (!count[len])
			continue;
		cut = fmp_addr_mask(*addr, (uint8_t)len);
		row = fmpi_table_find(t, &cut);
		if (row && fmpi_row_drops(row))
			return row;
	}
	return NULL;
}

static void unlink_row(struct fmpi_table *t, struct fmpi_row *row)
{
	struct fmpi_row **at = bucket(t, &row->key);

	while (*at != row)
		at = &(*at)->next;
	*at = row->next;
	fmpi_table_wait_end(t, row);
	fmpi_group_leave(t, row);
	fmpi_heap_remove(&t->idle, row);
	t->n--;
}

void fmpi_table_remove(struct fmpi_table *t, struct fmpi_row *row)
{
	unlink_row(t, row);
	free_row(t, row);
}

/*
 * Takes the row that goes out of the table. Rows whose keep has grown since they
 * were put into the heap are put where they belong first; each such move is
 * paid for by the event that made keep grow.
 */
static struct fmpi_row *evict_one(struct fmpi_table *t)
{
	while (t->idle.n) {
		struct fmpi_row *row = t->idle.v[0].row;

		if (t->idle.v[0].key != row->keep) {
			fmpi_heap_move(&t->idle, row, row->keep);
			continue;
		}
		if (row->keep == FMPI_KEEP_PINNED)
			return NULL;
		unlink_row(t, row);
		t->evicted++;
		return row;
	}
	return NULL;
}

/*
 * One bucket more as the rows outgrow them, made of a part of another: a large bound costs nothing
 * before it is needed, and nobody waits until tens of thousands of rows have found their new places.
 * Without memory the chains just grow longer.
 */
static void grow(struct fmpi_table *t)
{
	struct fmpi_row **more, **split, *row;

	if (t->n_buckets == t->cap) {
		more = reallocarray(t->buckets, 2 * t->cap, sizeof(struct fmpi_row *));
		if (!more)
			return;
		t->buckets = more;
		t->cap *= 2;
	}
	if (t->n_buckets == 2 * t->base)
		t->base *= 2;
	split = &t->buckets[t->n_buckets - t->base];
	t->buckets[t->n_buckets++] = NULL;
	row = *split;
	*split = NULL;
	while (row) {
		struct fmpi_row *next = row->next, **head = bucket(t, &row->key);

		row->next = *head;
		*head = row;
		row = next;
	}
}

struct fmpi_row *fmpi_table_add(struct fmpi_table *t, const struct fmp_addr *key, uint64_t keep,
				bool evict)
{
	struct fmpi_row *row = NULL, **head;

	if (t->n < t->max && fmpi_heap_reserve(&t->idle, t->n + 1) &&
	    fmpi_heap_reserve(&t->ends, t->n + 1))
		row = calloc(1, sizeof(*row));
	/* Without memory the table is as full as one that has reached its bound. */
	if (!row && evict)
		row = evict_one(t);
	if (!row)
		return NULL;
	fmpi_history_free(row->history, &t->texts);
	fmpi_ledger_free(&row->ledger);
	fmpi_macs_forget(row->good);
	free(row->good);
	*row = (struct fmpi_row){ .key = *key, .keep = keep, .order = (uint32_t)++t->made };
	if (t->n >= t->n_buckets)
		grow(t);
	head = bucket(t, key);
	row->next = *head;
	*head = row;
	t->n++;
	fmpi_heap_push(&t->idle, row, keep);
	fmpi_group_join(t, row);
	return row;
}

void fmpi_table_keep(struct fmpi_table *t, struct fmpi_row *row, uint64_t keep)
{
	row->keep = keep;
	if (row->waiting)
		fmpi_heap_move(&t->waiting, row, UINT64_MAX - keep);
	/* A value too small is found out at the eviction, one too large would not be. */
	if (!row->blocked && t->idle.v[row->heap_at].key > keep)
		fmpi_heap_move(&t->idle, row, keep);
}

static void count_prefix(struct fmpi_table *t, const struct fmpi_row *row, int by)
{
	if (fmp_addr_is_ip(&row->key))
		t->prefixes[row->key.family == FMP_FAMILY_IPV6][row->key.prefix_len] +=
			(uint32_t)by;
}

void fmpi_table_block(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms)
{
	fmpi_table_wait_end(t, row);
	fmpi_heap_remove(&t->idle, row);
	row->blocked = true;
	row->by_hand = !row->struck && !row->watched;
	row->heap_at = FMPI_HEAP_NONE;
	if (until_ms != UINT64_MAX)
		fmpi_heap_push(&t->ends, row, until_ms);
	count_prefix(t, row, 1);
	fmpi_group_block(row);
	t->blocked++;
	t->watched += row->watched;
	t->by_hand += row->by_hand;
}

uint64_t fmpi_table_until(const struct fmpi_table *t, const struct fmpi_row *row)
{
	return row->heap_at == FMPI_HEAP_NONE ? UINT64_MAX : t->ends.v[row->heap_at].key;
}

void fmpi_table_end_at(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms)
{
	if (row->heap_at == FMPI_HEAP_NONE)
		fmpi_heap_push(&t->ends, row, until_ms);
	else
		fmpi_heap_move(&t->ends, row, until_ms);
}

void fmpi_table_unblock(struct fmpi_table *t, struct fmpi_row *row, uint64_t keep)
{
	if (row->heap_at != FMPI_HEAP_NONE)
		fmpi_heap_remove(&t->ends, row);
	row->blocked = false;
	row->keep = keep;
	fmpi_heap_push(&t->idle, row, keep);
	count_prefix(t, row, -1);
	fmpi_group_unblock(row);
	t->blocked--;
	t->watched -= row->watched;
	t->by_hand -= row->by_hand;
	row->by_hand = false;
	row->watched = false;
	row->rolled = false;
	row->paired = false;
}

bool fmpi_table_wait(struct fmpi_table *t, struct fmpi_row *row)
{
	if (row->waiting || !fmpi_heap_reserve(&t->waiting, t->waiting.n + 1))
		return false;
	row->waiting = true;
	row->waits_kinds = row->waits_override = 0;
	row->has_mac = false;
	fmpi_heap_push(&t->waiting, row, UINT64_MAX - row->keep);
	return true;
}

void fmpi_table_wait_end(struct fmpi_table *t, struct fmpi_row *row)
{
	if (!row->waiting)
		return;
	fmpi_heap_remove(&t->waiting, row);
	row->waiting = false;
}

void fmpi_table_resize(struct fmpi_table *t, uint32_t max)
{
	struct fmpi_row *row;

	t->max = max;
	while (t->n > max && (row = evict_one(t)))
		free_row(t, row);
}

struct fmpi_good *fmpi_row_good(struct fmpi_row *row)
{
	if (!row->good)
		row->good = calloc(1, sizeof(*row->good));
	return row->good;
}

struct fmp_addr fmpi_row_mac(const struct fmpi_row *row)
{
	return row->has_mac ? fmp_addr_mac(row->mac) : (struct fmp_addr){ 0 };
}

void fmpi_row_set_mac(struct fmpi_row *row, const struct fmp_addr *mac)
{
	row->has_mac = mac->family == FMP_FAMILY_MAC;
	memcpy(row->mac, mac->bytes, sizeof(row->mac));
}
