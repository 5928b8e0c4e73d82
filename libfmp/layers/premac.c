// SPDX-License-Identifier: GPL-2.0
/*
 * The layer "premac": the module's tables and attachments, over generic netlink.
 *
 * The module has one rule for each address: a protect rule replaces a block of the same address. A
 * pair of MAC and IP address counts as an address of its own.
 */
#include <layers/layer.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>

#include <net/addrset.h>
#include <net/devices.h>
#include <layers/dump.h>
#include <net/genl.h>
#include <net/protect.h>

struct premac_layer {
	struct fmpi_layer base;
	struct fmp_nl nl;
	const char (*devices)[16];
	unsigned n_devices, n_left_out;
	void *buf; /* room for a message with FMP_BATCH_MAX rules */
};

#define BUF_SIZE (256 + FMP_BATCH_MAX * (size_t)FMPI_GENL_RULE_MAX)

static struct premac_layer *to_premac(struct fmpi_layer *l)
{
	return (struct premac_layer *)l;
}

/* ---- dumps ---- */

struct rules_ctx {
	struct fmpi_rules *out;
	enum fmp_verdict verdict;
};

static int add_rule(const struct nlmsghdr *nlh, void *ctx)
{
	const struct rules_ctx *c = ctx;
	enum fmp_verdict verdict;
	struct fmp_rule r;

	if (!fmpi_genl_get_rule(nlh, &r, &verdict) || verdict != c->verdict)
		return 0;
	/* The protected set has no pairs: a protected pair is of another program. */
	if (verdict == FMP_VERDICT_PROTECT && r.pair_mac.family)
		return 0;
	r.is_own = true; /* no other program saves and restores the module's rules */
	return fmpi_rules_push(c->out, &r);
}

static int dump_rules(struct premac_layer *l, enum fmp_verdict verdict, struct fmpi_rules *out,
		      struct fmp_error *err)
{
	struct rules_ctx c = { .out = out, .verdict = verdict };

	return fmpi_genl_dump(&l->nl, FMP_CMD_RULE_GET, add_rule, &c, &out->n, err);
}

/* ---- changes ---- */

/* Send up to FMP_BATCH_MAX rules in one message, which the module accepts or refuses as a whole. */
static int send_rules(struct premac_layer *l, uint16_t family, enum fmp_verdict verdict,
		      const struct fmpi_change *const *c, size_t n, struct fmp_kerr *kerr,
		      struct fmp_error *err)
{
	bool add = c[0]->block;
	struct nlmsghdr *nlh = fmpi_genl_begin(
		l->buf, family, add ? FMP_CMD_RULE_ADD : FMP_CMD_RULE_DEL, NLM_F_ACK);
	int rc;

	for (size_t i = 0; i < n; i++)
		fmpi_genl_put_rule(nlh, &c[i]->addr, &c[i]->pair_mac,
				   add ? verdict : FMP_VERDICT_UNSPEC, add ? c[i]->left_ms : 0,
				   add ? c[i]->id : 0);
	rc = fmp_nl_request(&l->nl, nlh, NULL, NULL, kerr, err);
	l->base.told += !rc;
	return rc;
}

/*
 * Apply a run of changes of one kind. A run that the module refuses is halved until the rules at
 * fault are alone, so that all others are in force.
 */
static int apply_run(struct premac_layer *l, uint16_t family, enum fmp_verdict verdict,
		     struct fmpi_change **c, size_t n, struct fmp_error *err)
{
	struct fmp_kerr kerr;
	int rc =
		send_rules(l, family, verdict, (const struct fmpi_change *const *)c, n, &kerr, err);

	if (rc && rc != FMP_ERR_KERNEL && rc != FMP_ERR_DENIED)
		return rc;
	if (rc && n > 1) {
		rc = apply_run(l, family, verdict, c, n / 2, err);
		return rc ? rc : apply_run(l, family, verdict, c + n / 2, n - n / 2, err);
	}
	/* An absent rule is as good as deleted. */
	if (rc && !c[0]->block && kerr.sys_errno == ENOENT)
		fmp_kerr_set(&kerr, 0);
	for (size_t i = 0; i < n; i++) {
		c[i]->done = true;
		c[i]->result = kerr;
	}
	return 0;
}

