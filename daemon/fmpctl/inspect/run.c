// SPDX-License-Identifier: GPL-2.0
#include "run.h"

#include <stdio.h>
#include <time.h>

#include <fmp/internal/text.h>

#include "../lib/control_client.h"

static void print_notes(const struct offline_services *s)
{
	struct fmp_error note;
	char text[700];

	for (unsigned i = 0; i < s->evaluator.n_services; i++)
		for (unsigned n = 0;
		     fmp_inspector_wsdl_note(s->evaluator.service[i].inspector, n, &note); n++)
			fmp_text_print(stderr, "fmpctl: warning: %s\n",
				       fmp_error_format(&note, text, sizeof(text)));
}

static const struct offline_services *take_loaded(struct inspect_run *r, struct offline_services *s,
						  int rc, const struct fmp_error *err)
{
	if (rc) {
		r->failed = control_print_error(r->ctl, EXIT_USAGE, err);
		return NULL;
	}
	print_notes(s);
	return s;
}

const struct offline_services *inspect_run_single(struct inspect_run *r)
{
	const struct fmp_policy_gateway *demands = r->service ? &r->service->demands
							      : &r->policy->gateway;
	struct fmp_error err;
	int rc;

	if (r->failed)
		return NULL;
	if (r->single.evaluator.n_services)
		return &r->single;
	if (r->policy->n_services && !r->service)
		fputs("fmpctl: the demands of <gateway> count, not those of one of <services>: "
		      "--service NAME looks at these\n",
		      stderr);
	rc = offline_services_init_single(&r->single, r->policy, r->service, &err);
	if (!rc && r->port && !fmp_inspector_has_wsdl(r->single.evaluator.service[0].inspector)) {
		r->failed = usage_error(
			"inspect",
			"--port chooses in a WSDL, and %s is an XML Schema: leave it out, or "
			"name the WSDL by --schema",
			demands->schema);
		return NULL;
	}
	return take_loaded(r, &r->single, rc, &err);
}

/* Without a policy GET is refused: its default answers it from a WSDL, but there is no such service. */
static const struct offline_services *add_descriptions(struct inspect_run *r,
						       struct offline_services *s)
{
	struct fmp_error err;

	if (!r->has_policy || r->described.loaded ||
	    !http_description_load(&s->evaluator, &r->described, &err))
		return s;
	r->failed = control_print_error(r->ctl, EXIT_USAGE, &err);
	return NULL;
}

const struct offline_services *inspect_run_all(struct inspect_run *r)
{
	struct fmp_error err;

	if (r->failed)
		return NULL;
	if (r->service || !r->policy->n_services)
		return inspect_run_single(r) ? add_descriptions(r, &r->single) : NULL;
	if (!r->all.evaluator.n_services &&
	    !take_loaded(r, &r->all, offline_services_init(&r->all, r->policy, &err), &err))
		return NULL;
	return add_descriptions(r, &r->all);
}

int64_t inspect_run_now(const struct inspect_run *r)
{
	return r->has_now ? r->now_s : time(NULL);
}

void inspect_run_report(struct inspect_run *r, const struct verdict *v)
{
	if (!v->v->accepted)
		r->rejected = true;
	if (r->ctl->json)
		verdict_print_json(v);
	else
		verdict_print_text(v);
}

void inspect_run_exit(struct inspect_run *r)
{
	http_description_exit(&r->described);
	offline_services_exit(&r->single);
	offline_services_exit(&r->all);
}
