// SPDX-License-Identifier: GPL-2.0
/* Parser of address lists: published blocklists, and what `fmpctl blocks --export` writes. */
#include <fmp/blocklist.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fmp/policy.h>

struct reader {
	struct fmp_blocklist *list;
	const char *file; /* for errors */
	unsigned line;
	void (*warn)(const struct fmp_error *warning, void *ctx);
	void *ctx;
};

static int add_addr(struct fmp_blocklist *l, const struct fmp_addr *addr, struct fmp_error *err)
{
	if (l->n == l->cap) {
		size_t cap = l->cap ? l->cap * 2 : 256;
		struct fmp_addr *more = realloc(l->addr, cap * sizeof(*more));
		uint64_t *times;

		if (!more)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
		l->addr = more;
		times = realloc(l->ms, cap * sizeof(*times));
		if (!times)
			return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
		l->ms = times;
		l->cap = cap;
	}
	l->ms[l->n] = FMP_BLOCKLIST_NO_TIME;
	l->addr[l->n++] = *addr;
	return 0;
}

/* ---- ranges ---- */

/* The last address of a prefix. */
static struct fmp_addr prefix_last(struct fmp_addr a)
{
	unsigned bits = fmp_addr_max_prefix(a.family);

	for (unsigned bit = a.prefix_len; bit < bits; bit++)
		a.bytes[bit / 8] |= (uint8_t)(0x80 >> bit % 8);
	a.prefix_len = (uint8_t)bits;
	return a;
}

static void increment_addr(struct fmp_addr *a)
{
	for (unsigned i = fmp_addr_max_prefix(a->family) / 8; i-- && !++a->bytes[i];)
		;
}

/* The widest prefix that begins with @first and does not end behind @last. */
static struct fmp_addr widest_prefix(const struct fmp_addr *first, const struct fmp_addr *last)
{
	struct fmp_addr widest = *first;

	while (widest.prefix_len) {
		struct fmp_addr wider = fmp_addr_mask(widest, widest.prefix_len - 1), end;

		end = prefix_last(wider);
		if (memcmp(wider.bytes, first->bytes, sizeof(wider.bytes)) ||
		    memcmp(end.bytes, last->bytes, sizeof(end.bytes)) > 0)
			break;
		widest = wider;
	}
	return widest;
}

/* Split a range into prefixes, at most two of each length: 62 for IPv4, 254 for IPv6. */
static int add_range(struct fmp_blocklist *l, struct fmp_addr first, const struct fmp_addr *last,
		     struct fmp_error *err)
{
	for (;;) {
		struct fmp_addr prefix = widest_prefix(&first, last), end = prefix_last(prefix);
		int rc = add_addr(l, &prefix, err);

		if (rc || fmp_addr_equal(&end, last))
			return rc;
		first = end;
		increment_addr(&first);
	}
}

/* "198.51.100.12-198.51.100.15", with or without spaces around the hyphen. */
static int parse_range(struct fmp_blocklist *l, char *text, char *hyphen, struct fmp_error *err)
{
	struct fmp_addr first, last;
	char *end = hyphen;
	int rc;

	while (end > text && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*end = '\0';
	hyphen++;
	hyphen += strspn(hyphen, " \t");
	rc = fmp_addr_parse(text, &first, err);
	if (rc) /* not a range, but a host name, or a MAC in another notation */
		return fmp_error_set(err, (enum fmp_code)rc,
				     "\"%.50s-%.50s\" is not an IP address or a MAC", text, hyphen);
	rc = fmp_addr_parse(hyphen, &last, err);
	if (rc)
		return rc;
	if (!fmp_addr_is_ip(&first) || first.family != last.family ||
	    first.prefix_len != fmp_addr_max_prefix(first.family) ||
	    last.prefix_len != first.prefix_len)
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "\"%.50s-%.50s\": a range has two IP addresses of one family",
				     text, hyphen);
	if (memcmp(first.bytes, last.bytes, sizeof(first.bytes)) > 0)
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "\"%.50s-%.50s\": the range ends before it begins", text,
				     hyphen);
	return add_range(l, first, &last, err);
}

/* ---- lines ---- */

/* Parse a prefix that has host bits set. Return: true, with the network in @addr. */
static bool parse_host_bits(const char *text, struct fmp_addr *addr)
{
	const char *slash = strchr(text, '/');
	char host[FMP_ADDR_STRLEN + FMP_ADDR_ZONELEN], *end;
	struct fmp_error ignored;
	unsigned long len;

	if (!slash || slash[1] < '0' || slash[1] > '9' || (size_t)(slash - text) >= sizeof(host))
		return false;
	len = strtoul(slash + 1, &end, 10);
	memcpy(host, text, (size_t)(slash - text));
	host[slash - text] = '\0';
	if (*end || fmp_addr_parse(host, addr, &ignored) || !fmp_addr_is_ip(addr))
		return false;
	/* IPv4-mapped IPv6 became IPv4: its length counts from bit 96. */
	if (addr->family == FMP_FAMILY_IPV4 && strchr(host, ':'))
		len -= 96;
	/* the subtraction may have wrapped: the prefix is wider than ::ffff:0:0/96 */
	if (len > addr->prefix_len)
		return false;
	*addr = fmp_addr_mask(*addr, (uint8_t)len);
	return true;
}

