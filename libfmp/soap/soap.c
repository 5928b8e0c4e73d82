// SPDX-License-Identifier: GPL-2.0
#include "soap.h"

#include <string.h>

#include "xml/names.h"

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, fmpi_line(node), __VA_ARGS__)

/*
 * Accept exact booleans only: a value that one reader takes for true and another for false is
 * refused.
 */
static int check_blocks(const xmlNode *header, const char *ns, struct fmp_inspection *v)
{
	static const char *const booleans[] = { "0", "1", "false", "true" };

	for (const xmlNode *n = fmpi_first(header); n; n = fmpi_next(n)) {
		const char *value = fmpi_attribute(n, ns, "mustUnderstand");
		size_t i;

		for (i = 0; value && i < 4 && strcmp(value, booleans[i]) != 0; i++)
			;
		if (value && i == 4)
			return refuse(v, n, "mustUnderstand of %s is neither 0 nor 1",
				      (const char *)n->name);
	}
	return 0;
}

int fmpi_soap_read_envelope(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v)
{
	xmlNode *root = xmlDocGetRootElement(doc);
	xmlNode *n;

	*out = (struct fmpi_soap){ 0 };
	if (fmpi_is(root, NS_SOAP11, "Envelope")) {
		out->ns = NS_SOAP11;
		v->soap_version = 11;
	} else if (fmpi_is(root, NS_SOAP12, "Envelope")) {
		out->ns = NS_SOAP12;
		v->soap_version = 12;
	} else {
		return refuse(v, root, "the root element is not a SOAP Envelope");
	}
	if (!fmpi_has_only_elements(root))
		return refuse(v, root, "text inside the Envelope");

	n = fmpi_first(root);
	if (fmpi_is(n, out->ns, "Header")) {
		out->header = n;
		if (!fmpi_has_only_elements(n))
			return refuse(v, n, "text inside the Header");
		if (check_blocks(n, out->ns, v))
			return FMPI_REFUSED;
		n = fmpi_next(n);
	}
	if (!n)
		return refuse(v, root, "no Body");
	if (!fmpi_is(n, out->ns, "Body"))
		return refuse(v, n, "%s where the Body should be", (const char *)n->name);
	out->body = n;
	n = fmpi_next(n);
	if (n)
		return refuse(v, n, "%s behind the Body", (const char *)n->name);
	if (!fmpi_has_only_elements(out->body))
		return refuse(v, out->body, "text inside the Body");

	out->payload = fmpi_first(out->body);
	n = out->payload ? fmpi_next(out->payload) : NULL;
	if (n)
		return refuse(v, n, "more than one element inside the Body");
	return 0;
}

int fmpi_soap_refuse_empty(const struct fmpi_soap *soap, struct fmp_inspection *v)
{
	return refuse(v, soap->body,
		      "the Body is empty, and no WSDL of the policy has an operation like that");
}

int fmpi_soap_read(xmlDocPtr doc, struct fmpi_soap *out, struct fmp_inspection *v)
{
	int ret = fmpi_soap_read_envelope(doc, out, v);

	return ret || out->payload ? ret : fmpi_soap_refuse_empty(out, v);
}
