/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy: how cautious the user is. Read from XML (namespace
 * urn:fmp:policy:1, schema policies/fmp-policy.xsd), checked, then never changed.
 */
#ifndef FMP_POLICY_H
#define FMP_POLICY_H

#include <fmp/algorithms.h>
#include <fmp/blocklist.h>
#include <fmp/decision.h>
#include <fmp/error.h>
#include <fmp/event.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What good messages are worth. Each adds points to its source's credit, up to max; credit halves
 * like ranks do, and counts against the rank: a source is suspicious or malicious by its points
 * less its credit. Credit is not used up and takes no point away, so it never buys more
 * than max points of patience, however many good messages come.
 */
struct fmp_policy_credit {
	uint32_t points; /**< of a good message; 0: none */
	uint32_t max; /**< of a source at once; below malicious */
	uint64_t half_life_ms;
};

/** Most events that are remembered of a source to be counted, of all kinds together. */
#define FMP_COUNTED_MAX 128

/** So many events of one kind in so much time make a source malicious, whatever its points. */
struct fmp_policy_count {
	uint32_t count; /**< 0: they are not counted */
	uint64_t within_ms;
};

/** When a source is suspicious, when malicious. Ranks are whole points. */
struct fmp_policy_suspicion {
	uint32_t suspicious; /**< points at which a source is shown as suspicious */
	uint32_t malicious; /**< points at which it is blocked */
	uint64_t half_life_ms; /**< points halve in this time; 0: they never decay */
	uint8_t ipv6_prefix; /**< IPv6 sources are one by this prefix length, 48..128 */
	uint32_t rank[FMP_EVENT_KINDS]; /**< points an event of each kind adds; good: 0 */
	struct fmp_policy_count count[FMP_EVENT_KINDS];
	uint32_t rank_per_cpu_ms; /**< points added per started ms of CPU burnt, 0: none */
	uint32_t max_sources; /**< size of the table */
	struct fmp_policy_credit credit;
};

/** What happens to a suspicious source. */
struct fmp_policy_suspicious {
	bool limit; /**< "limit": to rate; else "observe": shown only */
	uint32_t rate; /**< packets a second */
	uint64_t duration_ms; /**< of a limit; a source still bad then gets another */
};

/** How the block of an address that good messages come from too is narrowed. */
enum fmp_narrow {
	FMP_NARROW_NO = 0, /**< "no": it is not */
	FMP_NARROW_PORT, /**< "port": to the port that the bad message went to */
	FMP_NARROW_LIMIT, /**< "limit": packets up to a rate pass */
	FMP_NARROWS
};
struct fmp_policy_shared {
	enum fmp_narrow narrow;
	uint32_t credit; /**< from so much credit on */
	uint32_t up_to; /**< but only below so many points */
	uint32_t rate; /**< packets a second */
};

/** When many blocks in one prefix become one. */
struct fmp_policy_rollup {
	uint32_t sources; /**< so many blocked ones; 0: never */
	uint8_t ipv4_prefix, ipv6_prefix;
	uint64_t veto_ms; /**< a good message from within it, so recent, forbids it; 0: none does */
};

/** What happens to a malicious source. */
struct fmp_policy_block {
	bool observe; /**< decide and show, but push nothing down */
	unsigned layers; /**< FMP_LAYER_BIT() of the layers wanted */
	bool mac; /**< block the MAC too where invariant 3 allows it */
	uint64_t local_mac_ms; /**< one that is locally administered no longer than this; 0: never */
	bool local_mac_pair; /**< and its IP address in frames of that MAC alone */
	uint64_t duration_ms; /**< of the first block */
	uint32_t factor_pct; /**< each later block lasts factor_pct / 100 times longer; 100: as long */
	uint64_t max_ms; /**< but never longer */
	uint64_t forget_ms; /**< this long without an event: the next block is a first one again */
	uint32_t jitter_pct; /**< a block is shorter by up to so much, by chance */
	struct fmp_policy_shared shared;
	struct fmp_policy_rollup rollup;
};

