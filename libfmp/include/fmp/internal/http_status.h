/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMP_HTTP_STATUS_H
#define FMP_HTTP_STATUS_H

/** fmp_http_reason() - reason phrase of an HTTP status. */
const char *fmp_http_reason(int status);

#endif
