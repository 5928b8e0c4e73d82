// SPDX-License-Identifier: GPL-2.0
/* libfmp/policy: what is shipped, defaults, that each setting lands where it should. */
#include <check.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/policy.h>

#include <fmp/internal/policy_local.h>
#include <fmp/internal/policy_settings.h>

#include "policy_text.h"
#include "run.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

static struct fmp_policy *must_load(const char *body)
{
	char text[4096];

	snprintf(text, sizeof(text), ROOT "%s</policy>", body);
	return must_load_text(text);
}

/* ---- what is shipped ---- */

static const char *const shipped[] = { "balanced", "cautious", "permissive", "observe" };

START_TEST(shipped_policies_load)
{
	struct fmp_policy *p = NULL;
	struct fmp_error err;
	char path[512], why[1024];

	snprintf(path, sizeof(path), "%s/policies/%s.xml", top_path(), shipped[_i]);
	ck_assert_msg(!fmp_policy_load(path, xsd_path(), &p, &err), "%s",
		      fmp_error_format(&err, why, sizeof(why)));
	ck_assert_str_eq(p->name, shipped[_i]);
	ck_assert_str_eq(p->file, path);
	ck_assert_int_eq(p->block.observe, !strcmp(p->name, "observe"));
	fmp_policy_free(p);
}
END_TEST

/* A user who leaves a setting out gets what balanced.xml says of it: all but name and file. */
START_TEST(balanced_is_the_default)
{
	struct fmp_policy *p = NULL, *d = fmp_policy_default();
	char path[512];

	snprintf(path, sizeof(path), "%s/policies/balanced.xml", top_path());
	ck_assert_int_eq(fmp_policy_load(path, xsd_path(), &p, NULL), 0);
	ck_assert_mem_eq(&p->suspicion, &d->suspicion, sizeof(p->suspicion));
	ck_assert_mem_eq(&p->block, &d->block, sizeof(p->block));
	ck_assert_mem_eq(&p->gateway, &d->gateway, sizeof(p->gateway));
	ck_assert_mem_eq(&p->enforce, &d->enforce, sizeof(p->enforce));
	ck_assert_mem_eq(&p->state, &d->state, sizeof(p->state));
	ck_assert_mem_eq(&p->report, &d->report, sizeof(p->report));
	ck_assert_mem_eq(&p->metrics, &d->metrics, sizeof(p->metrics));
	ck_assert_uint_eq(p->n_protect, 0);
	fmp_policy_free(p);
	fmp_policy_free(d);
}
END_TEST

/* Kinds that are no offence, or hardly one. Any other has points: a new kind without a row in model.c has none. */
static bool is_harmless(unsigned kind)
{
	return kind == FMP_EVENT_BROWSER || kind == FMP_EVENT_UNSUPPORTED ||
	       kind == FMP_EVENT_OUTAGE;
}

/* No single message of any kind blocks; a forgery weighs more than a slip, an accident nothing. */
START_TEST(balanced_makes_sense)
{
	struct fmp_policy *d = fmp_policy_default();
	const struct fmp_policy_suspicion *s = &d->suspicion;

	for (unsigned k = 1; k < FMP_EVENT_KINDS; k++) {
		ck_assert_msg(is_harmless(k) || s->rank[k] > s->rank[FMP_EVENT_UNSUPPORTED],
			      "%s has %u points", fmp_event_kind_name(k), s->rank[k]);
		ck_assert_uint_lt(s->rank[k], s->malicious);
	}
	ck_assert_uint_eq(s->rank[FMP_EVENT_BROWSER], 0);
	ck_assert_uint_eq(s->rank[FMP_EVENT_UNSUPPORTED], 1);
	ck_assert_uint_eq(s->rank[FMP_EVENT_OUTAGE], 0);
	ck_assert_uint_eq(s->rank[FMP_EVENT_GOOD], 0);
	ck_assert_uint_gt(s->rank[FMP_EVENT_SIGNATURE], s->rank[FMP_EVENT_SCHEMA]);
	ck_assert_uint_eq(s->max_sources, 16384);
	fmp_policy_free(d);
}
END_TEST

/* ---- reading ---- */

