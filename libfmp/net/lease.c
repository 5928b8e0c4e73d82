// SPDX-License-Identifier: GPL-2.0
#include <net/lease.h>

#include <string.h>

#define REPLY	   2 /* op of a server's message */
#define YIADDR_AT  16u
#define MAGIC_AT   236u
#define OPTIONS_AT 240u
#define FOREVER	   UINT32_MAX

/* Options of RFC 2132. */
enum {
	PAD = 0,
	LEASE_TIME = 51,
	MESSAGE_TYPE = 53,
	SERVER = 54,
	END = 255
};
#define ACK 5

struct lease {
	const uint8_t *type, *seconds, *server; /* NULL: absent */
};

static void store_option(struct lease *l, uint8_t option, const uint8_t *value, uint8_t len)
{
	if (option == MESSAGE_TYPE && len == 1)
		l->type = value;
	else if (option == LEASE_TIME && len == 4)
		l->seconds = value;
	else if (option == SERVER && len == 4)
		l->server = value;
}

/* Parse all options. Return: is there a proper end option? */
static bool parse_options(struct lease *l, const uint8_t *bytes, size_t len)
{
	size_t at = OPTIONS_AT;

	while (at < len && bytes[at] != END) {
		size_t left = len - at;

		if (bytes[at] == PAD) {
			at++;
			continue;
		}
		if (left < 2 || left - 2 < bytes[at + 1])
			return false;
		store_option(l, bytes[at], bytes + at + 2, bytes[at + 1]);
		at += 2u + bytes[at + 1];
	}
	return at < len;
}

bool fmpi_lease_server(const uint8_t *bytes, size_t len, uint64_t age_s, struct fmp_addr *yours,
		       struct fmp_addr *out)
{
	static const uint8_t magic[4] = { 99, 130, 83, 99 };
	struct lease l = { 0 };
	uint32_t seconds;

	if (len < OPTIONS_AT || len > FMPI_LEASE_MAX || bytes[0] != REPLY ||
	    memcmp(bytes + MAGIC_AT, magic, sizeof(magic)) != 0 || !parse_options(&l, bytes, len) ||
	    !l.type || *l.type != ACK || !l.seconds || !l.server)
		return false;
	seconds = (uint32_t)l.seconds[0] << 24 | (uint32_t)l.seconds[1] << 16 |
		  (uint32_t)l.seconds[2] << 8 | l.seconds[3];
	if (seconds != FOREVER && age_s > seconds)
		return false;
	*yours = fmp_addr_ipv4(bytes + YIADDR_AT);
	*out = fmp_addr_ipv4(l.server);
	return true;
}
