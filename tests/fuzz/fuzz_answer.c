// SPDX-License-Identifier: GPL-2.0
/*
 * The same reader on what a service says: the same answers and the same refusal however the
 * bytes are cut, also where only the end of the connection ends an answer.
 */
#include "recorded.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fmp_http_limits limits = {
		.header_bytes = 512, .fields = 12, .body_bytes = 2048, .response = true
	};

	read_connection(&limits, data, size, check_fields);
	return 0;
}
