// SPDX-License-Identifier: GPL-2.0
/* The table of all settings and elements. setting_value.c converts a text into a field. */
#include <fmp/internal/policy_settings.h>

#include <string.h>

#define HOUR_MS	 (60 * 60 * 1000ull)
#define DAY_MS	 (24 * HOUR_MS)
#define LONG_MS	 (3650 * DAY_MS)
#define POINTS	 1000000 /* the engine stores thousandths of a point in 32 bits */
#define BODY_MAX (256u << 20)

#define SET(el, attr, ty, field, lo, hi)                                              \
	{                                                                             \
		.element = el, .attribute = attr, .type = ty,                         \
		.offset = offsetof(struct fmp_policy, field),                         \
		.size = sizeof(((struct fmp_policy *)0)->field), .min = lo, .max = hi \
	}

#define NAMED(el, attr, ty, field, list)                                       \
	{                                                                      \
		.element = el, .attribute = attr, .type = ty,                  \
		.offset = offsetof(struct fmp_policy, field),                  \
		.size = sizeof(((struct fmp_policy *)0)->field), .names = list \
	}
#define ALGORITHMS(attr, f, l) NAMED("algorithms", attr, FMPI_ALGORITHMS, gateway.algorithms.f, l)

static const char *const actions[] = { "observe", "limit", NULL };
static const char *const narrows[] = { [FMP_NARROW_NO] = "no",
				       [FMP_NARROW_PORT] = "port",
				       [FMP_NARROW_LIMIT] = "limit",
				       [FMP_NARROWS] = NULL };
static const char *const symmetrics[] = { [FMP_SYMMETRIC_ENDORSED] = "endorsed",
					  [FMP_SYMMETRIC_SUPPORTED] = "supported",
					  [FMP_SYMMETRIC_ANONYMOUS] = "anonymous",
					  [FMP_SYMMETRIC_NO] = "no",
					  [FMP_SYMMETRICS] = NULL };

static const char *const repeats[] = { [FMP_REPEATS_CHARGE] = "charge",
				       [FMP_REPEATS_REFUSE] = "refuse",
				       [FMP_REPEATS_PASS] = "pass",
				       [FMP_REPEATS] = NULL };

static const char *const describes[] = { [FMP_DESCRIBE_AUTO] = "auto",
					 [FMP_DESCRIBE_ANSWER] = "answer",
					 [FMP_DESCRIBE_PASS] = "pass",
					 [FMP_DESCRIBE_REFUSE] = "refuse",
					 [FMP_DESCRIBES] = NULL };

