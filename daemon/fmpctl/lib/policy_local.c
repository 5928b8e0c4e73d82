// SPDX-License-Identifier: GPL-2.0
#include "policy_local.h"

#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmp/internal/policy_xml.h>

#include <fmp/internal/group.h>
#include <fmp/internal/spawn.h>

/* Add a warning at the setting with this value. Return: 0, FMP_ERR_NOMEM. */
static int add_warning(struct fmp_policy *p, const char *value, const char *text)
{
	struct fmp_error at = { 0 };
	struct fmp_position where;

	if (!fmp_policy_locate(p, value, &at))
		snprintf(at.file, sizeof(at.file), "%s", p->file);
	where = (struct fmp_position){ .line = at.line, .column = at.column, .file = at.file };
	return fmp_policy_warn(p, &where, "%s", text);
}

static int warn_devices(struct fmp_policy *p)
{
	char text[128];
	int rc = 0;

	for (unsigned i = 0; i < p->enforce.n_devices && !rc; i++) {
		const char *name = p->enforce.devices[i];

		if (if_nametoindex(name))
			continue;
		snprintf(text, sizeof(text), "there is no device %s now: %s until it comes", name,
			 p->enforce.device_layers[i] == FMP_LAYER_BIT(FMP_LAYER_IP)
				 ? "its layers say nothing"
				 : "nothing is filtered on it");
		rc = add_warning(p, name, text);
	}
	return rc;
}

static int warn_group(struct fmp_policy *p)
{
	const char *name = p->report.group;
	char text[200];
	gid_t gid;

	if (!*name || fmp_group_find(name, &gid))
		return 0;
	snprintf(text, sizeof(text),
		 "there is no group %s: nobody but root may report (groupadd --system %s)", name,
		 name);
	return add_warning(p, name, text);
}

static int warn_folder(struct fmp_policy *p, const char *file, const char *what)
{
	char folder[PATH_MAX], text[PATH_MAX + 128];
	const char *slash = strrchr(file, '/');
	struct stat st;

	if (!slash)
		return 0;
	snprintf(folder, sizeof(folder), "%.*s", slash > file ? (int)(slash - file) : 1, file);
	if (!stat(folder, &st) && S_ISDIR(st.st_mode))
		return 0;
	snprintf(text, sizeof(text),
		 "there is no folder %s for %s: make it (mkdir -p), or fmpd can't write there",
		 folder, what);
	return add_warning(p, file, text);
}

static int warn_all(struct fmp_policy *p)
{
	int rc = warn_devices(p);

	if (!rc)
		rc = warn_group(p);
	if (!rc && *p->state.file)
		rc = warn_folder(p, p->state.file, "the state");
	if (!rc && *p->metrics.file)
		rc = warn_folder(p, p->metrics.file, "the metrics");
	if (!rc && !strncmp(p->metrics.listen, "unix:", 5))
		rc = warn_folder(p, p->metrics.listen + 5, "the metrics");
	return rc;
}

/* The gateway names what it can't use: find the place of that in the policy. */
static void set_error_place(const struct fmp_policy *p, const char *file, const char *words,
			    struct fmp_error *err)
{
	struct fmp_error at = { 0 };
	char message[sizeof(at.message)];

	snprintf(message, sizeof(message), "%.*s (of another machine? --elsewhere)",
		 (int)sizeof(message) - 40, words);
	/* The text has a place already, or the policy has none for it. */
	if (!strncmp(words, file, strlen(file)) || !fmp_policy_locate(p, words, &at))
		(void)fmp_error_at(err, FMP_ERR_CONFLICT, file, 0, 0, "%s", message);
	else
		(void)fmp_error_at(err, FMP_ERR_CONFLICT, at.file, at.line, at.column, "%s",
				   message);
}

int policy_check_local(struct fmp_policy *p, const char *file, struct fmp_error *err)
{
	char program[PATH_MAX], path[PATH_MAX];
	struct fmp_error why;

	if (warn_all(p))
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	fmp_spawn_find("fmp-gateway", NULL, program, sizeof(program));
	/* Without a gateway no program would read the files. */
	if (access(program, X_OK) || !realpath(file, path))
		return 0;
	if (!fmp_spawn_check(&(struct fmp_spawn){ .program = program,
						  .policy = path,
						  .as_daemon = true,
						  /* Given on fmpd's command line. */
						  .backend = "http://127.0.0.1/" },
			     &why)) {
		/* Warnings of the gateway. */
		if (*why.message)
			fprintf(stderr, "fmpctl: %s\n", why.message);
		return 0;
	}
	set_error_place(p, file, why.message, err);
	return FMP_ERR_CONFLICT;
}
