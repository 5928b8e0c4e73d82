// SPDX-License-Identifier: GPL-2.0
/* The table of sources: hash table, eviction order, expiry order. */
#include <suspicion/table.h>

#include <stdlib.h>
#include <string.h>

#include <suspicion/macs.h>

#define ROWS_FIRST 256u

int fmpi_table_init(struct fmpi_table *t, uint32_t max, uint64_t seed)
{
	*t = (struct fmpi_table){ .max = max, .seed = seed, .waiting = { .second = true } };
	return fmp_hmap_init(&t->rows, FMP_HMAP_ENTRY(struct fmpi_row, link, key), seed,
			     ROWS_FIRST);
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
	struct fmp_hmap_cursor at = { 0 };
	struct fmpi_row *row;

	fmpi_prefix_groups_exit(t);
	while ((row = fmp_hmap_next(&t->rows, &at)))
		free_row(t, row);
	fmp_intern_exit(&t->texts);
	fmp_hmap_exit(&t->rows);
	free(t->macs);
	fmpi_heap_exit(&t->idle);
	fmpi_heap_exit(&t->ends);
	fmpi_heap_exit(&t->waiting);
}

struct fmpi_row *fmpi_table_find(const struct fmpi_table *t, const struct fmp_addr *key)
{
	return fmp_hmap_find(&t->rows, key);
}

struct fmpi_row *fmpi_table_find_covering(const struct fmpi_table *t, const struct fmp_addr *addr)
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
		if (row && fmpi_row_blocks_all(row))
			return row;
	}
	return NULL;
}

static void unlink_row(struct fmpi_table *t, struct fmpi_row *row)
{
	fmp_hmap_remove(&t->rows, row);
	fmpi_table_stop_waiting(t, row);
	fmpi_prefix_group_leave(t, row);
	fmpi_heap_remove(&t->idle, row);
}

void fmpi_table_remove(struct fmpi_table *t, struct fmpi_row *row)
{
	unlink_row(t, row);
	free_row(t, row);
}

/*
 * Remove the row to be evicted from the table. A row whose key has grown since it was put into the
 * heap is moved first; the event that increased the key pays for the move.
 */
static struct fmpi_row *evict_row(struct fmpi_table *t)
{
	while (t->idle.n) {
		struct fmpi_row *row = t->idle.v[0].row;

		if (t->idle.v[0].key != row->eviction_key) {
			fmpi_heap_move(&t->idle, row, row->eviction_key);
			continue;
		}
		if (row->eviction_key == FMPI_EVICTION_PINNED)
			return NULL;
		unlink_row(t, row);
		t->evicted++;
		return row;
	}
	return NULL;
}

struct fmpi_row *fmpi_table_add(struct fmpi_table *t, const struct fmp_addr *key,
				uint64_t eviction_key, bool evict)
{
	struct fmpi_row *row = NULL;

	if (t->rows.n < t->max && fmpi_heap_reserve(&t->idle, t->rows.n + 1) &&
	    fmpi_heap_reserve(&t->ends, t->rows.n + 1))
		row = calloc(1, sizeof(*row));
	/* Out of memory is handled as a full table. */
	if (!row && evict)
		row = evict_row(t);
	if (!row)
		return NULL;
	fmpi_history_free(row->history, &t->texts);
	fmpi_ledger_free(&row->ledger);
	fmpi_macs_forget(row->good);
	free(row->good);
	*row = (struct fmpi_row){ .key = *key,
				  .eviction_key = eviction_key,
				  .order = (uint32_t)++t->made };
	fmp_hmap_add(&t->rows, row);
	fmpi_heap_push(&t->idle, row, eviction_key);
	fmpi_prefix_group_join(t, row);
	return row;
}

void fmpi_table_set_eviction_key(struct fmpi_table *t, struct fmpi_row *row, uint64_t eviction_key)
{
	row->eviction_key = eviction_key;
	if (row->waiting)
		fmpi_heap_move(&t->waiting, row, UINT64_MAX - eviction_key);
	/* The heap tolerates a key that is too small, which eviction corrects, but not one that
	 * is too large. */
	if (!row->blocked && t->idle.v[row->heap_at].key > eviction_key)
		fmpi_heap_move(&t->idle, row, eviction_key);
}

static void adjust_prefix_count(struct fmpi_table *t, const struct fmpi_row *row, int by)
{
	if (fmp_addr_is_ip(&row->key))
		t->prefixes[row->key.family == FMP_FAMILY_IPV6][row->key.prefix_len] +=
			(uint32_t)by;
}

void fmpi_table_block(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms)
{
	fmpi_table_stop_waiting(t, row);
	fmpi_heap_remove(&t->idle, row);
	row->blocked = true;
	row->manual = !row->is_offence && !row->suspicion_limit;
	row->heap_at = FMPI_HEAP_NONE;
	if (until_ms != UINT64_MAX)
		fmpi_heap_push(&t->ends, row, until_ms);
	adjust_prefix_count(t, row, 1);
	fmpi_prefix_group_block(row);
	t->blocked++;
	t->suspicion_limit += row->suspicion_limit;
	t->manual += row->manual;
}

uint64_t fmpi_table_block_end(const struct fmpi_table *t, const struct fmpi_row *row)
{
	return row->heap_at == FMPI_HEAP_NONE ? UINT64_MAX : t->ends.v[row->heap_at].key;
}

void fmpi_table_set_block_end(struct fmpi_table *t, struct fmpi_row *row, uint64_t until_ms)
{
	if (row->heap_at == FMPI_HEAP_NONE)
		fmpi_heap_push(&t->ends, row, until_ms);
	else
		fmpi_heap_move(&t->ends, row, until_ms);
}

void fmpi_table_unblock(struct fmpi_table *t, struct fmpi_row *row, uint64_t eviction_key)
{
	if (row->heap_at != FMPI_HEAP_NONE)
		fmpi_heap_remove(&t->ends, row);
	row->blocked = false;
	row->eviction_key = eviction_key;
	fmpi_heap_push(&t->idle, row, eviction_key);
	adjust_prefix_count(t, row, -1);
	fmpi_prefix_group_unblock(row);
	t->blocked--;
	t->suspicion_limit -= row->suspicion_limit;
	t->manual -= row->manual;
	row->manual = false;
	row->suspicion_limit = false;
	row->aggregated = false;
	row->paired = false;
}

bool fmpi_table_start_waiting(struct fmpi_table *t, struct fmpi_row *row)
{
	if (row->waiting || !fmpi_heap_reserve(&t->waiting, t->waiting.n + 1))
		return false;
	row->waiting = true;
	row->waiting_kinds = row->waiting_override = 0;
	row->has_mac = false;
	fmpi_heap_push(&t->waiting, row, UINT64_MAX - row->eviction_key);
	return true;
}

void fmpi_table_stop_waiting(struct fmpi_table *t, struct fmpi_row *row)
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
	while (t->rows.n > max && (row = evict_row(t)))
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
