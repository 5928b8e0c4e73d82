// SPDX-License-Identifier: GPL-2.0
/* The state file: rows are read as they were written, damage is found, and the age is computed with care. */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <zlib.h>

#include "../../daemon/fmpd/state/state_format.h"
#include "../../daemon/fmpd/state/state_file.h"

#include "run.h"

#define FILE_MAX 65536

static const struct fmpd_state_time written = { .wall_ms = 1800000000000,
						.boot_ms = 5000000,
						.boot_id = { 1, 2, 3 } };

static struct fmpd_state_row row_of(const char *addr)
{
	struct fmpd_state_row row = {
		.source = { .first_age_ms = FMP_AGE_NEVER,
			    .last_age_ms = FMP_AGE_NEVER,
			    .last_bad_age_ms = FMP_AGE_NEVER,
			    .ended_age_ms = FMP_AGE_NEVER,
			    .last_good_age_ms = FMP_AGE_NEVER },
	};

	ck_assert_int_eq(fmp_addr_parse(addr, &row.source.source, NULL), 0);
	return row;
}

/* Each field has a value of its own; the largest one where that is hardest to encode. */
static struct fmpd_state_row full_row(void)
{
	struct fmpd_state_row row = row_of("2001:db8:1::/48");
	struct fmp_saved_source *s = &row.source;

	s->rank = 123456;
	s->credit = 77;
	s->first_age_ms = 9000;
	s->last_age_ms = 0;
	s->last_bad_age_ms = 8;
	s->ended_age_ms = UINT64_MAX - 1;
	s->last_good_age_ms = 10;
	s->quiet_left_ms = 11;
	s->events = UINT64_MAX;
	s->good = 12;
	s->unproven = 13;
	s->cpu_ns = 14;
	s->dest_port = 65535;
	s->offences = UINT32_MAX;
	s->decision_id = 15;
	s->blocked = s->is_offence = true;
	s->left_ms = 16;
	s->layers = FMP_LAYERS_ALL;
	ck_assert_int_eq(fmp_addr_parse("02:00:5e:00:53:01", &s->mac, NULL), 0);
	s->good_mac = s->mac;
	s->action_kind = FMP_ACTION_KIND_LIMIT;
	s->rate = 17;
	s->block_port = 18;
	s->override = (struct fmp_saved_override){ .port = 19 };
	memset(s->override.service, 'o', sizeof(s->override.service) - 1);
	s->waiting_override = s->override;
	s->waiting_kinds = UINT32_MAX;
	s->n_pools = FMP_POOLS_MAX;
	for (unsigned i = 0; i < FMP_POOLS_MAX; i++) {
		s->pools[i].rank = UINT32_MAX - i;
		s->pools[i].port = (uint16_t)(65535 - i);
		memset(s->pools[i].service, 'a', sizeof(s->pools[i].service) - 1);
	}
	s->n_counted = FMP_COUNTED_MAX;
	for (unsigned i = 0; i < FMP_COUNTED_MAX; i++)
		s->counted[i] = (struct fmp_saved_count){ .age_ms = UINT32_MAX - i,
							  .kind = FMP_EVENT_KINDS - 1,
							  .pool = FMP_POOLS_MAX };
	s->n_history = FMP_HISTORY;
	for (unsigned i = 0; i < FMP_HISTORY; i++) {
		struct fmp_history *h = &s->history[i];

		*h = (struct fmp_history){
			.time_ms = i, .kind = 1 + i, .rank = 20 + i, .dest_port = (uint16_t)(30 + i)
		};
		memset(h->detail, 'a' + (int)i, sizeof(h->detail) - 1);
	}
	row.decided = row.manual = true;
	row.age_ms = 19;
	row.duration_ms = 20;
	row.mac_veto = FMP_MAC_VETOES - 1;
	row.mac_left_ms = UINT64_MAX;
	row.pair_mac = s->mac;
	memset(row.reason, 'r', sizeof(row.reason) - 1);
	return row;
}

static size_t write_state(uint8_t *file, const struct fmpd_state_row *rows, size_t n)
{
	struct fmpd_state_sum sum;
	size_t len = fmpd_state_put_head(&sum, &written, file);

	for (size_t i = 0; i < n; i++)
		len += fmpd_state_put_row(&sum, &rows[i], file + len);
	return len + fmpd_state_put_end(&sum, file + len);
}