/** Most overrides of a policy, and of them those that keep their points apart. */
#define FMP_POOLS_MAX	  8
#define FMP_OVERRIDES_MAX 32
#define FMP_PROXIES_MAX	  16

/** What is judged otherwise: messages for one port, for one service, or for both. */
struct fmp_policy_override {
	char service[32]; /**< "": any */
	uint16_t port; /**< 0: any */
	bool pool; /**< points and counts are those of all messages; else it has its own */
	/** The policy's, with its own put over them: thresholds, ranks, rank_per_cpu_ms; layers and
	 * durations. The rest of both is not looked at. */
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_block block;
};

/** What is done to a malicious source of a group. */
enum fmp_group_action {
	FMP_GROUP_BLOCK = 0, /**< "block" */
	FMP_GROUP_LIMIT, /**< "limit": packets up to a rate pass; it is never blocked */
	FMP_GROUP_OBSERVE, /**< "observe": it is shown, neither blocked nor limited */
	FMP_GROUP_ACTIONS
};
#define FMP_GROUPS_MAX		32
#define FMP_GROUP_ADDRESSES_MAX 32

/** Sources that are judged otherwise, by their address: an office behind one, a partner's network. */
struct fmp_policy_group {
	char name[32];
	struct fmp_addr addresses[FMP_GROUP_ADDRESSES_MAX]; /**< or prefixes */
	unsigned n_addresses;
	enum fmp_group_action action;
	uint32_t rate; /**< of the limit, packets a second */
	/** What it says itself: bits of the settings that an override may have, in the order of their
	 * table, and of kinds of events. It goes before what an override says. */
	uint32_t said, said_ranks, said_counts;
	/** The policy's, with its own put over them, as of an override. */
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_block block;
};

/** struct fmp_policy_rules - what holds for one message of one source. Pointers into the policy, or to
 * copies of its own: not to be copied itself. */
struct fmp_policy_rules {
	const struct fmp_policy_suspicion *suspicion;
	const struct fmp_policy_block *block;
	const struct fmp_policy_override *override; /**< NULL: none fits */
	const struct fmp_policy_group *group; /**< NULL: the source is in none */
	struct fmp_policy_suspicion own_suspicion;
	struct fmp_policy_block own_block;
};

/** What the gateway demands. Names in parentheses are the paper's configurations. */
enum fmp_security {
	FMP_SECURITY_OS = 0, /**< "Os": forwarded as it is; HTTP and size limits only */
	FMP_SECURITY_BC, /**< "Bc": well-formed, a proper SOAP envelope */
	FMP_SECURITY_BCV, /**< "BcV": and valid against the schema */
	FMP_SECURITY_BCS, /**< "BcS": and signed: Timestamp and Body */
	FMP_SECURITY_BCE, /**< "BcE": BcV with the Body encrypted for us */
	FMP_SECURITY_BCES, /**< "BcES": signed and encrypted */
	FMP_SECURITIES
};
FMP_API const char *fmp_security_name(unsigned s);
FMP_API FMP_MUST_CHECK int fmp_security_parse(const char *name, enum fmp_security *out);

/** Structural limits of the byte pre-scan and the parser. */
struct fmp_policy_limits {
	uint32_t body_bytes; /**< of one message */
	uint32_t depth; /**< nesting of elements */
	uint32_t attributes; /**< of one element, namespace declarations included */
	uint32_t elements; /**< of one message, with attributes, comments, CDATA sections */
	uint32_t name_bytes; /**< of one element or attribute name */
	uint32_t text_bytes; /**< of one text node or attribute value */
	uint32_t references; /**< ds:Reference elements of a signature */
};

/** The gateway's TLS; files in PEM. Without a certificate it speaks plain HTTP. */
struct fmp_policy_tls {
	char certificate[256]; /**< its own, RSA or ECDSA, with what stands between it and the CA */
	char key[256]; /**< private key of the certificate */
	char client_ca[256]; /**< CAs of which clients must show a certificate; "": of none */
	char client_crl[256]; /**< revocation lists of all CAs of these; "": none are asked for */
};

