/* SPDX-License-Identifier: GPL-2.0 */
/* Reading one policy file: what the steps share. */
#ifndef FMP_POLICY_XML_H
#define FMP_POLICY_XML_H

#include <libxml/tree.h>
#include <limits.h>

#include <fmp/internal/policy_settings.h>

/* What a file is to the policy that is loaded. */
enum fmpi_include_kind {
	FMPI_INCLUDE_MAIN = 0,
	FMPI_INCLUDE_BASE, /* what it builds on */
	FMPI_INCLUDE_INCLUDE,
};

/* One file, as long as the policy is read. */
struct fmpi_include {
	enum fmpi_include_kind kind;
	char *text;
	size_t len;
	char *name, *dir;
	xmlDoc *doc;
	uint64_t device, inode; /* 0: bytes, not a file */
};
#define FMPI_INCLUDES_MAX 64
#define FMPI_DEPTH_MAX	  8

/* The part that is being read stands in its first fields. */
struct fmpi_reader {
	enum fmpi_include_kind kind;
	const char *text; /* the file, not terminated */
	size_t len;
	const char *name; /* of the file, for errors */
	const char *dir; /* that relative paths are relative to */
	xmlDoc *doc;
	struct fmpi_include parts[FMPI_INCLUDES_MAX];
	unsigned n_parts, part, depth; /* part: the one being read */
	uint8_t order[FMPI_INCLUDES_MAX]; /* of the parts: who comes later has the last word */
	unsigned n_order;
	const char *xsd;
	struct fmp_policy *policy; /* being filled */
	size_t protect_cap;
	bool own_override[FMP_OVERRIDES_MAX], own_group[FMP_GROUPS_MAX],
		own_blocklist[FMP_BLOCKLISTS_MAX],
		own_proxy[FMP_PROXIES_MAX]; /* the part being read says it */
	struct fmp_positions where;
	struct fmp_position event_at[FMP_EVENT_KINDS]; /* of the ranks that were written */
	struct fmp_position device_at[8]; /* as fmp_policy_enforce lists them */
	struct fmp_position element_at[64]; /* of the last of each, by fmpi_elements */
	struct fmp_error *err;
	int failed; /* code of the first error of a callback */
};

/** fmpi_reader_fail() - an error at a node, or at an attribute of it (NULL: none). Return: code. */
int fmpi_reader_fail(struct fmpi_reader *r, enum fmp_code code, const xmlNode *node,
		     const char *attribute, const char *fmt, ...) FMP_PRINTF(5, 6);

/** fmpi_reader_locate() - where an attribute of a node stands, and in which file. */
struct fmp_position fmpi_reader_locate(const struct fmpi_reader *r, const xmlNode *node,
				       const char *attribute);
/** fmpi_policy_check_idle() - settings that do nothing: warnings, or 0, FMP_ERR_CONFLICT, FMP_ERR_NOMEM. */
int fmpi_policy_check_idle(struct fmpi_reader *r);
/** fmpi_reader_is_base() - is the file, of a position, one that others build on? NULL is not. */
bool fmpi_reader_is_base(const struct fmpi_reader *r, const char *file);
/** fmpi_idle_service() - the same of what a service says itself. @before: what was written outside of it. */
int fmpi_idle_service(struct fmpi_reader *r, const struct fmp_policy_service *svc,
		      const struct fmp_positions *before);
/** fmpi_idle_rules() - the same of what an override or a group says. */
int fmpi_idle_rules(struct fmpi_reader *r, const xmlNode *node,
		    const struct fmp_policy_suspicion *s);
/** fmp_policy_warn() - a warning, with a place. Return: 0, FMP_ERR_NOMEM. */
int fmp_policy_warn(struct fmp_policy *p, const struct fmp_position *at, const char *fmt, ...)
	FMP_PRINTF(3, 4);
/** fmpi_policy_warn_risks() - of settings that weaken what they stand beside. Return: 0, FMP_ERR_NOMEM. */
int fmpi_policy_warn_risks(struct fmpi_reader *r);
/** fmpi_child() - the first element of a name in a node; NULL, as for no node. */
const xmlNode *fmpi_child(const xmlNode *node, const char *name);

