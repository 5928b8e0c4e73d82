// SPDX-License-Identifier: GPL-2.0
#include "forwarding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <fmp/internal/forward_fields.h>
#include <fmp/internal/identity_fields.h>
#include <fmp/internal/routing.h>

/* The parts of the URL of a backend. The policy's reader checked its scheme. */
struct backend {
	char host[256];
	const char *path; /* "": it has none */
	unsigned port;
	bool tls;
};

static void read_backend(const char *url, struct backend *out)
{
	const char *host = strstr(url, "://"), *end;
	bool brackets;
	size_t n;

	*out = (struct backend){ .path = "", .tls = !strncasecmp(url, "https", 5) };
	if (!host)
		return;
	host += 3;
	brackets = *host == '[';
	n = strcspn(host += brackets, brackets ? "]" : ":/");
	end = host + n + (brackets && host[n]);
	snprintf(out->host, sizeof(out->host), "%.*s", (int)n, host);
	out->port = *end == ':' ? (unsigned)strtoul(end + 1, NULL, 10) : out->tls ? 443 : 80;
	out->path = strchrnul(end, '/');
}

/* ---- received and sent fields ---- */

static bool has_line(const struct fmp_field_list *l, const struct fmp_field *of)
{
	struct fmp_field f;
	size_t at = 0;

	while (fmp_field_list_next(l, &at, &f))
		if (f.line_len == of->line_len && !memcmp(f.line, of->line, f.line_len))
			return true;
	return false;
}

/* Made anew for each message, from what was read of it. */
static bool is_always_made(const struct fmp_field *f)
{
	static const char *const names[] = { "Host", "Content-Type", "Content-Length",
					     "Transfer-Encoding", "SOAPAction" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (f->name_len == strlen(names[i]) && !strncasecmp(f->name, names[i], f->name_len))
			return true;
	return false;
}

/* The names of the lines in @a that @b does not have. Return: NULL without memory. */
static char *list_difference(const struct fmp_field_list *a, const struct fmp_field_list *b)
{
	struct fmp_field_list names = { 0 };
	struct fmp_field f;
	size_t at = 0;
	bool ok = true;

	while (ok && fmp_field_list_next(a, &at, &f)) {
		if (is_always_made(&f) || has_line(b, &f))
			continue;
		ok = (!names.len || fmp_field_list_append(&names, ", ", 2)) &&
		     fmp_field_list_append(&names, f.name, f.name_len);
	}
	if (ok && fmp_field_list_append(&names, "", 1))
		return names.bytes;
	fmp_field_list_exit(&names);
	return NULL;
}

static bool compare_fields(const struct fmp_http *h, const struct fmp_field_list *sent,
			   struct forwarding *out)
{
	out->withheld = list_difference(&h->fields, sent);
	out->added = list_difference(sent, &h->fields);
	return out->withheld && out->added;
}

/* ---- requests ---- */

/* Values are not shown: any address stands for the client's, which is in no file. */
static bool add_client(const struct forwarding_source *from, const struct fmp_http *h,
		       struct fmp_field_list *out)
{
	const struct fmp_addr client = { .family = FMP_FAMILY_IPV4, .prefix_len = 32 };
	const struct fmp_forwarded_by by = { .peer = &client,
					     .tls = *from->policy->gateway.tls.certificate };

	return fmp_forward_client(out, h, &by);
}

static bool add_identity(const struct fmp_policy_identity *names, const struct fmp_identity *id,
			 struct fmp_field_list *out)
{
	struct fmp_identity_fields fields = { 0 };
	char lines[FMP_IDENTITY_FIELDS_MAX];
	size_t n;

	if (!names->forward)
		return true;
	if (id->methods)
		fmp_identity_fields_from(id, &fields);
	n = fmp_identity_fields_format(names, &fields, lines, sizeof(lines));
	return fmp_field_list_append(out, lines, n);
}

/* Does the path of the request belong to the service? Another one may have been asked for by name. */
static bool is_at_path(const struct forwarding_source *from, const struct fmp_http *h)
{
	bool open;

	return !from->service || fmp_route(from->service, 1, fmp_http_path(h),
					   fmp_http_target_is_whole(h), NULL, true, &open) >= 0;
}

static bool map_target(const struct forwarding_source *from, const struct fmp_http *h, char **out)
{
	struct fmp_field_list target = { 0 };
	struct backend to;

	if (!is_at_path(from, h))
		return true;
	read_backend(from->service ? from->service->backend : "", &to);
	if (fmp_target_map(&target, to.path, from->service ? from->service->path : NULL,
			   fmp_http_path(h)) &&
	    fmp_field_list_append(&target, "", 1)) {
		*out = target.bytes;
		return true;
	}
	fmp_field_list_exit(&target);
	return false;
}

bool forwarding_of_request(const struct forwarding_source *from, const struct fmp_http *h,
			   bool changed, const struct fmp_identity *identity,
			   struct forwarding *out)
{
	const struct fmp_policy_answers *answers = &from->demands->answers;
	const struct fmp_forward_fields how = { .policy = &from->demands->fields,
						.identity = &from->demands->identity,
						.changed = changed,
						.reads_answer = answers->sign || answers->encrypt ||
								fmp_http_is_read(h) };
	struct fmp_field_list sent = { 0 };
	bool ok;

	*out = (struct forwarding){ 0 };
	ok = map_target(from, h, &out->target) && fmp_forward_fields(&sent, h, &how) &&
	     add_client(from, h, &sent) &&
	     add_identity(&from->demands->identity, identity, &sent) &&
	     compare_fields(h, &sent, out);
	fmp_field_list_exit(&sent);
	return ok;
}

/* ---- answers ---- */

bool forwarding_of_answer(const struct forwarding_source *from, const struct fmp_http *h,
			  bool changed, struct forwarding *out)
{
	struct backend at;
	struct fmp_target_service service = { .host = at.host };
	const struct fmp_forward_fields how = { .policy = &from->demands->fields,
						.answer = true,
						.changed = changed,
						.service = &service };
	struct fmp_field_list sent = { 0 };
	bool ok;

	*out = (struct forwarding){ 0 };
	read_backend(from->service ? from->service->backend : "", &at);
	service.port = at.port;
	service.tls = at.tls;
	service.to = at.path;
	service.prefix = from->service ? from->service->path : NULL;
	ok = fmp_forward_fields(&sent, h, &how) && compare_fields(h, &sent, out);
	fmp_field_list_exit(&sent);
	return ok;
}

void forwarding_exit(struct forwarding *f)
{
	free(f->target);
	free(f->withheld);
	free(f->added);
	*f = (struct forwarding){ 0 };
}
