/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The path of a request target: one spelling of it for routing and for the service, so that both
 * mean the same resource. Pure.
 */
#ifndef FMP_TARGET_H
#define FMP_TARGET_H

#include <stdbool.h>
#include <stddef.h>

#include <fmp/internal/field_list.h>

/**
 * fmp_target_normalise() - normalise a path in place (RFC 3986 6.2.2)
 * @target: begins with '/'; path and query, visible ASCII. It only becomes shorter.
 *
 * Of the path: encoded unreserved characters are decoded, once; hex digits become upper case; "."
 * segments and empty ones are removed. Refused: ".." segments, also encoded or with a parameter
 * ("..;"), which servers resolve in different ways; encoded slashes, backslashes and control
 * characters, also if they are encoded twice; a '%' without two hex digits; backslashes. The query
 * stays as it is. A fragment is refused.
 *
 * Return: NULL, or why it is refused as static text.
 */
const char *fmp_target_normalise(char *target);

/**
 * fmp_target_map() - append what the service is asked for
 * @to: path of the backend's URL, which may have a query; "" is "/"
 * @prefix: path of the service: with a star at its end, what follows the prefix is appended to @to.
 *          NULL: append the whole path if @to is "", else none of it
 * @target: normalised path and query; the query is always kept
 *
 * Return: false without memory.
 */
bool fmp_target_map(struct fmp_field_list *out, const char *to, const char *prefix,
		    const char *target);

/** struct fmp_target_service - where a service is, for the gateway and for its clients */
struct fmp_target_service {
	const char *host; /**< of the backend's URL, without port and brackets */
	unsigned port;
	bool tls;
	const char *to, *prefix; /**< as of fmp_target_map() */
};

/**
 * fmp_target_unmap() - append a Location as the client reaches it
 * @value: of Location or Content-Location; n bytes
 *
 * A URL of the backend itself becomes the path that leads there through the gateway. Others, and
 * relative ones, stay as they are. Return: false without memory.
 */
bool fmp_target_unmap(struct fmp_field_list *out, const struct fmp_target_service *s,
		      const char *value, size_t n);

#endif
