// SPDX-License-Identifier: GPL-2.0
/* The list of all settings by path, and the differences between two policies. */
#include <policy/emit.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_LEN 768

struct lister {
	struct fmpi_sink sink; /* first: a sink is a lister */
	int (*cb)(const struct fmp_policy_value *v, void *ctx);
	void *ctx;
	char path[PATH_LEN]; /* of the current element, without the root */
	size_t ends[8]; /* length of path before each nested element was appended */
	unsigned depth;
};

static int list_open(struct fmpi_sink *s, const char *element, const char *key)
{
	struct lister *l = (struct lister *)s;
	size_t len = strlen(l->path);

	l->ends[l->depth++] = len;
	if (l->depth > 1)
		snprintf(l->path + len, sizeof(l->path) - len, key ? "%s%s[%s]" : "%s%s",
			 len ? "/" : "", element, key);
	return 0;
}

static int list_attribute(struct fmpi_sink *s, const char *name, const char *value)
{
	struct lister *l = (struct lister *)s;
	size_t len = strlen(l->path);
	struct fmp_policy_value v = { .path = l->path, .value = value };
	int rc;

	snprintf(l->path + len, sizeof(l->path) - len, "%s%s", len ? "/" : "", name);
	rc = l->cb(&v, l->ctx);
	l->path[len] = '\0';
	return rc;
}

static int list_text(struct fmpi_sink *s, const char *value)
{
	struct lister *l = (struct lister *)s;
	struct fmp_policy_value v = { .path = l->path, .value = value };

	return l->cb(&v, l->ctx);
}

static int list_close(struct fmpi_sink *s, const char *element)
{
	struct lister *l = (struct lister *)s;

	l->path[l->ends[--l->depth]] = '\0';
	return 0;
}

int fmp_policy_each(const struct fmp_policy *p,
		    int (*cb)(const struct fmp_policy_value *v, void *ctx), void *ctx)
{
	struct lister l = { .sink = { list_open, list_attribute, list_text, list_close },
			    .cb = cb,
			    .ctx = ctx };

	return fmpi_policy_emit(p, &l.sink);
}

/* ---- two policies ---- */

struct value {
	char *path, *text; /* one allocation */
	size_t order; /* position in the policy */
};

struct values {
	struct value *v;
	size_t n, cap;
};

static int collect_value(const struct fmp_policy_value *v, void *ctx)
{
	struct values *all = ctx;
	size_t path = strlen(v->path) + 1, text = strlen(v->value) + 1;
	char *copy;

	if (all->n == all->cap) {
		size_t cap = all->cap ? all->cap * 2 : 128;
		struct value *more = realloc(all->v, cap * sizeof(*more));

		if (!more)
			return FMP_ERR_NOMEM;
		all->v = more;
		all->cap = cap;
	}
	copy = malloc(path + text);
	if (!copy)
		return FMP_ERR_NOMEM;
	memcpy(copy, v->path, path);
	memcpy(copy + path, v->value, text);
	all->v[all->n] = (struct value){ .path = copy, .text = copy + path, .order = all->n };
	all->n++;
	return 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(((const struct value *)a)->path, ((const struct value *)b)->path);
}

static int compare_order(const void *a, const void *b)
{
	size_t x = ((const struct value *)a)->order, y = ((const struct value *)b)->order;

	return x < y ? -1 : x > y;
}

static const struct value *find_value(const struct values *all, const char *path)
{
	const struct value key = { .path = (char *)path };

	return all->n ? bsearch(&key, all->v, all->n, sizeof(key), compare_paths) : NULL;
}

static int report_changes(struct values *a, struct values *b,
			  int (*cb)(const struct fmp_policy_change *c, void *ctx), void *ctx)
{
	int rc = 0;

	qsort(b->v, b->n, sizeof(*b->v), compare_paths);
	for (size_t i = 0; i < a->n && !rc; i++) {
		const struct value *to = find_value(b, a->v[i].path);
		struct fmp_policy_change c = { a->v[i].path, a->v[i].text, to ? to->text : NULL };

		if (!to || strcmp(c.from, c.to))
			rc = cb(&c, ctx);
	}
	qsort(a->v, a->n, sizeof(*a->v), compare_paths);
	qsort(b->v, b->n, sizeof(*b->v), compare_order);
	for (size_t i = 0; i < b->n && !rc; i++) {
		struct fmp_policy_change c = { b->v[i].path, NULL, b->v[i].text };

		if (!find_value(a, c.path))
			rc = cb(&c, ctx);
	}
	return rc;
}

static void free_values(struct values *all)
{
	for (size_t i = 0; i < all->n; i++)
		free(all->v[i].path);
	free(all->v);
}

int fmp_policy_diff(const struct fmp_policy *a, const struct fmp_policy *b,
		    int (*cb)(const struct fmp_policy_change *c, void *ctx), void *ctx)
{
	struct values va = { 0 }, vb = { 0 };
	int rc = fmp_policy_each(a, collect_value, &va);

	if (!rc)
		rc = fmp_policy_each(b, collect_value, &vb);
	if (!rc)
		rc = report_changes(&va, &vb, cb, ctx);
	free_values(&va);
	free_values(&vb);
	return rc;
}
