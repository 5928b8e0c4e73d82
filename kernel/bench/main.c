// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_bench: what a received frame costs
 *
 * A run is asked for by a line written to fmp_bench/run in debugfs:
 *
 *	PATH IP FIRST COUNT STRIDE BATCHES SINK
 *
 * PATH is "air" (frames are made, nothing more), "wire" (wire0, a driver without
 * a filter), "radio" (radio0, one that asks the pre-MAC filter), "wifi" (wlan0,
 * a driver of mac80211) or "veth" (from veth1 to veth0); IP is "ip4" or "ip6"; the
 * sources are COUNT numbers from FIRST on, STRIDE apart; SINK is "stack" or
 * "handler" (the first reader above the driver). Each source sends one frame before
 * the batches that count, so that none of these is a first one. Reading the file
 * gives the median and what became of the frames.
 *
 * The unit is a tick of get_cycles(). Under QEMU's -icount shift=0 that is an
 * instruction; "nops" as the line's only word times 1024 of them to prove it.
 */
#include "frame.h"
#include "nic.h"
#include "sink.h"
#include "veth.h"
#include "wifi.h"

#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/timex.h>
#include <linux/uaccess.h>

/*
 * Frames of a batch: what one NAPI poll brings on a busy link. Also the frames that a page
 * fragment has room for, so that each batch pays for the same number of refills.
 */
#define FMPBENCH_BATCH	     64
#define FMPBENCH_BATCHES_MAX 4096
#define FMPBENCH_SOURCES_MAX 65536
#define FMPBENCH_NOPS	     1024
/* What a softirq thread needs to end what was left to it. */
#define FMPBENCH_SETTLE_MS   20
/* Longest line, either way. */
#define FMPBENCH_LINE	     256

/**
 * struct fmpbench_run - a run
 * @path: how frames come in
 * @ip: "ip4" or "ip6"
 * @sink: where they end
 * @first: number of the first source
 * @count: sources
 * @stride: from one to the next
 * @batches: batches of FMPBENCH_BATCH frames
 */
struct fmpbench_run {
	char path[8];
	char ip[8];
	char sink[8];
	u32 first;
	u32 count;
	u32 stride;
	u32 batches;
};

static DEFINE_MUTEX(fmpbench_lock); /* one run at a time; fmpbench_result */
static char fmpbench_result[FMPBENCH_LINE];
static struct dentry *fmpbench_dir;
static struct fmpbench_nic *fmpbench_wire, *fmpbench_radio;

/**
 * fmpbench_air_only() - make frames, to see what that costs
 * @nic: not used
 * @air: where the frames come from
 * @n: how many
 *
 * Context: any.
 */
static void fmpbench_air_only(struct fmpbench_nic *nic, struct fmpbench_air *air, unsigned int n)
{
	while (n--)
		fmpbench_air_next(air);
}

/**
 * fmpbench_wire_get() - the device whose driver doesn't ask
 *
 * Context: process.
 * Return: the device.
 */
static struct fmpbench_nic *fmpbench_wire_get(void)
{
	return fmpbench_wire;
}

/**
 * fmpbench_radio_get() - the device whose driver asks
 *
 * Context: process.
 * Return: the device.
 */
static struct fmpbench_nic *fmpbench_radio_get(void)
{
	return fmpbench_radio;
}

/**
 * struct fmpbench_path - a way for frames to come in
 * @name: its name
 * @get: where they do; NULL if there is no such device
 * @put: that it is no longer used; may be NULL
 * @receive: how
 */
struct fmpbench_path {
	const char *name;
	struct fmpbench_nic *(*get)(void);
	void (*put)(struct fmpbench_nic *nic);
	void (*receive)(struct fmpbench_nic *nic, struct fmpbench_air *air, unsigned int n);
};

static const struct fmpbench_path fmpbench_paths[] = {
	{ "air", fmpbench_wire_get, NULL, fmpbench_air_only },
	{ "wire", fmpbench_wire_get, NULL, fmpbench_nic_receive },
	{ "radio", fmpbench_radio_get, NULL, fmpbench_nic_ask_receive },
	{ "veth", fmpbench_veth_get, fmpbench_veth_put, fmpbench_veth_receive },
#ifdef FMPBENCH_HAVE_MAC80211
	{ "wifi", fmpbench_wifi_get, fmpbench_wifi_put, fmpbench_wifi_receive },
#endif
};

