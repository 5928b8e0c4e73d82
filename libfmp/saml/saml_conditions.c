// SPDX-License-Identifier: GPL-2.0
/* Conditions of an assertion: validity, audience, number of uses (saml-core 2.4.1, 2.5, 2.7.2). */
#include <string.h>

#include "xml/names.h"
#include "saml.h"
#include "wss/timestamp.h"

/* Far beyond the year 9999, far from an overflow. */
#define MS_MAX (INT64_MAX / 8)

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SIGNATURE, FMP_EVENT_TOKEN, fmpi_line(node), __VA_ARGS__)
#define refuse_time(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_TIMESTAMP, FMP_EVENT_TIMESTAMP, fmpi_line(node), __VA_ARGS__)

struct clock {
	int64_t now, skew;
	int64_t until; /* the earliest end found, skew included */
};

static int read_time(const xmlNode *n, const char *attribute, int64_t *ms, bool *there,
		     struct fmp_inspection *v)
{
	const xmlAttr *a = fmpi_attribute_node(n, NULL, attribute);
	const char *text = a ? fmpi_attribute_value(a) : NULL;

	*there = a != NULL;
	if (a && (!text || fmpi_time_parse(text, ms) != 0))
		return refuse_time(v, n, "%s of the %s is not a time of xs:dateTime", attribute,
				   (const char *)n->name);
	return 0;
}

static int check_times(const xmlNode *n, const char *begin, const char *end, struct clock *c,
		       struct fmp_inspection *v)
{
	bool begins, ends;
	int64_t from = 0, until = 0;
	int ret = read_time(n, begin, &from, &begins, v);

	if (!ret)
		ret = read_time(n, end, &until, &ends, v);
	if (ret)
		return ret;
	if (begins && ends && until <= from)
		return refuse_time(v, n, "the %s end before they begin", (const char *)n->name);
	if (begins && from > c->now + c->skew)
		return fmpi_not_yet(v, refuse_time(v, n, "the Assertion is not valid yet"));
	if (ends && until + c->skew <= c->now)
		return refuse_time(v, n, "the Assertion has expired");
	if (ends && until + c->skew < c->until)
		c->until = until + c->skew;
	return 0;
}

/* Refuse attributes that are not listed: each may restrict the assertion in an unknown way. */
static int check_known_attributes(const xmlNode *n, const char *const *known, const xmlAttr *but,
				  struct fmp_inspection *v)
{
	for (const xmlAttr *a = n->properties; a; a = a->next) {
		const char *const *k = known;

		if (a == but)
			continue;
		while (*k && (a->ns || strcmp(*k, (const char *)a->name) != 0))
			k++;
		if (!*k)
			return refuse(v, n, "%s of the %s is not supported", (const char *)a->name,
				      (const char *)n->name);
	}
	return 0;
}

static bool is_in_list(const char *list, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = list; p; p = strchr(p, ' '), p = p ? p + 1 : NULL)
		if (strncmp(p, word, n) == 0 && (p[n] == ' ' || p[n] == '\0'))
			return n > 0 && !strchr(word, ' ');
	return false;
}

static int check_audience(const xmlNode *restriction, const struct fmpi_saml_rules *r,
			  struct fmp_inspection *v)
{
	bool found = false;

	for (const xmlNode *n = fmpi_first(restriction); n; n = fmpi_next(n)) {
		const char *text = fmpi_is(n, NS_SAML2, "Audience") ? fmpi_text(n) : NULL;

		if (!text)
			return refuse(v, n, "%s in an AudienceRestriction", (const char *)n->name);
		found = found || is_in_list(r->audiences, text);
	}
	return found ? 0 : refuse(v, restriction, "the Assertion is for another audience");
}

static int check_conditions(struct fmpi_assertion *a, const struct fmpi_saml_rules *r,
			    struct clock *c, struct fmp_inspection *v)
{
	static const char *const known[] = { "NotBefore", "NotOnOrAfter", NULL };
	bool for_us = false;
	int ret = check_known_attributes(a->conditions, known, NULL, v);

