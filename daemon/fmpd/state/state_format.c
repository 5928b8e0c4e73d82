// SPDX-License-Identifier: GPL-2.0
#include "state_format.h"

#include <endian.h>
#include <stddef.h>
#include <string.h>

#include <zlib.h>

#include <fmp/wire.h>
#include <fmp/internal/text.h>

#define MAGIC	 "fmpstate"
#define PREAMBLE 12u

enum {
	MSG_HEAD = 0x0401,
	MSG_ROW,
	MSG_END
};
enum {
	HEAD_WALL = 1,
	HEAD_BOOT,
	HEAD_BOOT_ID,
	HEAD_NEIGHBOUR, /* one for each next hop: its address, then its MAC */
	HEAD_NEWEST,
	HEAD_SET /* one for each set of a list */
};
#define MAC_LEN 6u
enum {
	END_ROWS = 1,
	END_CRC
};
/* Field numbers of the file: never renumber. */
enum {
	ROW_SOURCE = 1,
	ROW_RANK,
	ROW_CREDIT,
	ROW_FIRST,
	ROW_LAST,
	ROW_LAST_BAD,
	ROW_ENDED,
	ROW_LAST_GOOD,
	ROW_QUIET,
	ROW_EVENTS,
	ROW_GOOD,
	ROW_UNPROVEN,
	ROW_CPU,
	ROW_DEST_PORT,
	ROW_STRIKES,
	ROW_DECISION,
	ROW_BLOCKED,
	ROW_STRUCK,
	ROW_LEFT,
	ROW_LAYERS,
	ROW_MAC,
	ROW_MEASURE,
	ROW_RATE,
	ROW_BLOCK_PORT,
	ROW_DECIDED,
	ROW_AGE,
	ROW_DURATION,
	ROW_MAC_VETO,
	ROW_MANUAL,
	ROW_REASON,
	ROW_HISTORY, /* one for each event */
	ROW_MAC_LEFT,
	ROW_PAIR_MAC,
	ROW_COUNTED, /* all counted events, as fixed fields */
	ROW_SET,
	ROW_POOL, /* one for each override with points of its own: fixed fields, then its service */
	ROW_WAITING,
	ROW_GOOD_MAC,
	ROW_OVERRIDE, /* a port, then the service */
	ROW_WAITS_OVERRIDE, /* the same */
	ROW_WAITS_KINDS,
	ROW_FIELDS
};

#define ROW_FIELD(field) \
	offsetof(struct fmpd_state_row, field), sizeof(((struct fmpd_state_row *)0)->field)

/* Every number of a row: its place in the struct and its largest valid value. The file has an age plus
 * one: FMP_AGE_NEVER becomes 0, and a 0 is left out. */