const struct fmpi_setting fmpi_settings[] = {
	SET("policy", "name", FMPI_NAME, name, 1, 31),

	SET("suspicion", "suspicious", FMPI_COUNT, suspicion.suspicious, 1, POINTS),
	SET("suspicion", "malicious", FMPI_COUNT, suspicion.malicious, 1, POINTS),
	SET("suspicion", "half-life", FMPI_MS, suspicion.half_life_ms, 0, LONG_MS),
	SET("suspicion", "ipv6-prefix", FMPI_COUNT8, suspicion.ipv6_prefix, 48, 128),
	SET("suspicion", "rank-per-cpu-ms", FMPI_COUNT, suspicion.rank_per_cpu_ms, 0, 1000),
	SET("suspicion", "max-sources", FMPI_COUNT, suspicion.max_sources, 16, 1u << 20),

	SET("credit", "points", FMPI_COUNT, suspicion.credit.points, 0, POINTS),
	SET("credit", "max", FMPI_COUNT, suspicion.credit.max, 1, POINTS),
	SET("credit", "half-life", FMPI_MS, suspicion.credit.half_life_ms, 1000, LONG_MS),

	NAMED("suspicious", "action", FMPI_CHOICE, suspicious.limit, actions),
	SET("suspicious", "rate", FMPI_RATE, suspicious.rate, 1, 1000000),
	SET("suspicious", "duration", FMPI_MS, suspicious.duration_ms, 1000, LONG_MS),

	SET("block", "observe", FMPI_BOOL, block.observe, 0, 1),
	SET("block", "layers", FMPI_LAYERS, block.layers, 0, 0),
	SET("block", "mac", FMPI_BOOL, block.mac, 0, 1),
	SET("block", "local-mac", FMPI_MS, block.local_mac_ms, 0, LONG_MS),
	SET("block", "local-mac-pair", FMPI_BOOL, block.local_mac_pair, 0, 1),
	SET("block", "duration", FMPI_MS, block.duration_ms, 1000, LONG_MS),
	SET("block", "factor", FMPI_FACTOR, block.factor_pct, 100, 100000),
	SET("block", "max", FMPI_MS, block.max_ms, 1000, LONG_MS),
	SET("block", "forget", FMPI_MS, block.forget_ms, 0, LONG_MS),
	SET("block", "jitter", FMPI_PERCENT, block.jitter_pct, 0, 90),
	NAMED("shared", "narrow", FMPI_CHOICE, block.shared.narrow, narrows),
	SET("shared", "credit", FMPI_COUNT, block.shared.credit, 1, POINTS),
	SET("shared", "up-to", FMPI_COUNT, block.shared.up_to, 1, POINTS),
	SET("shared", "rate", FMPI_RATE, block.shared.rate, 1, 1000000),
	SET("rollup", "sources", FMPI_COUNT, block.rollup.sources, 0, 65536),
	SET("rollup", "ipv4-prefix", FMPI_COUNT8, block.rollup.ipv4_prefix, 8, 31),
	SET("rollup", "ipv6-prefix", FMPI_COUNT8, block.rollup.ipv6_prefix, 16, 127),
	SET("rollup", "veto", FMPI_MS, block.rollup.veto_ms, 0, LONG_MS),

	SET("gateway", "security", FMPI_SECURITY, gateway.security, 0, 0),
	SET("gateway", "schema", FMPI_FILE, gateway.schema, 1, 255),
	SET("gateway", "port", FMPI_WORD, gateway.port, 1, 63),
	NAMED("gateway", "describe", FMPI_CHOICE, gateway.describe, describes),
	SET("gateway", "catalog", FMPI_FILE, gateway.catalog, 1, 255),
	SET("gateway", "trust", FMPI_FILE, gateway.trust, 1, 255),
	SET("gateway", "crl", FMPI_FILE, gateway.crl, 1, 255),
	SET("gateway", "certificates", FMPI_FILE, gateway.certificates, 1, 255),
	SET("gateway", "purpose", FMPI_PURPOSES, gateway.purpose, 1, 127),
	SET("gateway", "key", FMPI_FILE, gateway.key, 1, 255),
	SET("gateway", "ca", FMPI_FILE, gateway.backend_tls.ca, 1, 255),
	SET("gateway", "client-certificate", FMPI_FILE, gateway.backend_tls.certificate, 1, 255),
	SET("gateway", "client-key", FMPI_FILE, gateway.backend_tls.key, 1, 255),
	SET("gateway", "server-name", FMPI_WORD, gateway.backend_tls.server_name, 1, 253),
	SET("gateway", "access-log", FMPI_FILE, gateway.access_log, 1, 255),
	SET("gateway", "clock-skew", FMPI_MS, gateway.clock_skew_ms, 0, DAY_MS),
	SET("gateway", "max-age", FMPI_MS, gateway.max_age_ms, 0, LONG_MS),
	SET("gateway", "fast-signatures", FMPI_BOOL, gateway.fast_signatures, 0, 1),
	SET("gateway", "answer-timeout", FMPI_MS, gateway.answer_timeout_ms, 100, HOUR_MS),
	SET("gateway", "workers", FMPI_COUNT, gateway.workers, 1, 64),
	SET("gateway", "worker-memory", FMPI_SIZE, gateway.worker_memory_bytes, 16u << 20,
	    2u << 30),
	SET("gateway", "user", FMPI_NAME, gateway.user, 1, 31),
	SET("http", "compressed", FMPI_BOOL, gateway.http.compressed, 0, 1),
	SET("http", "ratio", FMPI_COUNT, gateway.http.ratio, 1, 1000),
	SET("http", "requests", FMPI_COUNT, gateway.http.requests, 1, 1000000),
	SET("http", "header", FMPI_SIZE, gateway.http.header_bytes, 1024, 256u << 10),
	SET("http", "fields", FMPI_COUNT, gateway.http.fields, 16, 1000),
	SET("http", "target", FMPI_SIZE, gateway.http.target_bytes, 128, 64u << 10),
	SET("http", "answer-header", FMPI_SIZE, gateway.http.answer_header_bytes, 1024, 256u << 10),
	SET("http", "answer-fields", FMPI_COUNT, gateway.http.answer_fields, 16, 1000),
	SET("tls", "certificate", FMPI_FILE, gateway.tls.certificate, 1, 255),
	SET("tls", "key", FMPI_FILE, gateway.tls.key, 1, 255),
	SET("tls", "client-ca", FMPI_FILE, gateway.tls.client_ca, 1, 255),
	SET("tls", "client-crl", FMPI_FILE, gateway.tls.client_crl, 1, 255),
	SET("require", "signed", FMPI_PARTS, gateway.require_signed, 0, 0),
	SET("require", "encrypted", FMPI_ENCRYPTED, gateway.require_encrypted, 0, 0),
	SET("require", "order", FMPI_ORDER, gateway.order, 0, FMP_ORDERS - 1),
	SET("require", "headers", FMPI_HEADERS, gateway.headers, 0, 0),
	NAMED("require", "symmetric", FMPI_CHOICE, gateway.symmetric, symmetrics),
	NAMED("require", "repeats", FMPI_CHOICE, gateway.repeats, repeats),
	ALGORITHMS("signature", signature, fmpi_signature_names),
	ALGORITHMS("digest", digest, fmpi_digest_names),
	ALGORITHMS("encryption", encryption, fmpi_cipher_names),
	ALGORITHMS("key-transport", key_transport, fmpi_key_transport_names),
	SET("username", "passwords", FMPI_FILE, gateway.passwords, 1, 255),
	SET("username", "text", FMPI_BOOL, gateway.password_text, 0, 1),
	SET("saml", "required", FMPI_BOOL, gateway.saml.required, 0, 1),
	SET("saml", "bearer", FMPI_BOOL, gateway.saml.bearer, 0, 1),
	SET("saml", "sender-vouches", FMPI_BOOL, gateway.saml.vouched, 0, 1),
	SET("saml", "one-time", FMPI_BOOL, gateway.saml.one_time, 0, 1),
	SET("saml", "audiences", FMPI_URIS, gateway.saml.audiences, 1, 255),
	SET("saml", "recipients", FMPI_URIS, gateway.saml.recipients, 1, 255),
	SET("identity", "forward", FMPI_BOOL, gateway.identity.forward, 0, 1),
	SET("identity", "subject", FMPI_WORD, gateway.identity.subject, 1, 63),
	SET("identity", "issuer", FMPI_WORD, gateway.identity.issuer, 1, 63),
	SET("identity", "user", FMPI_WORD, gateway.identity.user, 1, 63),
	SET("identity", "assurance", FMPI_WORD, gateway.identity.assurance, 1, 63),
	SET("answers", "sign", FMPI_SIGNING, gateway.answers.sign, 0, 0),
	SET("answers", "encrypt", FMPI_SEALING, gateway.answers.encrypt, 0, 0),
	SET("answers", "order", FMPI_ORDER, gateway.answers.order, 0, FMP_ORDER_ENCRYPT_SIGN),
	SET("answers", "certificate", FMPI_FILE, gateway.answers.certificate, 1, 255),
	SET("answers", "key", FMPI_FILE, gateway.answers.key, 1, 255),
	SET("answers", "timestamp", FMPI_MS, gateway.answers.timestamp_ms, 0, DAY_MS),
	SET("answers", "confirm", FMPI_BOOL, gateway.answers.confirm, 0, 1),
	SET("answers", "relate", FMPI_BOOL, gateway.answers.relate, 0, 1),
	SET("answers", "faults", FMPI_BOOL, gateway.answers.faults, 0, 1),
	SET("attachments", "allowed", FMPI_BOOL, gateway.attachments.allowed, 0, 1),
	SET("attachments", "unreferenced", FMPI_BOOL, gateway.attachments.unreferenced, 0, 1),
	SET("attachments", "parts", FMPI_COUNT, gateway.attachments.parts, 1, 1000),
	SET("attachments", "part-bytes", FMPI_SIZE, gateway.attachments.part_bytes, 1, 2u << 30),
	SET("attachments", "bytes", FMPI_SIZE, gateway.attachments.bytes, 1, 2u << 30),
	SET("replay", "entries", FMPI_COUNT, gateway.replay_entries, 0, FMP_REPLAY_MAX),
	SET("replay", "per-signer", FMPI_COUNT, gateway.replay_per_signer, 1, FMP_REPLAY_MAX),
	SET("limits", "body", FMPI_SIZE, gateway.limits.body_bytes, 1, BODY_MAX),
	SET("limits", "depth", FMPI_COUNT, gateway.limits.depth, 4, 256),
	SET("limits", "attributes", FMPI_COUNT, gateway.limits.attributes, 1, 10000),
	SET("limits", "elements", FMPI_COUNT, gateway.limits.elements, 2, 10000000),
	SET("limits", "name", FMPI_SIZE, gateway.limits.name_bytes, 16, 50000),
	SET("limits", "text", FMPI_SIZE, gateway.limits.text_bytes, 16, BODY_MAX),
	SET("limits", "references", FMPI_COUNT, gateway.limits.references, 1, 64),
	SET("timeouts", "header", FMPI_MS, gateway.header_timeout_ms, 100, DAY_MS),
	SET("timeouts", "body", FMPI_MS, gateway.body_timeout_ms, 100, DAY_MS),
	SET("timeouts", "idle", FMPI_MS, gateway.idle_timeout_ms, 100, DAY_MS),
	SET("timeouts", "worker", FMPI_MS, gateway.worker_timeout_ms, 100, DAY_MS),
	SET("connections", "max", FMPI_COUNT, gateway.connections, 1, 100000),
	SET("connections", "per-source", FMPI_COUNT, gateway.connections_per_source, 1, 100000),
	SET("connections", "memory", FMPI_SIZE, gateway.memory_bytes, 1u << 20, 1u << 30),

	SET("enforce", "reconcile", FMPI_MS, enforce.reconcile_ms, 1000, 60000),
	SET("enforce", "max-blocks", FMPI_COUNT, enforce.max_blocks, 1, 1u << 20),
	SET("enforce", "automatic-share", FMPI_PERCENT, enforce.automatic_pct, 0, 90),

	SET("state", "file", FMPI_FILE, state.file, 1, 255),
	SET("state", "interval", FMPI_MS, state.interval_ms, 10000, DAY_MS),
	SET("report", "group", FMPI_NAME, report.group, 1, 31),
	SET("report", "rate", FMPI_RATE, report.rate, 0, 100000),
	SET("metrics", "file", FMPI_FILE, metrics.file, 1, 255),
	SET("metrics", "interval", FMPI_MS, metrics.interval_ms, 1000, DAY_MS),
	SET("metrics", "listen", FMPI_WORD, metrics.listen, 1, 127),
	SET("metrics", "names", FMPI_HOSTS, metrics.names, 1, 255),
	SET("nat64", "prefix", FMPI_NAT64, nat64, 1, FMPI_VALUE_MAX - 1),
	SET("nat64", "discover", FMPI_BOOL, nat64_discover, 0, 1),
};
const size_t fmpi_n_settings = sizeof(fmpi_settings) / sizeof(fmpi_settings[0]);
_Static_assert(sizeof(fmpi_settings) / sizeof(fmpi_settings[0]) <= FMPI_SETTINGS_MAX,
	       "positions are kept for every setting");

