// SPDX-License-Identifier: GPL-2.0
/*
 * Restore what an earlier fmpd knew from the state file: rows go to the engine, decisions to the table, some at a time. If
 * something is to be decided about a source meanwhile, its row is restored first, with prefix aggregation also the rows
 * of its prefix. The kernel's rules are adopted afterwards; rules that the kernel lost in a reboot are added by the first
 * reconcile.
 */
#include "plane_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/clock.h"
#include "../common/log.h"
#include "../state/state_file.h"

/* Offset of the row of a source; or the first member of the list of a group. */
struct slot {
	uint32_t hash, at; /* at 0: free */
};

struct row_index {
	struct slot *slots;
	size_t n, cap; /* cap: 0 or a power of two */
};

/* A row of a source in a group: the sources of one prefix, which may be blocked as one. */
struct member {
	uint32_t at; /* offset of the row */
	uint32_t next; /* 0: the last one; else members[next - 1] */
};
#define GROUP_RESTORED UINT32_MAX

struct plane_restore {
	struct fmpd_plane *p;
	struct fmpd_state_reader reader;
	void *bytes; /* of the whole file */
	struct fmpd_state_time written;
	uint64_t opened_ms, age_ms; /* of the file, when it was opened */
	uint64_t now_ms;
	uint64_t max_id;
	struct row_index rows, groups; /* groups: of the policy's prefix aggregation (<rollup>) */
	struct member *members;
	size_t n_members, cap_members;
	bool no_index; /* without memory for the index */
	bool done; /* all rows are restored */
	size_t n_restored, n_blocks, n_refused, n_protected;
};

/* Age of the file now. */
static uint64_t get_age_ms(const struct plane_restore *r)
{
	return r->age_ms + fmpd_since(r->now_ms, r->opened_ms);
}

/* Block a MAC again only if the address still has it, or if the kernel does not know. */
static void check_mac(struct fmpd_plane *p, struct fmp_decision *d)
{
	struct fmp_addr mac;

	if (!d->mac.family)
		return;
	if (!p->policy->block.mac)
		d->mac_veto = FMP_MAC_POLICY;
	else if (fmp_protect_check(p->protect, &d->mac))
		d->mac_veto = FMP_MAC_PROTECTED;
	else if (fmp_addr_is_ip(&d->source) && !fmp_net_lookup_mac(p->net, &d->source, &mac) &&
		 !fmp_addr_equal(&mac, &d->mac))
		d->mac_veto = FMP_MAC_UNKNOWN;
	else
		return;
	d->mac = (struct fmp_addr){ 0 };
}

/* May the address be blocked in a pair again? The pair binds only the MAC that was bad, whichever host has the address. */
static bool may_restore_pair(const struct fmpd_plane *p, const struct fmpd_state_row *row)
{
	const struct fmp_saved_source *s = &row->source;
	const struct fmp_addr *mac = &row->pair_mac;

	return mac->family == FMP_FAMILY_MAC &&
	       mac->prefix_len == fmp_addr_max_prefix(FMP_FAMILY_MAC) && !(mac->bytes[0] & 1) &&
	       fmp_addr_is_ip(&s->source) &&
	       s->source.prefix_len == fmp_addr_max_prefix(s->source.family) &&
	       s->action_kind == FMP_ACTION_KIND_BLOCK && !s->block_port &&
	       !fmp_protect_check(p->protect, mac);
}

/* The MAC's own time went on while no fmpd ran; after it another host may have the MAC. */
static void check_mac_left(struct fmp_decision *d, uint64_t left_ms, uint64_t age_ms)
{
	if (!d->mac.family || !left_ms)
		return;
	if (left_ms > age_ms) {
		d->mac_ms = left_ms - age_ms;
		return;
	}
	d->mac = (struct fmp_addr){ 0 };
	d->mac_veto = FMP_MAC_RANDOM;
}

