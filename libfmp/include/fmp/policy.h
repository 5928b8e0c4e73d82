/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The policy: how cautious the user is. It is read from XML (namespace urn:fmp:policy:1, schema
 * policies/fmp-policy.xsd) and checked; afterwards it never changes.
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
 * Credit for good messages. Each adds points to its source's credit, up to max. Credit halves like
 * ranks do and is subtracted from the rank: a source is suspicious or malicious by its points less
 * its credit. Credit is not consumed and removes no points, so it never tolerates more than max
 * points, however many good messages arrive.
 */
struct fmp_policy_credit {
	uint32_t points; /**< for each good message; 0: none */
	uint32_t max; /**< upper bound for a source; below malicious */
	uint64_t half_life_ms;
};

/** Upper bound on the counted events stored for a source, all kinds together. */
#define FMP_COUNTED_MAX 128

/** This many events of one kind within this time make a source malicious, whatever its points. */
struct fmp_policy_count {
	uint32_t count; /**< 0: not counted */
	uint64_t within_ms;
};

/** The thresholds and what events add. Ranks are whole points. */
struct fmp_policy_suspicion {
	uint32_t suspicious; /**< points at which a source is shown as suspicious */
	uint32_t malicious; /**< points at which it is blocked */
	uint64_t half_life_ms; /**< points halve in this time; 0: they never decay */
	/** IPv6 addresses with a common prefix of this length are one source; 48..128 */
	uint8_t ipv6_prefix;
	uint32_t rank[FMP_EVENT_KINDS]; /**< points for an event of each kind; good: 0 */
	struct fmp_policy_count count[FMP_EVENT_KINDS];
	uint32_t rank_per_cpu_ms; /**< points added for each started millisecond of CPU time; 0: none */
	uint32_t max_sources; /**< capacity of the table */
	struct fmp_policy_credit credit;
};

/** The action against a suspicious source. */
struct fmp_policy_suspicious {
	bool limit; /**< "limit": limit it to rate; false, "observe": only show it */
	uint32_t rate; /**< packets a second */
	uint64_t duration_ms; /**< of a limit; a source that is still suspicious then gets another one */
};

/** How to narrow the block of an address that also sends good messages. */
enum fmp_narrow {
	FMP_NARROW_NO = 0, /**< "no": block it entirely */
	FMP_NARROW_PORT, /**< "port": block only the port that the bad message went to */
	FMP_NARROW_LIMIT, /**< "limit": let packets up to a rate pass */
	FMP_NARROWS
};
struct fmp_policy_shared {
	enum fmp_narrow narrow;
	uint32_t credit; /**< only with at least this credit */
	uint32_t up_to; /**< and fewer points than this */
	uint32_t rate; /**< packets a second */
};

/** When to replace many blocks within a prefix by one block of the prefix. */
struct fmp_policy_rollup {
	uint32_t sources; /**< number of blocked sources that triggers it; 0: never */
	uint8_t ipv4_prefix, ipv6_prefix;
	uint64_t veto_ms; /**< a good message from the prefix within this time prevents it; 0: none does */
};

/** The action against a malicious source. */
struct fmp_policy_block {
	bool observe; /**< decide and show, but enforce nothing */
	unsigned layers; /**< FMP_LAYER_BIT()s of the wanted layers */
	bool mac; /**< also block the MAC where invariant 3 allows it */
	uint64_t local_mac_ms; /**< limit for a locally administered MAC; 0: never block it */
	bool local_mac_pair; /**< block the IP address only in frames of that MAC */
	uint64_t duration_ms; /**< of the first block */
	/** each further block lasts factor_pct / 100 times as long; 100: equally long */
	uint32_t factor_pct;
	uint64_t max_ms; /**< upper bound of the duration */
	uint64_t forget_ms; /**< after this time without an event the next block counts as the first */
	uint32_t jitter_pct; /**< a block is shortened at random by up to this percentage */
	struct fmp_policy_shared shared;
	struct fmp_policy_rollup rollup;
};

