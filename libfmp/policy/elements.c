// SPDX-License-Identifier: GPL-2.0
/* Reads the elements of a policy's document, driven by the tables of settings and elements. */
#include <fmp/internal/policy_xml.h>

#include <stdlib.h>
#include <string.h>

#include <policy/content.h>

#define PROTECT_MAX 1024

/* ---- addresses ---- */

/* Is every address of the prefix protected? */
static bool is_all_protected(const struct fmp_policy *p, struct fmp_addr prefix)
{
	bool inside = false;

	for (size_t i = 0; i < p->n_protect; i++) {
		if (fmp_addr_contains(&p->protect[i], &prefix))
			return true;
		inside |= fmp_addr_contains(&prefix, &p->protect[i]);
	}
	if (!inside || prefix.prefix_len == fmp_addr_max_prefix(prefix.family))
		return false;
	prefix.prefix_len++;
	if (!is_all_protected(p, prefix))
		return false;
	prefix.bytes[(prefix.prefix_len - 1) / 8] |= (uint8_t)(0x80 >> (prefix.prefix_len - 1) % 8);
	return is_all_protected(p, prefix);
}

/* Allocated unicast addresses: 0.0.0.0 to 223.255.255.255, and 2000::/3. */
static bool is_internet_protected(const struct fmp_policy *p, uint8_t family)
{
	static const struct fmp_addr ipv4[] = {
		{ .family = FMP_FAMILY_IPV4, .prefix_len = 1 },
		{ .family = FMP_FAMILY_IPV4, .prefix_len = 2, .bytes = { 128 } },
		{ .family = FMP_FAMILY_IPV4, .prefix_len = 3, .bytes = { 192 } },
	};
	static const struct fmp_addr ipv6 = { .family = FMP_FAMILY_IPV6,
					      .prefix_len = 3,
					      .bytes = { 0x20 } };

	if (family == FMP_FAMILY_IPV6)
		return is_all_protected(p, ipv6);
	return family == FMP_FAMILY_IPV4 && is_all_protected(p, ipv4[0]) &&
	       is_all_protected(p, ipv4[1]) && is_all_protected(p, ipv4[2]);
}

static int add_protected(struct fmpi_reader *r, const xmlNode *node, const struct fmp_addr *a,
			 const char *text)
{
	struct fmp_policy *p = r->policy;

	if (!a->prefix_len)
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, NULL,
					"\"%.64s\" protects every source: write observe=\"yes\" if "
					"nothing is to be blocked",
					text);
	if (p->n_protect == PROTECT_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"more than %d protected addresses", PROTECT_MAX);
	if (p->n_protect == r->protect_cap) {
		size_t cap = r->protect_cap ? r->protect_cap * 2 : 8;
		struct fmp_addr *more = realloc(p->protect, cap * sizeof(*more));

		if (!more)
			return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
		p->protect = more;
		r->protect_cap = cap;
	}
	p->protect[p->n_protect++] = *a;
	if (a->prefix_len < fmp_addr_max_prefix(a->family) && is_internet_protected(p, a->family))
		return fmpi_reader_fail(
			r, FMP_ERR_CONFLICT, node, NULL,
			"with \"%.64s\" every address of the Internet is protected: write "
			"observe=\"yes\" if nothing is to be blocked",
			text);
	return 0;
}

static int parse_protected(struct fmpi_reader *r, const xmlNode *node, const char *text)
{
	bool wants_mac = xmlStrEqual(node->name, BAD_CAST "mac");
	struct fmp_error why;
	struct fmp_addr a;

	if (fmp_addr_parse(text, &a, &why))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "%s", why.message);
	if (wants_mac != (a.family == FMP_FAMILY_MAC))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"\"%.64s\" belongs into <%s>", text,
					wants_mac ? "address" : "mac");
	return add_protected(r, node, &a, text);
}