/* Apply all changes in order, as runs of additions and of deletions. */
static int apply_all(struct premac_layer *l, enum fmp_verdict verdict, struct fmpi_change *c,
		     size_t n, struct fmp_error *err)
{
	struct fmpi_change *run[FMP_BATCH_MAX];
	size_t in_run = 0;
	uint16_t family;
	int rc = fmpi_genl_family(&l->nl, &family, err);

	for (size_t i = 0; !rc && i < n; i++) {
		if (c[i].done)
			continue;
		if (!c[i].block && c[i].kept) {
			c[i].done = true;
			continue;
		}
		if (in_run && (in_run == FMP_BATCH_MAX || run[0]->block != c[i].block)) {
			rc = apply_run(l, family, verdict, run, in_run, err);
			in_run = 0;
		}
		run[in_run++] = &c[i];
	}
	return rc || !in_run ? rc : apply_run(l, family, verdict, run, in_run, err);
}

static int premac_apply(struct fmpi_layer *l, struct fmpi_change *c, size_t n,
			struct fmp_error *err)
{
	return apply_all(to_premac(l), FMP_VERDICT_BLOCK, c, n, err);
}

/* ---- the protected set ---- */

/* Append a change for each address in @a that is not in @b. */
static void add_difference(const struct fmpi_addrset *a, const struct fmpi_addrset *b, bool block,
			   struct fmpi_change *c, size_t *n)
{
	for (size_t i = 0; i < a->n; i++) {
		if (!fmpi_addrset_has(b, &a->v[i]))
			c[(*n)++] = (struct fmpi_change){ .addr = a->v[i], .block = block };
	}
}

/* The protected set as it should be and as the module has it, both sorted. */
static int read_protected_sets(struct premac_layer *l, const struct fmp_protect_entry *set,
			       size_t n, struct fmpi_addrset *want, struct fmpi_addrset *have,
			       struct fmp_error *err)
{
	struct fmpi_rules rules = { 0 };
	int rc = dump_rules(l, FMP_VERDICT_PROTECT, &rules, err), full = 0;

	for (size_t i = 0; !rc && !full && i < rules.n; i++)
		full = fmpi_addrset_push(have, &rules.v[i].addr);
	for (size_t i = 0; !rc && !full && i < n; i++) {
		if (fmpi_protect_in_kernel(&set[i]))
			full = fmpi_addrset_push(want, &set[i].addr);
	}
	fmpi_rules_free(&rules);
	if (full)
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	fmpi_addrset_sort(want);
	fmpi_addrset_sort(have);
	return rc;
}

/* Return: the first refused change, as an error; 0: none. */
static int get_first_refusal(const struct fmpi_change *c, size_t n, struct fmp_error *err)
{
	char text[FMP_ADDR_STRLEN + 16];

	for (size_t i = 0; i < n; i++) {
		if (!c[i].result.sys_errno)
			continue;
		memcpy(text, "protect ", 8);
		fmp_addr_format(&c[i].addr, text + 8, sizeof(text) - 8);
		return fmp_kerr_error(&c[i].result, err, text);
	}
	return 0;
}

static int update_protected(struct premac_layer *l, const struct fmp_protect_entry *set, size_t n,
			    struct fmp_error *err)
{
	struct fmpi_addrset want = { 0 }, have = { 0 };
	struct fmpi_change *c = NULL;
	size_t changes = 0;
	int rc = read_protected_sets(l, set, n, &want, &have, err);

	if (!rc) {
		c = calloc(want.n + have.n + 1, sizeof(*c));
		if (!c) {
			fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
			rc = FMP_ERR_NOMEM;
		}
	}
	if (!rc) {
		/* Add before deleting, so that no address loses protection in between. */
		add_difference(&want, &have, true, c, &changes);
		add_difference(&have, &want, false, c, &changes);
		rc = apply_all(l, FMP_VERDICT_PROTECT, c, changes, err);
	}
	if (!rc)
		rc = get_first_refusal(c, changes, err);
	free(c);
	fmpi_addrset_free(&want);
	fmpi_addrset_free(&have);
	return rc;
}