static const struct {
	uint16_t id;
	size_t offset, size;
	uint64_t max;
	bool age;
} numbers[] = {
	{ ROW_RANK, ROW_FIELD(source.rank), UINT64_MAX, false },
	{ ROW_CREDIT, ROW_FIELD(source.credit), UINT64_MAX, false },
	{ ROW_FIRST, ROW_FIELD(source.first_age_ms), UINT64_MAX, true },
	{ ROW_LAST, ROW_FIELD(source.last_age_ms), UINT64_MAX, true },
	{ ROW_LAST_BAD, ROW_FIELD(source.last_bad_age_ms), UINT64_MAX, true },
	{ ROW_ENDED, ROW_FIELD(source.ended_age_ms), UINT64_MAX, true },
	{ ROW_LAST_GOOD, ROW_FIELD(source.last_good_age_ms), UINT64_MAX, true },
	{ ROW_QUIET, ROW_FIELD(source.quiet_left_ms), UINT64_MAX, false },
	{ ROW_EVENTS, ROW_FIELD(source.events), UINT64_MAX, false },
	{ ROW_GOOD, ROW_FIELD(source.good), UINT64_MAX, false },
	{ ROW_UNPROVEN, ROW_FIELD(source.unproven), UINT64_MAX, false },
	{ ROW_CPU, ROW_FIELD(source.cpu_ns), UINT64_MAX, false },
	{ ROW_DEST_PORT, ROW_FIELD(source.dest_port), UINT16_MAX, false },
	{ ROW_STRIKES, ROW_FIELD(source.offences), UINT32_MAX, false },
	{ ROW_DECISION, ROW_FIELD(source.decision_id), UINT64_MAX, false },
	{ ROW_BLOCKED, ROW_FIELD(source.blocked), 1, false },
	{ ROW_STRUCK, ROW_FIELD(source.is_offence), 1, false },
	{ ROW_LEFT, ROW_FIELD(source.left_ms), UINT64_MAX, false },
	{ ROW_LAYERS, ROW_FIELD(source.layers), FMP_LAYERS_ALL, false },
	{ ROW_MEASURE, ROW_FIELD(source.action_kind), FMP_ACTION_KINDS - 1, false },
	{ ROW_RATE, ROW_FIELD(source.rate), UINT32_MAX, false },
	{ ROW_BLOCK_PORT, ROW_FIELD(source.block_port), UINT16_MAX, false },
	{ ROW_DECIDED, ROW_FIELD(decided), 1, false },
	{ ROW_AGE, ROW_FIELD(age_ms), UINT64_MAX, false },
	{ ROW_DURATION, ROW_FIELD(duration_ms), UINT64_MAX, false },
	{ ROW_MAC_VETO, ROW_FIELD(mac_veto), FMP_MAC_VETOES - 1, false },
	{ ROW_MAC_LEFT, ROW_FIELD(mac_left_ms), UINT64_MAX, false },
	{ ROW_MANUAL, ROW_FIELD(manual), 1, false },
	{ ROW_WAITING, ROW_FIELD(source.waiting), 1, false },
	{ ROW_WAITS_KINDS, ROW_FIELD(source.waiting_kinds), UINT32_MAX, false },
};
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

_Static_assert(FMP_AGE_NEVER + 1 == 0, "an age of never is 0 in the file");

static uint64_t load_number(const struct fmpd_state_row *row, size_t i)
{
	const char *p = (const char *)row + numbers[i].offset;

	switch (numbers[i].size) {
	case 1:
		return *(const uint8_t *)p;
	case 2:
		return *(const uint16_t *)p;
	case 4:
		return *(const uint32_t *)p;
	default:
		return *(const uint64_t *)p;
	}
}

static void store_number(struct fmpd_state_row *row, size_t i, uint64_t v)
{
	char *p = (char *)row + numbers[i].offset;

	switch (numbers[i].size) {
	case 1:
		*(uint8_t *)p = (uint8_t)v;
		break;
	case 2:
		*(uint16_t *)p = (uint16_t)v;
		break;
	case 4:
		*(uint32_t *)p = (uint32_t)v;
		break;
	default:
		*(uint64_t *)p = v;
	}
}

/* ---- one event of the history: fixed fields, then its words ---- */

struct packed_event {
	uint64_t age_ms;
	uint32_t rank;
	uint16_t kind, dest_port;
} __attribute__((packed));

static void put_event(struct fmp_wire_out *w, const struct fmp_history *h)
{
	const struct packed_event fixed = { htobe64(h->time_ms), htobe32(h->rank),
					    htobe16((uint16_t)h->kind), htobe16(h->dest_port) };
	size_t n = strnlen(h->detail, sizeof(h->detail) - 1);
	uint8_t bytes[sizeof(fixed) + sizeof(h->detail)];

	memcpy(bytes, &fixed, sizeof(fixed));
	memcpy(bytes + sizeof(fixed), h->detail, n);
	fmp_wire_put_bytes(w, ROW_HISTORY, bytes, sizeof(fixed) + n);
}