static void check_field_rule(const struct fmp_policy_field_rule *r, const char *name,
			     const char *value, bool requests, bool answers)
{
	ck_assert_str_eq(r->name, name);
	ck_assert_str_eq(r->value, value);
	ck_assert(r->requests == requests && r->answers == answers);
}

START_TEST(every_setting_lands_in_its_field)
{
	struct fmp_policy *p = must_load(
		"<enforce reconcile='45s' max-blocks='17'><device>bb0</device>"
		"<device layers=' ip, premac '> wlan0 </device></enforce>"
		"<gateway security='BcES' schema='s/o.xsd' port='OrdersPort' trust='/abs/ca.crt' key='k.pem'"
		" crl='crl.pem' certificates='/abs/known' purpose=' email  1.2.3 '"
		" access-log='log/access' clock-skew='7s' max-age='8s' fast-signatures='no' workers='9' worker-memory='96MiB' user='gw'>"
		"<connections max='100' per-source='11' memory='3MiB'/>"
		"<http compressed='yes' ratio='31' requests='32' header='33KiB' fields='34' target='4KiB' answer-header='35KiB' answer-fields='36'/>"
		"<fields><remove name='X-Debug*'/><set value='a  b' name='X-Site' in='both'/><remove name='server' in='answers'/><keep name='X-Real-*'/></fields>"
		"<proxies><proxy address='192.0.2.9'/>"
		"<proxy tells='x-forwarded-for' address='2001:db8:5::/64'/></proxies>"
		"<tls certificate='gw.crt' key='/abs/gw.key' client-ca='cl.crt' client-crl='cl.crl'/>"
		"<timeouts header='1s' body='2s' idle='3s' worker='4s'/>"
		"<limits body='2MiB' depth='12' attributes='13' elements='14' name='15KiB' text='16KiB'"
		" references='17'/><require signed=' To\tMessageID' order='encrypt-then-sign' headers='only-signed'/><username passwords='users' text='yes'/>"
		"<saml required='yes' bearer='yes' one-time='yes' audiences=' urn:a\t\nurn:b ' recipients='http://c/'>"
		"<issuer name='urn:i' trust='i.crt'/><issuer trust='/abs/j.crt' name='urn:j'/></saml>"
		"<replay entries='99' per-signer='98'/></gateway>"
		"<protect><address>192.0.2.0/24</address><mac>02:00:5e:00:53:01</mac>"
		"<address>2001:db8::1</address></protect>"
		"<block layers='ip, premac' local-mac='8min' local-mac-pair='yes' duration='1min' factor='1.5' max='3min' forget='4min'"
		" observe='yes' jitter='6%'><shared narrow='limit' credit='2' up-to='20' rate='7/s'/>"
		"<rollup sources='8' ipv4-prefix='16' ipv6-prefix='40' veto='9s'/></block>"
		"<suspicion suspicious='18' malicious='19' half-life='20s' ipv6-prefix='56'"
		" rank-per-cpu-ms='21' max-sources='22'><event kind='schema' rank='23'/>"
		"<credit points='1' max='2' half-life='3s'/></suspicion>"
		"<suspicious action='limit' rate='4/s' duration='5s'/>");
	char buf[FMP_ADDR_STRLEN];

	ck_assert_str_eq(p->name, "p");
	ck_assert_str_eq(p->file, "/etc/fmp/p.xml");
	ck_assert_uint_eq(p->suspicion.suspicious, 18);
	ck_assert_uint_eq(p->suspicion.malicious, 19);
	ck_assert_uint_eq(p->suspicion.half_life_ms, 20000);
	ck_assert_uint_eq(p->suspicion.ipv6_prefix, 56);
	ck_assert_uint_eq(p->suspicion.rank_per_cpu_ms, 21);
	ck_assert_uint_eq(p->suspicion.max_sources, 22);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_SCHEMA], 23);
	ck_assert_uint_eq(p->suspicion.rank[FMP_EVENT_SOAP], 15);
	ck_assert_uint_eq(p->block.layers,
			  FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_PREMAC));
	ck_assert(p->block.mac && p->block.observe && p->block.local_mac_pair);
	ck_assert_uint_eq(p->block.local_mac_ms, 480000);
	ck_assert_uint_eq(p->block.duration_ms, 60000);
	ck_assert_uint_eq(p->block.factor_pct, 150);
	ck_assert_uint_eq(p->block.max_ms, 180000);
	ck_assert_uint_eq(p->block.forget_ms, 240000);
	ck_assert_uint_eq(p->block.jitter_pct, 6);
	ck_assert_int_eq(p->block.shared.narrow, FMP_NARROW_LIMIT);
	ck_assert_uint_eq(p->block.shared.credit, 2);
	ck_assert_uint_eq(p->block.shared.up_to, 20);
	ck_assert_uint_eq(p->block.shared.rate, 7);
	ck_assert_uint_eq(p->block.rollup.sources, 8);
	ck_assert_uint_eq(p->block.rollup.ipv4_prefix, 16);
	ck_assert_uint_eq(p->block.rollup.ipv6_prefix, 40);
	ck_assert_uint_eq(p->block.rollup.veto_ms, 9000);
	ck_assert_uint_eq(p->suspicion.credit.points, 1);
	ck_assert_uint_eq(p->suspicion.credit.max, 2);
	ck_assert_uint_eq(p->suspicion.credit.half_life_ms, 3000);
	ck_assert(p->suspicious.limit);
	ck_assert_uint_eq(p->suspicious.rate, 4);
	ck_assert_uint_eq(p->suspicious.duration_ms, 5000);
	ck_assert_int_eq(p->gateway.security, FMP_SECURITY_BCES);
	ck_assert_str_eq(p->gateway.schema, "/etc/fmp/s/o.xsd");
	ck_assert_str_eq(p->gateway.port, "OrdersPort");
	ck_assert_str_eq(p->gateway.trust, "/abs/ca.crt");
	ck_assert_uint_eq(p->gateway.require_signed,
			  FMP_PART_BIT(FMP_PART_BODY) | FMP_PART_BIT(FMP_PART_TIMESTAMP) |
				  FMP_PART_BIT(FMP_PART_TO) | FMP_PART_BIT(FMP_PART_MESSAGE_ID));
	ck_assert_uint_eq(p->gateway.require_encrypted, FMP_ENCRYPTED_BIT(FMP_ENCRYPTED_BODY));
	ck_assert_int_eq(p->gateway.order, FMP_ORDER_ENCRYPT_SIGN);
	ck_assert_int_eq(p->gateway.headers, FMP_HEADERS_ONLY_SIGNED);
	ck_assert_str_eq(p->gateway.passwords, "/etc/fmp/users");
	ck_assert(p->gateway.password_text);
	ck_assert(p->gateway.saml.required && p->gateway.saml.bearer && p->gateway.saml.one_time);
	ck_assert_str_eq(p->gateway.saml.audiences, "urn:a urn:b");
	ck_assert_str_eq(p->gateway.saml.recipients, "http://c/");
	ck_assert_uint_eq(p->gateway.saml.n_issuers, 2);
	ck_assert_str_eq(p->gateway.saml.issuers[0].name, "urn:i");
	ck_assert_str_eq(p->gateway.saml.issuers[0].trust, "/etc/fmp/i.crt");
	ck_assert_str_eq(p->gateway.saml.issuers[1].name, "urn:j");
	ck_assert_str_eq(p->gateway.saml.issuers[1].trust, "/abs/j.crt");
	ck_assert_uint_eq(p->gateway.replay_entries, 99);
	ck_assert_uint_eq(p->gateway.replay_per_signer, 98);
	ck_assert_str_eq(p->gateway.crl, "/etc/fmp/crl.pem");
	ck_assert_str_eq(p->gateway.certificates, "/abs/known");
	ck_assert_str_eq(p->gateway.purpose, "email 1.2.3");
	ck_assert_str_eq(p->gateway.key, "/etc/fmp/k.pem");
	ck_assert_uint_eq(p->gateway.clock_skew_ms, 7000);
	ck_assert_uint_eq(p->gateway.max_age_ms, 8000);
	ck_assert(!p->gateway.fast_signatures);
	ck_assert_uint_eq(p->gateway.workers, 9);
	ck_assert_uint_eq(p->gateway.worker_memory_bytes, 96 << 20);
	ck_assert_str_eq(p->gateway.user, "gw");
	ck_assert_str_eq(p->gateway.access_log, "/etc/fmp/log/access");
	ck_assert_str_eq(p->gateway.tls.certificate, "/etc/fmp/gw.crt");
	ck_assert_str_eq(p->gateway.tls.key, "/abs/gw.key");
	ck_assert_str_eq(p->gateway.tls.client_ca, "/etc/fmp/cl.crt");
	ck_assert_str_eq(p->gateway.tls.client_crl, "/etc/fmp/cl.crl");
	ck_assert_uint_eq(p->gateway.connections, 100);
	ck_assert_uint_eq(p->gateway.connections_per_source, 11);
	ck_assert_uint_eq(p->gateway.memory_bytes, 3 << 20);
	ck_assert_uint_eq(p->gateway.header_timeout_ms, 1000);
	ck_assert_uint_eq(p->gateway.body_timeout_ms, 2000);
	ck_assert_uint_eq(p->gateway.idle_timeout_ms, 3000);
	ck_assert_uint_eq(p->gateway.worker_timeout_ms, 4000);
	ck_assert_uint_eq(p->gateway.limits.body_bytes, 2 << 20);
	ck_assert_uint_eq(p->gateway.limits.depth, 12);
	ck_assert_uint_eq(p->gateway.limits.attributes, 13);
	ck_assert_uint_eq(p->gateway.limits.elements, 14);
	ck_assert_uint_eq(p->gateway.limits.name_bytes, 15 << 10);
	ck_assert_uint_eq(p->gateway.limits.text_bytes, 16 << 10);
	ck_assert_uint_eq(p->gateway.limits.references, 17);
	ck_assert_uint_eq(p->enforce.reconcile_ms, 45000);
	ck_assert_uint_eq(p->enforce.max_blocks, 17);
	ck_assert_uint_eq(p->enforce.n_devices, 2);
	ck_assert_str_eq(p->enforce.devices[0], "bb0");
	ck_assert_str_eq(p->enforce.devices[1], "wlan0");
	ck_assert_uint_eq(p->enforce.device_layers[0], FMP_LAYERS_ALL);
	ck_assert_uint_eq(p->enforce.device_layers[1],
			  FMP_LAYER_BIT(FMP_LAYER_IP) | FMP_LAYER_BIT(FMP_LAYER_PREMAC));
	/* A proxy is protected, too. */
	ck_assert_uint_eq(p->n_protect, 5);
	ck_assert_str_eq(fmp_addr_format(&p->protect[0], buf, sizeof(buf)), "192.0.2.9");
	ck_assert_str_eq(fmp_addr_format(&p->protect[1], buf, sizeof(buf)), "2001:db8:5::/64");
	ck_assert_str_eq(fmp_addr_format(&p->protect[2], buf, sizeof(buf)), "192.0.2.0/24");
	ck_assert_str_eq(fmp_addr_format(&p->protect[3], buf, sizeof(buf)), "02:00:5e:00:53:01");
	ck_assert_str_eq(fmp_addr_format(&p->protect[4], buf, sizeof(buf)), "2001:db8::1");
	ck_assert(p->gateway.http.compressed);
	ck_assert_uint_eq(p->gateway.http.ratio, 31);
	ck_assert_uint_eq(p->gateway.http.requests, 32);
	ck_assert_uint_eq(p->gateway.http.header_bytes, 33 << 10);
	ck_assert_uint_eq(p->gateway.http.fields, 34);
	ck_assert_uint_eq(p->gateway.http.target_bytes, 4 << 10);
	ck_assert_uint_eq(p->gateway.http.answer_header_bytes, 35 << 10);
	ck_assert_uint_eq(p->gateway.http.answer_fields, 36);
	ck_assert_uint_eq(p->gateway.fields.n, 4);
	check_field_rule(&p->gateway.fields.rule[0], "X-Debug*", "", true, false);
	check_field_rule(&p->gateway.fields.rule[1], "X-Site", "a  b", true, true);
	check_field_rule(&p->gateway.fields.rule[2], "server", "", false, true);
	check_field_rule(&p->gateway.fields.rule[3], "X-Real-*", "", true, false);
	ck_assert(p->gateway.fields.rule[3].keep && !p->gateway.fields.rule[0].keep);
	ck_assert_uint_eq(p->gateway.n_proxies, 2);
	ck_assert(fmp_addr_equal(&p->gateway.proxies[0].address, &p->protect[0]));
	ck_assert_int_eq(p->gateway.proxies[0].tells, FMP_PROXY_PROTOCOL);
	ck_assert_int_eq(p->gateway.proxies[1].tells, FMP_PROXY_FORWARDED_FOR);
	fmp_policy_free(p);
}
END_TEST

