/* SPDX-License-Identifier: GPL-2.0 */
/* Internals of the engine. */
#ifndef FMPI_SUSPICION_ENGINE_H
#define FMPI_SUSPICION_ENGINE_H

#include <fmp/suspicion.h>

#include <suspicion/table.h>

struct fmp_engine {
	const struct fmp_policy *policy;
	struct fmp_translators found; /* discovered NAT64 prefixes, beside the policy's */
	struct fmpi_table table;
	uint64_t now_ms; /* the latest time seen */
	uint64_t next_id; /* of decisions */
	uint32_t counted[FMP_EVENT_KINDS]; /* fmp_policy_count_limit() for each kind */
	uint32_t least_suspicious; /* the lowest threshold of any setting of the policy */
	uint64_t jitter; /* its key */
	bool (*is_protected)(const struct fmp_addr *addr,
			     void *ctx); /* NULL: nothing is protected */
	void *protect_ctx;
	bool (*siblings)(const struct fmp_addr *addr, const struct fmp_event *by,
			 struct fmp_addr *mac, void *ctx); /* NULL: none */
	void *siblings_ctx;
	struct fmp_addr
		aggregated_prefix; /* the prefix just blocked, whose members' blocks are to end; {0}: none */
	struct fmp_addr *
		surplus; /* sources whose blocks are to end because of max_blocks; the last one first */
	uint32_t n_surplus;
	struct fmp_engine_stats stats; /* counters; the numbers of rows are computed on request */
};

/* rank.c */

/** fmpi_engine_now() - record the time. Return: it, or the latest one seen if that is later. */
uint64_t fmpi_engine_now(struct fmp_engine *e, uint64_t now_ms);
/** fmpi_engine_key() - the key of the row for an address. */
struct fmp_addr fmpi_engine_key(const struct fmp_engine *e, const struct fmp_addr *source);
/** fmpi_engine_valid() - is @addr a valid key: canonical, and not IPv4-mapped IPv6? */
bool fmpi_engine_valid(const struct fmp_addr *addr);
/** fmpi_engine_rank() - the rank of a row at a time, in thousandths of a point. */
uint64_t fmpi_engine_rank(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms);
/** fmpi_engine_credit() - the credit of a row at a time, in thousandths of a point. */
uint64_t fmpi_engine_credit(const struct fmp_engine *e, const struct fmpi_row *row,
			    uint64_t now_ms);
/** fmpi_engine_weight() - the rank less the credit, to compare with the thresholds. */
uint64_t fmpi_engine_weight(const struct fmp_engine *e, const struct fmpi_row *row,
			    uint64_t now_ms);
/** fmpi_engine_pool() - the rank of a pool at a time, in thousandths of a point. */
uint64_t fmpi_engine_pool(const struct fmp_engine *e, const struct fmpi_ledger *l, uint64_t now_ms);
/** fmpi_engine_pool_weight() - fmpi_engine_weight() for the pool of an override; NULL: the common
 * pool. */
uint64_t fmpi_engine_pool_weight(const struct fmp_engine *e, const struct fmpi_row *row,
				 const struct fmp_policy_override *o, uint64_t now_ms);
/** fmpi_engine_offences() - the offences of a row at a time; 0 if forgotten. */
uint32_t fmpi_engine_offences(const struct fmp_engine *e, const struct fmpi_row *row,
			      uint64_t now_ms);
/** fmpi_engine_rules() - the settings that apply to a row by its newest bad message; with several
 * pools, for the one nearest to its threshold. Return: the weight of that pool, in thousandths. */
uint64_t fmpi_engine_rules(const struct fmp_engine *e, const struct fmpi_row *row, uint64_t now_ms,
			   struct fmp_policy_rules *out);
/** fmpi_row_reset_rank() - clear the points and counts of a row. */
void fmpi_row_reset_rank(struct fmpi_row *row, uint64_t now_ms);
/** fmpi_engine_eviction_key() - the eviction key of a rank at a time. */
uint64_t fmpi_engine_eviction_key(const struct fmp_engine *e, uint64_t rank, uint64_t now_ms);
/** fmpi_row_eviction_key() - the eviction key of a row, by the highest of its pools; with
 * offences, or while it waits, at least that of a source at the threshold. */
uint64_t fmpi_row_eviction_key(const struct fmp_engine *e, const struct fmpi_row *row,
			       uint64_t now_ms);
/** fmpi_override_number() - the number of an override in the policy, as rows store it. Return: 0:
 * there is none for these messages. */
uint8_t fmpi_override_number(const struct fmp_policy *p, const char *service, uint16_t port);
/** fmpi_engine_end_block() - end the block or limit of a row, as decision *out. Resets the rank of
 * a block, and of a limit only if @reset_rank. */
void fmpi_engine_end_block(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
			   bool pardon, uint64_t now_ms, struct fmp_decision *out);
/** fmpi_engine_end_block_only() - end the block or limit of a row, and keep its rank. */
void fmpi_engine_end_block_only(struct fmp_engine *e, struct fmpi_row *row, const char *reason,
				uint64_t now_ms, struct fmp_decision *out);

