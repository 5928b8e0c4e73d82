// SPDX-License-Identifier: GPL-2.0
/* <event>: the rank of a kind of event, and the count within a time that makes a source
 * malicious. */
#include <fmp/internal/policy_xml.h>

#include <string.h>

#define WITHIN_MAX_MS (7 * 24 * 60 * 60 * 1000ull)
#define COUNT_MAX     100

/* The fields are array elements: set_event_field() fills in the offset. */
static const struct fmpi_setting rank_setting = {
	.attribute = "rank", .type = FMPI_COUNT, .size = sizeof(uint32_t), .max = 1000000
};
static const struct fmpi_setting count_setting = {
	.attribute = "count", .type = FMPI_COUNT, .size = sizeof(uint32_t), .max = COUNT_MAX
};
static const struct fmpi_setting within_setting = {
	.attribute = "within",
	.type = FMPI_MS,
	.size = sizeof(uint64_t),
	.min = 1000,
	.max = WITHIN_MAX_MS,
};

struct attributes {
	const xmlAttr *kind, *rank, *count, *within;
};

static int find_attributes(struct fmpi_reader *r, const xmlNode *node, struct attributes *out)
{
	*out = (struct attributes){ 0 };
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		if (a->ns)
			return fmpi_policy_reader_unknown(r, node, a);
		if (xmlStrEqual(a->name, BAD_CAST "kind"))
			out->kind = a;
		else if (xmlStrEqual(a->name, BAD_CAST "rank"))
			out->rank = a;
		else if (xmlStrEqual(a->name, BAD_CAST "count"))
			out->count = a;
		else if (xmlStrEqual(a->name, BAD_CAST "within"))
			out->within = a;
		else
			return fmpi_policy_reader_unknown(r, node, a);
	}
	if (!out->kind)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<event> needs a kind");
	if (!out->rank && !out->count && !out->within)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"<event> needs a rank, or a count and within");
	return 0;
}

static const char *next_kind(size_t i, const void *ctx)
{
	return fmp_event_kind_name((unsigned)i + 1); /* skip "good" */
}

static int read_kind(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
		     bool seen[FMP_EVENT_KINDS], enum fmp_event_kind *kind)
{
	char value[FMPI_VALUE_MAX], hint[64];

	fmpi_policy_reader_value(r, node, attr, value);
	if (r->failed)
		return r->failed;
	if (fmp_event_kind_parse(value, kind)) {
		fmp_suggestion(fmp_suggest(value, next_kind, NULL), hint, sizeof(hint));
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "kind",
					"\"%.64s\" is no kind of event%s", value, hint);
	}
	if (*kind == FMP_EVENT_GOOD)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "kind",
					"a good message has no rank");
	if (seen[*kind])
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "kind",
					"the event \"%s\" is given twice", value);
	seen[*kind] = true;
	return 0;
}

static int set_event_field(struct fmpi_reader *r, const xmlNode *node, const xmlAttr *attr,
			   struct fmpi_setting s, size_t offset)
{
	char value[FMPI_VALUE_MAX], why[256];

	if (!attr)
		return 0;
	fmpi_policy_reader_value(r, node, attr, value);
	if (r->failed)
		return r->failed;
	s.offset = offset;
	if (fmpi_setting_set(r->policy, &s, value, r->dir, why, sizeof(why)))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, s.attribute, "%s=\"%.64s\" %s",
					s.attribute, value, why);
	return 0;
}

/* A file read later may set either attribute alone. Without a count there is no window. */
static int check_count(struct fmpi_reader *r, const xmlNode *node, const struct attributes *a,
		       struct fmp_policy_count *c)
{
	if (c->count && !c->within_ms)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "count",
					"count=\"%u\" needs within: in how much time", c->count);
	if (a->within && !c->count && !a->count)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "within",
					"within needs count: how many events in that time");
	if (!c->count)
		c->within_ms = 0;
	return 0;
}

