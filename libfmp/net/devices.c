// SPDX-License-Identifier: GPL-2.0
#include <net/devices.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add_device(const struct nlmsghdr *nlh, void *ctx)
{
	struct fmpi_devices *d = ctx;
	struct fmpi_genl_dev dev;

	if (!fmpi_genl_get_dev(nlh, &dev))
		return 0;
	if (d->n == d->cap) {
		size_t cap = d->cap ? 2 * d->cap : 8;
		struct fmpi_genl_dev *v = reallocarray(d->v, cap, sizeof(*v));

		if (!v)
			return FMP_ERR_NOMEM;
		d->v = v;
		d->cap = cap;
	}
	d->v[d->n++] = dev;
	return 0;
}

int fmpi_devices_dump(struct fmp_nl *nl, struct fmpi_devices *out, struct fmp_error *err)
{
	return fmpi_genl_dump(nl, FMP_CMD_DEV_GET, add_device, out, &out->n, err);
}

void fmpi_devices_free(struct fmpi_devices *d)
{
	free(d->v);
	*d = (struct fmpi_devices){ 0 };
}

static const struct fmpi_genl_dev *find_device(const struct fmpi_devices *d, const char *name)
{
	for (size_t i = 0; i < d->n; i++) {
		if (!strcmp(d->v[i].name, name))
			return &d->v[i];
	}
	return NULL;
}

bool fmpi_devices_is_pending(const struct fmpi_devices *d, const char *name)
{
	const struct fmpi_genl_dev *dev = find_device(d, name);

	return dev && dev->hook != FMP_HOOK_NONE && (dev->flags & FMP_DEV_F_WAIT);
}

static int send_request(struct fmp_nl *nl, enum fmp_cmd cmd, const char *name, uint32_t flags,
			struct fmp_error *err)
{
	_Alignas(struct nlmsghdr) char buf[128];
	struct fmp_kerr kerr;
	struct nlmsghdr *nlh;
	uint16_t family;
	int rc = fmpi_genl_family(nl, &family, err);

	if (rc)
		return rc;
	nlh = fmpi_genl_begin(buf, family, cmd, NLM_F_ACK);
	fmpi_genl_put_dev(nlh, name, flags);
	rc = fmp_nl_request(nl, nlh, NULL, NULL, &kerr, err);
	/* Another program changed it at the same time. */
	if (rc == FMP_ERR_KERNEL &&
	    (kerr.sys_errno == EEXIST || kerr.sys_errno == ENOENT || kerr.sys_errno == ENODEV))
		return 0;
	if (rc == FMP_ERR_KERNEL || rc == FMP_ERR_DENIED)
		return fmp_kerr_error(&kerr, err, name);
	return rc;
}

int fmpi_devices_attach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
			struct fmp_error *err)
{
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_dump(nl, &d, err);

	for (unsigned i = 0; !rc && i < n; i++) {
		const struct fmpi_genl_dev *dev = find_device(&d, names[i]);

		/* Keep the observe flag of an existing attachment. */
		if (!fmpi_devices_is_pending(&d, names[i]))
			rc = send_request(nl, FMP_CMD_DEV_ATTACH, names[i],
					  FMP_DEV_F_WAIT | (dev ? dev->flags : 0), err);
	}
	fmpi_devices_free(&d);
	return rc;
}

int fmpi_devices_detach(struct fmp_nl *nl, const char (*names)[16], unsigned n,
			struct fmp_error *err)
{
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_dump(nl, &d, err);

	for (unsigned i = 0; !rc && i < n; i++) {
		if (fmpi_devices_is_pending(&d, names[i]))
			rc = send_request(nl, FMP_CMD_DEV_DETACH, names[i], 0, err);
	}
	fmpi_devices_free(&d);
	return rc;
}

int fmpi_devices_detach_all(struct fmp_nl *nl, struct fmp_error *err)
{
	struct fmpi_devices d = { 0 };
	int rc = fmpi_devices_dump(nl, &d, err);

	for (size_t i = 0; !rc && i < d.n; i++) {
		if (d.v[i].hook != FMP_HOOK_NONE)
			rc = send_request(nl, FMP_CMD_DEV_DETACH, d.v[i].name, 0, err);
	}
	fmpi_devices_free(&d);
	return rc;
}

void fmpi_devices_describe(const struct fmpi_devices *d, char *buf, size_t size)
{
	static const char *const where[FMP_HOOK_MAX + 1] = {
		[FMP_HOOK_DRIVER] = "before the MAC",
		[FMP_HOOK_INGRESS] = "at its ingress",
		[FMP_HOOK_MAC80211] = "before mac80211",
		[FMP_HOOK_WAITING] = "waiting for it",
		[FMP_HOOK_MAC80211_PATCHED] = "before mac80211",
	};
	size_t len = (size_t)snprintf(buf, size, "module fmp on");

	for (size_t i = 0; i < d->n && len < size; i++) {
		if (d->v[i].hook > FMP_HOOK_MAX || !where[d->v[i].hook])
			continue;
		len += (size_t)snprintf(buf + len, size - len, " %s (%s)", d->v[i].name,
					where[d->v[i].hook]);
	}
}