/**
 * fmpbench_path() - find a path
 * @name: its name
 *
 * Context: any.
 * Return: the path, or NULL.
 */
static const struct fmpbench_path *fmpbench_path(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(fmpbench_paths); i++) {
		if (!strcmp(name, fmpbench_paths[i].name))
			return &fmpbench_paths[i];
	}
	return NULL;
}

/**
 * fmpbench_order() - order of two times
 * @a: one
 * @b: the other
 *
 * Context: any.
 * Return: less than, equal to or greater than 0.
 */
static int fmpbench_order(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

/**
 * fmpbench_settle() - let all frames that were sent arrive
 *
 * Context: process, may sleep.
 */
static void fmpbench_settle(void)
{
	msleep(FMPBENCH_SETTLE_MS);
	fmpbench_sink_drain();
}

/**
 * fmpbench_warm_up() - let each source of a run send a frame
 * @run: the run
 * @path: how its frames come in
 * @nic: where they do
 * @air: where from; left ready for the run
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_warm_up(const struct fmpbench_run *run, const struct fmpbench_path *path,
			     struct fmpbench_nic *nic, struct fmpbench_air *air)
{
	u32 i;

	air->count = 1;
	for (i = 0; i < run->count; i++) {
		air->first = run->first + i * run->stride;
		local_bh_disable();
		path->receive(nic, air, 1);
		local_bh_enable();
		fmpbench_sink_drain();
	}
	fmpbench_settle();
	air->first = run->first;
	air->count = run->count;
	air->stride = run->stride;
}

/**
 * fmpbench_forget() - count from 0 again
 * @nic: where frames come in
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_forget(struct fmpbench_nic *nic)
{
	memset(nic->stopped, 0, sizeof(nic->stopped));
	nic->taken = 0;
	memset(&fmpbench_sunk, 0, sizeof(fmpbench_sunk));
}

/**
 * fmpbench_time() - time the batches of a run
 * @run: the run
 * @path: how its frames come in
 * @nic: where they do
 *
 * Interrupts stay on; the batches that one hits are not the median.
 *
 * Context: process, fmpbench_lock held.
 * Return: median of a batch, 0 if there is no memory.
 */
static u32 fmpbench_time(const struct fmpbench_run *run, const struct fmpbench_path *path,
			 struct fmpbench_nic *nic)
{
	struct fmpbench_air *air = kmalloc(sizeof(*air), GFP_KERNEL);
	u32 *ticks = kmalloc_array(run->batches, sizeof(*ticks), GFP_KERNEL);
	u32 median = 0;
	cycles_t start;
	u32 i;

	if (!air || !ticks)
		goto out;
	fmpbench_air_init(air, nic->dev->dev_addr, !strcmp(run->ip, "ip6"));
	fmpbench_warm_up(run, path, nic, air);
	fmpbench_forget(nic);
	for (i = 0; i < run->batches; i++) {
		local_bh_disable();
		start = get_cycles();
		path->receive(nic, air, FMPBENCH_BATCH);
		ticks[i] = get_cycles() - start;
		local_bh_enable();
		fmpbench_sink_drain();
		cond_resched();
	}
	fmpbench_settle();
	sort(ticks, run->batches, sizeof(*ticks), fmpbench_order, NULL);
	median = ticks[run->batches / 2];
out:
	kfree(ticks);
	kfree(air);
	return median;
}

/**
 * fmpbench_report() - say what a run gave
 * @median: of a batch
 * @nic: where its frames came in
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_report(u32 median, const struct fmpbench_nic *nic)
{
	scnprintf(fmpbench_result, sizeof(fmpbench_result),
		  "ticks=%u taken=%llu mac=%llu ip=%llu foreign=%llu handler=%llu socket=%llu\n",
		  DIV_ROUND_CLOSEST(median, FMPBENCH_BATCH), nic->taken,
		  nic->stopped[FMP_RX_REASON_MAC], nic->stopped[FMP_RX_REASON_IP],
		  nic->stopped[FMP_RX_REASON_FOREIGN], fmpbench_sunk.handler, fmpbench_sunk.socket);
}

/**
 * fmpbench_do() - do a run
 * @run: the run
 *
 * Context: process, fmpbench_lock held.
 * Return: 0 or a negative error.
 */
static int fmpbench_do(const struct fmpbench_run *run)
{
	const struct fmpbench_path *path = fmpbench_path(run->path);
	bool handler = !strcmp(run->sink, "handler");
	struct fmpbench_nic *nic;
	u32 median = 0;
	int err;

	if (!path || !run->count || run->count > FMPBENCH_SOURCES_MAX || !run->batches ||
	    run->batches > FMPBENCH_BATCHES_MAX)
		return -EINVAL;

	nic = path->get();
	if (!nic)
		return -ENODEV;
	err = fmpbench_sink_set(nic->dev, handler);
	if (err)
		goto out;
	median = fmpbench_time(run, path, nic);
	fmpbench_sink_set(nic->dev, false);
	if (median)
		fmpbench_report(median, nic);
	else
		err = -ENOMEM;
out:
	if (path->put)
		path->put(nic);
	return err;
}

/**
 * fmpbench_nops() - time a known number of instructions
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_nops(void)
{
	unsigned long flags;
	cycles_t start, end;

	local_irq_save(flags);
	start = get_cycles();
	asm volatile(".rept %c0\n\tnop\n\t.endr" : : "i"(FMPBENCH_NOPS));
	end = get_cycles();
	local_irq_restore(flags);
	scnprintf(fmpbench_result, sizeof(fmpbench_result), "nops=%u ticks=%llu\n", FMPBENCH_NOPS,
		  (u64)(end - start));
}

/**
 * fmpbench_write() - do what a line asks for
 * @file: not used
 * @from: the line
 * @len: its length
 * @pos: not used
 *
 * Context: process.
 * Return: @len or a negative error.
 */
static ssize_t fmpbench_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	char line[FMPBENCH_LINE] = "";
	struct fmpbench_run run;
	int err = 0;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, len))
		return -EFAULT;
	mutex_lock(&fmpbench_lock);
	if (!strncmp(line, "nops", 4))
		fmpbench_nops();
	else if (sscanf(line, "%7s %7s %u %u %u %u %7s", run.path, run.ip, &run.first, &run.count,
			&run.stride, &run.batches, run.sink) == 7)
		err = fmpbench_do(&run);
	else
		err = -EINVAL;
	mutex_unlock(&fmpbench_lock);
	return err ?: len;
}

