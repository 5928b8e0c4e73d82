// SPDX-License-Identifier: GPL-2.0
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "world.h"

#define ROUNDS	 5
#define LEAST_NS 2000000

struct judge {
	struct attack_world *world;
	struct fmp_policy *policy, *rules;
	struct fmp_inspector *inspector[FMP_SECURITIES], *with_replay_cache;
	struct fmp_inspector *with_saml[FMP_SECURITIES], *with_content;
	struct fmp_policy_saml saml;
	struct fmp_inspect_config cfg[FMP_SECURITIES];
	char schema[512], key[512], ca[64], idp[64];
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

static void make_inspectors(struct judge *j)
{
	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++) {
		struct fmp_inspect_config *cfg = &j->cfg[s];

		*cfg = fmp_inspect_config_from(j->policy);
		cfg->security = s;
		cfg->schema = j->schema;
		cfg->trust = j->ca;
		cfg->key = j->key;
		cfg->max_age_ms = 0;
		cfg->replay_entries = 0; /* messages are looked at again and again */
		j->inspector[s] = make(cfg);
		if (s == FMP_SECURITY_BCV) {
			struct fmp_inspect_config with = *cfg;

			with.content = j->rules->gateway.content;
			j->with_content = make(&with);
		}
		if (s == FMP_SECURITY_BCV || s == FMP_SECURITY_BCS) {
			struct fmp_inspect_config with = *cfg;

			j->saml.bearer = s == FMP_SECURITY_BCV;
			with.saml = &j->saml;
			j->with_saml[s] = make(&with);
		}
		if (s == FMP_SECURITY_BCS) {
			struct fmp_inspect_config with = *cfg;

			with.replay_entries = with.replay_per_signer = 16;
			j->with_replay_cache = make(&with);
		}
	}
}

static void free_inspectors(struct judge *j)
{
	for (int s = 0; s < FMP_SECURITIES; s++) {
		fmp_inspector_free(j->inspector[s]);
		fmp_inspector_free(j->with_saml[s]);
	}
	fmp_inspector_free(j->with_replay_cache);
	fmp_inspector_free(j->with_content);
}

void judge_forget(struct judge *j)
{
	free_inspectors(j);
	make_inspectors(j);
}

static void temporary(char *path, const char *template)
{
	int fd = mkstemp(strcpy(path, template));

	NEED(fd >= 0);
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
	temporary(j->ca, "/tmp/attacks-ca.XXXXXX");
	attack_world_ca(j->world, j->ca);
	temporary(j->idp, "/tmp/attacks-idp.XXXXXX");
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

struct fmp_inspection judge_look(struct judge *j, const struct attack *a,
				 const struct attack_bytes *b)
{
	struct fmp_inspector *i = a->again     ? j->with_replay_cache
				  : a->saml    ? j->with_saml[a->security]
				  : a->content ? j->with_content
					       : j->inspector[a->security];

	return look(j, i, a->action, b);
}

size_t judge_memory(struct judge *j, const struct attack *a, const struct attack_bytes *b)
{
	memory_begin();
	judge_look(j, a, b);
	return memory_end();
}

static int64_t thread_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

double judge_cost_ns(struct judge *j, const struct attack *a, const struct attack_bytes *b)
{
	double least = 1e18;

	for (int round = 0; round < ROUNDS; round++) {
		int64_t from = thread_ns(), took;
		unsigned n = 0;

		do {
			judge_look(j, a, b);
			took = thread_ns() - from;
			n++;
		} while (took < LEAST_NS);
		if ((double)took / n < least)
			least = (double)took / n;
	}
	return least;
}

double judge_good_ns(struct judge *j, const struct attack *a, size_t size)
{
	struct attack_bytes good = attack_accepted(j->world, a, size);
	struct attack as_good = { .security = a->security, .saml = a->saml, .content = a->content };
	double ns = judge_cost_ns(j, &as_good, &good);

	/* The limit on elements ends a good message before the limit on bytes does. */
	if (good.len < size)
		ns *= (double)size / (double)good.len;
	free(good.p);
	return ns;
}
