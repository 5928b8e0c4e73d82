/* SPDX-License-Identifier: GPL-2.0 */
/* Certificates and keys of both ends of TLS: errors of reading their files. */
#ifndef GW_TLS_FILE_H
#define GW_TLS_FILE_H

#include <fmp/error.h>

/**
 * gw_tls_file_error() - OpenSSL could not use a file; clears its error queue
 * @what: is in the file
 *
 * Return: FMP_ERR_IO, FMP_ERR_INVALID.
 */
int gw_tls_file_error(struct fmp_error *err, const char *what, const char *file);

/** gw_tls_refuse_passphrase() - for SSL_CTX_set_default_passwd_cb(): a daemon can't ask for one. */
int gw_tls_refuse_passphrase(char *buf, int size, int rw, void *ctx);

#endif