static int get_event(const struct fmp_wire_field *f, struct fmp_saved_source *s)
{
	struct packed_event fixed;
	struct fmp_wire_field text = { .id = f->id };
	struct fmp_history *h;

	if (s->n_history == FMP_HISTORY || f->len < sizeof(fixed))
		return FMP_ERR_SYNTAX;
	h = &s->history[s->n_history++];
	memcpy(&fixed, f->data, sizeof(fixed));
	h->time_ms = be64toh(fixed.age_ms);
	h->rank = be32toh(fixed.rank);
	h->dest_port = be16toh(fixed.dest_port);
	if (be16toh(fixed.kind) >= FMP_EVENT_KINDS)
		return FMP_ERR_SYNTAX;
	h->kind = be16toh(fixed.kind);
	text.data = f->data + sizeof(fixed);
	text.len = f->len - (uint32_t)sizeof(fixed);
	if (fmp_wire_get_str(&text, h->detail, sizeof(h->detail)))
		return FMP_ERR_SYNTAX;
	fmp_text_clean(h->detail);
	return 0;
}

/* ---- the events that the policy counts ---- */

struct packed_count {
	uint32_t age_ms;
	uint8_t kind, pool;
} __attribute__((packed));

static void put_counted(struct fmp_wire_out *w, const struct fmp_saved_source *s)
{
	struct packed_count all[FMP_COUNTED_MAX];
	unsigned n = 0;

	for (; n < s->n_counted && n < FMP_COUNTED_MAX; n++) {
		const struct fmp_saved_count *c = &s->counted[n];

		all[n] = (struct packed_count){ htobe32(c->age_ms), (uint8_t)c->kind,
						(uint8_t)c->pool };
	}
	if (n)
		fmp_wire_put_bytes(w, ROW_COUNTED, all, n * sizeof(all[0]));
}

static int get_counted(const struct fmp_wire_field *f, struct fmp_saved_source *s)
{
	struct packed_count one;

	if (!f->len || f->len % sizeof(one) || f->len / sizeof(one) > FMP_COUNTED_MAX)
		return FMP_ERR_SYNTAX;
	for (size_t at = 0; at < f->len; at += sizeof(one)) {
		memcpy(&one, f->data + at, sizeof(one));
		if (one.kind >= FMP_EVENT_KINDS || one.pool > FMP_POOLS_MAX)
			return FMP_ERR_SYNTAX;
		s->counted[s->n_counted++] = (struct fmp_saved_count){
			.age_ms = be32toh(one.age_ms), .kind = one.kind, .pool = one.pool
		};
	}
	return 0;
}

struct packed_pool {
	uint32_t rank;
	uint16_t port;
} __attribute__((packed));

static void put_pool(struct fmp_wire_out *w, const struct fmp_saved_pool *p)
{
	const struct packed_pool fixed = { htobe32(p->rank), htobe16(p->port) };
	uint8_t bytes[sizeof(fixed) + sizeof(p->service)];
	size_t n = strnlen(p->service, sizeof(p->service) - 1);

	memcpy(bytes, &fixed, sizeof(fixed));
	memcpy(bytes + sizeof(fixed), p->service, n);
	fmp_wire_put_bytes(w, ROW_POOL, bytes, sizeof(fixed) + n);
}

static int get_pool(const struct fmp_wire_field *f, struct fmp_saved_source *s)
{
	struct fmp_wire_field text = { .id = f->id };
	struct packed_pool fixed;
	struct fmp_saved_pool *p;

	if (s->n_pools == FMP_POOLS_MAX || f->len < sizeof(fixed))
		return FMP_ERR_SYNTAX;
	p = &s->pools[s->n_pools++];
	memcpy(&fixed, f->data, sizeof(fixed));
	p->rank = be32toh(fixed.rank);
	p->port = be16toh(fixed.port);
	text.data = f->data + sizeof(fixed);
	text.len = f->len - (uint32_t)sizeof(fixed);
	return fmp_wire_get_str(&text, p->service, sizeof(p->service)) ? FMP_ERR_SYNTAX : 0;
}

static void put_override(struct fmp_wire_out *w, unsigned field, const struct fmp_saved_override *o)
{
	const uint16_t port = htobe16(o->port);
	size_t n = strnlen(o->service, sizeof(o->service) - 1);
	uint8_t bytes[sizeof(port) + sizeof(o->service)];

	if (!n && !port)
		return;
	memcpy(bytes, &port, sizeof(port));
	memcpy(bytes + sizeof(port), o->service, n);
	fmp_wire_put_bytes(w, (uint16_t)field, bytes, sizeof(port) + n);
}

