// SPDX-License-Identifier: GPL-2.0
/* Warnings on settings that are legal and used, but weaken the protection beside them. */
#include <fmp/internal/policy_xml.h>

static bool accepts_cbc(const struct fmp_policy_gateway *g)
{
	return (g->security == FMP_SECURITY_BCE || g->security == FMP_SECURITY_BCES) &&
	       g->algorithms.encryption & FMP_CIPHERS_CBC;
}

static int warn_cbc(struct fmp_policy *p, const struct fmp_policy_gateway *g, const char *service,
		    const struct fmp_position *at)
{
	if (!accepts_cbc(g))
		return 0;
	return fmp_policy_warn(
		p, at,
		"%s%s%sencryption takes CBC, which does not notice changed bytes: how changed copies "
		"of a captured message are refused can tell its text. %s: take GCM alone unless a "
		"peer has nothing else",
		*service ? "service \"" : "", service, *service ? "\": " : "",
		g->security == FMP_SECURITY_BCES
			? "So few are decrypted"
			: "So few are decrypted, and who uses them up stops all under CBC");
}

int fmpi_policy_warn_risks(struct fmpi_reader *r)
{
	const struct fmpi_setting *s =
		fmpi_setting_by_offset(offsetof(struct fmp_policy, gateway.algorithms.encryption));
	struct fmp_policy *p = r->policy;
	int rc = 0;

	if (!p->n_services)
		return warn_cbc(p, &p->gateway, "", &r->where.at[s - fmpi_settings]);
	for (size_t i = 0; i < p->n_services && !rc; i++) {
		const struct fmp_policy_service *svc = &p->services[i];
		const struct fmp_position at = { .line = svc->line, .column = svc->column };

		rc = warn_cbc(p, &svc->demands, svc->name, &at);
	}
	return rc;
}
