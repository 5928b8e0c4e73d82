/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy taken apart again, element by element, by the same table as the reader's. What
 * is written of it (print.c) and what is compared (diff.c) are sinks of this one walk, so that
 * a setting added to the table is in both.
 */
#ifndef FMPI_POLICY_EMIT_H
#define FMPI_POLICY_EMIT_H

#include <fmp/internal/policy_settings.h>

/** What takes the parts; each returns 0 or what ends the walk. */
struct fmpi_sink {
	/** An element begins; key: what tells it from its like, NULL: it stands once. */
	int (*open)(struct fmpi_sink *s, const char *element, const char *key);
	int (*attribute)(struct fmpi_sink *s, const char *name, const char *value);
	/** The text of the element that was opened, which holds nothing else. */
	int (*text)(struct fmpi_sink *s, const char *value);
	int (*close)(struct fmpi_sink *s, const char *element);
};

/** fmpi_policy_emit() - Return: 0, what the sink returned, FMP_ERR_NOMEM. */
int fmpi_policy_emit(const struct fmp_policy *p, struct fmpi_sink *sink);

/* inner.c: the settings of a <service> */
const struct fmpi_setting *fmpi_service_own(size_t i);
bool fmpi_service_takes(const struct fmpi_setting *s);

/* Of an <override>, and of <suspicion> and <block> in it; NULL behind the last */
const struct fmpi_setting *fmpi_override_own(size_t i);
const struct fmpi_setting *fmpi_override_borrowed(size_t i);

const struct fmpi_setting *fmpi_blocklist_own(size_t i);

/* Of a <group>, which borrows the same; its address is a list, read and written apart */
const struct fmpi_setting *fmpi_group_own(size_t i);
/** fmpi_borrowed_field() - where a borrowed setting is in two structs of their own. */
void *fmpi_borrowed_field(const struct fmpi_setting *s, struct fmp_policy_suspicion *suspicion,
			  struct fmp_policy_block *block);

#endif
