// SPDX-License-Identifier: GPL-2.0
/*
 * The policy reader under libFuzzer. What is refused is refused in words; what is accepted is
 * printed, and loads again as the same. So does what goes from the process that reads files to who
 * asked it, which has the same rights: it may be cut short, not made up.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fmp/policy.h>

#include <fmp/internal/policy_pack.h>

static unsigned long texts, accepted, refused[64];

static void print_counters(void)
{
	printf("policy: %lu texts, %lu of them accepted; refused:", texts, accepted);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		if (refused[i])
			printf(" %s %lu", fmp_code_name(-(int)i), refused[i]);
	printf("\n");
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	/* What a policy includes is not to be found. */
	if (access("policies/fmp-policy.xsd", R_OK) != 0)
		abort();
	atexit(print_counters);
	return 0;
}

static int load_policy(const void *bytes, size_t len, struct fmp_policy **out,
		       struct fmp_error *err)
{
	return fmp_policy_load_memory(bytes, len, "/nonexistent/fuzz.xml",
				      "policies/fmp-policy.xsd", out, err);
}

static int print_line(const char *line, void *ctx)
{
	return fputs(line, ctx) < 0 || fputc('\n', ctx) < 0;
}

static int print_change(const struct fmp_policy_change *c, void *ctx)
{
	fprintf(stderr, "%s: %s: %s -> %s\n", (const char *)ctx, c->path, c->from ? c->from : "-",
		c->to ? c->to : "-");
	abort();
}

static void prints_as_itself(const struct fmp_policy *p)
{
	struct fmp_error err = { 0 };
	struct fmp_policy *again;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);

	if (!f || fmp_policy_print(p, print_line, f) || fclose(f))
		abort();
	if (load_policy(text, len, &again, &err)) {
		fprintf(stderr, "what is printed does not load: %u:%u %s\n%s", err.line, err.column,
			err.message, text);
		abort();
	}
	fmp_policy_diff(p, again, print_change, "printed");
	fmp_policy_free(again);
	free(text);
}

static void arrives_as_itself(const struct fmp_policy *p)
{
	struct fmp_policy *again;
	char *bytes = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&bytes, &len);

	if (!f)
		abort();
	fmp_policy_pack(f, p, NULL);
	if (fclose(f) || fmp_policy_unpack(bytes, len, &again, NULL))
		abort();
	fmp_policy_diff(p, again, print_change, "packed");
	fmp_policy_free(again);
	/* Not all of it is nothing. */
	for (size_t cut = 1; cut <= len; cut *= 2)
		if (fmp_policy_unpack(bytes, len - cut, &again, NULL) == 0)
			abort();
	free(bytes);
}

static void try_text(const uint8_t *data, size_t size)
{
	struct fmp_error err = { 0 };
	struct fmp_policy *p = NULL;
	int ret = load_policy(data, size, &p, &err);

	texts++;
	if (ret) {
		if (p || !*err.message || ret > 0 ||
		    -ret >= (int)(sizeof(refused) / sizeof(refused[0])))
			abort();
		refused[-ret]++;
		return;
	}
	accepted++;
	prints_as_itself(p);
	arrives_as_itself(p);
	fmp_policy_free(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_text(data, size);
	return 0;
}