static int read_proxy(struct fmpi_reader *r, const xmlNode *node)
{
	static const char *const tells[] = {
		[FMP_PROXY_PROTOCOL] = "proxy-protocol", [FMP_PROXY_FORWARDED_FOR] = "x-forwarded-for"
	};
	struct fmp_policy_gateway *g = &r->policy->gateway;
	struct fmp_policy_proxy proxy = { .tells = FMP_PROXY_PROTOCOL };
	char address[FMPI_VALUE_MAX] = "", method[FMPI_VALUE_MAX];
	struct fmp_error why;
	unsigned at = 0;

	for (const xmlAttr *a = node->properties; a; a = a->next) {
		if (a->ns)
			return fmpi_policy_reader_unknown(r, node, a);
		if (xmlStrEqual(a->name, BAD_CAST "address"))
			fmpi_policy_reader_value(r, node, a, address);
		else if (!xmlStrEqual(a->name, BAD_CAST "tells"))
			return fmpi_policy_reader_unknown(r, node, a);
		else if (!strcmp(fmpi_policy_reader_value(r, node, a, method),
				 tells[FMP_PROXY_FORWARDED_FOR]))
			proxy.tells = FMP_PROXY_FORWARDED_FOR;
		else if (!r->failed && strcmp(method, tells[FMP_PROXY_PROTOCOL]))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "tells",
						"tells=\"%.64s\" is neither proxy-protocol nor "
						"x-forwarded-for",
						method);
		if (r->failed)
			return r->failed;
	}
	if (!*address)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "<proxy> needs an address");
	if (fmp_addr_parse(address, &proxy.address, &why))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address", "%s", why.message);
	if (!fmp_addr_is_ip(&proxy.address))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, "address",
					"\"%.64s\" is not an IP address", address);
	while (at < g->n_proxies && !fmp_addr_equal(&g->proxies[at].address, &proxy.address))
		at++;
	if (at == FMP_PROXIES_MAX)
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %u proxies",
					g->n_proxies);
	if (r->own_proxy[at])
		return fmpi_reader_fail(r, FMP_ERR_CONFLICT, node, "address",
					"the proxy %s is listed twice", address);
	/* A proxy from a file read earlier: the later one replaces it. */
	r->own_proxy[at] = true;
	g->proxies[at] = proxy;
	if (at < g->n_proxies)
		return 0;
	g->n_proxies++;
	return add_protected(r, node, &proxy.address, address);
}

/* ---- elements that hold text ---- */

static int read_device_layers(struct fmpi_reader *r, const xmlNode *node, unsigned *layers)
{
	char value[FMPI_VALUE_MAX];

	*layers = FMP_LAYERS_ALL;
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		if (a->ns || !xmlStrEqual(a->name, BAD_CAST "layers"))
			return fmpi_policy_reader_unknown(r, node, a);
		fmpi_policy_reader_value(r, node, a, value);
		if (r->failed)
			return r->failed;
		if (fmp_layers_parse(value, layers))
			return fmpi_reader_fail(
				r, FMP_ERR_SCHEMA, node, "layers",
				"layers=\"%.64s\" is not a list of ip, mac, premac; "
				"nor all",
				value);
		/* The layer ip filters for the whole machine: no device can be left out. */
		if (!(*layers & FMP_LAYER_BIT(FMP_LAYER_IP)))
			return fmpi_reader_fail(
				r, FMP_ERR_SCHEMA, node, "layers",
				"layers=\"%.64s\" leaves out ip, which filters every "
				"device: write ip, and mac or premac beside it",
				value);
	}
	return 0;
}

static int add_device(struct fmpi_reader *r, const xmlNode *node, const char *text)
{
	struct fmp_policy_enforce *e = &r->policy->enforce;
	size_t len = strlen(text);
	unsigned layers;
	int rc = read_device_layers(r, node, &layers);

	if (rc)
		return rc;

	/* Same rules as the kernel's dev_valid_name(). */
	if (!len || len >= sizeof(e->devices[0]) || strpbrk(text, "/: \t\r\n") ||
	    !strcmp(text, ".") || !strcmp(text, ".."))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					"\"%.64s\" is not the name of a network device", text);
	for (unsigned i = 0; i < e->n_devices; i++)
		if (!strcmp(e->devices[i], text))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
						"device \"%s\" is listed twice", text);
	if (e->n_devices == sizeof(e->devices) / sizeof(e->devices[0]))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL, "more than %u devices",
					e->n_devices);
	r->device_at[e->n_devices] = fmpi_reader_locate(r, node, NULL);
	e->device_layers[e->n_devices] = layers;
	memcpy(e->devices[e->n_devices++], text, len + 1);
	return 0;
}

static int read_text_element(struct fmpi_reader *r, const xmlNode *node)
{
	xmlChar *content = xmlNodeGetContent(node);
	char *text = (char *)content;
	size_t len;
	int rc;

	if (!text)
		return fmp_error_set(r->err, FMP_ERR_NOMEM, "out of memory");
	text += strspn(text, " \t\r\n");
	for (len = strlen(text); len && strchr(" \t\r\n", text[len - 1]); len--)
		text[len - 1] = '\0';
	if (xmlStrEqual(node->name, BAD_CAST "device"))
		rc = add_device(r, node, text);
	else
		rc = parse_protected(r, node, text);
	xmlFree(content);
	return rc;
}

