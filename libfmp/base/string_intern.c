// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/string_intern.h>

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 16u

struct text {
	uint32_t held, number;
	char bytes[];
};

/* Number 0 is the empty text, which is not counted. */
struct fmp_intern_slot {
	union {
		struct text *text;
		uint32_t next_free;
	};
};

static const char empty[] = "";

static struct text *text_of(const char *held)
{
	return (struct text *)(void *)((char *)(uintptr_t)held - offsetof(struct text, bytes));
}

/* Return: the number of a free slot; 0: out of memory. */
static uint32_t take_slot(struct fmp_intern *t)
{
	uint32_t number = t->free_slot, cap = t->cap_slots ? 2 * t->cap_slots : SLOTS_FIRST;
	struct fmp_intern_slot *more;

	if (number) {
		t->free_slot = t->slots[number].next_free;
		return number;
	}
	if (t->n_slots == t->cap_slots) {
		more = cap ? reallocarray(t->slots, cap, sizeof(*more)) : NULL;
		if (!more)
			return 0;
		t->slots = more;
		t->cap_slots = cap;
		if (!t->n_slots)
			t->n_slots = 1;
	}
	return t->n_slots++;
}

static void free_slot(struct fmp_intern *t, uint32_t number)
{
	t->slots[number].next_free = t->free_slot;
	t->free_slot = number;
}

static void release_empty_table(struct fmp_intern *t)
{
	if (t->n)
		return;
	free(t->slots);
	t->slots = NULL;
	t->n_slots = t->cap_slots = t->free_slot = 0;
}

static const char *add_text(struct fmp_intern *t, const char *text)
{
	size_t size = strlen(text) + 1;
	uint32_t number = take_slot(t);
	struct text *fresh = number ? malloc(sizeof(*fresh) + size) : NULL;

	if (!fresh) {
		if (number)
			free_slot(t, number);
		return empty;
	}
	*fresh = (struct text){ .held = 1, .number = number };
	memcpy(fresh->bytes, text, size);
	t->slots[number].text = fresh;
	t->n++;
	return fresh->bytes;
}

uint32_t fmp_intern_number(const char *held)
{
	return held == empty ? 0 : text_of(held)->number;
}

const char *fmp_intern_get(const struct fmp_intern *t, uint32_t number)
{
	return number ? t->slots[number].text->bytes : empty;
}

/* Return: index among the most recent texts; FMP_INTERN_RECENT: not there. */
static unsigned find_recent(const struct fmp_intern *t, const char *text)
{
	unsigned i = 0;

	while (i < FMP_INTERN_RECENT && t->recent[i] && strcmp(t->recent[i], text))
		i++;
	return i < FMP_INTERN_RECENT && t->recent[i] ? i : FMP_INTERN_RECENT;
}

const char *fmp_intern_hold(struct fmp_intern *t, const char *text)
{
	unsigned last = FMP_INTERN_RECENT - 1, at;
	const char *held;

	if (!*text)
		return empty;
	at = find_recent(t, text);
	held = at <= last ? t->recent[at] : add_text(t, text);
	if (held == empty)
		return empty;
	if (at > last) {
		fmp_intern_drop(t, t->recent[last]);
		at = last;
	}
	memmove(&t->recent[1], &t->recent[0], at * sizeof(t->recent[0]));
	t->recent[0] = held;
	text_of(held)->held++;
	return held;
}

void fmp_intern_drop(struct fmp_intern *t, const char *held)
{
	if (!held || held == empty || --text_of(held)->held)
		return;
	free_slot(t, text_of(held)->number);
	free(text_of(held));
	t->n--;
	release_empty_table(t);
}

void fmp_intern_exit(struct fmp_intern *t)
{
	for (unsigned i = 0; i < FMP_INTERN_RECENT; i++) {
		fmp_intern_drop(t, t->recent[i]);
		t->recent[i] = NULL;
	}
	release_empty_table(t);
}
