// SPDX-License-Identifier: GPL-2.0
/* Prints the output lines of a play. */
#include <timeline/player.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

int fmpi_print_line(const struct fmp_player *p, const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list ap;
	int n;

	if (!p->ops->line)
		return 0;
	n = snprintf(line, sizeof(line), "%" PRIu64 ".%03" PRIu64 " ", p->now_ms / 1000,
		     p->now_ms % 1000);
	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	va_end(ap);
	return p->ops->line(line, p->ctx);
}

static int print_pair(const struct fmp_player *p, const struct fmp_decision *d)
{
	char mac[FMP_ADDR_STRLEN];

	if (!d->pair_mac.family)
		return 0;
	return fmpi_print_line(p, "only with mac %s id=%" PRIu64,
			       fmp_addr_format(&d->pair_mac, mac, sizeof(mac)), d->id);
}

int fmpi_print_unpaired(const struct fmp_player *p, const struct fmpi_paired_entry *one)
{
	char mac[FMP_ADDR_STRLEN];

	return fmpi_print_line(p, "with any mac id=%" PRIu64 ": %s is protected", one->id,
			       fmp_addr_format(&one->mac, mac, sizeof(mac)));
}

/* Without facts about the link no MAC is printed. */
static int print_mac(const struct fmp_player *p, const struct fmp_decision *d)
{
	char mac[FMP_ADDR_STRLEN], lasts[32];

	if (!p->link.has_facts || !fmp_addr_is_ip(&d->source))
		return 0;
	if (!d->mac.family)
		return fmpi_print_line(p, "no mac id=%" PRIu64 ": %s", d->id,
				       fmp_mac_veto_text(d->mac_veto));
	fmp_addr_format(&d->mac, mac, sizeof(mac));
	if (!d->mac_ms)
		return fmpi_print_line(p, "mac %s id=%" PRIu64, mac, d->id);
	return fmpi_print_line(p, "mac %s id=%" PRIu64 " for %s", mac, d->id,
			       fmp_duration_format(d->mac_ms, lasts, sizeof(lasts)));
}

int fmpi_print_decision(const struct fmp_player *p, const struct fmp_decision *d)
{
	char addr[FMP_ADDR_STRLEN], layers[32], lasts[32], what[FMP_ADDR_STRLEN + 32];
	int rc = p->ops->decision ? p->ops->decision(d, p->ctx) : 0;

	if (rc)
		return rc;
	fmp_addr_format(&d->source, addr, sizeof(addr));
	if (d->action == FMP_ACTION_UNBLOCK)
		return fmpi_print_line(p, "unblock %s id=%" PRIu64 ": %s", addr, d->id, d->reason);
	if (d->action_kind == FMP_ACTION_KIND_LIMIT)
		snprintf(what, sizeof(what), "limit %s to %u/s", addr, d->rate);
	else if (d->dest_port)
		snprintf(what, sizeof(what), "block %s port %u", addr, d->dest_port);
	else
		snprintf(what, sizeof(what), "block %s", addr);
	rc = fmpi_print_line(
		p, "%s id=%" PRIu64 " for %s on %s: %s", what, d->id,
		d->duration_ms ? fmp_duration_format(d->duration_ms, lasts, sizeof(lasts)) : "ever",
		fmp_layers_format(d->layers, layers, sizeof(layers)), d->reason);
	rc = rc ? rc : print_pair(p, d);
	return rc ? rc : print_mac(p, d);
}

int fmpi_print_refused(const struct fmp_player *p, const char *verb, const struct fmp_addr *a,
		       int code)
{
	char addr[FMP_ADDR_STRLEN];

	return fmpi_print_line(p, "refused %s %s: %s", verb, fmp_addr_format(a, addr, sizeof(addr)),
			       fmp_code_name(code));
}

int fmpi_print_source(const struct fmp_player *p, const struct fmp_addr *a)
{
	struct fmp_source_info i;
	char addr[FMP_ADDR_STRLEN], credit[32] = "";

	if (fmp_engine_get(p->engine, a, p->now_ms, &i))
		return fmpi_print_line(p, "source %s unknown",
				       fmp_addr_format(a, addr, sizeof(addr)));
	/* Without credit in the policy none is printed. */
	if (i.credit)
		snprintf(credit, sizeof(credit), " credit=%u", i.credit);
	return fmpi_print_line(p,
			       "source %s %s rank=%u%s events=%" PRIu64 " good=%" PRIu64
			       " unproven=%" PRIu64 " strikes=%u decision=%" PRIu64,
			       fmp_addr_format(&i.source, addr, sizeof(addr)),
			       fmp_source_state_name(i.state), i.rank, credit, i.events, i.good,
			       i.unproven, i.offences, i.decision_id);
}

int fmpi_print_stats(const struct fmp_player *p)
{
	struct fmp_engine_stats s;

	fmp_engine_get_stats(p->engine, p->now_ms, &s);
	return fmpi_print_line(p,
			       "stats sources=%u suspicious=%u blocked=%u events=%" PRIu64
			       " good=%" PRIu64 " unproven=%" PRIu64 " decisions=%" PRIu64
			       " unblocks=%" PRIu64 " evicted=%" PRIu64 " untracked=%" PRIu64
			       " refused=%" PRIu64,
			       s.sources, s.suspicious, s.blocked, s.events, s.good, s.unproven,
			       s.decisions, s.unblocks, s.evicted, s.untracked, s.refused);
}
