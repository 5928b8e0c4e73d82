// SPDX-License-Identifier: GPL-2.0
/* Plays a log: text in, the engine's decisions as text out. */
#include <fmp/timeline.h>

#include <fmp/suspicion.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <timeline/player.h>
#include <timeline/words.h>

#define TIME_MAX_MS (1ull << 50)

static int fail_syntax(const struct fmp_player *p, const char *what, const char *word)
{
	return fmp_error_at(p->err, FMP_ERR_SYNTAX, p->name, p->line, 0, "%s: \"%.64s\"", what,
			    word);
}

/* ---- playing ---- */

static void set_translators(struct fmp_player *p)
{
	static const struct fmp_translators none;

	fmp_engine_set_translators(p->engine, p->policy->nat64_discover ? &p->found : &none);
}

static int report_decision(struct fmp_player *p, const struct fmp_decision *d)
{
	if (fmpi_paired_update(&p->paired, d))
		return fmp_error_set(p->err, FMP_ERR_NOMEM, "no memory");
	return fmpi_print_decision(p, d);
}

/* Cancel a decision against a protected address at once, like fmpd does. @ip: address whose MAC
 * to block */
static int handle_decision(struct fmp_player *p, struct fmp_decision *d, const struct fmp_addr *ip)
{
	const struct fmp_protect_entry *by =
		fmp_protect_check_host(p->link.protect, &d->source, &p->policy->nat64);
	char addr[FMP_ADDR_STRLEN], text[FMP_ADDR_STRLEN];

	if (!by) {
		fmpi_link_decide(&p->link, p->engine, ip, p->now_ms, d);
		fmp_engine_pair(p->engine, &d->source, d->pair_mac.family != FMP_FAMILY_NONE,
				p->now_ms);
		return report_decision(p, d);
	}
	fmp_engine_cancel(p->engine, &d->source, p->now_ms);
	if (p->ops->exempted)
		p->ops->exempted(&d->source, p->ctx);
	return fmpi_print_line(p, "spared %s: %s is protected",
			       fmp_addr_format(&d->source, addr, sizeof(addr)),
			       fmp_addr_format(&by->addr, text, sizeof(text)));
}

/* Advance the time, and end the blocks that expire. */
static int advance_to(struct fmp_player *p, uint64_t to_ms)
{
	uint64_t next;

	while ((next = fmp_engine_next_ms(p->engine)) <= to_ms) {
		struct fmp_decision d;
		int rc;

		if (next > p->now_ms)
			p->now_ms = next;
		if (!fmp_engine_expire(p->engine, p->now_ms, &d))
			continue; /* an aggregation had nothing to end; continue with the next */
		rc = d.action == FMP_ACTION_BLOCK ? handle_decision(p, &d, &d.source)
						  : report_decision(p, &d);
		if (rc)
			return rc;
	}
	p->now_ms = to_ms;
	fmpi_link_at(&p->link, to_ms);
	return 0;
}

/*
 * The i-th address after @a: the next host in IPv4, the next /64 in IPv6; if the prefix can't be
 * blocked, the next host in it.
 */
static struct fmp_addr nth_address(struct fmp_player *p, struct fmp_addr a, uint64_t i)
{
	struct fmp_addr prefix = fmp_addr_mask(a, p->policy->suspicion.ipv6_prefix);
	bool alone = fmp_addr_is_translated(&a, &p->policy->nat64) ||
		     fmp_addr_is_found(&a, &p->found) || fmpi_link_protect_check(&prefix, &p->link);
	int last = a.family == FMP_FAMILY_IPV4 ? 3 : alone ? 15 : 7;

	for (int b = last; b >= 0 && i; b--) {
		i += a.bytes[b];
		a.bytes[b] = (uint8_t)i;
		i >>= 8;
	}
	return a;
}

struct protected_search {
	const struct fmp_protect *by;
	const struct fmp_translators *nat64;
	/* family 0: none; the lowest one, for the order of the table depends on the seed */
	struct fmp_addr first;
};