/** What the gateway takes beside plain bodies, and how long it keeps a connection. */
struct fmp_policy_http {
	bool compressed; /**< gzip and deflate bodies are expanded; else refused */
	uint32_t ratio; /**< an expanded body may be so many times longer than what came */
	uint32_t requests; /**< of one connection, which is closed then */
	uint32_t header_bytes; /**< of the request line and the fields, line ends included */
	uint32_t fields;
};

/** How a proxy tells of the client that a connection or request is of. */
enum fmp_proxy_tells {
	FMP_PROXY_PROTOCOL = 0, /**< "proxy-protocol": version 2, at the start of each connection */
	FMP_PROXY_FORWARDED_FOR, /**< "x-forwarded-for": a field of each request */
};

/** A proxy in front of the gateway. It is protected, too. */
struct fmp_policy_proxy {
	struct fmp_addr address; /**< or a prefix */
	enum fmp_proxy_tells tells;
};

/** Parts of a message that a policy may want signed. Body and Timestamp always are. */
enum fmp_part {
	FMP_PART_BODY = 0, /**< "Body" */
	FMP_PART_TIMESTAMP, /**< "Timestamp" */
	FMP_PART_TO, /**< "To", and the ones below: header blocks of WS-Addressing 1.0 */
	FMP_PART_ACTION, /**< "Action" */
	FMP_PART_MESSAGE_ID, /**< "MessageID" */
	FMP_PART_FROM, /**< "From" */
	FMP_PART_REPLY_TO, /**< "ReplyTo" */
	FMP_PART_RELATES_TO, /**< "RelatesTo" */
	FMP_PARTS
};

/** What of a message a policy may want encrypted. The Body always is, under BcE and BcES. */
enum fmp_encrypted_part {
	FMP_ENCRYPTED_BODY = 0, /**< "Body" */
	FMP_ENCRYPTED_USERNAME, /**< "username": the UsernameToken */
	FMP_ENCRYPTED_SIGNATURE, /**< "signature": that of the message */
	FMP_ENCRYPTED_TO, /**< "To", and behind it those of enum fmp_part that follow there */
	FMP_ENCRYPTED_PARTS = FMP_ENCRYPTED_TO + FMP_PARTS - FMP_PART_TO
};
#define FMP_ENCRYPTED_BIT(s) (1u << (s))
/** fmp_encrypted_part_name() - NULL if out of range. */
FMP_API const char *fmp_encrypted_part_name(unsigned secret);

/** What is done first with a message that is signed and encrypted. */
enum fmp_order {
	FMP_ORDER_SIGN_ENCRYPT = 0, /**< "sign-then-encrypt": the Body itself is signed */
	FMP_ORDER_ENCRYPT_SIGN, /**< "encrypt-then-sign": what is signed is encrypted */
	/** "encrypt-sign-encrypt": the same, then UsernameToken and Signature; not of answers */
	FMP_ORDER_ENCRYPT_SIGN_ENCRYPT,
	FMP_ORDERS
};
/** fmp_order_name() - NULL if out of range. */
FMP_API const char *fmp_order_name(unsigned order);

/** What becomes of the header blocks of a signed message; Security is never handed on. */
enum fmp_headers {
	FMP_HEADERS_STRIP = 0, /**< "strip": none is handed on */
	FMP_HEADERS_SIGNED, /**< "signed": those that are signed are */
	FMP_HEADERS_ONLY_SIGNED, /**< "only-signed": they are, and others are refused */
	FMP_HEADERS
};
/** fmp_headers_name() - NULL if out of range. */
FMP_API const char *fmp_headers_name(unsigned headers);