START_TEST(settings_of_the_daemon_land)
{
	struct fmp_policy *p =
		must_load("<metrics listen='[::1]:9333' interval='2s' file='m.prom'/>"
			  "<state interval='1min' file='/var/lib/fmp/state'/>"
			  "<report rate='7/s' group='www-data'/>");

	ck_assert_str_eq(p->state.file, "/var/lib/fmp/state");
	ck_assert_uint_eq(p->state.interval_ms, 60000);
	ck_assert_str_eq(p->report.group, "www-data");
	ck_assert_uint_eq(p->report.rate, 7);
	ck_assert_str_eq(p->metrics.file, "/etc/fmp/m.prom");
	ck_assert_uint_eq(p->metrics.interval_ms, 2000);
	ck_assert_str_eq(p->metrics.listen, "[::1]:9333");
	fmp_policy_free(p);
}
END_TEST

START_TEST(local_endpoints)
{
	static const char *const good[] = { "unix:/run/fmp/metrics", "127.0.0.1:9333",
					    "127.9.0.1:0", "[::1]:65535" };
	static const char *const open[] = { "192.0.2.1:9333", "0.0.0.0:9333", "[::]:9333",
					    "[::ffff:127.0.0.1]:9333" };
	static const char *const wrong[] = {
		"",
		"unix:",
		"unix:run/x",
		"127.0.0.1",
		"127.0.0.1:",
		"127.0.0.1:65536",
		"127.0.0.1:+1",
		"127.0.0.1:1 ",
		"localhost:9333",
		"::1:9333",
		"[127.0.0.1:1",
		"[::1:9333",
		":9333",
		"[]:9333",
		"[::1]9333",
	};
	struct sockaddr_storage ss;
	socklen_t len;

	for (int i = 0; i < COUNT(good); i++)
		ck_assert_msg(!fmp_local_parse(good[i], &ss, &len), "%s", good[i]);
	for (int i = 0; i < COUNT(open); i++)
		ck_assert_msg(fmp_local_parse(open[i], &ss, &len) == FMP_ERR_DENIED, "%s", open[i]);
	for (int i = 0; i < COUNT(wrong); i++)
		ck_assert_msg(fmp_local_parse(wrong[i], &ss, &len) == FMP_ERR_SYNTAX, "%s",
			      wrong[i]);
}
END_TEST

