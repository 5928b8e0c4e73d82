// SPDX-License-Identifier: GPL-2.0
#include "username.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "xml/base64.h"
#include "xml/names.h"

#define MIN_NONCE  8u
#define MAX_NONCE  64u
#define MAX_BASE64 128u

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(node), __VA_ARGS__)

/* ---- the file of passwords ---- */

struct user {
	char name[FMPI_MAX_USER + 1];
	char password[FMPI_MAX_PASSWORD + 1];
};

struct fmpi_passwords {
	struct user *list;
	size_t n, cap;
};

static int add_user(struct fmpi_passwords *p, const char *line, const char *path, unsigned number,
		    struct fmp_error *err)
{
	const char *colon = strchr(line, ':');
	size_t name = colon ? (size_t)(colon - line) : 0;
	struct user *u;

	if (!name || !colon[1])
		return fmp_error_at(err, FMP_ERR_SYNTAX, path, number, 0,
				    "the line is not \"name:password\"");
	if (name > FMPI_MAX_USER || strlen(colon + 1) > FMPI_MAX_PASSWORD)
		return fmp_error_at(err, FMP_ERR_LIMIT, path, number, 0,
				    "a name of more than %u or a password of more than %u bytes",
				    FMPI_MAX_USER, FMPI_MAX_PASSWORD);
	if (p->n == FMPI_MAX_USERS)
		return fmp_error_at(err, FMP_ERR_LIMIT, path, number, 0, "more than %u users",
				    FMPI_MAX_USERS);
	if (p->n == p->cap) {
		size_t cap = p->cap ? p->cap * 2 : 16;
		struct user *list = calloc(cap, sizeof(*list));

		if (!list)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
		if (p->n)
			memcpy(list, p->list, p->n * sizeof(*list));
		OPENSSL_cleanse(p->list, p->n * sizeof(*list));
		free(p->list);
		p->list = list;
		p->cap = cap;
	}
	u = &p->list[p->n];
	memcpy(u->name, line, name);
	u->name[name] = '\0';
	strcpy(u->password, colon + 1);
	if (fmpi_passwords_find(p, u->name))
		return fmp_error_at(err, FMP_ERR_SYNTAX, path, number, 0,
				    "the user \"%s\" stands twice", u->name);
	p->n++;
	return 0;
}

static int read_lines(FILE *f, struct fmpi_passwords *p, const char *path, struct fmp_error *err)
{
	char line[FMPI_MAX_USER + FMPI_MAX_PASSWORD + 64];
	unsigned number = 0;
	int ret = 0;

	while (!ret && fgets(line, sizeof(line), f)) {
		size_t n = strcspn(line, "\r\n");

		number++;
		if (!line[n] && !feof(f)) {
			ret = fmp_error_at(err, FMP_ERR_LIMIT, path, number, 0,
					   "the line is too long");
			break;
		}
		line[n] = '\0';
		if (line[0] && line[0] != '#')
			ret = add_user(p, line, path, number, err);
	}
	OPENSSL_cleanse(line, sizeof(line));
	if (!ret && ferror(f))
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read %s", path);
	if (!ret && p->n == 0)
		ret = fmp_error_at(err, FMP_ERR_SYNTAX, path, 0, 0, "no user in it");
	return ret;
}

int fmpi_passwords_load(const char *path, struct fmpi_passwords **out, struct fmp_error *err)
{
	struct fmpi_passwords *p;
	struct stat st;
	FILE *f;
	int ret;

	*out = NULL;
	f = fopen(path, "re");
	if (!f)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the passwords %s", path);
	p = calloc(1, sizeof(*p));
	if (!p)
		ret = fmp_error_set(err, FMP_ERR_NOMEM, "no memory for %s", path);
	else if (fstat(fileno(f), &st))
		ret = fmp_error_sys(err, FMP_ERR_IO, errno, "cannot read the passwords %s", path);
	else if (st.st_mode & (S_IROTH | S_IWOTH))
		ret = fmp_error_at(err, FMP_ERR_DENIED, path, 0, 0,
				   "everybody may read or change the passwords: chmod o-rw");
	else
		ret = read_lines(f, p, path, err);
	fclose(f);
	if (ret)
		fmpi_passwords_free(p);
	else
		*out = p;
	return ret;
}

void fmpi_passwords_free(struct fmpi_passwords *p)
{
	if (!p)
		return;
	if (p->list)
		OPENSSL_cleanse(p->list, p->cap * sizeof(*p->list));
	free(p->list);
	free(p);
}