	if (!ret)
		ret = check_times(a->conditions, "NotBefore", "NotOnOrAfter", c, v);
	for (const xmlNode *n = fmpi_first(a->conditions); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_SAML2, "AudienceRestriction")) {
			ret = check_audience(n, r, v);
			for_us = true;
		} else if (fmpi_is(n, NS_SAML2, "OneTimeUse")) {
			a->one_time = true;
		} else if (!fmpi_is(n, NS_SAML2, "ProxyRestriction")) {
			/* ProxyRestriction concerns only issuers of further assertions. */
			ret = refuse(v, n, "a condition that is not understood: %s",
				     (const char *)n->name);
		}
	}
	if (ret)
		return ret;
	return for_us ? 0 : refuse(v, a->conditions, "the Assertion does not say for whom it is");
}

static int check_confirmation(const struct fmpi_assertion *a, const struct fmpi_saml_rules *r,
			      struct clock *c, struct fmp_inspection *v)
{
	static const char *const known[] = { "NotBefore", "NotOnOrAfter", "Recipient", NULL };
	const xmlAttr *type;
	const char *recipient;
	int ret;

	if (a->confirmation == FMPI_BEARER && !r->bearer)
		return refuse(v, a->node, "an Assertion for whoever bears it is not taken here");
	if (a->confirmation == FMPI_VOUCHES && !r->vouched)
		return refuse(v, a->node,
			      "an Assertion that the sender vouches for is not taken here");
	if (!a->data)
		return 0;
	type = fmpi_attribute_node(a->data, NS_XSI, "type");
	ret = check_known_attributes(a->data, known, type, v);
	if (!ret)
		ret = check_times(a->data, "NotBefore", "NotOnOrAfter", c, v);
	if (ret || !fmpi_attribute_node(a->data, NULL, "Recipient"))
		return ret;
	recipient = fmpi_attribute(a->data, NULL, "Recipient");
	return recipient && is_in_list(r->recipients, recipient)
		       ? 0
		       : refuse(v, a->data, "the Assertion is for another recipient");
}

/* Statements on the subject are the service's to judge, except the end of a session. */
static int check_statements(const struct fmpi_assertion *a, struct clock *c,
			    struct fmp_inspection *v)
{
	int ret = 0;

	for (const xmlNode *n = fmpi_next(a->conditions); n && !ret; n = fmpi_next(n)) {
		if (fmpi_is(n, NS_SAML2, "AuthnStatement"))
			ret = check_times(n, "AuthnInstant", "SessionNotOnOrAfter", c, v);
		else if (!fmpi_is(n, NS_SAML2, "AttributeStatement"))
			ret = refuse(v, n, "%s in the Assertion is not supported",
				     (const char *)n->name);
	}
	return ret;
}

int fmpi_assertion_check(struct fmpi_assertion *a, const struct fmpi_saml_rules *rules,
			 int64_t now_s, struct fmp_inspection *v)
{
	struct clock c = { .until = INT64_MAX };
	int ret;

	if (now_s > MS_MAX / 1000 || now_s < 0)
		return fmpi_not_yet(v, refuse_time(v, a->node, "the clock is out of range"));
	c.now = now_s * 1000;
	c.skew = rules->skew_ms > (uint64_t)MS_MAX ? MS_MAX : (int64_t)rules->skew_ms;
	if (a->issued_ms > c.now + c.skew)
		return fmpi_not_yet(v, refuse_time(v, a->node, "the Assertion is from the future"));
	ret = check_conditions(a, rules, &c, v);
	if (!ret)
		ret = check_confirmation(a, rules, &c, v);
	if (!ret)
		ret = check_statements(a, &c, v);
	if (ret)
		return ret;
	if (c.until == INT64_MAX)
		return refuse_time(v, a->node, "the Assertion does not say until when it holds");
	a->until_ms = c.until;
	return 0;
}