/* Add the block that the engine restored to the table, with the time that is left. */
static void add_record(struct plane_restore *r, const struct fmp_saved_source *s,
		       const struct fmpd_state_row *row)
{
	struct fmp_source_info info;
	struct fmpd_record *record;
	struct fmp_decision d = {
		.id = s->decision_id,
		.action = FMP_ACTION_BLOCK,
		.source = s->source,
		.mac = s->mac,
		.pair_mac = s->paired ? row->pair_mac : (struct fmp_addr){ 0 },
		.mac_veto = s->mac.family ? FMP_MAC_OK : row->mac_veto,
		.layers = s->layers | r->p->policy->block.layers,
		.action_kind = s->action_kind,
		.rate = s->rate,
		.dest_port = s->block_port,
		.manual = row->manual,
		.time_ms = r->now_ms,
	};

	if (fmp_engine_get(r->p->engine, &s->source, r->now_ms, &info) || !info.blocked_until_ms)
		return;
	if (info.blocked_until_ms != UINT64_MAX)
		d.duration_ms = info.blocked_until_ms - r->now_ms;
	check_mac(r->p, &d);
	check_mac_left(&d, row->mac_left_ms, get_age_ms(r));
	memcpy(d.reason, row->reason, sizeof(d.reason));
	memcpy(d.set, row->set, sizeof(d.set));
	record = fmpd_table_put(r->p->table, &d);
	if (!record)
		return;
	record->threshold_ns = record->results_ns = fmpd_now_ns();
	r->n_blocks++;
}

static void restore_row(struct plane_restore *r, const struct fmpd_state_row *row)
{
	struct fmp_saved_source s = row->source;
	struct fmp_error err;
	bool n_protected;
	int rc;

	r->now_ms = fmpd_now_ms();
	n_protected = s.blocked && plane_check_protected(r->p, &s.source, &err);
	if (n_protected)
		s.blocked = false;
	s.paired = may_restore_pair(r->p, row);
	rc = fmp_engine_restore(r->p->engine, &s, get_age_ms(r), r->now_ms);
	/* Restored earlier, by plane_restore_source(). */
	if (rc == FMP_ERR_EXISTS)
		return;
	if (n_protected)
		fmpd_log(FMPD_WARNING, "state", "a block is not restored: %s", err.message);
	r->n_protected += n_protected;
	r->n_refused += rc != 0;
	r->n_restored += !rc;
	if (!rc && s.blocked)
		add_record(r, &s, row);
}

/* ---- where each row is ---- */

static struct slot *find_free_slot(const struct row_index *x, uint32_t hash)
{
	size_t at = hash & (x->cap - 1);

	while (x->slots[at].at)
		at = (at + 1) & (x->cap - 1);
	return &x->slots[at];
}

static bool index_add(struct row_index *x, struct slot one)
{
	struct row_index more = { .cap = x->cap ? 2 * x->cap : 256, .n = x->n };

	if (x->n * 4 >= x->cap * 3) {
		more.slots = calloc(more.cap, sizeof(*more.slots));
		if (!more.slots)
			return false;
		for (size_t i = 0; i < x->cap; i++)
			if (x->slots[i].at)
				*find_free_slot(&more, x->slots[i].hash) = x->slots[i];
		free(x->slots);
		*x = more;
	}
	*find_free_slot(x, one.hash) = one;
	x->n++;
	return true;
}

/* The first slot with a hash at or after i. Return: NULL if there is none. */
static struct slot *index_find(const struct row_index *x, uint32_t hash, size_t i)
{
	for (; x->cap && x->slots[i & (x->cap - 1)].at; i++)
		if (x->slots[i & (x->cap - 1)].hash == hash)
			return &x->slots[i & (x->cap - 1)];
	return NULL;
}

static uint32_t hash_source(const struct plane_restore *r, const struct fmp_addr *source)
{
	return (uint32_t)fmp_addr_hash(source, r->p->seed);
}

/* The hash of the prefix that a source may be blocked with. Return: false if there is none. */
static bool hash_group(const struct plane_restore *r, const struct fmp_addr *source, uint32_t *hash)
{
	const struct fmp_policy_rollup *roll = &r->p->policy->block.rollup;
	uint8_t len = source->family == FMP_FAMILY_IPV4 ? roll->ipv4_prefix : roll->ipv6_prefix;
	struct fmp_addr prefix;

	if (!roll->sources || !fmp_addr_is_ip(source) || source->prefix_len <= len)
		return false;
	prefix = fmp_addr_mask(*source, len);
	*hash = hash_source(r, &prefix);
	return true;
}