struct got {
	struct fmpd_state_row rows[8];
	size_t n;
	int stop;
};

static int collect_row(const struct fmpd_state_row *row, void *ctx)
{
	struct got *g = ctx;

	ck_assert_uint_lt(g->n, 8);
	g->rows[g->n++] = *row;
	return g->stop;
}

static int read_file(const uint8_t *file, size_t len, struct got *g)
{
	struct fmpd_state_time t;
	struct fmp_error err;

	memset(g, 0, sizeof(*g));
	return fmpd_state_read(file, len, &t, collect_row, g, &err);
}

START_TEST(what_goes_in_comes_out)
{
	struct fmpd_state_row rows[3] = { full_row(), row_of("192.0.2.1"),
					  row_of("02:00:5e:00:53:02") };
	struct fmpd_state_time t;
	uint8_t file[FILE_MAX];
	struct got g = { .n = 0 };
	size_t len = write_state(file, rows, 3);

	ck_assert_int_eq(fmpd_state_read(file, len, &t, collect_row, &g, NULL), 0);
	ck_assert_uint_eq(g.n, 3);
	for (int i = 0; i < 3; i++)
		ck_assert_mem_eq(&g.rows[i], &rows[i], sizeof(rows[i]));
	ck_assert_uint_eq(t.wall_ms, written.wall_ms);
	ck_assert_uint_eq(t.boot_ms, written.boot_ms);
	ck_assert_mem_eq(t.boot_id, written.boot_id, sizeof(t.boot_id));
	/* A row without values is short. */
	ck_assert_uint_eq(write_state(file, rows + 1, 1),
			  write_state(file, NULL, 0) + 4 + 2 + 6 + 18);
}
END_TEST

struct places {
	size_t at[8], n;
};

static void note_place(const struct fmpd_state_row *row, size_t at, void *ctx)
{
	struct places *p = ctx;

	ck_assert_uint_lt(p->n, 8);
	p->at[p->n++] = at;
}

/* Read rows in order, and by offset. */
START_TEST(rows_one_at_a_time)
{
	struct fmpd_state_row rows[3] = { full_row(), row_of("192.0.2.1"), row_of("192.0.2.2") };
	struct fmpd_state_reader r;
	struct fmpd_state_time t;
	struct places p = { .n = 0 };
	struct fmpd_state_row row;
	uint8_t file[FILE_MAX];
	size_t len = write_state(file, rows, 3);

	ck_assert_int_eq(fmpd_state_open(&r, file, len, &t, note_place, &p, NULL), 0);
	ck_assert_uint_eq(p.n, 3);
	ck_assert_int_eq(fmpd_state_row(&r, p.at[2], &row), 0);
	ck_assert_mem_eq(&row, &rows[2], sizeof(row));
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(fmpd_state_next(&r, &row), 1);
		ck_assert_mem_eq(&row, &rows[i], sizeof(row));
	}
	ck_assert_int_eq(fmpd_state_next(&r, &row), 0);
	ck_assert_int_eq(fmpd_state_next(&r, &row), 0);
	ck_assert_int_eq(fmpd_state_row(&r, p.at[0] + 1, &row), FMP_ERR_SYNTAX);
	ck_assert_int_eq(fmpd_state_row(&r, len, &row), FMP_ERR_SYNTAX);
	/* If the file is truncated later, reading ends there. */
	r.len = p.at[1] + 3;
	r.at = p.at[0];
	ck_assert_int_eq(fmpd_state_next(&r, &row), 1);
	ck_assert_int_eq(fmpd_state_next(&r, &row), 0);
}
END_TEST

/* The longest times that a policy allows are read back. */
START_TEST(the_longest_times_come_back)
{
	const uint64_t ten_years_ms = UINT64_C(3650) * 24 * 60 * 60 * 1000;
	struct fmpd_state_row row = row_of("192.0.2.1");
	uint8_t file[FILE_MAX];
	struct got g;

	row.decided = row.source.blocked = true;
	row.mac_left_ms = row.duration_ms = row.source.left_ms = ten_years_ms;
	row.source.quiet_left_ms = ten_years_ms;
	ck_assert_int_eq(read_file(file, write_state(file, &row, 1), &g), 0);
	ck_assert_mem_eq(&g.rows[0], &row, sizeof(row));
}
END_TEST

