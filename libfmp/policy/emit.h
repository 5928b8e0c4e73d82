/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Traversal of a policy, element by element, by the same table as the reader's. Printing (print.c)
 * and comparing (diff.c) are sinks of this one traversal, so a setting added to the table is in
 * both.
 */
#ifndef FMPI_POLICY_EMIT_H
#define FMPI_POLICY_EMIT_H

#include <fmp/internal/policy_settings.h>

/** Receives the elements; each function returns 0, or non-zero to stop. */
struct fmpi_sink {
	/** An element begins. @key: distinguishes it among elements of the same name; NULL: it is
	 * the only one */
	int (*open)(struct fmpi_sink *s, const char *element, const char *key);
	int (*attribute)(struct fmpi_sink *s, const char *name, const char *value);
	/** The text of the current element, which holds nothing else. */
	int (*text)(struct fmpi_sink *s, const char *value);
	int (*close)(struct fmpi_sink *s, const char *element);
};

/** fmpi_policy_emit() - Return: 0, what the sink returned, FMP_ERR_NOMEM. */
int fmpi_policy_emit(const struct fmp_policy *p, struct fmpi_sink *sink);

/* nested_settings.c: settings of <service> and <client>. Row i; NULL behind the last. */
const struct fmpi_setting *fmpi_service_setting(size_t i);
bool fmpi_is_service_setting(const struct fmpi_setting *s);

/* Settings of <override>, and those of <suspicion> and <block> that it may override. Row i; NULL
 * behind the last. */
const struct fmpi_setting *fmpi_override_setting(size_t i);
const struct fmpi_setting *fmpi_overridable_setting(size_t i);

const struct fmpi_setting *fmpi_blocklist_setting(size_t i);

/* Settings of <group>, which may override the same. Its address list is read and written
 * separately. */
const struct fmpi_setting *fmpi_group_setting(size_t i);
/** fmpi_overridable_field() - the field of an overridable setting in a pair of structs */
void *fmpi_overridable_field(const struct fmpi_setting *s, struct fmp_policy_suspicion *suspicion,
			     struct fmp_policy_block *block);

#endif
