// SPDX-License-Identifier: GPL-2.0
/* Blocks that fmpd does not decide by itself: by hand, of an imported list, of a set; and their end. */
#include "plane_private.h"

#include <stdio.h>
#include <string.h>

#include "../common/clock.h"
#include "../table/covering_block.h"

/*
 * An import must neither shorten a block nor take it over: flush --manual would end what fmpd decided by itself, and a
 * shorter list would let an attacker in. Only the same origin may renew its block: by hand with the same reason, and to a
 * later end; a named set as its list says. A limit, and a block of one MAC alone, are weaker than a block.
 */
static int check_import(const struct fmpd_plane *p, const struct fmpd_block_request *req,
			uint64_t duration_ms, const char *reason, struct fmp_error *err)
{
	const struct fmpd_record *r = fmpd_table_lookup_exact(p->table, &req->addr);
	char addr[FMP_ADDR_STRLEN];
	uint64_t left;

	if (!r || !r->in_force || r->d.action != FMP_ACTION_BLOCK ||
	    r->d.action_kind != FMP_ACTION_KIND_BLOCK || r->d.has_pair)
		return 0;
	if (req->set && *req->set && !strcmp(req->set, fmpd_table_set_name(p->table, r)))
		return 0;
	left = fmpd_record_left_ms(r, fmpd_now_ms()); /* 0: without end, as the duration's */
	if (r->d.manual && !strcmp(r->d.reason, reason) && !*fmpd_table_set_name(p->table, r) &&
	    (!duration_ms || (left && left < duration_ms)))
		return 0;
	return fmp_error_set(err, FMP_ERR_EXISTS, "%s: decision %llu stays",
			     fmp_addr_format(&req->addr, addr, sizeof(addr)),
			     (unsigned long long)r->d.id);
}

/* Another block stays. Note the address as a member of the set, which blocks it when that block has ended. */
static void note_set_member(struct fmpd_plane *p, const struct fmpd_block_request *req,
			    uint64_t duration_ms, uint64_t now_ms)
{
	if (req->set && *req->set)
		fmpd_set_members_add(p->set_members, &req->addr, req->set,
				     duration_ms ? now_ms + duration_ms : UINT64_MAX, now_ms,
				     p->policy->enforce.max_blocks);
}

static int set_refusal(const struct fmpd_plane *p, const struct fmp_addr *addr, int rc,
		       struct fmp_error *err)
{
	const struct fmp_policy_enforce *e = &p->policy->enforce;
	const struct fmpd_record *r = fmpd_table_lookup_exact(p->table, addr);

	if (rc != FMP_ERR_LIMIT)
		return fmp_error_set(err, (enum fmp_code)rc, "this can't be blocked");
	if (r && r->in_force)
		return fmp_error_set(
			err, FMP_ERR_LIMIT,
			"decision %llu of fmpd's own stays: by hand it would be one "
			"more than fit, %u%% of <enforce max-blocks=\"%u\"> are kept for "
			"what fmpd blocks by itself (automatic-share)",
			(unsigned long long)r->d.id, e->automatic_pct, e->max_blocks);
	if (fmpd_table_in_force(p->table) + p->n_pending >= e->max_blocks)
		return fmp_error_set(err, FMP_ERR_LIMIT,
				     "no more blocks fit (<enforce max-blocks=\"%u\">)",
				     e->max_blocks);
	return fmp_error_set(err, FMP_ERR_LIMIT,
			     "no more blocks by hand fit: %u%% of <enforce max-blocks=\"%u\"> are "
			     "kept for what fmpd blocks by itself (automatic-share)",
			     e->automatic_pct, e->max_blocks);
}

int fmpd_plane_queue_block(struct fmpd_plane *p, const struct fmpd_block_request *req,
			   struct fmp_error *err)
{
	const struct fmp_policy_block *b = &p->policy->block;
	unsigned layers = req->layers ? req->layers : b->layers;
	uint64_t now = fmpd_now_ms();
	uint64_t duration_ms = req->has_duration ? req->duration_ms : b->duration_ms;
	const char *reason = req->reason && *req->reason ? req->reason : "blocked by hand";
	struct fmp_decision d, undo;
	int rc;

