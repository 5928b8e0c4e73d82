// SPDX-License-Identifier: GPL-2.0
/*
 * The files of a policy: what it builds on (base), itself, what it includes, in this order, so
 * that what is read later has the last word. Each file is read once at most; so nothing turns in
 * a circle, and all are bounded in number and depth.
 */
#include <fmp/internal/policy_xml.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int read_part(struct fmpi_reader *r, struct fmpi_include *part, const char *name);

const xmlNode *fmpi_child(const xmlNode *node, const char *name)
{
	for (const xmlNode *n = node ? node->children : NULL; n; n = n->next)
		if (n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, BAD_CAST name))
			return n;
	return NULL;
}

void fmpi_include_enter(struct fmpi_reader *r, unsigned i)
{
	const struct fmpi_include *part = &r->parts[i];

	r->part = i;
	r->kind = part->kind;
	r->text = part->text;
	r->len = part->len;
	r->name = part->name;
	r->dir = part->dir;
	r->doc = part->doc;
}

void fmpi_includes_free(struct fmpi_reader *r)
{
	for (unsigned i = 0; i < r->n_parts; i++) {
		xmlFreeDoc(r->parts[i].doc);
		free(r->parts[i].text);
		free(r->parts[i].name);
		free(r->parts[i].dir);
	}
}

bool fmpi_reader_is_base(const struct fmpi_reader *r, const char *file)
{
	for (unsigned i = 0; i < r->n_parts; i++)
		if (file && r->parts[i].name == file)
			return r->parts[i].kind == FMPI_INCLUDE_BASE;
	return false;
}

/* ---- files ---- */

int fmpi_file_read(const char *path, struct fmpi_include *out, int *sys)
{
	struct stat st = { 0 };
	/* Neither a pipe that nobody writes to nor a device may stop us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	ssize_t n = 0;

	*out = (struct fmpi_include){ 0 };
	if (fd < 0 || fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		*sys = fd < 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : FMPI_NO_FILE;
		if (fd >= 0)
			close(fd);
		return FMP_ERR_IO;
	}
	out->device = st.st_dev;
	out->inode = st.st_ino;
	/* One byte more than allowed tells a file that is too large. */
	out->text = malloc(FMPI_FILE_MAX + 1);
	while (out->text && out->len <= FMPI_FILE_MAX &&
	       (n = read(fd, out->text + out->len, FMPI_FILE_MAX + 1 - out->len)) > 0)
		out->len += (size_t)n;
	*sys = errno;
	close(fd);
	if (out->text && n >= 0 && out->len <= FMPI_FILE_MAX)
		return 0;
	free(out->text);
	if (n < 0)
		return FMP_ERR_IO;
	return out->text ? FMP_ERR_LIMIT : FMP_ERR_NOMEM;
}

const char *fmpi_file_why(int sys)
{
	return sys == FMPI_NO_FILE ? "a FIFO, a socket or a device stands there, not a file"
	       : sys == EISDIR	   ? "a folder stands there, not a file"
				   : strerror(sys);
}

/* The folder of the file with a '/' at its end, absolute: the program may change its own later. */
static char *folder(const char *file)
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

static bool known(const struct fmpi_reader *r, const struct fmpi_include *part)
{
	for (unsigned i = 0; i < r->n_parts; i++)
		if (part->inode && r->parts[i].inode == part->inode &&
		    r->parts[i].device == part->device)
			return true;
	return false;
}

/* One more file, that a node of the current part names. */
static int read_file(struct fmpi_reader *r, const xmlNode *node, const char *attribute,
		     enum fmpi_include_kind kind, const char *path)
{
	struct fmpi_include part;
	unsigned self = r->part;
	int sys, rc = fmpi_file_read(path, &part, &sys);

	if (rc == FMP_ERR_IO)
		return fmpi_reader_fail(r, rc, node, attribute, "%s: %s", path, fmpi_file_why(sys));
	if (rc == FMP_ERR_LIMIT)
		return fmpi_reader_fail(r, rc, node, attribute, "%s is larger than 1 MiB", path);
	if (rc)
		return fmp_error_set(r->err, rc, "out of memory");
	part.kind = kind;
	if (known(r, &part))
		rc = fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, attribute,
				      "%s is read already: each file stands in a policy once",
				      path);
	else if (r->n_parts == FMPI_INCLUDES_MAX)
		rc = fmpi_reader_fail(r, FMP_ERR_LIMIT, node, attribute,
				      "more than %d files in one policy", FMPI_INCLUDES_MAX);
	else if (r->depth == FMPI_DEPTH_MAX)
		rc = fmpi_reader_fail(r, FMP_ERR_LIMIT, node, attribute, "more than %d files deep",
				      FMPI_DEPTH_MAX);
	if (rc) {
		free(part.text);
		return rc;
	}
	rc = read_part(r, &part, path);
	if (!rc)
		fmpi_include_enter(r, self);
	return rc;
}

