/* SPDX-License-Identifier: GPL-2.0 */
/* wsse:UsernameToken (WSS UsernameToken profile 1.1), checked against a file of passwords. */
#ifndef FMPI_WSS_USERNAME_H
#define FMPI_WSS_USERNAME_H

#include "replay.h"
#include "timestamp.h"

struct fmpi_passwords;

#define FMPI_MAX_USER	  64u
#define FMPI_MAX_PASSWORD 128u
#define FMPI_MAX_USERS	  4096u

/**
 * fmpi_passwords_load() - read lines "name:password"; skip blank ones and "#..."
 *
 * A PasswordDigest is made of the password itself, so the file holds it in the clear and is refused
 * if others may read it. Return: 0; FMP_ERR_IO, FMP_ERR_DENIED,
 * FMP_ERR_SYNTAX, FMP_ERR_LIMIT, FMP_ERR_NOMEM.
 */
int fmpi_passwords_load(const char *path, struct fmpi_passwords **out, struct fmp_error *err);
void fmpi_passwords_free(struct fmpi_passwords *p);

/**
 * fmpi_passwords_find() - the password of a user
 *
 * All entries are compared, so the time tells nothing of the list. Return: NULL: no such user.
 */
const char *fmpi_passwords_find(const struct fmpi_passwords *p, const char *user);

/** struct fmpi_username_rules - what the policy requires of a token */
struct fmpi_username_rules {
	bool text_allowed; /**< PasswordText too */
	uint64_t skew_ms, max_age_ms; /**< of Created; max_age_ms 0: no limit */
};

/**
 * fmpi_username_check() - check user and password of a token
 * @key: out if *once: its replay key; until_ms is INT64_MAX without max_age_ms
 * @once: out: the token has a Nonce and a Created, by which a replay is found
 *
 * A token with a digest has a Nonce of 8 to 64 bytes and a Created. With a text both are optional
 * (profile 1.1.1, 3.1): an observer of the password can make new tokens anyway. Unknown users and
 * wrong passwords are refused in the same words, after the same work. Return: 0, FMPI_REFUSED.
 */
int fmpi_username_check(const struct fmpi_passwords *p, const struct fmpi_username_rules *rules,
			const xmlNode *token, int64_t now_s, struct fmpi_replay_key *key,
			bool *once, struct fmp_inspection *v);

#endif
