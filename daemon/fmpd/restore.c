// SPDX-License-Identifier: GPL-2.0
/*
 * What an earlier fmpd knew, out of the state file: rows into the engine, decisions
 * into the book, some at a time; of a source that is asked for meanwhile, at once. The kernel's own
 * rules are adopted behind it; what it lost, by a reboot, the first reconcile puts there.
 */
#include "plane_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "clock.h"
#include "log.h"
#include "state.h"

/* Where the row of a source begins. */
struct place {
	uint32_t hash, at; /* at 0: free */
};

struct plane_restore {
	struct fmpd_plane *p;
	struct fmpd_state_reader reader;
	void *bytes; /* mapped */
	struct fmpd_state_time then;
	uint64_t opened_ms, age_ms; /* of the file, when it was opened */
	uint64_t now_ms;
	uint64_t max_id;
	struct place *index; /* of all rows */
	size_t n, cap; /* cap: 0 or a power of two */
	bool no_index; /* no memory for it */
	bool all; /* rows are known */
	size_t rows, blocks, refused, spared;
};

/* A MAC is blocked again only if it is still that address's, or nobody knows. */
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

/* What the engine has taken, with its end as it is now. */
static void into_book(struct plane_restore *r, const struct fmpd_state_row *row)
{
	const struct fmp_saved_source *s = &row->source;
	struct fmp_source_info info;
	struct fmpd_record *record;
	struct fmp_decision d = {
		.id = s->decision_id,
		.action = FMP_ACTION_BLOCK,
		.source = s->source,
		.mac = s->mac,
		.mac_veto = s->mac.family ? FMP_MAC_OK : row->mac_veto,
		.mac_ms = row->mac_left_ms,
		.layers = s->layers | r->p->policy->block.layers,
		.measure = s->measure,
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
	memcpy(d.reason, row->reason, sizeof(d.reason));
	record = fmpd_book_put(r->p->book, &d);
	if (!record)
		return;
	record->threshold_ns = record->answered_ns = fmpd_now_ns();
	r->blocks++;
}

static void restore_row(struct plane_restore *r, const struct fmpd_state_row *row)
{
	struct fmp_saved_source s = row->source;
	struct fmp_error err;
	bool spared;
	int rc;

	r->now_ms = fmpd_now_ms();
	spared = s.blocked && plane_forbidden(r->p, &s.source, &err);
	if (spared)
		s.blocked = false;
	rc = fmp_engine_restore(r->p->engine, &s, r->age_ms + fmpd_since(r->now_ms, r->opened_ms),
				r->now_ms);
	/* It was asked for before its turn came. */
	if (rc == FMP_ERR_EXISTS)
		return;
	if (spared)
		fmpd_log(FMPD_WARNING, "state", "a block is not restored: %s", err.message);
	r->spared += spared;
	r->refused += rc != 0;
	r->rows += !rc;
	if (!rc && s.blocked)
		into_book(r, row);
}

/* ---- where each row is ---- */

static void index_put(struct plane_restore *r, struct place one)
{
	size_t at = one.hash & (r->cap - 1);

	while (r->index[at].at)
		at = (at + 1) & (r->cap - 1);
	r->index[at] = one;
}

static bool index_grow(struct plane_restore *r)
{
	struct place *old = r->index;
	size_t was = r->cap, cap = was ? 2 * was : 256;

	r->index = calloc(cap, sizeof(*r->index));
	if (!r->index) {
		r->index = old;
		return false;
	}
	r->cap = cap;
	for (size_t i = 0; i < was; i++)
		if (old[i].at)
			index_put(r, old[i]);
	free(old);
	return true;
}

static uint32_t hash_of(const struct plane_restore *r, const struct fmp_addr *source)
{
	return (uint32_t)fmp_addr_hash(source, r->p->seed);
}

static void seen(const struct fmpd_state_row *row, size_t at, void *ctx)
{
	struct plane_restore *r = ctx;

	if (row->source.decision_id > r->max_id)
		r->max_id = row->source.decision_id;
	if (r->no_index)
		return;
	if (r->n * 4 >= r->cap * 3 && !index_grow(r)) {
		r->no_index = true;
		return;
	}
	index_put(r, (struct place){ hash_of(r, &row->source.source), (uint32_t)at });
	r->n++;
}

static void restore_key(struct plane_restore *r, const struct fmp_addr *key)
{
	uint32_t hash = hash_of(r, key);
	struct fmpd_state_row row;

	for (size_t i = hash & (r->cap - 1); r->cap && r->index[i].at; i = (i + 1) & (r->cap - 1))
		if (r->index[i].hash == hash && !fmpd_state_row(&r->reader, r->index[i].at, &row) &&
		    fmp_addr_equal(&row.source.source, key)) {
			restore_row(r, &row);
			return;
		}
}

void plane_restore_source(struct plane_restore *r, const struct fmp_addr *source)
{
	if (r->no_index) {
		(void)plane_restore_some(r, SIZE_MAX);
		return;
	}
	restore_key(r, source);
	/* And the prefixes that it is in, by one of which it is known. */
	for (uint8_t len = source->prefix_len; fmp_addr_is_ip(source) && len-- > 1;) {
		struct fmp_addr key = fmp_addr_mask(*source, len);

		restore_key(r, &key);
	}
}

/* ---- the file ---- */

/* It may be the evidence of what went wrong: kept, but never read again. */
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

/* Return: the file in memory, NULL if there is none that could be read. */
static void *map(const char *path, size_t *len)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	void *bytes = MAP_FAILED;
	struct stat st;

	if (fd < 0) {
		if (errno != ENOENT)
			fmpd_log(FMPD_ERROR, "state", "%s can't be read: %s", path,
				 strerror(errno));
		return NULL;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size ||
	    st.st_size > FMPD_STATE_FILE_MAX) {
		struct fmp_error err;

		(void)fmp_error_set(&err, FMP_ERR_SYNTAX, "this is no state of fmpd");
		set_aside(path, &err);
	} else {
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		*len = (size_t)st.st_size;
	}
	close(fd);
	return bytes == MAP_FAILED ? NULL : bytes;
}

