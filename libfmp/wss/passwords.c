// SPDX-License-Identifier: GPL-2.0
#include "passwords.h"

#include <errno.h>
#include <openssl/crypto.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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
