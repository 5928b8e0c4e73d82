// SPDX-License-Identifier: GPL-2.0
/*
 * Loads a policy file: libxml2 parses, the reader converts (with precise errors), the schema
 * validates, contradictions are checked. Only the file, its base and includes, and the schema are
 * opened: no DTD, no entities, no XInclude, no network.
 */
#include <policy/group_index.h>
#include <policy/origin.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The default name of a policy: "balanced" for "/etc/fmp/balanced.xml". */
static void set_name_from_file(struct fmp_policy *p, const char *file)
{
	const char *base = strrchr(file, '/'), *dot;

	base = base ? base + 1 : file;
	dot = strrchr(base, '.');
	snprintf(p->name, sizeof(p->name), "%.*s",
		 dot && dot != base ? (int)(dot - base) : (int)strlen(base), base);
	for (char *c = p->name; *c; c++)
		if (!strchr(FMPI_NAME_CHARACTERS, *c))
			*c = '_';
}

/* What the schemas import may lie below this folder. */
static void set_folder(struct fmp_policy *p, const char *file)
{
	const char *slash = strrchr(file, '/');
	char *folder = slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : NULL;
	char *real = realpath(folder ? folder : ".", NULL);

	/* A policy that lies in "/" does not open the whole system. */
	if (real && real[1] && strlen(real) < sizeof(p->folder))
		strcpy(p->folder, real);
	free(folder);
	free(real);
}

/* Services, overrides and groups inherit, so they are read after the settings of all files;
 * overrides also after all services, which they name. The schema validates last, because its
 * errors are the least clear. */
static int read_inheriting(struct fmpi_reader *r)
{
	int rc = 0;

	for (unsigned i = 0; i < r->n_order && !rc; i++) {
		fmpi_include_enter(r, r->order[i]);
		rc = fmpi_services_read(r);
	}
	for (unsigned i = 0; i < r->n_order && !rc; i++) {
		fmpi_include_enter(r, r->order[i]);
		rc = fmpi_overrides_read(r);
		if (!rc)
			rc = fmpi_groups_read(r);
		if (!rc)
			rc = fmpi_policy_validate(r, r->xsd);
	}
	return rc;
}

static int read_policy(struct fmpi_reader *r, const void *bytes, size_t len, const char *name)
{
	int rc = fmpi_includes_read(r, bytes, len, name);

	if (!rc)
		rc = read_inheriting(r);
	if (!rc)
		rc = fmpi_policy_check(r->policy, &r->where, r->err);
	if (!rc && !r->policy->n_services)
		rc = fmpi_headers_check(r, &r->policy->gateway, NULL);
	if (!rc)
		rc = fmpi_policy_check_counts(r);
	if (!rc)
		rc = fmpi_policy_check_idle(r);
	if (rc)
		return rc;
	r->policy->group_index = fmpi_group_index_make(r->policy);
	return fmpi_origin_new(r);
}

int fmp_policy_load_memory(const void *bytes, size_t len, const char *name, const char *xsd,
			   struct fmp_policy **out, struct fmp_error *err)
{
	struct fmpi_reader *r;
	int rc;

	if (len > FMPI_FILE_MAX)
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0,
				    "larger than 1 MiB: not a policy");
	if (strlen(name) >= sizeof((*out)->file))
		return fmp_error_at(err, FMP_ERR_LIMIT, name, 0, 0, "the file's name is too long");
	r = calloc(1, sizeof(*r));
	if (r)
		r->policy = fmp_policy_default();
	if (!r || !r->policy) {
		free(r);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	r->err = err;
	r->xsd = xsd;
	snprintf(r->policy->file, sizeof(r->policy->file), "%s", name);
	set_name_from_file(r->policy, name);
	set_folder(r->policy, name);

	rc = read_policy(r, bytes, len, name);
	fmpi_includes_free(r);
	if (rc)
		fmp_policy_free(r->policy);
	else
		*out = r->policy;
	free(r);
	return rc;
}

int fmp_policy_load(const char *file, const char *xsd, struct fmp_policy **out,
		    struct fmp_error *err)
{
	struct fmpi_include source;
	int sys, rc = fmpi_file_read(file, &source, &sys);

	if (rc == FMP_ERR_IO && (sys == FMPI_NO_FILE || sys == EISDIR))
		return fmp_error_at(err, FMP_ERR_IO, file, 0, 0, "%s", fmpi_file_why(sys));
	if (rc == FMP_ERR_IO)
		return fmp_error_sys(err, FMP_ERR_IO, sys, "%s", file);
	if (rc)
		return fmp_error_at(err, rc, file, 0, 0,
				    rc == FMP_ERR_NOMEM ? "out of memory"
							: "larger than 1 MiB: not a policy");
	rc = fmp_policy_load_memory(source.text, source.len, file, xsd, out, err);
	free(source.text);
	return rc;
}
