// SPDX-License-Identifier: GPL-2.0
/* The policy as a value: defaults (those of policies/balanced.xml), and its release. */
#include <fmp/policy.h>

#include <stdlib.h>
#include <string.h>

#include <policy/content.h>
#include <policy/origin.h>

#define SECOND_MS 1000ull
#define MINUTE_MS (60 * SECOND_MS)
#define HOUR_MS	  (60 * MINUTE_MS)

/*
 * A rank states how likely an event is intended: honest software sometimes violates a schema, but
 * does not forge a signature or wrap a body. No single message reaches the threshold of 100; four
 * or five serious ones within a minute do.
 */
static const struct fmp_policy balanced = {
	.name = "balanced",
	.suspicion = {
		.suspicious = 40,
		.malicious = 100,
		.half_life_ms = MINUTE_MS,
		.ipv6_prefix = 64,
		.rank = {
			[FMP_EVENT_CONNECTION] = 5,
			[FMP_EVENT_HTTP] = 10,
			[FMP_EVENT_OVERSIZE] = 20,
			[FMP_EVENT_ENCODING] = 15,
			[FMP_EVENT_DTD] = 25,
			[FMP_EVENT_NESTING] = 25,
			[FMP_EVENT_STRUCTURE] = 25,
			[FMP_EVENT_WELLFORMED] = 15,
			[FMP_EVENT_SOAP] = 15,
			[FMP_EVENT_SCHEMA] = 10,
			[FMP_EVENT_UNSIGNED] = 20,
			[FMP_EVENT_TIMESTAMP] = 10,
			[FMP_EVENT_REPLAY] = 30,
			[FMP_EVENT_ALGORITHM] = 20,
			[FMP_EVENT_TOKEN] = 20,
			[FMP_EVENT_WRAPPING] = 40,
			[FMP_EVENT_SIGNATURE] = 30,
			[FMP_EVENT_UNENCRYPTED] = 20,
			[FMP_EVENT_DECRYPT] = 30,
			[FMP_EVENT_CONTENT] = 25,
			[FMP_EVENT_CRASH] = 60,
			[FMP_EVENT_TIMEOUT] = 30,
			[FMP_EVENT_LOGIN] = 20,
			[FMP_EVENT_LOCAL] = 20,
			[FMP_EVENT_BROWSER] = 0,
			[FMP_EVENT_UNSUPPORTED] = 1,
			[FMP_EVENT_OUTAGE] = 0,
		},
		.rank_per_cpu_ms = 0,
		.max_sources = 16384,
		.credit = { .points = 0, .max = 20, .half_life_ms = 10 * MINUTE_MS },
	},
	.suspicious = { .limit = false, .rate = 20, .duration_ms = MINUTE_MS },
	.block = {
		.layers = FMP_LAYERS_ALL,
		.mac = true,
		.local_mac_ms = 10 * MINUTE_MS,
		.duration_ms = 10 * MINUTE_MS,
		.factor_pct = 200,
		.max_ms = 24 * HOUR_MS,
		.forget_ms = 24 * HOUR_MS,
		.jitter_pct = 0,
		.shared = { .narrow = FMP_NARROW_NO, .credit = 10, .up_to = 200, .rate = 20 },
		.rollup = { .sources = 0,
			    .ipv4_prefix = 24,
			    .ipv6_prefix = 48,
			    .veto_ms = HOUR_MS },
	},
	.gateway = {
		.security = FMP_SECURITY_BC,
		.clock_skew_ms = MINUTE_MS,
		.max_age_ms = 5 * MINUTE_MS,
		.fast_signatures = true,
		.answer_timeout_ms = 30 * SECOND_MS,
		.require_signed = FMP_PART_BIT(FMP_PART_BODY) | FMP_PART_BIT(FMP_PART_TIMESTAMP),
		.require_encrypted = FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY),
		.algorithms = FMP_ALGORITHMS_DEFAULT,
		.identity = { .subject = "X-Fmp-Subject",
			      .issuer = "X-Fmp-Issuer",
			      .user = "X-Fmp-User",
			      .assurance = "X-Fmp-Assurance" },
		.answers = { .timestamp_ms = 5 * MINUTE_MS, .faults = true },
		.purpose = "any",
		.replay_entries = 16384,
		.replay_per_signer = 4096,
		.limits = {
			.body_bytes = 1 << 20,
			.depth = 64,
			.attributes = 64,
			.elements = 20000,
			.name_bytes = 256,
			.text_bytes = 1 << 20,
			.references = 16,
		},
		.attachments = { .allowed = true,
				 .unreferenced = true,
				 .parts = 100,
				 .part_bytes = 100 << 20,
				 .bytes = 100 << 20 },
		.http = { .compressed = false,
				.ratio = 20,
				.requests = 1000,
				.header_bytes = 16384,
				.fields = 100,
				.target_bytes = 8000,
				.answer_header_bytes = 16384,
				.answer_fields = 100 },
		.workers = 2,
		.worker_memory_bytes = 512 << 20,
		.connections = 256,
		.connections_per_source = 32,
		.memory_bytes = 16 << 20,
		.header_timeout_ms = 5 * SECOND_MS,
		.body_timeout_ms = 10 * SECOND_MS,
		.idle_timeout_ms = 15 * SECOND_MS,
		.worker_timeout_ms = 5 * SECOND_MS,
		.user = "nobody",
	},
	.enforce = {
		.reconcile_ms = 30 * SECOND_MS,
		.max_blocks = 8192,
		.automatic_pct = 10,
	},
	.state = { .interval_ms = 5 * MINUTE_MS },
	.report = { .group = "fmpreport", .rate = 50 },
	.metrics = { .interval_ms = 15 * SECOND_MS },
	.nat64_discover = true,
};

struct fmp_policy *fmp_policy_default(void)
{
	struct fmp_policy *p = malloc(sizeof(*p));

	if (p)
		*p = balanced;
	return p;
}

static void free_rule(struct fmp_policy_rule *rule)
{
	for (unsigned i = 0; i < rule->n_namespaces; i++) {
		free(rule->namespaces[i].prefix);
		free(rule->namespaces[i].uri);
	}
	free(rule->namespaces);
	free(rule->xpath);
	free(rule->regex);
}

void fmpi_content_free(struct fmp_policy_content *c)
{
	while (c) {
		struct fmp_policy_content *next = c->next;

		for (unsigned i = 0; i < c->n_rules; i++)
			free_rule(&c->rules[i]);
		free(c->rules);
		free(c);
		c = next;
	}
}

void fmp_policy_free(struct fmp_policy *p)
{
	if (!p)
		return;
	fmpi_content_free(p->contents);
	free(p->protect);
	free(p->overrides);
	free(p->groups);
	free(p->group_index);
	for (size_t i = 0; i < p->n_blocklists; i++)
		fmp_blocklist_free(&p->blocklists[i].list);
	free(p->blocklists);
	free(p->services);
	free(p->warnings);
	fmpi_origin_free(p->origin);
	free(p);
}
