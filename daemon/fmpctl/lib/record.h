/* SPDX-License-Identifier: GPL-2.0 */
/* A record of the control protocol, decoded by the one field table, with its text and JSON forms. */
#ifndef FMPCTL_RECORD_H
#define FMPCTL_RECORD_H

#include <json-c/json.h>

#include <fmp/control.h>

struct record_value {
	uint64_t number;
	char *text;
	struct fmp_addr addr;
	uint16_t id;
};

/** struct record - only the fields present, about twenty of FMP_F_MAX: a reply may have 100,000 records. */
struct record {
	struct record_value *v; /**< NULL: moved to another record */
	unsigned n, cap;
};

struct records {
	struct record *r;
	size_t n, cap;
};

/** record_new() - an empty record. Return: 0, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int record_new(struct record *r);
/** record_decode() - decode the rest of a message. Return: 0, FMP_ERR_SYNTAX, FMP_ERR_NOMEM. */
FMP_MUST_CHECK int record_decode(struct fmp_wire_in *in, struct record *r);
void record_free(struct record *r);
/** records_add() - takes ownership of r, also when it fails. */
FMP_MUST_CHECK int records_add(struct records *l, struct record *r);
void records_free(struct records *l);
/** records_find() - the first record of a kind; NULL if there is none. */
const struct record *records_find(const struct records *l, const char *kind);

void record_set_number(struct record *r, uint16_t id, uint64_t v);
void record_set_text(struct record *r, uint16_t id, const char *s);
void record_set_addr(struct record *r, uint16_t id, const struct fmp_addr *a);

bool record_has(const struct record *r, uint16_t id);
bool record_is(const struct record *r, const char *kind);
/** record_addr() - {0} if the field is absent. */
const struct fmp_addr *record_addr(const struct record *r, uint16_t id);
/** record_number() - 0 if the field is absent. */
uint64_t record_number(const struct record *r, uint16_t id);
/** record_string() - "" if the field is absent. */
const char *record_string(const struct record *r, uint16_t id);
/** record_text() - any field as text, with its unit; "" if the field is absent. Return: buf. */
const char *record_text(const struct record *r, uint16_t id, char *buf, size_t size);
/** record_json() - a new object. */
struct json_object *record_json(const struct record *r);

#endif