/** fmpi_block_duration() - the duration of the next block after @offences earlier ones. @id:
 * randomizes it */
uint64_t fmpi_block_duration(const struct fmp_engine *e, const struct fmp_policy_block *b,
			     uint32_t offences, uint64_t id);
/** fmpi_copy_text() - copy as much of @src as fits, cut between two UTF-8 characters. */
void fmpi_copy_text(char *dst, size_t size, const char *src);

/* decide.c */

/** fmpi_decide() - decide about a row that has gathered rank by a bad message. @siblings: NULL, or
 * the row of its MAC. @kind: of event whose count is checked. Return: 1 a decision, 0 none. */
int fmpi_decide(struct fmp_engine *e, struct fmpi_row *row, const struct fmpi_row *siblings,
		const struct fmp_event *ev, enum fmp_event_kind kind,
		const struct fmp_policy_rules *rules, uint64_t now_ms, struct fmp_decision *out);
/** fmpi_is_malicious() - is a row malicious under these settings, by its points, its MAC's, or its
 * events of this kind? */
bool fmpi_is_malicious(const struct fmp_engine *e, const struct fmpi_row *row,
		       const struct fmpi_row *siblings, enum fmp_event_kind kind,
		       const struct fmp_policy_rules *rules, uint64_t now_ms);

/** fmpi_rules_name() - the origin of the thresholds: "group office, override of port 22"; "": the
 * policy. */
void fmpi_rules_name(const struct fmp_policy_rules *rules, char *buf, size_t size);

/* waiting.c */

/** fmpi_has_room_for_waiting() - is there a waiting source, and room for its block? */
bool fmpi_has_room_for_waiting(const struct fmp_engine *e);
/** fmpi_decide_waiting() - decide about the most dangerous waiting source. Return: 1 a decision, 0
 * none. */
int fmpi_decide_waiting(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);

/* manual.c */

/** fmpi_max_manual() - upper bound on manual blocks: room is reserved for automatic ones. */
uint32_t fmpi_max_manual(const struct fmp_engine *e);

/* surplus.c */

/** fmpi_surplus_end() - end the next surplus block. Return: 1 and its end, 0 none. */
int fmpi_surplus_end(struct fmp_engine *e, uint64_t now_ms, struct fmp_decision *out);
/** fmpi_surplus_free() - discard the list of surplus blocks. */
void fmpi_surplus_free(struct fmp_engine *e);

/* mac_siblings.c */

/** fmpi_mac_siblings_find() - the MAC under which an address is added up. May restore rows, so the
 * caller must not hold any. Return: false: it is judged by itself. */
bool fmpi_mac_siblings_find(const struct fmp_engine *e, const struct fmp_addr *source,
			    const struct fmp_event *by, struct fmp_addr *mac);
/** fmpi_mac_siblings_row() - the row of a MAC, created if there is none. Return: NULL: the address
 * is judged by itself. */
struct fmpi_row *fmpi_mac_siblings_row(struct fmp_engine *e, struct fmpi_row *one,
				       const struct fmp_addr *mac, uint64_t now_ms);
/** fmpi_mac_siblings_apply() - does the sum of its MAC apply to this address? */
bool fmpi_mac_siblings_apply(const struct fmpi_row *row);
/** fmpi_mac_siblings_reset() - clear the rank of a MAC, after a person has unblocked one of its
 * addresses. */
void fmpi_mac_siblings_reset(struct fmp_engine *e, const struct fmp_addr *mac, uint64_t now_ms);

/* forms.c */

/** The number of addresses of an IPv4 host: its own, and its forms behind NAT64 translators. */
#define FMPI_FORMS_MAX (FMP_FORMS_MAX + 1u)
/** fmpi_host_find() - the IPv4 host that a row stands for. Return: false: it stands for none, or
 * is of a discovered prefix. */
bool fmpi_host_find(const struct fmp_engine *e, const struct fmp_addr *key, struct fmp_addr *host);
/** fmpi_forms_rows() - the rows of the same host under its other addresses, always in the same
 * order. Return: how many. */
size_t fmpi_forms_rows(const struct fmp_engine *e, const struct fmp_addr *key,
		       struct fmpi_row *rows[FMPI_FORMS_MAX]);
/** fmpi_forms_reset() - clear the ranks of all forms of a host, after a person has unblocked one
 * of them. */
void fmpi_forms_reset(struct fmp_engine *e, const struct fmp_addr *key, uint64_t now_ms);

/* prefix_aggregate.c */

/** fmpi_prefix_aggregate() - block the prefix of a row that is to be blocked, if enough of its
 * sources are. Return: 1 a decision, 0 none: block the row itself. */
int fmpi_prefix_aggregate(struct fmp_engine *e, struct fmpi_row *row, const struct fmp_event *ev,
			  uint64_t now_ms, struct fmp_decision *out);
/** fmpi_prefix_aggregate_finish() - let the blocks within a prefix just blocked end now. */
void fmpi_prefix_aggregate_finish(struct fmp_engine *e);

#endif
