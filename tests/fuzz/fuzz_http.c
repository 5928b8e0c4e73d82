// SPDX-License-Identifier: GPL-2.0
/*
 * The gateway's HTTP reader under libFuzzer: a connection's bytes give the same requests and
 * the same refusal however they are cut, within the limits, and never more memory than came.
 */
#include "recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fmp_http_limits limits = { .header_bytes = 512, .fields = 12, .body_bytes = 2048 };

	if (!size)
		return 0;
	limits.compressed = data[0] & 1;
	limits.forwarded = data[0] & 2;
	read_connection(&limits, data + 1, size - 1, check_fields);
	return 0;
}
