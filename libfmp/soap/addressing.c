// SPDX-License-Identifier: GPL-2.0
#include "addressing.h"

#include <stdio.h>
#include <string.h>

#include "xml/names.h"
#include "schema/wsdl.h"

/*
 * WS-MakeConnection 1.1, 3.1, and its draft: the sender fetches the answer on a connection of its
 * own.
 */
#define MAKE_CONNECTION	      "http://docs.oasis-open.org/ws-rx/wsmc/200702/anonymous?id="
#define MAKE_CONNECTION_DRAFT "http://docs.oasis-open.org/ws-rx/wsmc/200608/anonymous?id="
#define SUFFIX		      "Request"
/* Longer than any element name met in schemas. */
#define NAME_BYTES	      256
#define ACTION_BYTES	      1024

#define refuse(v, node, ...) \
	fmpi_refuse(v, FMP_STEP_SOAP, FMP_EVENT_SOAP, fmpi_line(node), __VA_ARGS__)

/*
 * Is it a namespace of any version of WS-Addressing? Submissions and drafts count too, because a
 * service that supports an old one obeys it. The namespaces are ".../ws/2003/03/addressing",
 * 2004/03 and 2004/08 of xmlsoap.org, and 2004/12 to 2006/02 of the W3C; any "YYYY/MM/addressing"
 * of these two hosts is accepted as one.
 */
static bool is_addressing_namespace(const char *uri)
{
	static const char *const hosts[] = { "http://schemas.xmlsoap.org/ws/",
					     "http://www.w3.org/" };
	static const char form[] = "0000/00/addressing";
	size_t i = 0, n = 0;

	for (i = 0; i < 2; i++) {
		n = strlen(hosts[i]);
		if (strncmp(uri, hosts[i], n) == 0)
			break;
	}
	if (i == 2 || strlen(uri + n) != sizeof(form) - 1)
		return false;
	for (i = 0; i < sizeof(form) - 1; i++) {
		char c = uri[n + i];

		if (form[i] == '0' ? c < '0' || c > '9' : c != form[i])
			return false;
	}
	return true;
}

static bool is_addressing(const xmlNode *n, const char *local)
{
	return n->ns && strcmp((const char *)n->name, local) == 0 &&
	       is_addressing_namespace((const char *)n->ns->href);
}

/* Trim white space around a URI. Return: its length. */
static size_t trim_uri(const char **uri)
{
	size_t n;

	*uri += strspn(*uri, " \t\r\n");
	n = strlen(*uri);
	while (n && strchr(" \t\r\n", (*uri)[n - 1]))
		n--;
	return n;
}

static bool equals_uri(const char *text, const char *uri)
{
	size_t n = trim_uri(&text);

	return n == strlen(uri) && memcmp(text, uri, n) == 0;
}

/* Does the answer go back on the connection of the request, or nowhere? */
static bool is_anonymous_or_none(const char *text)
{
	static const char *const names[] = { "/anonymous", "/role/anonymous", "/none" };
	size_t n = trim_uri(&text);
	char uri[ACTION_BYTES];

	if (n >= sizeof(uri))
		return false;
	memcpy(uri, text, n);
	uri[n] = '\0';
	if (strncmp(uri, MAKE_CONNECTION, strlen(MAKE_CONNECTION)) == 0 ||
	    strncmp(uri, MAKE_CONNECTION_DRAFT, strlen(MAKE_CONNECTION_DRAFT)) == 0)
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t len = strlen(names[i]);

		if (n > len && strcmp(uri + n - len, names[i]) == 0) {
			uri[n - len] = '\0';
			if (is_addressing_namespace(uri))
				return true;
			uri[n - len] = '/';
		}
	}
	return false;
}

static int check_endpoint(const xmlNode *endpoint, struct fmp_inspection *v)
{
	const char *text = NULL;

	for (const xmlNode *n = fmpi_first(endpoint); n; n = fmpi_next(n)) {
		if (!is_addressing(n, "Address"))
			continue;
		if (text)
			return refuse(v, n, "two Addresses in %s", (const char *)endpoint->name);
		text = fmpi_text(n);
		if (!text)
			return refuse(v, n, "the Address in %s is not plain text",
				      (const char *)endpoint->name);
	}
	if (!text)
		return refuse(v, endpoint, "%s without an Address", (const char *)endpoint->name);
	if (!is_anonymous_or_none(text))
		return refuse(
			v, endpoint,
			"%s names an address of its own: answers go back on the connection of "
			"the request alone (anonymous)",
			(const char *)endpoint->name);
	return 0;
}

static int find_action(const struct fmpi_soap *soap, const xmlNode **action,
		       struct fmp_inspection *v)
{
	*action = NULL;
	if (!soap->header)
		return 0;
	for (const xmlNode *n = fmpi_first(soap->header); n; n = fmpi_next(n)) {
		if (!is_addressing(n, "Action"))
			continue;
		if (*action)
			return refuse(v, n, "two wsa:Actions");
		if (!fmpi_text(n))
			return refuse(v, n, "the wsa:Action is not plain text");
		*action = n;
	}
	return 0;
}

