// SPDX-License-Identifier: GPL-2.0
/*
 * The parser of multipart/related under libFuzzer: a message gives the same parts or the same
 * refusal however it is cut, within the limits.
 *
 * Input: the Content-Type up to a line feed, and the message.
 */
#include "../unit/mime_cuts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_holds(bool holds)
{
	if (!holds)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct fmp_mime_limits limits = { .parts = 4,
						       .header_bytes = 200,
						       .fields = 5,
						       .root_bytes = 300,
						       .part_bytes = 200,
						       .bytes = 400 };
	static const size_t pieces[] = { 1, 2, 5, 13 };
	const uint8_t *line = size ? memchr(data, '\n', size) : NULL;
	char type[600];
	struct mime_outcome whole;
	size_t n;

	if (!line || (size_t)(line - data) >= sizeof(type))
		return 0;
	n = (size_t)(line - data);
	memcpy(type, data, n);
	type[n] = '\0';
	data = line + 1;
	size -= n + 1;
	whole = mime_read(type, data, size, size ? size : 1, &limits);
	check_holds(whole.n_parts <= limits.parts + 1);
	check_holds(!whole.refused || (whole.kind && whole.detail));
	for (size_t i = 0; i < sizeof(pieces) / sizeof(*pieces); i++) {
		struct mime_outcome cut = mime_read(type, data, size, pieces[i], &limits);

		check_holds(cut.refused == whole.refused && cut.kind == whole.kind);
		check_holds(cut.detail == whole.detail && cut.n_parts == whole.n_parts);
		if (whole.kind != FMP_EVENT_OVERSIZE)
			check_holds(cut.len == whole.len && !memcmp(cut.log, whole.log, cut.len));
		free(cut.log);
	}
	free(whole.log);
	return 0;
}