/** Bounds on overrides, and on those with a pool of points of their own. */
#define FMP_POOLS_MAX	  8
#define FMP_OVERRIDES_MAX 32
#define FMP_PROXIES_MAX	  16

/** Different settings for the messages of a port, of a service, or of both. */
struct fmp_policy_override {
	char service[32]; /**< "": any */
	uint16_t port; /**< 0: any */
	bool pool; /**< true: shares points and counts with all other messages; false: has its own */
	/** The policy's settings with the override's own on top: thresholds, ranks,
	 * rank_per_cpu_ms; layers and durations. The other members are not used. */
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_block block;
};

/** The action against a malicious source of a group. */
enum fmp_group_action {
	FMP_GROUP_BLOCK = 0, /**< "block" */
	FMP_GROUP_LIMIT, /**< "limit": let packets up to a rate pass, never block */
	FMP_GROUP_OBSERVE, /**< "observe": show it, neither block nor limit */
	FMP_GROUP_ACTIONS
};
#define FMP_GROUPS_MAX		32
#define FMP_GROUP_ADDRESSES_MAX 32

/** Different settings for sources by address: an office behind one address, a partner's network. */
struct fmp_policy_group {
	char name[32];
	struct fmp_addr addresses[FMP_GROUP_ADDRESSES_MAX]; /**< or prefixes */
	unsigned n_addresses;
	enum fmp_group_action action;
	uint32_t rate; /**< packets a second, for the limit */
	/** Settings that the group itself sets: bits of the overridable settings, in the order of
	 * their table, and bits of event kinds. They take precedence over an override's. */
	uint32_t own_settings, own_ranks, own_counts;
	/** The policy's settings with the group's own on top, as in an override. */
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_block block;
};

/** struct fmp_policy_rules - the settings that apply to one message of one source. Pointers into
 * the policy, or to the copies below: the struct itself must not be copied. */
struct fmp_policy_rules {
	const struct fmp_policy_suspicion *suspicion;
	const struct fmp_policy_block *block;
	const struct fmp_policy_override *override; /**< NULL: none applies */
	const struct fmp_policy_group *group; /**< NULL: the source is in no group */
	struct fmp_policy_suspicion own_suspicion;
	struct fmp_policy_block own_block;
};

/** What the gateway requires of a message. The names in parentheses are the paper's
 * configurations. */
enum fmp_security {
	FMP_SECURITY_OS = 0, /**< "Os": forwarded as it is; HTTP and size limits only */
	FMP_SECURITY_BC, /**< "Bc": well-formed, with a valid SOAP envelope */
	FMP_SECURITY_BCV, /**< "BcV": Bc, and valid against the schema */
	FMP_SECURITY_BCS, /**< "BcS": BcV, with Timestamp and Body signed */
	FMP_SECURITY_BCE, /**< "BcE": BcV with the Body encrypted for us */
	FMP_SECURITY_BCES, /**< "BcES": signed and encrypted */
	FMP_SECURITIES
};
FMP_API const char *fmp_security_name(unsigned s);
FMP_API FMP_MUST_CHECK int fmp_security_parse(const char *name, enum fmp_security *out);

/** Structural limits for the screen and the parser. */
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
	char certificate[256]; /**< RSA or ECDSA, with the intermediate certificates */
	char key[256]; /**< its private key */
	char client_ca
		[256]; /**< client certificates must be issued by these CAs; "": none is required */
	char client_crl[256]; /**< CRLs of all these CAs; "": revocation is not checked */
};

/** TLS towards an https backend; files in PEM. */
struct fmp_policy_backend_tls {
	char ca[256]; /**< CAs of the backend */
	char certificate[256]; /**< the client certificate, with its intermediates; "": none */
	char key[256]; /**< its private key */
	char server_name[256]; /**< for SNI, and in the backend's certificate; "": the URL's host */
};