/* Groups with equal hashes share a list: then some rows are restored earlier than they must be. */
static bool join_group(struct plane_restore *r, const struct fmp_addr *source, size_t at)
{
	struct slot *group;
	uint32_t hash;

	if (!hash_group(r, source, &hash))
		return true;
	if (r->n_members == r->cap_members) {
		size_t cap = r->cap_members ? 2 * r->cap_members : 256;
		struct member *more = reallocarray(r->members, cap, sizeof(*more));

		if (!more)
			return false;
		r->members = more;
		r->cap_members = cap;
	}
	group = index_find(&r->groups, hash, hash);
	r->members[r->n_members++] = (struct member){ (uint32_t)at, group ? group->at : 0 };
	if (!group)
		return index_add(&r->groups, (struct slot){ hash, (uint32_t)r->n_members });
	group->at = (uint32_t)r->n_members;
	return true;
}

static void index_row(const struct fmpd_state_row *row, size_t at, void *ctx)
{
	const struct fmp_addr *source = &row->source.source;
	struct plane_restore *r = ctx;

	if (row->source.decision_id > r->max_id)
		r->max_id = row->source.decision_id;
	r->no_index = r->no_index ||
		      !index_add(&r->rows, (struct slot){ hash_source(r, source), (uint32_t)at }) ||
		      !join_group(r, source, at);
}

static void restore_key(struct plane_restore *r, const struct fmp_addr *key)
{
	uint32_t hash = hash_source(r, key);
	struct fmpd_state_row row;
	struct slot *one;

	for (size_t i = hash; (one = index_find(&r->rows, hash, i));
	     i = (size_t)(one - r->rows.slots) + 1)
		if (!fmpd_state_row(&r->reader, one->at, &row) &&
		    fmp_addr_equal(&row.source.source, key)) {
			restore_row(r, &row);
			return;
		}
}

/* The other sources of its prefix: whether the prefix is blocked depends on how many of them are blocked, and on good
 * messages from any. */
static void restore_group(struct plane_restore *r, const struct fmp_addr *source)
{
	struct fmpd_state_row row;
	struct slot *group;
	uint32_t hash, i;

	if (!hash_group(r, source, &hash))
		return;
	group = index_find(&r->groups, hash, hash);
	if (!group || group->at == GROUP_RESTORED)
		return;
	for (i = group->at; i; i = r->members[i - 1].next)
		if (!fmpd_state_row(&r->reader, r->members[i - 1].at, &row))
			restore_row(r, &row);
	group->at = GROUP_RESTORED;
}

void plane_restore_source(struct plane_restore *r, const struct fmp_addr *source)
{
	if (r->no_index) {
		(void)plane_restore_some(r, SIZE_MAX);
		return;
	}
	restore_key(r, source);
	/* The source may be known by a prefix that contains it. */
	for (uint8_t len = source->prefix_len; fmp_addr_is_ip(source) && len-- > 1;) {
		struct fmp_addr key = fmp_addr_mask(*source, len);

		restore_key(r, &key);
	}
	restore_group(r, source);
}

/* ---- the file ---- */

/* Keep a bad file as evidence, but never read it again. */
static void set_aside(const char *path, const struct fmp_error *err)
{
	char bad[PATH_MAX + 8];

	fmpd_log_error(FMPD_ERROR, "state", path, err);
	snprintf(bad, sizeof(bad), "%s.bad", path);
	if (rename(path, bad))
		fmpd_log(FMPD_ERROR, "state", "%s can't be set aside: %s", path, strerror(errno));
	else
		fmpd_log(
			FMPD_WARNING, "state",
			"nothing of before is known but the kernel's rules; the file is kept as %s",
			bad);
}

/* The file is trusted: a user who can write it can block and unblock any address. So only root or our own user may. */
static int check_file(const struct stat *st, struct fmp_error *err)
{
	if (!S_ISREG(st->st_mode) || !st->st_size || st->st_size > (off_t)FMPD_STATE_FILE_MAX)
		return fmp_error_set(err, FMP_ERR_SYNTAX, "this is no state of fmpd");
	if (st->st_uid && st->st_uid != geteuid())
		return fmp_error_set(
			err, FMP_ERR_DENIED,
			"it belongs to user %u, not to root or fmpd's own user: not believed",
			(unsigned)st->st_uid);
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return fmp_error_set(err, FMP_ERR_DENIED,
				     "others than its owner may write it (mode %o): not believed",
				     (unsigned)(st->st_mode & 07777));
	return 0;
}

