/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of templates (expand.h) for messages with a header block that the policy names. */
#ifndef FMP_TESTS_ATTACK_HEADERS_H
#define FMP_TESTS_ATTACK_HEADERS_H

#include "names.h"

#define ROUTE_WITH(more, x)                                                                       \
	"<r:route xmlns:r=\"" ATTACK_ROUTE "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"route\"" more ">" x \
	"</r:route>"
#define ROUTE	       ROUTE_WITH("", "here")
#define OTHER_ROUTE(x) "<r:route xmlns:r=\"" ATTACK_ROUTE "\"" x ">elsewhere</r:route>"
#define REF_ROUTE      REFERENCE(" URI=\"#route\"", TRANSFORM(EXC), XENC "sha256", "@(" ROUTE "@)")
#define ROUTED(blocks) OPEN HEADER("@W" blocks) "@B" CLOSE

#endif
