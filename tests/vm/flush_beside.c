// SPDX-License-Identifier: GPL-2.0
/*
 * flush_beside: deletes all rules while another process asks another family
 *
 * A child asks the controller of generic netlink for its own family, again and again, from before the
 * request to flush until its acknowledgement. The function tracer shows what ran when.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/fmp.h>
#include <linux/genetlink.h>

#include "channel.h"

static void ask_controller(int started)
{
	char buf[256] __attribute__((aligned(8)));
	struct channel ch;

	channel_open(&ch);
	ch.family = GENL_ID_CTRL;
	for (bool first = true;; first = false) {
		struct nlmsghdr *nlh = channel_begin(&ch, buf, CTRL_CMD_GETFAMILY, NLM_F_ACK);

		mnl_attr_put_strz(nlh, CTRL_ATTR_FAMILY_NAME, "nlctrl");
		if (channel_send(&ch, nlh) || (first && write(started, "", 1) != 1))
			channel_die("controller");
	}
}

int main(void)
{
	struct channel ch;
	int error, status, started[2];
	pid_t child;
	char byte;

	channel_open(&ch);
	if (pipe(started))
		channel_die("pipe");
	child = fork();
	if (child < 0)
		channel_die("fork");
	if (!child)
		ask_controller(started[1]);
	close(started[1]);
	if (read(started[0], &byte, 1) != 1)
		channel_die("the child has failed");

	error = channel_request(&ch, FMP_CMD_RULE_FLUSH, NLM_F_ACK, NULL, NULL);
	/* A child that failed has ended by itself. */
	kill(child, SIGKILL);
	return waitpid(child, &status, 0) != child || error || !WIFSIGNALED(status);
}
