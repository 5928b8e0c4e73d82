// SPDX-License-Identifier: GPL-2.0
/*
 * The state file under libFuzzer: any bytes as a file, and the same bytes again as rows behind a
 * good head, under a good sum, so that what is behind the sum is reached. What is accepted can be
 * written, and read again as the same; no row is given out of a file that is refused.
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "../../daemon/fmpd/state/state_format.h"

#define OUT_MAX (1u << 20)

static uint8_t out[OUT_MAX + FMPD_STATE_ROW_MAX];
static size_t out_len, given;
static struct fmpd_state_sum sum;

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

static int write_again(const struct fmpd_state_row *row, void *ctx)
{
	check_holds(memchr(row->reason, '\0', sizeof(row->reason)));
	check_holds(row->source.n_history <= FMP_HISTORY);
	check_holds(row->source.n_pools <= FMP_POOLS_MAX);
	check_holds(row->source.n_counted <= FMP_COUNTED_MAX);
	check_holds(!(row->source.layers & ~FMP_LAYERS_ALL));
	given++;
	if (out_len < OUT_MAX)
		out_len += fmpd_state_put_row(&sum, row, out + out_len);
	return 0;
}

static int count_row(const struct fmpd_state_row *row, void *ctx)
{
	++*(size_t *)ctx;
	return 0;
}

static void try_file(const uint8_t *data, size_t size)
{
	struct fmpd_state_time t = { 0 }, again;
	struct fmpd_state_sum head;
	uint8_t scratch[FMPD_STATE_ROW_MAX];
	uint8_t *exact = malloc(size ? size : 1);
	size_t n = 0;
	int rc;

	/* Of its own length, so that a byte too far is seen. */
	check_holds(exact);
	memcpy(exact, data, size);
	given = 0;
	out_len = fmpd_state_put_head(&sum, &t, out);
	rc = fmpd_state_read(exact, size, &t, write_again, NULL, NULL);
	free(exact);
	check_holds(!rc || !given);
	if (rc || out_len >= OUT_MAX)
		return;
	out_len += fmpd_state_put_end(&sum, out + out_len);
	check_holds(!fmpd_state_read(out, out_len, &again, count_row, &n, NULL));
	check_holds(n == given);
	check_holds(fmpd_state_put_head(&head, &t, scratch) <= sizeof(scratch));
}

/* Data as what stands between head and end. */
static void try_rows(const uint8_t *data, size_t size)
{
	static uint8_t file[OUT_MAX];
	const struct fmpd_state_time t = { .wall_ms = 1 };
	struct fmpd_state_sum s;
	size_t len = fmpd_state_put_head(&s, &t, file), at;

	if (size > sizeof(file) - 2 * FMPD_STATE_ROW_MAX)
		return;
	memcpy(file + len, data, size);
	s.crc = (uint32_t)crc32(s.crc, data, (uInt)size);
	for (at = 0; size - at >= 4; s.rows++) {
		uint32_t n;

		memcpy(&n, data + at, 4);
		if (be32toh(n) > size - at - 4)
			break;
		at += 4 + be32toh(n);
	}
	len += size;
	len += fmpd_state_put_end(&s, file + len);
	try_file(file, len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_file(data, size);
	try_rows(data, size);
	return 0;
}