/** How answers are signed. */
enum fmp_signing {
	FMP_SIGN_NONE = 0, /**< "none" */
	FMP_SIGN_RSA_SHA256, /**< "rsa-sha256" */
	FMP_SIGN_RSA_SHA384, /**< "rsa-sha384" */
	FMP_SIGN_RSA_SHA512, /**< "rsa-sha512" */
	FMP_SIGN_ECDSA_SHA256, /**< "ecdsa-sha256" */
	FMP_SIGN_ECDSA_SHA384, /**< "ecdsa-sha384" */
	FMP_SIGNINGS
};
/** fmp_signing_name() - NULL if out of range. */
FMP_API const char *fmp_signing_name(unsigned signing);

/** How the Body of an answer is encrypted. */
enum fmp_sealing {
	FMP_SEAL_NONE = 0, /**< "none" */
	FMP_SEAL_AES128_GCM, /**< "aes128-gcm" */
	FMP_SEAL_AES256_GCM, /**< "aes256-gcm" */
	FMP_SEALINGS
};
/** fmp_sealing_name() - NULL if out of range. */
FMP_API const char *fmp_sealing_name(unsigned sealing);

/** What the gateway does to answers of the service; nothing if it neither signs nor encrypts. */
struct fmp_policy_answers {
	enum fmp_signing sign;
	enum fmp_sealing encrypt; /**< for the certificate that the request was signed with */
	enum fmp_order order;
	char certificate[256]; /**< PEM file of the signing key's certificate */
	char key[256]; /**< PEM private key */
	uint64_t timestamp_ms; /**< an answer is good for so long; 0: it has no Timestamp */
	bool confirm; /**< says which signature it answers: SignatureConfirmation */
	bool relate; /**< says which message it answers: RelatesTo of WS-Addressing */
	bool faults; /**< a Fault of the service is an answer, too */
};

#define FMP_PART_BIT(p) (1u << (p))
/** fmp_part_name() - NULL if out of range. */
FMP_API const char *fmp_part_name(unsigned part);

/** SAML 2.0 assertions in a message. Lists are of URIs with single blanks in between. */
struct fmp_policy_saml {
	bool required; /**< in each message; else they may be there */
	bool bearer; /**< also those that are good for whoever bears them */
	bool one_time; /**< each is good for one message, says it so or not */
	char audiences[256]; /**< that we are: an assertion must be for one of them */
	char recipients[256]; /**< addresses that we have, for an assertion that names one */
	struct {
		char name[256]; /**< Issuer */
		char trust[256]; /**< PEM file of its certificates, or of CAs that it has */
	} issuers[8];
	unsigned n_issuers; /**< 0: no assertions */
};

/** A prefix that the XPath of a rule may use. */
struct fmp_policy_namespace {
	char *prefix, *uri;
};

/** struct fmp_policy_rule - what a message must not say; texts as they are written */
struct fmp_policy_rule {
	char name[32];
	char *xpath; /**< where; NULL: in every text and attribute that is handed on */
	char *regex; /**< what, of PCRE2; NULL: anything that the XPath finds */
	bool fold; /**< the regex is tried on what the text is folded to, too: <rule fold> */
	bool list; /**< only more than `max` of them are refused */
	uint32_t max;
	struct fmp_policy_namespace *namespaces;
	unsigned n_namespaces;
};

/** Most rules of one <content>. */
#define FMP_RULES_MAX 64

/** struct fmp_policy_content - rules, in the order in which they are tried */
struct fmp_policy_content {
	struct fmp_policy_content *next; /**< of the same policy, which owns them all */
	struct fmp_policy_rule *rules;
	unsigned n_rules;
};

/** Largest replay_entries: 120 MiB. */
#define FMP_REPLAY_MAX 2000000u

