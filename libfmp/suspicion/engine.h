/* SPDX-License-Identifier: GPL-2.0 */
/* The engine's inside, shared by engine.c (events), manual.c (people) and view.c (reading). */
#ifndef FMPI_SUSPICION_ENGINE_H
#define FMPI_SUSPICION_ENGINE_H

#include <fmp/suspicion.h>

#include <suspicion/table.h>

struct fmp_engine {
	const struct fmp_policy *policy;
	struct fmp_translators found; /* of the network, beside the policy's */
	struct fmpi_table table;
	uint64_t now_ms; /* the latest time seen: time never goes back */
	uint64_t next_id; /* of decisions */
	uint32_t counted[FMP_EVENT_KINDS]; /* fmp_policy_count_limit() of the policy */
	uint32_t least_suspicious; /* points, by any rule of the policy */
	uint64_t jitter; /* key of it */
	bool (*guard)(const struct fmp_addr *addr, void *ctx); /* NULL: nobody is protected */
	void *guard_ctx;
	bool (*kin)(const struct fmp_addr *addr, const struct fmp_event *by, struct fmp_addr *mac,
		    void *ctx); /* NULL: none */
	void *kin_ctx;
	struct fmp_addr
		rolled; /* a prefix just blocked, whose members' blocks are to end; {0}: none */
	struct fmp_addr *
		surplus; /* whose blocks are to end: more are in force than may be; the last one first */
	uint32_t n_surplus;
	struct fmp_engine_stats stats; /* the counters; the numbers of rows are made when asked for */
};

/** fmpi_engine_now() - takes note of the time. Return: it, or the latest seen if that is later. */
uint64_t fmpi_engine_now(struct fmp_engine *e, uint64_t now_ms);
/** fmpi_engine_key() - the key under which an address is watched. */
struct fmp_addr fmpi_engine_key(const struct fmp_engine *e, const struct fmp_addr *source);
/** fmpi_engine_valid() - may addr be a key: canonical, and never IPv4 in IPv6's clothes? */
bool fmpi_engine_valid(const struct fmp_addr *addr);
/** fmpi_engine_rank() - thousandths of a point of a row at a time. */
uint64_t fmpi_engine_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms);
/** fmpi_engine_credit() - the same of its good messages. */
uint64_t fmpi_engine_credit(const struct fmp_engine *e, const struct fmpi_row *row,
			    uint64_t now_ms);
/** fmpi_engine_weight() - the rank less the credit: what the thresholds are held against. */
uint64_t fmpi_engine_weight(const struct fmp_engine *e, const struct fmpi_row *row,
			    uint64_t now_ms);
/** fmpi_engine_pool() - thousandths of a point that are kept apart, at a time. */
uint64_t fmpi_engine_pool(const struct fmp_engine *e, const struct fmpi_ledger *l, uint64_t now_ms);
/** fmpi_engine_weight_of() - fmpi_engine_weight() of the pool of an override; NULL: of all. */
uint64_t fmpi_engine_weight_of(const struct fmp_engine *e, const struct fmpi_row *row,
			       const struct fmp_policy_override *o, uint64_t now_ms);
/** fmpi_engine_offences() - of a row at a time: 0 when they are forgotten. */
uint32_t fmpi_engine_offences(const struct fmp_engine *e, const struct fmpi_row *row,
			      uint64_t now_ms);
/** fmpi_engine_rules() - what holds for a row, by its newest bad message; where points are kept apart, for
 * the pool that is nearest to its threshold. Return: the weight of that pool, thousandths. */
uint64_t fmpi_engine_rules(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			   struct fmp_policy_rules *out);
/** fmpi_engine_pardon() - what a row has gathered counts no more: points and events. */
void fmpi_engine_pardon(struct fmpi_row *row, uint64_t now_ms);
/** fmpi_engine_place() - the place in the order of eviction of a rank at a time. */
uint64_t fmpi_engine_place(const struct fmp_engine *e, uint64_t rank, uint64_t now_ms);
/** fmpi_engine_keep() - the place of a row: of the highest of its pools; with strikes, or while it waits for a
 * block, no lower than that of a source at the threshold. */
uint64_t fmpi_engine_keep(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms);
/** fmpi_override_number() - what a row has of an override. Return: 0: the policy has none for these messages. */
uint8_t fmpi_override_number(const struct fmp_policy *p, const char *service, uint16_t port);
/** fmpi_engine_end() - what is in force against a row ends; *out says so. Its rank is 0 then, if it was
 * a block or is pardoned: who was but limited goes on with what he had. */
void fmpi_engine_end(struct fmp_engine *e, struct fmpi_row *row, const char *reason, bool pardon,
		     uint64_t now_ms, struct fmp_decision *out);
/** fmpi_engine_release() - the same, and its rank stays what it is. */
void fmpi_engine_release(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
			 uint64_t now_ms, struct fmp_decision *out);

