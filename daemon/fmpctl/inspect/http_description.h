/* SPDX-License-Identifier: GPL-2.0 */
/* A GET or HEAD of a file: a request for the description of a service, as the gateway answers it. */
#ifndef FMPCTL_HTTP_DESCRIPTION_H
#define FMPCTL_HTTP_DESCRIPTION_H

#include <fmp/internal/evaluate.h>
#include <fmp/internal/http.h>

struct fmp_description;

/** struct described - freed with http_description_exit() */
struct described {
	bool loaded;
	bool any; /**< a service answers GET, or passes it on: without one the reader refuses it */
	struct fmp_description *text[FMP_SERVICES_MAX];
};

/** http_description_load() - read the WSDLs that are offered. @e: gets what becomes of GET */
FMP_MUST_CHECK int http_description_load(struct fmp_evaluator *e, struct described *out,
					 struct fmp_error *err);
void http_description_exit(struct described *d);

/** struct description_verdict - what becomes of it */
struct description_verdict {
	bool routed;
	unsigned service;
	bool passed; /**< to the service; else it is answered with status */
	int status;
	const char *refusal; /**< static text; NULL: it is not refused */
};

/** http_description_evaluate() - @h: it was not refused by the reader */
void http_description_evaluate(const struct fmp_evaluator *e, const struct described *d,
			       const struct fmp_http *h, struct description_verdict *out);

#endif
