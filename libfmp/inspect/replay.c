// SPDX-License-Identifier: GPL-2.0
#include "inspect/replay.h"

#include <string.h>
#include <sys/random.h>

#define BUCKETS	 1024u
#define LAYOUT	 3u /* rises when one of the structs changes */
/*
 * A worker looks at its clock before it parses a message, and at the table behind that. What
 * another one has dropped in between as out of date would be new to it: so longer than a
 * message may take an entry stays.
 */
#define STAYS_MS 5000

/* Indices are 1-based, 0 is none: memory that is all 0 is a table. */
struct bucket {
	int64_t floor_ms; /* the youngest that was forgotten before its time */
	uint32_t first, last; /* in the order in which they came */
	uint32_t count;
	uint32_t pad;
};

struct entry {
	uint8_t id[FMPI_REPLAY_ID];
	int64_t created_ms, until_ms;
	uint32_t chain; /* next of the same hash; or next free one */
	uint32_t next, prev; /* in the bucket */
	uint32_t pad;
};

struct head {
	uint64_t layout;
	/* By chance: nobody can make a key whose bucket is that of whom he means to drive out. */
	uint64_t salt[FMPI_REPLAY_ID / sizeof(uint32_t)];
	uint64_t evicted;
	uint32_t used; /* entries that were ever in use */
	uint32_t free; /* of those the ones that are not now */
	struct bucket bucket[BUCKETS];
};

static struct head *head_of(const struct fmpi_replay_table *t)
{
	return t->memory;
}

static struct entry *entries_of(const struct fmpi_replay_table *t)
{
	return (struct entry *)(head_of(t) + 1);
}

static uint32_t *chains_of(const struct fmpi_replay_table *t)
{
	return (uint32_t *)(entries_of(t) + t->entries);
}

/* NULL: none, or none that can be. */
static struct entry *entry_at(const struct fmpi_replay_table *t, uint32_t index)
{
	return index > 0 && index <= t->entries ? &entries_of(t)[index - 1] : NULL;
}

static uint32_t word(const uint8_t *p)
{
	uint32_t w;

	memcpy(&w, p, sizeof(w));
	return w;
}

static uint32_t *chain_of(const struct fmpi_replay_table *t, const uint8_t *id)
{
	return &chains_of(t)[word(id) % t->entries];
}

static struct bucket *bucket_of(const struct fmpi_replay_table *t, const uint8_t *signer)
{
	const struct head *h = head_of(t);
	uint64_t sum = 0;

	for (unsigned n = 0; n < FMPI_REPLAY_ID / sizeof(uint32_t); n++)
		sum += h->salt[n] * word(signer + n * sizeof(uint32_t));
	return &head_of(t)->bucket[(word(signer) + (sum >> 32)) % BUCKETS];
}

size_t fmpi_replay_table_size(uint32_t entries)
{
	return sizeof(struct head) + (size_t)entries * (sizeof(struct entry) + sizeof(uint32_t));
}

void fmpi_replay_table_mark(const struct fmpi_replay_table *t)
{
	struct head *h = head_of(t);

	if (getrandom(h->salt, sizeof(h->salt), 0) != sizeof(h->salt))
		memset(h->salt, 0, sizeof(h->salt));
	h->layout = LAYOUT;
}

bool fmpi_replay_table_marked(const struct fmpi_replay_table *t)
{
	return head_of(t)->layout == LAYOUT;
}

uint64_t fmpi_replay_table_evicted(const struct fmpi_replay_table *t)
{
	return head_of(t)->evicted;
}

enum fmpi_replay_answer fmpi_replay_table_look(const struct fmpi_replay_table *t,
					       const struct fmpi_replay_key *key)
{
	const struct entry *e = entry_at(t, *chain_of(t, key->id));

	for (uint32_t n = 0; e && n < t->entries; n++, e = entry_at(t, e->chain))
		if (memcmp(e->id, key->id, sizeof(e->id)) == 0)
			return FMPI_REPLAY_SEEN;
	/* An empty bucket's floor is that of 1970. */
	if (key->created_ms <= bucket_of(t, key->signer)->floor_ms)
		return FMPI_REPLAY_FORGOTTEN;
	return FMPI_REPLAY_NEW;
}

static void unchain(const struct fmpi_replay_table *t, struct entry *gone, uint32_t index)
{
	uint32_t *link = chain_of(t, gone->id);
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
	e->chain = head_of(t)->free;
	head_of(t)->free = index;
}

