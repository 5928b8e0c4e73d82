// SPDX-License-Identifier: GPL-2.0
/* A log as text -> the engine -> its decisions as text. */
#include <fmp/timeline.h>

#include <fmp/suspicion.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <suspicion/words.h>

#define LINE_MAX_BYTES 1024
#define TIME_MAX_MS    (1ull << 50)
#define PROTECT_MAX    64

struct fmp_player {
	const struct fmp_policy *policy;
	struct fmp_engine *engine;
	uint64_t now_ms;
	const char *name;
	unsigned line;
	const struct fmp_player_ops *ops;
	void *ctx;
	uint64_t seed;
	struct fmp_policy *own; /* read by the log itself; NULL: policy is the caller's */
	struct fmp_addr protect[PROTECT_MAX];
	size_t n_protect;
	struct fmp_error *err; /* of the line being played */
};

static int wrong(const struct fmp_player *p, const char *what, const char *word)
{
	return fmp_error_at(p->err, FMP_ERR_SYNTAX, p->name, p->line, 0, "%s: \"%.64s\"", what,
			    word);
}

FMP_PRINTF(2, 3) static int say(const struct fmp_player *p, const char *fmt, ...)
{
	char line[LINE_MAX_BYTES];
	va_list ap;
	int n;

	if (!p->ops->line)
		return 0;
	n = snprintf(line, sizeof(line), "%" PRIu64 ".%03" PRIu64 " ", p->now_ms / 1000,
		     p->now_ms % 1000);
	va_start(ap, fmt);
	vsnprintf(line + n, sizeof(line) - (size_t)n, fmt, ap);
	va_end(ap);
	return p->ops->line(line, p->ctx);
}

/* ---- out ---- */

static int say_decision(const struct fmp_player *p, const struct fmp_decision *d)
{
	char addr[FMP_ADDR_STRLEN], layers[32], lasts[32], what[FMP_ADDR_STRLEN + 32];
	int rc = p->ops->decision ? p->ops->decision(d, p->ctx) : 0;

	if (rc)
		return rc;
	fmp_addr_format(&d->source, addr, sizeof(addr));
	if (d->action == FMP_ACTION_UNBLOCK)
		return say(p, "unblock %s id=%" PRIu64 ": %s", addr, d->id, d->reason);
	if (d->measure == FMP_MEASURE_LIMIT)
		snprintf(what, sizeof(what), "limit %s to %u/s", addr, d->rate);
	else if (d->dest_port)
		snprintf(what, sizeof(what), "block %s port %u", addr, d->dest_port);
	else
		snprintf(what, sizeof(what), "block %s", addr);
	return say(p, "%s id=%" PRIu64 " for %s on %s: %s", what, d->id,
		   d->duration_ms ? fmp_duration_format(d->duration_ms, lasts, sizeof(lasts))
				  : "ever",
		   fmp_layers_format(d->layers, layers, sizeof(layers)), d->reason);
}

static int say_refused(const struct fmp_player *p, const char *verb, const struct fmp_addr *a,
		       int code)
{
	char addr[FMP_ADDR_STRLEN];

	return say(p, "refused %s %s: %s", verb, fmp_addr_format(a, addr, sizeof(addr)),
		   fmp_code_name(code));
}

static int say_source(const struct fmp_player *p, const struct fmp_addr *a)
{
	struct fmp_source_info i;
	char addr[FMP_ADDR_STRLEN], credit[32] = "";

	if (fmp_engine_get(p->engine, a, p->now_ms, &i))
		return say(p, "source %s unknown", fmp_addr_format(a, addr, sizeof(addr)));
	/* Where no policy gives credit, nothing is said of it. */
	if (i.credit)
		snprintf(credit, sizeof(credit), " credit=%u", i.credit);
	return say(p,
		   "source %s %s rank=%u%s events=%" PRIu64 " good=%" PRIu64 " unproven=%" PRIu64
		   " strikes=%u decision=%" PRIu64,
		   fmp_addr_format(&i.source, addr, sizeof(addr)), fmp_source_state_name(i.state),
		   i.rank, credit, i.events, i.good, i.unproven, i.strikes, i.decision_id);
}