START_TEST(no_rows_is_a_state_too)
{
	uint8_t file[FILE_MAX];
	struct got g;

	ck_assert_int_eq(read_file(file, write_state(file, NULL, 0), &g), 0);
	ck_assert_uint_eq(g.n, 0);
}
END_TEST

START_TEST(a_reader_may_stop)
{
	struct fmpd_state_row rows[2] = { row_of("192.0.2.1"), row_of("192.0.2.2") };
	struct got g = { .stop = FMP_ERR_LIMIT };
	struct fmpd_state_time t;
	uint8_t file[FILE_MAX];

	ck_assert_int_eq(fmpd_state_read(file, write_state(file, rows, 2), &t, collect_row, &g,
					 NULL),
			 FMP_ERR_LIMIT);
	ck_assert_uint_eq(g.n, 1);
}
END_TEST

/* Truncated at each byte, with each bit flipped, or with a byte appended: refused, and no row is returned. */
START_TEST(damage_is_found)
{
	struct fmpd_state_row rows[2] = { full_row(), row_of("192.0.2.1") };
	uint8_t file[FILE_MAX];
	size_t len = write_state(file, rows, 2);
	struct got g;

	for (size_t cut = 0; cut < len; cut++) {
		ck_assert_msg(read_file(file, cut, &g) < 0, "cut at %zu", cut);
		ck_assert_uint_eq(g.n, 0);
	}
	for (size_t bit = 0; bit < len * 8; bit++) {
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
		ck_assert_msg(read_file(file, len, &g) < 0, "bit %zu", bit);
		ck_assert_uint_eq(g.n, 0);
		file[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	file[len] = 0;
	ck_assert_int_eq(read_file(file, len + 1, &g), FMP_ERR_SYNTAX);
	ck_assert_int_eq(read_file(file, len, &g), 0);
}
END_TEST

START_TEST(another_version_is_named)
{
	uint8_t file[FILE_MAX];
	size_t len = write_state(file, NULL, 0);
	struct fmpd_state_time t;
	struct fmp_error err;

	file[11] = FMPD_STATE_VERSION + 1;
	ck_assert_int_eq(fmpd_state_read(file, len, &t, NULL, NULL, &err), FMP_ERR_UNSUPPORTED);
	ck_assert_ptr_nonnull(strstr(err.message, "this fmpd reads versions up to"));
	file[11] = 0;
	ck_assert_int_eq(fmpd_state_read(file, len, &t, NULL, NULL, &err), FMP_ERR_UNSUPPORTED);
}
END_TEST

START_TEST(the_version_before_is_read)
{
	uint8_t file[FILE_MAX];
	struct fmpd_state_sum sum;
	size_t len = fmpd_state_put_head(&sum, &written, file);
	struct got g;

	file[11] = 1;
	sum.crc = (uint32_t)crc32(0, file, (uInt)len);
	len += fmpd_state_put_end(&sum, file + len);
	ck_assert_int_eq(read_file(file, len, &g), 0);
}
END_TEST

static int read_neighbours(const struct fmpd_state_time *t, struct fmpd_state_time *got)
{
	uint8_t file[FILE_MAX];
	struct fmpd_state_sum sum;
	size_t len = fmpd_state_put_head(&sum, t, file);

	ck_assert_uint_le(len, FMPD_STATE_ROW_MAX);
	len += fmpd_state_put_end(&sum, file + len);
	return fmpd_state_read(file, len, got, NULL, NULL, NULL);
}

START_TEST(neighbours_are_known_again)
{
	struct fmpd_state_time t = written, got;

	t.nexthop_macs[0] = (struct fmp_neighbour){ row_of("192.0.2.1").source.source,
						    row_of("02:00:5e:00:53:01").source.source };
	t.nexthop_macs[1] = (struct fmp_neighbour){ row_of("fe80::1").source.source,
						    row_of("00:00:5e:00:53:02").source.source };
	t.n_nexthop_macs = 2;
	ck_assert_int_eq(read_neighbours(&t, &got), 0);
	ck_assert_uint_eq(got.n_nexthop_macs, 2);
	for (int i = 0; i < 2; i++) {
		ck_assert(fmp_addr_equal(&got.nexthop_macs[i].ip, &t.nexthop_macs[i].ip));
		ck_assert(fmp_addr_equal(&got.nexthop_macs[i].mac, &t.nexthop_macs[i].mac));
	}
	/* The maximum number, of the longest kind. */
	for (size_t i = 0; i < FMP_NEXTHOP_MACS_MAX; i++)
		t.nexthop_macs[i] = t.nexthop_macs[1];
	t.n_nexthop_macs = FMP_NEXTHOP_MACS_MAX;
	ck_assert_int_eq(read_neighbours(&t, &got), 0);
	ck_assert_uint_eq(got.n_nexthop_macs, FMP_NEXTHOP_MACS_MAX);
	/* With the maximum number of sets. */
	for (t.lists.n = 0; t.lists.n < FMPD_SETS_MAX; t.lists.n++) {
		memset(t.lists.name[t.lists.n], 'a' + (int)t.lists.n, FMP_SET_NAME_MAX - 1);
		t.lists.name[t.lists.n][FMP_SET_NAME_MAX - 1] = '\0';
	}
	ck_assert_int_eq(read_neighbours(&t, &got), 0);
	ck_assert_mem_eq(&got.lists, &t.lists, sizeof(t.lists));
	t.lists.name[3][0] = ' ';
	ck_assert_int_eq(read_neighbours(&t, &got), FMP_ERR_SYNTAX);
	t.lists.name[3][0] = 'd';
	/* A group address is no neighbour. */
	t.nexthop_macs[5].mac.bytes[0] |= 1;
	ck_assert_int_eq(read_neighbours(&t, &got), FMP_ERR_SYNTAX);
}
END_TEST

/* Read a row that no fmpd writes, with a valid CRC. The field numbers are those of the file. */
static int read_crafted(void (*craft)(struct fmp_wire_out *w))
{
	uint8_t file[FILE_MAX], row[FMPD_STATE_ROW_MAX];
	struct fmpd_state_row plain = row_of("192.0.2.1");
	struct fmpd_state_sum sum;
	struct fmp_wire_out w = { .buf = file, .cap = sizeof(file) };
	struct got g;
	size_t len = fmpd_state_put_head(&sum, &written, file);
	struct fmpd_state_sum before = sum;

	w.len = fmpd_state_put_row(&sum, &plain, row);
	w.buf = file + len;
	w.cap -= len;
	memcpy(w.buf, row, w.len);
	craft(&w);
	ck_assert_int_eq(fmp_wire_end(&w), 0);
	before.crc = (uint32_t)crc32(before.crc, file + len, (uInt)w.len);
	before.rows++;
	len += w.len;
	len += fmpd_state_put_end(&before, file + len);
	return read_file(file, len, &g);
}

static void craft_nothing(struct fmp_wire_out *w)
{
}

static void craft_twice(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 2, 5);
	fmp_wire_put_u64(w, 2, 5);
}

static void craft_zero(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 2, 0);
}

