/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the results of dry runs, as text and as JSON. */
#ifndef FMPCTL_REPLAY_TEXT_H
#define FMPCTL_REPLAY_TEXT_H

#include <fmp/dryrun.h>

#include "pcap_reader.h"
#include "../lib/fmpctl.h"
#include "../log/log_reader.h"

struct replay_side {
	const struct fmp_policy *policy;
	struct fmp_dryrun *run;
};

/** replay_print() - @capture: totals of all captures; @other: NULL, or the run to compare with. Return: an exit
 * code. */
int replay_print(const struct ctl *ctl, const struct log_reader *log,
		 const struct pcap_counts *capture, const struct replay_side *side,
		 const struct replay_side *other);

#endif
