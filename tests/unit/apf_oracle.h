/* SPDX-License-Identifier: GPL-2.0 */
/* The module's own filter, for comparison with what a program of the Android Packet Filter does. */
#ifndef FMP_TESTS_APF_ORACLE_H
#define FMP_TESTS_APF_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../fuzz/model.h"

void oracle_init(void);
void oracle_exit(void);
/* Adds a rule. The module refuses a block of a protected address: that is no error. */
void oracle_add(const struct model_rule *rule);
void oracle_flush(void);
/* Return: whether the module stops the frame. */
bool oracle_stops(const uint8_t *frame, size_t len);

#endif
