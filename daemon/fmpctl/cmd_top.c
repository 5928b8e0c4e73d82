// SPDX-License-Identifier: GPL-2.0
/* Shows status and sources repeatedly, with rates, until a key ends it. */
#include "lib/fmpctl.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <fmp/policy.h>

#include "lib/sources_table.h"
#include "lib/control_client.h"
#include "lib/text.h"
#include "lib/top_frame.h"

/* Lines of a frame beside the sources. */
#define HEAD	 9
#define ROWS	 20 /* sources shown without a terminal */
#define LEAST_MS 100

enum {
	OPT_INTERVAL = 256,
	OPT_ONCE
};

static const struct option long_options[] = {
	{ "interval", required_argument, NULL, OPT_INTERVAL },
	{ "once", no_argument, NULL, OPT_ONCE },
	{ 0 },
};

static struct {
	uint64_t interval_ms;
	bool once;
} options = { .interval_ms = 1000 };

static volatile sig_atomic_t ended;

static int parse_option(int c, const char *arg)
{
	if (c == OPT_ONCE) {
		options.once = true;
		return 0;
	}
	if (fmp_duration_parse(arg, &options.interval_ms) || options.interval_ms < LEAST_MS ||
	    options.interval_ms > 3600000)
		return usage_error("top", "--interval takes 100ms to 1h; not %s", arg);
	return 0;
}

/* ---- the terminal ---- */

static struct termios saved_termios;

static void on_signal(int number)
{
	ended = 1;
}

static void screen_begin(void)
{
	const struct sigaction end = { .sa_handler = on_signal };
	struct termios raw;

	sigaction(SIGINT, &end, NULL);
	sigaction(SIGTERM, &end, NULL);
	sigaction(SIGHUP, &end, NULL);
	tcgetattr(STDIN_FILENO, &saved_termios);
	raw = saved_termios;
	raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	/* Alternate screen, no cursor, no line wrap. */
	fputs("\x1b[?1049h\x1b[?25l\x1b[?7l", stdout);
}

static void screen_end(void)
{
	fputs("\x1b[?7h\x1b[?25h\x1b[?1049l", stdout);
	fflush(stdout);
	tcsetattr(STDIN_FILENO, TCSANOW, &saved_termios);
}

/* Wait until the next frame. Return: false: end. */
static bool wait_interval(bool keys)
{
	struct pollfd pfd = { .fd = STDIN_FILENO, .events = POLLIN };
	int n = poll(&pfd, keys ? 1 : 0, (int)options.interval_ms);
	char key;

	if (n > 0 && (read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q'))
		return false;
	return !ended;
}

/* ---- frames ---- */

static uint64_t monotonic_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000 + (uint64_t)ts.tv_nsec / 1000000;
}

static int take_sample(const struct ctl *ctl, struct top_sample *s)
{
	struct control_request req;
	int rc;

	*s = (struct top_sample){ .taken_ms = monotonic_ms() };
	control_request_begin(&req, FMP_CTL_STATUS);
	rc = control_call(ctl, &req, &s->status);
	if (rc)
		return rc;
	control_request_begin(&req, FMP_CTL_SOURCES);
	rc = control_call(ctl, &req, &s->sources);
	sources_sort(&s->sources);
	/* An incomplete reply has enough sources for a frame. */
	return rc == EXIT_PARTLY ? 0 : rc;
}

static void show_sample(const struct top_sample *before, const struct top_sample *now, bool screen)
{
	size_t lines = text_height();

	if (screen)
		fputs("\x1b[H\x1b[J", stdout);
	top_frame_print(before, now, !screen ? ROWS : lines > HEAD ? lines - HEAD : 1);
	if (!screen && !options.once)
		putchar('\n');
	fflush(stdout);
}

static int run_loop(const struct ctl *ctl, bool screen)
{
	struct top_sample before, now;
	int rc = take_sample(ctl, &before);

	/* Show the first frame at once, without rates; with --once only the one with rates. */
	if (!rc && !options.once)
		show_sample(&before, &before, screen);
	while (!rc && wait_interval(screen) && !ferror(stdout)) {
		rc = take_sample(ctl, &now);
		if (!rc)
			show_sample(&before, &now, screen);
		top_sample_free(&before);
		before = now;
		if (options.once)
			break;
	}
	top_sample_free(&before);
	return rc;
}

static int run_top(const struct ctl *ctl, int argc, char **argv)
{
	bool screen = !options.once && isatty(STDOUT_FILENO) && isatty(STDIN_FILENO);
	int rc;

	if (argc)
		return usage_error("top", "unexpected argument %s", argv[0]);
	if (ctl->json)
		return usage_error("top", "is for people; stats and sources have --json");
	if (screen)
		screen_begin();
	rc = run_loop(ctl, screen);
	if (screen)
		screen_end();
	return rc;
}

const struct command cmd_top = {
	.name = "top",
	.args = "[--interval 1s] [--once]",
	.summary = "current activity: rates, layers, the worst sources",
	.help = "  --interval D  time between two frames (1s)\n"
		"  --once        one frame, of one interval\n\n"
		"q ends it. Without a terminal the frames follow one another.\n",
	.options = long_options,
	.option = parse_option,
	.run = run_top,
};
