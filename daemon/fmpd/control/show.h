/* SPDX-License-Identifier: GPL-2.0 */
/* Show the state of fmpd in records of <fmp/control.h>. */
#ifndef FMPD_SHOW_H
#define FMPD_SHOW_H

#include "../supervisor/nat64.h"
#include "reply_stream.h"
#include "../plane/plane.h"
#include "reporters.h"
#include "../supervisor/supervisor.h"

/** struct fmpd_show - the parts of fmpd that are shown. */
struct fmpd_show {
	struct fmpd_plane *plane;
	struct fmpd_supervisor *supervisor; /**< NULL: no gateway */
	struct fmpd_reporters *reporters;
	struct fmpd_nat64 *nat64; /**< NULL: not yet, or no longer */
};

/** fmpd_show_status() - Return: 0, or why the devices could not be read. */
FMP_MUST_CHECK int fmpd_show_status(const struct fmpd_show *s, struct fmpd_reply *o,
				    struct fmp_error *err);
void fmpd_show_sources(const struct fmpd_show *s, struct fmpd_reply *o);
void fmpd_show_why(const struct fmpd_show *s, struct fmpd_reply *o, const struct fmp_addr *addr);
/** fmpd_show_protection() - the entry that protects an address, if one does. */
void fmpd_show_protection(const struct fmpd_show *s, struct fmpd_reply *o,
			  const struct fmp_addr *addr);
void fmpd_show_protected(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_settings() - each setting of the policy in force. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int fmpd_show_settings(const struct fmpd_show *s, struct fmpd_reply *o);
void fmpd_show_policy(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_decisions() - each block in force, or of a set ("": of any), without asking the kernel. */
void fmpd_show_decisions(const struct fmpd_show *s, struct fmpd_reply *o, const char *set);
/** fmpd_show_decision() - one decision and its results. @ask: read its rules from the layers, too. */
void fmpd_show_decision(const struct fmpd_show *s, struct fmpd_reply *o,
			const struct fmpd_record *r, bool ask);
/** fmpd_show_covering_blocks() - the blocks in force that cover an address. @mac: its MAC; {0}: not known; @but: a
 * block to leave out, for it is shown already; may be NULL */
void fmpd_show_covering_blocks(const struct fmpd_show *s, struct fmpd_reply *o,
			       const struct fmp_addr *addr, const struct fmp_addr *mac,
			       const struct fmpd_record *but);
/** fmpd_show_event() - @mac: of its source; {0}: not known */
void fmpd_show_event(struct fmpd_reply *o, const struct fmp_event *ev, uint64_t rank,
		     const struct fmp_addr *mac);
/** fmpd_show_entry() - an entry of the protected set. @state: its change, "new" or "gone"; NULL: none */
void fmpd_show_entry(struct fmpd_reply *o, const struct fmp_protect_entry *e, const char *state);
/** fmpd_show_translators() - all of them. */
void fmpd_show_translators(const struct fmpd_show *s, struct fmpd_reply *o);
/** fmpd_show_translator() - a prefix of the network's. @state: as for fmpd_show_entry() */
void fmpd_show_translator(struct fmpd_reply *o, const struct fmp_addr *prefix, const char *state);
void fmpd_show_gateway(struct fmpd_reply *o, const struct fmpd_options *options,
		       const struct fmpd_gateway_status *st, const char *what);

#endif
