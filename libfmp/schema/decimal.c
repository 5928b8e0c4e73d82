// SPDX-License-Identifier: GPL-2.0
#include "decimal.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static const char *skip_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

bool fmpi_decimal_read(const char *text, size_t len, struct fmpi_decimal *out)
{
	const char *p = text, *end = text + len;

	*out = (struct fmpi_decimal){ 0 };
	while (p < end && is_blank(*p))
		p++;
	while (end > p && is_blank(end[-1]))
		end--;
	if (p < end && (*p == '-' || *p == '+'))
		out->is_negative = *p++ == '-';
	out->whole = p;
	p = skip_digits(p, end);
	out->n_whole = (size_t)(p - out->whole);
	out->fraction = p;
	if (p < end && *p == '.') {
		out->has_point = true;
		out->fraction = ++p;
		p = skip_digits(p, end);
		out->n_fraction = (size_t)(p - out->fraction);
	}
	if (p != end || out->n_whole + out->n_fraction == 0)
		return false;
	for (; out->n_whole && *out->whole == '0'; out->n_whole--)
		out->whole++;
	while (out->n_fraction && out->fraction[out->n_fraction - 1] == '0')
		out->n_fraction--;
	if (out->n_whole + out->n_fraction == 0)
		out->is_negative = false;
	return true;
}

static int compare_sizes(const struct fmpi_decimal *x, const struct fmpi_decimal *y)
{
	size_t n = x->n_fraction < y->n_fraction ? x->n_fraction : y->n_fraction;
	int order;

	if (x->n_whole != y->n_whole)
		return x->n_whole < y->n_whole ? -1 : 1;
	order = memcmp(x->whole, y->whole, x->n_whole);
	if (!order)
		order = memcmp(x->fraction, y->fraction, n);
	if (order || x->n_fraction == y->n_fraction)
		return order;
	/* A fraction has no trailing zeros, so the longer one is greater. */
	return x->n_fraction < y->n_fraction ? -1 : 1;
}

int fmpi_decimal_compare(const struct fmpi_decimal *x, const struct fmpi_decimal *y)
{
	if (x->is_negative != y->is_negative)
		return x->is_negative ? -1 : 1;
	return x->is_negative ? compare_sizes(y, x) : compare_sizes(x, y);
}

size_t fmpi_decimal_digits(const struct fmpi_decimal *x)
{
	return x->n_whole + x->n_fraction;
}