static int get_override(const struct fmp_wire_field *f, struct fmp_saved_override *o)
{
	struct fmp_wire_field text = { .id = f->id };
	uint16_t port;

	if (f->len < sizeof(port))
		return FMP_ERR_SYNTAX;
	memcpy(&port, f->data, sizeof(port));
	o->port = be16toh(port);
	text.data = f->data + sizeof(port);
	text.len = f->len - (uint32_t)sizeof(port);
	if (fmp_wire_get_str(&text, o->service, sizeof(o->service)))
		return FMP_ERR_SYNTAX;
	/* The writer leaves out an empty override. */
	return o->port || *o->service ? 0 : FMP_ERR_SYNTAX;
}

/* ---- out ---- */

static size_t add_to_sum(struct fmpd_state_sum *sum, const uint8_t *buf, size_t len)
{
	sum->crc = (uint32_t)crc32(sum->crc, buf, (uInt)len);
	return len;
}

/* FMPD_STATE_ROW_MAX has room for all fields at their longest: an overflow is a bug here. */
static size_t end_message(struct fmp_wire_out *w)
{
	return fmp_wire_end(w) ? 0 : w->len;
}

static void put_neighbour(struct fmp_wire_out *w, const struct fmp_neighbour *n)
{
	size_t len = fmp_addr_max_prefix(n->ip.family) / 8u;
	uint8_t both[sizeof(n->ip.bytes) + MAC_LEN];

	memcpy(both, n->ip.bytes, len);
	memcpy(both + len, n->mac.bytes, MAC_LEN);
	fmp_wire_put_bytes(w, HEAD_NEIGHBOUR, both, len + MAC_LEN);
}

size_t fmpd_state_put_head(struct fmpd_state_sum *sum, const struct fmpd_state_time *t,
			   uint8_t *buf)
{
	const uint32_t version = htobe32(FMPD_STATE_VERSION);
	struct fmp_wire_out w;

	*sum = (struct fmpd_state_sum){ .crc = (uint32_t)crc32(0, NULL, 0) };
	memcpy(buf, MAGIC, 8);
	memcpy(buf + 8, &version, 4);
	fmp_wire_begin(&w, buf + PREAMBLE, FMPD_STATE_ROW_MAX - PREAMBLE, MSG_HEAD);
	fmp_wire_put_u64(&w, HEAD_WALL, t->wall_ms);
	fmp_wire_put_u64(&w, HEAD_BOOT, t->boot_ms);
	fmp_wire_put_bytes(&w, HEAD_BOOT_ID, t->boot_id, sizeof(t->boot_id));
	if (t->newest_id)
		fmp_wire_put_u64(&w, HEAD_NEWEST, t->newest_id);
	for (size_t i = 0; i < t->n_nexthop_macs && i < FMP_NEXTHOP_MACS_MAX; i++)
		put_neighbour(&w, &t->nexthop_macs[i]);
	for (size_t i = 0; i < t->lists.n && i < FMPD_SETS_MAX; i++)
		fmp_wire_put_str(&w, HEAD_SET, t->lists.name[i]);
	return add_to_sum(sum, buf, PREAMBLE + end_message(&w));
}

size_t fmpd_state_put_row(struct fmpd_state_sum *sum, const struct fmpd_state_row *row,
			  uint8_t *buf)
{
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, FMPD_STATE_ROW_MAX, MSG_ROW);
	fmp_wire_put_addr(&w, ROW_SOURCE, &row->source.source);
	for (size_t i = 0; i < NUMBERS; i++) {
		uint64_t v = load_number(row, i) + numbers[i].age;

		if (v)
			fmp_wire_put_u64(&w, numbers[i].id, v);
	}
	if (row->source.mac.family)
		fmp_wire_put_addr(&w, ROW_MAC, &row->source.mac);
	if (row->pair_mac.family)
		fmp_wire_put_addr(&w, ROW_PAIR_MAC, &row->pair_mac);
	if (row->source.good_mac.family)
		fmp_wire_put_addr(&w, ROW_GOOD_MAC, &row->source.good_mac);
	if (row->reason[0])
		fmp_wire_put_str(&w, ROW_REASON, row->reason);
	if (row->set[0])
		fmp_wire_put_str(&w, ROW_SET, row->set);
	for (unsigned i = 0; i < row->source.n_history && i < FMP_HISTORY; i++)
		put_event(&w, &row->source.history[i]);
	for (unsigned i = 0; i < row->source.n_pools && i < FMP_POOLS_MAX; i++)
		put_pool(&w, &row->source.pools[i]);
	put_counted(&w, &row->source);
	put_override(&w, ROW_OVERRIDE, &row->source.override);
	put_override(&w, ROW_WAITS_OVERRIDE, &row->source.waiting_override);
	sum->rows++;
	return add_to_sum(sum, buf, end_message(&w));
}