/* Takes the first out of a bucket that has one. */
static void drop_first(const struct fmpi_replay_table *t, struct bucket *b)
{
	uint32_t index = b->first;
	struct entry *e = entry_at(t, index), *next;

	if (!e) {
		b->first = b->last = b->count = 0;
		return;
	}
	unchain(t, e, index);
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
 * Takes one out of the middle of its bucket. Whoever ends in between leaves a list that is whole
 * from the first on: that is the way in which it is walked.
 *
 * Return: false if its place is not where it says: it stays until it is out of date.
 */
static bool take_out(const struct fmpi_replay_table *t, struct bucket *b, const struct entry *e,
		     uint32_t index)
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

bool fmpi_replay_table_forget(const struct fmpi_replay_table *t, const struct fmpi_replay_key *key)
{
	uint32_t index = *chain_of(t, key->id);
	struct entry *e = entry_at(t, index);

	for (uint32_t n = 0; e && n < t->entries; n++) {
		if (memcmp(e->id, key->id, sizeof(e->id)) == 0) {
			unchain(t, e, index);
			if (take_out(t, bucket_of(t, key->signer), e, index))
				put_free(t, e, index);
			return true;
		}
		index = e->chain;
		e = entry_at(t, index);
	}
	return false;
}

static void evict_first(const struct fmpi_replay_table *t, struct bucket *b)
{
	const struct entry *e = entry_at(t, b->first);

	if (e && e->created_ms > b->floor_ms)
		b->floor_ms = e->created_ms;
	head_of(t)->evicted++;
	drop_first(t, b);
}

/* What is out of date, as far as it came first. */
static void drop_old(const struct fmpi_replay_table *t, struct bucket *b, int64_t now_ms)
{
	const struct entry *e;

	for (uint32_t n = 0; n < t->entries && (e = entry_at(t, b->first)); n++) {
		if (e->until_ms > now_ms - t->message_ms - STAYS_MS)
			return;
		drop_first(t, b);
	}
}

static bool has_room(const struct fmpi_replay_table *t)
{
	const struct head *h = head_of(t);

	return h->used < t->entries || entry_at(t, h->free);
}

static void make_room(const struct fmpi_replay_table *t, int64_t now_ms)
{
	struct head *h = head_of(t);
	struct bucket *most = &h->bucket[0];

	for (uint32_t i = 0; i < BUCKETS; i++)
		drop_old(t, &h->bucket[i], now_ms);
	if (has_room(t))
		return;
	for (uint32_t i = 0; i < BUCKETS; i++)
		if (h->bucket[i].count > most->count)
			most = &h->bucket[i];
	evict_first(t, most);
}

static uint32_t allocate(const struct fmpi_replay_table *t)
{
	struct head *h = head_of(t);
	uint32_t index = h->free;
	const struct entry *e = entry_at(t, index);

	if (e)
		h->free = e->chain;
	else
		index = h->used < t->entries ? ++h->used : 0;
	return index;
}

enum fmpi_replay_answer fmpi_replay_table_take(const struct fmpi_replay_table *t,
					       const struct fmpi_replay_key *key, int64_t now_ms)
{
	struct bucket *b = bucket_of(t, key->signer);
	enum fmpi_replay_answer a = fmpi_replay_table_look(t, key);
	struct entry *e, *last;
	uint32_t index;

	if (a != FMPI_REPLAY_NEW)
		return a;
	drop_old(t, b, now_ms);
	if (b->count >= t->per_signer)
		evict_first(t, b);
	if (!has_room(t))
		make_room(t, now_ms);
	index = allocate(t);
	e = entry_at(t, index);
	/* It may itself be older than what has just gone for it. */
	if (!e || key->created_ms <= b->floor_ms) {
		if (e)
			put_free(t, e, index);
		return FMPI_REPLAY_FORGOTTEN;
	}
	memcpy(e->id, key->id, sizeof(e->id));
	e->created_ms = key->created_ms;
	e->until_ms = key->until_ms;
	e->next = 0;
	e->prev = b->first && entry_at(t, b->last) ? b->last : 0;
	e->chain = *chain_of(t, e->id);
	*chain_of(t, e->id) = index;
	last = entry_at(t, b->last);
	if (last && b->first)
		last->next = index;
	else
		b->first = index;
	b->last = index;
	b->count++;
	return FMPI_REPLAY_NEW;
}