static int find_protected(const struct fmp_source_info *row, void *ctx)
{
	struct protected_search *f = ctx;

	if (row->blocked_until_ms && fmp_protect_check_host(f->by, &row->source, f->nat64) &&
	    (!f->first.family || fmp_addr_compare(&row->source, &f->first) < 0))
		f->first = row->source;
	return 0;
}

/* Turn pair blocks whose MAC is protected now into blocks of the address. */
static int unpair_protected(struct fmp_player *p)
{
	int rc = 0;

	for (size_t i = 0; i < p->paired.n && !rc;) {
		struct fmpi_paired_entry one = p->paired.v[i];
		struct fmp_source_info row;

		if (!fmp_protect_check(p->link.protect, &one.mac)) {
			i++;
			continue;
		}
		fmpi_paired_drop(&p->paired, i);
		/* It may have ended without a decision: by a restart, or cancelled. */
		if (fmp_engine_get(p->engine, &one.source, p->now_ms, &row) ||
		    !row.blocked_until_ms || row.decision_id != one.id)
			continue;
		fmp_engine_pair(p->engine, &one.source, false, p->now_ms);
		if (p->ops->unpaired)
			p->ops->unpaired(&one.source, p->ctx);
		rc = fmpi_print_unpaired(p, &one);
	}
	return rc;
}

/* End the blocks that the protected set forbids now, like fmpd does when it changes. */
static int end_protected(struct fmp_player *p)
{
	struct fmp_decision d;
	char addr[FMP_ADDR_STRLEN], why[FMP_ADDR_STRLEN + 16];
	int rc = 0;

	while (!rc) {
		struct protected_search f = { .by = p->link.protect, .nat64 = &p->policy->nat64 };

		fmp_engine_each(p->engine, p->now_ms, find_protected, &f);
		if (!f.first.family)
			break;
		snprintf(why, sizeof(why), "%s is protected",
			 fmp_addr_format(&f.first, addr, sizeof(addr)));
		rc = fmp_engine_unblock(p->engine, &f.first, why, p->now_ms, &d);
		if (!rc)
			rc = report_decision(p, &d);
	}
	return rc ? rc : unpair_protected(p);
}

/* Load another policy, from a file beside the log. An invalid one leaves the old one in force. */
static int play_policy(struct fmp_player *p, const char *file)
{
	const char *slash = strrchr(p->name, '/');
	int dir = slash && *file != '/' ? (int)(slash - p->name) + 1 : 0;
	struct fmp_policy *fresh;
	struct fmp_error why;
	char path[512];
	int rc;

	snprintf(path, sizeof(path), "%.*s%s", dir, p->name, file);
	rc = fmp_policy_load(path, NULL, &fresh, &why);
	if (rc)
		return fmpi_print_line(p, "refused policy %s: %u:%u: %s", file, why.line,
				       why.column, why.message);
	fmp_engine_set_policy(p->engine, fresh, p->now_ms);
	(void)fmp_engine_trim(p->engine, p->now_ms);
	rc = fmpi_link_policy(&p->link, fresh, p->err);
	fmp_policy_free(p->own);
	p->own = fresh;
	p->policy = fresh;
	set_translators(p);
	rc = rc ? rc : fmpi_print_line(p, "policy %s", file);
	return rc ? rc : end_protected(p);
}

/* ---- a restart: saved rows are restored into another engine ---- */

struct saved_rows {
	struct fmp_saved_source *v;
	size_t n;
};

static int save_row(const struct fmp_saved_source *row, void *ctx)
{
	struct saved_rows *s = ctx;
	struct fmp_saved_source *more = realloc(s->v, (s->n + 1) * sizeof(*more));

	if (!more)
		return FMP_ERR_NOMEM;
	s->v = more;
	s->v[s->n++] = *row;
	return 0;
}

