/* SPDX-License-Identifier: GPL-2.0 */
/* The mix: which kind of message comes next. Pure. */
#ifndef FLOOD_SCENARIO_H
#define FLOOD_SCENARIO_H

#include <stdbool.h>
#include <stdint.h>

#include <fmp/error.h>

/* Kinds of messages; names are those of --mix and of the JSON. */
enum flood_kind {
	FLOOD_GOOD = 0, /* "good": a valid order, signed if there is a key */
	FLOOD_WELLFORMED, /* "wellformed": a tag is not closed */
	FLOOD_SCHEMA, /* "schema": well-formed, but a quantity the schema forbids */
	FLOOD_UNSIGNED, /* "unsigned": a valid order without a Security header */
	FLOOD_SIGNATURE, /* "signature": a forged signature */
	FLOOD_OVERSIZE, /* "oversize": a body larger than a gateway allows */
	FLOOD_NESTING, /* "nesting": elements 10000 deep */
	FLOOD_DTD, /* "dtd": entities that expand without end */
	FLOOD_HTTP, /* "http": malformed HTTP around a good order */
	FLOOD_KINDS
};

/* NULL if out of range. */
const char *flood_kind_name(unsigned kind);

struct flood_scenario {
	uint32_t weight[FLOOD_KINDS];
	int64_t credit[FLOOD_KINDS];
	uint64_t total;
};

/* "good=50,schema=25,signature=25"; a kind alone counts 1. Return: 0, FMP_ERR_SYNTAX. */
int flood_scenario_parse(struct flood_scenario *s, const char *mix, struct fmp_error *err);

/*
 * The next kind. Kinds are interleaved so that after any n messages each kind
 * has had its share within one message: a short run has the mix that was asked for.
 */
enum flood_kind flood_scenario_next(struct flood_scenario *s);

#endif
