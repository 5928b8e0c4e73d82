// SPDX-License-Identifier: GPL-2.0
/*
 * Module parameters: integers with limits, refused with an error in the kernel log
 */
#include "param.h"

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/sysfs.h>

struct fmpbb_param fmpbb_stations = { "stations", "devices", 1, 64, 2 };
struct fmpbb_param fmpbb_slots = { "slots", "frames", 16, 16384, 1024 };
struct fmpbb_param fmpbb_burst_bytes = { "burst_bytes", "bytes", 16, 2048, 128 };
struct fmpbb_param fmpbb_rate_kbps = { "rate_kbps", "kbit/s", 0, 10000000, 0 };

/**
 * fmpbb_param_set_text() - set a parameter
 * @text: the value as written by the user
 * @kp: its struct fmpbb_param
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
static int fmpbb_param_set_text(const char *text, const struct kernel_param *kp)
{
	struct fmpbb_param *param = kp->arg;
	unsigned int value;

	if (!text || kstrtouint(text, 0, &value) || value < param->min || value > param->max) {
		pr_err("fmp_baseband: %s=%.20s refused, %u to %u %s expected\n", param->name,
		       text ?: "", param->min, param->max, param->unit);
		return -EINVAL;
	}
	WRITE_ONCE(param->value, value);
	return 0;
}

/**
 * fmpbb_param_get_text() - show a parameter
 * @text: a page
 * @kp: its struct fmpbb_param
 *
 * Context: process.
 * Return: bytes written.
 */
static int fmpbb_param_get_text(char *text, const struct kernel_param *kp)
{
	return sysfs_emit(text, "%u\n", fmpbb_param_get(kp->arg));
}

static const struct kernel_param_ops fmpbb_param_ops = {
	.set = fmpbb_param_set_text,
	.get = fmpbb_param_get_text,
};

module_param_cb(stations, &fmpbb_param_ops, &fmpbb_stations, 0444);
MODULE_PARM_DESC(stations, "devices bb0, bb1, ... made at load (1 to 64, default 2)");
module_param_cb(slots, &fmpbb_param_ops, &fmpbb_slots, 0444);
MODULE_PARM_DESC(slots, "frames a receiver may be behind (16 to 16384, default 1024)");
module_param_cb(burst_bytes, &fmpbb_param_ops, &fmpbb_burst_bytes, 0644);
MODULE_PARM_DESC(burst_bytes, "payload bytes taken at a time (16 to 2048, default 128)");
module_param_cb(rate_kbps, &fmpbb_param_ops, &fmpbb_rate_kbps, 0644);
MODULE_PARM_DESC(rate_kbps, "rate of the medium in kbit/s, shared by all (default 0: unlimited)");
