// SPDX-License-Identifier: GPL-2.0
#include <base/texts.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct text {
	uint32_t held;
	char bytes[];
};

static const char empty[] = "";

static struct text *text_of(const char *held)
{
	return (struct text *)(void *)((char *)(uintptr_t)held - offsetof(struct text, bytes));
}

static const char *make(struct fmpi_texts *t, const char *text)
{
	size_t size = strlen(text) + 1;
	struct text *fresh = malloc(sizeof(*fresh) + size);

	if (!fresh)
		return empty;
	fresh->held = 1;
	memcpy(fresh->bytes, text, size);
	t->n++;
	return fresh->bytes;
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
	free(text_of(held));
	t->n--;
}

void fmpi_texts_exit(struct fmpi_texts *t)
{
	for (unsigned i = 0; i < FMPI_TEXTS_RECENT; i++) {
		fmpi_texts_drop(t, t->recent[i]);
		t->recent[i] = NULL;
	}
}
