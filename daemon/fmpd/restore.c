// SPDX-License-Identifier: GPL-2.0
/*
 * What an earlier fmpd knew, out of the state file: rows into the engine, decisions
 * into the book. The kernel's own rules are adopted behind it; what it lost, by a
 * reboot, the first reconcile puts there.
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

struct restore {
	struct fmpd_plane *p;
	struct fmpd_state_time then, now;
	uint64_t now_ms;
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
static void into_book(struct restore *r, const struct fmpd_state_row *row)
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

static int restore_row(const struct fmpd_state_row *row, void *ctx)
{
	struct fmp_saved_source s = row->source;
	struct restore *r = ctx;
	uint64_t age_ms = fmpd_state_age(&r->then, &r->now);
	struct fmp_error err;

	if (s.blocked && plane_forbidden(r->p, &s.source, &err)) {
		fmpd_log(FMPD_WARNING, "state", "a block is not restored: %s", err.message);
		s.blocked = false;
		r->spared++;
	}
	if (fmp_engine_restore(r->p->engine, &s, age_ms, r->now_ms)) {
		r->refused++;
		return 0;
	}
	r->rows++;
	if (s.blocked)
		into_book(r, row);
	return 0;
}

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

void plane_restore(struct fmpd_plane *p)
{
	struct restore r = { .p = p, .now_ms = fmpd_now_ms() };
	char path[PATH_MAX], age[48];
	struct fmp_error err;
	size_t len = 0;
	void *bytes;
	int rc;

	if (!fmpd_state_path(&p->options, p->policy, path, sizeof(path)))
		return;
	bytes = map(path, &len);
	if (!bytes)
		return;
	fmpd_state_now(&r.now);
	rc = fmpd_state_read(bytes, len, &r.then, NULL, NULL, &err);
	if (!rc) {
		learn(p, &r.then);
		rc = fmpd_state_read(bytes, len, &r.then, restore_row, &r, &err);
	}
	munmap(bytes, len);
	if (rc) {
		set_aside(path, &err);
		return;
	}
	fmpd_log(FMPD_NOTICE, "state",
		 "%zu sources are known from %s ago, %zu of them blocked; %zu can't be taken, "
		 "%zu are protected now",
		 r.rows, fmp_duration_format(fmpd_state_age(&r.then, &r.now), age, sizeof(age)),
		 r.blocks, r.refused, r.spared);
}
