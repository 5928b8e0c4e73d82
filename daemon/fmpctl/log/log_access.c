// SPDX-License-Identifier: GPL-2.0
#include "log_access.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <fmp/internal/calendar_time.h>

void access_map_default(struct access_map *m)
{
	static const struct {
		short status, kind;
	} bad[] = {
		{ 400, FMP_EVENT_HTTP },       { 401, FMP_EVENT_LOGIN },
		{ 403, FMP_EVENT_LOGIN },      { 405, FMP_EVENT_HTTP },
		{ 408, FMP_EVENT_CONNECTION }, { 411, FMP_EVENT_HTTP },
		{ 413, FMP_EVENT_OVERSIZE },   { 414, FMP_EVENT_HTTP },
		{ 415, FMP_EVENT_HTTP },       { 417, FMP_EVENT_HTTP },
		{ 422, FMP_EVENT_SCHEMA },     { 429, FMP_EVENT_CONNECTION },
		{ 431, FMP_EVENT_HTTP },       { 501, FMP_EVENT_HTTP },
		{ 505, FMP_EVENT_HTTP },
	};

	for (short s = 0; s < ACCESS_STATUS_MAX; s++)
		m->kind[s] = s >= 200 && s < 400 ? FMP_EVENT_GOOD : -1;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		m->kind[bad[i].status] = bad[i].kind;
}

int access_map_add(struct access_map *m, const char *text)
{
	unsigned from = 0, n = 1;
	enum fmp_event_kind kind;
	short to = -1;

	if (*text < '1' || *text > '5')
		return FMP_ERR_SYNTAX;
	from = (unsigned)(*text - '0') * 100;
	if (!strncmp(text + 1, "xx", 2))
		n = 100;
	else if (text[1] >= '0' && text[1] <= '9' && text[2] >= '0' && text[2] <= '9')
		from += (unsigned)(text[1] - '0') * 10 + (unsigned)(text[2] - '0');
	else
		return FMP_ERR_SYNTAX;
	if (text[3] != '=')
		return FMP_ERR_SYNTAX;
	if (strcmp(text + 4, "none")) {
		if (fmp_event_kind_parse(text + 4, &kind))
			return FMP_ERR_SYNTAX;
		to = (short)kind;
	}
	while (n--)
		m->kind[from + n] = to;
	return 0;
}

/* Parse "[22/Nov/2026:02:30:00 +0000]" to ns since 1970. Return: the text after it, or NULL. */
static const char *read_time(const char *p, uint64_t *ns)
{
	struct tm tm = { 0 };
	int64_t zone = 0, t;
	char sign;
	int h, m, n = 0;

	p = strptime(p, "[%d/%b/%Y:%H:%M:%S", &tm);
	if (!p || sscanf(p, " %c%2d%2d]%n", &sign, &h, &m, &n) != 3 || !n)
		return NULL;
	if ((sign != '+' && sign != '-') || h < 0 || h > 14 || m < 0 || m > 59)
		return NULL;
	zone = (h * 60 + m) * 60 * (sign == '-' ? -1 : 1);
	t = fmp_calendar_seconds(&tm) - zone;
	/* Refuse times after 2400, so that sums of times cannot overflow. */
	if (t <= 0 || t > INT64_C(13569465600))
		return NULL;
	*ns = (uint64_t)t * 1000000000;
	return p + n;
}

/*
 * Read the fields that the gateway appends after the size; other servers put text of the client there.
 * Return: 1, 0: none; FMP_ERR_SYNTAX.
 */
static int read_gateway_fields(const char *p, struct fmp_event *ev)
{
	uint64_t cpu_us;
	char kind[24], step[16];
	unsigned port;

	if (sscanf(p, " port=%5u kind=%23[a-z] step=%15[a-z] cpu_us=%15" SCNu64, &port, kind, step,
		   &cpu_us) != 4)
		return 0;
	if (port > UINT16_MAX || fmp_event_kind_parse(kind, &ev->kind))
		return FMP_ERR_SYNTAX;
	ev->source_port = (uint16_t)port;
	ev->cpu_ns = cpu_us * 1000;
	snprintf(ev->step, sizeof(ev->step), "%s", step);
	return 1;
}

static int read_source(const char *line, struct fmp_addr *source)
{
	char host[FMP_ADDR_STRLEN + FMP_ADDR_ZONELEN];
	size_t n = strcspn(line, " ");

	if (!n || n >= sizeof(host))
		return FMP_ERR_SYNTAX;
	memcpy(host, line, n);
	host[n] = '\0';
	return fmp_addr_parse_source(host, source, NULL);
}

/* Find the closing quote of the request, in which servers write a quote as \" or \x22. Return: NULL: none. */
static const char *find_request_end(const char *p)
{
	for (; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p : NULL;
}

/*
 * What the gateway observed of a good message. Only it writes the text: quotes of a client are replaced. Return: is there any?
 */
static bool read_observation(const char *p, struct fmp_event *ev)
{
	static const char name[] = " reason=\"seen ";
	const char *at = strstr(p, name), *end;

	if (ev->kind != FMP_EVENT_GOOD || !at)
		return false;
	at = strchr(at, '"') + 1;
	end = strchr(at, '"');
	if (!end || (size_t)(end - at) >= sizeof(ev->detail))
		return false;
	memcpy(ev->detail, at, (size_t)(end - at));
	ev->detail[end - at] = '\0';
	return true;
}

int access_parse_line(const struct access_map *m, const char *line, struct log_entry *e)
{
	struct fmp_event *ev = &e->event;
	const char *p, *request, *end;
	unsigned status;
	int n = 0, rc;

	*e = (struct log_entry){ .event = { .proven = true } };
	p = strstr(line, " [");
	if (!p || read_source(line, &ev->source))
		return FMP_ERR_SYNTAX;
	p = read_time(p + 1, &ev->time_ns);
	if (!p || strncmp(p, " \"", 2))
		return FMP_ERR_SYNTAX;
	request = p + 2;
	end = find_request_end(request);
	if (!end || sscanf(end + 1, " %3u %*[0-9-]%n", &status, &n) != 1 || !n || status < 100 ||
	    status >= ACCESS_STATUS_MAX)
		return FMP_ERR_SYNTAX;
	rc = read_gateway_fields(end + 1 + n, ev);
	if (rc < 0)
		return rc;
	if (!rc) {
		if (m->kind[status] < 0)
			return 0;
		ev->kind = (enum fmp_event_kind)m->kind[status];
	} else if (ev->kind == FMP_EVENT_GOOD && strcmp(ev->step, "done")) {
		return 0; /* refused, but not charged */
	}
	if (rc && read_observation(end + 1 + n, ev))
		return 1;
	n = snprintf(ev->detail, sizeof(ev->detail), "answered %u to ", status);
	log_text_clean(ev->detail + n, 100, request, (size_t)(end - request));
	return 1;
}
