/* SPDX-License-Identifier: GPL-2.0 */
/* Raw HTTP messages of a file: the requests or the responses of one connection, each evaluated. */
#ifndef FMPCTL_HTTP_FILE_H
#define FMPCTL_HTTP_FILE_H

#include "run.h"

/** http_file_is_request() - does it begin with a request line, perhaps behind empty lines? */
bool http_file_is_request(const unsigned char *bytes, size_t len);
bool http_file_is_answer(const unsigned char *bytes, size_t len);

/**
 * http_file_inspect_requests() - as the gateway reads a connection: what it refuses by HTTP ends it
 *
 * Each request is evaluated by the policy of the service that the gateway would choose.
 */
void http_file_inspect_requests(struct inspect_run *r, const char *file, const unsigned char *bytes,
				size_t len);
void http_file_inspect_answers(struct inspect_run *r, const char *file, const unsigned char *bytes,
			       size_t len);

#endif
