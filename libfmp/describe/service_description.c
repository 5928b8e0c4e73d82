// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/service_description.h>

int fmp_service_description_load(const struct fmp_policy_gateway *demands, const char *folder,
				 struct fmp_service_description *out, struct fmp_error *err)
{
	const struct fmp_description_source source = {
		.path = demands->schema,
		.port = demands->port,
		.literal = demands->security >= FMP_SECURITY_BCV,
		.catalog = *demands->catalog ? demands->catalog : NULL,
		.folder = *folder ? folder : NULL,
	};
	bool wanted = demands->describe == FMP_DESCRIBE_ANSWER;
	int rc;

	*out = (struct fmp_service_description){ .describe = demands->describe };
	if (out->describe == FMP_DESCRIBE_PASS || out->describe == FMP_DESCRIBE_REFUSE)
		return 0;
	out->describe = FMP_DESCRIBE_REFUSE;
	if (!*demands->schema)
		return 0;
	rc = fmp_description_load(&source, &out->text, &out->why);
	if (out->text)
		out->describe = FMP_DESCRIBE_ANSWER;
	else if (!rc && wanted)
		return fmp_error_at(err, FMP_ERR_SCHEMA, demands->schema, 0, 0,
				    "is an XML Schema: describe=\"answer\" needs a WSDL in schema");
	else if (rc && wanted)
		*err = out->why;
	else if (rc)
		out->left_out = true;
	return wanted ? rc : 0;
}
