/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FMPBB_PARAM_H
#define _FMPBB_PARAM_H

#include <linux/compiler.h>

/**
 * struct fmpbb_param - a module parameter with its limits
 * @name: as the user writes it
 * @unit: unit of the value, for messages
 * @min: smallest value
 * @max: largest value
 * @value: current value; read without a lock
 */
struct fmpbb_param {
	const char *name;
	const char *unit;
	unsigned int min;
	unsigned int max;
	unsigned int value;
};

extern struct fmpbb_param fmpbb_stations;
extern struct fmpbb_param fmpbb_slots;
extern struct fmpbb_param fmpbb_burst_bytes;
extern struct fmpbb_param fmpbb_rate_kbps;

/**
 * fmpbb_param_get() - get the current value of a parameter
 * @param: the parameter
 *
 * Context: any.
 * Return: the value.
 */
static inline unsigned int fmpbb_param_get(const struct fmpbb_param *param)
{
	return READ_ONCE(param->value);
}

#endif /* _FMPBB_PARAM_H */
