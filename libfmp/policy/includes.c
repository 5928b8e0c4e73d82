// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a policy: its base, itself, its includes, read in this order; a later file overrides
 * an earlier one. Each file is read at most once, so there are no cycles; number and depth are
 * bounded.
 */
#include <fmp/internal/policy_xml.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int parse_file(struct fmpi_reader *r, struct fmpi_include *file, const char *name);

void fmpi_include_enter(struct fmpi_reader *r, unsigned i)
{
	const struct fmpi_include *file = &r->files[i];

	r->current_file = i;
	r->kind = file->kind;
	r->text = file->text;
	r->len = file->len;
	r->name = file->name;
	r->dir = file->dir;
	r->doc = file->doc;
}

void fmpi_includes_free(struct fmpi_reader *r)
{
	for (unsigned i = 0; i < r->n_files; i++) {
		xmlFreeDoc(r->files[i].doc);
		free(r->files[i].text);
		free(r->files[i].name);
		free(r->files[i].dir);
	}
}

bool fmpi_reader_is_base(const struct fmpi_reader *r, const char *file)
{
	for (unsigned i = 0; i < r->n_files; i++)
		if (file && r->files[i].name == file)
			return r->files[i].kind == FMPI_INCLUDE_BASE;
	return false;
}

/* ---- files ---- */

/* Return: the absolute folder of a file, with '/' at its end; the program may change its own
 * folder later. */
static char *copy_folder(const char *file)
{
	char cwd[PATH_MAX] = "", *dir = NULL;
	const char *slash = strrchr(file, '/');
	int len = slash ? (int)(slash - file) + 1 : 0;

	if (*file != '/' && !getcwd(cwd, sizeof(cwd)))
		return NULL;
	if (asprintf(&dir, "%s%s%.*s", cwd, *file != '/' ? "/" : "", len, file) < 0)
		return NULL;
	return dir;
}

static bool is_included(const struct fmpi_reader *r, const struct fmpi_include *file)
{
	for (unsigned i = 0; i < r->n_files; i++)
		if (file->inode && r->files[i].inode == file->inode &&
		    r->files[i].device == file->device)
			return true;
	return false;
}

/* Read a file that a node of the current file names. */
static int read_included_file(struct fmpi_reader *r, const xmlNode *node, const char *attribute,
			      enum fmpi_include_kind kind, const char *path)
{
	struct fmpi_include file;
	unsigned self = r->current_file;
	int sys, rc = fmpi_file_read(path, &file, &sys);

	if (rc == FMP_ERR_IO)
		return fmpi_reader_fail(r, rc, node, attribute, "%s: %s", path, fmpi_file_why(sys));
	if (rc == FMP_ERR_LIMIT)
		return fmpi_reader_fail(r, rc, node, attribute, "%s is larger than 1 MiB", path);
	if (rc)
		return fmp_error_set(r->err, rc, "out of memory");
	file.kind = kind;
	if (is_included(r, &file))
		rc = fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, attribute,
				      "%s is read already: each file stands in a policy once",
				      path);
	else if (r->n_files == FMPI_INCLUDES_MAX)
		rc = fmpi_reader_fail(r, FMP_ERR_LIMIT, node, attribute,
				      "more than %d files in one policy", FMPI_INCLUDES_MAX);
	else if (r->depth == FMPI_DEPTH_MAX)
		rc = fmpi_reader_fail(r, FMP_ERR_LIMIT, node, attribute, "more than %d files deep",
				      FMPI_DEPTH_MAX);
	if (rc) {
		free(file.text);
		return rc;
	}
	rc = parse_file(r, &file, path);
	if (!rc)
		fmpi_include_enter(r, self);
	return rc;
}

/* ---- base ---- */

struct bases {
	char name[64][32];
	size_t n;
};

static const char *next_base_name(size_t i, const void *ctx)
{
	const struct bases *b = ctx;

	return i < b->n ? b->name[i] : NULL;
}

static void list_bases(struct bases *b, const char *folder, const char *except)
{
	DIR *dir = opendir(folder);
	const struct dirent *d;

	while (dir && (d = readdir(dir)) && b->n < sizeof(b->name) / sizeof(b->name[0])) {
		size_t len = strlen(d->d_name);

		if (len < 5 || len - 4 >= sizeof(b->name[0]) || !strcmp(d->d_name, except) ||
		    strcmp(d->d_name + len - 4, ".xml"))
			continue;
		snprintf(b->name[b->n++], sizeof(b->name[0]), "%.*s", (int)len - 4, d->d_name);
	}
	if (dir)
		closedir(dir);
}

/* There is no base of that name, neither beside the policy nor among the shipped ones: suggest
 * one. */
static int refuse_unknown_base(struct fmpi_reader *r, const xmlNode *root, const char *name)
{
	const char *slash = strrchr(r->name, '/');
	struct bases b = { .n = 0 };
	char shipped[PATH_MAX + 64], hint[64];

	fmpi_data_file("balanced.xml", shipped, sizeof(shipped));
	*strrchr(shipped, '/') = '\0';
	list_bases(&b, r->dir, slash ? slash + 1 : r->name);
	list_bases(&b, shipped, "content-injection.xml");
	fmp_suggestion(fmp_suggest(name, next_base_name, &b), hint, sizeof(hint));
	return fmpi_reader_fail(r, FMP_ERR_IO, root, "base",
				"base=\"%s\": there is no %s.xml, neither in %s nor in %s%s", name,
				name, r->dir, shipped, hint);
}

