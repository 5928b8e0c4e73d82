// SPDX-License-Identifier: GPL-2.0
/*
 * The protected set: made anew from what the kernel, other programs' files and the policy name, handed to the layers,
 * and blocks of what it protects ended. protect_check.c only asks the set, and calls nothing of the plane.
 */
#include "plane_private.h"

#include "../common/clock.h"
#include "../common/log.h"

/* End blocks in force whose source is protected now. A block whose MAC is protected loses only the MAC. */
static void end_protected(struct fmpd_plane *p)
{
	struct fmpd_record *r, *next;
	struct fmp_decision d;
	struct fmp_error err;

	for (r = fmpd_table_first(p->table); r; r = next) {
		struct fmp_addr mac = r->d.has_pair ? fmpd_packed_pair_mac(&r->d)
						    : fmpd_packed_mac(&r->d);

		next = fmpd_table_next(r);
		if (plane_check_protected(p, &r->d.source, &err)) {
			if (fmp_engine_unblock(p->engine, &r->d.source, err.message, fmpd_now_ms(),
					       &d))
				continue;
			/* Flush for each one: a flush by plane_queue_unblock() in between would change the list under the loop. */
			plane_queue_unblock(p, &d);
			fmpd_plane_flush(p);
		} else if (mac.family && fmp_protect_check(p->protect, &mac)) {
			plane_drop_mac(p, r, FMP_MAC_PROTECTED);
		}
	}
}

int plane_apply_protected(struct fmpd_plane *p, struct fmp_error *err)
{
	const struct fmp_protect_entry *set;
	size_t n = fmp_protect_list(p->protect, &set);
	int rc = fmp_enforcer_protect(p->enforcer, set, n, err);

	if (p->hooks.on_protected)
		p->hooks.on_protected(p->hooks.ctx);
	/* Even if a layer did not take the set, what it protects must not stay blocked. */
	if (p->table) {
		fmpd_plane_flush(p);
		end_protected(p);
	}
	return rc;
}

int plane_rebuild_protected(struct fmpd_plane *p, struct fmp_error *err)
{
	int rc = fmp_protect_rebuild(p->protect, p->net, p->options.resolv_conf, p->policy->protect,
				     p->policy->n_protect, err);

	return rc <= 0 ? rc : plane_apply_protected(p, err);
}

void plane_contest_mac(struct fmpd_plane *p, const struct fmp_addr *source,
		       const struct fmp_event *ev)
{
	const struct fmp_protect_entry *by = fmp_protect_check(p->protect, source);
	struct fmp_error err;

	if (!by || by->origin != FMP_PROTECT_DEVICE || !ev->mac.family ||
	    fmp_protect_check(p->protect, &ev->mac))
		return;
	fmp_net_contest(p->net, &by->addr);
	if (plane_rebuild_protected(p, &err) < 0)
		fmpd_log_error(FMPD_ERROR, "protect", "the protected set can't be renewed", &err);
}

/* ---- by hand ---- */

int fmpd_plane_protect(struct fmpd_plane *p, const struct fmp_addr *addr, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	int rc = fmp_protect_add(p->protect, addr);

	fmp_addr_format(addr, text, sizeof(text));
	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "%s %s", text,
				     rc == FMP_ERR_EXISTS ? "is protected already"
							  : "can't be protected: the list is full");
	fmpd_log(FMPD_NOTICE, "protect", "%s is protected by hand", text);
	/* Protecting a MAC also protects its addresses. */
	rc = plane_rebuild_protected(p, err);
	return rc < 0 ? rc : plane_apply_protected(p, err);
}

int fmpd_plane_unprotect(struct fmpd_plane *p, const struct fmp_addr *addr, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	int rc = fmp_protect_del(p->protect, addr);

	fmp_addr_format(addr, text, sizeof(text));
	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "%s was not protected by hand", text);
	fmpd_log(FMPD_NOTICE, "protect", "%s is no longer protected by hand", text);
	rc = plane_rebuild_protected(p, err);
	return rc < 0 ? rc : plane_apply_protected(p, err);
}