const struct fmpi_element fmpi_elements[] = {
	{ .name = "policy" },
	{ .name = "include", .parent = "policy", .text = true },
	{ .name = "suspicion", .parent = "policy" },
	{ .name = "event", .parent = "suspicion", .many = true },
	{ .name = "credit", .parent = "suspicion" },
	{ .name = "suspicious", .parent = "policy" },
	{ .name = "block", .parent = "policy" },
	{ .name = "shared", .parent = "block" },
	{ .name = "rollup", .parent = "block" },
	{ .name = "overrides", .parent = "policy" },
	{ .name = "override", .parent = "overrides", .many = true },
	{ .name = "groups", .parent = "policy" },
	{ .name = "group", .parent = "groups", .many = true },
	{ .name = "blocklists", .parent = "policy" },
	{ .name = "blocklist", .parent = "blocklists", .many = true },
	{ .name = "protect", .parent = "policy" },
	{ .name = "address", .parent = "protect", .many = true, .text = true },
	{ .name = "mac", .parent = "protect", .many = true, .text = true },
	{ .name = "gateway", .parent = "policy" },
	{ .name = "http", .parent = "gateway" },
	{ .name = "fields", .parent = "gateway" },
	{ .name = "remove", .parent = "fields", .many = true },
	{ .name = "set", .parent = "fields", .many = true },
	{ .name = "keep", .parent = "fields", .many = true },
	{ .name = "tls", .parent = "gateway" },
	{ .name = "proxies", .parent = "gateway" },
	{ .name = "proxy", .parent = "proxies", .many = true },
	{ .name = "require", .parent = "gateway" },
	{ .name = "algorithms", .parent = "gateway" },
	{ .name = "username", .parent = "gateway" },
	{ .name = "saml", .parent = "gateway" },
	{ .name = "issuer", .parent = "saml", .many = true },
	{ .name = "identity", .parent = "gateway" },
	{ .name = "answers", .parent = "gateway" },
	{ .name = "headers", .parent = "gateway" },
	{ .name = "header", .parent = "headers", .many = true },
	{ .name = "attachments", .parent = "gateway" },
	{ .name = "content", .parent = "gateway" },
	{ .name = "rule", .parent = "content", .many = true },
	{ .name = "list", .parent = "content", .many = true },
	{ .name = "replay", .parent = "gateway" },
	{ .name = "services", .parent = "gateway" },
	{ .name = "service", .parent = "services", .many = true },
	{ .name = "client", .parent = "services", .many = true },
	{ .name = "limits", .parent = "gateway" },
	{ .name = "timeouts", .parent = "gateway" },
	{ .name = "connections", .parent = "gateway" },
	{ .name = "enforce", .parent = "policy" },
	{ .name = "device", .parent = "enforce", .many = true, .text = true },
	{ .name = "state", .parent = "policy" },
	{ .name = "report", .parent = "policy" },
	{ .name = "metrics", .parent = "policy" },
	{ .name = "nat64", .parent = "policy" },
};
const size_t fmpi_n_elements = sizeof(fmpi_elements) / sizeof(fmpi_elements[0]);

const struct fmpi_setting *fmpi_setting_find(const char *element, const char *attribute)
{
	for (size_t i = 0; i < fmpi_n_settings; i++)
		if (!strcmp(fmpi_settings[i].element, element) &&
		    !strcmp(fmpi_settings[i].attribute, attribute))
			return &fmpi_settings[i];
	return NULL;
}

const struct fmpi_setting *fmpi_setting_by_offset(size_t offset)
{
	for (size_t i = 0; i < fmpi_n_settings; i++)
		if (fmpi_settings[i].offset == offset)
			return &fmpi_settings[i];
	return NULL;
}

const struct fmpi_element *fmpi_element_find(const char *name)
{
	for (size_t i = 0; i < fmpi_n_elements; i++)
		if (!strcmp(fmpi_elements[i].name, name))
			return &fmpi_elements[i];
	return NULL;
}
