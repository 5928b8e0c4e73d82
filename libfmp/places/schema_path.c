// SPDX-License-Identifier: GPL-2.0
#include "schema_path.h"

#include <errno.h>
#include <libxml/uri.h>
#include <libxml/xmlmemory.h>
#include <stdlib.h>
#include <string.h>

bool fmpi_path_is_remote(const char *location)
{
	size_t n = strspn(location, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "+-.");

	return n > 1 && location[n] == ':' && strncmp(location, "file:/", 6) != 0;
}

bool fmpi_path_is_below(const char *real, const char *folder)
{
	size_t n = strlen(folder);

	return strncmp(real, folder, n) == 0 && (n == 1 || real[n] == '/');
}

char *fmpi_path_parent(const char *real)
{
	char *folder = strdup(real), *slash = folder ? strrchr(folder, '/') : NULL;

	if (slash)
		slash[slash == folder] = '\0';
	return folder;
}

int fmpi_path_resolve(const char *uri, char **real)
{
	const char *path = strncmp(uri, "file://", 7) == 0 ? uri + 7
			   : strncmp(uri, "file:", 5) == 0 ? uri + 5
							   : uri;
	char *plain;

	*real = NULL;
	if (fmpi_path_is_remote(uri))
		return FMP_ERR_IO;
	plain = xmlURIUnescapeString(path, 0, NULL);
	if (!plain)
		return FMP_ERR_NOMEM;
	*real = realpath(plain, NULL);
	xmlFree(plain);
	if (*real)
		return 0;
	return errno == ENOMEM ? FMP_ERR_NOMEM : FMP_ERR_IO;
}
