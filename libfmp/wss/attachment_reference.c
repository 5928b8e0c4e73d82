// SPDX-License-Identifier: GPL-2.0
#include "attachment_reference.h"

#include <string.h>
#include <strings.h>

#include "reference.h"
#include "xml/names.h"

#define CONTENT_TRANSFORM  NS_SWA "Attachment-Content-Signature-Transform"
#define COMPLETE_TRANSFORM NS_SWA "Attachment-Complete-Signature-Transform"

bool fmpi_signedinfo_is_attachment(const xmlNode *reference)
{
	const char *uri = fmpi_attribute(reference, NULL, "URI");

	return uri && strncasecmp(uri, "cid:", strlen("cid:")) == 0;
}

const xmlNode *fmpi_signedinfo_target_reference(const xmlNode *reference)
{
	while (reference && fmpi_signedinfo_is_attachment(reference))
		reference = fmpi_next(reference);
	return reference;
}

static const char *get_transform(const xmlNode *transforms)
{
	const xmlNode *t = transforms ? fmpi_first(transforms) : NULL;

	return t ? fmpi_reference_algorithm(t, "Transform") : NULL;
}

bool fmpi_attachment_reference_is(const xmlNode *reference)
{
	const char *alg = get_transform(fmpi_first(reference));

	/* With any other transform a cid: URL names nothing that can be canonicalized. */
	return fmpi_signedinfo_is_attachment(reference) && alg &&
	       strncmp(alg, NS_SWA, strlen(NS_SWA)) == 0;
}

static int check_transforms(const xmlNode *n, struct fmp_inspection *v)
{
	const xmlNode *t = fmpi_first(n);
	const char *alg = get_transform(n);

	if (!alg || fmpi_next(t) || fmpi_first(t))
		return fmpi_reference_refuse(n, v);
	if (strcmp(alg, CONTENT_TRANSFORM) != 0 && strcmp(alg, COMPLETE_TRANSFORM) != 0)
		return fmpi_reference_refuse_algorithm(t, "Transform", alg,
						       " for the signature of an attachment", v);
	return 0;
}

int fmpi_attachment_reference_read(const xmlNode *reference, struct fmpi_signedinfo *out,
				   struct fmp_inspection *v)
{
	struct fmpi_signed_attachment *a = &out->attachment[out->n_attachments];
	const xmlNode *transforms = fmpi_first(reference);
	int ret;

	/* They were counted (signedinfo.c). */
	if (out->n_attachments == FMPI_MAX_SIGNED_ATTACHMENTS)
		return fmpi_reference_refuse(reference, v);
	ret = fmpi_reference_read(reference, check_transforms, out, v);
	if (ret)
		return ret;
	a->reference = reference;
	a->complete = strcmp(get_transform(transforms), COMPLETE_TRANSFORM) == 0;
	a->digest = out->digest[out->n_references];
	a->method = fmpi_digest_method_find(
			    fmpi_reference_algorithm(fmpi_next(transforms), "DigestMethod"))
			    ->digest;
	out->n_attachments++;
	return 0;
}