/* ---- base ---- */

struct bases {
	char name[64][32];
	size_t n;
};

static const char *base_name(size_t i, const void *ctx)
{
	const struct bases *b = ctx;

	return i < b->n ? b->name[i] : NULL;
}

static void add_bases(struct bases *b, const char *folder, const char * not )
{
	DIR *dir = opendir(folder);
	const struct dirent *d;

	while (dir && (d = readdir(dir)) && b->n < sizeof(b->name) / sizeof(b->name[0])) {
		size_t len = strlen(d->d_name);

		if (len < 5 || len - 4 >= sizeof(b->name[0]) || !strcmp(d->d_name, not ) ||
		    strcmp(d->d_name + len - 4, ".xml"))
			continue;
		snprintf(b->name[b->n++], sizeof(b->name[0]), "%.*s", (int)len - 4, d->d_name);
	}
	if (dir)
		closedir(dir);
}

/* There is none of that name, neither beside the policy nor shipped: which one may be meant? */
static int no_base(struct fmpi_reader *r, const xmlNode *root, const char *name)
{
	const char *slash = strrchr(r->name, '/');
	struct bases b = { .n = 0 };
	char shipped[PATH_MAX + 64], hint[64];

	fmpi_data_file("balanced.xml", shipped, sizeof(shipped));
	*strrchr(shipped, '/') = '\0';
	add_bases(&b, r->dir, slash ? slash + 1 : r->name);
	add_bases(&b, shipped, "content-injection.xml");
	fmp_suggestion(fmp_suggest(name, base_name, &b), hint, sizeof(hint));
	return fmpi_reader_fail(r, FMP_ERR_IO, root, "base",
				"base=\"%s\": there is no %s.xml, neither in %s nor in %s%s", name,
				name, r->dir, shipped, hint);
}

/* Beside the policy, or else of those shipped; never the policy itself. */
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
	    (st.st_ino == r->parts[self].inode && st.st_dev == r->parts[self].device)) {
		snprintf(data, sizeof(data), "%s.xml", name);
		fmpi_data_file(data, path, sizeof(path));
		if (access(path, F_OK))
			return no_base(r, root, name);
	}
	return read_file(r, root, "base", FMPI_INCLUDE_BASE, path);
}

/* ---- include ---- */

static int is_policy(const struct dirent *d)
{
	size_t len = strlen(d->d_name);

	return d->d_name[0] != '.' && len > 4 && !strcmp(d->d_name + len - 4, ".xml");
}

/* By bytes: the same everywhere, whatever the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_folder(struct fmpi_reader *r, const xmlNode *node, const char *path)
{
	struct dirent **names = NULL;
	int n = scandir(path, &names, is_policy, by_name), rc = 0;
	char file[PATH_MAX * 3];

	if (n < 0)
		return fmpi_reader_fail(r, FMP_ERR_IO, node, NULL, "%s: %s", path, strerror(errno));
	for (int i = 0; i < n; i++) {
		snprintf(file, sizeof(file), "%s%s%s", path,
			 path[strlen(path) - 1] == '/' ? "" : "/", names[i]->d_name);
		if (!rc)
			rc = read_file(r, node, NULL, FMPI_INCLUDE_INCLUDE, file);
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
	return read_file(r, node, NULL, FMPI_INCLUDE_INCLUDE, path);
}

/* ---- one part with all below it ---- */

static int read_settings(struct fmpi_reader *r)
{
	char name[sizeof(r->policy->name)];
	int rc;

	memcpy(name, r->policy->name, sizeof(name));
	rc = fmpi_policy_read(r);
	/* The policy is called what its own file says, or is called. */
	if (r->kind != FMPI_INCLUDE_MAIN)
		memcpy(r->policy->name, name, sizeof(name));
	return rc;
}

/* Takes over the part's text, whatever it returns. */
static int read_part(struct fmpi_reader *r, struct fmpi_include *part, const char *name)
{
	unsigned self = r->n_parts++;
	const xmlNode *root;
	int rc;

	part->name = strdup(name);
	part->dir = folder(name);
	r->parts[self] = *part;
	if (!part->name || !part->dir)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "the folder of %s can't be told", name);
	fmpi_include_enter(r, self);
	rc = fmpi_xml_parse(r);
	r->parts[self].doc = r->doc;
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
		rc = read_settings(r);
	if (!rc)
		rc = read_include(r, root);
	r->depth--;
	return rc;
}

int fmpi_includes_read(struct fmpi_reader *r, const void *bytes, size_t len, const char *name)
{
	struct fmpi_include part = { .kind = FMPI_INCLUDE_MAIN,
				     .len = len,
				     .text = malloc(len + 1) };
	struct stat st;

	if (!part.text)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	memcpy(part.text, bytes, len);
	/* So that no file includes the one it came from. */
	if (!stat(name, &st)) {
		part.device = st.st_dev;
		part.inode = st.st_ino;
	}
	return read_part(r, &part, name);
}
