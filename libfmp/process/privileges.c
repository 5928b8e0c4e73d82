// SPDX-License-Identifier: GPL-2.0
#include <fmp/internal/privileges.h>

#include <cap-ng.h>
#include <stdbool.h>
#include <stddef.h>
#include <unistd.h>

/*
 * NET_ADMIN: nftables, rtnetlink, the module. SETUID, SETGID, SETPCAP: for the gateway, which is
 * started with them, changes to its own user, empties its bounding set, and keeps none. KILL: to
 * stop a gateway that runs as another user.
 */
static const unsigned kept[] = { CAP_NET_ADMIN, CAP_SETUID, CAP_SETGID, CAP_SETPCAP, CAP_KILL };

#define KEPT (sizeof(kept) / sizeof(kept[0]))

int fmp_privileges_drop(struct fmp_error *err)
{
	bool have[KEPT], bounded;
	int rc = 0;

	if (geteuid())
		return 0;
	/* Root in a container may lack some, which then can't be kept. */
	if (capng_get_caps_process())
		return fmp_error_set(err, FMP_ERR_DENIED, "the capabilities can't be read");
	for (size_t i = 0; i < KEPT; i++)
		have[i] = capng_have_capability(CAPNG_PERMITTED, kept[i]);
	bounded = capng_have_capability(CAPNG_EFFECTIVE, CAP_SETPCAP);
	capng_clear(CAPNG_SELECT_BOTH);
	for (size_t i = 0; i < KEPT && !rc; i++)
		if (have[i])
			rc = capng_update(CAPNG_ADD,
					  CAPNG_EFFECTIVE | CAPNG_PERMITTED | CAPNG_BOUNDING_SET,
					  kept[i]);
	/* Also reduce the bounding set: a program started from here can't gain more. */
	if (!rc)
		rc = capng_apply(bounded ? CAPNG_SELECT_BOTH : CAPNG_SELECT_CAPS);
	return rc ? fmp_error_set(err, FMP_ERR_DENIED, "the capabilities can't be dropped") : 0;
}
