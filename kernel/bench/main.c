// SPDX-License-Identifier: GPL-2.0
/*
 * fmp_bench: measures the cost of a received frame
 *
 * A line written to fmp_bench/run in debugfs starts a run:
 *
 *	PATH IP FIRST COUNT STRIDE BATCHES SINK
 *
 * PATH is "air" (frames are only generated), "wire" (wire0, a driver without a
 * filter), "radio" (radio0, a driver that calls the pre-MAC filter), "wifi" (wlan0,
 * a driver of mac80211) or "veth" (from veth1 to veth0). IP is "ip4" or "ip6". The
 * sources are COUNT numbers from FIRST on, STRIDE apart. SINK is "stack" or
 * "handler" (the rx_handler, directly above the driver). Each source sends one frame
 * before the batches that are timed, so that none of these is its first one. Reading
 * the file returns the median and the counts of frames by result.
 *
 * The unit is a tick of get_cycles(), which is one instruction under QEMU's -icount
 * shift=0. The line "nops" times 1024 instructions to verify that.
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
 * Frames of a batch: those of one NAPI poll on a busy link. A page fragment holds as many
 * frames, so that each batch pays for the same number of refills.
 */
#define FMPBENCH_BATCH	     64
#define FMPBENCH_BATCHES_MAX 4096
#define FMPBENCH_SOURCES_MAX 65536
#define FMPBENCH_NOPS	     1024
/* Time that a softirq thread needs to process the remaining frames. */
#define FMPBENCH_SETTLE_MS   20
/* Longest line that is written or read. */
#define FMPBENCH_LINE_MAX    256

/**
 * struct fmpbench_run - parameters of a run
 * @path: name of the receive path
 * @ip: "ip4" or "ip6"
 * @sink: "stack" or "handler"
 * @first: number of the first source
 * @count: number of sources
 * @stride: difference of the numbers of consecutive sources
 * @batches: number of batches of FMPBENCH_BATCH frames
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
static char fmpbench_result[FMPBENCH_LINE_MAX];
static struct dentry *fmpbench_dir;
static struct fmpbench_nic *fmpbench_wire, *fmpbench_radio;

/**
 * fmpbench_air_receive() - only generate frames, to measure the cost of that
 * @nic: not used
 * @src: generator of the frames
 * @n: number of frames
 *
 * Context: any.
 */
static void fmpbench_air_receive(struct fmpbench_nic *nic, struct fmpbench_source *src,
				 unsigned int n)
{
	while (n--)
		fmpbench_source_next(src);
}

/**
 * fmpbench_wire_get() - get the device whose driver does not call the filter
 *
 * Context: process.
 * Return: the device.
 */
static struct fmpbench_nic *fmpbench_wire_get(void)
{
	return fmpbench_wire;
}

/**
 * fmpbench_radio_get() - get the device whose driver calls the filter
 *
 * Context: process.
 * Return: the device.
 */
static struct fmpbench_nic *fmpbench_radio_get(void)
{
	return fmpbench_radio;
}

/**
 * struct fmpbench_path - a receive path
 * @name: its name
 * @get: gets the receiving device; NULL if there is none
 * @put: releases the device; may be NULL
 * @receive: receives frames
 */
struct fmpbench_path {
	const char *name;
	struct fmpbench_nic *(*get)(void);
	void (*put)(struct fmpbench_nic *nic);
	void (*receive)(struct fmpbench_nic *nic, struct fmpbench_source *src, unsigned int n);
};

static const struct fmpbench_path fmpbench_paths[] = {
	{ "air", fmpbench_wire_get, NULL, fmpbench_air_receive },
	{ "wire", fmpbench_wire_get, NULL, fmpbench_nic_receive },
	{ "radio", fmpbench_radio_get, NULL, fmpbench_nic_filter_receive },
	{ "veth", fmpbench_veth_get, fmpbench_veth_put, fmpbench_veth_receive },
#ifdef FMPBENCH_HAVE_MAC80211
	{ "wifi", fmpbench_wifi_get, fmpbench_wifi_put, fmpbench_wifi_receive },
#endif
};

