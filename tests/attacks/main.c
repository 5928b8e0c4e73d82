// SPDX-License-Identifier: GPL-2.0
/*
 * attacks write DIR    the corpus as files, and DIR/index: one line each, TAB between
 *                      file, configuration, step, kind, SOAPAction, raw|again|once, name;
 *                      and a good message for each configuration
 * attacks count        each variant and a good message of its configuration and size go through
 *                      counted(), for callgrind; one line a pair, TAB between class, variant,
 *                      known|new, bytes, step, kind, bytes of the good message, memory in
 *                      bytes. known: what can be remembered is; new: nothing is, asked of
 *                      variants whose certificate is refused
 *
 * Started in the repository. Exit status: 0, or 2 for wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "judge.h"
#include "world.h"

#define SERVER "tests/interop/vectors/pki/server.crt"

static const char *kind_name(const struct attack *a)
{
	return a->kind == FMP_EVENT_GOOD ? "no event" : fmp_event_kind_name(a->kind);
}

/* "-saml": of a gateway that knows an issuer; "-content": that has rules. */
static const char *config_name(const struct attack *a)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s%s", fmp_security_name(a->security),
		 a->saml      ? "-saml"
		 : a->content ? "-content"
			      : "");
	return text;
}

static void write_file(const char *path, const struct attack_bytes *b)
{
	FILE *f = fopen(path, "we");

	NEED(f && fwrite(b->p, 1, b->len, f) == b->len && fclose(f) == 0);
}

static void write_good(struct attack_world *w, const char *dir, const struct attack *as)
{
	struct attack_bytes b = attack_accepted(w, as, 10000);
	char path[512];

	snprintf(path, sizeof(path), "%s/good-%s", dir, config_name(as));
	write_file(path, &b);
	free(b.p);
}

static void write_all(const char *dir)
{
	struct attack_world *w = attack_world_new(SERVER, time(NULL));
	const struct attack *a;
	char path[512];
	FILE *index;

	snprintf(path, sizeof(path), "%s/ca.crt", dir);
	attack_world_ca(w, path);
	snprintf(path, sizeof(path), "%s/idp.crt", dir);
	attack_world_idp(w, path);
	snprintf(path, sizeof(path), "%s/index", dir);
	index = fopen(path, "we");
	NEED(index);
	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b = attack_make(w, a);

		snprintf(path, sizeof(path), "%s/%03zu", dir, i);
		write_file(path, &b);
		free(b.p);
		fprintf(index, "%s\t%s\t%s\t%s\t%s\t%s\t%s: %s\n", path, config_name(a),
			fmp_step_name(a->step), kind_name(a), a->action ? a->action : "-",
			a->raw	   ? "raw"
			: a->again ? "again"
				   : "once",
			a->class, a->variant);
	}
	NEED(fclose(index) == 0);
	for (enum fmp_security s = FMP_SECURITY_BC; s <= FMP_SECURITY_BCE; s++)
		write_good(w, dir, &(struct attack){ .security = s });
	write_good(w, dir, &(struct attack){ .security = FMP_SECURITY_BCV, .saml = true });
	write_good(w, dir, &(struct attack){ .security = FMP_SECURITY_BCS, .saml = true });
	write_good(w, dir, &(struct attack){ .security = FMP_SECURITY_BCV, .content = true });
	attack_world_free(w);
}

/* What is counted: by this name. */
static __attribute__((noinline)) void counted(struct judge *j, const struct attack *a,
					      const struct attack_bytes *b)
{
	judge_look(j, a, b);
}

static void count_pair(struct judge *j, const struct attack *a, const struct attack_bytes *b,
		       bool is_new)
{
	struct attack_bytes good = attack_accepted(judge_world(j), a, b->len);
	struct attack as_good = { .security = a->security, .saml = a->saml, .content = a->content };

	if (is_new)
		judge_forget(j);
	else
		judge_look(j, a, b);
	counted(j, a, b);
	if (is_new)
		judge_forget(j);
	else
		judge_look(j, &as_good, &good);
	counted(j, &as_good, &good);
	printf("%s\t%s\t%s\t%zu\t%s\t%s\t%zu\t%zu\n", a->class, a->variant,
	       is_new ? "new" : "known", b->len, fmp_step_name(a->step), kind_name(a), good.len,
	       is_new ? 0 : judge_memory(j, a, b));
	free(good.p);
}

static void count_all(void)
{
	struct judge *j = judge_new("tests");
	const struct attack *a;

	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b;

		if (a->raw) {
			printf("%s\t%s\t-\t0\t%s\t%s\t0\t0\n", a->class, a->variant,
			       fmp_step_name(a->step), kind_name(a));
			continue;
		}
		b = attack_make(judge_world(j), a);
		count_pair(j, a, &b, false);
		if (a->kind == FMP_EVENT_TOKEN)
			count_pair(j, a, &b, true);
		free(b.p);
	}
	judge_free(j);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "write")) {
		write_all(argv[2]);
		return 0;
	}
	if (argc == 2 && !strcmp(argv[1], "count")) {
		count_all();
		return 0;
	}
	fputs("Usage: attacks write DIR | attacks count\n", stderr);
	return 2;
}