	if (req->addr.family == FMP_FAMILY_MAC && layers == FMP_LAYER_BIT(FMP_LAYER_IP))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "the layer ip can't hold a MAC: name mac or premac");
	rc = plane_check_protected(p, &req->addr, err);
	if (rc)
		return rc;
	plane_startup_restore_source(p, &req->addr);
	rc = req->import ? check_import(p, req, duration_ms, reason, err) : 0;
	if (rc) {
		note_set_member(p, req, duration_ms, now);
		return rc;
	}
	rc = fmp_engine_block(p->engine, &req->addr, layers, duration_ms, reason, now, &d);
	if (rc)
		return set_refusal(p, &req->addr, rc, err);
	/* The engine may have widened the source to the policy's IPv6 prefix: check that, too. */
	rc = plane_check_protected(p, &d.source, err);
	if (rc) {
		if (fmp_engine_unblock(p->engine, &d.source, "protected", now, &undo))
			fmp_engine_cancel(p->engine, &d.source, now);
		return rc;
	}
	if (req->set && *req->set) {
		snprintf(d.set, sizeof(d.set), "%s", req->set);
		fmpd_set_members_remove(p->set_members, &d.source, d.set);
	}
	if (fmp_addr_is_ip(&d.source))
		plane_resolve_mac(p, &d, &req->addr, NULL);
	plane_queue_decision(p, &d, fmpd_now_ns());
	return 0;
}

/* A block by hand replaces one of a set, and may be shorter: note the member, so that the set blocks it afterwards. */
static void note_replaced(struct fmpd_plane *p, const struct fmp_addr *addr)
{
	const struct fmpd_record *r = fmpd_table_lookup_exact(p->table, addr);
	struct fmpd_block_request of = { .addr = *addr };
	uint64_t now = fmpd_now_ms();

	if (!r || !r->in_force || r->d.action != FMP_ACTION_BLOCK)
		return;
	of.set = fmpd_table_set_name(p->table, r);
	note_set_member(p, &of, fmpd_record_left_ms(r, now), now);
}

int fmpd_plane_block(struct fmpd_plane *p, const struct fmpd_block_request *req,
		     struct fmp_error *err)
{
	int rc;

	fmpd_plane_flush(p);
	note_replaced(p, &req->addr);
	rc = fmpd_plane_queue_block(p, req, err);
	if (!rc)
		fmpd_plane_flush(p);
	return rc;
}

static int set_not_blocked(const struct fmpd_plane *p, const struct fmp_addr *addr,
			   struct fmp_error *err)
{
	const struct fmp_addr none = { 0 };
	const struct fmpd_record *r =
		fmpd_covering_block_next(p->table, NULL, addr, &none, fmpd_now_ms());
	char text[FMP_ADDR_STRLEN], by[FMP_ADDR_STRLEN];

	fmp_addr_format(addr, text, sizeof(text));
	if (!r)
		return fmp_error_set(err, FMP_ERR_NOTFOUND, "%s is not blocked", text);
	return fmp_error_set(err, FMP_ERR_NOTFOUND,
			     "%s has no block of its own: decision %llu on %s holds it", text,
			     (unsigned long long)r->d.id,
			     fmp_addr_format(&r->d.source, by, sizeof(by)));
}

int fmpd_plane_unblock(struct fmpd_plane *p, const struct fmp_addr *addr, const char *reason,
		       struct fmp_addr *source, struct fmp_error *err)
{
	/* Unblock an IPv4 host by all its forms; a form that the caller names, alone. */
	struct fmp_addr name[FMP_FORMS_MAX + 1] = { *addr };
	size_t n = 1 + fmp_addr_forms(addr, &p->policy->nat64, name + 1);
	struct fmp_decision d;
	bool any = false;

	plane_startup_finish(p);
	/* The table has a block only after it was flushed. */
	fmpd_plane_flush(p);
	for (size_t i = 0; i < n; i++) {
		if (fmp_engine_unblock(p->engine, &name[i],
				       reason && *reason ? reason : "unblocked by hand",
				       fmpd_now_ms(), &d))
			continue;
		if (!any)
			*source = d.source;
		any = true;
		fmpd_set_members_remove(p->set_members, &d.source, NULL);
		plane_queue_unblock(p, &d);
		/* Flush for each form: each changes the table. */
		fmpd_plane_flush(p);
	}
	return any ? 0 : set_not_blocked(p, addr, err);
}
