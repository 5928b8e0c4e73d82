/* SPDX-License-Identifier: GPL-2.0 */
/* What fmpd says of itself, in records of control.h. */
#ifndef FMPD_SHOW_H
#define FMPD_SHOW_H

#include "../supervisor/nat64.h"
#include "reply_stream.h"
#include "../plane/plane.h"
#include "reporters.h"
#include "../supervisor/supervisor.h"

/** struct fmpd_show - where all is looked up. */
struct fmpd_show {
	struct fmpd_plane *plane;
	struct fmpd_supervisor *supervisor; /**< NULL: no gateway */
	struct fmpd_reporters *reporters;
	struct fmpd_nat64 *nat64; /**< NULL: not yet, or no longer */
};

/** fmpd_show_status() - Return: 0, or what kept it from asking for the devices. */
FMP_MUST_CHECK int fmpd_show_status(const struct fmpd_show *s, struct fmpd_reply *o,
				    struct fmp_error *err);
void fmpd_show_sources(const struct fmpd_show *s, struct fmpd_reply *o);
void fmpd_show_why(const struct fmpd_show *s, struct fmpd_reply *o, const struct fmp_addr *addr);
/** fmpd_show_protection() - the entry that protects an address, if one does. */
void fmpd_show_protection(const struct fmpd_show *s, struct fmpd_reply *o,
			  const struct fmp_addr *addr);
void fmpd_show_protected(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_settings() - of the policy in force, each. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpd_show_settings(const struct fmpd_show *s, struct fmpd_reply *o);
void fmpd_show_policy(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_decisions() - every block in force, or of a set ("": of any), without asking the kernel. */
void fmpd_show_decisions(const struct fmpd_show *s, struct fmpd_reply *o, const char *set);
/** fmpd_show_decision() - one decision and its answers. @ask: ask the layers for it, too. */
void fmpd_show_decision(const struct fmpd_show *s, struct fmpd_reply *o,
			const struct fmpd_record *r, bool ask);
/** fmpd_show_covering_blocks() - the blocks in force that hold an address. @mac: its own; {0}: none is known;
 * @but: not this one, which is shown already; NULL */
void fmpd_show_covering_blocks(const struct fmpd_show *s, struct fmpd_reply *o,
			       const struct fmp_addr *addr, const struct fmp_addr *mac,
			       const struct fmpd_record *but);
/** fmpd_show_event() - @mac: its source's; {0}: it is not known */
void fmpd_show_event(struct fmpd_reply *o, const struct fmp_event *ev, uint64_t rank,
		     const struct fmp_addr *mac);
/** fmpd_show_entry() - of the protected set. @state: what became of it, "new" or "gone"; NULL: nothing */
void fmpd_show_entry(struct fmpd_reply *o, const struct fmp_protect_entry *e, const char *state);
/** fmpd_show_translators() - all of them. */
void fmpd_show_translators(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_translator() - a prefix of the network's own. @state: as of fmpd_show_entry() */
void fmpd_show_translator(struct fmpd_reply *o, const struct fmp_addr *prefix, const char *state);
void fmpd_show_gateway(struct fmpd_reply *o, const struct fmpd_options *options,
		       const struct fmpd_gateway_status *st, const char *what);

#endif