/**
 * fmpbench_find_path() - find a receive path
 * @name: its name
 *
 * Context: any.
 * Return: the path, or NULL.
 */
static const struct fmpbench_path *fmpbench_find_path(const char *name)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(fmpbench_paths); i++) {
		if (!strcmp(name, fmpbench_paths[i].name))
			return &fmpbench_paths[i];
	}
	return NULL;
}

/**
 * fmpbench_compare_ticks() - compare two times, for sort()
 * @a: one time
 * @b: the other time
 *
 * Context: any.
 * Return: less than, equal to or greater than 0.
 */
static int fmpbench_compare_ticks(const void *a, const void *b)
{
	return *(const u32 *)a < *(const u32 *)b ? -1 : *(const u32 *)a > *(const u32 *)b;
}

/**
 * fmpbench_wait_settled() - wait until all frames that were sent have arrived
 *
 * Context: process, may sleep.
 */
static void fmpbench_wait_settled(void)
{
	msleep(FMPBENCH_SETTLE_MS);
	fmpbench_sink_drain();
}

/**
 * fmpbench_warm_up() - receive one frame of each source of a run
 * @run: the run
 * @path: its receive path
 * @nic: the receiving device
 * @src: generator of the frames; afterwards set for the run
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_warm_up(const struct fmpbench_run *run, const struct fmpbench_path *path,
			     struct fmpbench_nic *nic, struct fmpbench_source *src)
{
	u32 i;

	src->count = 1;
	for (i = 0; i < run->count; i++) {
		src->first = run->first + i * run->stride;
		local_bh_disable();
		path->receive(nic, src, 1);
		local_bh_enable();
		fmpbench_sink_drain();
	}
	fmpbench_wait_settled();
	src->first = run->first;
	src->count = run->count;
	src->stride = run->stride;
}

/**
 * fmpbench_reset_counters() - reset all counters to 0
 * @nic: the receiving device
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_reset_counters(struct fmpbench_nic *nic)
{
	memset(nic->stopped, 0, sizeof(nic->stopped));
	nic->taken = 0;
	memset(&fmpbench_arrived, 0, sizeof(fmpbench_arrived));
}

/**
 * fmpbench_time_batches() - time the batches of a run
 * @run: the run
 * @path: its receive path
 * @nic: the receiving device
 * @median: set to the median time of a batch, 0 on a machine without a counter
 *
 * Interrupts stay enabled: the few batches with an interrupt do not change the
 * median.
 *
 * Context: process, fmpbench_lock held.
 * Return: 0 or -ENOMEM.
 */
static int fmpbench_time_batches(const struct fmpbench_run *run, const struct fmpbench_path *path,
				 struct fmpbench_nic *nic, u32 *median)
{
	struct fmpbench_source *src = kmalloc(sizeof(*src), GFP_KERNEL);
	u32 *ticks = kmalloc_array(run->batches, sizeof(*ticks), GFP_KERNEL);
	int err = -ENOMEM;
	cycles_t start;
	u32 i;

	if (!src || !ticks)
		goto out;
	fmpbench_source_init(src, nic->dev->dev_addr, !strcmp(run->ip, "ip6"));
	fmpbench_warm_up(run, path, nic, src);
	fmpbench_reset_counters(nic);
	for (i = 0; i < run->batches; i++) {
		local_bh_disable();
		start = get_cycles();
		path->receive(nic, src, FMPBENCH_BATCH);
		ticks[i] = get_cycles() - start;
		local_bh_enable();
		fmpbench_sink_drain();
		cond_resched();
	}
	fmpbench_wait_settled();
	sort(ticks, run->batches, sizeof(*ticks), fmpbench_compare_ticks, NULL);
	*median = ticks[run->batches / 2];
	err = 0;
out:
	kfree(ticks);
	kfree(src);
	return err;
}

