// SPDX-License-Identifier: GPL-2.0
#include "simulate_plot.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROWS	  14
#define WIDTH_MAX 200
#define LABEL	  9 /* width of the axis labels, in characters */

extern char **environ;

static uint32_t highest_rank(const struct fmp_policy *policy, const struct simulation *s)
{
	uint32_t top = policy->suspicion.malicious;

	for (size_t i = 0; i < s->n; i++)
		if (s->samples[i].rank > top)
			top = s->samples[i].rank;
	return top;
}

/* ---- in characters ---- */

struct column {
	bool there, blocked, decided;
	uint32_t low, high; /* rank */
};

static void fill_columns(const struct simulation *s, struct column *c, unsigned width)
{
	uint64_t end = s->samples[s->n - 1].at_ms;

	for (size_t i = 0; i < s->n; i++) {
		const struct sample *x = &s->samples[i];
		unsigned at = end ? (unsigned)(x->at_ms * (width - 1) / end) : 0;

		if (!c[at].there || x->rank < c[at].low)
			c[at].low = x->rank;
		if (!c[at].there || x->rank > c[at].high)
			c[at].high = x->rank;
		c[at].there = true;
		c[at].blocked |= x->state == FMP_STATE_MALICIOUS;
		c[at].decided |= x->decided;
	}
	/* With fewer samples than columns, a sample lasts until the next one. */
	for (unsigned i = 1; i < width; i++)
		if (!c[i].there) {
			c[i] = c[i - 1];
			c[i].decided = false;
		}
}

static unsigned rank_row(uint32_t rank, uint32_t top)
{
	return (unsigned)((uint64_t)rank * (ROWS - 1) / top);
}

static void print_row(const struct fmp_policy *policy, const struct column *c, unsigned width,
		      unsigned row, uint32_t top)
{
	const struct fmp_policy_suspicion *p = &policy->suspicion;
	bool malicious = row == rank_row(p->malicious, top);
	bool suspicious = !malicious && row == rank_row(p->suspicious, top);
	char line[WIDTH_MAX + 1];

	for (unsigned i = 0; i < width; i++)
		line[i] = row >= rank_row(c[i].low, top) && row <= rank_row(c[i].high, top) ? '*'
			  : malicious || suspicious					    ? '-'
											    : ' ';
	while (width && line[width - 1] == ' ')
		width--;
	if (malicious || suspicious)
		printf("%*u |%.*s\n", LABEL, malicious ? p->malicious : p->suspicious, (int)width,
		       line);
	else
		printf("%*s |%.*s\n", LABEL, row ? "" : "0", (int)width, line);
}

void plot_text(const struct fmp_policy *policy, const struct simulation *s, unsigned width)
{
	struct column c[WIDTH_MAX] = { { 0 } };
	uint32_t top = highest_rank(policy, s);
	char end[32];

	printf("%*s  Rank of the first source under policy %s\n", LABEL, "", policy->name);
	width = width < 40 ? 40 : width > WIDTH_MAX + LABEL + 2 ? WIDTH_MAX : width - LABEL - 2;
	fill_columns(s, c, width);
	for (unsigned row = ROWS; row--;)
		print_row(policy, c, width, row, top);
	printf("%*s |", LABEL, "blocked");
	for (unsigned i = 0; i < width; i++)
		putchar(c[i].blocked ? '#' : '_');
	printf("\n%*s |", LABEL, "decisions");
	for (unsigned i = 0; i < width; i++)
		putchar(c[i].decided ? '^' : ' ');
	fmp_duration_format(s->samples[s->n - 1].at_ms, end, sizeof(end));
	printf("\n%*s  0s%*s  time\n", LABEL, "", (int)width - 8, end);
}

/* ---- by gnuplot ---- */

static const char *gnuplot_terminal(const char *file)
{
	const char *dot = strrchr(file, '.');

	if (dot && !strcmp(dot, ".svg"))
		return "svg size 900,450";
	return dot && !strcmp(dot, ".png") ? "pngcairo size 900,450" : NULL;
}

/* Write a gnuplot string in single quotes, in which a quote is doubled. */
static void put_quoted(FILE *f, const char *text)
{
	putc('\'', f);
	for (; *text; text++) {
		if (*text == '\'')
			putc('\'', f);
		putc(*text, f);
	}
	putc('\'', f);
}

struct time_unit {
	double ms;
	const char *name;
};