const char *fmpi_passwords_find(const struct fmpi_passwords *p, const char *user)
{
	const char *found = NULL;

	for (size_t i = 0; i < p->n; i++)
		if (strcmp(p->list[i].name, user) == 0)
			found = p->list[i].password;
	return found;
}

/* ---- the token ---- */

struct token {
	const char *user, *password, *type;
	const char *created; /* NULL: none; in a text */
	bool is_text;
	uint8_t nonce[FMPI_BASE64_MAX(MAX_BASE64)];
	size_t nonce_len;
};

static int read_nonce(const xmlNode *n, struct token *t, struct fmp_inspection *v)
{
	const char *encoding = fmpi_attribute(n, NULL, "EncodingType");
	const char *text = fmpi_text(n);

	if (encoding && strcmp(encoding, WSSE_BASE64) != 0)
		return refuse(v, n, "the Nonce is not encoded in Base64");
	if (!text || strlen(text) > MAX_BASE64 ||
	    fmpi_base64_decode(text, strlen(text), t->nonce, &t->nonce_len) != 0)
		return refuse(v, n, "the Nonce is not Base64 of %u bytes at most", MAX_NONCE);
	if (t->nonce_len < MIN_NONCE || t->nonce_len > MAX_NONCE)
		return refuse(v, n, "the Nonce is not of %u to %u bytes", MIN_NONCE, MAX_NONCE);
	return 0;
}

static int read_text(const xmlNode *n, const char **slot, struct fmp_inspection *v)
{
	if (*slot)
		return refuse(v, n, "two %s in the UsernameToken", (const char *)n->name);
	*slot = fmpi_text(n);
	return *slot ? 0 : refuse(v, n, "%s is not plain text", (const char *)n->name);
}

static int read_token(const xmlNode *token, struct token *t, struct fmp_inspection *v)
{
	int ret = 0;

	if (!fmpi_has_only_elements(token))
		return refuse(v, token, "text inside the UsernameToken");
	for (const xmlNode *n = fmpi_first(token); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_WSSE, "Username")) {
			ret = read_text(n, &t->user, v);
		} else if (fmpi_is(n, NS_WSSE, "Password")) {
			ret = read_text(n, &t->password, v);
			t->type = fmpi_attribute(n, NULL, "Type");
		} else if (fmpi_is(n, NS_WSSE, "Nonce")) {
			ret = t->nonce_len ? refuse(v, n, "two Nonce in the UsernameToken")
					   : read_nonce(n, t, v);
		} else if (fmpi_is(n, NS_WSU, "Created")) {
			ret = read_text(n, &t->created, v);
		}
		/* Other elements are extensions (profile 1.1.1, 3.1) and are ignored. */
	}
	if (ret)
		return ret;
	if (!t->user || !t->password)
		return refuse(v, token, "the UsernameToken has no %s",
			      t->user ? "Password" : "Username");
	return 0;
}

/* Without a Type, a password is text (profile 1.1.1, 3.1). */
static int read_type(const xmlNode *token, const struct fmpi_username_rules *rules, struct token *t,
		     struct fmp_inspection *v)
{
	t->is_text = !t->type || strcmp(t->type, WSSE_PASSWORD_TEXT) == 0;
	if (!t->is_text && strcmp(t->type, WSSE_PASSWORD_DIGEST) != 0)
		return fmpi_refuse(
			v, FMP_STEP_SIGNATURE, FMP_EVENT_UNSUPPORTED, fmpi_line(token),
			"a password of type %s is not supported, only PasswordDigest and "
			"PasswordText by their whole URIs",
			t->type);
	if (t->is_text && !rules->text_allowed)
		return fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_ALGORITHM, fmpi_line(token),
				   "a password as text is not allowed");
	/* Both are optional (3.1), but without them a digest can be replayed by anybody. */
	if (!t->is_text && (!t->nonce_len || !t->created))
		return refuse(v, token, "the UsernameToken has a PasswordDigest, but no %s",
			      t->created ? "Nonce" : "Created");
	return 0;
}

static int64_t bound_ms(uint64_t ms)
{
	return ms > (uint64_t)INT64_MAX / 8 ? INT64_MAX / 8 : (int64_t)ms;
}

static int check_time(const xmlNode *token, const struct token *t,
		      const struct fmpi_username_rules *r, int64_t now_s,
		      struct fmpi_replay_key *key, struct fmp_inspection *v)
{
	int64_t skew = bound_ms(r->skew_ms), age = bound_ms(r->max_age_ms), now = now_s * 1000;

