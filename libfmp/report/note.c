// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/crash_note.h>

#include <netinet/in.h>

/* Convert as a socket address is, so that a source has one key. */
static int read_addr(const struct fmp_crash_note *n, struct fmp_addr *out)
{
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} sa = { 0 };

	if (n->family == FMP_FAMILY_IPV4) {
		sa.v4.sin_family = AF_INET;
		memcpy(&sa.v4.sin_addr, n->bytes, sizeof(sa.v4.sin_addr));
	} else if (n->family == FMP_FAMILY_IPV6) {
		sa.v6.sin6_family = AF_INET6;
		memcpy(&sa.v6.sin6_addr, n->bytes, sizeof(sa.v6.sin6_addr));
	}
	return fmp_addr_from_sockaddr(&sa.any, out, NULL);
}

bool fmp_crash_note_read(const struct fmp_crash_note *n, struct fmp_addr *source,
			 uint16_t *source_port, uint16_t *dest_port)
{
	struct fmp_crash_note copy;
	struct fmp_addr got;

	memcpy(&copy, n, sizeof(copy));
	if (copy.busy != 1 || read_addr(&copy, &got) || !fmp_addr_is_source(&got) ||
	    got.family != copy.family || memcmp(got.bytes, copy.bytes, sizeof(got.bytes)) != 0)
		return false;
	*source = got;
	*source_port = copy.source_port;
	*dest_port = copy.dest_port;
	return true;
}