/** HTTP settings of the gateway. */
struct fmp_policy_http {
	bool compressed; /**< decompress gzip and deflate bodies; false: refuse them */
	uint32_t ratio; /**< upper bound on the ratio of the expanded size to the received size */
	uint32_t requests; /**< per connection, which is then closed */
	uint32_t header_bytes; /**< request line and header fields, line ends included */
	uint32_t fields;
	uint32_t target_bytes; /**< request target */
	uint32_t answer_header_bytes; /**< the same limits for a service's answer */
	uint32_t answer_fields;
};

#define FMP_FIELD_RULES_MAX 16

/** What <fields> does with a field of requests, answers or both. */
struct fmp_policy_field_rule {
	char name[64]; /**< a star at its end: all names that begin so; for removal only */
	char value[192]; /**< "": remove the field; otherwise replace it */
	bool requests, answers;
	bool keep; /**< forward it, though requests with it are forged; it is neither removed nor replaced */
};

/** Fields that are removed or set; all others are forwarded. */
struct fmp_policy_fields {
	struct fmp_policy_field_rule rule[FMP_FIELD_RULES_MAX];
	unsigned n;
};

/** How a proxy reports the client of a connection or request. */
enum fmp_proxy_tells {
	FMP_PROXY_PROTOCOL = 0, /**< "proxy-protocol": version 2, at the start of each connection */
	FMP_PROXY_FORWARDED_FOR, /**< "x-forwarded-for": a field of each request */
};

/** A proxy in front of the gateway. It is protected. */
struct fmp_policy_proxy {
	struct fmp_addr address; /**< or a prefix */
	enum fmp_proxy_tells tells;
};

/** Message parts that a policy may require to be signed. Body and Timestamp always are. */
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

/** Message parts that a policy may require to be encrypted. The Body always is, under BcE and
 * BcES. */
enum fmp_encrypted_part {
	FMP_ENCRYPTED_BODY = 0, /**< "Body" */
	FMP_ENCRYPTED_USERNAME, /**< "username": the UsernameToken */
	FMP_ENCRYPTED_SIGNATURE, /**< "signature": the message's Signature */
	FMP_ENCRYPTED_TO, /**< "To", followed by the further parts in the order of enum fmp_part */
	FMP_ENCRYPTED_PARTS = FMP_ENCRYPTED_TO + FMP_PARTS - FMP_PART_TO
};
#define FMP_ENCRYPTED_BIT(s) (1u << (s))
/** fmp_encrypted_part_name() - NULL if out of range. */
FMP_API const char *fmp_encrypted_part_name(unsigned part);

/** The order of signing and encrypting a message. */
enum fmp_order {
	FMP_ORDER_SIGN_ENCRYPT = 0, /**< "sign-then-encrypt": the Body itself is signed */
	FMP_ORDER_ENCRYPT_SIGN, /**< "encrypt-then-sign": the signature covers encrypted data */
	/** "encrypt-sign-encrypt": additionally encrypts UsernameToken and Signature; not for
	 * answers */
	FMP_ORDER_ENCRYPT_SIGN_ENCRYPT,
	FMP_ORDERS
};
/** fmp_order_name() - NULL if out of range. */
FMP_API const char *fmp_order_name(unsigned order);

/**
 * What a message that is signed by the key of an EncryptedKey needs besides: that key names no
 * sender, for anybody can make one.
 */
enum fmp_symmetric {
	FMP_SYMMETRIC_ENDORSED =
		0, /**< "endorsed": a certificate, or the holder of an Assertion, endorses it */
	FMP_SYMMETRIC_SUPPORTED, /**< "supported": or it signs a UsernameToken or a bearer's Assertion */
	FMP_SYMMETRIC_ANONYMOUS, /**< "anonymous": nothing */
	FMP_SYMMETRIC_NO, /**< "no": it is refused */
	FMP_SYMMETRICS
};

/** What becomes of a message that the source which sent it sends again, byte for byte. */
enum fmp_repeats {
	FMP_REPEATS_CHARGE = 0, /**< "charge": it is a replay, as from any other source */
	FMP_REPEATS_REFUSE, /**< "refuse": it is refused, and not charged */
	FMP_REPEATS_PASS, /**< "pass": it is forwarded, to a service that knows duplicates by itself */
	FMP_REPEATS
};

