// SPDX-License-Identifier: GPL-2.0
/* Every layer's rules, read once: tens of thousands take seconds. */
#include <fmp/enforce.h>

#include <stdlib.h>

#include <enforce/enforcer.h>

int fmp_enforcer_survey(struct fmp_enforcer *e, struct fmp_survey **out, struct fmp_error *err)
{
	struct fmp_survey *s = calloc(1, sizeof(*s));

	if (!s)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		struct fmpi_surveyed *one = &s->layers[l];

		one->rc = FMP_ERR_UNSUPPORTED;
		if (!e->slots[l].up) {
			(void)fmp_error_set(&one->err, FMP_ERR_UNSUPPORTED, "%s",
					    fmp_enforcer_why(e, l));
			continue;
		}
		one->rc = e->slots[l].l->ops->dump(e->slots[l].l, &one->rules, &one->err);
		if (one->rc == FMP_ERR_NOMEM) {
			fmp_survey_free(s);
			return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
		}
	}
	*out = s;
	return 0;
}

int fmp_survey_each(const struct fmp_survey *s, unsigned layer,
		    int (*cb)(const struct fmp_rule *rule, void *ctx), void *ctx,
		    struct fmp_error *err)
{
	const struct fmpi_surveyed *one = &s->layers[layer];
	int rc = one->rc;

	if (rc && err)
		*err = one->err;
	for (size_t i = 0; !rc && i < one->rules.n; i++)
		rc = cb(&one->rules.v[i], ctx);
	return rc;
}

void fmp_survey_free(struct fmp_survey *s)
{
	for (unsigned l = 0; s && l < FMP_LAYERS; l++)
		fmpi_rules_free(&s->layers[l].rules);
	free(s);
}
