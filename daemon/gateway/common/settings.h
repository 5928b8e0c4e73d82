/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of the gateway share: its settings. */
#ifndef FMP_GATEWAY_SETTINGS_H
#define FMP_GATEWAY_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

#include <fmp/inspect.h>
#include <fmp/policy.h>
#include <fmp/secure.h>

struct fmp_crash_note;
struct gw_backend_url;
struct gw_tls;

/** struct fmp_gateway_name - who resolves the name of a backend; see service/dns_helper.h */
struct fmp_gateway_name {
	pid_t pid; /**< 0: nobody, it is resolved */
	int fd; /**< of a socket to it */
	int error; /**< getaddrinfo()'s, that it said last; 0: nothing yet */
};

/** struct fmp_gateway_service - one of the policy, or the only one where it has none */
struct fmp_gateway_service {
	const char *name; /**< "": the only one */
	bool client; /**< a remote one: its answers are inspected, not what is sent to it */
	const struct fmp_policy_service *from; /**< NULL: the policy has none */
	const struct fmp_policy_gateway *demands;
	struct fmp_inspector *inspector;
	struct fmp_securer *securer; /**< of its answers; NULL: they go back as they are */
	struct gw_backend_url *url;
	struct fmp_gateway_name resolving;
};

/** struct fmp_gateway_settings - set by main(), then read only */
struct fmp_gateway_settings {
	struct fmp_policy *policy; /**< with the flags of the command line put over it */
	const char *policy_file; /**< that it came from; "": the built-in one */
	struct fmp_gateway_service service[FMP_SERVICES_MAX];
	unsigned n_services;
	struct gw_tls *tls; /**< NULL: plain HTTP */
	int listen_fd;
	int key_agent_fd; /**< of what keeps private keys; -1: there are none */
	int fork_server_fd; /**< of what forks workers */
	int event_fd; /**< -1: events go to standard error as lines */
	struct fmp_crash_note *note; /**< fmpd's, the listener's alone; NULL: there is no fmpd */
	int access_log_fd; /**< -1: no access log */
	const char *replay_file; /**< what came before, for the gateway that follows; NULL: none */
	bool trial; /**< whether it could start is all that is asked */
	int64_t clock_floor_s; /**< a clock that is behind that is not set */
	bool verbose; /**< good ones too */
};

static inline uint64_t gw_clock_ns(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#endif
