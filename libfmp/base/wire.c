// SPDX-License-Identifier: GPL-2.0
/* Length-prefixed messages of typed fields, big endian. */
#include <fmp/wire.h>

#include <string.h>

#define FIELD_HEADER 6u /* id and length */
#define ADDR_BYTES   18u /* family, prefix length, 16 bytes */

static void store_u16(uint8_t *p, uint16_t v)
{
	p[0] = (uint8_t)(v >> 8);
	p[1] = (uint8_t)v;
}

static void store_u32(uint8_t *p, uint32_t v)
{
	store_u16(p, (uint16_t)(v >> 16));
	store_u16(p + 2, (uint16_t)v);
}

static uint16_t load_u16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

static uint32_t load_u32(const uint8_t *p)
{
	return (uint32_t)load_u16(p) << 16 | load_u16(p + 2);
}

void fmp_wire_begin(struct fmp_wire_out *w, void *buf, size_t cap, uint16_t type)
{
	*w = (struct fmp_wire_out){ .buf = buf, .cap = cap };
	if (cap < FMP_WIRE_HEADER) {
		w->overflow = true;
		return;
	}
	store_u32(w->buf, 0);
	store_u16(w->buf + 4, type);
	w->len = FMP_WIRE_HEADER;
}

void fmp_wire_put_bytes(struct fmp_wire_out *w, uint16_t id, const void *p, size_t n)
{
	size_t room = w->cap - w->len;

	if (w->overflow || room < FIELD_HEADER || room - FIELD_HEADER < n || n > UINT32_MAX) {
		w->overflow = true;
		return;
	}
	store_u16(w->buf + w->len, id);
	store_u32(w->buf + w->len + 2, (uint32_t)n);
	if (n)
		memcpy(w->buf + w->len + FIELD_HEADER, p, n);
	w->len += FIELD_HEADER + n;
}

void fmp_wire_put_u64(struct fmp_wire_out *w, uint16_t id, uint64_t v)
{
	uint8_t bytes[8];

	store_u32(bytes, (uint32_t)(v >> 32));
	store_u32(bytes + 4, (uint32_t)v);
	fmp_wire_put_bytes(w, id, bytes, sizeof(bytes));
}

void fmp_wire_put_str(struct fmp_wire_out *w, uint16_t id, const char *s)
{
	fmp_wire_put_bytes(w, id, s, strlen(s));
}

void fmp_wire_put_addr(struct fmp_wire_out *w, uint16_t id, const struct fmp_addr *a)
{
	uint8_t bytes[ADDR_BYTES] = { a->family, a->prefix_len };

	memcpy(bytes + 2, a->bytes, sizeof(a->bytes));
	fmp_wire_put_bytes(w, id, bytes, sizeof(bytes));
}

int fmp_wire_end(struct fmp_wire_out *w)
{
	if (w->overflow || w->len - 4 > UINT32_MAX)
		return FMP_ERR_LIMIT;
	store_u32(w->buf, (uint32_t)(w->len - 4));
	return 0;
}

int fmp_wire_parse(const void *buf, size_t len, uint32_t max, struct fmp_wire_in *in, size_t *used)
{
	const uint8_t *p = buf;
	uint32_t length;

	if (len < 4)
		return FMP_ERR_AGAIN;
	length = load_u32(p);
	if (length < FMP_WIRE_HEADER - 4)
		return FMP_ERR_SYNTAX;
	if (length > max)
		return FMP_ERR_LIMIT;
	if (len - 4 < length)
		return FMP_ERR_AGAIN;
	in->type = load_u16(p + 4);
	in->pos = p + FMP_WIRE_HEADER;
	in->end = p + 4 + length;
	*used = 4 + (size_t)length;
	return 0;
}

int fmp_wire_next(struct fmp_wire_in *in, struct fmp_wire_field *f)
{
	size_t left = (size_t)(in->end - in->pos);

	if (!left)
		return 0;
	if (left < FIELD_HEADER || load_u32(in->pos + 2) > left - FIELD_HEADER)
		return FMP_ERR_SYNTAX;
	f->id = load_u16(in->pos);
	f->len = load_u32(in->pos + 2);
	f->data = in->pos + FIELD_HEADER;
	in->pos += FIELD_HEADER + f->len;
	return 1;
}

int fmp_wire_get_u64(const struct fmp_wire_field *f, uint64_t *v)
{
	if (f->len != 8)
		return FMP_ERR_SYNTAX;
	*v = (uint64_t)load_u32(f->data) << 32 | load_u32(f->data + 4);
	return 0;
}

int fmp_wire_get_str(const struct fmp_wire_field *f, char *buf, size_t size)
{
	if (!size || f->len > size - 1 || memchr(f->data, '\0', f->len))
		return FMP_ERR_INVALID;
	memcpy(buf, f->data, f->len);
	buf[f->len] = '\0';
	return 0;
}

int fmp_wire_get_addr(const struct fmp_wire_field *f, struct fmp_addr *a)
{
	struct fmp_addr got = { 0 }, cut;

	if (f->len != ADDR_BYTES)
		return FMP_ERR_SYNTAX;
	got.family = f->data[0];
	got.prefix_len = f->data[1];
	memcpy(got.bytes, f->data + 2, sizeof(got.bytes));
	if (got.family != FMP_FAMILY_NONE && !fmp_addr_max_prefix(got.family))
		return FMP_ERR_INVALID;
	if (got.prefix_len > fmp_addr_max_prefix(got.family))
		return FMP_ERR_INVALID;
	/* Only the canonical form, or one source would have several keys. */
	cut = fmp_addr_mask(got, got.prefix_len);
	if (!fmp_addr_equal(&got, &cut))
		return FMP_ERR_INVALID;
	*a = got;
	return 0;
}