static int compare_sources(const void *a, const void *b)
{
	return fmp_addr_compare(&((const struct fmp_saved_source *)a)->source,
				&((const struct fmp_saved_source *)b)->source);
}

static int restore_rows(struct fmp_player *p, const struct saved_rows *s, struct fmp_engine *fresh,
			uint64_t age_ms)
{
	int rc = 0;

	for (size_t i = 0; i < s->n && !rc; i++) {
		int code = fmp_engine_restore(fresh, &s->v[i], age_ms, p->now_ms);

		rc = code ? fmpi_print_refused(p, "restore", &s->v[i].source, code) : 0;
	}
	return rc;
}

static void connect_link(struct fmp_player *p)
{
	set_translators(p);
	fmp_engine_set_protect_check(p->engine, fmpi_link_protect_check, &p->link);
	fmp_engine_set_mac_siblings(p->engine, fmpi_link_mac_siblings, &p->link);
}

static int play_restart(struct fmp_player *p, uint64_t down_ms)
{
	struct fmp_engine *fresh = NULL;
	struct saved_rows s = { 0 };
	int rc = fmp_engine_save(p->engine, p->now_ms, save_row, &s);

	if (!rc)
		rc = fmp_engine_new(p->policy, p->seed, 1, &fresh, p->err);
	/* The order of the table depends on the seed. */
	if (!rc && s.n)
		qsort(s.v, s.n, sizeof(*s.v), compare_sources);
	p->now_ms += down_ms;
	fmpi_link_at(&p->link, p->now_ms);
	if (!rc)
		rc = restore_rows(p, &s, fresh, down_ms);
	free(s.v);
	if (rc) {
		fmp_engine_free(fresh);
		return rc;
	}
	fmp_engine_free(p->engine);
	p->engine = fresh;
	connect_link(p);
	return 0;
}

/* The neighbour may be a gateway: its MAC is protected from then on. */
static int play_observed(struct fmp_player *p, const struct fmp_addr *ip,
			 const struct fmp_addr *mac)
{
	int rc = fmpi_link_observe(&p->link, ip, mac);

	if (rc < 0)
		return fail_syntax(p, "not a neighbour", "mac");
	return rc ? end_protected(p) : 0;
}

static int play_event(struct fmp_player *p, struct fmpi_args *a)
{
	if (!a->has_kind)
		return fail_syntax(p, "an event needs a kind", "event");
	memcpy(a->event.detail, a->text, sizeof(a->text));
	for (uint64_t t = 0; t < a->times; t++) {
		int rc = t ? advance_to(p, p->now_ms + a->every_ms) : 0;

		for (uint64_t i = 0; !rc && i < a->sources; i++) {
			struct fmp_decision d;

			a->event.source = nth_address(p, a->addr, i);
			a->event.time_ns = p->now_ms * 1000000;
			rc = a->mac.family ? play_observed(p, &a->event.source, &a->mac) : 0;
			if (rc)
				return rc;
			if (p->ops->arrives && !p->ops->arrives(&a->event, p->ctx))
				continue;
			rc = fmp_engine_event(p->engine, &a->event, p->now_ms, &d);
			if (rc == 1)
				rc = handle_decision(p, &d, &a->event.source);
			else if (rc)
				rc = fmpi_print_refused(p, "event", &a->event.source, rc);
		}
		if (rc)
			return rc;
	}
	return 0;
}

static int play_link(struct fmp_player *p, const char *verb, const struct fmpi_args *a)
{
	char addr[FMP_ADDR_STRLEN];

	if (fmpi_link_add_fact(&p->link, verb, a))
		return fail_syntax(p, "that can't be said of",
				   fmp_addr_format(&a->addr, addr, sizeof(addr)));
	return end_protected(p);
}