/* ---- attachments ---- */

static int attach_all(struct premac_layer *l, struct fmp_error *err)
{
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_attach(&l->nl, l->devices, l->n_devices, err);

	if (!rc && l->n_left_out)
		rc = fmpi_devices_detach(&l->nl, l->devices + l->n_devices, l->n_left_out, err);
	if (!rc)
		rc = fmpi_devices_dump(&l->nl, &d, err);
	if (!rc)
		fmpi_devices_describe(&d, l->base.why, sizeof(l->base.why));
	fmpi_devices_free(&d);
	return rc;
}

static int premac_devices(struct fmpi_layer *base,
			  int (*cb)(const struct fmp_device *dev, void *ctx), void *ctx,
			  struct fmp_error *err)
{
	static const char *const hooks[FMP_HOOK_MAX + 1] = {
		[FMP_HOOK_NONE] = "none",	[FMP_HOOK_DRIVER] = "driver",
		[FMP_HOOK_INGRESS] = "ingress", [FMP_HOOK_MAC80211] = "mac80211",
		[FMP_HOOK_WAITING] = "waiting", [FMP_HOOK_MAC80211_PATCHED] = "mac80211-patched",
	};
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_dump(&to_premac(base)->nl, &d, err);

	for (size_t i = 0; !rc && i < d.n; i++) {
		const struct fmpi_genl_dev *v = &d.v[i];
		struct fmp_device dev = { .hook = v->hook > FMP_HOOK_MAX ? "?" : hooks[v->hook],
					  .observe = v->flags & FMP_DEV_F_OBSERVE,
					  .frames = v->frames,
					  .dropped = v->stopped,
					  .dropped_late = v->late,
					  .stopped_bytes = v->stopped_bytes,
					  .foreign = v->foreign,
					  .observed = v->observed };

		memcpy(dev.name, v->name, sizeof(dev.name));
		rc = cb(&dev, ctx);
	}
	fmpi_devices_free(&d);
	return rc;
}

/* ---- the layer ---- */

static int premac_build(struct fmpi_layer *base, const struct fmp_protect_entry *set, size_t n,
			struct fmp_error *err)
{
	struct premac_layer *l = to_premac(base);
	uint16_t family;
	int rc = fmpi_genl_family(&l->nl, &family, err);

	if (rc)
		return rc;
	if (!l->n_devices)
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "no device is named for it");
	/* Protect before the filter sees the first frame. */
	if (set)
		rc = update_protected(l, set, n, err);
	return rc ? rc : attach_all(l, err);
}

static int premac_intact(struct fmpi_layer *base, const struct fmp_protect_entry *set, size_t n,
			 bool *yes, struct fmp_error *err)
{
	struct premac_layer *l = to_premac(base);
	struct fmpi_addrset want = { 0 }, have = { 0 };
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_dump(&l->nl, &d, err);

	*yes = !rc;
	for (unsigned i = 0; *yes && i < l->n_devices; i++)
		*yes = fmpi_devices_is_pending(&d, l->devices[i]);
	/* Devices appear and disappear independently. */
	if (!rc)
		fmpi_devices_describe(&d, l->base.why, sizeof(l->base.why));
	if (!rc && *yes && set) {
		rc = read_protected_sets(l, set, n, &want, &have, err);
		*yes = !rc && fmpi_addrset_equal(&want, &have);
	}
	fmpi_devices_free(&d);
	fmpi_addrset_free(&want);
	fmpi_addrset_free(&have);
	return rc;
}

static int premac_dump_begin(struct fmpi_layer *l, struct fmpi_dump **out, struct fmp_error *err)
{
	uint16_t family, *parts;
	struct fmpi_dump *d;
	int rc = fmpi_genl_family(&to_premac(l)->nl, &family, err);

	if (!rc)
		rc = fmpi_dump_new(NETLINK_GENERIC, &d, err);
	if (rc)
		return rc;
	d->parts = parts = malloc(sizeof(*parts));
	if (!parts) {
		fmpi_dump_free(d);
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	}
	*parts = family;
	*out = d;
	return 0;
}

