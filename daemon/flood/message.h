/* SPDX-License-Identifier: GPL-2.0 */
/* Builds requests: HTTP header and SOAP body, good or of one malicious kind. */
#ifndef FLOOD_MESSAGE_H
#define FLOOD_MESSAGE_H

#include <fmp/error.h>

#include "scenario.h"
#include "sign.h"
#include "text.h"

struct flood_message_config {
	const char *host; /* of the Host header */
	const char *path; /* of the URL, with the slash */
	uint32_t size; /* of a plain order, in bytes, approximate */
	uint32_t oversize; /* of an oversize body, in bytes, approximate */
	uint32_t depth; /* of a nesting message */
	uint32_t pool; /* bodies kept for each kind and sent repeatedly; 0: all are fresh */
	bool keepalive;
	bool sign; /* good orders are signed */
	const struct flood_signer *signer; /* of good orders and of forgeries */
	uint64_t seed;
};

/* A request: head, then body. The body belongs to the message or, if shared, to the builder. */
struct flood_message {
	struct flood_text head;
	struct flood_text own;
	const struct flood_text *body;
};
void flood_message_free(struct flood_message *m);

struct flood_builder;

/* The strings and the signer of cfg must outlive the builder. Return: 0, FMP_ERR_NOMEM. */
int flood_builder_new(const struct flood_message_config *cfg, struct flood_builder **out,
		      struct fmp_error *err);
void flood_builder_free(struct flood_builder *b);

/*
 * Fills m and reuses its buffers. now_s: wall clock, seconds since 1970.
 * Return: 0, FMP_ERR_NOMEM, FMP_ERR_INVALID (the key does not sign).
 */
int flood_builder_build(struct flood_builder *b, enum flood_kind kind, int64_t now_s,
			struct flood_message *m, struct fmp_error *err);

#endif