struct fmp_policy_gateway {
	enum fmp_security security;
	char schema[256]; /**< XSD or WSDL of the Web service; "" if not needed */
	char port[64]; /**< of that WSDL; "": all of its ports that can be checked */
	char trust[256]; /**< PEM file of trusted CAs */
	char crl[256]; /**< PEM file of their revocation lists; "": nobody is revoked */
	char certificates[256]; /**< PEM file or directory of certificates that messages may name */
	char purpose[128]; /**< extended key usages that signers' certificates may have; "any" */
	char access_log[256]; /**< a line an answer; "": none */
	char key[256]; /**< PEM private key that messages are encrypted for */
	uint64_t clock_skew_ms; /**< tolerance around Timestamp */
	uint64_t max_age_ms; /**< a message created longer ago is refused; 0: Expires only */
	unsigned require_signed; /**< FMP_PART_BIT()s; under BcS and BcES */
	unsigned require_encrypted; /**< FMP_ENCRYPTED_BIT()s; under BcE and BcES */
	enum fmp_order order; /**< under BcES */
	enum fmp_headers headers; /**< under BcS and BcES */
	struct fmp_policy_algorithms algorithms;
	char passwords[256]; /**< file of users, "name:password"; "": no UsernameToken */
	bool password_text; /**< a password as text is taken too */
	struct fmp_policy_saml saml;
	struct fmp_policy_answers answers;
	const struct fmp_policy_content *content; /**< NULL: nothing beside the schema */
	bool fast_signatures; /**< the usual is verified and parsed by own code, not by xmlsec1 and libxml2 */
	uint32_t replay_entries; /**< signed messages remembered against replays; 0: none */
	uint32_t replay_per_signer; /**< of them of one signer */
	struct fmp_policy_limits limits;
	struct fmp_policy_http http;
	struct fmp_policy_tls tls;
	struct fmp_policy_proxy proxies[FMP_PROXIES_MAX];
	unsigned n_proxies;
	uint32_t workers; /**< processes that parse; 1..64 */
	uint32_t worker_memory_bytes; /**< address space of each: libraries, schema and one message */
	uint32_t connections; /**< open at once, all sources */
	uint32_t connections_per_source;
	uint32_t memory_bytes; /**< that they may hold: requests, and answers that are not yet read */
	uint64_t header_timeout_ms; /**< from accept, or from the answer before, to the end of the headers */
	uint64_t body_timeout_ms; /**< from the headers' end to the body's end */
	uint64_t idle_timeout_ms; /**< a kept-alive connection without a request */
	uint64_t worker_timeout_ms; /**< a worker silent for longer over one message is replaced */
	char user[32]; /**< own uid of the gateway */
};

/** Most services and clients of a policy. */
#define FMP_SERVICES_MAX 32

/**
 * A Web service behind the gateway, by path and action; or, with client set, one outside that
 * programs of this machine call through the gateway: then its answers are what is inspected.
 */
struct fmp_policy_service {
	char name[32];
	bool client;
	char path[128]; /**< of the request; with "/" and a star at its end: all below it */
	char action[256]; /**< SOAPAction, action or wsa:Action; "": every one */
	char backend[256]; /**< http or https URL; "": the one of the command line */
	char ca[256]; /**< PEM file of the CAs of an https backend */
	struct fmp_policy_gateway demands; /**< the gateway's settings, with its own put over them */
	/** Where in the policy's own file the backend is named, else the service; 0: in another one. */
	unsigned line, column;
};

/** Where the policy enforces. */
struct fmp_policy_enforce {
	char devices[8][16]; /**< devices of the layers mac and premac */
	unsigned device_layers[8]; /**< bits of the layers used on each, FMP_LAYER_IP among them */
	/** 0, or none of them with mac or premac: every other device with an address of ours but loopback */
	unsigned n_devices;
	uint64_t reconcile_ms; /**< compare table and kernel this often, at most 60000 */
	uint32_t max_blocks; /**< blocks in force at once */
	uint32_t automatic_pct; /**< of these, so many percent are kept for what fmpd decides by itself */
};

/** A list of addresses that are blocked while the policy names it. */
#define FMP_BLOCKLISTS_MAX 8
struct fmp_policy_blocklist {
	char file[256];
	char set[FMP_SET_NAME_MAX]; /**< the named set that its blocks belong to */
	uint64_t for_ms; /**< 0: as long as it is listed */
	struct fmp_blocklist list;
};