size_t fmpd_state_put_end(struct fmpd_state_sum *sum, uint8_t *buf)
{
	struct fmp_wire_out w;

	fmp_wire_begin(&w, buf, FMPD_STATE_ROW_MAX, MSG_END);
	fmp_wire_put_u64(&w, END_ROWS, sum->rows);
	fmp_wire_put_u64(&w, END_CRC, sum->crc);
	return end_message(&w);
}

/* ---- in ---- */

static int get_number(const struct fmp_wire_field *f, struct fmpd_state_row *row)
{
	uint64_t v;

	for (size_t i = 0; i < NUMBERS; i++) {
		if (numbers[i].id != f->id)
			continue;
		/* The writer leaves out a 0, so one state has one encoding. */
		if (fmp_wire_get_u64(f, &v) || !v || v > numbers[i].max)
			return FMP_ERR_SYNTAX;
		store_number(row, i, v - numbers[i].age);
		return 0;
	}
	return FMP_ERR_SYNTAX;
}

static int get_field(const struct fmp_wire_field *f, struct fmpd_state_row *row)
{
	int rc;

	switch (f->id) {
	case ROW_SOURCE:
		return fmp_wire_get_addr(f, &row->source.source);
	case ROW_MAC:
		return fmp_wire_get_addr(f, &row->source.mac);
	case ROW_GOOD_MAC:
		return fmp_wire_get_addr(f, &row->source.good_mac);
	case ROW_PAIR_MAC:
		return fmp_wire_get_addr(f, &row->pair_mac);
	case ROW_HISTORY:
		return get_event(f, &row->source);
	case ROW_POOL:
		return get_pool(f, &row->source);
	case ROW_COUNTED:
		return get_counted(f, &row->source);
	case ROW_OVERRIDE:
		return get_override(f, &row->source.override);
	case ROW_WAITS_OVERRIDE:
		return get_override(f, &row->source.waiting_override);
	case ROW_SET:
		rc = fmp_wire_get_str(f, row->set, sizeof(row->set));
		return rc || fmp_set_name_valid(row->set) ? rc : FMP_ERR_SYNTAX;
	case ROW_REASON:
		rc = fmp_wire_get_str(f, row->reason, sizeof(row->reason));
		if (!rc)
			fmp_text_clean(row->reason);
		return rc;
	default:
		return get_number(f, row);
	}
}

static bool may_field_repeat(unsigned id)
{
	return id == ROW_HISTORY || id == ROW_POOL;
}

/* Each count is of the common pool (0) or of a pool that the row has. */
static bool has_counted_pools(const struct fmp_saved_source *s)
{
	for (unsigned i = 0; i < s->n_counted; i++)
		if (s->counted[i].pool > s->n_pools)
			return false;
	return true;
}

static int get_row(struct fmp_wire_in *in, struct fmpd_state_row *row)
{
	struct fmp_wire_field f;
	uint64_t seen = 0;
	int rc;

	*row = (struct fmpd_state_row){ 0 };
	for (size_t i = 0; i < NUMBERS; i++)
		if (numbers[i].age)
			store_number(row, i, FMP_AGE_NEVER);
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id >= ROW_FIELDS || (!may_field_repeat(f.id) && seen & UINT64_C(1) << f.id) ||
		    get_field(&f, row))
			return FMP_ERR_SYNTAX;
		seen |= UINT64_C(1) << f.id;
	}
	if (!row->source.source.family || !has_counted_pools(&row->source))
		return FMP_ERR_SYNTAX;
	return rc;
}