/* A base beside the policy, or a shipped one; never the policy itself. */
static int read_base(struct fmpi_reader *r, const xmlNode *root, unsigned self)
{
	const xmlAttr *attr = xmlHasNsProp((xmlNode *)root, BAD_CAST "base", NULL);
	struct fmpi_setting s = { .type = FMPI_NAME, .size = 32, .max = 31 };
	char path[PATH_MAX + 64], data[PATH_MAX], why[256], name[32] = "";
	struct stat st;
	xmlChar *value;
	int rc;

	if (!attr)
		return 0;
	if (r->kind == FMPI_INCLUDE_INCLUDE)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, root, "base",
					"a file that is included has no base");
	value = xmlNodeListGetString(root->doc, attr->children, 1);
	rc = fmpi_setting_set(name, &s, value ? (const char *)value : "", "", why, sizeof(why));
	if (rc)
		rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, root, "base", "base=\"%.64s\" %s",
				      value ? (const char *)value : "", why);
	xmlFree(value);
	if (rc)
		return rc;
	snprintf(path, sizeof(path), "%s%s.xml", r->dir, name);
	if (stat(path, &st) ||
	    (st.st_ino == r->files[self].inode && st.st_dev == r->files[self].device)) {
		snprintf(data, sizeof(data), "%s.xml", name);
		fmpi_data_file(data, path, sizeof(path));
		if (access(path, F_OK))
			return refuse_unknown_base(r, root, name);
	}
	return read_included_file(r, root, "base", FMPI_INCLUDE_BASE, path);
}

/* ---- include ---- */

static int is_policy_file(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 4 && !strcmp(d->d_name + len - 4, ".xml");
}

/* Bytewise, so the order does not depend on the locale. */
static int compare_names(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(struct fmpi_reader *r, const xmlNode *node, const char *path)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, is_policy_file, compare_names), rc = 0;
	char file[PATH_MAX * 3];

	if (n < 0)
		return fmpi_reader_fail(r, FMP_ERR_IO, node, NULL, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s%s%s", path,
			 path[strlen(path) - 1] == '/' ? "" : "/", names[i]->d_name);
		if (!rc)
			rc = read_included_file(r, node, NULL, FMPI_INCLUDE_INCLUDE, file);
		free(names[i]);
	}
	free(names);
	return rc;
}

static int read_include(struct fmpi_reader *r, const xmlNode *root)
{
	const xmlNode *node = fmpi_child(root, "include");
	xmlChar *text = node ? xmlNodeGetContent(node) : NULL;
	struct stat st;
	char path[PATH_MAX * 2], *s = (char *)text;
	size_t len;

	if (!node)
		return 0;
	s += strspn(s ? s : "", " \t\r\n");
	for (len = s ? strlen(s) : 0; len && strchr(" \t\r\n", s[len - 1]); len--)
		s[len - 1] = '\0';
	if (!len || len >= PATH_MAX) {
		xmlFree(text);
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<include> holds the name of a file or a folder");
	}
	snprintf(path, sizeof(path), "%s%s", *s == '/' ? "" : r->dir, s);
	xmlFree(text);
	if (!stat(path, &st) && S_ISDIR(st.st_mode))
		return read_folder(r, node, path);
	return read_included_file(r, node, NULL, FMPI_INCLUDE_INCLUDE, path);
}

/* ---- a file with everything below it ---- */

static int parse_settings(struct fmpi_reader *r)
{
	char name[sizeof(r->policy->name)];
	int rc;

	memcpy(name, r->policy->name, sizeof(name));
	rc = fmpi_policy_read(r);
	/* A base or an include does not name the policy. */
	if (r->kind != FMPI_INCLUDE_MAIN)
		memcpy(r->policy->name, name, sizeof(name));
	return rc;
}

/* Takes ownership of @file's text in every case. */
static int parse_file(struct fmpi_reader *r, struct fmpi_include *file, const char *name)
{
	unsigned self = r->n_files++;
	const xmlNode *root;
	int rc;

	file->name = strdup(name);
	file->dir = copy_folder(name);
	r->files[self] = *file;
	if (!file->name || !file->dir)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "can't find out the folder of %s",
				     name);
	fmpi_include_enter(r, self);
	rc = fmpi_xml_parse(r);
	r->files[self].doc = r->doc;
	if (rc)
		return rc;
	root = xmlDocGetRootElement(r->doc);
	if (!xmlStrEqual(root->name, BAD_CAST "policy") || !root->ns ||
	    !xmlStrEqual(root->ns->href, BAD_CAST FMPI_POLICY_NS))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, root, NULL,
					"the root is not <policy xmlns=\"" FMPI_POLICY_NS "\">");
	r->depth++;
	rc = read_base(r, root, self);
	r->order[r->n_order++] = (uint8_t)self;
	if (!rc)
		rc = parse_settings(r);
	if (!rc)
		rc = read_include(r, root);
	r->depth--;
	return rc;
}

int fmpi_includes_read(struct fmpi_reader *r, const void *bytes, size_t len, const char *name)
{
	struct fmpi_include file = { .kind = FMPI_INCLUDE_MAIN,
				     .len = len,
				     .text = malloc(len + 1) };
	struct stat st;

	if (!file.text)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	memcpy(file.text, bytes, len);
	/* So that a file that includes the policy itself is detected. */
	if (!stat(name, &st)) {
		file.device = st.st_dev;
		file.inode = st.st_ino;
	}
	return parse_file(r, &file, name);
}
