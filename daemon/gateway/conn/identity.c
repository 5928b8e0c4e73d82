// SPDX-License-Identifier: GPL-2.0
#include "identity.h"

#include "connection_private.h"
#include "tls.h"

bool gw_identity_add(const struct gw_connection *c, const struct fmp_identity_fields *of_message,
		     struct fmp_field_list *out)
{
	const struct fmp_policy_identity *names =
		&c->shared->settings->service[c->service].evaluate->demands->identity;
	struct fmp_identity_fields fields;
	char lines[FMP_IDENTITY_FIELDS_MAX];
	struct fmp_identity tls;
	size_t n;

	if (!names->forward)
		return true;
	fields = *of_message;
	/* The client may be gone: its message is forwarded all the same. */
	if (c->stream && gw_tls_identity(gw_stream_tls(c->stream), &tls))
		fmp_identity_fields_add_tls(&tls, &fields);
	n = fmp_identity_fields_format(names, &fields, lines, sizeof(lines));
	return fmp_field_list_append(out, lines, n);
}
