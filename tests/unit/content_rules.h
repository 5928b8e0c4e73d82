/* SPDX-License-Identifier: GPL-2.0 */
/* Inspectors with content rules, and the result of such a rule for a text. */
#ifndef TESTS_CONTENT_RULES_H
#define TESTS_CONTENT_RULES_H

#include "policy_text.h"
#include "vectors.h"

#define POLICY(content) \
	ROOT "<gateway xmlns:o='urn:fmp:orders'><content>" content "</content></gateway></policy>"
#define ENV	"<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'>"
#define END	"</e:Envelope>"
#define SAYS(x) ENV "<e:Body><x xmlns='urn:x'>" x "</x></e:Body>" END

static struct fmp_inspector *with_rules(enum fmp_security security, const char *policy)
{
	struct fmp_inspect_config cfg = vector_config(security);
	struct fmp_policy *p = must_load_text(policy);
	struct fmp_inspector *i;

	cfg.content = p->gateway.content;
	i = make_inspector(&cfg);
	fmp_policy_free(p); /* nothing of it is kept */
	return i;
}

static void expect_refused_by(struct fmp_inspector *i, const char *text, const char *refused_by)
{
	struct fmp_inspection v = inspect_bytes(i, text, strlen(text));

	if (refused_by) {
		ck_assert_msg(!v.accepted && v.step == FMP_STEP_CONTENT &&
				      v.kind == FMP_EVENT_CONTENT,
			      "%.100s: %s: %s", text, fmp_step_name(v.step), v.detail);
		ck_assert_msg(strstr(v.detail, refused_by) != NULL, "%.100s: %s", text, v.detail);
	} else {
		ck_assert_msg(v.accepted, "%.100s: %s: %s", text, fmp_step_name(v.step), v.detail);
	}
	fmp_inspection_clear(&v);
}

#endif