_Static_assert(ROW_FIELDS <= 64, "fields seen are bits of 64");

static int get_neighbour(const struct fmp_wire_field *f, struct fmpd_state_time *t)
{
	size_t len = f->len - MAC_LEN;
	struct fmp_neighbour n;

	if ((f->len != 4 + MAC_LEN && f->len != 16 + MAC_LEN) ||
	    t->n_nexthop_macs == FMP_NEXTHOP_MACS_MAX)
		return FMP_ERR_SYNTAX;
	n.ip = len == 4 ? fmp_addr_ipv4(f->data) : fmp_addr_ipv6(f->data);
	n.mac = fmp_addr_mac((const uint8_t *)f->data + len);
	/* A group address is no neighbour. */
	if (n.mac.bytes[0] & 1)
		return FMP_ERR_SYNTAX;
	t->nexthop_macs[t->n_nexthop_macs++] = n;
	return 0;
}

static int get_set(const struct fmp_wire_field *f, struct fmpd_sets *sets)
{
	char *name = sets->name[sets->n];

	if (sets->n == FMPD_SETS_MAX || fmp_wire_get_str(f, name, FMP_SET_NAME_MAX) ||
	    !fmp_set_name_valid(name))
		return FMP_ERR_SYNTAX;
	sets->n++;
	return 0;
}

/* Fields that may repeat. Return: 0, FMP_ERR_SYNTAX; FMP_ERR_NOTFOUND: not such a field. */
static int get_listed(const struct fmp_wire_field *f, struct fmpd_state_time *t)
{
	switch (f->id) {
	case HEAD_NEIGHBOUR:
		return get_neighbour(f, t);
	case HEAD_SET:
		return get_set(f, &t->lists);
	default:
		return FMP_ERR_NOTFOUND;
	}
}

static int get_head(struct fmp_wire_in *in, struct fmpd_state_time *t)
{
	struct fmp_wire_field f;
	unsigned seen = 0;
	int rc;

	t->n_nexthop_macs = 0;
	t->newest_id = 0;
	t->lists.n = 0;
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		rc = get_listed(&f, t);
		if (!rc)
			continue;
		if (rc != FMP_ERR_NOTFOUND)
			return rc;
		if (f.id == HEAD_NEWEST) {
			if (t->newest_id || fmp_wire_get_u64(&f, &t->newest_id) || !t->newest_id)
				return FMP_ERR_SYNTAX;
			continue;
		}
		if (f.id < HEAD_WALL || f.id > HEAD_BOOT_ID || seen & 1u << f.id)
			return FMP_ERR_SYNTAX;
		seen |= 1u << f.id;
		if (f.id != HEAD_BOOT_ID) {
			rc = fmp_wire_get_u64(&f, f.id == HEAD_WALL ? &t->wall_ms : &t->boot_ms);
		} else {
			rc = f.len == sizeof(t->boot_id) ? 0 : FMP_ERR_SYNTAX;
			if (!rc)
				memcpy(t->boot_id, f.data, sizeof(t->boot_id));
		}
		if (rc)
			return rc;
	}
	return seen == (1u << HEAD_WALL | 1u << HEAD_BOOT | 1u << HEAD_BOOT_ID) ? rc
										: FMP_ERR_SYNTAX;
}

static int get_end(struct fmp_wire_in *in, const struct fmpd_state_sum *sum)
{
	uint64_t v[2] = { UINT64_MAX, UINT64_MAX };
	struct fmp_wire_field f;
	int rc;

	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id < END_ROWS || f.id > END_CRC || v[f.id - END_ROWS] != UINT64_MAX ||
		    fmp_wire_get_u64(&f, &v[f.id - END_ROWS]))
			return FMP_ERR_SYNTAX;
	}
	return !rc && v[0] == sum->rows && v[1] == sum->crc ? 0 : FMP_ERR_SYNTAX;
}

static int set_format_error(const struct fmpd_state_reader *r, struct fmp_error *err,
			    const char *what)
{
	return fmp_error_set(err, FMP_ERR_SYNTAX, "byte %zu: %s", r->at, what);
}

