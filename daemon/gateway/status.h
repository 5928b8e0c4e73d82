/* SPDX-License-Identifier: GPL-2.0 */
#ifndef GW_STATUS_H
#define GW_STATUS_H

/** gw_http_reason() - the reason phrase of an HTTP status. */
const char *gw_http_reason(int status);

#endif