/**
 * fmpbench_read() - what the last run gave
 * @file: not used
 * @to: filled
 * @len: its size
 * @pos: where the reader stands
 *
 * Context: process.
 * Return: bytes read or a negative error.
 */
static ssize_t fmpbench_read(struct file *file, char __user *to, size_t len, loff_t *pos)
{
	ssize_t n;

	mutex_lock(&fmpbench_lock);
	n = simple_read_from_buffer(to, len, pos, fmpbench_result, strlen(fmpbench_result));
	mutex_unlock(&fmpbench_lock);
	return n;
}

static const struct file_operations fmpbench_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.read = fmpbench_read,
	.write = fmpbench_write,
};

/**
 * fmpbench_init() - make the devices, the sinks and the file
 *
 * Context: process.
 * Return: 0 or a negative error.
 */
static int __init fmpbench_init(void)
{
	int err;

	err = fmpbench_sink_init();
	if (err)
		return err;
	fmpbench_wire = fmpbench_nic_make("wire0", false);
	if (IS_ERR(fmpbench_wire)) {
		err = PTR_ERR(fmpbench_wire);
		goto err_sink;
	}
	fmpbench_radio = fmpbench_nic_make("radio0", true);
	if (IS_ERR(fmpbench_radio)) {
		err = PTR_ERR(fmpbench_radio);
		goto err_wire;
	}
	fmpbench_dir = debugfs_create_dir("fmp_bench", NULL);
	debugfs_create_file("run", 0600, fmpbench_dir, NULL, &fmpbench_fops);
	return 0;

err_wire:
	fmpbench_nic_drop(fmpbench_wire);
err_sink:
	fmpbench_sink_exit();
	return err;
}

/**
 * fmpbench_exit() - the mirror of fmpbench_init()
 *
 * Context: process.
 */
static void __exit fmpbench_exit(void)
{
	debugfs_remove(fmpbench_dir);
	fmpbench_nic_drop(fmpbench_radio);
	fmpbench_nic_drop(fmpbench_wire);
	fmpbench_sink_exit();
}

module_init(fmpbench_init);
module_exit(fmpbench_exit);

MODULE_DESCRIPTION("fmp: instructions that a received frame costs");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