	if (!t->created)
		return 0;
	if (fmpi_time_parse(t->created, &key->created_ms) != 0)
		return refuse(v, token,
			      "Created of the UsernameToken is not a time of xs:dateTime, such as "
			      "2026-11-21T01:56:47Z");
	key->until_ms = age ? key->created_ms + age + skew + 1 : INT64_MAX;
	if (key->created_ms > now + skew)
		return fmpi_not_yet(v, fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP,
						   fmpi_line(token),
						   "the UsernameToken is from the future"));
	if (key->until_ms <= now)
		return fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP, fmpi_line(token),
				   "the UsernameToken is too old");
	return 0;
}

/* SHA-1 (nonce + created + password): UsernameToken profile 1.1.1, 3.1. */
static void digest_of(const struct token *t, const char *created, size_t created_len,
		      const char *password, uint8_t out[SHA_DIGEST_LENGTH])
{
	uint8_t in[MAX_NONCE + FMPI_MAX_TIME + FMPI_MAX_PASSWORD];
	size_t n = 0;

	memcpy(in, t->nonce, t->nonce_len);
	n += t->nonce_len;
	/* fmpi_time_parse() has bounded its length. */
	memcpy(in + n, created, created_len);
	n += created_len;
	memcpy(in + n, password, strlen(password));
	n += strlen(password);
	SHA1(in, n, out);
	OPENSSL_cleanse(in, sizeof(in));
}

/* Accept the digest over Created as received, or without white space that formatting has added. */
static bool digest_matches(const struct token *t, const char *password)
{
	uint8_t want[SHA_DIGEST_LENGTH], bare[SHA_DIGEST_LENGTH];
	uint8_t have[FMPI_BASE64_MAX(MAX_BASE64)];
	const char *created = t->created + strspn(t->created, " \t\r\n");
	size_t n = strlen(t->password), len;

	digest_of(t, t->created, strlen(t->created), password, want);
	digest_of(t, created, strcspn(created, " \t\r\n"), password, bare);
	return n <= MAX_BASE64 && fmpi_base64_decode(t->password, n, have, &len) == 0 &&
	       len == sizeof(want) &&
	       ((int)(CRYPTO_memcmp(want, have, sizeof(want)) == 0) |
		(int)(CRYPTO_memcmp(bare, have, sizeof(bare)) == 0));
}

/* Compare digests: the time tells nothing of how many characters agree. */
static bool text_matches(const struct token *t, const char *password)
{
	uint8_t want[SHA256_DIGEST_LENGTH], have[SHA256_DIGEST_LENGTH];

	SHA256((const uint8_t *)password, strlen(password), want);
	SHA256((const uint8_t *)t->password, strlen(t->password), have);
	return CRYPTO_memcmp(want, have, sizeof(want)) == 0;
}

/*
 * Identify a token by its nonce without trailing white space: the digest has no separator between
 * nonce and Created, so an attacker could move white space from one to the other for a new nonce.
 */
static void fill_key(const struct token *t, struct fmpi_replay_key *key)
{
	uint8_t in[SHA256_DIGEST_LENGTH + MAX_NONCE];
	size_t n = t->nonce_len;

	while (n && memchr(" \t\r\n", t->nonce[n - 1], 4))
		n--;
	SHA256((const uint8_t *)t->user, strlen(t->user), key->signer);
	memcpy(in, key->signer, sizeof(key->signer));
	memcpy(in + sizeof(key->signer), t->nonce, n);
	SHA256(in, sizeof(key->signer) + n, key->id);
}

int fmpi_username_check(const struct fmpi_passwords *p, const struct fmpi_username_rules *rules,
			const xmlNode *token, int64_t now_s, struct fmpi_replay_key *key,
			bool *once, struct fmp_inspection *v)
{
	struct token t = { 0 };
	const char *password;
	bool known, matches;
	int ret = read_token(token, &t, v);

	if (!ret)
		ret = read_type(token, rules, &t, v);
	if (!ret)
		ret = check_time(token, &t, rules, now_s, key, v);
	if (ret)
		return ret;
	password = fmpi_passwords_find(p, t.user);
	known = password != NULL;
	matches = t.is_text ? text_matches(&t, known ? password : "")
			    : digest_matches(&t, known ? password : "");
	if (!known || !matches)
		return refuse(v, token, "user or password is wrong");
	*once = t.nonce_len && t.created;
	if (*once)
		fill_key(&t, key);
	return 0;
}
