// SPDX-License-Identifier: GPL-2.0
#include "listen.h"

#include <stdio.h>

#include "log.h"

int fmpd_listen(const struct fmpd_options *o, int *out, char *text, size_t size,
		struct fmp_error *err)
{
	struct fmp_error why = { 0 };
	bool waits;
	int fd = fmpi_endpoint_listen(&o->endpoint, SOCK_NONBLOCK, &waits, &why);

	if (fd < 0)
		return fmp_error_set(err, fd, "%s: %s", o->listen, why.message);
	if (waits)
		fmpd_log(FMPD_WARNING, "listen",
			 "%s is no address of this machine yet: nobody gets through before it is",
			 o->listen);
	if (!fmpi_endpoint_format(fd, text, size))
		snprintf(text, size, "%s", o->listen);
	*out = fd;
	return 0;
}
