// SPDX-License-Identifier: GPL-2.0
/* What <service>, <client>, <override> and <group> may say: the settings of their own, and others' that
 * they borrow. Readers (services.c, overrides.c) and writers (emit.c) go by it. */
#include <policy/emit.h>
#include <fmp/internal/policy_xml.h>

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* ---- <service> and <client> ---- */

#define SERVICE(attr, ty, field, most)                                                         \
	{                                                                                      \
		.element = "service", .attribute = attr, .type = ty,                           \
		.offset = offsetof(struct fmp_policy_service, field),                          \
		.size = sizeof(((struct fmp_policy_service *)0)->field), .min = 1, .max = most \
	}

static const struct fmpi_setting of_service[] = {
	SERVICE("name", FMPI_NAME, name, 31),	   SERVICE("path", FMPI_WORD, path, 120),
	SERVICE("action", FMPI_WORD, action, 255), SERVICE("backend", FMPI_WORD, backend, 255),
	SERVICE("ca", FMPI_FILE, ca, 255),
};

/* The gateway's alone: there is one log, one set of workers, one user. */
static const char *const gateway_only[] = { "access-log", "workers", "worker-memory", "user" };

bool fmpi_service_takes(const struct fmpi_setting *s)
{
	for (size_t i = 0; i < COUNT(gateway_only); i++)
		if (!strcmp(gateway_only[i], s->attribute))
			return false;
	return !strcmp(s->element, "gateway");
}

const char *fmpi_service_attribute(size_t i)
{
	if (i < COUNT(of_service))
		return of_service[i].attribute;
	i -= COUNT(of_service);
	for (size_t s = 0; s < fmpi_n_settings; s++)
		if (fmpi_service_takes(&fmpi_settings[s]) && !i--)
			return fmpi_settings[s].attribute;
	return NULL;
}

const struct fmpi_setting *fmpi_service_own(size_t i)
{
	return i < COUNT(of_service) ? &of_service[i] : NULL;
}

bool fmpi_is_service(const char *element)
{
	return !strcmp(element, "service") || !strcmp(element, "client");
}

/* ---- <override> ---- */

#define OVERRIDE(attr, ty, field, low, high)                                                      \
	{                                                                                         \
		.element = "override", .attribute = attr, .type = ty,                             \
		.offset = offsetof(struct fmp_policy_override, field),                            \
		.size = sizeof(((struct fmp_policy_override *)0)->field), .min = low, .max = high \
	}

static const struct fmpi_setting of_override[] = {
	OVERRIDE("service", FMPI_NAME, service, 1, 31),
	OVERRIDE("port", FMPI_COUNT, port, 1, 65535),
	OVERRIDE("pool", FMPI_BOOL, pool, 0, 1),
};

/* Of <suspicion> and <block>, each under a name that only one of them has. */
static const char *const borrowed[][2] = {
	{ "suspicion", "suspicious" },
	{ "suspicion", "malicious" },
	{ "suspicion", "rank-per-cpu-ms" },
	{ "block", "layers" },
	{ "block", "duration" },
	{ "block", "factor" },
	{ "block", "max" },
};

const struct fmpi_setting *fmpi_override_own(size_t i)
{
	return i < COUNT(of_override) ? &of_override[i] : NULL;
}

const struct fmpi_setting *fmpi_override_borrowed(size_t i)
{
	return i < COUNT(borrowed) ? fmpi_setting_find(borrowed[i][0], borrowed[i][1]) : NULL;
}

const char *fmpi_override_attribute(size_t i)
{
	if (i < COUNT(of_override))
		return of_override[i].attribute;
	i -= COUNT(of_override);
	return i < COUNT(borrowed) ? borrowed[i][1] : NULL;
}

/* ---- <group>: the same of others ---- */

static const char *const group_actions[] = { [FMP_GROUP_BLOCK] = "block",
					     [FMP_GROUP_LIMIT] = "limit",
					     [FMP_GROUP_OBSERVE] = "observe",
					     [FMP_GROUP_ACTIONS] = NULL };

#define GROUP(attr, ty, field, low, high)                                                      \
	{                                                                                      \
		.element = "group", .attribute = attr, .type = ty,                             \
		.offset = offsetof(struct fmp_policy_group, field),                            \
		.size = sizeof(((struct fmp_policy_group *)0)->field), .min = low, .max = high \
	}

static const struct fmpi_setting of_group[] = {
	GROUP("name", FMPI_NAME, name, 1, 31),
	{
		.element = "group",
		.attribute = "action",
		.type = FMPI_CHOICE,
		.offset = offsetof(struct fmp_policy_group, action),
		.size = sizeof(((struct fmp_policy_group *)0)->action),
		.names = group_actions,
	},
	GROUP("rate", FMPI_RATE, rate, 1, 1000000),
};

const struct fmpi_setting *fmpi_group_own(size_t i)
{
	return i < COUNT(of_group) ? &of_group[i] : NULL;
}

const char *fmpi_group_attribute(size_t i)
{
	if (i < COUNT(of_group))
		return of_group[i].attribute;
	i -= COUNT(of_group);
	if (!i--)
		return "address";
	return i < COUNT(borrowed) ? borrowed[i][1] : NULL;
}

/* ---- <blocklist> ---- */

#define BLOCKLIST(attr, ty, field, low, high)                                                      \
	{                                                                                          \
		.element = "blocklist", .attribute = attr, .type = ty,                             \
		.offset = offsetof(struct fmp_policy_blocklist, field),                            \
		.size = sizeof(((struct fmp_policy_blocklist *)0)->field), .min = low, .max = high \
	}

static const struct fmpi_setting of_blocklist[] = {
	BLOCKLIST("file", FMPI_FILE, file, 1, 255),
	BLOCKLIST("for", FMPI_MS, for_ms, 0, 3650 * 24 * 60 * 60 * 1000ull),
	BLOCKLIST("set", FMPI_NAME, set, 1, FMP_SET_NAME_MAX - 1),
};

const struct fmpi_setting *fmpi_blocklist_own(size_t i)
{
	return i < COUNT(of_blocklist) ? &of_blocklist[i] : NULL;
}