/* ---- elements ---- */

static const char *next_child(size_t i, const void *parent)
{
	for (size_t e = 0; e < fmpi_n_elements; e++) {
		const char *of = fmpi_elements[e].parent;

		if ((of && parent ? !strcmp(of, parent) : of == parent) && !i--)
			return fmpi_elements[e].name;
	}
	return NULL;
}

static int read_element(struct fmpi_reader *r, const xmlNode *node, bool seen[FMP_EVENT_KINDS]);

static int check_child(struct fmpi_reader *r, const xmlNode *node, const xmlNode *child)
{
	const char *name = (const char *)child->name;
	const struct fmpi_element *e = fmpi_element_find(name);
	char hint[96];

	if (!child->ns || !xmlStrEqual(child->ns->href, BAD_CAST FMPI_POLICY_NS))
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, child, NULL,
					"<%.64s> is not of the namespace " FMPI_POLICY_NS, name);
	if (!e || !e->parent || strcmp(e->parent, (const char *)node->name)) {
		if (e && e->parent)
			snprintf(hint, sizeof(hint), ": it belongs into <%s>", e->parent);
		else
			fmp_suggestion(fmp_suggest(name, next_child, node->name), hint,
				       sizeof(hint));
		return fmpi_reader_fail(r, FMP_ERR_SCHEMA, child, NULL,
					"<%s> has no element <%.64s>%s", node->name, name, hint);
	}
	for (const xmlNode *n = child->prev; n && !e->many; n = n->prev)
		if (n->type == XML_ELEMENT_NODE && xmlStrEqual(n->name, child->name))
			return fmpi_reader_fail(r, FMP_ERR_SCHEMA, child, NULL,
						"<%s> stands twice in <%s>", name, node->name);
	return 0;
}

/* Elements that inherit settings are read after everything they inherit from. */
static bool is_deferred(const char *element)
{
	return fmpi_is_service(element) || !strcmp(element, "override") ||
	       !strcmp(element, "group") || !strcmp(element, "include");
}

static int read_children(struct fmpi_reader *r, const xmlNode *node, bool seen[FMP_EVENT_KINDS])
{
	for (const xmlNode *child = node->children; child; child = child->next) {
		int rc = 0;

		if (child->type == XML_ELEMENT_NODE) {
			rc = check_child(r, node, child);
			if (!rc && !is_deferred((const char *)child->name))
				rc = read_element(r, child, seen);
		} else if (child->type == XML_TEXT_NODE && !xmlIsBlankNode((xmlNode *)child)) {
			rc = fmpi_reader_fail(r, FMP_ERR_SCHEMA, node, NULL,
					      "<%s> holds elements only, no text", node->name);
		}
		if (rc)
			return rc;
	}
	return 0;
}

/* The table of elements bounds the depth: an unknown child ends the recursion. */
static int read_element(struct fmpi_reader *r, const xmlNode *node, bool seen[FMP_EVENT_KINDS])
{
	const struct fmpi_element *e = fmpi_element_find((const char *)node->name);
	int rc;

	r->element_at[e - fmpi_elements] = fmpi_reader_locate(r, node, NULL);
	if (!strcmp(e->name, "content"))
		return fmpi_content_read(r, node);
	if (!strcmp(e->name, "headers"))
		return fmpi_headers_read(r, node);
	if (!strcmp(e->name, "fields"))
		return fmpi_fields_read(r, node);
	if (!strcmp(e->name, "event"))
		rc = fmpi_policy_reader_event(r, node, seen);
	else if (!strcmp(e->name, "proxy"))
		rc = read_proxy(r, node);
	else if (!strcmp(e->name, "issuer"))
		rc = fmpi_issuer_read(r, node);
	else if (!strcmp(e->name, "blocklist"))
		rc = fmpi_blocklist_read(r, node);
	else if (!strcmp(e->name, "device"))
		rc = 0; /* add_device() reads the attributes itself */
	else
		rc = fmpi_policy_reader_settings(r, node);
	if (!rc)
		rc = e->text ? read_text_element(r, node) : read_children(r, node, seen);
	return rc;
}

int fmpi_policy_read(struct fmpi_reader *r)
{
	bool seen[FMP_EVENT_KINDS] = { false };

	memset(r->own_proxy, 0, sizeof(r->own_proxy));
	memset(r->own_blocklist, 0, sizeof(r->own_blocklist));
	return read_element(r, xmlDocGetRootElement(r->doc), seen);
}
