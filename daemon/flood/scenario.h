/* SPDX-License-Identifier: GPL-2.0 */
/* The mix of message kinds, and the kind that comes next. Pure. */
#ifndef FLOOD_SCENARIO_H
#define FLOOD_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/error.h>

/* Kinds of messages; the names are used by --mix and in the JSON. */
enum flood_kind {
	FLOOD_GOOD = 0, /* "good": a valid order, signed if there is a key */
	FLOOD_WELLFORMED, /* "wellformed": an unclosed tag */
	FLOOD_SCHEMA, /* "schema": well-formed, with a quantity that violates the schema */
	FLOOD_UNSIGNED, /* "unsigned": a valid order without a Security header */
	FLOOD_SIGNATURE, /* "signature": a forged signature */
	FLOOD_OVERSIZE, /* "oversize": a body larger than gateways allow */
	FLOOD_NESTING, /* "nesting": elements 10000 deep */
	FLOOD_DTD, /* "dtd": exponentially expanding entities */
	FLOOD_HTTP, /* "http": malformed HTTP around a good order */
	FLOOD_KINDS
};

/* Return: NULL if out of range. */
const char *flood_kind_name(unsigned kind);

struct flood_scenario {
	uint32_t weight[FLOOD_KINDS];
	int64_t credit[FLOOD_KINDS];
	uint64_t total;
};

/* "good=50,schema=25,signature=25"; a kind alone counts 1. Return: 0, FMP_ERR_SYNTAX. */
int flood_scenario_parse(struct flood_scenario *s, const char *mix, struct fmp_error *err);

/* Return: the next kind. Kinds are interleaved: after any n messages each has its share to within one message. */
enum flood_kind flood_scenario_next(struct flood_scenario *s);

#endif
