// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_plant: one fault of each kind that a debug kernel must report
 *
 * It proves that a debug kernel without a report would have reported a fault. The
 * module is built with the KUnit suites only; tests/vm/plant_selftest.sh loads it.
 */
#include <linux/etherdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <net/fmp_rx.h>

static char *what = "";
module_param(what, charp, 0);
MODULE_PARM_DESC(what, "overrun, use_after_free, inversion, rcu, leak or context");

static DEFINE_MUTEX(fmp_plant_a);
static DEFINE_MUTEX(fmp_plant_b);
static int __rcu *fmp_plant_ptr;

/**
 * fmp_plant_overrun() - write one byte after an allocation of ten
 *
 * Context: process.
 */
static void fmp_plant_overrun(void)
{
	u8 *p = kzalloc(10, GFP_KERNEL);

	if (!p)
		return;
	OPTIMIZER_HIDE_VAR(p);
	p[10] = 1;
	kfree(p);
}

/**
 * fmp_plant_use_after_free() - read freed memory
 *
 * Context: process.
 */
static void fmp_plant_use_after_free(void)
{
	u8 *p = kzalloc(10, GFP_KERNEL);

	if (!p)
		return;
	kfree(p);
	OPTIMIZER_HIDE_VAR(p);
	pr_info("fmp_plant: %u\n", READ_ONCE(*p));
}

/**
 * fmp_plant_inversion() - take two locks in both orders
 *
 * Context: process.
 */
static void fmp_plant_inversion(void)
{
	mutex_lock(&fmp_plant_a);
	mutex_lock(&fmp_plant_b);
	mutex_unlock(&fmp_plant_b);
	mutex_unlock(&fmp_plant_a);
	mutex_lock(&fmp_plant_b);
	mutex_lock(&fmp_plant_a);
	mutex_unlock(&fmp_plant_a);
	mutex_unlock(&fmp_plant_b);
}

/**
 * fmp_plant_rcu() - dereference an RCU pointer outside a read section
 *
 * Context: process.
 */
static void fmp_plant_rcu(void)
{
	pr_info("fmp_plant: %d\n", !!rcu_dereference(fmp_plant_ptr));
}

/**
 * fmp_plant_leak() - leak memory
 *
 * Several objects: a stale word on a stack may still point to the last one.
 *
 * Context: process.
 */
static void fmp_plant_leak(void)
{
	int i;

	for (i = 0; i < 16; i++) {
		void *p = kmalloc(96, GFP_KERNEL);

		OPTIMIZER_HIDE_VAR(p);
	}
}

/**
 * fmp_plant_context() - call the filter as a driver must not, with bottom halves on
 *
 * Context: process.
 */
static void fmp_plant_context(void)
{
	static const struct fmp_rx_ops ops = {};
	static const u8 frame[ETH_ZLEN] = {};
	struct net_device *dev = alloc_etherdev(0);
	struct fmp_rx_port *port;
	struct fmp_rx rx;

	if (!dev)
		return;
	rtnl_lock();
	port = fmp_rx_register(dev, &ops);
	rtnl_unlock();
	if (IS_ERR(port))
		goto out;
	fmp_rx_begin(&rx, frame, sizeof(frame));
	pr_info("fmp_plant: %d\n", fmp_rx_header(port, &rx, 0));
	rtnl_lock();
	fmp_rx_unregister(port);
	rtnl_unlock();
out:
	free_netdev(dev);
}

static const struct {
	const char *name;
	void (*plant)(void);
} fmp_plants[] = {
	{ "overrun", fmp_plant_overrun },     { "use_after_free", fmp_plant_use_after_free },
	{ "inversion", fmp_plant_inversion }, { "rcu", fmp_plant_rcu },
	{ "leak", fmp_plant_leak },	      { "context", fmp_plant_context },
};

/**
 * fmp_plant_init() - plant the fault named by the parameter
 *
 * Context: process.
 * Return: 0, or -EINVAL if it is not known.
 */
static int __init fmp_plant_init(void)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(fmp_plants); i++) {
		if (!strcmp(what, fmp_plants[i].name)) {
			fmp_plants[i].plant();
			return 0;
		}
	}
	return -EINVAL;
}

/**
 * fmp_plant_exit() - do nothing; the module must have an exit to be unloaded
 *
 * Context: process.
 */
static void __exit fmp_plant_exit(void)
{
}

module_init(fmp_plant_init);
module_exit(fmp_plant_exit);

MODULE_DESCRIPTION("fmp: faults for the self-test of debug kernels");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
