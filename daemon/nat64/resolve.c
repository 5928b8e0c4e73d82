// SPDX-License-Identifier: GPL-2.0
#include "resolve.h"

#include <arpa/nameser.h>
#include <netdb.h>
#include <netinet/in.h>
#include <resolv.h>

#define ANSWER_MAX 4096

int nat64_resolve(struct fmp_nat64_found *out)
{
	static uint8_t answer[ANSWER_MAX];
	int len, n;

	/* The final dot avoids search domains. */
	len = res_query("ipv4only.arpa.", ns_c_in, ns_t_aaaa, answer, sizeof(answer));
	if (len < 0)
		return h_errno == HOST_NOT_FOUND || h_errno == NO_DATA ? 0 : NAT64_NO_ANSWER;
	n = fmp_ipv4only_parse(answer, len < ANSWER_MAX ? (size_t)len : ANSWER_MAX, out);
	return n < 0 ? NAT64_NO_ANSWER : n;
}
