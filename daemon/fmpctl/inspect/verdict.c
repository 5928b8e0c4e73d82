// SPDX-License-Identifier: GPL-2.0
#include "verdict.h"

#include <stdio.h>
#include <string.h>

#include <fmp/internal/text.h>

#include "../lib/control_client.h"
#include "../lib/text.h"
#include "forwarding.h"

void verdict_refuse(struct fmp_inspection *v, enum fmp_step step, enum fmp_event_kind kind,
		    const char *detail)
{
	*v = (struct fmp_inspection){ .step = step, .kind = kind };
	snprintf(v->detail, sizeof(v->detail), "%s", detail);
}

static void print_place(const struct verdict *v)
{
	fmp_text_print(stdout, "%s", v->file);
	if (v->several)
		printf("[%u]", v->number);
	if (v->v->line)
		printf(":%u", v->v->line);
	fputs(": ", stdout);
}

static void print_fact(const char *name, const char *value)
{
	if (value && *value)
		fmp_text_print(stdout, "  %s: %s\n", name, value);
}

/* The whole URL; without a backend in the policy its path. */
static void print_target(const struct verdict *v)
{
	const char *url = v->backend ? v->backend : "", *host = strstr(url, "://");
	int origin = host ? (int)(strchrnul(host + 3, '/') - url) : 0;

	if (v->forwarding->target)
		fmp_text_print(stdout, "  forwarded: %.*s%s\n", origin, url, v->forwarding->target);
}

/* What the gateway makes of it, a line each. */
static void print_facts(const struct verdict *v)
{
	const struct forwarding *f = v->forwarding;

	print_fact("service", v->service);
	if (v->status)
		printf("  answered: %d\n", v->status);
	if (!f)
		return;
	print_target(v);
	print_fact("withheld", f->withheld);
	print_fact("added", f->added);
}

void verdict_print_text(const struct verdict *verdict)
{
	const struct fmp_inspection *v = verdict->v;

	print_place(verdict);
	text_word(v->accepted ? "accept" : "reject");
	if (!v->accepted)
		fmp_text_print(stdout, " at %s (%s): %s", fmp_step_name(v->step),
			       v->kind == FMP_EVENT_GOOD ? "nobody's offence"
							 : fmp_event_kind_name(v->kind),
			       v->detail);
	else if (v->tls_signer)
		fmp_text_print(
			stdout,
			" (warning: the signer's certificate is for TLS alone; see purpose in fmp-policy(5))");
	putchar('\n');
	print_facts(verdict);
}

static void set_known_text(struct record *r, uint16_t id, const char *text)
{
	if (text)
		record_set_text(r, id, text);
}

void verdict_print_json(const struct verdict *verdict)
{
	const struct fmp_inspection *v = verdict->v;
	const struct forwarding *f = verdict->forwarding;
	struct record r;

	if (record_new(&r))
		return;
	record_set_text(&r, FMP_F_FILE, verdict->file);
	record_set_text(&r, FMP_F_VERDICT, v->accepted ? "accept" : "reject");
	record_set_text(&r, FMP_F_STEP, fmp_step_name(v->step));
	record_set_text(&r, FMP_F_KIND, fmp_event_kind_name(v->kind));
	record_set_number(&r, FMP_F_LINE, v->line);
	record_set_text(&r, FMP_F_DETAIL, v->detail);
	if (verdict->number)
		record_set_number(&r, FMP_F_NUMBER, verdict->number);
	set_known_text(&r, FMP_F_SERVICE, verdict->service);
	if (verdict->status)
		record_set_number(&r, FMP_F_STATUS, (uint64_t)verdict->status);
	if (f) {
		set_known_text(&r, FMP_F_BACKEND, verdict->backend);
		set_known_text(&r, FMP_F_TARGET, f->target);
		set_known_text(&r, FMP_F_WITHHELD, f->withheld);
		set_known_text(&r, FMP_F_ADDED, f->added);
	}
	print_json_line(&r);
	record_free(&r);
}
