/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a good message had, as text of its event where the policy only observes: fmpctl learn proposes settings from it.
 *
 * "seen service=orders head=812 fields=9 target=7 field=x-real-ip header={urn:a}B:signed:dropped"
 *
 * Words of a name and a value. Clients choose some of the values, so only characters are taken that have no meaning in XML, in
 * quotes or in a log. Words that do not fit are left out, never cut.
 */
#ifndef FMP_OBSERVATION_H
#define FMP_OBSERVATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/event.h>

/** Bytes of a word's name and of its value, each with its NUL. */
#define FMP_OBSERVATION_NAME  16
#define FMP_OBSERVATION_VALUE FMP_EVENT_DETAIL

/** struct fmp_observation - starts zeroed, and is then the text "" */
struct fmp_observation {
	/** 0: the first of several names of one kind is tried first; n: the n-th behind it. Not all fit. */
	unsigned turn;
	size_t len;
	char text[FMP_EVENT_DETAIL];
};

/** fmp_observation_add() - Return: false: it has other characters, or does not fit. */
bool fmp_observation_add(struct fmp_observation *o, const char *name, const char *value);
bool fmp_observation_add_number(struct fmp_observation *o, const char *name, uint64_t value);
/**
 * fmp_observation_append() - add the words of a worker's text that fit
 *
 * It may have been taken over: what the listener knows itself (service, fields, sizes of the header) is not taken from it.
 */
void fmp_observation_append(struct fmp_observation *o, const char *text);

/**
 * fmp_observation_next() - iterate
 * @at: the text to begin with
 *
 * Return: false behind the last word, and at once for a text that is no observation.
 */
bool fmp_observation_next(const char **at, char name[FMP_OBSERVATION_NAME],
			  char value[FMP_OBSERVATION_VALUE]);

#endif
