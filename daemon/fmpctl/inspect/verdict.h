/* SPDX-License-Identifier: GPL-2.0 */
/* The verdict on one message of a file, as text or JSON. */
#ifndef FMPCTL_VERDICT_H
#define FMPCTL_VERDICT_H

#include <fmp/inspect.h>

struct forwarding;

/** struct verdict - a message; members that are NULL or 0 are not known, and not printed */
struct verdict {
	const char *file;
	const struct fmp_inspection *v;
	unsigned number; /**< of an HTTP message in its file, from 1 */
	bool several; /**< the file has more than one */
	const char *service;
	const char *backend; /**< URL that it is forwarded to */
	int status; /**< of the gateway's own answer */
	const struct forwarding *forwarding;
};

void verdict_print_text(const struct verdict *v);
void verdict_print_json(const struct verdict *v);

/** verdict_refuse() - make the verdict that a message is refused. */
void verdict_refuse(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
		    const char *detail);

#endif