static int premac_dump_step(struct fmpi_layer *l, struct fmpi_dump *d, struct fmpi_rules *out,
			    struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];
	struct rules_ctx c = { .out = out, .verdict = FMP_VERDICT_BLOCK };

	return fmpi_dump_part(
		d, fmpi_genl_begin(buf, *(const uint16_t *)d->parts, FMP_CMD_RULE_GET, NLM_F_DUMP),
		add_rule, &c, out, err);
}

static int parse_stats(const struct nlmsghdr *nlh, void *ctx)
{
	const struct nlattr *tb[FMP_A_MAX + 1];
	struct fmp_layer_stats *out = ctx;

	fmp_nl_attrs_msg(tb, FMP_A_MAX, nlh, sizeof(struct genlmsghdr));
	out->protected_hits = fmp_nl_u64(tb[FMP_A_PROTECTED_HITS]);
	out->evicted = fmp_nl_u64(tb[FMP_A_EVICTED]);
	return 0;
}

static int premac_stats(struct fmpi_layer *base, struct fmp_layer_stats *out, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];
	struct premac_layer *l = to_premac(base);
	struct fmpi_devices d = { 0 };
	uint16_t family;
	int rc = fmpi_devices_dump(&l->nl, &d, err);

	for (size_t i = 0; !rc && i < d.n; i++) {
		out->dropped += d.v[i].stopped;
		out->dropped_late += d.v[i].late;
		out->stopped_bytes += d.v[i].stopped_bytes;
		out->foreign += d.v[i].foreign;
	}
	fmpi_devices_free(&d);
	if (!rc)
		rc = fmpi_genl_family(&l->nl, &family, err);
	if (!rc)
		rc = fmp_nl_request(&l->nl,
				    fmpi_genl_begin(buf, family, FMP_CMD_STATS_GET, NLM_F_ACK),
				    parse_stats, out, NULL, err);
	return rc;
}

static int premac_teardown(struct fmpi_layer *base, struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[64];
	struct premac_layer *l = to_premac(base);
	uint16_t family;
	int rc = fmpi_genl_family(&l->nl, &family, err);

	if (rc == FMP_ERR_UNSUPPORTED)
		return 0; /* without the module there is nothing to remove */
	if (!rc)
		rc = fmp_nl_request(&l->nl,
				    fmpi_genl_begin(buf, family, FMP_CMD_RULE_FLUSH, NLM_F_ACK),
				    NULL, NULL, NULL, err);
	return rc ? rc : fmpi_devices_detach_all(&l->nl, err);
}

static void premac_free(struct fmpi_layer *l)
{
	fmp_nl_close(&to_premac(l)->nl);
	free(to_premac(l)->buf);
	free(l);
}

static const struct fmpi_layer_ops ops = {
	.build = premac_build,
	.intact = premac_intact,
	.apply = premac_apply,
	.dump_begin = premac_dump_begin,
	.dump_step = premac_dump_step,
	.stats = premac_stats,
	.devices = premac_devices,
	.teardown = premac_teardown,
	.free = premac_free,
};

int fmpi_premac_open(const char (*devices)[16], unsigned n_devices, unsigned n_left_out,
		     struct fmpi_layer **out, struct fmp_error *err)
{
	struct premac_layer *l = calloc(1, sizeof(*l));
	int rc;

	if (!l)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	l->base.ops = &ops;
	l->devices = devices;
	l->n_devices = n_devices;
	l->n_left_out = n_left_out;
	l->buf = malloc(BUF_SIZE);
	rc = l->buf ? fmp_nl_open(&l->nl, NETLINK_GENERIC, err)
		    : fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	if (rc) {
		premac_free(&l->base);
		return rc;
	}
	snprintf(l->base.why, sizeof(l->base.why), "module fmp");
	*out = &l->base;
	return 0;
}