/* decide.c */

/** fmpi_decide() - a row that has gathered more rank by a bad message. @kin: NULL: none, or the row of
 * its MAC. @kind: of the events that may be as many as count. Return: 1 a decision, 0 none. */
int fmpi_decide(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *kin,
		const struct fmp_event *ev, enum fmp_event_kind kind,
		const struct fmp_policy_rules *rules, uint64_t now_ms, struct fmp_decision *out);
/** fmpi_is_malicious() - by its points, its MAC's, or its events of this kind, and by these rules. */
bool fmpi_is_malicious(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct fmpi_row *kin, enum fmp_event_kind kind,
		       const struct fmp_policy_rules *rules, uint64_t now_ms);

/** fmpi_rules_name() - whose thresholds hold: "group office, override of port 22"; "": the policy's. */
void fmpi_rules_name(const struct fmp_policy_rules *rules, char *buf, size_t size);

/* waiting.c */

/** fmpi_wait() - there is no room for the block of a row. @kin: NULL, or the row of its MAC; @by_count: so many
 * events of this kind made it malicious. Return: false: it waited before, or there is no memory. */
bool fmpi_wait(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *kin,
	       const struct fmp_policy_rules *rules, enum fmp_event_kind kind, bool by_count,
	       uint64_t now_ms);
/** fmpi_has_turn() - is there room for a source that waits? */
bool fmpi_has_turn(const struct fmp_engine *e);
/** fmpi_decide_waiting() - the most dangerous of those that wait. Return: 1 a decision, 0 none. */
int fmpi_decide_waiting(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);

/* manual.c */

/** fmpi_most_by_hand() - how many of all blocks people may take: room is kept for those that the engine decides. */
uint32_t fmpi_most_by_hand(const struct fmp_engine *e);

/* surplus.c */

/** fmpi_surplus_end() - the next block that gives way. Return: 1 and its end, 0 none. */
int fmpi_surplus_end(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);
/** fmpi_surplus_free() - none is to give way any more. */
void fmpi_surplus_free(struct fmp_engine *e);

/* mac_siblings.c */

/** fmpi_mac_siblings_of() - is an address added up with others under a MAC? No row may be in use: rows may be
 * restored by it. */
bool fmpi_mac_siblings_of(const struct fmp_engine *e, const struct fmp_addr *source,
			  const struct fmp_event *by, struct fmp_addr *mac);
/** fmpi_mac_siblings_row() - the row of the MAC, made if there is none. Return: NULL: the row counts by itself. */
struct fmpi_row *fmpi_mac_siblings_row(struct fmp_engine *e, struct fmpi_row *one,
				       const struct fmp_addr *mac, uint64_t now_ms);
/** fmpi_mac_siblings_evaluate() - does the sum count for this address? */
bool fmpi_mac_siblings_evaluate(const struct fmpi_row *row);
/** fmpi_mac_siblings_pardon() - a person has let one of them go. */
void fmpi_mac_siblings_pardon(struct fmp_engine *e, const struct fmp_addr *mac, uint64_t now_ms);

/* forms.c */

/** An IPv4 host, and its forms behind translators. */
#define FMPI_FORMS_MAX (FMP_FORMS_MAX + 1u)
/** fmpi_host_of() - the IPv4 host that a row is. Return: false: it is none, or one of a found prefix. */
bool fmpi_host_of(const struct fmp_engine *e, const struct fmp_addr *key, struct fmp_addr *host);
/** fmpi_forms_rows() - the rows of the same host under its other names, always in the same order. Return: how
 * many. */
size_t fmpi_forms_rows(const struct fmp_engine *e, const struct fmp_addr *key,
		       struct fmpi_row *rows[FMPI_FORMS_MAX]);
/** fmpi_forms_pardon() - a person has let one of them go. */
void fmpi_forms_pardon(struct fmp_engine *e, const struct fmp_addr *key, uint64_t now_ms);

/* prefix_aggregate.c */

/** fmpi_prefix_aggregate() - one block for the prefix of a row that is to be blocked, if it is ripe.
 * Return: 1 a decision, 0 none: the row is to be blocked itself. */
int fmpi_prefix_aggregate(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
			  uint64_t now_ms, struct fmp_decision *out);
/** fmpi_prefix_aggregate_settle() - the blocks within a prefix just blocked end now. */
void fmpi_prefix_aggregate_settle(struct fmp_engine *e);
/** fmpi_duration() - of a row's next block, after so many before; id: jitters it. */
uint64_t fmpi_duration(const struct fmp_engine *e, const struct fmp_policy_block *b,
		       uint32_t strikes, uint64_t id);
/** fmpi_copy_text() - as much of src as fits, cut between two UTF-8 characters. */
void fmpi_copy_text(char *dst, size_t size, const char *src);

#endif
