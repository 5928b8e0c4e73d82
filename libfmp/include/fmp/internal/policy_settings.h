/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of all settings of a policy file: element, attribute, type, bounds, and the field in
 * struct fmp_policy. Reader, checks and every listing of settings use it; fmp-policy.xsd describes
 * the same for other tools.
 */
#ifndef FMP_POLICY_SETTINGS_H
#define FMP_POLICY_SETTINGS_H

#include <fmp/policy.h>

#define FMPI_POLICY_NS "urn:fmp:policy:1"

#define FMPI_NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

enum fmpi_type {
	FMPI_NAME, /* char[], a word */
	FMPI_WORD, /* char[], printable ASCII without spaces or quotes */
	FMPI_FILE, /* char[], a path, relative to the policy file */
	FMPI_COUNT, /* uint32_t */
	FMPI_COUNT8, /* uint8_t */
	FMPI_MS, /* uint64_t, a duration */
	FMPI_SIZE, /* uint32_t, bytes */
	FMPI_BOOL, /* bool, yes or no */
	FMPI_LAYERS, /* unsigned, bits */
	FMPI_SECURITY, /* enum fmp_security */
	FMPI_PARTS, /* unsigned, bits of enum fmp_part */
	FMPI_ENCRYPTED, /* unsigned, bits of enum fmp_encrypted_part */
	FMPI_URIS, /* char[], a list */
	FMPI_HOSTS, /* char[], a list of names of hosts */
	FMPI_PURPOSES, /* char[], a list of extended key usages */
	FMPI_NAT64, /* struct fmp_translators, a list of prefixes */
	FMPI_ORDER, /* enum fmp_order */
	FMPI_HEADERS, /* enum fmp_headers */
	FMPI_SIGNING, /* enum fmp_signing */
	FMPI_SEALING, /* enum fmp_sealing */
	FMPI_FACTOR, /* uint32_t, hundredths */
	FMPI_PERCENT, /* uint32_t */
	FMPI_CHOICE, /* bool or enum, by index among the names */
	FMPI_RATE, /* uint32_t, a rate a second */
	FMPI_ALGORITHMS, /* unsigned, bits by index among the names */
};

struct fmpi_setting {
	const char *element, *attribute;
	enum fmpi_type type;
	size_t offset, size; /* in struct fmp_policy */
	uint64_t min, max; /* in the field's unit; for texts: of the length */
	const char *const *names; /* for choices and bits; NULL behind the last */
};

extern const struct fmpi_setting fmpi_settings[];
extern const size_t fmpi_n_settings;
#define FMPI_SETTINGS_MAX 160

/** fmpi_setting_find() - the row of an attribute; NULL: none. */
const struct fmpi_setting *fmpi_setting_find(const char *element, const char *attribute);
/** fmpi_setting_by_offset() - the row of a field; NULL for a field without a setting. */
const struct fmpi_setting *fmpi_setting_by_offset(size_t offset);

/**
 * fmpi_setting_set() - parse a text into a field
 * @base: the struct that the setting's offset refers to; for the table: the policy
 * @dir: folder for relative paths, with a '/' at its end
 * @why: what is wrong with the text; at least 256 bytes
 *
 * Return: 0, FMP_ERR_SCHEMA with *why.
 */
int fmpi_setting_set(void *base, const struct fmpi_setting *s, const char *text, const char *dir,
		     char *why, size_t size);

/** Size of the longest value, with its NUL. */
#define FMPI_VALUE_MAX 512
/** fmpi_setting_format() - format a field as it would be written. Return: buf, of FMPI_VALUE_MAX
 * bytes; "" for an empty text. */
const char *fmpi_setting_format(const struct fmpi_setting *s, const void *field, char *buf);

/* algorithms.c: conversion between a list of names and bits. Return: 0, FMP_ERR_SCHEMA with *why. */
extern const char *const fmpi_signature_names[], *const fmpi_digest_names[];
extern const char *const fmpi_cipher_names[], *const fmpi_key_transport_names[];
int fmpi_algorithms_set(unsigned *field, const char *const *names, const char *text, char *why,
			size_t size);
void fmpi_algorithms_format(unsigned bits, const char *const *names, char *buf, size_t size);

/** An element of a policy. */
struct fmpi_element {
	const char *name, *parent; /* parent NULL: the root */
	bool many; /* may occur more than once in its parent */
	bool text; /* contains text, no elements */
};
extern const struct fmpi_element fmpi_elements[];
extern const size_t fmpi_n_elements;
const struct fmpi_element *fmpi_element_find(const char *name);

/* units.c; each: 0, FMP_ERR_SYNTAX */
int fmpi_decimal_parse(const char *text, uint64_t *out);
int fmpi_factor_parse(const char *text, uint64_t *pct);
int fmpi_percent_parse(const char *text, uint64_t *out);
int fmpi_rate_parse(const char *text, uint64_t *per_second);
/** fmpi_duration_format() - format a duration exactly, in as many units as needed. */
const char *fmpi_duration_format(uint64_t ms, char *buf, size_t size);
const char *fmpi_size_format(uint64_t bytes, char *buf, size_t size);

/* The position of each written setting, by its row in fmpi_settings; line 0: not written. */
struct fmp_position {
	unsigned line, column;
	const char *file; /* NULL: the policy's own file; valid while the policy is read */
};
struct fmp_positions {
	struct fmp_position at[FMPI_SETTINGS_MAX];
};

/** fmpi_policy_check() - check for settings that contradict each other. Return: 0,
 * FMP_ERR_CONFLICT. */
int fmpi_policy_check(const struct fmp_policy *policy, const struct fmp_positions *where,
		      struct fmp_error *err);

/** fmp_policy_check_rules() - check only the thresholds and blocks. */
int fmp_policy_check_rules(const struct fmp_policy *policy, const struct fmp_positions *where,
			   struct fmp_error *err);

/** fmpi_policy_check_requirements() - check only the requirements on messages. */
int fmpi_policy_check_requirements(const struct fmp_policy *policy,
				   const struct fmp_positions *where, struct fmp_error *err);

/**
 * fmp_suggest() - find the candidate that a misspelt word most likely means
 * @next: returns the i-th candidate; NULL behind the last
 *
 * Return: a candidate; NULL if none is near enough.
 */
const char *fmp_suggest(const char *word, const char *(*next)(size_t i, const void *ctx),
			const void *ctx);
/** fmp_suggestion() - ": did you mean 'x'?", or "" for NULL. Return: buf. */
const char *fmp_suggestion(const char *word, char *buf, size_t size);

#endif
