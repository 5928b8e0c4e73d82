// SPDX-License-Identifier: GPL-2.0
/* The one log line of a decision. */
#include "plane_private.h"

#include <stdio.h>
#include <string.h>

#include "../common/log.h"

static bool is_only_observed(const struct fmpd_record *r)
{
	for (unsigned l = 0; l < FMP_LAYERS; l++)
		if (r->states[l] == FMP_LAYER_RESULT_ENFORCED ||
		    r->states[l] == FMP_LAYER_RESULT_FAILED)
			return false;
	return true;
}

/* "block 192.0.2.7 for 10min", "limit 192.0.2.7 to 10 packets/s on port 80 for 10min", "would ..." */
static void format_action(const struct fmpd_record *r, char *buf, size_t size)
{
	const struct fmpd_packed_decision *d = &r->d;
	const char *would = is_only_observed(r) ? "would " : "";
	char addr[FMP_ADDR_STRLEN], mac[FMP_ADDR_STRLEN], dur[48], rate[32] = "", port[16] = "";
	struct fmp_addr with = d->has_pair ? fmpd_packed_pair_mac(d) : fmpd_packed_mac(d);

	fmp_addr_format(&d->source, addr, sizeof(addr));
	if (d->action == FMP_ACTION_UNBLOCK) {
		snprintf(buf, size, "%sunblock %s", would, addr);
		return;
	}
	if (d->action_kind == FMP_ACTION_KIND_LIMIT)
		snprintf(rate, sizeof(rate), " to %u packets/s", d->rate);
	if (d->dest_port)
		snprintf(port, sizeof(port), " on port %u", d->dest_port);
	snprintf(buf, size, "%s%s %s%s%s%s%s %s%s", would, fmp_action_kind_name(d->action_kind),
		 addr,
		 !with.family  ? ""
		 : d->has_pair ? " in frames of MAC "
			       : " with MAC ",
		 with.family ? fmp_addr_format(&with, mac, sizeof(mac)) : "", rate, port,
		 d->duration_ms ? "for " : "without end",
		 d->duration_ms ? fmp_duration_format(d->duration_ms, dur, sizeof(dur)) : "");
}

void plane_log_decision(const struct fmpd_plane *p, const struct fmpd_record *r)
{
	const struct fmpd_packed_decision *d = &r->d;
	struct fmp_addr mac = fmpd_packed_mac(d);
	enum fmpd_level level = fmpd_record_failed_layers(r) ? FMPD_WARNING : FMPD_NOTICE;
	char what[200], addr[FMP_ADDR_STRLEN], failed[200] = "";
	struct fmpd_line l;
	size_t n = 0;

	for (unsigned i = 0; i < FMP_LAYERS; i++) {
		const char *words = fmpd_table_result_text(p->table, r, i);

		if (r->states[i] != FMP_LAYER_RESULT_FAILED || n >= sizeof(failed))
			continue;
		n += (size_t)snprintf(failed + n, sizeof(failed) - n, "; %s refused: %s",
				      fmp_layer_name(i),
				      words[0] ? words : strerror(fmpd_record_errno(r, i)));
	}
	format_action(r, what, sizeof(what));
	fmpd_line_begin(&l, level, "decision", "%s (decision %llu): %s%s", what,
			(unsigned long long)d->id, d->reason, failed);
	l.always = true;
	fmpd_line_add(&l, "id", "%llu", (unsigned long long)d->id);
	fmpd_line_add_text(&l, "action", d->action == FMP_ACTION_BLOCK ? "block" : "unblock");
	fmpd_line_add_text(&l, "addr", fmp_addr_format(&d->source, addr, sizeof(addr)));
	if (mac.family)
		fmpd_line_add_text(&l, "mac", fmp_addr_format(&mac, addr, sizeof(addr)));
	else if (d->action == FMP_ACTION_BLOCK && fmp_addr_is_ip(&d->source))
		fmpd_line_add_text(&l, "mac_veto", fmp_mac_veto_text(d->mac_veto));
	if (d->has_pair) {
		mac = fmpd_packed_pair_mac(d);
		fmpd_line_add_text(&l, "pair_mac", fmp_addr_format(&mac, addr, sizeof(addr)));
	}
	if (d->action_kind == FMP_ACTION_KIND_LIMIT)
		fmpd_line_add(&l, "rate", "%u", d->rate);
	if (d->dest_port)
		fmpd_line_add(&l, "dest_port", "%u", d->dest_port);
	if (d->action == FMP_ACTION_BLOCK)
		fmpd_line_add(&l, "duration_ms", "%llu", (unsigned long long)d->duration_ms);
	for (unsigned i = 0; i < FMP_LAYERS; i++)
		if (d->layers & FMP_LAYER_BIT(i))
			fmpd_line_add_text(&l, fmp_layer_name(i), fmpd_result_name(r->states[i]));
	if (d->manual)
		fmpd_line_add_text(&l, "manual", "1");
	fmpd_line_end(&l);
}
