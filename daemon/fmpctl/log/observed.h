/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What good messages had, as their events tell (observation.h), by name and source. Pure.
 *
 * Nothing here is trusted: a client may send any name. So names are counted by the sources that sent them, and it is the
 * reader that says which sources count, at the end.
 */
#ifndef FMPCTL_OBSERVED_H
#define FMPCTL_OBSERVED_H

#include <fmp/internal/addrmap.h>
#include <fmp/internal/observation.h>

/** Names that are counted; above it, the one with the fewest sources gives way to the next. */
#define OBSERVED_NAMES_MAX    256u
/** Sources of a service, and of a name, that are counted. */
#define OBSERVED_SOURCES_MAX  4096u
/** More services than a policy has. */
#define OBSERVED_SERVICES_MAX 32u

enum observed_what {
	OBSERVED_HEADER, /**< "{NAMESPACE}LOCAL" */
	OBSERVED_FIELD, /**< of HTTP, in lower case; it was not forwarded */
};

/** How a source sent a header block; bits. */
enum observed_how {
	OBSERVED_FORWARDED = 1,
	OBSERVED_SIGNED = 2, /**< it was dropped, though a signature that was verified covers it */
	OBSERVED_CLEAR = 4, /**< it was dropped, and nothing vouches for it */
};

struct observed_name {
	unsigned service; /**< index of its service */
	enum observed_what what;
	char text[FMP_OBSERVATION_VALUE];
	struct fmp_addrmap sources; /**< source -> bits of enum observed_how, of all its messages */
};

/** struct observed_sizes - the largest of one source; 0: not known, or none */
struct observed_sizes {
	struct fmp_addr source;
	uint32_t head, fields, target; /**< of HTTP */
	uint32_t parts; /**< attachments of a message */
	uint64_t part, bytes; /**< bytes of one, of all */
};

struct observed_service {
	char name[32]; /**< "": the only one */
	struct fmp_addrmap sources; /**< source -> index of its sizes, + 1 */
	struct observed_sizes *sizes;
	size_t n;
};

/** struct observed - starts zeroed; freed with observed_exit() */
struct observed {
	struct observed_service service[OBSERVED_SERVICES_MAX];
	unsigned n_services;
	struct observed_name *name;
	unsigned n_names;
};

/** observed_add() - add the text of one event; other texts than observations are left. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int observed_add(struct observed *o, const struct fmp_addr *source,
				const char *text);
void observed_exit(struct observed *o);

#endif
