/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What our processes say to each other: length-prefixed messages of typed fields.
 *
 *	message: u32 length of all that follows | u16 type | fields
 *	field:   u16 id | u32 length | bytes
 *
 * All integers big endian. A message has at most FMP_WIRE_MAX bytes behind its
 * length. A message that does not decode ends the conversation, never the process.
 * Both sides ignore ids that they do not know.
 */
#ifndef FMP_WIRE_H
#define FMP_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <fmp/error.h>
#include <fmp/source.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FMP_WIRE_MAX	65536u /**< most bytes of a control or event message behind its length */
#define FMP_WIRE_HEADER 6u /**< length and type */

/**
 * struct fmp_wire_out - a message being written into a caller's buffer
 *
 * A put that does not fit sets overflow and writes nothing; fmp_wire_end() then fails.
 */
struct fmp_wire_out {
	uint8_t *buf;
	size_t cap, len;
	bool overflow;
};

FMP_API void fmp_wire_begin(struct fmp_wire_out *w, void *buf, size_t cap, uint16_t type);
FMP_API void fmp_wire_put_u64(struct fmp_wire_out *w, uint16_t id, uint64_t v);
FMP_API void fmp_wire_put_str(struct fmp_wire_out *w, uint16_t id, const char *s);
FMP_API void fmp_wire_put_bytes(struct fmp_wire_out *w, uint16_t id, const void *p, size_t n);
FMP_API void fmp_wire_put_addr(struct fmp_wire_out *w, uint16_t id, const struct fmp_addr *a);
/** fmp_wire_end() - writes the length. Return: 0, FMP_ERR_LIMIT after an overflow. */
FMP_API FMP_MUST_CHECK int fmp_wire_end(struct fmp_wire_out *w);

/** struct fmp_wire_in - a complete message being read; points into the caller's bytes. */
struct fmp_wire_in {
	uint16_t type;
	const uint8_t *pos, *end;
};

struct fmp_wire_field {
	uint16_t id;
	uint32_t len;
	const uint8_t *data;
};

/**
 * fmp_wire_parse() - is there a complete message at the start of buf?
 * @max: most bytes allowed behind the length, FMP_WIRE_MAX for control and events
 * @used: bytes that the message takes, length included
 *
 * Return: 0; FMP_ERR_AGAIN if bytes are missing; FMP_ERR_LIMIT, FMP_ERR_SYNTAX if it never will be.
 */
FMP_API FMP_MUST_CHECK int fmp_wire_parse(const void *buf, size_t len, uint32_t max,
					  struct fmp_wire_in *in, size_t *used);
/** fmp_wire_next() - Return: 1 with a field, 0 at the end, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_wire_next(struct fmp_wire_in *in, struct fmp_wire_field *f);

/* Each: 0; FMP_ERR_SYNTAX if the field's length is not of that type; FMP_ERR_INVALID if its bytes are no value of it. */
FMP_API FMP_MUST_CHECK int fmp_wire_get_u64(const struct fmp_wire_field *f, uint64_t *v);
/** fmp_wire_get_str() - copies; NUL inside and text longer than size - 1 are FMP_ERR_INVALID. */
FMP_API FMP_MUST_CHECK int fmp_wire_get_str(const struct fmp_wire_field *f, char *buf, size_t size);
FMP_API FMP_MUST_CHECK int fmp_wire_get_addr(const struct fmp_wire_field *f, struct fmp_addr *a);

#ifdef __cplusplus
}
#endif
#endif
