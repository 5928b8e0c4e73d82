// SPDX-License-Identifier: GPL-2.0
/*
 * attacks write DIR    the corpus as files, and DIR/index: one line each, TAB between
 *                      file, configuration, step, kind, SOAPAction, raw|again|once, name;
 *                      and a good message for each configuration
 * attacks count        each variant and a good message of its configuration and size go through
 *                      counted(), under callgrind --instr-atstart=no. The first line: the most
 *                      memory that one may take; then one line a pair, TAB between class,
 *                      variant, known|new, bytes, step, kind, bytes of the good message, memory
 *                      in bytes, and which calls of counted() the two were, from 1. known: caches
 *                      are filled; new: they are empty, for variants whose certificate is
 *                      refused
 *
 * Started in the repository. Exit status: 0, or 2 for wrong usage.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <valgrind/callgrind.h>

#include "inspectors.h"
#include "pki.h"

#define SERVER "tests/interop/vectors/pki/server.crt"

static const char *kind_name(const struct attack *a)
{
	return a->kind == FMP_EVENT_GOOD ? "no event" : fmp_event_kind_name(a->kind);
}

/* "-saml": a gateway that knows an issuer; "-content": one with rules; "-encrypted": one that demands encrypted parts;
   "-symmetric": one that takes keys of an EncryptedKey; "-headers": one that demands a header block. */
static const char *config_name(const struct attack *a)
{
	static char text[32];

	snprintf(text, sizeof(text), "%s%s", fmp_security_name(a->security),
		 a->saml	      ? "-saml"
		 : a->content	      ? "-content"
		 : a->encrypted_parts ? "-encrypted"
		 : a->symmetric	      ? "-symmetric"
		 : a->headers	      ? "-headers"
				      : "");
	return text;
}

static void write_file(const char *path, const struct attack_bytes *b)
{
	FILE *f = fopen(path, "we");

	NEED(f && fwrite(b->p, 1, b->len, f) == b->len && fclose(f) == 0);
}

static void write_good(struct attack_pki *pki, const char *dir, const struct attack *as)
{
	struct attack_bytes b = attack_accepted(pki, as, 10000);
	char path[512];

	snprintf(path, sizeof(path), "%s/good-%s", dir, config_name(as));
	write_file(path, &b);
	free(b.p);
}

static void write_all(const char *dir)
{
	struct attack_pki *pki = attack_pki_new(SERVER, time(NULL));
	const struct attack *a;
	char path[512];
	FILE *index;

	snprintf(path, sizeof(path), "%s/ca.crt", dir);
	attack_pki_write_ca(pki, path);
	snprintf(path, sizeof(path), "%s/idp.crt", dir);
	attack_pki_write_idp(pki, path);
	snprintf(path, sizeof(path), "%s/index", dir);
	index = fopen(path, "we");
	NEED(index);
	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b = attack_make(pki, a);

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
		write_good(pki, dir, &(struct attack){ .security = s });
	write_good(pki, dir, &(struct attack){ .security = FMP_SECURITY_BCV, .saml = true });
	write_good(pki, dir, &(struct attack){ .security = FMP_SECURITY_BCS, .saml = true });
	write_good(pki, dir, &(struct attack){ .security = FMP_SECURITY_BCV, .content = true });
	write_good(pki, dir, &(struct attack){ .security = FMP_SECURITY_BCS, .symmetric = true });
	write_good(pki, dir, &(struct attack){ .security = FMP_SECURITY_BCS, .headers = true });
	write_good(pki, dir,
		   &(struct attack){ .security = FMP_SECURITY_BCE, .encrypted_parts = true });
	attack_pki_free(pki);
}

static unsigned calls;

/* callgrind counts this function by its name. */
static __attribute__((noinline)) unsigned counted(struct inspectors *set, const struct attack *a,
						  const struct attack_bytes *b)
{
	inspectors_inspect(set, a, b);
	return ++calls;
}

struct good {
	struct attack as;
	size_t items, len;
	bool is_new;
	unsigned call;
};

static bool is_same(const struct good *a, const struct good *b)
{
	return a->as.security == b->as.security && a->as.raw == b->as.raw &&
	       a->as.twin == b->as.twin && a->as.piece == b->as.piece && a->as.n == b->as.n &&
	       a->as.saml == b->as.saml && a->as.content == b->as.content &&
	       a->as.encrypted_parts == b->as.encrypted_parts &&
	       a->as.symmetric == b->as.symmetric && a->as.headers == b->as.headers &&
	       a->items == b->items && a->is_new == b->is_new;
}

/* One good message serves all variants that need the same. */
static const struct good *count_good(struct inspectors *set, const struct attack *a, size_t size,
				     bool is_new)
{
	static struct good seen[512];
	static size_t n;
	struct good want = { .as = { .security = a->security,
				     .raw = a->raw,
				     .saml = a->saml,
				     .content = a->content,
				     .encrypted_parts = a->encrypted_parts,
				     .symmetric = a->symmetric,
				     .headers = a->headers },
			     .items = attack_items(a, size),
			     .is_new = is_new };
	struct attack_bytes b;

	if (a->twin) {
		want.as.twin = a->twin;
		want.as.piece = a->piece;
		want.as.n = a->n;
	}
	for (size_t i = 0; i < n; i++)
		if (is_same(&seen[i], &want))
			return &seen[i];
	NEED(n < sizeof(seen) / sizeof(seen[0]));
	b = attack_accepted(inspectors_pki(set), a, size);
	want.len = b.len;
	if (is_new)
		inspectors_forget_messages(set, &want.as);
	else
		inspectors_inspect(set, &want.as, &b);
	want.call = counted(set, &want.as, &b);
	free(b.p);
	seen[n] = want;
	return &seen[n++];
}

static void count_pair(struct inspectors *set, const struct attack *a, const struct attack_bytes *b,
		       bool is_new)
{
	const struct good *good;
	size_t memory = 0;
	unsigned bad;

	if (is_new)
		inspectors_forget_messages(set, a);
	else
		memory = inspectors_peak_memory(set, a, b);
	bad = counted(set, a, b);
	good = count_good(set, a, b->len, is_new);
	printf("%s\t%s\t%s\t%zu\t%s\t%s\t%zu\t%zu\t%u\t%u\n", a->class, a->variant,
	       is_new ? "new" : "known", b->len, fmp_step_name(a->step), kind_name(a), good->len,
	       memory, bad, good->call);
}

static void count_all(void)
{
	struct inspectors *set = inspectors_new("tests");
	const struct attack *a;

	printf("%zu\n", 2 * inspectors_body_limit(set));
	/* Making the keys would take callgrind longer than many an attack. */
	CALLGRIND_START_INSTRUMENTATION;
	for (size_t i = 0; (a = attack_get(i)); i++) {
		struct attack_bytes b = attack_make(inspectors_pki(set), a);

		count_pair(set, a, &b, false);
		if (a->kind == FMP_EVENT_TOKEN)
			count_pair(set, a, &b, true);
		free(b.p);
	}
	inspectors_free(set);
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
