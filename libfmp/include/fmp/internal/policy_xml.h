/* SPDX-License-Identifier: GPL-2.0 */
/* Internals of the policy reader, shared by its files. */
#ifndef FMP_POLICY_XML_H
#define FMP_POLICY_XML_H

#include <libxml/tree.h>
#include <limits.h>

#include <fmp/internal/policy_settings.h>

/* The role of a file in the loaded policy. */
enum fmpi_include_kind {
	FMPI_INCLUDE_MAIN = 0,
	FMPI_INCLUDE_BASE, /* a base */
	FMPI_INCLUDE_INCLUDE,
};

/* One file; exists while the policy is read. */
struct fmpi_include {
	enum fmpi_include_kind kind;
	char *text;
	size_t len;
	char *name, *dir;
	xmlDoc *doc;
	uint64_t device, inode; /* 0: read from memory */
};
#define FMPI_INCLUDES_MAX 64
#define FMPI_DEPTH_MAX	  8

/* The first members describe the file that is being read. */
struct fmpi_reader {
	enum fmpi_include_kind kind;
	const char *text; /* its content, not terminated */
	size_t len;
	const char *name; /* file name for errors */
	const char *dir; /* folder for relative paths */
	xmlDoc *doc;
	struct fmpi_include files[FMPI_INCLUDES_MAX];
	unsigned n_files, current_file, depth; /* current_file: index of the file being read */
	uint8_t order[FMPI_INCLUDES_MAX]; /* indices in reading order: a later file overrides */
	unsigned n_order;
	const char *xsd;
	struct fmp_policy *policy; /* being filled */
	size_t protect_cap;
	bool own_override[FMP_OVERRIDES_MAX], own_group[FMP_GROUPS_MAX],
		own_blocklist[FMP_BLOCKLISTS_MAX],
		own_proxy[FMP_PROXIES_MAX]; /* the current file defines it */
	struct fmp_positions where;
	struct fmp_position event_at[FMP_EVENT_KINDS]; /* positions of the written ranks */
	struct fmp_position device_at[8]; /* as fmp_policy_enforce lists them */
	struct fmp_position
		element_at[64]; /* position of the last occurrence, by row of fmpi_elements */
	struct fmp_error *err;
	int failed; /* code of the first error of a callback */
};

/** fmpi_reader_fail() - report an error at a node, or at an attribute of it (NULL: the node).
 * Return: code. */
int fmpi_reader_fail(struct fmpi_reader *r, enum fmp_code code, const xmlNode *node,
		     const char *attribute, const char *fmt, ...) FMP_PRINTF(5, 6);

/** fmpi_reader_locate() - the position of an attribute of a node (NULL: the node). */
struct fmp_position fmpi_reader_locate(const struct fmpi_reader *r, const xmlNode *node,
				       const char *attribute);
/** fmpi_policy_check_idle() - warn of settings without effect. Return: 0, FMP_ERR_CONFLICT,
 * FMP_ERR_NOMEM. */
int fmpi_policy_check_idle(struct fmpi_reader *r);
/** fmpi_reader_is_base() - does a position's file name belong to a base? NULL does not. */
bool fmpi_reader_is_base(const struct fmpi_reader *r, const char *file);
/** fmpi_service_check_idle() - warn of a service's own settings without effect. @before: positions
 * outside the service */
int fmpi_service_check_idle(struct fmpi_reader *r, const struct fmp_policy_service *svc,
			    const struct fmp_positions *before);
/** fmpi_rules_check_idle() - warn of the thresholds of an override or a group. */
int fmpi_rules_check_idle(struct fmpi_reader *r, const xmlNode *node,
			  const struct fmp_policy_suspicion *s);
/** fmp_policy_warn() - add a warning with a position. Return: 0, FMP_ERR_NOMEM. */
int fmp_policy_warn(struct fmp_policy *p, const struct fmp_position *at, const char *fmt, ...)
	FMP_PRINTF(3, 4);
/** fmpi_child() - the first child element of a name; NULL: none, or no node. */
const xmlNode *fmpi_child(const xmlNode *node, const char *name);

/** fmpi_policy_read() - read the current document into the policy. Return: 0, FMP_ERR_SCHEMA,
 * FMP_ERR_NOMEM. */
int fmpi_policy_read(struct fmpi_reader *r);

/* reader.c: for the readers of single elements. Return: 0 or a code. */
int fmpi_policy_reader_settings(struct fmpi_reader *r, const xmlNode *node);
int fmpi_policy_reader_set(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
			   void *base, const struct fmpi_setting *s);