START_TEST(nothing_but_the_root_is_balanced)
{
	struct fmp_policy *p = must_load(""), *d = fmp_policy_default();

	ck_assert_mem_eq(&p->suspicion, &d->suspicion, sizeof(p->suspicion));
	ck_assert_mem_eq(&p->gateway, &d->gateway, sizeof(p->gateway));
	fmp_policy_free(p);
	fmp_policy_free(d);
}
END_TEST

START_TEST(relative_to_the_file_in_the_working_directory)
{
	const char *text = ROOT "<gateway security='BcV' schema='o.xsd'/></policy>";
	struct fmp_policy *p = NULL;
	char cwd[256], want[300];

	ck_assert_ptr_nonnull(getcwd(cwd, sizeof(cwd)));
	ck_assert_int_eq(fmp_policy_load_memory(text, strlen(text), "p.xml", xsd_path(), &p, NULL),
			 0);
	snprintf(want, sizeof(want), "%s/o.xsd", cwd);
	ck_assert_str_eq(p->gateway.schema, want);
	fmp_policy_free(p);
	ck_assert_int_eq(
		fmp_policy_load_memory(text, strlen(text), "a/p.xml", xsd_path(), &p, NULL), 0);
	snprintf(want, sizeof(want), "%s/a/o.xsd", cwd);
	ck_assert_str_eq(p->gateway.schema, want);
	fmp_policy_free(p);
	ck_assert_int_eq(fmp_policy_load_memory(text, strlen(text), "/p.xml", xsd_path(), &p, NULL),
			 0);
	ck_assert_str_eq(p->gateway.schema, "/o.xsd");
	fmp_policy_free(p);
}
END_TEST

