// SPDX-License-Identifier: GPL-2.0
#include "path.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

const char *fmpi_control_user_path(char *buf, size_t size)
{
	const char *dir = getenv("XDG_RUNTIME_DIR");

	if (dir && *dir)
		snprintf(buf, size, "%s/fmp-control", dir);
	else
		snprintf(buf, size, "/tmp/fmp-%u/control", (unsigned)geteuid());
	return buf;
}
