// SPDX-License-Identifier: GPL-2.0
#include "inspectors.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fmp/internal/evaluate.h>
#include "memory.h"
#include "pki.h"

struct inspectors {
	struct attack_pki *pki;
	struct fmp_policy *policy, *rules;
	struct fmp_inspector *inspector[FMP_SECURITIES], *with_replay_cache;
	struct fmp_inspector *with_saml[FMP_SECURITIES], *with_content, *with_encrypted_parts;
	struct fmp_inspector *with_symmetric, *with_headers;
	struct fmp_policy_headers route;
	struct fmp_policy_saml saml;
	char schema[512], key[512], ca[64], idp[64], users[64];
	int64_t now_s;
};

static struct fmp_inspector *new_inspector(const struct fmp_inspect_config *cfg)
{
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;

	if (fmp_inspector_new(cfg, &i, &err) != 0)
		attack_need(false, err.message);
	return i;
}

/* The inspector of the configuration that @a needs. */
static struct fmp_inspector **find_inspector(struct inspectors *set, const struct attack *a)
{
	return a->again		    ? &set->with_replay_cache
	       : a->saml	    ? &set->with_saml[a->security]
	       : a->content	    ? &set->with_content
	       : a->encrypted_parts ? &set->with_encrypted_parts
	       : a->symmetric	    ? &set->with_symmetric
	       : a->headers	    ? &set->with_headers
				    : &set->inspector[a->security];
}

static void make_inspector(struct inspectors *set, const struct attack *a)
{
	struct fmp_inspect_config cfg = fmp_inspect_config_from(set->policy);

	cfg.security = a->security;
	cfg.schema = set->schema;
	cfg.trust = set->ca;
	cfg.key = set->key;
	cfg.max_age_ms = 0;
	/* Without @again no replay cache: messages are inspected repeatedly. */
	cfg.replay_entries = cfg.replay_per_signer = a->again ? 16 : 0;
	if (a->saml) {
		set->saml.bearer = a->security == FMP_SECURITY_BCV;
		cfg.saml = &set->saml;
	}
	if (a->encrypted_parts) {
		cfg.passwords = set->users;
		cfg.password_text = true;
		cfg.require_encrypted = FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) |
					FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO);
	}
	if (a->symmetric)
		cfg.symmetric = FMP_SYMMETRIC_ANONYMOUS;
	if (a->headers)
		cfg.header_blocks = &set->route;
	if (a->content)
		cfg.content = set->rules->gateway.content;
	*find_inspector(set, a) = new_inspector(&cfg);
}

static void make_inspectors(struct inspectors *set)
{
	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++)
		make_inspector(set, &(struct attack){ .security = s });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCV, .saml = true });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCS, .saml = true });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCV, .content = true });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCS, .again = true });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCS, .symmetric = true });
	make_inspector(set, &(struct attack){ .security = FMP_SECURITY_BCS, .headers = true });
	make_inspector(set,
		       &(struct attack){ .security = FMP_SECURITY_BCE, .encrypted_parts = true });
}

static void free_inspectors(struct inspectors *set)
{
	for (int s = 0; s < FMP_SECURITIES; s++) {
		fmp_inspector_free(set->inspector[s]);
		fmp_inspector_free(set->with_saml[s]);
	}
	fmp_inspector_free(set->with_replay_cache);
	fmp_inspector_free(set->with_content);
	fmp_inspector_free(set->with_symmetric);
	fmp_inspector_free(set->with_headers);
	fmp_inspector_free(set->with_encrypted_parts);
}

void inspectors_forget_messages(struct inspectors *set, const struct attack *a)
{
	fmp_inspector_free(*find_inspector(set, a));
	make_inspector(set, a);
}