static int play_nat64(struct fmp_player *p, const struct fmp_addr *prefix, bool gone)
{
	struct fmp_translators *t = &p->found;
	char addr[FMP_ADDR_STRLEN];
	uint32_t i = 0;

	if (!fmp_translator_valid(prefix))
		return fail_syntax(p, "not a prefix of a translator",
				   fmp_addr_format(prefix, addr, sizeof(addr)));
	while (i < t->n && !fmp_addr_equal(&t->prefix[i], prefix))
		i++;
	if (gone && i < t->n)
		t->prefix[i] = t->prefix[--t->n];
	else if (!gone && i == t->n && t->n == FMP_TRANSLATORS_MAX)
		return fail_syntax(p, "more prefixes than there can be",
				   fmp_addr_format(prefix, addr, sizeof(addr)));
	else if (!gone && i == t->n)
		t->prefix[t->n++] = *prefix;
	set_translators(p);
	return 0;
}

static int play_block(struct fmp_player *p, const struct fmpi_args *a)
{
	struct fmp_decision d;
	int rc;

	if (fmp_protect_check_host(p->link.protect, &a->addr, &p->policy->nat64)) {
		if (p->ops->exempted)
			p->ops->exempted(&a->addr, p->ctx);
		return fmpi_print_refused(p, "block", &a->addr, FMP_ERR_PROTECTED);
	}
	rc = fmp_engine_block(p->engine, &a->addr, a->layers, a->duration_ms, a->text, p->now_ms,
			      &d);
	if (rc)
		return fmpi_print_refused(p, "block", &a->addr, rc);
	fmpi_link_decide(&p->link, p->engine, &a->addr, p->now_ms, &d);
	return report_decision(p, &d);
}

static int play_verb(struct fmp_player *p, const char *verb, struct fmpi_args *a)
{
	struct fmp_decision d = { 0 };
	int rc = 0;

	if (!strcmp(verb, "wait"))
		return 0;
	if (!strcmp(verb, "stats"))
		return fmpi_print_stats(p);
	if (!a->has_addr)
		return fail_syntax(p, "an address is missing", verb);
	if (!strcmp(verb, "event"))
		return play_event(p, a);
	if (!strcmp(verb, "show"))
		return fmpi_print_source(p, &a->addr);
	if (!strcmp(verb, "nat64") || !strcmp(verb, "no-nat64"))
		return play_nat64(p, &a->addr, *verb == 'n' && verb[1] == 'o');
	if (fmpi_link_is_verb(verb))
		return play_link(p, verb, a);
	if (!strcmp(verb, "cancel")) {
		fmp_engine_cancel(p->engine, &a->addr, p->now_ms);
	} else if (!strcmp(verb, "pair")) {
		fmp_engine_pair(p->engine, &a->addr, true, p->now_ms);
	} else if (!strcmp(verb, "block")) {
		return play_block(p, a);
	} else if (!strcmp(verb, "unblock")) {
		rc = fmp_engine_unblock(p->engine, &a->addr, a->text, p->now_ms, &d);
	} else if (!strcmp(verb, "adopt")) {
		struct fmp_decision found = { .id = a->id,
					      .action = FMP_ACTION_BLOCK,
					      .source = a->addr,
					      .layers = a->layers,
					      .duration_ms = a->duration_ms };

		rc = fmp_engine_adopt(p->engine, &found, p->now_ms);
	} else {
		return fail_syntax(p, "no such happening", verb);
	}
	if (rc)
		return fmpi_print_refused(p, verb, &a->addr, rc);
	return d.id ? report_decision(p, &d) : 0;
}

/* A change of the engine itself. */
static int play_change(struct fmp_player *p, const char *verb, const char *word, uint64_t at_ms)
{
	uint64_t down_ms = 0;
	int rc;

	if (!word)
		return fail_syntax(p, "says not what", verb);
	if (*verb == 'r' && (fmp_duration_parse(word, &down_ms) || down_ms > TIME_MAX_MS))
		return fail_syntax(p, "not a duration", word);
	rc = advance_to(p, at_ms);
	if (rc)
		return rc;
	return *verb == 'r' ? play_restart(p, down_ms) : play_policy(p, word);
}