/** What fmpd keeps for its next start. */
struct fmp_policy_state {
	char file[256]; /**< "": nothing is kept, unless the service manager names a directory */
	uint64_t interval_ms; /**< while nothing is decided at most one write in this time */
};

/** Who on this machine may report sources; see <fmp/report.h>. */
struct fmp_policy_report {
	char group[32]; /**< its members may, beside root and the user of fmpd */
	uint32_t rate; /**< reports a second of one user; what comes faster is counted as lost */
};

/** Where the counters can be read, in Prometheus' text format. */
struct fmp_policy_metrics {
	char file[256]; /**< written anew in each interval; "": none */
	uint64_t interval_ms;
	char listen[128]; /**< "unix:PATH" or a loopback ADDRESS:PORT, for HTTP; "": none */
	char names[256]; /**< that a Host field may have beside the address and localhost, a blank between */
};

/** struct fmp_policy - read it through a const pointer; owned by who loaded it. */
struct fmp_policy {
	char name[32];
	char file[256];
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_suspicious suspicious;
	struct fmp_policy_block block;
	struct fmp_policy_override *overrides; /**< the one that says most of a message counts */
	size_t n_overrides;
	struct fmp_policy_group *groups; /**< the one with the longest prefix counts */
	size_t n_groups;
	struct fmpi_group_index *group_index; /**< of their addresses; NULL: each is looked at */
	struct fmp_policy_gateway gateway;
	struct fmp_policy_service *services; /**< none: every path is the one service's */
	size_t n_services;
	struct fmp_policy_enforce enforce;
	struct fmp_policy_blocklist *blocklists;
	size_t n_blocklists;
	struct fmp_policy_state state;
	struct fmp_policy_report report;
	struct fmp_policy_metrics metrics;
	struct fmp_translators nat64; /**< of the network, beside the well-known ones */
	bool nat64_discover; /**< those of RFC 8781 and RFC 7050 are looked for */
	struct fmp_policy_content *contents; /**< all that gateway and services point to */
	struct fmp_addr *protect; /**< addresses and MACs that are never blocked */
	size_t n_protect;
	struct fmp_error *warnings; /**< settings that do nothing, or not what they seem to */
	size_t n_warnings;
	struct fmpi_origin *origin; /**< where each setting was written; NULL: it was not read from
					 a file here */
};

/**
 * fmp_policy_load() - read, validate against the schema, check the sense
 * @file: path of the XML
 * @xsd: path of fmp-policy.xsd; NULL: the installed one, or policies/ beside the
 *	 program's build tree
 * @out: a new policy on success; nothing on failure
 * @err: file:line:column and a sentence, with a suggestion for a misspelt name
 *
 * Relative paths inside the policy are relative to the policy file.
 * Return: 0, FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_SCHEMA, FMP_ERR_CONFLICT, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_policy_load(const char *file, const char *xsd,
					   struct fmp_policy **out, struct fmp_error *err);
/** fmp_policy_load_memory() - the same from bytes; name stands in errors. For tests and fuzzing. */
FMP_API FMP_MUST_CHECK int fmp_policy_load_memory(const void *bytes, size_t len, const char *name,
						  const char *xsd, struct fmp_policy **out,
						  struct fmp_error *err);
/**
 * fmp_ciphers_parse() - names of `encryption` in <algorithms>, blanks between them
 * @why: what is wrong with it
 *
 * Return: 0, FMP_ERR_SCHEMA.
 */
FMP_API FMP_MUST_CHECK int fmp_ciphers_parse(const char *text, unsigned *out, char *why,
					     size_t size);
/** fmp_policy_default() - the balanced policy without a file. Return: NULL without memory. */
FMP_API struct fmp_policy *fmp_policy_default(void);
/** fmp_policy_override() - the override for messages to a port, of a service; NULL: none. One of both
 * goes before one of the service, that before one of the port; of equals the first listed. */
FMP_API const struct fmp_policy_override *fmp_policy_override(const struct fmp_policy *p,
							      const char *service, uint16_t port);
