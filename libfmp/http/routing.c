// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/routing.h>

#include <string.h>

#include <fmp/internal/mime.h>

/* How well the path matches: 0 not at all; longer is better, an exact match is best. */
static size_t match_path(const char *path, const char *target, size_t len, bool whole)
{
	size_t n = strlen(path);

	if (path[n - 1] == '*')
		return len >= n - 1 && !memcmp(path, target, n - 1) ? n : 0;
	return whole && n == len && !memcmp(path, target, n)
		       ? 2 * sizeof(((struct fmp_policy_service *)0)->path)
		       : 0;
}

static bool is_same_action(const char *one, const char *text, size_t len)
{
	return strlen(one) == len && !memcmp(one, text, len);
}

/* Find the service with this action among those with exactly this path. */
static int find_by_action(const struct fmp_policy_service *services, size_t n, const char *path,
			  const char *action, size_t len)
{
	int any = FMP_ROUTE_ACTION;

	for (size_t i = 0; i < n; i++) {
		if (strcmp(services[i].path, path) != 0)
			continue;
		if (!*services[i].action)
			any = (int)i;
		else if (len && is_same_action(services[i].action, action, len))
			return (int)i;
	}
	return any;
}

int fmp_route(const struct fmp_policy_service *services, size_t n, const char *target, bool whole,
	      const char *action, bool local, bool *open)
{
	size_t len = strcspn(target, "?"), best = 0;
	int at = FMP_ROUTE_PATH;
	bool several = false;

	*open = false;
	whole = whole || target[len] == '?';
	for (size_t i = 0; i < n; i++) {
		size_t fit = services[i].client && !local
				     ? 0
				     : match_path(services[i].path, target, len, whole);

		if (fit > best) {
			best = fit;
			at = (int)i;
			several = *services[i].action;
		} else if (fit && fit == best) {
			several = true;
		}
	}
	if (at < 0 || !several)
		return at;
	if (action && *action)
		return find_by_action(services, n, services[at].path, action, strlen(action));
	*open = true;
	return at;
}

int fmp_route_action(const struct fmp_policy_service *services, size_t n, int at,
		     const char *action)
{
	size_t len;

	action += strspn(action, " \t\r\n");
	len = strlen(action);
	while (len && strchr(" \t\r\n", action[len - 1]))
		len--;
	return find_by_action(services, n, services[at].path, action, len);
}

bool fmp_route_may_lead(const struct fmp_policy_service *services, size_t n, unsigned at,
			unsigned to)
{
	return at < n && to < n && strcmp(services[at].path, services[to].path) == 0;
}

void fmp_soap_action_parameter(const char *content_type, char *out, size_t size)
{
	const char *p = strcasestr(content_type, "action=");
	size_t n;

	*out = 0;
	if (fmp_mime_is_related(content_type)) {
		struct fmp_mime_type type, inner;

		if (fmp_mime_type_read(content_type, &type))
			return;
		if (!type.action[0] && !fmp_mime_type_read(type.start_info, &inner))
			type = inner;
		if (strlen(type.action) < size)
			strcpy(out, type.action);
		return;
	}
	if (!p || p == content_type || !strchr("; \t", p[-1]))
		return;
	p += strlen("action=");
	if (*p == '"')
		n = strcspn(++p, "\"");
	else
		n = strcspn(p, "; \t");
	if (n < size) {
		memcpy(out, p, n);
		out[n] = 0;
	}
}

const char *fmp_soap_action(const char *content_type, const char *soap_action, char *buf,
			    size_t size)
{
	*buf = 0;
	if (!*soap_action)
		fmp_soap_action_parameter(content_type, buf, size);
	else if (strlen(soap_action) < size)
		strcpy(buf, soap_action);
	return buf;
}
