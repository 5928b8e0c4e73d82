// SPDX-License-Identifier: GPL-2.0
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <fmp/internal/evaluate.h>
#include "memory.h"
#include "world.h"

struct judge {
	struct attack_world *world;
	struct fmp_policy *policy, *rules;
	struct fmp_inspector *inspector[FMP_SECURITIES], *with_replay_cache;
	struct fmp_inspector *with_saml[FMP_SECURITIES], *with_content, *with_hidden;
	struct fmp_policy_saml saml;
	char schema[512], key[512], ca[64], idp[64], users[64];
	int64_t now_s;
};

static struct fmp_inspector *make(const struct fmp_inspect_config *cfg)
{
	struct fmp_error err = { 0 };
	struct fmp_inspector *i;

	if (fmp_inspector_new(cfg, &i, &err) != 0)
		attack_need(false, err.message);
	return i;
}

/* The one that looks at messages like that. */
static struct fmp_inspector **inspector_of(struct judge *j, const struct attack *a)
{
	return a->again	    ? &j->with_replay_cache
	       : a->saml    ? &j->with_saml[a->security]
	       : a->content ? &j->with_content
	       : a->hidden  ? &j->with_hidden
			    : &j->inspector[a->security];
}

static void make_inspector(struct judge *j, const struct attack *a)
{
	struct fmp_inspect_config cfg = fmp_inspect_config_from(j->policy);

	cfg.security = a->security;
	cfg.schema = j->schema;
	cfg.trust = j->ca;
	cfg.key = j->key;
	cfg.max_age_ms = 0;
	/* Else none: messages are looked at again and again. */
	cfg.replay_entries = cfg.replay_per_signer = a->again ? 16 : 0;
	if (a->saml) {
		j->saml.bearer = a->security == FMP_SECURITY_BCV;
		cfg.saml = &j->saml;
	}
	if (a->hidden) {
		cfg.passwords = j->users;
		cfg.password_text = true;
		cfg.require_encrypted = FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_USERNAME) |
					FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_TO);
	}
	if (a->content)
		cfg.content = j->rules->gateway.content;
	*inspector_of(j, a) = make(&cfg);
}

static void make_inspectors(struct judge *j)
{
	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++)
		make_inspector(j, &(struct attack){ .security = s });
	make_inspector(j, &(struct attack){ .security = FMP_SECURITY_BCV, .saml = true });
	make_inspector(j, &(struct attack){ .security = FMP_SECURITY_BCS, .saml = true });
	make_inspector(j, &(struct attack){ .security = FMP_SECURITY_BCV, .content = true });
	make_inspector(j, &(struct attack){ .security = FMP_SECURITY_BCS, .again = true });
	make_inspector(j, &(struct attack){ .security = FMP_SECURITY_BCE, .hidden = true });
}

static void free_inspectors(struct judge *j)
{
	for (int s = 0; s < FMP_SECURITIES; s++) {
		fmp_inspector_free(j->inspector[s]);
		fmp_inspector_free(j->with_saml[s]);
	}
	fmp_inspector_free(j->with_replay_cache);
	fmp_inspector_free(j->with_content);
	fmp_inspector_free(j->with_hidden);
}

void judge_forget(struct judge *j, const struct attack *a)
{
	fmp_inspector_free(*inspector_of(j, a));
	make_inspector(j, a);
}

