// SPDX-License-Identifier: GPL-2.0
#include "log_watch.h"

#include <json-c/json.h>
#include <stdio.h>
#include <string.h>

#include <fmp/net.h>

#define DEPTH_MAX 4

static const char *get_text(struct json_object *o, const char *name)
{
	struct json_object *v;

	if (!json_object_object_get_ex(o, name, &v) || !json_object_is_type(v, json_type_string))
		return NULL;
	return json_object_get_string(v);
}

/* Return: 1: a number up to max; 0: no such member; FMP_ERR_SYNTAX. */
static int get_number(struct json_object *o, const char *name, uint64_t max, uint64_t *out)
{
	struct json_object *v;

	*out = 0;
	if (!json_object_object_get_ex(o, name, &v))
		return 0;
	if (!json_object_is_type(v, json_type_int) || json_object_get_int64(v) < 0 ||
	    json_object_get_uint64(v) > max)
		return FMP_ERR_SYNTAX;
	*out = json_object_get_uint64(v);
	return 1;
}

static bool get_flag(struct json_object *o, const char *name)
{
	struct json_object *v;

	return json_object_object_get_ex(o, name, &v) && json_object_get_boolean(v);
}

static int read_event(struct json_object *o, struct log_entry *e)
{
	struct fmp_event *ev = &e->event;
	const char *addr = get_text(o, "addr"), *kind = get_text(o, "kind"),
		   *mac = get_text(o, "mac");
	const char *detail = get_text(o, "detail"), *service = get_text(o, "service");
	uint64_t port, bytes;

	if (!addr || !kind || fmp_addr_parse_source(addr, &ev->source, NULL) ||
	    fmp_event_kind_parse(kind, &ev->kind) ||
	    (mac && (fmp_addr_parse(mac, &e->mac, NULL) || e->mac.family != FMP_FAMILY_MAC)))
		return FMP_ERR_SYNTAX;
	if (get_number(o, "dest_port", UINT16_MAX, &port) < 0 ||
	    get_number(o, "bytes", UINT32_MAX, &bytes) < 0 ||
	    get_number(o, "cpu_ns", UINT32_MAX * UINT64_C(1000000), &ev->cpu_ns) < 0 ||
	    get_number(o, "time_ns", INT64_MAX, &ev->time_ns) != 1)
		return FMP_ERR_SYNTAX;
	ev->dest_port = (uint16_t)port;
	ev->bytes = (uint32_t)bytes;
	ev->proven = get_flag(o, "proven");
	snprintf(ev->service, sizeof(ev->service), "%s", service ? service : "");
	snprintf(ev->detail, sizeof(ev->detail), "%s", detail ? detail : "");
	return 1;
}

/* The engine repeats its own decisions in a replay: only manual ones become entries. */
static int read_decision(struct json_object *o, struct log_entry *e)
{
	const char *addr = get_text(o, "addr"), *action = get_text(o, "action");
	const char *layers = get_text(o, "layers"), *reason = get_text(o, "reason");

	if (!get_flag(o, "manual"))
		return 0;
	if (!addr || !action || fmp_addr_parse(addr, &e->addr, NULL) ||
	    (layers && fmp_layers_parse(layers, &e->layers)) ||
	    get_number(o, "duration_ms", UINT32_MAX * UINT64_C(1000), &e->duration_ms) < 0)
		return FMP_ERR_SYNTAX;
	e->what = strcmp(action, "block") ? LOG_UNBLOCK : LOG_BLOCK;
	/* The record of an unblock has the time of its block. */
	if (e->what == LOG_BLOCK && get_number(o, "time_ns", INT64_MAX, &e->event.time_ns) < 0)
		return FMP_ERR_SYNTAX;
	snprintf(e->text, sizeof(e->text), "%s", reason ? reason : "");
	return 1;
}

/* A protected address; those of the policy's list come from the policy of the replay. */
static int read_protected(struct json_object *o, struct log_entry *e)
{
	const char *addr = get_text(o, "addr"), *state = get_text(o, "state");
	const char *origin = get_text(o, "origin");
	static const struct {
		enum fmp_protect_origin origin;
		const char *verb;
	} verbs[] = {
		{ FMP_PROTECT_OWN, "own" },
		{ FMP_PROTECT_GATEWAY, "gateway" },
		{ FMP_PROTECT_ACCESS_POINT, "point" },
		{ FMP_PROTECT_RESOLVER, "protect" },
		{ FMP_PROTECT_MANUAL, "protect" },
		{ FMP_PROTECT_DHCP, "protect" },
		{ FMP_PROTECT_NTP, "protect" },
	};

	if (!addr || !origin || fmp_addr_parse(addr, &e->addr, NULL))
		return FMP_ERR_SYNTAX;
	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(origin, fmp_protect_origin_name(verbs[i].origin)))
			e->verb = state && !strcmp(state, "gone") ? "gone" : verbs[i].verb;
	e->what = LOG_LINK;
	return e->verb ? 1 : 0;
}

/* A NAT64 prefix of the network that appears or disappears. */
static int read_nat64(struct json_object *o, struct log_entry *e)
{
	const char *addr = get_text(o, "addr"), *state = get_text(o, "state");

	if (!addr || fmp_addr_parse(addr, &e->addr, NULL) || !fmp_translator_valid(&e->addr))
		return FMP_ERR_SYNTAX;
	e->what = LOG_LINK;
	e->verb = state && !strcmp(state, "gone") ? "no-nat64" : "nat64";
	return 1;
}

int watch_parse_line(const char *line, size_t len, struct log_entry *e)
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *o;
	const char *record;
	int rc = FMP_ERR_SYNTAX;

	if (!t)
		return FMP_ERR_NOMEM;
	*e = (struct log_entry){ 0 };
	o = json_tokener_parse_ex(t, line, (int)len);
	if (json_object_is_type(o, json_type_object)) {
		record = get_text(o, "record");
		if (record)
			rc = !strcmp(record, "event")	    ? read_event(o, e)
			     : !strcmp(record, "decision")  ? read_decision(o, e)
			     : !strcmp(record, "protected") ? read_protected(o, e)
			     : !strcmp(record, "nat64")	    ? read_nat64(o, e)
							    : 0;
	}
	json_object_put(o);
	json_tokener_free(t);
	return rc;
}
