// SPDX-License-Identifier: GPL-2.0
#include "replay.h"

#include <string.h>
#include <sys/random.h>

#define SIGNERS	      1024u /* buckets of messages that have a signer */
#define BUCKETS	      (SIGNERS + 256u) /* and of messages that have none */
#define LAYOUT	      6u /* rises when one of the structs changes */
/*
 * A worker reads the clock before it parses a message and the table after that. An entry that another
 * worker drops as expired in between would make a replay look new: entries stay this much longer
 * than a message may take.
 */
#define KEEP_MS	      5000
/* Windows of expired entries that are closer than this are merged. */
#define WINDOW_GAP_MS 600000
#define WINDOWS	      8u
/* CLOCK_BOOTTIME goes back this far only by a reboot: workers read it at different times. */
#define REBOOT_GAP_S  60u
/* Look behind at most this many entries of the future at a bucket's head. */
#define MAX_AHEAD     64u

/* Indices are 1-based, 0 is none: memory that is all 0 is a table. */
struct bucket {
	int64_t floor_ms; /* latest created_ms of an evicted entry */
	uint32_t first, last; /* in order of insertion */
	uint32_t count;
	uint32_t boot_s; /* latest CLOCK_BOOTTIME seen */
};

struct entry {
	uint8_t id[FMPI_REPLAY_ID], copy[FMPI_REPLAY_COPY];
	int64_t created_ms, until_ms;
	int64_t keep_until_ms; /* CLOCK_BOOTTIME: kept until then, whatever the wall clock says */
	uint32_t chain; /* next of the same hash; or next free one */
	uint32_t next, prev; /* in the bucket */
	uint32_t repeats;
};

/* Messages created and expired within this time may have been dropped. */
struct window {
	int64_t from_ms, to_ms;
};

struct head {
	uint64_t layout;
	/* Random, so that no signer can choose a key that falls into the bucket of another. */
	uint64_t salt[FMPI_REPLAY_ID / sizeof(uint32_t)];
	uint64_t evicted;
	uint32_t used; /* entries ever in use */
	uint32_t free; /* first of the free list */
	uint32_t entries, windows; /* windows: used */
	struct window window[WINDOWS];
	struct bucket bucket[BUCKETS];
};