typedef void (*seen_fn)(const struct fmpd_state_row *row, size_t at, void *ctx);

/* Check all messages from HEAD to END. */
static int scan_file(struct fmpd_state_reader *r, struct fmpd_state_time *t, seen_fn seen,
		     void *ctx, struct fmp_error *err)
{
	struct fmpd_state_sum sum = { .crc = (uint32_t)crc32(0, r->bytes, PREAMBLE) };
	struct fmpd_state_row row;
	struct fmp_wire_in in;
	bool head = false;
	size_t used;

	for (r->at = PREAMBLE; r->at < r->len; r->at += used) {
		if (fmp_wire_parse(r->bytes + r->at, r->len - r->at, FMPD_STATE_ROW_MAX, &in,
				   &used))
			return set_format_error(r, err,
						"the file is cut off, or no message of ours");
		if (in.type == MSG_END && head && r->at + used == r->len)
			return get_end(&in, &sum)
				       ? set_format_error(r, err,
							  "the checksum does not match the rows")
				       : 0;
		sum.crc = (uint32_t)crc32(sum.crc, r->bytes + r->at, (uInt)used);
		if (in.type == MSG_HEAD && !head) {
			head = true;
			if (get_head(&in, t))
				return set_format_error(r, err, "the head is not valid");
			continue;
		}
		if (in.type != MSG_ROW || !head || get_row(&in, &row))
			return set_format_error(r, err, "the row is not valid");
		sum.rows++;
		if (seen)
			seen(&row, r->at, ctx);
	}
	return set_format_error(r, err, "the file is cut off: it has no end");
}

int fmpd_state_open(struct fmpd_state_reader *r, const void *bytes, size_t len,
		    struct fmpd_state_time *t, seen_fn seen, void *ctx, struct fmp_error *err)
{
	uint32_t version;
	int rc;

	*r = (struct fmpd_state_reader){ .bytes = bytes, .len = len };
	if (len < PREAMBLE || len > FMPD_STATE_FILE_MAX || memcmp(bytes, MAGIC, 8))
		return set_format_error(r, err, "this is no state of fmpd");
	memcpy(&version, (const uint8_t *)bytes + 8, 4);
	if (!version || be32toh(version) > FMPD_STATE_VERSION)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED,
				     "version %u, this fmpd reads versions up to %u",
				     be32toh(version), FMPD_STATE_VERSION);
	rc = scan_file(r, t, seen, ctx, err);
	r->at = PREAMBLE;
	return rc;
}

/* Parse the message at an offset. Return: its type; 0: there is none. */
static unsigned message_at(const struct fmpd_state_reader *r, size_t at, struct fmp_wire_in *in,
			   size_t *used)
{
	return at >= r->len || fmp_wire_parse(r->bytes + at, r->len - at, FMPD_STATE_ROW_MAX, in,
					      used)
		       ? 0
		       : in->type;
}

int fmpd_state_next(struct fmpd_state_reader *r, struct fmpd_state_row *row)
{
	struct fmp_wire_in in;
	size_t used;
	unsigned type;

	while ((type = message_at(r, r->at, &in, &used))) {
		if (type == MSG_END || (type == MSG_ROW && get_row(&in, row)))
			break;
		r->at += used;
		if (type == MSG_ROW)
			return 1;
	}
	return 0;
}

int fmpd_state_row(const struct fmpd_state_reader *r, size_t at, struct fmpd_state_row *row)
{
	struct fmp_wire_in in;
	size_t used;

	return message_at(r, at, &in, &used) == MSG_ROW && !get_row(&in, row) ? 0 : FMP_ERR_SYNTAX;
}

int fmpd_state_read(const void *bytes, size_t len, struct fmpd_state_time *t,
		    int (*cb)(const struct fmpd_state_row *row, void *ctx), void *ctx,
		    struct fmp_error *err)
{
	struct fmpd_state_reader r;
	struct fmpd_state_row row;
	int rc = fmpd_state_open(&r, bytes, len, t, NULL, NULL, err);

	while (!rc && cb && fmpd_state_next(&r, &row))
		rc = cb(&row, ctx);
	return rc;
}