static int play_line(struct fmp_player *p, char *line)
{
	const char *time = fmpi_word_next(&line), *verb;
	const char *word, *what = "";
	struct fmpi_args a;
	uint64_t at;
	int rc;

	if (!time)
		return 0;
	if (fmp_duration_parse(*time == '+' ? time + 1 : time, &at))
		return fail_syntax(p, "not a time", time);
	if (*time == '+' && __builtin_add_overflow(at, p->now_ms, &at))
		return fail_syntax(p, "not a time", time);
	if (at > TIME_MAX_MS)
		return fail_syntax(p, "too late", time);
	if (at < p->now_ms)
		return fail_syntax(p, "before the line above", time);
	verb = fmpi_word_next(&line);
	if (!verb)
		return fail_syntax(p, "nothing happens at", time);
	if (!strcmp(verb, "policy") || !strcmp(verb, "restart"))
		return play_change(p, verb, fmpi_word_next(&line), at);
	a = (struct fmpi_args){ .event = { .proven = true },
				.duration_ms = p->policy->block.duration_ms,
				.layers = p->policy->block.layers,
				.sources = 1,
				.times = 1 };
	word = fmpi_args_parse(line, &a, &what);
	rc = word ? fail_syntax(p, what, word) : 0;
	if (!rc)
		rc = advance_to(p, at);
	return rc ? rc : play_verb(p, verb, &a);
}

int fmp_player_new(const struct fmp_policy *policy, uint64_t seed, const char *name,
		   const struct fmp_player_ops *ops, void *ctx, struct fmp_player **out,
		   struct fmp_error *err)
{
	struct fmp_player *p = malloc(sizeof(*p));
	int rc;

	if (!p)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	*p = (struct fmp_player){
		.policy = policy, .name = name, .ops = ops, .ctx = ctx, .seed = seed
	};
	rc = fmpi_link_init(&p->link, policy, err);
	if (!rc)
		rc = fmp_engine_new(policy, seed, 1, &p->engine, err);
	if (rc) {
		fmp_player_free(p);
		return rc;
	}
	connect_link(p);
	*out = p;
	return 0;
}

void fmp_player_free(struct fmp_player *p)
{
	if (!p)
		return;
	fmp_engine_free(p->engine);
	fmpi_link_exit(&p->link);
	fmpi_paired_free(&p->paired);
	fmp_policy_free(p->own);
	free(p);
}

int fmp_player_line(struct fmp_player *p, const char *text, size_t len, struct fmp_error *err)
{
	char buf[LINE_MAX_BYTES];

	p->err = err;
	p->line++;
	if (len >= sizeof(buf) || memchr(text, '\0', len))
		return fail_syntax(p, "not a line of text", "");
	memcpy(buf, text, len);
	buf[len] = '\0';
	return play_line(p, buf);
}

uint64_t fmp_player_now(const struct fmp_player *p)
{
	return p->now_ms;
}

struct fmp_engine *fmp_player_engine(struct fmp_player *p)
{
	return p->engine;
}

int fmp_player_mac(struct fmp_player *p, const struct fmp_addr *ip, struct fmp_addr *mac)
{
	return fmp_net_lookup_mac(p->link.net, ip, mac);
}

int fmp_timeline_play(const struct fmp_policy *policy, uint64_t seed, const char *text, size_t len,
		      const char *name, int (*line)(const char *text, void *ctx), void *ctx,
		      struct fmp_error *err)
{
	const struct fmp_player_ops ops = { .line = line };
	const char *end = text + len;
	struct fmp_player *p = NULL;
	int rc = fmp_player_new(policy, seed, name, &ops, ctx, &p, err);

	while (!rc && text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((stop ? stop : end) - text);

		rc = fmp_player_line(p, text, n, err);
		text += n + (stop != NULL);
	}
	fmp_player_free(p);
	return rc;
}