/* Choose the largest unit of which the time axis has more than three. */
static struct time_unit choose_time_unit(uint64_t end_ms)
{
	if (end_ms > 3 * 86400000ULL)
		return (struct time_unit){ 86400000, "days" };
	if (end_ms > 3 * 3600000ULL)
		return (struct time_unit){ 3600000, "hours" };
	if (end_ms > 3 * 60000ULL)
		return (struct time_unit){ 60000, "minutes" };
	return (struct time_unit){ 1000, "seconds" };
}

static void write_script(FILE *f, const struct fmp_policy *policy, const struct simulation *s,
			 const char *file)
{
	const struct fmp_policy_suspicion *p = &policy->suspicion;
	const struct time_unit unit = choose_time_unit(s->samples[s->n - 1].at_ms);
	uint32_t top = highest_rank(policy, s);
	bool decided = false;
	char title[160];

	fprintf(f, "set terminal %s\nset output ", gnuplot_terminal(file));
	put_quoted(f, file);
	fputs("\nset title noenhanced ", f);
	snprintf(title, sizeof(title), "Rank of the first source under policy %s", policy->name);
	put_quoted(f, title);
	fprintf(f, "\nset xlabel 'time in %s'\nset ylabel 'rank in points'\nset yrange [0:%.1f]\n",
		unit.name, top * 1.1);
	fprintf(f, "$rank << END\n");
	for (size_t i = 0; i < s->n; i++)
		fprintf(f, "%.3f %u %u\n", (double)s->samples[i].at_ms / unit.ms,
			s->samples[i].rank, s->samples[i].state == FMP_STATE_MALICIOUS ? top : 0);
	fprintf(f, "END\n$decisions << END\n");
	for (size_t i = 0; i < s->n; i++) {
		if (!s->samples[i].decided)
			continue;
		decided = true;
		fprintf(f, "%.3f %u\n", (double)s->samples[i].at_ms / unit.ms, s->samples[i].rank);
	}
	fprintf(f, "END\nset style fill transparent solid 0.2 noborder\n");
	fprintf(f,
		"plot $rank using 1:3 with filledcurves y1=0 lc rgb 'red' title 'blocked', "
		"$rank using 1:2 with lines lw 2 lc rgb 'black' title 'rank', "
		"%u with lines dt 2 lc rgb 'red' title 'malicious', "
		"%u with lines dt 2 lc rgb 'orange' title 'suspicious'%s\n",
		p->malicious, p->suspicious,
		decided ? ", $decisions using 1:2 with points pt 7 lc rgb 'red' title 'decision'"
			: "");
}

/* Return: the standard input of gnuplot; NULL with errno. */
static FILE *start_gnuplot(pid_t *pid)
{
	static const char *const argv[] = { "gnuplot", "-", NULL };
	posix_spawn_file_actions_t actions;
	FILE *f;
	int fds[2], rc;

	if (pipe(fds))
		return NULL;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, fds[0], STDIN_FILENO);
	posix_spawn_file_actions_addclose(&actions, fds[0]);
	posix_spawn_file_actions_addclose(&actions, fds[1]);
	rc = posix_spawnp(pid, argv[0], &actions, NULL, (char *const *)argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	close(fds[0]);
	f = rc ? NULL : fdopen(fds[1], "w");
	if (!f) {
		close(fds[1]);
		errno = rc ? rc : errno;
	}
	return f;
}

int plot_file(const struct fmp_policy *policy, const struct simulation *s, const char *file,
	      struct fmp_error *err)
{
	void (*before)(int);
	int status = 0;
	pid_t pid;
	FILE *f;

	if (!gnuplot_terminal(file) || strchr(file, '\n'))
		return fmp_error_set(err, FMP_ERR_INVALID, "%s is neither a .svg nor a .png", file);
	f = start_gnuplot(&pid);
	if (!f)
		return fmp_error_sys(err, errno == ENOENT ? FMP_ERR_UNSUPPORTED : FMP_ERR_IO, errno,
				     "can't start gnuplot");
	/* A gnuplot that exits early must not end fmpctl. */
	before = signal(SIGPIPE, SIG_IGN);
	write_script(f, policy, s, file);
	fclose(f);
	signal(SIGPIPE, before);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		return fmp_error_set(err, FMP_ERR_IO, "gnuplot could not draw %s", file);
	return 0;
}
