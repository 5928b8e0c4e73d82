// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/policy_pack.h>

#include <policy/group_index.h>

#include <stdlib.h>
#include <string.h>

#define NO_TEXT	 UINT32_MAX
#define TEXT_MAX (64u << 10)

/* What must be the same on both sides for the bytes to mean the same. */
struct build {
	char magic[8], version[24];
	uint32_t policy, override, group, blocklist, service, rule, addr, error;
};

static void this_build(struct build *b)
{
	*b = (struct build){
		.magic = "fmp-pol",
		.policy = sizeof(struct fmp_policy),
		.override = sizeof(struct fmp_policy_override),
		.group = sizeof(struct fmp_policy_group),
		.blocklist = sizeof(struct fmp_policy_blocklist),
		.service = sizeof(struct fmp_policy_service),
		.rule = sizeof(struct fmp_policy_rule),
		.addr = sizeof(struct fmp_addr),
		.error = sizeof(struct fmp_error),
	};
	snprintf(b->version, sizeof(b->version), "%s", FMP_VERSION);
}

/* ---- out ---- */

static void put(FILE *out, const void *bytes, size_t len)
{
	if (len)
		fwrite(bytes, 1, len, out);
}

static void put_u32(FILE *out, uint32_t v)
{
	put(out, &v, sizeof(v));
}

static void put_text(FILE *out, const char *text)
{
	put_u32(out, text ? (uint32_t)strlen(text) : NO_TEXT);
	put(out, text, text ? strlen(text) : 0);
}

/* Its number in the policy's list, from 1 on; 0: none. */
static uint32_t number_of(const struct fmp_policy *p, const struct fmp_policy_content *content)
{
	uint32_t n = 1;

	for (const struct fmp_policy_content *c = p->contents; c; c = c->next, n++)
		if (c == content)
			return n;
	return 0;
}

static void put_rule(FILE *out, const struct fmp_policy_rule *rule)
{
	put(out, rule, sizeof(*rule));
	put_text(out, rule->xpath);
	put_text(out, rule->regex);
	for (unsigned i = 0; i < rule->n_namespaces; i++) {
		put_text(out, rule->namespaces[i].prefix);
		put_text(out, rule->namespaces[i].uri);
	}
}

static void put_blocklist(FILE *out, const struct fmp_policy_blocklist *b)
{
	put(out, b, sizeof(*b));
	put(out, b->list.addr, b->list.n * sizeof(*b->list.addr));
	put(out, b->list.ms, b->list.n * sizeof(*b->list.ms));
}

void fmp_policy_pack(FILE *out, const struct fmp_policy *p, const struct fmp_error *error)
{
	struct build b;
	uint32_t n = 0;

	this_build(&b);
	put(out, &b, sizeof(b));
	put_u32(out, p != NULL);
	if (!p) {
		put(out, error, sizeof(*error));
		return;
	}
	put(out, p, sizeof(*p));
	put(out, p->overrides, p->n_overrides * sizeof(*p->overrides));
	put(out, p->groups, p->n_groups * sizeof(*p->groups));
	for (size_t i = 0; i < p->n_blocklists; i++)
		put_blocklist(out, &p->blocklists[i]);
	put(out, p->services, p->n_services * sizeof(*p->services));
	put(out, p->protect, p->n_protect * sizeof(*p->protect));
	put(out, p->warnings, p->n_warnings * sizeof(*p->warnings));
	for (const struct fmp_policy_content *c = p->contents; c; c = c->next)
		n++;
	put_u32(out, n);
	for (const struct fmp_policy_content *c = p->contents; c; c = c->next) {
		put_u32(out, c->n_rules);
		for (unsigned i = 0; i < c->n_rules; i++)
			put_rule(out, &c->rules[i]);
	}
	put_u32(out, number_of(p, p->gateway.content));
	for (size_t i = 0; i < p->n_services; i++)
		put_u32(out, number_of(p, p->services[i].demands.content));
}

/* ---- in ---- */

struct in {
	const uint8_t *at;
	size_t left;
	int rc; /* of the first that failed */
};

static bool get(struct in *in, void *to, size_t len)
{
	if (!in->rc && len > in->left)
		in->rc = FMP_ERR_SYNTAX;
	if (in->rc)
		return false;
	memcpy(to, in->at, len);
	in->at += len;
	in->left -= len;
	return true;
}

static uint32_t get_u32(struct in *in)
{
	uint32_t v = 0;

	get(in, &v, sizeof(v));
	return v;
}

/* n of them, zeroed. What is there is at least one byte each. Return: NULL for none. */
static void *room(struct in *in, size_t n, size_t size)
{
	void *made;

	if (!in->rc && n > in->left)
		in->rc = FMP_ERR_SYNTAX;
	if (in->rc || !n)
		return NULL;
	made = calloc(n, size);
	if (!made)
		in->rc = FMP_ERR_NOMEM;
	return made;
}

/* An array as it was. Return: how many came, all or none. */
static size_t get_array(struct in *in, void **to, size_t n, size_t size)
{
	*to = room(in, n, size);
	if (*to && !get(in, *to, n * size)) {
		free(*to);
		*to = NULL;
	}
	return *to ? n : 0;
}

static char *get_text(struct in *in)
{
	uint32_t len = get_u32(in);
	char *text;

	if (in->rc || len == NO_TEXT)
		return NULL;
	if (len > TEXT_MAX) {
		in->rc = FMP_ERR_SYNTAX;
		return NULL;
	}
	text = calloc(1, len + 1u);
	if (!text)
		in->rc = FMP_ERR_NOMEM;
	else
		get(in, text, len);
	return text;
}