const char *fmpi_addressing_action(const struct fmpi_soap *soap)
{
	struct fmp_inspection v = { 0 };
	const xmlNode *action;

	/* fmpi_addressing_check(), which follows, reports errors. */
	return find_action(soap, &action, &v) || !action ? "" : fmpi_text(action);
}

static int check_endpoints(const xmlNode *header, struct fmp_inspection *v)
{
	static const char *const names[] = { "ReplyTo", "FaultTo", "AcksTo" };
	bool seen[3] = { 0 };
	int ret = 0;

	for (const xmlNode *n = fmpi_first(header); n && !ret; n = fmpi_next(n)) {
		for (size_t i = 0; i < 3 && !ret; i++) {
			if (!is_addressing(n, names[i]))
				continue;
			if (seen[i])
				return refuse(v, n, "two of %s", names[i]);
			seen[i] = true;
			ret = check_endpoint(n, v);
		}
	}
	return ret;
}

int fmpi_addressing_check(const struct fmpi_soap *soap, const char *soap_action,
			  struct fmp_inspection *v)
{
	const xmlNode *action;
	int ret = find_action(soap, &action, v);

	if (!ret && soap->header)
		ret = check_endpoints(soap->header, v);
	if (!ret && action && soap_action && soap_action[0] &&
	    !equals_uri(fmpi_text(action), soap_action))
		ret = refuse(v, action, "SOAPAction and wsa:Action differ");
	return ret;
}

/* Does the last word of the action name another element of the schema? */
static bool names_other_element(const char *action, const xmlNode *payload,
				const struct fmpi_schema *s)
{
	size_t n = trim_uri(&action), from = n, suffix = strlen(SUFFIX);
	char word[NAME_BYTES], longer[NAME_BYTES + sizeof(SUFFIX)];

	while (from && !strchr("/#:?=", action[from - 1]))
		from--;
	n -= from;
	if (n == 0 || n >= sizeof(word))
		return false;
	memcpy(word, action + from, n);
	word[n] = '\0';
	snprintf(longer, sizeof(longer), "%s" SUFFIX, word);
	if (strcmp(word, (const char *)payload->name) == 0 ||
	    strcmp(longer, (const char *)payload->name) == 0)
		return false;
	if (fmpi_schema_declares(s, word) || fmpi_schema_declares(s, longer))
		return true;
	if (n <= suffix || strcmp(word + n - suffix, SUFFIX) != 0)
		return false;
	word[n - suffix] = '\0';
	return strcmp(word, (const char *)payload->name) != 0 && fmpi_schema_declares(s, word);
}

/* Check element and action against the WSDL. */
static int check_operation(const struct fmpi_wsdl *w, const struct fmpi_soap *soap,
			   const char *action, bool answer, struct fmp_inspection *v)
{
	const xmlNode *payload = soap->payload, *at = payload ? payload : soap->body;
	const char *ns = payload && payload->ns ? (const char *)payload->ns->href : "";
	const char *local = payload ? (const char *)payload->name : NULL;
	const char *what = local ? local : "an empty Body";
	char uri[ACTION_BYTES];
	size_t n;

	if (!fmpi_wsdl_has_element(w, ns, local, answer))
		return refuse(v, at, "the WSDL has no operation with %s", what);
	if (answer || !action)
		return 0;
	n = trim_uri(&action);
	if (n >= sizeof(uri))
		return refuse(v, at, "an action of %zu bytes", n);
	memcpy(uri, action, n);
	uri[n] = '\0';
	if (n && !fmpi_wsdl_action_matches(w, ns, local, uri))
		return refuse(v, at, "the action is for another element than %s", what);
	return 0;
}

static bool is_action_given(const char *action)
{
	return action && trim_uri(&action);
}

/* An empty Body does not tell its operation: the action must, if several operations have one. */
static int check_empty(const struct fmpi_wsdl *w, const struct fmpi_soap *soap,
		       const char *soap_action, const xmlNode *action, struct fmp_inspection *v)
{
	if (w->n_empty == 1 || is_action_given(soap_action) ||
	    (action && is_action_given(fmpi_text(action))))
		return 0;
	return refuse(v, soap->body,
		      "the Body is empty, and no action says for which operation of several");
}

int fmpi_action_check(const struct fmpi_soap *soap, const char *soap_action, bool answer,
		      const struct fmpi_schema *s, struct fmp_inspection *v)
{
	const struct fmpi_wsdl *w = fmpi_schema_wsdl(s);
	const xmlNode *action;
	int ret = find_action(soap, &action, v);

	if (!ret && w)
		ret = check_operation(w, soap, soap_action, answer, v);
	if (!ret && w && action)
		ret = check_operation(w, soap, fmpi_text(action), answer, v);
	if (!ret && w && !soap->payload && !answer)
		ret = check_empty(w, soap, soap_action, action, v);
	if (ret || w)
		return ret;
	if ((soap_action && names_other_element(soap_action, soap->payload, s)) ||
	    (action && names_other_element(fmpi_text(action), soap->payload, s)))
		return refuse(v, soap->payload, "the action is for another element than %s",
			      (const char *)soap->payload->name);
	return 0;
}
