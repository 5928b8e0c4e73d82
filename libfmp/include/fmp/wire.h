/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between the processes of fmp: length-prefixed, made of typed fields.
 *
 *	message: u32 length of all that follows | u16 type | fields
 *	field:   u16 id | u32 length | bytes
 *
 * All integers are big endian. A message has at most FMP_WIRE_MAX bytes behind its length. A
 * message that can't be decoded ends the connection, never the process. Both sides ignore unknown
 * ids.
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

#define FMP_WIRE_MAX	65536u /**< maximum bytes of a control or event message behind its length */
#define FMP_WIRE_HEADER 6u /**< length and type */

/**
 * struct fmp_wire_out - a message being written into a caller's buffer
 *
 * A put that does not fit writes nothing and sets overflow; fmp_wire_end() then fails.
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
/** fmp_wire_end() - write the length. Return: 0; FMP_ERR_LIMIT after an overflow. */
FMP_API FMP_MUST_CHECK int fmp_wire_end(struct fmp_wire_out *w);

/** struct fmp_wire_in - a complete message being read; points into the caller's buffer. */
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
 * @max: most bytes allowed behind the length: FMP_WIRE_MAX for control and events
 * @used: bytes of the message, length included
 *
 * Return: 0; FMP_ERR_AGAIN: bytes are missing; FMP_ERR_LIMIT, FMP_ERR_SYNTAX: it can never become
 * valid.
 */
FMP_API FMP_MUST_CHECK int fmp_wire_parse(const void *buf, size_t len, uint32_t max,
					  struct fmp_wire_in *in, size_t *used);
/** fmp_wire_next() - read the next field. Return: 1 with a field, 0 at the end, FMP_ERR_SYNTAX. */
FMP_API FMP_MUST_CHECK int fmp_wire_next(struct fmp_wire_in *in, struct fmp_wire_field *f);

/*
 * Return: 0; FMP_ERR_SYNTAX: the length does not match the type; FMP_ERR_INVALID: not a value of
 * the type.
 */
FMP_API FMP_MUST_CHECK int fmp_wire_get_u64(const struct fmp_wire_field *f, uint64_t *v);
/**
 * fmp_wire_get_str() - copy a text. A NUL inside and a text longer than size - 1 are
 * FMP_ERR_INVALID.
 */
FMP_API FMP_MUST_CHECK int fmp_wire_get_str(const struct fmp_wire_field *f, char *buf, size_t size);
FMP_API FMP_MUST_CHECK int fmp_wire_get_addr(const struct fmp_wire_field *f, struct fmp_addr *a);

#ifdef __cplusplus
}
#endif
#endif
