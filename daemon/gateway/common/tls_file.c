// SPDX-License-Identifier: GPL-2.0
#include "tls_file.h"

#include <openssl/err.h>
#include <string.h>

/* OpenSSL's newest error is most precise, but a system error is the oldest one. */
int gw_tls_file_error(struct fmp_error *err, const char *what, const char *file)
{
	unsigned long first = ERR_peek_error();
	const char *text = ERR_reason_error_string(ERR_peek_last_error());

	ERR_clear_error();
	if (ERR_SYSTEM_ERROR(first))
		return fmp_error_at(err, FMP_ERR_IO, file, 0, 0, "%s: %s", what,
				    strerror(ERR_GET_REASON(first)));
	return fmp_error_at(err, FMP_ERR_INVALID, file, 0, 0, "%s: %s", what,
			    text ? text : "not usable");
}

int gw_tls_refuse_passphrase(char *buf, int size, int rw, void *ctx)
{
	return -1;
}