static void craft_unknown(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 60, 1);
}

static void craft_short(struct fmp_wire_out *w)
{
	fmp_wire_put_bytes(w, 2, "1234", 4);
}

static void craft_layers(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 20, FMP_LAYERS_ALL + 1);
}

static void craft_bool(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 17, 2);
}

static void craft_port(struct fmp_wire_out *w)
{
	fmp_wire_put_u64(w, 14, 65536);
}

static void craft_history(struct fmp_wire_out *w)
{
	for (int i = 0; i <= FMP_HISTORY; i++)
		fmp_wire_put_bytes(w, 31, "\0\0\0\0\0\0\0\1\0\0\0\1\0\1\0\1word", 20);
}

static void craft_kind(struct fmp_wire_out *w)
{
	fmp_wire_put_bytes(w, 31, "\0\0\0\0\0\0\0\1\0\0\0\1\xff\1\0\1word", 20);
}

static void craft_count_kind(struct fmp_wire_out *w)
{
	fmp_wire_put_bytes(w, 34, "\0\0\0\1\xff\0", 6);
}

static void craft_count_pool(struct fmp_wire_out *w)
{
	fmp_wire_put_bytes(w, 34, "\0\0\0\1\1\1", 6);
}

static void craft_pools(struct fmp_wire_out *w)
{
	for (int i = 0; i <= FMP_POOLS_MAX; i++)
		fmp_wire_put_bytes(w, 36, "\0\0\0\1\0\1orders", 12);
}

