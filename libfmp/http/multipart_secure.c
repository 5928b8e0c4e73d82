// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/multipart_secure.h>

#include <stdio.h>
#include <string.h>

#include <fmp/internal/multipart.h>

static int refuse_reply(struct fmp_secured *out, const char *why)
{
	fmp_secured_clear(out);
	snprintf(out->detail, sizeof(out->detail), "%s", why);
	return 0;
}

/* Return: 0, FMP_ERR_NOMEM. */
static int write_parts(const struct fmp_multipart *m, struct fmp_secured *out, void **own)
{
	size_t len;
	int ret = fmp_multipart_write(m, out->bytes, out->len, out->soap_version, own, &len);

	if (ret == FMP_ERR_CONFLICT)
		return refuse_reply(out, "its boundary stands in what is signed");
	fmp_secured_clear(out);
	if (ret)
		return FMP_ERR_NOMEM;
	out->bytes = *own;
	out->len = len;
	return 0;
}

int fmp_multipart_secure(struct fmp_securer *s, const char *content_type,
			 const struct fmp_reply *reply, const struct fmp_policy_attachments *limits,
			 uint32_t most, struct fmp_secured *out, void **own)
{
	struct fmp_multipart *m =
		fmp_multipart_read(content_type, reply->bytes, reply->len, limits, most, false);
	struct fmp_reply root = *reply;
	int ret;

	*out = (struct fmp_secured){ 0 };
	*own = NULL;
	if (!m)
		return FMP_ERR_NOMEM;
	if (m->status) {
		ret = refuse_reply(out, m->detail);
	} else {
		root.bytes = m->root.bytes;
		root.len = m->root.len;
		root.attachments = &m->attachments;
		ret = fmp_secure(s, &root, out);
		if (!ret && out->bytes)
			ret = write_parts(m, out, own);
	}
	fmp_multipart_free(m);
	return ret;
}