static void temporary(char *path, const char *template, const char *text)
{
	int fd = mkstemp(strcpy(path, template));

	NEED(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

/* The rules that are shipped. */
static struct fmp_policy *load_rules(const char *tests)
{
	struct fmp_error err = { 0 };
	char text[1200], path[512], xsd[512];
	struct fmp_policy *p = NULL;

	snprintf(path, sizeof(path), "%s/../policies/content-injection.xml", tests);
	snprintf(xsd, sizeof(xsd), "%s/../policies/fmp-policy.xsd", tests);
	/* As if the policy stood here: what it names is relative to that. */
	snprintf(
		text, sizeof(text),
		"<policy xmlns='urn:fmp:policy:1'><gateway><content rules='%s'/></gateway></policy>",
		path);
	if (fmp_policy_load_memory(text, strlen(text), "policy.xml", xsd, &p, &err))
		attack_need(false, err.message);
	return p;
}

struct judge *judge_new(const char *tests)
{
	struct judge *j = calloc(1, sizeof(*j));
	struct fmp_error err = { 0 };
	char server[512];

	NEED(j && fmp_inspect_global_init(&err) == 0);
	j->policy = fmp_policy_default();
	j->rules = load_rules(tests);
	j->now_s = time(NULL);
	snprintf(server, sizeof(server), "%s/interop/vectors/pki/server.crt", tests);
	snprintf(j->schema, sizeof(j->schema), "%s/interop/vectors/orders.xsd", tests);
	snprintf(j->key, sizeof(j->key), "%s/interop/vectors/pki/server.key", tests);
	j->world = attack_world_new(server, j->now_s);
	NEED(j->policy);
	temporary(j->ca, "/tmp/attacks-ca.XXXXXX", "");
	attack_world_ca(j->world, j->ca);
	temporary(j->users, "/tmp/attacks-users.XXXXXX", ATTACK_USERS);
	temporary(j->idp, "/tmp/attacks-idp.XXXXXX", "");
	attack_world_idp(j->world, j->idp);
	strcpy(j->saml.audiences, ATTACK_AUDIENCE);
	strcpy(j->saml.issuers[0].name, ATTACK_ISSUER);
	strcpy(j->saml.issuers[0].trust, j->idp);
	j->saml.n_issuers = 1;
	make_inspectors(j);
	return j;
}

void judge_free(struct judge *j)
{
	free_inspectors(j);
	attack_world_free(j->world);
	fmp_policy_free(j->policy);
	fmp_policy_free(j->rules);
	unlink(j->ca);
	unlink(j->idp);
	unlink(j->users);
	fmp_inspect_global_exit();
	free(j);
}

struct attack_world *judge_world(struct judge *j)
{
	return j->world;
}

size_t judge_body_limit(const struct judge *j)
{
	return j->policy->gateway.limits.body_bytes;
}

static struct fmp_inspection look(struct judge *j, struct fmp_inspector *i, const char *action,
				  const struct attack_bytes *b)
{
	struct fmp_message m = {
		.bytes = b->p, .len = b->len, .now_s = j->now_s, .soap_action = action
	};
	struct fmp_inspection v;

	NEED(fmp_inspect(i, &m, &v) == 0);
	fmp_inspection_clear(&v);
	return v;
}

/* As a worker judges a request that was read. */
static struct fmp_inspection look_further(struct judge *j, const struct attack *a,
					  const struct fmp_http *h)
{
	static struct fmp_evaluator evaluator;
	static struct fmp_job job;
	struct fmp_evaluation out;

	evaluator.service[0].demands = &j->policy->gateway;
	evaluator.service[0].inspector = *inspector_of(j, a);
	job.body = h->body;
	job.len = h->body_len;
	job.coding = h->coding;
	snprintf(job.content_type, sizeof(job.content_type), "%s", h->content_type);
	snprintf(job.soap_action, sizeof(job.soap_action), "%s", h->soap_action);
	fmp_evaluate(&evaluator, &job, j->now_s, &out);
	fmp_evaluate_clear(&out);
	return out.v;
}

/* As the listener reads the first request of a connection. */
static struct fmp_inspection look_request(struct judge *j, const struct attack *a,
					  const struct attack_bytes *b)
{
	struct fmp_http_limits limits = { .header_bytes = FMP_HTTP_HEADER_BYTES,
					  .fields = FMP_HTTP_FIELDS,
					  .body_bytes = (uint32_t)judge_body_limit(j) };
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
		v = look_further(j, a, &h);
	fmp_http_exit(&h);
	return v;
}

struct fmp_inspection judge_look(struct judge *j, const struct attack *a,
				 const struct attack_bytes *b)
{
	if (a->raw)
		return look_request(j, a, b);
	return look(j, *inspector_of(j, a), a->action, b);
}

size_t judge_memory(struct judge *j, const struct attack *a, const struct attack_bytes *b)
{
	memory_begin();
	judge_look(j, a, b);
	return memory_end();
}
