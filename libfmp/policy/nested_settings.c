// SPDX-License-Identifier: GPL-2.0
/* Tables of the settings that <service>, <client>, <override>, <group> and <blocklist> may have:
 * their own, and those of other elements that they may override. The readers (services.c,
 * overrides.c, groups.c) and the writer (emit.c) use them. */
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

static const struct fmpi_setting service_settings[] = {
	SERVICE("name", FMPI_NAME, name, 31),
	SERVICE("path", FMPI_WORD, path, 120),
	SERVICE("action", FMPI_WORD, action, 255),
	SERVICE("backend", FMPI_WORD, backend, 255),
};

/* Only the gateway has these: there is one log, one set of workers, one user. */
static const char *const gateway_only[] = { "access-log", "workers", "worker-memory", "user" };

bool fmpi_is_service_setting(const struct fmpi_setting *s)
{
	for (size_t i = 0; i < COUNT(gateway_only); i++)
		if (!strcmp(gateway_only[i], s->attribute))
			return false;
	return !strcmp(s->element, "gateway");
}

const char *fmpi_service_attribute(size_t i)
{
	if (i < COUNT(service_settings))
		return service_settings[i].attribute;
	i -= COUNT(service_settings);
	for (size_t s = 0; s < fmpi_n_settings; s++)
		if (fmpi_is_service_setting(&fmpi_settings[s]) && !i--)
			return fmpi_settings[s].attribute;
	return NULL;
}

const struct fmpi_setting *fmpi_service_setting(size_t i)
{
	return i < COUNT(service_settings) ? &service_settings[i] : NULL;
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

static const struct fmpi_setting override_settings[] = {
	OVERRIDE("service", FMPI_NAME, service, 1, 31),
	OVERRIDE("port", FMPI_COUNT, port, 1, 65535),
	OVERRIDE("pool", FMPI_BOOL, pool, 0, 1),
};

/* Settings of <suspicion> and <block>; each name occurs in only one of the two. */
static const char *const overridable[][2] = {
	{ "suspicion", "suspicious" },
	{ "suspicion", "malicious" },
	{ "suspicion", "rank-per-cpu-ms" },
	{ "block", "layers" },
	{ "block", "duration" },
	{ "block", "factor" },
	{ "block", "max" },
};

const struct fmpi_setting *fmpi_override_setting(size_t i)
{
	return i < COUNT(override_settings) ? &override_settings[i] : NULL;
}

const struct fmpi_setting *fmpi_overridable_setting(size_t i)
{
	return i < COUNT(overridable) ? fmpi_setting_find(overridable[i][0], overridable[i][1])
				      : NULL;
}

void *fmpi_overridable_field(const struct fmpi_setting *s, struct fmp_policy_suspicion *suspicion,
			     struct fmp_policy_block *block)
{
	size_t at = offsetof(struct fmp_policy, block);

	if (s->offset >= at && s->offset < at + sizeof(*block))
		return (char *)block + (s->offset - at);
	return (char *)suspicion + (s->offset - offsetof(struct fmp_policy, suspicion));
}

const char *fmpi_override_attribute(size_t i)
{
	if (i < COUNT(override_settings))
		return override_settings[i].attribute;
	i -= COUNT(override_settings);
	return i < COUNT(overridable) ? overridable[i][1] : NULL;
}

/* ---- <group> ---- */

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

static const struct fmpi_setting group_settings[] = {
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

const struct fmpi_setting *fmpi_group_setting(size_t i)
{
	return i < COUNT(group_settings) ? &group_settings[i] : NULL;
}

const char *fmpi_group_attribute(size_t i)
{
	if (i < COUNT(group_settings))
		return group_settings[i].attribute;
	i -= COUNT(group_settings);
	if (!i--)
		return "address";
	return i < COUNT(overridable) ? overridable[i][1] : NULL;
}

/* ---- <blocklist> ---- */

#define BLOCKLIST(attr, ty, field, low, high)                                                      \
	{                                                                                          \
		.element = "blocklist", .attribute = attr, .type = ty,                             \
		.offset = offsetof(struct fmp_policy_blocklist, field),                            \
		.size = sizeof(((struct fmp_policy_blocklist *)0)->field), .min = low, .max = high \
	}

static const struct fmpi_setting blocklist_settings[] = {
	BLOCKLIST("file", FMPI_FILE, file, 1, 255),
	BLOCKLIST("for", FMPI_MS, for_ms, 0, 3650 * 24 * 60 * 60 * 1000ull),
	BLOCKLIST("set", FMPI_NAME, set, 1, FMP_SET_NAME_MAX - 1),
};

const struct fmpi_setting *fmpi_blocklist_setting(size_t i)
{
	return i < COUNT(blocklist_settings) ? &blocklist_settings[i] : NULL;
}