/** Which header blocks of a signed message are forwarded; Security never is. */
enum fmp_headers {
	FMP_HEADERS_ADDRESSING = 0, /**< "addressing": the signed ones of WS-Addressing */
	FMP_HEADERS_STRIP, /**< "strip": none */
	FMP_HEADERS_SIGNED, /**< "signed": the signed ones */
	FMP_HEADERS_ONLY_SIGNED, /**< "only-signed": the signed ones; a message with others is refused */
	FMP_HEADERS
};
/** fmp_headers_name() - NULL if out of range. */
FMP_API const char *fmp_headers_name(unsigned headers);

/** Must a named header block be signed? */
enum fmp_header_signed {
	FMP_HEADER_SIGNED_DEFAULT = 0, /**< under BcS and BcES, which verify signatures */
	FMP_HEADER_SIGNED_YES, /**< "yes" */
	FMP_HEADER_SIGNED_NO, /**< "no": it is forwarded unsigned too */
};

/** Upper bound on the blocks of one <headers>. */
#define FMP_HEADER_BLOCKS_MAX 24

/** struct fmp_policy_header - a header block of the application, by its qualified name */
struct fmp_policy_header {
	char ns[160];
	char local[64]; /**< "*": all of the namespace that are not named themselves */
	bool understood; /**< the service understands it: mustUnderstand is satisfied */
	bool required; /**< each message has exactly one */
	bool forwarded; /**< to the service */
	/** not of the policy, but of a header binding of the WSDL: without a signature it is as one
	 * that is not named */
	bool bound;
	enum fmp_header_signed is_signed;
};

/** struct fmp_policy_headers - blocks, in the order of the policy */
struct fmp_policy_headers {
	struct fmp_policy_header block[FMP_HEADER_BLOCKS_MAX];
	unsigned n;
};

/** Fields that tell the service who was verified; names of HTTP fields. */
struct fmp_policy_identity {
	bool forward; /**< false: none is sent */
	char subject[64], issuer[64], user[64], assurance[64];
};