/* Copy the file, do not map it: if a mapped file is truncated, the process dies of SIGBUS. Return: bytes read. */
static size_t read_fully(int fd, uint8_t *to, size_t size)
{
	size_t len = 0;

	while (len < size) {
		ssize_t n = read(fd, to + len, size - len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		len += (size_t)n;
	}
	return len;
}

/* Return: the file in memory; NULL if there is none, or it could not be read. */
static void *read_file(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct fmp_error err;
	struct stat st;
	void *bytes;
	int rc;

	if (fd < 0) {
		if (errno != ENOENT)
			fmpd_log(FMPD_ERROR, "state", "%s can't be read: %s", path,
				 strerror(errno));
		return NULL;
	}
	rc = fstat(fd, &st) ? fmp_error_sys(&err, FMP_ERR_IO, errno, "it can't be read")
			    : check_file(&st, &err);
	bytes = rc ? NULL : malloc((size_t)st.st_size);
	if (rc)
		set_aside(path, &err);
	else if (!bytes)
		fmpd_log(FMPD_ERROR, "state", "%s can't be read: no memory", path);
	else
		*len = read_fully(fd, bytes, (size_t)st.st_size);
	close(fd);
	return bytes;
}

/* Before any block is restored, so that no MAC of a next hop gets blocked. */
static void restore_next_hops(struct fmpd_plane *p, const struct fmpd_state_time *written)
{
	struct fmp_error err;

	for (size_t i = 0; i < written->n_nexthop_macs; i++)
		if (fmp_net_add_nexthop_mac(p->net, &written->nexthop_macs[i]))
			fmpd_log(FMPD_WARNING, "state", "a next hop's MAC is not restored");
	if (written->n_nexthop_macs && plane_rebuild_protected(p, &err) < 0)
		fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed", &err);
}

struct plane_restore *plane_restore_open(struct fmpd_plane *p)
{
	struct plane_restore *r = calloc(1, sizeof(*r));
	struct fmpd_state_time now;
	char path[PATH_MAX];
	struct fmp_error err;
	size_t len = 0;

	if (!r || !fmpd_state_path(&p->options, p->policy, path, sizeof(path))) {
		free(r);
		return NULL;
	}
	r->p = p;
	r->bytes = read_file(path, &len);
	if (!r->bytes) {
		free(r);
		return NULL;
	}
	if (fmpd_state_open(&r->reader, r->bytes, len, &r->written, index_row, r, &err)) {
		set_aside(path, &err);
		plane_restore_free(r);
		return NULL;
	}
	fmpd_state_now(&now);
	r->opened_ms = now.boot_ms;
	r->age_ms = fmpd_state_age(&r->written, &now);
	if (r->written.newest_id > r->max_id)
		r->max_id = r->written.newest_id;
	p->previous = (struct plane_previous){
		.newest_id = r->written.newest_id,
		.other_boot = fmpd_state_other_boot(&r->written, &now),
		.lists = r->written.lists,
	};
	restore_next_hops(p, &r->written);
	return r;
}

uint64_t plane_restore_max_id(const struct plane_restore *r)
{
	return r->max_id;
}

bool plane_restore_some(struct plane_restore *r, size_t n)
{
	struct fmpd_state_row row;
	char age[48];

	while (!r->done && n--) {
		if (fmpd_state_next(&r->reader, &row)) {
			restore_row(r, &row);
			continue;
		}
		fmpd_log(FMPD_NOTICE, "state",
			 "%zu sources are known from %s ago, %zu of them blocked; %zu can't be "
			 "taken, %zu are protected now",
			 r->n_restored, fmp_duration_format(r->age_ms, age, sizeof(age)),
			 r->n_blocks, r->n_refused, r->n_protected);
		r->done = true;
	}
	return r->done;
}

void plane_restore_free(struct plane_restore *r)
{
	if (!r)
		return;
	free(r->bytes);
	free(r->rows.slots);
	free(r->groups.slots);
	free(r->members);
	free(r);
}