/* Whatever becomes of it, the rule can be freed. */
static void get_rule(struct in *in, struct fmp_policy_rule *rule)
{
	unsigned n;

	if (!get(in, rule, sizeof(*rule)))
		return;
	n = rule->n_namespaces;
	rule->n_namespaces = 0;
	rule->namespaces = NULL;
	rule->xpath = get_text(in);
	rule->regex = get_text(in);
	rule->namespaces = room(in, n, sizeof(*rule->namespaces));
	while (rule->namespaces && rule->n_namespaces < n && !in->rc) {
		struct fmp_policy_namespace *ns = &rule->namespaces[rule->n_namespaces++];

		ns->prefix = get_text(in);
		ns->uri = get_text(in);
	}
}

static void get_contents(struct in *in, struct fmp_policy_content **to)
{
	for (uint32_t n = get_u32(in); n && !in->rc; n--) {
		struct fmp_policy_content *c = room(in, 1, sizeof(*c));
		uint32_t rules = get_u32(in);

		if (!c)
			return;
		*to = c;
		to = &c->next;
		c->rules = room(in, rules, sizeof(*c->rules));
		while (c->rules && c->n_rules < rules && !in->rc)
			get_rule(in, &c->rules[c->n_rules++]);
	}
}

static const struct fmp_policy_content *get_number(struct in *in, const struct fmp_policy *p)
{
	const struct fmp_policy_content *c = p->contents;
	uint32_t n = get_u32(in);

	if (!n)
		return NULL;
	while (c && --n)
		c = c->next;
	if (!c && !in->rc)
		in->rc = FMP_ERR_SYNTAX;
	return c;
}

/* Whatever becomes of it, the lists can be freed. */
static void get_blocklists(struct in *in, struct fmp_policy *p, size_t n)
{
	p->blocklists = room(in, n, sizeof(*p->blocklists));
	while (p->blocklists && p->n_blocklists < n && !in->rc) {
		struct fmp_policy_blocklist *b = &p->blocklists[p->n_blocklists++];
		size_t addresses;
		void *array;

		if (!get(in, b, sizeof(*b))) {
			p->n_blocklists--;
			return;
		}
		addresses = b->list.n;
		b->list = (struct fmp_blocklist){ 0 };
		b->list.n = get_array(in, &array, addresses, sizeof(*b->list.addr));
		b->list.addr = array;
		get_array(in, &array, addresses, sizeof(*b->list.ms));
		b->list.ms = array;
		b->list.cap = b->list.n;
	}
}

/* Whatever becomes of it, the policy can be freed. */
static void get_policy(struct in *in, struct fmp_policy *p)
{
	size_t overrides, groups, blocklists, services, protect, warnings;
	void *array;

	if (!get(in, p, sizeof(*p)))
		return;
	overrides = p->n_overrides;
	groups = p->n_groups;
	blocklists = p->n_blocklists;
	p->n_blocklists = 0;
	services = p->n_services;
	protect = p->n_protect;
	warnings = p->n_warnings;
	p->origin = NULL;
	p->group_index = NULL;
	p->contents = NULL;
	p->gateway.content = NULL;
	p->n_overrides = get_array(in, &array, overrides, sizeof(*p->overrides));
	p->overrides = array;
	p->n_groups = get_array(in, &array, groups, sizeof(*p->groups));
	p->groups = array;
	p->group_index = fmpi_group_index_make(p);
	get_blocklists(in, p, blocklists);
	p->n_services = get_array(in, &array, services, sizeof(*p->services));
	p->services = array;
	p->n_protect = get_array(in, &array, protect, sizeof(*p->protect));
	p->protect = array;
	p->n_warnings = get_array(in, &array, warnings, sizeof(*p->warnings));
	p->warnings = array;
	get_contents(in, &p->contents);
	p->gateway.content = get_number(in, p);
	for (size_t i = 0; i < p->n_services; i++)
		p->services[i].demands.content = get_number(in, p);
	if (in->left && !in->rc)
		in->rc = FMP_ERR_SYNTAX;
}

static int get_error(struct in *in, struct fmp_error *err)
{
	struct fmp_error found;

	if (!get(in, &found, sizeof(found)) || in->left || found.code >= 0)
		return FMP_ERR_SYNTAX;
	found.file[sizeof(found.file) - 1] = '\0';
	found.path[sizeof(found.path) - 1] = '\0';
	found.message[sizeof(found.message) - 1] = '\0';
	if (err)
		*err = found;
	return found.code;
}

static int refuse(int rc, struct fmp_error *err)
{
	return fmp_error_set(err, rc,
			     rc == FMP_ERR_NOMEM ? "out of memory"
						 : "the policy is not handed over by this build");
}

int fmp_policy_unpack(const void *bytes, size_t len, struct fmp_policy **out, struct fmp_error *err)
{
	struct in in = { .at = bytes, .left = len };
	struct build ours, theirs;
	struct fmp_policy *p;
	int rc;

	this_build(&ours);
	if (!get(&in, &theirs, sizeof(theirs)) || memcmp(&ours, &theirs, sizeof(ours)))
		return refuse(FMP_ERR_SYNTAX, err);
	if (!get_u32(&in)) {
		rc = in.rc ? in.rc : get_error(&in, err);
		return rc == FMP_ERR_SYNTAX && in.rc ? refuse(rc, err) : rc;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return refuse(FMP_ERR_NOMEM, err);
	get_policy(&in, p);
	if (in.rc) {
		fmp_policy_free(p);
		return refuse(in.rc, err);
	}
	*out = p;
	return 0;
}