int fmpi_policy_reader_event(struct fmpi_reader *r, const xmlNode *node, bool seen[FMP_EVENT_KINDS])
{
	const size_t suspicion = offsetof(struct fmp_policy, suspicion);
	struct attributes a;
	enum fmp_event_kind kind;
	size_t rank, count;
	int rc = find_attributes(r, node, &a);

	if (!rc)
		rc = read_kind(r, node, a.kind, seen, &kind);
	if (rc)
		return rc;
	rank = suspicion + offsetof(struct fmp_policy_suspicion, rank) + kind * sizeof(uint32_t);
	count = suspicion + offsetof(struct fmp_policy_suspicion, count) +
		kind * sizeof(struct fmp_policy_count);
	rc = set_event_field(r, node, a.rank, rank_setting, rank);
	if (!rc)
		rc = set_event_field(r, node, a.count, count_setting, count);
	if (!rc)
		rc = set_event_field(r, node, a.within, within_setting,
				     count + offsetof(struct fmp_policy_count, within_ms));
	if (!rc)
		rc = check_count(r, node, &a, &r->policy->suspicion.count[kind]);
	if (!rc)
		r->event_at[kind] = fmpi_reader_locate(r, node, a.rank ? "rank" : "count");
	return rc;
}

int fmpi_event_list_read(struct fmpi_reader *r, const xmlNode *node, uint32_t *ranks,
			 uint32_t *counts)
{
	bool seen[FMP_EVENT_KINDS] = { false }, before[FMP_EVENT_KINDS];
	int rc = 0;

	*ranks = *counts = 0;
	for (const xmlNode *c = node->children; c && !rc; c = c->next) {
		if (c->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)c))
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "<%s> holds elements only, no text", node->name);
		if (c->type != XML_ELEMENT_NODE)
			continue;
		if (!c->ns || !xmlStrEqual(c->ns->href, BAD_CAST FMPI_POLICY_NS) ||
		    !xmlStrEqual(c->name, BAD_CAST "event"))
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, c, NULL,
					      "<%s> has no element <%.64s>, only <event>",
					      node->name, c->name);
		memcpy(before, seen, sizeof(before));
		if (!rc)
			rc = fmpi_policy_reader_event(r, c, seen);
		for (unsigned k = 0; k < FMP_EVENT_KINDS && !rc; k++) {
			if (seen[k] == before[k])
				continue;
			if (xmlHasProp((xmlNode *)c, BAD_CAST "rank"))
				*ranks |= 1u << k;
			if (xmlHasProp((xmlNode *)c, BAD_CAST "count"))
				*counts |= 1u << k;
		}
	}
	return rc;
}

/* ---- the sum of all counts ---- */

/* The number of events stored for each source: every kind's limit, once for each pool. */
static unsigned sum_counts(const struct fmp_policy *p, unsigned *last)
{
	unsigned sum = 0, pools = 1;

	for (size_t i = 0; i < p->n_overrides; i++)
		pools += !p->overrides[i].pool;

	for (unsigned k = 0; k < FMP_EVENT_KINDS; k++) {
		unsigned most = fmp_policy_count_limit(p, k);

		sum += most * pools;
		if (most)
			*last = k;
	}
	return sum;
}

int fmpi_policy_check_counts(struct fmpi_reader *r)
{
	const struct fmp_position *at;
	unsigned last = 0, sum = sum_counts(r->policy, &last);

	if (sum <= FMP_COUNTED_MAX)
		return 0;
	at = &r->event_at[last];
	return fmp_error_at(r->err, FMP_ERR_CONFLICT, at->file ? at->file : r->policy->file,
			    at->line, at->column,
			    "the counts of all kinds of events are %u together, each once for all "
			    "and once for every override with pool=\"no\": of one source at most "
			    "%d events are stored",
			    sum, FMP_COUNTED_MAX);
}