/** How answers are signed. */
enum fmp_signing {
	FMP_SIGN_NONE = 0, /**< "none" */
	FMP_SIGN_RSA_SHA256, /**< "rsa-sha256" */
	FMP_SIGN_RSA_SHA384, /**< "rsa-sha384" */
	FMP_SIGN_RSA_SHA512, /**< "rsa-sha512" */
	FMP_SIGN_ECDSA_SHA256, /**< "ecdsa-sha256" */
	FMP_SIGN_ECDSA_SHA384, /**< "ecdsa-sha384" */
	FMP_SIGN_ECDSA_SHA512, /**< "ecdsa-sha512" */
	FMP_SIGN_ED25519, /**< "ed25519" */
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

/** What the gateway does to the service's answers; nothing if it neither signs nor encrypts. */
struct fmp_policy_answers {
	enum fmp_signing sign;
	enum fmp_sealing encrypt; /**< for the certificate that signed the request */
	enum fmp_order order;
	char certificate[256]; /**< PEM file of the signing key's certificate */
	char key[256]; /**< PEM private key */
	uint64_t timestamp_ms; /**< lifetime of an answer; 0: no Timestamp */
	bool confirm; /**< add SignatureConfirmation of WS-Security 1.1 */
	bool relate; /**< add RelatesTo of WS-Addressing */
	bool faults; /**< treat a Fault of the service as an answer */
};

/** Messages with attachments: MTOM and SOAP with Attachments. */
struct fmp_policy_attachments {
	bool allowed; /**< false: refuse multipart/related and application/xop+xml */
	bool unreferenced; /**< accept parts that nothing refers to; those of MTOM never are */
	uint32_t parts; /**< most attachments of a message */
	uint32_t part_bytes; /**< of one attachment */
	uint32_t bytes; /**< of all attachments of a message */
};

#define FMP_PART_BIT(p) (1u << (p))
/** fmp_part_name() - NULL if out of range. */
FMP_API const char *fmp_part_name(unsigned part);

/** SAML 2.0 assertions in a message. Lists are URIs separated by single spaces. */
struct fmp_policy_saml {
	bool required; /**< every message needs one; false: optional */
	bool bearer; /**< also accept bearer assertions */
	bool vouched; /**< also accept those that a trusted signer vouches for (sender-vouches) */
	bool one_time; /**< accept each for one message only, even without OneTimeUse */
	char audiences[256]; /**< identities of this gateway: an assertion must be for one of them */
	char recipients[256]; /**< addresses of this gateway, for an assertion that names a Recipient */
	struct {
		char name[256]; /**< Issuer */
		char trust[256]; /**< PEM file of its certificates, or of the CAs that issued them */
	} issuers[8];
	unsigned n_issuers; /**< 0: no assertions */
};

/** A namespace prefix that the XPath of a rule may use. */
struct fmp_policy_namespace {
	char *prefix, *uri;
};

/** struct fmp_policy_rule - a rule that refuses messages by their content; texts are stored as
 * written */
struct fmp_policy_rule {
	char name[32];
	char *xpath; /**< nodes to look at; NULL: every text and attribute that is forwarded */
	char *regex; /**< PCRE2 pattern; NULL: any node that the XPath finds */
	bool fold; /**< also match the regex against the folded text: <rule fold> */
	bool list; /**< refuse only more than `max` matches */
	uint32_t max;
	struct fmp_policy_namespace *namespaces;
	unsigned n_namespaces;
};

/** Upper bound on the rules of one <content>. */
#define FMP_RULES_MAX 64

/** struct fmp_policy_content - rules, in the order of evaluation */
struct fmp_policy_content {
	struct fmp_policy_content *next; /**< next content of the same policy, which owns them all */
	struct fmp_policy_rule *rules;
	unsigned n_rules;
};

/** What becomes of a GET that asks for the WSDL of a service (?wsdl, ?xsd=). */
enum fmp_describe {
	FMP_DESCRIBE_AUTO = 0, /**< "auto": answer if the schema is a WSDL, else refuse */
	FMP_DESCRIBE_ANSWER, /**< "answer": from the WSDL that the schema is */
	FMP_DESCRIBE_PASS, /**< "pass": ask the service */
	FMP_DESCRIBE_REFUSE, /**< "refuse" */
	FMP_DESCRIBES
};

/** Largest replay_entries: 120 MiB. */
#define FMP_REPLAY_MAX 2000000u

struct fmp_policy_gateway {
	enum fmp_security security;
	char schema[256]; /**< XSD or WSDL of the Web service; "" if not needed */
	char port[64]; /**< port of that WSDL; "": all ports that can be checked */
	enum fmp_describe describe;
	char catalog[256]; /**< XML catalog for what the schema imports; "": none */
	char trust[256]; /**< PEM file of trusted CAs */
	char crl[256]; /**< PEM file of their CRLs; "": revocation is not checked */
	char certificates[256]; /**< PEM file or directory of certificates that messages may refer to */
	char purpose[128]; /**< extended key usages that signers' certificates may have; "any" */
	char access_log[256]; /**< one line for each answer; "": none */
	char key[256]; /**< PEM private key that messages are encrypted for */
	uint64_t clock_skew_ms; /**< tolerance around Timestamp */
	uint64_t max_age_ms; /**< refuse a message created longer ago; 0: check Expires only */
	unsigned require_signed; /**< FMP_PART_BIT()s; under BcS and BcES */
	unsigned require_encrypted; /**< FMP_ENCRYPTED_BIT()s; under BcE and BcES */
	enum fmp_order order; /**< under BcES */
	enum fmp_headers headers; /**< under BcS and BcES */
	enum fmp_symmetric symmetric; /**< likewise */
	enum fmp_repeats repeats; /**< of messages that are accepted once */
	struct fmp_policy_headers header_blocks; /**< named ones; from Bc on */
	struct fmp_policy_identity identity;
	struct fmp_policy_algorithms algorithms;
	char passwords[256]; /**< file of users, "name:password"; "": no UsernameToken */
	bool password_text; /**< also accept plain-text passwords */
	struct fmp_policy_saml saml;
	struct fmp_policy_answers answers;
	struct fmp_policy_attachments attachments;
	const struct fmp_policy_content *content; /**< NULL: no content rules */
	/** verify and parse common signatures by own code instead of xmlsec1 and libxml2 */
	bool fast_signatures;
	uint64_t answer_timeout_ms; /**< for the answer of a service, connecting and waiting included */
	uint32_t replay_entries; /**< stored keys of signed messages, to detect replays; 0: none */
	uint32_t replay_per_signer; /**< upper bound for one signer */
	struct fmp_policy_limits limits;
	struct fmp_policy_http http;
	struct fmp_policy_fields fields;
	struct fmp_policy_tls tls;
	struct fmp_policy_backend_tls backend_tls;
	struct fmp_policy_proxy proxies[FMP_PROXIES_MAX];
	unsigned n_proxies;
	uint32_t workers; /**< number of worker processes, 1..64 */
	uint32_t worker_memory_bytes; /**< address space of each worker: libraries, schema and one message */
	uint32_t connections; /**< upper bound on open connections, of all sources */
	uint32_t connections_per_source;
	uint32_t memory_bytes; /**< memory for buffered requests and answers that are not yet read */
	/** from accept, or from the previous answer, to the end of the headers */
	uint64_t header_timeout_ms;
	uint64_t body_timeout_ms; /**< from the end of the headers to the end of the body */
	uint64_t idle_timeout_ms; /**< for a kept-alive connection without a request */
	uint64_t worker_timeout_ms; /**< a worker that takes longer for a message is replaced */
	char user[32]; /**< user that the gateway runs as */
};

/** Upper bound on the services and clients of a policy. */
#define FMP_SERVICES_MAX 32

/**
 * A Web service behind the gateway, selected by path and action; or, if client is set, a remote
 * service that programs of this machine call through the gateway, which then inspects its answers.
 */
struct fmp_policy_service {
	char name[32];
	bool client;
	char path[128]; /**< path of the request; a trailing slash and star includes everything below it */
	char action[256]; /**< SOAPAction, action or wsa:Action; "": any */
	char backend[256]; /**< http or https URL; "": the command line's */
	struct fmp_policy_gateway
		demands; /**< the gateway's settings with the service's own on top */
	/** Position of the backend, or of the service, in the policy's own file; 0: it is in
	 * another file. */
	unsigned line, column;
};

/** Where blocks are enforced. */
struct fmp_policy_enforce {
	char devices[8][16]; /**< devices for the layers mac and premac */
	unsigned device_layers[8]; /**< bits of the layers used on each device, FMP_LAYER_IP included */
	/** 0, or none with mac or premac: all other devices that have an address of this machine,
	 * except loopback */
	unsigned n_devices;
	uint64_t reconcile_ms; /**< interval of comparisons with the kernel, at most 60000 */
	uint32_t max_blocks; /**< upper bound on active blocks */
	uint32_t automatic_pct; /**< percentage of these that is reserved for automatic blocks */
};

/** A list of addresses that are blocked as long as the policy names it. */
#define FMP_BLOCKLISTS_MAX 8
struct fmp_policy_blocklist {
	char file[256];
	char set[FMP_SET_NAME_MAX]; /**< the set that its blocks belong to */
	uint64_t for_ms; /**< duration of its blocks; 0: as long as the address is listed */
	struct fmp_blocklist list;
};

/** The state that fmpd saves for its next start. */
struct fmp_policy_state {
	char file[256]; /**< "": not saved, unless the service manager provides a directory */
	uint64_t interval_ms; /**< without decisions the file is written at most once in this time */
};

/** Permission to report sources to fmpd; see <fmp/report.h>. */
struct fmp_policy_report {
	char group[32]; /**< members of this group may report, beside root and fmpd's user */
	uint32_t rate; /**< reports a second from one user; further ones are counted as lost */
};

/** Export of the counters in Prometheus' text format. */
struct fmp_policy_metrics {
	char file[256]; /**< rewritten in each interval; "": none */
	uint64_t interval_ms;
	char listen[128]; /**< "unix:PATH" or a loopback ADDRESS:PORT, for HTTP; "": none */
	/** accepted in the Host field beside the address and localhost, separated by spaces */
	char names[256];
};

/** struct fmp_policy - read-only after loading; owned by the caller that loaded it. */
struct fmp_policy {
	char name[32];
	char file[256];
	char folder[256]; /**< real path of its folder; "": too long, or "/" */
	struct fmp_policy_suspicion suspicion;
	struct fmp_policy_suspicious suspicious;
	struct fmp_policy_block block;
	struct fmp_policy_override *overrides; /**< the most specific one applies */
	size_t n_overrides;
	struct fmp_policy_group *groups; /**< the one with the longest matching prefix applies */
	size_t n_groups;
	struct fmpi_group_index *group_index; /**< index of their addresses; NULL: linear search */
	struct fmp_policy_gateway gateway;
	struct fmp_policy_service
		*services; /**< if there are none, every path belongs to a single service */
	size_t n_services;
	struct fmp_policy_enforce enforce;
	struct fmp_policy_blocklist *blocklists;
	size_t n_blocklists;
	struct fmp_policy_state state;
	struct fmp_policy_report report;
	struct fmp_policy_metrics metrics;
	struct fmp_translators
		nat64; /**< the network's own NAT64 prefixes, beside the well-known one */
	bool nat64_discover; /**< also use prefixes discovered by RFC 8781 and RFC 7050 */
	struct fmp_policy_content *contents; /**< all contents that gateway and services refer to */
	struct fmp_addr *protect; /**< addresses and MACs that are never blocked */
	size_t n_protect;
	struct fmp_error *warnings; /**< settings without effect, or with an unexpected one */
	size_t n_warnings;
	/** position of each setting; NULL: the policy was not read from a file by this process */
	struct fmpi_origin *origin;
};

/**
 * fmp_policy_load() - read a policy, validate it against the schema, check for contradictions
 * @file: path of the XML
 * @xsd: path of fmp-policy.xsd; NULL: the installed one, or policies/ beside the program's build
 * 	 tree
 * @out: a new policy on success; unchanged on failure
 * @err: file:line:column and a sentence, with a suggestion for a misspelt name
 *
 * Relative paths inside the policy are relative to the policy file.
 *
 * Return: 0, FMP_ERR_IO, FMP_ERR_SYNTAX, FMP_ERR_SCHEMA, FMP_ERR_CONFLICT, FMP_ERR_NOMEM.
 */
FMP_API FMP_MUST_CHECK int fmp_policy_load(const char *file, const char *xsd,
					   struct fmp_policy **out, struct fmp_error *err);
/** fmp_policy_load_memory() - as fmp_policy_load(), from memory; @name stands in errors. For tests
 * and fuzzing. */
FMP_API FMP_MUST_CHECK int fmp_policy_load_memory(const void *bytes, size_t len, const char *name,
						  const char *xsd, struct fmp_policy **out,
						  struct fmp_error *err);
/**
 * fmp_ciphers_parse() - parse the names of `encryption` in <algorithms>, separated by spaces
 * @why: what is wrong
 *
 * Return: 0, FMP_ERR_SCHEMA.
 */
FMP_API FMP_MUST_CHECK int fmp_ciphers_parse(const char *text, unsigned *out, char *why,
					     size_t size);
/** fmp_policy_default() - a copy of the built-in policy "balanced". Return: NULL without memory. */
FMP_API struct fmp_policy *fmp_policy_default(void);
/** fmp_policy_override() - the override for messages to a port of a service; NULL: none. One for
 * both wins over one for the service, that over one for the port; among equals the first listed
 * wins. */
FMP_API const struct fmp_policy_override *fmp_policy_override(const struct fmp_policy *p,
							      const char *service, uint16_t port);
/** fmp_policy_group() - the group of a source, which may be a prefix: the group with the longest
 * prefix that contains the source or is contained in it. NULL: none. */
FMP_API const struct fmp_policy_group *fmp_policy_group(const struct fmp_policy *p,
							const struct fmp_addr *source);
/** fmp_policy_rules() - the settings that apply to a message of a source. Settings of the source's
 * group win over those of an override, these over <suspicion> and <block>. @o: from
 * fmp_policy_override() */
FMP_API void fmp_policy_rules(const struct fmp_policy *p, const struct fmp_addr *source,
			      const struct fmp_policy_override *o, struct fmp_policy_rules *out);
/** fmp_policy_is_exempted() - does a prefix overlap a group that is never blocked? */
FMP_API bool fmp_policy_is_exempted(const struct fmp_policy *p, const struct fmp_addr *prefix);
/** fmp_policy_count_limit() - the number of events of a kind to remember for a source: the largest
 * count of all settings. 0: the kind is not counted. */
FMP_API uint32_t fmp_policy_count_limit(const struct fmp_policy *p, unsigned kind);
FMP_API void fmp_policy_free(struct fmp_policy *p);

/* ---- a policy as text ---- */

/** One setting as it would be written; both texts last until the callback returns. */
struct fmp_policy_value {
	/** "suspicion/malicious", "gateway/limits/body", "suspicion/event[dtd]/rank",
	 * "protect/address[192.0.2.1]": elements, with their key in brackets if they may repeat,
	 * then the attribute */
	const char *path;
	const char *value; /**< "100", "10min", "64KiB"; for an element without attributes its text */
};
/**
 * fmp_policy_origin() - the position at which a setting was written
 * @path: as in struct fmp_policy_value
 *
 * Writes "FILE:LINE:COLUMN", with " (base)" appended if a base sets it, or "default". Return: buf.
 */
FMP_API const char *fmp_policy_origin(const struct fmp_policy *p, const char *path, char *buf,
				      size_t size);
/** fmp_policy_locate() - find the setting that has @value as its value, or whose value @value
 * contains, and store its file, line and column in @err. Return: false if there is none. */
FMP_API bool fmp_policy_locate(const struct fmp_policy *p, const char *value,
			       struct fmp_error *err);
/** fmp_policy_each() - call @cb for every setting, defaults included, empty ones not; stops when
 * it returns non-zero.
 * Return: 0, cb's value, FMP_ERR_NOMEM. */
FMP_API int fmp_policy_each(const struct fmp_policy *p,
			    int (*cb)(const struct fmp_policy_value *v, void *ctx), void *ctx);
/**
 * fmp_policy_print() - write the policy as XML, a line for each call, without its end
 *
 * Loading the output gives the same policy: defaults, base and includes are written out, and file
 * names are absolute.
 *
 * Return: 0, line()'s value, FMP_ERR_NOMEM.
 */
FMP_API int fmp_policy_print(const struct fmp_policy *p, int (*line)(const char *text, void *ctx),
			     void *ctx);

/** One setting in which two policies differ. */
struct fmp_policy_change {
	const char *path; /**< as in struct fmp_policy_value */
	const char *from, *to; /**< the values; NULL: absent */
};
/** fmp_policy_diff() - report the differences from @a to @b: changed and removed settings in @a's
 * order, then new ones. Return: 0, cb's value, FMP_ERR_NOMEM. */
FMP_API int fmp_policy_diff(const struct fmp_policy *a, const struct fmp_policy *b,
			    int (*cb)(const struct fmp_policy_change *c, void *ctx), void *ctx);

/** fmp_duration_parse() - "10min", "500ms", "2h", "1d", "0" -> ms. Return: 0, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_duration_parse(const char *text, uint64_t *ms);
/** fmp_duration_format() - format a duration in its two largest units. Return: buf. */
FMP_API const char *fmp_duration_format(uint64_t ms, char *buf, size_t size);
/** fmp_size_parse() - "64KiB", "1MiB", "512" -> bytes. Return: 0, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_size_parse(const char *text, uint64_t *bytes);

#ifdef __cplusplus
}
#endif
#endif
