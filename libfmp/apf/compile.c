// SPDX-License-Identifier: GPL-2.0
/* From rules to a program: which rules, which tables, and whether there is room. */
#include <fmp/internal/apf.h>

#include <stdlib.h>
#include <string.h>

#include <apf/layout.h>

/* Different ends of blocks; if there are more, ends are rounded down. */
#define ENDS_MAX 16u
/* An end keeps so many of its highest bits: it comes at most an eighth of the time too early. */
#define END_BITS 4u

struct compilation {
	struct fmp_apf_rule *rules;
	size_t n;
	const struct fmp_apf_config *cfg;
	size_t room;
	size_t *blocks; /* their indices, those with the most time left first */
	size_t n_blocks;
	size_t *protects; /* the indices of the others */
	size_t n_protects;
	bool rounds;
};

/* ---- tables ---- */

static uint32_t round_end(uint32_t s)
{
	unsigned bits = 32 - (unsigned)__builtin_clz(s);

	return bits <= END_BITS ? s : s >> (bits - END_BITS) << (bits - END_BITS);
}

static uint32_t block_action(const struct compilation *x, const struct fmp_apf_rule *rule)
{
	if (!rule->left_s)
		return FMPI_APF_FOREVER;
	if (rule->left_s >= FMPI_APF_FOREVER)
		return FMPI_APF_FOREVER - 1;
	return x->rounds ? round_end(rule->left_s) : rule->left_s;
}

static enum fmpi_apf_set set_of(const struct fmp_addr *addr)
{
	switch (addr->family) {
	case FMP_FAMILY_IPV4:
		return FMPI_APF_IPV4;
	case FMP_FAMILY_IPV6:
		return FMPI_APF_IPV6;
	default:
		return FMPI_APF_MAC;
	}
}

static int add_protect(struct fmpi_apf_layout *l, const struct fmp_apf_rule *rule)
{
	enum fmpi_apf_set set = set_of(&rule->addr);
	int rc = fmpi_apf_table_add(&l->set[set], rule->addr.bytes, rule->addr.prefix_len,
				    FMPI_APF_PROTECT);

	if (rc || set == FMPI_APF_MAC)
		return rc;
	return fmpi_apf_table_add(
		&l->set[set == FMPI_APF_IPV6 ? FMPI_APF_SPARED6 : FMPI_APF_SPARED4],
		rule->addr.bytes, rule->addr.prefix_len, FMPI_APF_PROTECT);
}

/* A protect rule of one of its addresses covers a pair. */
static bool pair_is_protected(const struct compilation *x, const struct fmp_apf_rule *pair)
{
	for (size_t i = 0; i < x->n_protects; i++) {
		const struct fmp_addr *addr = &x->rules[x->protects[i]].addr;

		if (fmp_addr_contains(addr, &pair->addr) ||
		    fmp_addr_contains(addr, &pair->pair_mac))
			return true;
	}
	return false;
}

static int add_pair_entry(struct fmpi_apf_layout *l, const struct fmp_addr *mac,
			  const struct fmp_addr *addr, uint32_t action)
{
	uint8_t key[FMPI_APF_KEY_MAX];

	memcpy(key, mac->bytes, 6);
	memcpy(key + 6, addr->bytes, 16);
	return fmpi_apf_table_add(
		&l->set[addr->family == FMP_FAMILY_IPV6 ? FMPI_APF_PAIR6 : FMPI_APF_PAIR4], key,
		48u + addr->prefix_len, action);
}

/* The tables of addresses leave out what is protected where nothing is blocked: a pair with a prefix has it again. */
static int add_pair(const struct compilation *x, struct fmpi_apf_layout *l,
		    const struct fmp_apf_rule *rule)
{
	int rc;

	if (pair_is_protected(x, rule))
		return 0;
	rc = add_pair_entry(l, &rule->pair_mac, &rule->addr, block_action(x, rule));
	for (size_t i = 0; !rc && i < x->n_protects; i++) {
		const struct fmp_addr *addr = &x->rules[x->protects[i]].addr;

		if (fmp_addr_contains(&rule->addr, addr))
			rc = add_pair_entry(l, &rule->pair_mac, addr, FMPI_APF_PROTECT);
	}
	return rc;
}

static int add_block(const struct compilation *x, struct fmpi_apf_layout *l,
		     const struct fmp_apf_rule *rule)
{
	if (rule->pair_mac.family)
		return add_pair(x, l, rule);
	return fmpi_apf_table_add(&l->set[set_of(&rule->addr)], rule->addr.bytes,
				  rule->addr.prefix_len, block_action(x, rule));
}

static int fill_tables(const struct compilation *x, struct fmpi_apf_layout *l, size_t blocks)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < x->n_protects; i++)
		rc = add_protect(l, &x->rules[x->protects[i]]);
	for (size_t i = 0; !rc && i < blocks; i++)
		rc = add_block(x, l, &x->rules[x->blocks[i]]);
	fmpi_apf_layout_reduce(l);
	return rc;
}

/* ---- the program ---- */

/* Compile the protect rules and the first @blocks blocks. */
static int compile_first(const struct compilation *x, size_t blocks, struct fmp_apf_program *out,
			 struct fmp_error *err)
{
	struct fmpi_apf_layout l;
	struct fmpi_apf_code c;
	int rc;

	fmpi_apf_layout_init(&l);
	fmpi_apf_code_init(&c, x->cfg->version);
	rc = fill_tables(x, &l, blocks);
	if (!rc)
		rc = fmpi_apf_layout_emit(&l, &c);
	if (rc)
		fmp_error_set(err, rc, "out of memory");
	else
		rc = fmpi_apf_assemble(&c, &out->bytes, &out->len, err);
	fmpi_apf_layout_free(&l);
	fmpi_apf_code_free(&c);
	return rc;
}

