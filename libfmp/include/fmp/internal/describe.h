/* SPDX-License-Identifier: GPL-2.0 */
/*
 * GET of a service's description: the forms in which clients ask for a WSDL and its imports, the
 * URL under which they see the service, and what is changed in a description that the service
 * itself sends. Pure; bytes only.
 */
#ifndef FMP_DESCRIBE_H
#define FMP_DESCRIBE_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/internal/field_list.h>
#include <fmp/internal/target.h>

#define FMP_DESCRIBE_PATH 512 /**< longest path of a service that is described, with its NUL */
#define FMP_DESCRIBE_NAME 512 /**< longest value of a query that is passed on, with its NUL */
#define FMP_DESCRIBE_URL  (FMP_DESCRIBE_PATH + 280)

/** struct fmp_describe_request - what is asked for */
struct fmp_describe_request {
	bool schema; /**< xsd=NAME; false: the WSDL, or a part of it */
	char path[FMP_DESCRIBE_PATH]; /**< of the service */
	const char *name; /**< in the target: the value of wsdl= or xsd=; not decoded */
	size_t name_len; /**< 0: the WSDL itself */
};

/**
 * fmp_describe_parse() - read ?wsdl, ?singleWsdl, ?wsdl=NAME, ?xsd=NAME and PATH.wsdl
 * @target: normalised path and query
 *
 * Names of parameters are compared without regard to case. Return: false: it asks for something
 * else, or its path has characters that would need escaping in a description.
 */
bool fmp_describe_parse(const char *target, struct fmp_describe_request *out);

/**
 * fmp_describe_is_outside() - does a value of its query lead out of the service's folder?
 * @target: normalised path and query
 *
 * By "..", an absolute path, a URL or a NUL, escaped or not; or it is too long to tell. By ".." wsdl=
 * and xsd= may name a file *.xsd or *.wsdl, escaped once at most.
 */
bool fmp_describe_is_outside(const char *target);

/**
 * fmp_describe_url() - the URL of the service
 * @scheme: http or https
 * @host: from outside: as in a Host field
 *
 * Return: false: the host is none.
 */
bool fmp_describe_url(const char *scheme, const char *host, const char *path,
		      char out[FMP_DESCRIBE_URL]);

/**
 * fmp_describe_check() - may a service's description be forwarded?
 * @type: its Content-Type
 *
 * Return: NULL, or why not: not XML, a DOCTYPE, an encoding that is no superset of ASCII.
 */
const char *fmp_describe_check(const char *type, const char *body, size_t len);

/**
 * fmp_describe_rewrite() - copy a description; locations that name the backend lead through the
 * gateway
 * @origin: scheme and host, as the client sees it
 *
 * Only values of location= and schemaLocation=, and the text of elements named Address, are
 * changed: a URL elsewhere is a name. Return: false without memory.
 */
bool fmp_describe_rewrite(struct fmp_field_list *out, const struct fmp_target_service *s,
			  const char *origin, const char *body, size_t len);

#endif
