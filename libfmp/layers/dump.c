// SPDX-License-Identifier: GPL-2.0
#include <layers/dump.h>

#include <errno.h>
#include <stdlib.h>

int fmpi_dump_new(int bus, struct fmpi_dump **out, struct fmp_error *err)
{
	struct fmpi_dump *d = calloc(1, sizeof(*d));
	int rc;

	if (!d)
		return fmp_error_set(err, FMP_ERR_NOMEM, "out of memory");
	d->bus = bus;
	rc = fmp_nl_open(&d->nl, bus, err);
	if (rc) {
		free(d);
		return rc;
	}
	*out = d;
	return 0;
}

/*
 * nf_tables ends a dump when its position reaches the number of elements seen in the previous
 * round. With a change between any two rounds it never does, and at some point returns no more
 * elements: that is the end. Return: 1, or why the socket, which is busy with the dump, can't be
 * replaced.
 */
static int end_torn_dump(struct fmpi_dump *d, struct fmp_error *err)
{
	int rc;

	d->torn = true;
	fmp_nl_close(&d->nl);
	rc = fmp_nl_open(&d->nl, d->bus, err);
	return rc ? rc : 1;
}

int fmpi_dump_part(struct fmpi_dump *d, struct nlmsghdr *nlh, fmp_nl_cb cb, void *ctx,
		   struct fmpi_rules *out, struct fmp_error *err)
{
	size_t before;
	int rc;

	if (!d->asked) {
		rc = fmp_nl_send(&d->nl, nlh, &d->answer, err);
		if (rc)
			return rc;
		d->asked = true;
		d->before = out->n;
	}
	before = out->n;
	rc = fmp_nl_receive(&d->nl, &d->answer, cb, ctx, err);
	if (!rc && d->empty_is_end && out->n == before)
		rc = end_torn_dump(d, err);
	if (!rc)
		return 0;
	d->asked = false;
	if (rc == FMP_ERR_KERNEL && d->gone_is_empty && d->answer.kerr.sys_errno == ENOENT)
		rc = 1;
	if (rc < 0)
		return rc;
	if (d->answer.interrupted && ++d->tries < FMP_DUMP_TRIES) {
		out->n = d->before;
		return 0;
	}
	d->torn |= d->answer.interrupted;
	d->tries = 0;
	return 1;
}

void fmpi_dump_free(struct fmpi_dump *d)
{
	if (!d)
		return;
	fmp_nl_close(&d->nl);
	free(d->parts);
	free(d);
}