/** fmp_policy_group() - the group of a source, which may be a prefix: the longest prefix that holds it, or
 * is in it. NULL: none. */
FMP_API const struct fmp_policy_group *fmp_policy_group(const struct fmp_policy *p,
							const struct fmp_addr *source);
/** fmp_policy_rules() - what holds for a message of a source. What the group of the source says goes before
 * what an override says, that before what <suspicion> and <block> say. @o: fmp_policy_override() */
FMP_API void fmp_policy_rules(const struct fmp_policy *p, const struct fmp_addr *source,
			      const struct fmp_policy_override *o, struct fmp_policy_rules *out);
/** fmp_policy_is_exempted() - is there one in a prefix whose group is never blocked? */
FMP_API bool fmp_policy_is_exempted(const struct fmp_policy *p, const struct fmp_addr *prefix);
/** fmp_policy_counted() - so many events of a kind are remembered of a source: the largest count of any
 * rule. 0: the kind is not counted. */
FMP_API uint32_t fmp_policy_counted(const struct fmp_policy *p, unsigned kind);
FMP_API void fmp_policy_free(struct fmp_policy *p);

/* ---- the policy in force, as text ---- */

/** One setting as it would be written; both texts last until the callback returns. */
struct fmp_policy_value {
	/** "suspicion/malicious", "gateway/limits/body", "suspicion/event[dtd]/rank",
	 * "protect/address[192.0.2.1]": elements by what tells them apart, then the attribute */
	const char *path;
	const char *value; /**< "100", "10min", "64KiB"; of an element that is but text: the text */
};
/**
 * fmp_policy_origin() - where the value of a setting comes from
 * @path: as fmp_policy_each() writes it
 *
 * "FILE:LINE:COLUMN", the same with " (base)" behind it, or "default". Return: buf.
 */
FMP_API const char *fmp_policy_origin(const struct fmp_policy *p, const char *path, char *buf,
				      size_t size);
/** fmp_policy_place() - file, line and column of the setting that has this text as its value, or holds
 * it, as errors need it. Return: false if there is none. */
FMP_API bool fmp_policy_place(const struct fmp_policy *p, const char *value, struct fmp_error *err);
/** fmp_policy_each() - every setting, defaults too; empty ones not. Stops when cb returns non-zero.
 * Return: 0, what cb returned, FMP_ERR_NOMEM. */
FMP_API int fmp_policy_each(const struct fmp_policy *p,
			    int (*cb)(const struct fmp_policy_value *v, void *ctx), void *ctx);
/**
 * fmp_policy_print() - as XML, a line a call, without its end
 *
 * It loads again, as the same policy: defaults, base and includes are written out, and
 * relative file names are absolute. Return: 0, what line() returned, FMP_ERR_NOMEM.
 */
FMP_API int fmp_policy_print(const struct fmp_policy *p, int (*line)(const char *text, void *ctx),
			     void *ctx);

/** One setting that two policies differ in. */
struct fmp_policy_change {
	const char *path; /**< as in struct fmp_policy_value */
	const char *from, *to; /**< the values; NULL: not there */
};
/** fmp_policy_diff() - from a to b: what is another or gone, in a's order, then what is new.
 * Return: 0, what cb returned, FMP_ERR_NOMEM. */
FMP_API int fmp_policy_diff(const struct fmp_policy *a, const struct fmp_policy *b,
			    int (*cb)(const struct fmp_policy_change *c, void *ctx), void *ctx);

/** fmp_duration_parse() - "10min", "500ms", "2h", "1d", "0" -> ms. Return: 0, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_duration_parse(const char *text, uint64_t *ms);
/** fmp_duration_format() - the same back, in the largest two units. Return: buf. */
FMP_API const char *fmp_duration_format(uint64_t ms, char *buf, size_t size);
/** fmp_size_parse() - "64KiB", "1MiB", "512" -> bytes. Return: 0, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_size_parse(const char *text, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