/* Return: a + b, INT64_MAX on overflow: a message may be valid for ever. @b: not negative */
static int64_t add_saturated(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Return: a - b, but not below 0 nor above INT64_MAX. */
static int64_t subtract_clamped(int64_t a, int64_t b)
{
	int64_t by;

	if (a <= b)
		return 0;
	return __builtin_sub_overflow(a, b, &by) ? INT64_MAX : by;
}

static struct head *get_head(const struct fmpi_replay_table *t)
{
	return t->memory;
}

static struct entry *get_entries(const struct fmpi_replay_table *t)
{
	return (struct entry *)(get_head(t) + 1);
}

static uint32_t *get_chains(const struct fmpi_replay_table *t)
{
	return (uint32_t *)(get_entries(t) + t->entries);
}

/* Return: NULL: index 0, or out of range. */
static struct entry *entry_at(const struct fmpi_replay_table *t, uint32_t index)
{
	return index > 0 && index <= t->entries ? &get_entries(t)[index - 1] : NULL;
}

static uint32_t read_word(const uint8_t *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static uint32_t *get_chain(const struct fmpi_replay_table *t, const uint8_t *id)
{
	return &get_chains(t)[read_word(id) % t->entries];
}

/*
 * A message without a signer has buckets of its own: its floor harms no signer. Which one, only what
 * identifies the message may decide: whoever repeats it could choose all else.
 */
static struct bucket *get_bucket(const struct fmpi_replay_table *t,
				 const struct fmpi_replay_key *key)
{
	const struct head *h = get_head(t);
	const uint8_t *signer = key->signer;
	uint64_t sum = 0, hash;

	for (unsigned n = 0; n < FMPI_REPLAY_ID / sizeof(uint32_t); n++)
		sum += h->salt[n] * read_word(signer + n * sizeof(uint32_t));
	hash = read_word(signer) + (sum >> 32);
	return &get_head(t)->bucket[memcmp(signer, key->id, sizeof(key->id)) != 0
					    ? hash % SIGNERS
					    : SIGNERS + hash % (BUCKETS - SIGNERS)];
}

size_t fmpi_replay_table_size(uint32_t entries)
{
	return sizeof(struct head) + (size_t)entries * (sizeof(struct entry) + sizeof(uint32_t));
}

uint32_t fmpi_replay_table_entries(size_t size)
{
	const size_t each = sizeof(struct entry) + sizeof(uint32_t);
	size_t rest = size > sizeof(struct head) ? size - sizeof(struct head) : 0;

	return rest % each == 0 && rest / each <= UINT32_MAX ? (uint32_t)(rest / each) : 0;
}

bool fmpi_replay_table_is_current(const struct fmpi_replay_table *t)
{
	return get_head(t)->layout == LAYOUT && get_head(t)->entries == t->entries;
}

uint64_t fmpi_replay_table_evicted(const struct fmpi_replay_table *t)
{
	return get_head(t)->evicted;
}

/* Make room for a window by merging the two that end first. */
static void merge_oldest(struct head *h)
{
	uint32_t first = 0, second = 1;
	struct window *a, *b;

	for (uint32_t i = 1; i < WINDOWS; i++) {
		if (h->window[i].to_ms < h->window[first].to_ms) {
			second = first;
			first = i;
		} else if (i != first && h->window[i].to_ms < h->window[second].to_ms) {
			second = i;
		}
	}
	a = &h->window[first];
	b = &h->window[second];
	if (a->from_ms < b->from_ms)
		b->from_ms = a->from_ms;
	*a = h->window[WINDOWS - 1];
	h->windows = WINDOWS - 1;
}

static void add_window(struct head *h, const struct entry *e)
{
	struct window *w;

	if (h->windows > WINDOWS)
		h->windows = WINDOWS;
	for (uint32_t i = 0; i < h->windows; i++) {
		w = &h->window[i];
		if (subtract_clamped(e->created_ms, w->to_ms) > WINDOW_GAP_MS ||
		    subtract_clamped(w->from_ms, e->until_ms) > WINDOW_GAP_MS)
			continue;
		if (e->created_ms < w->from_ms)
			w->from_ms = e->created_ms;
		if (e->until_ms > w->to_ms)
			w->to_ms = e->until_ms;
		return;
	}
	if (h->windows == WINDOWS)
		merge_oldest(h);
	h->window[h->windows++] = (struct window){ e->created_ms, e->until_ms };
}

static bool in_window(const struct head *h, const struct fmpi_replay_key *key)
{
	for (uint32_t i = 0; i < h->windows && i < WINDOWS; i++)
		if (key->created_ms >= h->window[i].from_ms && key->until_ms <= h->window[i].to_ms)
			return true;
	return false;
}

static struct entry *find_entry(const struct fmpi_replay_table *t,
				const struct fmpi_replay_key *key)
{
	struct entry *e = entry_at(t, *get_chain(t, key->id));

	for (uint32_t n = 0; e && n < t->entries; n++, e = entry_at(t, e->chain))
		if (memcmp(e->id, key->id, sizeof(e->id)) == 0)
			return e;
	return NULL;
}

enum fmpi_replay_result fmpi_replay_table_lookup(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key)
{
	if (find_entry(t, key))
		return FMPI_REPLAY_SEEN;
	/* The floor of a bucket without evictions is 0, the year 1970. */
	if (key->created_ms <= get_bucket(t, key)->floor_ms)
		return FMPI_REPLAY_TOO_OLD;
	return in_window(get_head(t), key) ? FMPI_REPLAY_UNKNOWN : FMPI_REPLAY_NEW;
}

enum fmpi_replay_result fmpi_replay_table_repeat(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key)
{
	static const uint8_t unknown[FMPI_REPLAY_COPY];
	struct entry *e = find_entry(t, key);

	if (!e || memcmp(key->copy, unknown, sizeof(unknown)) == 0 ||
	    memcmp(e->copy, key->copy, sizeof(e->copy)) != 0 || e->repeats >= FMPI_REPLAY_REPEATS)
		return fmpi_replay_table_lookup(t, key);
	e->repeats++;
	return FMPI_REPLAY_REPEAT;
}

static void unlink_chain(const struct fmpi_replay_table *t, struct entry *gone, uint32_t index)
{
	uint32_t *link = get_chain(t, gone->id);
	struct entry *e;

	for (uint32_t n = 0; n < t->entries && (e = entry_at(t, *link)); n++, link = &e->chain) {
		if (*link == index) {
			*link = gone->chain;
			return;
		}
	}
}

static void put_free(const struct fmpi_replay_table *t, struct entry *e, uint32_t index)
{
	e->chain = get_head(t)->free;
	get_head(t)->free = index;
}

/* Drop the first entry of a bucket that is not empty. */
static void drop_first(const struct fmpi_replay_table *t, struct bucket *b)
{
	uint32_t index = b->first;
	struct entry *e = entry_at(t, index), *next;

	if (!e) {
		b->first = b->last = b->count = 0;
		return;
	}
	unlink_chain(t, e, index);
	next = entry_at(t, e->next);
	if (next)
		next->prev = 0;
	b->first = e->next;
	b->count -= b->count > 0;
	if (!b->first)
		b->last = b->count = 0;
	put_free(t, e, index);
}

/*
 * Remove an entry from the middle of its bucket. A process that dies half-way leaves a list that is
 * whole from its first entry on, which is the direction in which lists are walked.
 *
 * Return: false: the links do not agree; the entry stays until it expires.
 */
static bool remove_from_bucket(const struct fmpi_replay_table *t, struct bucket *b,
			       const struct entry *e, uint32_t index)
{
	struct entry *prev = entry_at(t, e->prev), *next = entry_at(t, e->next);

	if ((prev ? prev->next : b->first) != index)
		return false;
	if (next)
		next->prev = e->prev;
	else
		b->last = e->prev;
	if (prev)
		prev->next = e->next;
	else
		b->first = e->next;
	b->count -= b->count > 0;
	if (!b->first)
		b->last = b->count = 0;
	return true;
}

bool fmpi_replay_table_remove(const struct fmpi_replay_table *t, const struct fmpi_replay_key *key)
{
	uint32_t index = *get_chain(t, key->id);
	struct entry *e = entry_at(t, index);

	for (uint32_t n = 0; e && n < t->entries; n++) {
		if (memcmp(e->id, key->id, sizeof(e->id)) == 0) {
			unlink_chain(t, e, index);
			if (remove_from_bucket(t, get_bucket(t, key), e, index))
				put_free(t, e, index);
			return true;
		}
		index = e->chain;
		e = entry_at(t, index);
	}
	return false;
}

/* Was the entry made while the wall clock was ahead? As a floor it would refuse all until then. */
static bool is_ahead(const struct entry *e, int64_t now_ms)
{
	return subtract_clamped(e->created_ms, now_ms) > WINDOW_GAP_MS;
}

static void evict_first(const struct fmpi_replay_table *t, struct bucket *b, int64_t now_ms)
{
	const struct entry *e = entry_at(t, b->first);

	if (e && is_ahead(e, now_ms))
		add_window(get_head(t), e);
	else if (e && e->created_ms > b->floor_ms)
		b->floor_ms = e->created_ms;
	get_head(t)->evicted++;
	drop_first(t, b);
}

static bool is_expired(const struct fmpi_replay_table *t, const struct entry *e, int64_t now_ms,
		       int64_t boot_ms)
{
	return e->until_ms <= now_ms - t->message_ms - KEEP_MS && e->keep_until_ms <= boot_ms;
}

static int64_t compute_keep_until(const struct fmpi_replay_table *t, int64_t until_ms,
				  int64_t now_ms, int64_t boot_ms)
{
	return add_saturated(boot_ms + t->message_ms + KEEP_MS, subtract_clamped(until_ms, now_ms));
}

/* After a reboot, times of the previous boot would keep entries for as long as that boot lasted. */
static void adjust_to_boot(const struct fmpi_replay_table *t, struct bucket *b, int64_t now_ms,
			   int64_t boot_ms)
{
	int64_t at_s = boot_ms / 1000;
	uint32_t index = b->first;
	struct entry *e;

	if (at_s + REBOOT_GAP_S < b->boot_s)
		for (uint32_t n = 0; n < t->entries && (e = entry_at(t, index));
		     n++, index = e->next)
			e->keep_until_ms = compute_keep_until(t, e->until_ms, now_ms, boot_ms);
	else if (at_s <= b->boot_s)
		return;
	b->boot_s = at_s < UINT32_MAX ? (uint32_t)at_s : UINT32_MAX;
}

/* Drop expired entries from the bucket's head, also behind a few entries of the future. */
static void drop_expired(const struct fmpi_replay_table *t, struct bucket *b, int64_t now_ms,
			 int64_t boot_ms)
{
	uint32_t index = b->first, next, ahead = 0;
	struct entry *e;

	adjust_to_boot(t, b, now_ms, boot_ms);
	for (uint32_t n = 0; n < t->entries && (e = entry_at(t, index)); n++, index = next) {
		next = e->next;
		if (!is_expired(t, e, now_ms, boot_ms)) {
			if (!is_ahead(e, now_ms) || ++ahead > MAX_AHEAD)
				return;
			continue;
		}
		add_window(get_head(t), e);
		unlink_chain(t, e, index);
		if (!remove_from_bucket(t, b, e, index))
			return;
		put_free(t, e, index);
	}
}

static bool has_free_entry(const struct fmpi_replay_table *t)
{
	const struct head *h = get_head(t);

	return h->used < t->entries || entry_at(t, h->free);
}

/* Return: the largest of the buckets from @first up to @end; *sum: entries in all of them. */
static struct bucket *find_largest(struct head *h, uint32_t first, uint32_t end, uint64_t *sum)
{
	struct bucket *most = &h->bucket[first];

	*sum = 0;
	for (uint32_t i = first; i < end; i++) {
		*sum += h->bucket[i].count;
		if (h->bucket[i].count > most->count)
			most = &h->bucket[i];
	}
	return most;
}

/*
 * Messages without a signer count as those of one signer: spread over many buckets, a flood of them
 * would else drive out those of every signer that has more than are in one of these.
 */
static void evict_from_largest(const struct fmpi_replay_table *t, int64_t now_ms)
{
	uint64_t signed_sum, other_sum;
	struct bucket *most = find_largest(get_head(t), 0, SIGNERS, &signed_sum);
	struct bucket *other = find_largest(get_head(t), SIGNERS, BUCKETS, &other_sum);

	evict_first(t, other_sum > most->count ? other : most, now_ms);
}

static void make_free_entry(const struct fmpi_replay_table *t, int64_t now_ms, int64_t boot_ms)
{
	struct head *h = get_head(t);

	for (uint32_t i = 0; i < BUCKETS; i++)
		drop_expired(t, &h->bucket[i], now_ms, boot_ms);
	if (!has_free_entry(t))
		evict_from_largest(t, now_ms);
}

static uint32_t allocate_entry(const struct fmpi_replay_table *t)
{
	struct head *h = get_head(t);
	uint32_t index = h->free;
	const struct entry *e = entry_at(t, index);

	if (e)
		h->free = e->chain;
	else
		index = h->used < t->entries ? ++h->used : 0;
	return index;
}

/* Append to the bucket. */
static void put_last(const struct fmpi_replay_table *t, struct bucket *b, struct entry *e,
		     uint32_t index)
{
	struct entry *last = entry_at(t, b->last);

	e->next = 0;
	e->prev = b->first && last ? b->last : 0;
	e->chain = *get_chain(t, e->id);
	*get_chain(t, e->id) = index;
	if (last && b->first)
		last->next = index;
	else
		b->first = index;
	b->last = index;
	b->count++;
}

enum fmpi_replay_result fmpi_replay_table_insert(const struct fmpi_replay_table *t,
						 const struct fmpi_replay_key *key, int64_t now_ms,
						 int64_t boot_ms)
{
	struct bucket *b = get_bucket(t, key);
	enum fmpi_replay_result a = fmpi_replay_table_lookup(t, key);
	struct entry *e;
	uint32_t index;

	if (a != FMPI_REPLAY_NEW)
		return a;
	drop_expired(t, b, now_ms, boot_ms);
	if (b->count >= t->per_signer)
		evict_first(t, b, now_ms);
	if (!has_free_entry(t))
		make_free_entry(t, now_ms, boot_ms);
	index = allocate_entry(t);
	e = entry_at(t, index);
	/* The key may itself be older than the entry that was evicted for it. */
	if (!e || key->created_ms <= b->floor_ms) {
		if (e)
			put_free(t, e, index);
		return FMPI_REPLAY_TOO_OLD;
	}
	memcpy(e->id, key->id, sizeof(e->id));
	memcpy(e->copy, key->copy, sizeof(e->copy));
	e->repeats = 0;
	e->created_ms = key->created_ms;
	e->until_ms = key->until_ms;
	e->keep_until_ms = compute_keep_until(t, key->until_ms, now_ms, boot_ms);
	put_last(t, b, e, index);
	return FMPI_REPLAY_NEW;
}

/* The source's list may be corrupt: bound the walk. With now INT64_MAX no entry counts as ahead. */
static void copy_bucket(const struct fmpi_replay_table *t, const struct fmpi_replay_table *from,
			uint32_t number)
{
	struct bucket *b = &get_head(t)->bucket[number];
	uint32_t next = get_head(from)->bucket[number].first, index;
	const struct entry *old;
	struct entry *e;

	b->floor_ms = get_head(from)->bucket[number].floor_ms;
	b->boot_s = get_head(from)->bucket[number].boot_s;
	for (uint32_t n = 0; n < from->entries && (old = entry_at(from, next)); n++) {
		next = old->next;
		if (b->count >= t->per_signer)
			evict_first(t, b, INT64_MAX);
		if (!has_free_entry(t))
			evict_from_largest(t, INT64_MAX);
		index = allocate_entry(t);
		e = entry_at(t, index);
		if (!e)
			return;
		*e = *old;
		put_last(t, b, e, index);
	}
}

void fmpi_replay_table_init(const struct fmpi_replay_table *t, const struct fmpi_replay_table *from)
{
	struct head *h = get_head(t);

	h->entries = t->entries;
	if (getrandom(h->salt, sizeof(h->salt), 0) != sizeof(h->salt))
		memset(h->salt, 0, sizeof(h->salt));
	if (from) {
		const struct head *old = get_head(from);

		memcpy(h->salt, old->salt, sizeof(h->salt));
		memcpy(h->window, old->window, sizeof(h->window));
		h->windows = old->windows < WINDOWS ? old->windows : WINDOWS;
		h->evicted = old->evicted;
		for (uint32_t i = 0; i < BUCKETS; i++)
			copy_bucket(t, from, i);
	}
	h->layout = LAYOUT;
}