/** fmpi_policy_read() - the document into the policy. Return: 0, FMP_ERR_SCHEMA, FMP_ERR_NOMEM. */
int fmpi_policy_read(struct fmpi_reader *r);

/* reader.c, for readers of elements of their own; each: 0 or a code */
int fmpi_policy_reader_settings(struct fmpi_reader *r, const xmlNode *node);
int fmpi_policy_reader_set(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
			   void *base, const struct fmpi_setting *s);
int fmpi_policy_reader_unknown(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr);

/** fmpi_policy_reader_value() - the value of an attribute; "" and an error in r->failed when it is too long to
 * be one. Return: buf. */
const char *fmpi_policy_reader_value(struct fmpi_reader *r, const xmlNode *node,
				     const xmlAttr *attr, char buf[FMPI_VALUE_MAX]);

/* event.c */
int fmpi_policy_reader_event(struct fmpi_reader *r, const xmlNode *node,
			     bool seen[FMP_EVENT_KINDS]);
/** fmpi_policy_check_counts() - is what is counted of a source bounded? Return: 0, FMP_ERR_CONFLICT. */
int fmpi_policy_check_counts(struct fmpi_reader *r);

/** fmpi_issuer_read() - one more of those whose assertions are taken. */
int fmpi_issuer_read(struct fmpi_reader *r, const xmlNode *node);

/** fmpi_blocklist_read() - one more <blocklist>, and the list that it names. */
int fmpi_blocklist_read(struct fmpi_reader *r, const xmlNode *node);

/** fmpi_overrides_read() - when <suspicion> and <block> of every part are read. */
int fmpi_overrides_read(struct fmpi_reader *r);
/** fmpi_override_attribute() - the i-th that <override> may have; NULL behind the last. */
const char *fmpi_override_attribute(size_t i);

/** fmpi_rules_events() - the <event> elements of an <override> or a <group>; of the kinds, bits of those
 * with a rank, with a count. */
int fmpi_rules_events(struct fmpi_reader *r, const xmlNode *node, uint32_t *ranks,
		      uint32_t *counts);

/** fmpi_groups_read() - the same of <group>. */
int fmpi_groups_read(struct fmpi_reader *r);
/** fmpi_group_attribute() - the i-th that <group> may have; NULL behind the last. */
const char *fmpi_group_attribute(size_t i);

/** fmpi_services_read() - when <gateway> of every part is read: they inherit it. */
int fmpi_services_read(struct fmpi_reader *r);
bool fmpi_is_service(const char *element);
/** fmpi_service_attribute() - the i-th that <service> may have; NULL behind the last. */
const char *fmpi_service_attribute(size_t i);

/* includes.c */

/** fmpi_includes_read() - bytes with all that they build on and include, into the policy.
 * @bytes: copied; @name of the file. Return: 0 or a code. */
int fmpi_includes_read(struct fmpi_reader *r, const void *bytes, size_t len, const char *name);
void fmpi_includes_free(struct fmpi_reader *r);
/** fmpi_include_enter() - the reader reads that part now. */
void fmpi_include_enter(struct fmpi_reader *r, unsigned i);
#define FMPI_FILE_MAX (1u << 20)
/** fmpi_file_read() - a regular file of 1 MiB at most. Return: 0, FMP_ERR_IO with errno in *sys,
 * FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
int fmpi_file_read(const char *path, struct fmpi_include *out, int *sys);
/** What fmpi_file_read() says instead of an errno of what is there, but neither a file nor a folder. */
#define FMPI_NO_FILE (-1)
const char *fmpi_file_why(int sys);
/** fmpi_xml_parse() - the current part's text into its doc. */
int fmpi_xml_parse(struct fmpi_reader *r);

/** fmpi_data_file() - one of ours: in the tree the program was built in, before the installed. */
const char *fmpi_data_file(const char *name, char *buf, size_t size);

/** fmpi_policy_validate() - against fmp-policy.xsd. Return: 0, FMP_ERR_SCHEMA, FMP_ERR_IO. */
int fmpi_policy_validate(struct fmpi_reader *r, const char *xsd);

#endif