int fmpi_policy_reader_unknown(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr);

/** fmpi_policy_reader_value() - the value of an attribute; if it is too long "", with the error in
 * r->failed. Return: buf. */
const char *fmpi_policy_reader_value(struct fmpi_reader *r, const xmlNode *node,
				     const xmlAttr *attr, char buf[FMPI_VALUE_MAX]);

/* event.c */
int fmpi_policy_reader_event(struct fmpi_reader *r, const xmlNode *node,
			     bool seen[FMP_EVENT_KINDS]);
/** fmpi_policy_check_counts() - is the number of counted events of a source bounded? Return: 0,
 * FMP_ERR_CONFLICT. */
int fmpi_policy_check_counts(struct fmpi_reader *r);

/** fmpi_issuer_read() - add an <issuer>. */
int fmpi_issuer_read(struct fmpi_reader *r, const xmlNode *node);

/** fmpi_headers_read() - read <headers>; they replace those read before. */
int fmpi_headers_read(struct fmpi_reader *r, const xmlNode *node);
/**
 * fmpi_headers_check() - do the named header blocks fit the security?
 * @node: the <service>; NULL: <gateway>
 */
int fmpi_headers_check(struct fmpi_reader *r, const struct fmp_policy_gateway *g,
		       const xmlNode *node);
/** fmpi_fields_read() - read <fields>; replaces what was inherited. */
int fmpi_fields_read(struct fmpi_reader *r, const xmlNode *node);

/** fmpi_blocklist_read() - add a <blocklist>, and read the list that it names. */
int fmpi_blocklist_read(struct fmpi_reader *r, const xmlNode *node);

/** fmpi_overrides_read() - read the overrides of the current file, after <suspicion> and <block>
 * of all files. */
int fmpi_overrides_read(struct fmpi_reader *r);
/** fmpi_override_attribute() - the i-th attribute of <override>; NULL behind the last. */
const char *fmpi_override_attribute(size_t i);

/** fmpi_event_list_read() - read the <event> elements of an <override> or a <group>. @ranks,
 * @counts: bits of the kinds that have one */
int fmpi_event_list_read(struct fmpi_reader *r, const xmlNode *node, uint32_t *ranks,
			 uint32_t *counts);

/** fmpi_groups_read() - read the groups of the current file, after <suspicion> and <block> of all
 * files. */
int fmpi_groups_read(struct fmpi_reader *r);
/** fmpi_group_attribute() - the i-th attribute of <group>; NULL behind the last. */
const char *fmpi_group_attribute(size_t i);

/** fmpi_services_read() - read the services of the current file, after <gateway> of all files,
 * from which they inherit. */
int fmpi_services_read(struct fmpi_reader *r);
bool fmpi_is_service(const char *element);
/** fmpi_service_attribute() - the i-th attribute of <service>; NULL behind the last. */
const char *fmpi_service_attribute(size_t i);

/* includes.c */

/** fmpi_includes_read() - read a policy with its bases and includes. @bytes: copied. Return: 0 or
 * a code. */
int fmpi_includes_read(struct fmpi_reader *r, const void *bytes, size_t len, const char *name);
void fmpi_includes_free(struct fmpi_reader *r);
/** fmpi_include_enter() - make a file the current one. */
void fmpi_include_enter(struct fmpi_reader *r, unsigned i);
#define FMPI_FILE_MAX (1u << 20)
/** fmpi_file_read() - read a regular file of 1 MiB at most. Return: 0, FMP_ERR_IO with errno in
 * *sys, FMP_ERR_LIMIT, FMP_ERR_NOMEM. */
int fmpi_file_read(const char *path, struct fmpi_include *out, int *sys);
/** *sys of fmpi_file_read() for something that is neither a file nor a folder. */
#define FMPI_NO_FILE (-1)
const char *fmpi_file_why(int sys);
/** fmpi_xml_parse() - parse the current file's text into its doc. */
int fmpi_xml_parse(struct fmpi_reader *r);

/** fmpi_data_file() - the path of a shipped file: in the build tree of the program, else the
 * installed one. */
const char *fmpi_data_file(const char *name, char *buf, size_t size);

/** fmpi_policy_validate() - validate the current document against fmp-policy.xsd. Return: 0,
 * FMP_ERR_SCHEMA, FMP_ERR_IO. */
int fmpi_policy_validate(struct fmpi_reader *r, const char *xsd);

#endif
