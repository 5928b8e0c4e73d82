// SPDX-License-Identifier: GPL-2.0
#include "ebms_time.h"

#include "soap/named_header.h"
#include "xml/names.h"

#define refuse(v, node, text) \
	fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP, fmpi_line(node), text)

static bool must_be_signed(const struct fmp_inspector *i, const xmlNode *block, const char *soap_ns)
{
	const struct fmp_policy_header *h = fmpi_named_header(i->named, block, soap_ns);

	return h && !h->bound && h->is_signed != FMP_HEADER_SIGNED_NO;
}

const xmlNode *fmpi_ebms_messaging(const struct fmp_inspector *i, const struct fmpi_soap *soap)
{
	const xmlNode *found = NULL;

	if (!i->named || (i->security != FMP_SECURITY_BCS && i->security != FMP_SECURITY_BCES))
		return NULL;
	for (const xmlNode *n = soap->header ? fmpi_first(soap->header) : NULL; n;
	     n = fmpi_next(n)) {
		if (!fmpi_is(n, NS_EBMS, "Messaging"))
			continue;
		if (found || !must_be_signed(i, n, soap->ns))
			return NULL;
		found = n;
	}
	return found;
}

/* The only child with this name; NULL: none, or two. */
static const xmlNode *only_child(const xmlNode *parent, const char *name)
{
	const xmlNode *found = NULL;

	for (const xmlNode *n = fmpi_first(parent); n; n = fmpi_next(n)) {
		if (!fmpi_is(n, NS_EBMS, name))
			continue;
		if (found)
			return NULL;
		found = n;
	}
	return found;
}

/* A UserMessage or SignalMessage. */
static int check_unit(const struct fmp_inspector *i, const xmlNode *unit, int64_t now_s,
		      struct fmpi_lifetime *out, struct fmp_inspection *v)
{
	const xmlNode *info = only_child(unit, "MessageInfo");
	const xmlNode *time = info ? only_child(info, "Timestamp") : NULL;

	if (!time)
		return refuse(v, unit, "no Timestamp in the Security header, nor one of ebMS");
	return fmpi_timestamp_check_time(time, now_s, i->clock_skew_ms, i->max_age_ms, out, v);
}

int fmpi_ebms_check_time(const struct fmp_inspector *i, const xmlNode *messaging, int64_t now_s,
			 struct fmpi_lifetime *out, struct fmp_inspection *v)
{
	const xmlNode *n = fmpi_first(messaging);
	int ret;

	if (!n)
		return refuse(v, messaging, "no Timestamp in the Security header, nor one of ebMS");
	ret = check_unit(i, n, now_s, out, v);
	for (n = fmpi_next(n); n && !ret; n = fmpi_next(n)) {
		struct fmpi_lifetime other;

		ret = check_unit(i, n, now_s, &other, v);
		if (!ret && other.created_ms < out->created_ms)
			*out = other;
	}
	return ret;
}
