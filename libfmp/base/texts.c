// SPDX-License-Identifier: GPL-2.0
#include <base/texts.h>

#include <stdlib.h>
#include <string.h>

#define SLOTS_FIRST 16u

struct text {
	uint32_t held, number;
	char bytes[];
};

/* Number 0 is that of the empty text, which nobody holds. */
struct fmpi_texts_slot {
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

/* Return: the number of a free slot; 0: no memory. */
static uint32_t take_slot(struct fmpi_texts *t)
{
	uint32_t number = t->free_slot, cap = t->cap_slots ? 2 * t->cap_slots : SLOTS_FIRST;
	struct fmpi_texts_slot *more;

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

static void free_slot(struct fmpi_texts *t, uint32_t number)
{
	t->slots[number].next_free = t->free_slot;
	t->free_slot = number;
}

static void forget_slots(struct fmpi_texts *t)
{
	if (t->n)
		return;
	free(t->slots);
	t->slots = NULL;
	t->n_slots = t->cap_slots = t->free_slot = 0;
}

static const char *make(struct fmpi_texts *t, const char *text)
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

uint32_t fmpi_texts_number(const char *held)
{
	return held == empty ? 0 : text_of(held)->number;
}

const char *fmpi_texts_get(const struct fmpi_texts *t, uint32_t number)
{
	return number ? t->slots[number].text->bytes : empty;
}

/* Where it stands among the newest; their number if it doesn't. */
static unsigned place(const struct fmpi_texts *t, const char *text)
{
	unsigned i = 0;

	while (i < FMPI_TEXTS_RECENT && t->recent[i] && strcmp(t->recent[i], text))
		i++;
	return i < FMPI_TEXTS_RECENT && t->recent[i] ? i : FMPI_TEXTS_RECENT;
}

const char *fmpi_texts_hold(struct fmpi_texts *t, const char *text)
{
	unsigned last = FMPI_TEXTS_RECENT - 1, at;
	const char *held;

	if (!*text)
		return empty;
	at = place(t, text);
	held = at <= last ? t->recent[at] : make(t, text);
	if (held == empty)
		return empty;
	if (at > last) {
		fmpi_texts_drop(t, t->recent[last]);
		at = last;
	}
	memmove(&t->recent[1], &t->recent[0], at * sizeof(t->recent[0]));
	t->recent[0] = held;
	text_of(held)->held++;
	return held;
}

void fmpi_texts_drop(struct fmpi_texts *t, const char *held)
{
	if (!held || held == empty || --text_of(held)->held)
		return;
	free_slot(t, text_of(held)->number);
	free(text_of(held));
	t->n--;
	forget_slots(t);
}

void fmpi_texts_exit(struct fmpi_texts *t)
{
	for (unsigned i = 0; i < FMPI_TEXTS_RECENT; i++) {
		fmpi_texts_drop(t, t->recent[i]);
		t->recent[i] = NULL;
	}
	forget_slots(t);
}