/**
 * fmpbench_format_result() - write the result of a run to fmpbench_result
 * @median: median time of a batch
 * @nic: the receiving device
 *
 * Context: process, fmpbench_lock held.
 */
static void fmpbench_format_result(u32 median, const struct fmpbench_nic *nic)
{
	scnprintf(fmpbench_result, sizeof(fmpbench_result),
		  "ticks=%u taken=%llu mac=%llu ip=%llu foreign=%llu handler=%llu socket=%llu\n",
		  DIV_ROUND_CLOSEST(median, FMPBENCH_BATCH), nic->taken,
		  nic->stopped[FMP_RX_REASON_MAC], nic->stopped[FMP_RX_REASON_IP],
		  nic->stopped[FMP_RX_REASON_FOREIGN], fmpbench_arrived.handler,
		  fmpbench_arrived.socket);
}

/**
 * fmpbench_execute() - execute a run
 * @run: the run
 *
 * Context: process, fmpbench_lock held.
 * Return: 0 or a negative error.
 */
static int fmpbench_execute(const struct fmpbench_run *run)
{
	const struct fmpbench_path *path = fmpbench_find_path(run->path);
	bool handler = !strcmp(run->sink, "handler");
	struct fmpbench_nic *nic;
	u32 median;
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
	err = fmpbench_time_batches(run, path, nic, &median);
	fmpbench_sink_set(nic->dev, false);
	if (!err)
		fmpbench_format_result(median, nic);
out:
	if (path->put)
		path->put(nic);
	return err;
}

/**
 * fmpbench_time_nops() - time a known number of instructions
 *
 * Context: process, fmpbench_lock held.
 */
static noinline void fmpbench_time_nops(void)
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
 * fmpbench_write() - execute the run that a line describes
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
	char line[FMPBENCH_LINE_MAX] = "";
	struct fmpbench_run run;
	int err = 0;

	if (len >= sizeof(line))
		return -EINVAL;
	if (copy_from_user(line, from, len))
		return -EFAULT;
	mutex_lock(&fmpbench_lock);
	if (!strncmp(line, "nops", 4))
		fmpbench_time_nops();
	else if (sscanf(line, "%7s %7s %u %u %u %u %7s", run.path, run.ip, &run.first, &run.count,
			&run.stride, &run.batches, run.sink) == 7)
		err = fmpbench_execute(&run);
	else
		err = -EINVAL;
	mutex_unlock(&fmpbench_lock);
	return err ?: len;
}

/**
 * fmpbench_read() - return the result of the last run
 * @file: not used
 * @to: filled
 * @len: its size
 * @pos: position of the reader
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
 * fmpbench_init() - create the devices, the sinks and the file
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
	fmpbench_wire = fmpbench_nic_create("wire0", false);
	if (IS_ERR(fmpbench_wire)) {
		err = PTR_ERR(fmpbench_wire);
		goto err_sink;
	}
	fmpbench_radio = fmpbench_nic_create("radio0", true);
	if (IS_ERR(fmpbench_radio)) {
		err = PTR_ERR(fmpbench_radio);
		goto err_wire;
	}
	fmpbench_dir = debugfs_create_dir("fmp_bench", NULL);
	debugfs_create_file("run", 0600, fmpbench_dir, NULL, &fmpbench_fops);
	return 0;

err_wire:
	fmpbench_nic_destroy(fmpbench_wire);
err_sink:
	fmpbench_sink_exit();
	return err;
}

/**
 * fmpbench_exit() - undo fmpbench_init()
 *
 * Context: process.
 */
static void __exit fmpbench_exit(void)
{
	debugfs_remove(fmpbench_dir);
	fmpbench_nic_destroy(fmpbench_radio);
	fmpbench_nic_destroy(fmpbench_wire);
	fmpbench_sink_exit();
}

module_init(fmpbench_init);
module_exit(fmpbench_exit);

MODULE_DESCRIPTION("fmp: instructions that a received frame costs");
MODULE_AUTHOR("The fmp project");
MODULE_LICENSE("GPL");