static void craft_count_cut(struct fmp_wire_out *w)
{
	fmp_wire_put_bytes(w, 34, "\0\0\0\1\1\0\0", 7);
}

static void craft_counts(struct fmp_wire_out *w)
{
	static const char many[6 * (FMP_COUNTED_MAX + 1)];

	fmp_wire_put_bytes(w, 34, many, sizeof(many));
}

static void craft_words(struct fmp_wire_out *w)
{
	char long_words[16 + FMP_EVENT_DETAIL] = { [12] = 0, [13] = 1 };

	memset(long_words + 16, 'x', FMP_EVENT_DETAIL);
	fmp_wire_put_bytes(w, 31, long_words, sizeof(long_words));
}

static void craft_reason(struct fmp_wire_out *w)
{
	char reason[160];

	memset(reason, 'x', sizeof(reason));
	fmp_wire_put_bytes(w, 30, reason, sizeof(reason));
}

static void (*const crafted[])(struct fmp_wire_out *w) = {
	craft_twice,	 craft_zero,   craft_unknown,	 craft_short,
	craft_layers,	 craft_bool,   craft_port,	 craft_history,
	craft_kind,	 craft_words,  craft_reason,	 craft_count_kind,
	craft_count_cut, craft_counts, craft_count_pool, craft_pools,
};

START_TEST(a_good_sum_is_not_enough)
{
	ck_assert_int_eq(read_crafted(craft_nothing), 0);
	ck_assert_int_eq(read_crafted(crafted[_i]), FMP_ERR_SYNTAX);
}
END_TEST

/* ---- age ---- */

START_TEST(time_that_passed)
{
	const uint64_t day = 86400000, year = 365 * day;
	struct fmpd_state_time now = written;

	/* Within one boot the wall clock does not count. */
	now.boot_ms += 1000;
	now.wall_ms += 10 * year;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), 1000);
	now.wall_ms = 0;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), 1000);
	/* After a reboot the wall clock counts, if it is plausible. */
	now.boot_id[0] = 9;
	now.boot_ms = 1;
	now.wall_ms = written.wall_ms + day;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), day);
	now.wall_ms = written.wall_ms + 30 * day;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), 30 * day);
	now.wall_ms = written.wall_ms + 10 * year;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), 0);
	now.wall_ms = 0;
	ck_assert_uint_eq(fmpd_state_age(&written, &now), 0);
	/* Two unknown boot ids are not the same boot. */
	struct fmpd_state_time unknown = written;

	memset(unknown.boot_id, 0, sizeof(unknown.boot_id));
	memset(now.boot_id, 0, sizeof(now.boot_id));
	now.boot_ms = unknown.boot_ms + 5;
	now.wall_ms = unknown.wall_ms + day;
	ck_assert_uint_eq(fmpd_state_age(&unknown, &now), day);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("state");

	tcase_add_test(t, what_goes_in_comes_out);
	tcase_add_test(t, rows_one_at_a_time);
	tcase_add_test(t, the_longest_times_come_back);
	tcase_add_test(t, no_rows_is_a_state_too);
	tcase_add_test(t, a_reader_may_stop);
	tcase_add_test(t, damage_is_found);
	tcase_add_test(t, another_version_is_named);
	tcase_add_test(t, the_version_before_is_read);
	tcase_add_test(t, neighbours_are_known_again);
	tcase_add_loop_test(t, a_good_sum_is_not_enough, 0,
			    (int)(sizeof(crafted) / sizeof(crafted[0])));
	tcase_add_test(t, time_that_passed);
	tcase_set_timeout(t, 60);
	return run_tcase("state", t);
}