/* Before any block is restored: no MAC of a next hop may be among them. */
static void learn(struct fmpd_plane *p, const struct fmpd_state_time *then)
{
	struct fmp_error err;

	for (size_t i = 0; i < then->n_learned; i++)
		if (fmp_net_learn(p->net, &then->learned[i]))
			fmpd_log(FMPD_WARNING, "state", "a next hop's MAC is not restored");
	if (then->n_learned && plane_guard(p, &err) < 0)
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
	r->bytes = map(path, &len);
	if (!r->bytes) {
		free(r);
		return NULL;
	}
	if (fmpd_state_open(&r->reader, r->bytes, len, &r->then, seen, r, &err)) {
		set_aside(path, &err);
		plane_restore_free(r);
		return NULL;
	}
	fmpd_state_now(&now);
	r->opened_ms = now.boot_ms;
	r->age_ms = fmpd_state_age(&r->then, &now);
	learn(p, &r->then);
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

	while (!r->all && n--) {
		if (fmpd_state_next(&r->reader, &row)) {
			restore_row(r, &row);
			continue;
		}
		fmpd_log(FMPD_NOTICE, "state",
			 "%zu sources are known from %s ago, %zu of them blocked; %zu can't be "
			 "taken, %zu are protected now",
			 r->rows, fmp_duration_format(r->age_ms, age, sizeof(age)), r->blocks,
			 r->refused, r->spared);
		r->all = true;
	}
	return r->all;
}

void plane_restore_free(struct plane_restore *r)
{
	if (!r)
		return;
	munmap(r->bytes, r->reader.len);
	free(r->index);
	free(r);
}