/* ---- the schema and the table say the same ---- */

static xmlNode *find_by_name(xmlNode *node, const char *tag, const char *name)
{
	for (; node; node = node->next) {
		xmlChar *v = node->type == XML_ELEMENT_NODE ? xmlGetProp(node, BAD_CAST "name")
							    : NULL;
		bool hit = v && xmlStrEqual(node->name, BAD_CAST tag) &&
			   xmlStrEqual(v, BAD_CAST name);
		xmlNode *below;

		xmlFree(v);
		if (hit)
			return node;
		below = find_by_name(node->children, tag, name);
		if (below)
			return below;
	}
	return NULL;
}

static unsigned count_tags(xmlNode *node, const char *tag)
{
	unsigned n = 0;

	for (; node; node = node->next)
		n += (node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, BAD_CAST tag)) +
		     count_tags(node->children, tag);
	return n;
}

/* What <gateway> and <service> share is a group. */
static bool has_attribute(xmlNode *root, xmlNode *at, const char *name)
{
	xmlNode *group = find_by_name(root, "attributeGroup", "Demands");

	return find_by_name(at->children, "attribute", name) ||
	       (group && count_tags(at->children, "attributeGroup") &&
		find_by_name(group->children, "attribute", name));
}

START_TEST(schema_and_table_agree)
{
	xmlDoc *doc = xmlReadFile(xsd_path(), NULL, XML_PARSE_NONET);
	xmlNode *root = xmlDocGetRootElement(doc);

	for (size_t i = 0; i < fmpi_n_settings; i++) {
		const struct fmpi_setting *s = &fmpi_settings[i];
		xmlNode *el = find_by_name(root, "element", s->element);
		xmlChar *type = el ? xmlGetProp(el, BAD_CAST "type") : NULL;
		xmlNode *at = type ? find_by_name(root, "complexType", (char *)type) : el;

		xmlFree(type);
		ck_assert_msg(at && has_attribute(root, at, s->attribute),
			      "<%s %s> is not in the schema", s->element, s->attribute);
	}
	for (size_t i = 0; i < fmpi_n_elements; i++)
		ck_assert_msg(find_by_name(root, "element", fmpi_elements[i].name) != NULL, "<%s>",
			      fmpi_elements[i].name);
	for (unsigned k = 1; k < FMP_EVENT_KINDS; k++) {
		char body[128];

		snprintf(body, sizeof(body), "<suspicion><event kind='%s' rank='77'/></suspicion>",
			 fmp_event_kind_name(k));
		struct fmp_policy *p = must_load(body);

		ck_assert_uint_eq(p->suspicion.rank[k], 77);
		fmp_policy_free(p);
	}
	/* And nothing in the schema that the table does not know; those of event, proxy,
	 * issuer, header, content and service are read apart, and ten elements stand in service too; so
	 * are ten of override and eleven of group and three of blocklist; in which event stands as well; base is no setting; content is
	 * the root of a file of rules; device has one; remove has two, set three, keep one. */
	ck_assert_uint_eq(count_tags(root, "attribute"),
			  fmpi_n_settings + 6 + 9 + 6 + 10 + 11 + 3 + 4 + 1 + 1 + 6);
	ck_assert_uint_eq(count_tags(root, "element"), fmpi_n_elements + 10 + 2 + 1);
	xmlFreeDoc(doc);
}
END_TEST

int main(void)
{
	TCase *t = tcase_create("policy");

	tcase_set_timeout(t, 120);
	tcase_add_loop_test(t, shipped_policies_load, 0, COUNT(shipped));
	tcase_add_test(t, balanced_is_the_default);
	tcase_add_test(t, balanced_makes_sense);
	tcase_add_test(t, every_setting_lands_in_its_field);
	tcase_add_test(t, settings_of_the_daemon_land);
	tcase_add_test(t, local_endpoints);
	tcase_add_test(t, nothing_but_the_root_is_balanced);
	tcase_add_test(t, relative_to_the_file_in_the_working_directory);
	tcase_add_test(t, schema_and_table_agree);
	return run_tcase("policy", t);
}