static int say_stats(const struct fmp_player *p)
{
	struct fmp_engine_stats s;

	fmp_engine_get_stats(p->engine, p->now_ms, &s);
	return say(p,
		   "stats sources=%u suspicious=%u blocked=%u events=%" PRIu64 " good=%" PRIu64
		   " unproven=%" PRIu64 " decisions=%" PRIu64 " unblocks=%" PRIu64
		   " evicted=%" PRIu64 " untracked=%" PRIu64 " refused=%" PRIu64,
		   s.sources, s.suspicious, s.blocked, s.events, s.good, s.unproven, s.decisions,
		   s.unblocks, s.evicted, s.untracked, s.refused);
}

/* ---- playing ---- */

/* Lets the time pass, and the blocks end that end in it. */
static int advance(struct fmp_player *p, uint64_t to_ms)
{
	uint64_t next;

	while ((next = fmp_engine_next_ms(p->engine)) <= to_ms) {
		struct fmp_decision d;
		int rc;

		if (next > p->now_ms)
			p->now_ms = next;
		if (!fmp_engine_expire(p->engine, p->now_ms, &d))
			continue; /* it was a roll-up that had nothing to end: what is next is later */
		rc = say_decision(p, &d);
		if (rc)
			return rc;
	}
	p->now_ms = to_ms;
	return 0;
}

/* The i-th address behind a: the next host of IPv4, the next /64 of IPv6. */
static struct fmp_addr behind(struct fmp_addr a, uint64_t i)
{
	int last = a.family == FMP_FAMILY_IPV4 ? 3 : 7;

	for (int b = last; b >= 0 && i; b--) {
		i += a.bytes[b];
		a.bytes[b] = (uint8_t)i;
		i >>= 8;
	}
	return a;
}

static const struct fmp_addr *overlapping(const struct fmp_addr *set, size_t n,
					  const struct fmp_addr *a)
{
	for (size_t i = 0; i < n; i++)
		if (fmp_addr_overlaps(&set[i], a))
			return &set[i];
	return NULL;
}

static bool is_protected(const struct fmp_addr *a, void *ctx)
{
	const struct fmp_player *p = ctx;

	return overlapping(p->protect, p->n_protect, a) ||
	       overlapping(p->policy->protect, p->policy->n_protect, a);
}

/* As the management plane does: what overlaps a protected address is let go at once. */
static int take_decision(struct fmp_player *p, const struct fmp_decision *d)
{
	const struct fmp_addr *protect = overlapping(p->protect, p->n_protect, &d->source);
	char addr[FMP_ADDR_STRLEN], by[FMP_ADDR_STRLEN];

	if (!protect)
		return say_decision(p, d);
	fmp_engine_cancel(p->engine, &d->source, p->now_ms);
	return say(p, "spared %s: %s is protected", fmp_addr_format(&d->source, addr, sizeof(addr)),
		   fmp_addr_format(protect, by, sizeof(by)));
}

static int play_protect(struct fmp_player *p, const struct fmp_addr *a)
{
	if (p->n_protect == PROTECT_MAX)
		return wrong(p, "too many of", "protect");
	p->protect[p->n_protect++] = *a;
	return 0;
}

/* Another policy, from a file beside the log. One that is wrong leaves the old one in force. */
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
		return say(p, "refused policy %s: %u:%u: %s", file, why.line, why.column,
			   why.message);
	fmp_engine_set_policy(p->engine, fresh, p->now_ms);
	fmp_policy_free(p->own);
	p->own = fresh;
	p->policy = fresh;
	return say(p, "policy %s", file);
}

/* ---- a restart: what was saved comes into another engine ---- */

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

static int by_source(const void *a, const void *b)
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

		rc = code ? say_refused(p, "restore", &s->v[i].source, code) : 0;
	}
	return rc;
}

static int play_restart(struct fmp_player *p, uint64_t down_ms)
{
	struct fmp_engine *fresh = NULL;
	struct saved_rows s = { 0 };
	int rc = fmp_engine_save(p->engine, p->now_ms, save_row, &s);

	if (!rc)
		rc = fmp_engine_new(p->policy, p->seed, 1, &fresh, p->err);
	/* The table's own order is the seed's. */
	if (!rc && s.n)
		qsort(s.v, s.n, sizeof(*s.v), by_source);
	p->now_ms += down_ms;
	if (!rc)
		rc = restore_rows(p, &s, fresh, down_ms);
	free(s.v);
	if (rc) {
		fmp_engine_free(fresh);
		return rc;
	}
	fmp_engine_free(p->engine);
	p->engine = fresh;
	fmp_engine_set_guard(fresh, is_protected, p);
	return 0;
}

