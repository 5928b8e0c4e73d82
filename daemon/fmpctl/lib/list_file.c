// SPDX-License-Identifier: GPL-2.0
#include "list_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "message_file.h"

static void print_warning(const struct fmp_error *warning, void *ctx)
{
	fprintf(stderr, "fmpctl: %s:%u: %s\n", warning->file, warning->line, warning->message);
}

int list_file_load(struct fmp_blocklist *l, const char *file, struct fmp_error *err)
{
	unsigned char *bytes;
	size_t len;
	int rc = message_file_read(file, &bytes, &len, err);

	if (rc)
		return rc;
	rc = fmp_blocklist_parse(l, bytes, len, file, print_warning, NULL, err);
	free(bytes);
	return rc;
}
