/* SPDX-License-Identifier: GPL-2.0 */
/* A message for the parser of multipart/related: in pieces of any size, with one result. */
#ifndef FMP_TESTS_MIME_CUTS_H
#define FMP_TESTS_MIME_CUTS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/internal/mime.h>

/** struct mime_outcome - all that happened, as text and bytes behind each other */
struct mime_outcome {
	bool refused;
	enum fmp_event_kind kind;
	const char *detail;
	unsigned n_parts;
	char *log; /* for free() */
	size_t len;
};

static inline void mime_log_part(FILE *f, const struct fmp_mime *m)
{
	fprintf(f, "[%u id=%s type=%s coding=%d]", m->part.index, m->part.id, m->part.content_type,
		m->part.coding);
	fwrite(m->part.header, 1, m->part.header_len, f);
	fputc('\n', f);
}

/* An oversized part is refused somewhere inside it: the data before the refusal depends on the cut. */
static inline struct mime_outcome mime_read(const char *type, const void *bytes, size_t n,
					    size_t piece, const struct fmp_mime_limits *limits)
{
	struct fmp_mime *m = malloc(sizeof(*m));
	struct mime_outcome o = { 0 };
	FILE *f = open_memstream(&o.log, &o.len);
	enum fmp_mime_event e = FMP_MIME_REFUSED;
	const char *p = bytes;
	bool ready;

	if (!m || !f)
		abort();
	ready = fmp_mime_init(m, type, limits) == 0;
	for (size_t at = 0; ready && at < n;) {
		size_t give = n - at < piece ? n - at : piece, used = 0;

		e = fmp_mime_next(m, p + at, give, &used);
		if (used > give || (e == FMP_MIME_MORE && used != give))
			abort();
		at += used;
		if (e == FMP_MIME_REFUSED)
			break;
		if (e == FMP_MIME_PART)
			mime_log_part(f, m);
		if (e == FMP_MIME_DATA) {
			if (!m->data_len)
				abort();
			fwrite(m->data, 1, m->data_len, f);
		}
		if (e == FMP_MIME_PART_END)
			fprintf(f, "[end %u]", m->part.index);
	}
	if (ready)
		e = fmp_mime_finish(m);
	o.refused = !ready || e != FMP_MIME_END;
	if (o.refused) {
		o.kind = m->kind;
		o.detail = m->detail;
	}
	o.n_parts = m->n_parts;
	fclose(f);
	free(m);
	return o;
}

#endif