/* Find how many blocks fit. Return: 0, with their program. */
static int compile_fitting(const struct compilation *x, struct fmp_apf_program *out,
			   struct fmp_error *err)
{
	size_t fit = 0, beyond = x->n_blocks;
	int rc = compile_first(x, 0, out, err);

	while (!rc && beyond - fit > 1) {
		size_t middle = fit + (beyond - fit) / 2;
		struct fmp_apf_program try = { 0 };

		rc = compile_first(x, middle, &try, err);
		if (!rc && try.len <= x->room) {
			free(out->bytes);
			*out = try;
			fit = middle;
		} else {
			free(try.bytes);
			beyond = middle;
		}
	}
	for (size_t i = fit; i < x->n_blocks; i++)
		x->rules[x->blocks[i]].left_out = true;
	out->n_left_out = x->n_blocks - fit;
	out->n_blocks = fit;
	return rc;
}

static int compile_all(const struct compilation *x, struct fmp_apf_program *out,
		       struct fmp_error *err)
{
	int rc = compile_first(x, x->n_blocks, out, err);
	size_t len = out->len;

	out->n_blocks = x->n_blocks;
	if (rc || len <= x->room)
		return rc;
	free(out->bytes);
	*out = (struct fmp_apf_program){ 0 };
	if (x->cfg->truncate)
		return compile_fitting(x, out, err);
	return fmp_error_set(err, FMP_ERR_LIMIT,
			     "%zu blocks need %zu bytes of program memory, and there are %zu",
			     x->n_blocks, len + (x->cfg->max_size - x->room), x->cfg->max_size);
}

/* ---- rules ---- */

static int check_rule(const struct fmp_apf_rule *rule, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN];
	bool pairs = rule->pair_mac.family;

	if (rule->addr.family != FMP_FAMILY_MAC && !fmp_addr_is_ip(&rule->addr))
		return fmp_error_set(err, FMP_ERR_INVALID, "a rule has no address");
	if (pairs && (rule->protect || rule->pair_mac.family != FMP_FAMILY_MAC ||
		      !fmp_addr_is_ip(&rule->addr)))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "%s: a pair is a block of an IP address and a MAC",
				     fmp_addr_format(&rule->addr, text, sizeof(text)));
	return 0;
}

static uint32_t time_left(const struct fmp_apf_rule *rule)
{
	return rule->left_s ? rule->left_s : UINT32_MAX;
}

struct candidate {
	uint32_t left_s;
	size_t rule;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->left_s != y->left_s)
		return x->left_s > y->left_s ? -1 : 1;
	return x->rule < y->rule ? -1 : 1;
}

/* Fill x->blocks and x->protects. */
static int order_blocks(struct compilation *x, struct fmp_error *err)
{
	struct candidate *v = calloc(x->n + 1, sizeof(*v));
	unsigned ends = 0;

	x->blocks = calloc(x->n + 1, sizeof(*x->blocks));
	x->protects = calloc(x->n + 1, sizeof(*x->protects));
	if (!v || !x->blocks || !x->protects) {
		free(v);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	for (size_t i = 0; i < x->n; i++) {
		x->rules[i].left_out = false;
		if (x->rules[i].protect)
			x->protects[x->n_protects++] = i;
		else
			v[x->n_blocks++] = (struct candidate){ time_left(&x->rules[i]), i };
	}
	qsort(v, x->n_blocks, sizeof(*v), compare_candidates);
	for (size_t i = 0; i < x->n_blocks; i++) {
		x->blocks[i] = v[i].rule;
		ends += !i || v[i].left_s != v[i - 1].left_s;
	}
	x->rounds = ends > ENDS_MAX;
	free(v);
	return 0;
}

static int check_config(const struct fmp_apf_config *cfg, size_t reserved, struct fmp_error *err)
{
	if (cfg->version != 4 && cfg->version != 6)
		return fmp_error_set(err, FMP_ERR_INVALID, "APF has the versions 4 and 6; not %u",
				     cfg->version);
	if (cfg->max_size <= reserved + 16 || cfg->max_size > FMP_APF_SIZE_MAX)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "program memory of %zu bytes: it must be %zu to %u",
				     cfg->max_size, reserved + 17, FMP_APF_SIZE_MAX);
	return 0;
}

int fmp_apf_compile(struct fmp_apf_rule *rules, size_t n, const struct fmp_apf_config *cfg,
		    struct fmp_apf_program *out, struct fmp_error *err)
{
	/* Version 6 counts at the end of the memory, and refuses a program that reaches there. */
	size_t reserved = cfg->version >= 6 ? 4 * FMP_APF_COUNTER_IPV6 : 0;
	struct compilation x = { .rules = rules, .n = n, .cfg = cfg };
	int rc = check_config(cfg, reserved, err);

	*out = (struct fmp_apf_program){ 0 };
	if (!rc && n > FMP_APF_RULES_MAX)
		rc = fmp_error_set(err, FMP_ERR_LIMIT, "%zu rules: at most %u can be compiled", n,
				   FMP_APF_RULES_MAX);
	for (size_t i = 0; !rc && i < n; i++)
		rc = check_rule(&rules[i], err);
	x.room = cfg->max_size - reserved;
	if (!rc)
		rc = order_blocks(&x, err);
	if (!rc)
		rc = compile_all(&x, out, err);
	free(x.blocks);
	free(x.protects);
	if (rc) {
		free(out->bytes);
		*out = (struct fmp_apf_program){ 0 };
	}
	return rc;
}
