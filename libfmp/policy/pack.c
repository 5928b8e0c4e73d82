// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/policy_pack.h>

#include <policy/group_index.h>

#include <stdlib.h>
#include <string.h>

#define NO_TEXT	 UINT32_MAX
#define TEXT_MAX (64u << 10)

/* Both sides must agree on all of this for the bytes to have the same meaning. */
struct build_id {
	char magic[8], version[24];
	uint32_t policy, override, group, blocklist, service, rule, addr, error;
};

static void fill_build_id(struct build_id *b)
{
	*b = (struct build_id){
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

/* ---- packing ---- */

static void put_bytes(FILE *out, const void *bytes, size_t len)
{
	if (len)
		fwrite(bytes, 1, len, out);
}

static void put_u32(FILE *out, uint32_t v)
{
	put_bytes(out, &v, sizeof(v));
}

static void put_text(FILE *out, const char *text)
{
	put_u32(out, text ? (uint32_t)strlen(text) : NO_TEXT);
	put_bytes(out, text, text ? strlen(text) : 0);
}

/* Its number in the policy's list of contents, from 1; 0: none. */
static uint32_t content_number(const struct fmp_policy *p, const struct fmp_policy_content *content)
{
	uint32_t n = 1;

	for (const struct fmp_policy_content *c = p->contents; c; c = c->next, n++)
		if (c == content)
			return n;
	return 0;
}

static void put_rule(FILE *out, const struct fmp_policy_rule *rule)
{
	put_bytes(out, rule, sizeof(*rule));
	put_text(out, rule->xpath);
	put_text(out, rule->regex);
	for (unsigned i = 0; i < rule->n_namespaces; i++) {
		put_text(out, rule->namespaces[i].prefix);
		put_text(out, rule->namespaces[i].uri);
	}
}

static void put_blocklist(FILE *out, const struct fmp_policy_blocklist *b)
{
	put_bytes(out, b, sizeof(*b));
	put_bytes(out, b->list.addr, b->list.n * sizeof(*b->list.addr));
	put_bytes(out, b->list.ms, b->list.n * sizeof(*b->list.ms));
}

void fmp_policy_pack(FILE *out, const struct fmp_policy *p, const struct fmp_error *error)
{
	struct build_id b;
	uint32_t n = 0;

	fill_build_id(&b);
	put_bytes(out, &b, sizeof(b));
	put_u32(out, p != NULL);
	if (!p) {
		put_bytes(out, error, sizeof(*error));
		return;
	}
	put_bytes(out, p, sizeof(*p));
	put_bytes(out, p->overrides, p->n_overrides * sizeof(*p->overrides));
	put_bytes(out, p->groups, p->n_groups * sizeof(*p->groups));
	for (size_t i = 0; i < p->n_blocklists; i++)
		put_blocklist(out, &p->blocklists[i]);
	put_bytes(out, p->services, p->n_services * sizeof(*p->services));
	put_bytes(out, p->protect, p->n_protect * sizeof(*p->protect));
	put_bytes(out, p->warnings, p->n_warnings * sizeof(*p->warnings));
	for (const struct fmp_policy_content *c = p->contents; c; c = c->next)
		n++;
	put_u32(out, n);
	for (const struct fmp_policy_content *c = p->contents; c; c = c->next) {
		put_u32(out, c->n_rules);
		for (unsigned i = 0; i < c->n_rules; i++)
			put_rule(out, &c->rules[i]);
	}
	put_u32(out, content_number(p, p->gateway.content));
	for (size_t i = 0; i < p->n_services; i++)
		put_u32(out, content_number(p, p->services[i].demands.content));
}

/* ---- unpacking ---- */

struct input {
	const uint8_t *at;
	size_t left;
	int rc; /* code of the first failure */
};

static bool get_bytes(struct input *input, void *to, size_t len)
{
	if (!input->rc && len > input->left)
		input->rc = FMP_ERR_SYNTAX;
	if (input->rc)
		return false;
	memcpy(to, input->at, len);
	input->at += len;
	input->left -= len;
	return true;
}

static uint32_t get_u32(struct input *input)
{
	uint32_t v = 0;

	get_bytes(input, &v, sizeof(v));
	return v;
}

/* Allocate @n zeroed items. Each takes at least one byte of input, which bounds @n. Return: NULL
 * for none. */
static void *alloc_array(struct input *input, size_t n, size_t size)
{
	void *made;

	if (!input->rc && n > input->left)
		input->rc = FMP_ERR_SYNTAX;
	if (input->rc || !n)
		return NULL;
	made = calloc(n, size);
	if (!made)
		input->rc = FMP_ERR_NOMEM;
	return made;
}

/* Read an array. Return: number of items, all or none. */
static size_t get_array(struct input *input, void **to, size_t n, size_t size)
{
	*to = alloc_array(input, n, size);
	if (*to && !get_bytes(input, *to, n * size)) {
		free(*to);
		*to = NULL;
	}
	return *to ? n : 0;
}

static char *get_text(struct input *input)
{
	uint32_t len = get_u32(input);
	char *text;

	if (input->rc || len == NO_TEXT)
		return NULL;
	if (len > TEXT_MAX) {
		input->rc = FMP_ERR_SYNTAX;
		return NULL;
	}
	text = calloc(1, len + 1u);
	if (!text)
		input->rc = FMP_ERR_NOMEM;
	else
		get_bytes(input, text, len);
	return text;
}

/* The rule can be freed after a failure too. */
static void get_rule(struct input *input, struct fmp_policy_rule *rule)
{
	unsigned n;

	if (!get_bytes(input, rule, sizeof(*rule)))
		return;
	n = rule->n_namespaces;
	rule->n_namespaces = 0;
	rule->namespaces = NULL;
	rule->xpath = get_text(input);
	rule->regex = get_text(input);
	rule->namespaces = alloc_array(input, n, sizeof(*rule->namespaces));
	while (rule->namespaces && rule->n_namespaces < n && !input->rc) {
		struct fmp_policy_namespace *ns = &rule->namespaces[rule->n_namespaces++];

		ns->prefix = get_text(input);
		ns->uri = get_text(input);
	}
}

static void get_contents(struct input *input, struct fmp_policy_content **to)
{
	for (uint32_t n = get_u32(input); n && !input->rc; n--) {
		struct fmp_policy_content *c = alloc_array(input, 1, sizeof(*c));
		uint32_t rules = get_u32(input);

		if (!c)
			return;
		*to = c;
		to = &c->next;
		c->rules = alloc_array(input, rules, sizeof(*c->rules));
		while (c->rules && c->n_rules < rules && !input->rc)
			get_rule(input, &c->rules[c->n_rules++]);
	}
}

static const struct fmp_policy_content *get_content_ref(struct input *input,
							const struct fmp_policy *p)
{
	const struct fmp_policy_content *c = p->contents;
	uint32_t n = get_u32(input);

	if (!n)
		return NULL;
	while (c && --n)
		c = c->next;
	if (!c && !input->rc)
		input->rc = FMP_ERR_SYNTAX;
	return c;
}

/* The lists can be freed after a failure too. */
static void get_blocklists(struct input *input, struct fmp_policy *p, size_t n)
{
	p->blocklists = alloc_array(input, n, sizeof(*p->blocklists));
	while (p->blocklists && p->n_blocklists < n && !input->rc) {
		struct fmp_policy_blocklist *b = &p->blocklists[p->n_blocklists++];
		size_t addresses;
		void *array;

		if (!get_bytes(input, b, sizeof(*b))) {
			p->n_blocklists--;
			return;
		}
		addresses = b->list.n;
		b->list = (struct fmp_blocklist){ 0 };
		b->list.n = get_array(input, &array, addresses, sizeof(*b->list.addr));
		b->list.addr = array;
		get_array(input, &array, addresses, sizeof(*b->list.ms));
		b->list.ms = array;
		b->list.cap = b->list.n;
	}
}

/* The policy can be freed after a failure too. */
static void get_policy(struct input *input, struct fmp_policy *p)
{
	size_t overrides, groups, blocklists, services, protect, warnings;
	void *array;

	if (!get_bytes(input, p, sizeof(*p)))
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
	p->n_overrides = get_array(input, &array, overrides, sizeof(*p->overrides));
	p->overrides = array;
	p->n_groups = get_array(input, &array, groups, sizeof(*p->groups));
	p->groups = array;
	p->group_index = fmpi_group_index_make(p);
	get_blocklists(input, p, blocklists);
	p->n_services = get_array(input, &array, services, sizeof(*p->services));
	p->services = array;
	p->n_protect = get_array(input, &array, protect, sizeof(*p->protect));
	p->protect = array;
	p->n_warnings = get_array(input, &array, warnings, sizeof(*p->warnings));
	p->warnings = array;
	get_contents(input, &p->contents);
	p->gateway.content = get_content_ref(input, p);
	for (size_t i = 0; i < p->n_services; i++)
		p->services[i].demands.content = get_content_ref(input, p);
	if (input->left && !input->rc)
		input->rc = FMP_ERR_SYNTAX;
}

static int get_error(struct input *input, struct fmp_error *err)
{
	struct fmp_error found;

	if (!get_bytes(input, &found, sizeof(found)) || input->left || found.code >= 0)
		return FMP_ERR_SYNTAX;
	found.file[sizeof(found.file) - 1] = '\0';
	found.path[sizeof(found.path) - 1] = '\0';
	found.message[sizeof(found.message) - 1] = '\0';
	if (err)
		*err = found;
	return found.code;
}

static int fail_unpack(int rc, struct fmp_error *err)
{
	return fmp_error_set(err, rc,
			     rc == FMP_ERR_NOMEM ? "out of memory"
						 : "the policy is not handed over by this build");
}

int fmp_policy_unpack(const void *bytes, size_t len, struct fmp_policy **out, struct fmp_error *err)
{
	struct input input = { .at = bytes, .left = len };
	struct build_id ours, theirs;
	struct fmp_policy *p;
	int rc;

	fill_build_id(&ours);
	if (!get_bytes(&input, &theirs, sizeof(theirs)) || memcmp(&ours, &theirs, sizeof(ours)))
		return fail_unpack(FMP_ERR_SYNTAX, err);
	if (!get_u32(&input)) {
		rc = input.rc ? input.rc : get_error(&input, err);
		return rc == FMP_ERR_SYNTAX && input.rc ? fail_unpack(rc, err) : rc;
	}
	p = calloc(1, sizeof(*p));
	if (!p)
		return fail_unpack(FMP_ERR_NOMEM, err);
	get_policy(&input, p);
	if (input.rc) {
		fmp_policy_free(p);
		return fail_unpack(input.rc, err);
	}
	*out = p;
	return 0;
}
