// SPDX-License-Identifier: GPL-2.0
/* <blocklist>: names a list of addresses in a file of its own, which is read together with the
 * policy. */
#include <policy/emit.h>
#include <fmp/internal/policy_xml.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MAX (16u << 20)

/* Read a regular file. Return: its bytes, their number in *len; NULL, with the reason in *why. */
static char *read_list(const char *path, size_t *len, const char **why)
{
	/* O_NONBLOCK: a pipe without a writer, or a device, must not stop the reader. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st = { 0 };
	char *bytes = NULL;
	ssize_t n = 0;

	*len = 0;
	if (fd < 0 || fstat(fd, &st))
		*why = strerror(errno);
	else if (!S_ISREG(st.st_mode))
		*why = fmpi_file_why(S_ISDIR(st.st_mode) ? EISDIR : FMPI_NO_FILE);
	else if (st.st_size > LIST_MAX)
		*why = "it is larger than 16 MiB";
	else if (!(bytes = malloc((size_t)st.st_size + 1)))
		*why = "out of memory";
	while (bytes && *len < (size_t)st.st_size &&
	       (n = read(fd, bytes + *len, (size_t)st.st_size - *len)) > 0)
		*len += (size_t)n;
	if (bytes && n < 0) {
		*why = strerror(errno);
		free(bytes);
		bytes = NULL;
	}
	if (fd >= 0)
		close(fd);
	return bytes;
}

static void add_warning(const struct fmp_error *w, void *ctx)
{
	struct fmpi_reader *r = ctx;
	struct fmp_position at = { .line = w->line, .file = w->file };

	if (fmp_policy_warn(r->policy, &at, "%s", w->message))
		r->failed = FMP_ERR_NOMEM;
}

/* An empty list is legal, but a failed download leaves one too. */
static int warn_empty_list(struct fmpi_reader *r, const xmlNode *node,
			   const struct fmp_policy_blocklist *b)
{
	struct fmp_position at = fmpi_reader_locate(r, node, "file");

	if (fmp_policy_warn(r->policy, &at,
			    "%s has no address: what the set %s holds ends, and nothing of it is "
			    "blocked",
			    b->file, b->set))
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	return 0;
}

static int read_addresses(struct fmpi_reader *r, const xmlNode *node,
			  struct fmp_policy_blocklist *b)
{
	const char *why = NULL;
	size_t len;
	char *bytes = read_list(b->file, &len, &why);
	int rc;

	if (!bytes)
		return fmpi_reader_fail(r, FMP_ERR_IO, node, "file", "%s: %s", b->file, why);
	rc = fmp_blocklist_parse(&b->list, bytes, len, b->file, add_warning, r, r->err);
	free(bytes);
	if (!rc && !b->list.n)
		rc = warn_empty_list(r, node, b);
	return rc ? rc : r->failed;
}

/* The default name of the set: "drop" for "/var/lib/lists/drop.txt", up to the first character
 * that a name can't have. */
static void derive_set_name(struct fmp_policy_blocklist *b)
{
	const char *slash = strrchr(b->file, '/'), *base = slash ? slash + 1 : b->file;
	size_t n = strspn(base, FMPI_NAME_CHARACTERS);
	const char *dot = memrchr(base, '.', n);

	if (dot && dot != base)
		n = (size_t)(dot - base);
	if (n >= sizeof(b->set))
		n = sizeof(b->set) - 1;
	memcpy(b->set, base, n);
}

static int check_set_name(struct fmpi_reader *r, const xmlNode *node,
			  const struct fmp_policy_blocklist *b)
{
	if (fmp_set_name_valid(b->set))
		return 0;
	return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, *b->set ? "set" : "file",
				"\"%s\" can't be the name of a set: write set=\"NAME\"", b->set);
}

static int store_list(struct fmpi_reader *r, const xmlNode *node, struct fmp_policy_blocklist *b)
{
	struct fmp_policy *p = r->policy;
	struct fmp_policy_blocklist *more;
	size_t at = 0;

	while (at < p->n_blocklists && strcmp(p->blocklists[at].set, b->set) != 0)
		at++;
	if (at == FMP_BLOCKLISTS_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %d blocklists",
					FMP_BLOCKLISTS_MAX);
	if (r->own_blocklist[at])
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "file",
					"the set \"%s\" has a list already: a set has one", b->set);
	if (at == p->n_blocklists) {
		more = realloc(p->blocklists, (at + 1) * sizeof(*more));
		if (!more)
			return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
		p->blocklists = more;
		p->n_blocklists++;
	} else {
		/* A list for the same set from a file read earlier: the later one replaces it. */
		fmp_blocklist_free(&p->blocklists[at].list);
	}
	r->own_blocklist[at] = true;
	p->blocklists[at] = *b;
	return 0;
}

int fmpi_blocklist_read(struct fmpi_reader *r, const xmlNode *node)
{
	struct fmp_policy_blocklist b = { 0 };
	const struct fmpi_setting *s;
	int rc = 0;

	for (const xmlAttr *a = node->properties; a && !rc; a = a->next) {
		size_t i = 0;

		while ((s = fmpi_blocklist_setting(i)) &&
		       (a->ns || strcmp(s->attribute, (const char *)a->name) != 0))
			i++;
		rc = s ? fmpi_policy_reader_set(r, node, a, &b, s)
		       : fmpi_policy_reader_unknown(r, node, a);
	}
	if (!rc && !*b.file)
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<blocklist> needs a file");
	if (!rc && !*b.set)
		derive_set_name(&b);
	if (!rc)
		rc = check_set_name(r, node, &b);
	if (!rc)
		rc = read_addresses(r, node, &b);
	if (!rc)
		rc = store_list(r, node, &b);
	if (rc)
		fmp_blocklist_free(&b.list);
	return rc;
}
