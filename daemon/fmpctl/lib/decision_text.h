/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a decision and the result of each layer; for why, block, unblock and blocks. */
#ifndef FMPCTL_DECISION_TEXT_H
#define FMPCTL_DECISION_TEXT_H

#include "record.h"

/** decision_print_what() - "limit 192.0.2.7 to 10 packets/s on port 8080". */
void decision_print_what(const struct record *d);
/** decision_print() - one decision record, and the layer results with its id. */
void decision_print(const struct records *l, const struct record *d);
/** decision_print_covers() - the other blocks that cover its address. @before: printed before the state of each */
void decision_print_covers(const struct records *l, const char *before);
/** decision_exit_code() - EXIT_PARTLY if a layer refused. @must: layers that must be present */
int decision_exit_code(const struct records *l, unsigned must);

#endif