static int parse_prefix(struct reader *r, const char *text, struct fmp_error *err)
{
	char network[FMP_ADDR_STRLEN];
	struct fmp_error warning;
	struct fmp_addr addr;
	int rc = fmp_addr_parse(text, &addr, err);

	if (rc) {
		if (!parse_host_bits(text, &addr))
			return rc;
		(void)fmp_error_at(&warning, FMP_ERR_SYNTAX, r->file, r->line, 0,
				   "%.60s has bits behind its prefix, taken as %s", text,
				   fmp_addr_format(&addr, network, sizeof(network)));
		if (r->warn)
			r->warn(&warning, r->ctx);
	}
	return add_addr(r->list, &addr, err);
}

/* Cut "for DURATION" off the end of a line. Return: 0, FMP_ERR_SYNTAX. */
static int split_duration(char *line, uint64_t *ms, struct fmp_error *err)
{
	char *word = line + strcspn(line, " \t"), *time = word + strspn(word, " \t");

	*ms = FMP_BLOCKLIST_NO_TIME;
	if (strncmp(time, "for", 3) || (time[3] != ' ' && time[3] != '\t'))
		return 0;
	time += 3 + strspn(time + 3, " \t");
	if (fmp_duration_parse(time, ms))
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "\"%.50s\" is no duration such as 10min, 2h, 1d, or 0 for "
				     "no end",
				     time);
	*word = '\0';
	return 0;
}

/* Other formats put more on a line: a hosts file, a CSV file, what ipset or nft save. */
static int refuse_extra_words(const char *line, struct fmp_error *err)
{
	return fmp_error_set(
		err, FMP_ERR_SYNTAX,
		"\"%.64s\": a line of a list has one address, prefix, MAC or range A-B, "
		"with \"for DURATION\" behind it or nothing",
		line);
}

/* One line, without its end. */
static int parse_line(struct reader *r, char *line, struct fmp_error *err)
{
	struct fmp_blocklist *l = r->list;
	size_t before = l->n;
	char *end, *hyphen;
	uint64_t ms;
	int rc;

	line[strcspn(line, "#;")] = '\0';
	line += strspn(line, " \t");
	end = line + strlen(line);
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		*--end = '\0';
	if (!*line)
		return 0;
	rc = split_duration(line, &ms, err);
	if (rc)
		return rc;
	hyphen = strchr(line, '-');
	if (line[strcspn(line, hyphen ? ",{}" : " \t,{}")])
		return refuse_extra_words(line, err);
	rc = hyphen ? parse_range(l, line, hyphen, err) : parse_prefix(r, line, err);
	for (size_t i = before; i < l->n; i++)
		l->ms[i] = ms;
	return rc;
}

/* Return: a terminated copy that the line splitter may write to; NULL without memory. */
static char *copy_text(const void *bytes, size_t len)
{
	char *text = malloc(len + 1);

	if (!text)
		return NULL;
	memcpy(text, bytes, len);
	text[len] = '\0';
	return text;
}

/* A line ends with LF, CR LF, or CR alone (old systems). Return: NULL after the last line. */
static char *next_line(char **rest)
{
	char *line = *rest, *end;

	if (!line)
		return NULL;
	end = line + strcspn(line, "\r\n");
	*rest = *end ? end + 1 + (end[0] == '\r' && end[1] == '\n') : NULL;
	*end = '\0';
	return line;
}

static bool has_prefix(const char *text, size_t len, const char *with)
{
	return len >= strlen(with) && !memcmp(text, with, strlen(with));
}

static int check_text(const char *text, size_t len, const char *file, struct fmp_error *err)
{
	if (has_prefix(text, len, "\xff\xfe") || has_prefix(text, len, "\xfe\xff"))
		return fmp_error_set(
			err, FMP_ERR_SYNTAX,
			"%s is in UTF-16: 'iconv -f UTF-16 -t UTF-8' makes a list of it", file);
	if (has_prefix(text, len, "\x1f\x8b"))
		return fmp_error_set(err, FMP_ERR_SYNTAX,
				     "%s is compressed: 'gzip -dc' makes a list of it", file);
	if (strlen(text) != len)
		return fmp_error_set(err, FMP_ERR_SYNTAX, "%s is no text", file);
	return 0;
}

int fmp_blocklist_parse(struct fmp_blocklist *l, const void *bytes, size_t len, const char *file,
			void (*warn)(const struct fmp_error *warning, void *ctx), void *ctx,
			struct fmp_error *err)
{
	struct reader r = { .list = l, .file = file, .warn = warn, .ctx = ctx };
	char *text = copy_text(bytes, len), *rest = text, *line;
	int rc = 0;

	if (!text)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = check_text(text, len, file, err);
	if (!strncmp(text, "\xef\xbb\xbf", 3)) /* UTF-8 byte order mark */
		rest += 3;
	while (!rc && (line = next_line(&rest))) {
		r.line++;
		rc = parse_line(&r, line, err);
		if (rc && err) {
			snprintf(err->file, sizeof(err->file), "%s", file);
			err->line = r.line;
		}
	}
	free(text);
	return rc;
}

void fmp_blocklist_free(struct fmp_blocklist *l)
{
	free(l->addr);
	free(l->ms);
	*l = (struct fmp_blocklist){ 0 };
}
