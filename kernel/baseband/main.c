// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_baseband: virtual radios on a shared medium
 */
#include "medium.h"
#include "param.h"
#include "station.h"

#include <linux/module.h>

/**
 * fmpbb_module_init() - create the medium and the stations
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
static int __init fmpbb_module_init(void)
{
	unsigned int i;
	int err;

	err = fmpbb_medium_init(fmpbb_param_get(&fmpbb_slots));
	if (err)
		return err;
	err = rtnl_link_register(&fmpbb_link_ops);
	if (err)
		goto err_medium;
	for (i = 0; i < fmpbb_param_get(&fmpbb_stations); i++) {
		err = fmpbb_station_create(i);
		if (err)
			goto err_link;
	}
	return 0;

err_link:
	rtnl_link_unregister(&fmpbb_link_ops);
err_medium:
	fmpbb_medium_exit();
	return err;
}

/**
 * fmpbb_module_exit() - remove all stations, in every network namespace, and
 * the medium
 *
 * Context: process.
 */
static void __exit fmpbb_module_exit(void)
{
	rtnl_link_unregister(&fmpbb_link_ops);
	fmpbb_medium_exit();
}

module_init(fmpbb_module_init);
module_exit(fmpbb_module_exit);

MODULE_DESCRIPTION("fmp: virtual radio that receives frames header first");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
/* No alias for rtnetlink: any user could load the module by it. */