static void write_temporary_file(char *path, const char *template, const char *text)
{
	int fd = mkstemp(strcpy(path, template));

	NEED(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* Load the shipped rules. */
static struct fmp_policy *load_rules(const char *tests)
{
	struct fmp_error err = { 0 };
	char text[1200], path[512], xsd[512];
	struct fmp_policy *p = NULL;

	snprintf(path, sizeof(path), "%s/../policies/content-injection.xml", tests);
	snprintf(xsd, sizeof(xsd), "%s/../policies/fmp-policy.xsd", tests);
	/* Paths in a policy are relative to its file, which is in the current directory here. */
	snprintf(
		text, sizeof(text),
		"<policy xmlns='urn:fmp:policy:1'><gateway><content rules='%s'/></gateway></policy>",
		path);
	if (fmp_policy_load_memory(text, strlen(text), "policy.xml", xsd, &p, &err))
		attack_need(false, err.message);
	return p;
}

struct inspectors *inspectors_new(const char *tests)
{
	struct inspectors *set = calloc(1, sizeof(*set));
	struct fmp_error err = { 0 };
	char server[512];

	NEED(set && fmp_inspect_global_init(&err) == 0);
	set->policy = fmp_policy_default();
	set->rules = load_rules(tests);
	set->now_s = time(NULL);
	snprintf(server, sizeof(server), "%s/interop/vectors/pki/server.crt", tests);
	snprintf(set->schema, sizeof(set->schema), "%s/interop/vectors/orders.xsd", tests);
	snprintf(set->key, sizeof(set->key), "%s/interop/vectors/pki/server.key", tests);
	set->pki = attack_pki_new(server, set->now_s);
	NEED(set->policy);
	write_temporary_file(set->ca, "/tmp/attacks-ca.XXXXXX", "");
	attack_pki_write_ca(set->pki, set->ca);
	write_temporary_file(set->users, "/tmp/attacks-users.XXXXXX", ATTACK_USERS);
	write_temporary_file(set->idp, "/tmp/attacks-idp.XXXXXX", "");
	attack_pki_write_idp(set->pki, set->idp);
	strcpy(set->saml.audiences, ATTACK_AUDIENCE);
	strcpy(set->saml.issuers[0].name, ATTACK_ISSUER);
	strcpy(set->saml.issuers[0].trust, set->idp);
	set->saml.n_issuers = 1;
	set->route.n = 1;
	set->route.block[0] = (struct fmp_policy_header){ .understood = true,
							  .required = true,
							  .forwarded = true };
	strcpy(set->route.block[0].ns, ATTACK_ROUTE);
	strcpy(set->route.block[0].local, "route");
	make_inspectors(set);
	return set;
}

void inspectors_free(struct inspectors *set)
{
	free_inspectors(set);
	attack_pki_free(set->pki);
	fmp_policy_free(set->policy);
	fmp_policy_free(set->rules);
	unlink(set->ca);
	unlink(set->idp);
	unlink(set->users);
	fmp_inspect_global_exit();
	free(set);
}

struct attack_pki *inspectors_pki(struct inspectors *set)
{
	return set->pki;
}

size_t inspectors_body_limit(const struct inspectors *set)
{
	return set->policy->gateway.limits.body_bytes;
}

static struct fmp_inspection inspect_message(struct inspectors *set, struct fmp_inspector *i,
					     const char *action, const struct attack_bytes *b)
{
	struct fmp_message m = {
		.bytes = b->p, .len = b->len, .now_s = set->now_s, .soap_action = action
	};
	struct fmp_inspection v;

	NEED(fmp_inspect(i, &m, &v) == 0);
	fmp_inspection_clear(&v);
	return v;
}

/* Evaluate a request that was read as a worker does. */
static struct fmp_inspection evaluate_request(struct inspectors *set, const struct attack *a,
					      const struct fmp_http *h)
{
	static struct fmp_evaluator evaluator;
	static struct fmp_job job;
	struct fmp_evaluation out;

	evaluator.service[0].demands = &set->policy->gateway;
	evaluator.service[0].inspector = *find_inspector(set, a);
	job.body = h->body;
	job.len = h->body_len;
	job.coding = h->coding;
	snprintf(job.content_type, sizeof(job.content_type), "%s", h->content_type);
	snprintf(job.soap_action, sizeof(job.soap_action), "%s", h->soap_action);
	fmp_evaluate(&evaluator, &job, set->now_s, &out);
	fmp_evaluate_clear(&out);
	return out.v;
}

/* Read the first request of a connection as the listener does, then evaluate it. */
static struct fmp_inspection inspect_request(struct inspectors *set, const struct attack *a,
					     const struct attack_bytes *b)
{
	struct fmp_http_limits limits = { .header_bytes = FMP_HTTP_HEADER_BYTES,
					  .fields = FMP_HTTP_FIELDS,
					  .body_bytes = (uint32_t)inspectors_body_limit(set) };
	struct fmp_inspection v = { .step = FMP_STEP_HTTP };
	struct fmp_http h;
	size_t used;

	fmp_http_init(&h, &limits);
	fmp_http_feed(&h, b->p, b->len, &used);
	v.kind = h.kind;
	if (h.state == FMP_HTTP_REFUSED)
		snprintf(v.detail, sizeof(v.detail), "%s", h.detail);
	else if (fmp_http_is_browser_request(&h))
		v.kind = FMP_EVENT_BROWSER; /* routing refuses it before a worker sees it */
	else if (h.state == FMP_HTTP_DONE)
		v = evaluate_request(set, a, &h);
	fmp_http_exit(&h);
	return v;
}

struct fmp_inspection inspectors_inspect(struct inspectors *set, const struct attack *a,
					 const struct attack_bytes *b)
{
	if (a->raw)
		return inspect_request(set, a, b);
	return inspect_message(set, *find_inspector(set, a), a->action, b);
}

size_t inspectors_peak_memory(struct inspectors *set, const struct attack *a,
			      const struct attack_bytes *b)
{
	memory_begin();
	inspectors_inspect(set, a, b);
	return memory_end();
}