static int play_event(struct fmp_player *p, struct fmpi_args *a)
{
	if (!a->has_kind)
		return wrong(p, "an event needs a kind", "event");
	memcpy(a->event.detail, a->text, sizeof(a->text));
	for (uint64_t t = 0; t < a->times; t++) {
		int rc = t ? advance(p, p->now_ms + a->every_ms) : 0;

		for (uint64_t i = 0; !rc && i < a->sources; i++) {
			struct fmp_decision d;

			a->event.source = behind(a->addr, i);
			a->event.time_ns = p->now_ms * 1000000;
			if (p->ops->arrives && !p->ops->arrives(&a->event, p->ctx))
				continue;
			rc = fmp_engine_event(p->engine, &a->event, p->now_ms, &d);
			if (rc == 1)
				rc = take_decision(p, &d);
			else if (rc)
				rc = say_refused(p, "event", &a->event.source, rc);
		}
		if (rc)
			return rc;
	}
	return 0;
}

static int play_verb(struct fmp_player *p, const char *verb, struct fmpi_args *a)
{
	struct fmp_decision d = { 0 };
	int rc = 0;

	if (!strcmp(verb, "wait"))
		return 0;
	if (!strcmp(verb, "stats"))
		return say_stats(p);
	if (!a->has_addr)
		return wrong(p, "an address is missing", verb);
	if (!strcmp(verb, "event"))
		return play_event(p, a);
	if (!strcmp(verb, "show"))
		return say_source(p, &a->addr);
	if (!strcmp(verb, "protect"))
		return play_protect(p, &a->addr);

	if (!strcmp(verb, "cancel")) {
		fmp_engine_cancel(p->engine, &a->addr, p->now_ms);
	} else if (!strcmp(verb, "pair")) {
		fmp_engine_pair(p->engine, &a->addr, true, p->now_ms);
	} else if (!strcmp(verb, "block")) {
		rc = fmp_engine_block(p->engine, &a->addr, a->layers, a->duration_ms, a->text,
				      p->now_ms, &d);
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
		return wrong(p, "no such happening", verb);
	}
	if (rc)
		return say_refused(p, verb, &a->addr, rc);
	return d.id ? say_decision(p, &d) : 0;
}

/* What is said of the engine, not of a source. */
static int play_change(struct fmp_player *p, const char *verb, const char *word, uint64_t at_ms)
{
	uint64_t down_ms = 0;
	int rc;

	if (!word)
		return wrong(p, "says not what", verb);
	if (*verb == 'r' && (fmp_duration_parse(word, &down_ms) || down_ms > TIME_MAX_MS))
		return wrong(p, "not a duration", word);
	rc = advance(p, at_ms);
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
		return wrong(p, "not a time", time);
	if (*time == '+' && __builtin_add_overflow(at, p->now_ms, &at))
		return wrong(p, "not a time", time);
	if (at > TIME_MAX_MS)
		return wrong(p, "too late", time);
	if (at < p->now_ms)
		return wrong(p, "before the line above", time);
	verb = fmpi_word_next(&line);
	if (!verb)
		return wrong(p, "nothing happens at", time);
	if (!strcmp(verb, "policy") || !strcmp(verb, "restart"))
		return play_change(p, verb, fmpi_word_next(&line), at);
	a = (struct fmpi_args){ .event = { .proven = true },
				.duration_ms = p->policy->block.duration_ms,
				.layers = p->policy->block.layers,
				.sources = 1,
				.times = 1 };
	word = fmpi_args_parse(line, &a, &what);
	rc = word ? wrong(p, what, word) : 0;
	if (!rc)
		rc = advance(p, at);
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
	rc = fmp_engine_new(policy, seed, 1, &p->engine, err);
	if (rc) {
		free(p);
		return rc;
	}
	fmp_engine_set_guard(p->engine, is_protected, p);
	*out = p;
	return 0;
}

void fmp_player_free(struct fmp_player *p)
{
	if (!p)
		return;
	fmp_engine_free(p->engine);
	fmp_policy_free(p->own);
	free(p);
}

int fmp_player_line(struct fmp_player *p, const char *text, size_t len, struct fmp_error *err)
{
	char buf[LINE_MAX_BYTES];

	p->err = err;
	p->line++;
	if (len >= sizeof(buf) || memchr(text, '\0', len))
		return wrong(p, "not a line of text", "");
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
