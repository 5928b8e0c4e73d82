// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/socket_path.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *fmp_control_user_path(char *buf, size_t size)
{
	const char *dir = secure_getenv("XDG_RUNTIME_DIR");

	if (!geteuid())
		return NULL;
	if (dir && *dir)
		snprintf(buf, size, "%s/fmp-control", dir);
	else
		snprintf(buf, size, "/tmp/fmp-%u/control", (unsigned)geteuid());
	return buf;
}

const char *fmp_beside_path(const char *control, const char *name, char *buf, size_t size)
{
	size_t n = strlen(control), word = strlen("control");

	if (n >= word && !strcmp(control + n - word, "control"))
		snprintf(buf, size, "%.*s%s", (int)(n - word), control, name);
	else
		snprintf(buf, size, "%s.%s", control, name);
	return buf;
}

const char *fmp_report_path(const char *control, char *buf, size_t size)
{
	return fmp_beside_path(control, "report", buf, size);
}
