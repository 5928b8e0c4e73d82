/* SPDX-License-Identifier: GPL-2.0 */
/* The gateway's settings, shared by its processes. */
#ifndef GW_SETTINGS_H
#define GW_SETTINGS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <fmp/policy.h>

#include <fmp/secure.h>

#include <fmp/internal/evaluate.h>

struct fmp_crash_note;
struct fmp_description;
struct fmp_securer;
struct gw_backend_url;
struct gw_tls;

/** struct gw_dns_helper - the process that resolves a backend's name; see service/dns_helper.h */
struct gw_dns_helper {
	pid_t pid; /**< 0: none, the name is resolved */
	int fd; /**< socket to the process */
	int error; /**< latest error of getaddrinfo(); 0: none yet */
};

/** struct gw_service - a service of the policy, or the only one if the policy names none */
struct gw_service {
	const struct fmp_evaluate_service *evaluate; /**< name, policy and inspector */
	bool client; /**< a remote service: inspect its replies, not the requests to it */
	const struct fmp_policy_service *from; /**< NULL: the policy names no services */
	struct fmp_securer *securer; /**< of its replies; NULL: forward them unchanged */
	struct gw_backend_url *url;
	struct fmp_description *description; /**< NULL unless evaluate->describe is "answer" */
	struct gw_dns_helper dns_helper;
};

/** struct gw_settings - set by main(), read only afterwards */
struct gw_settings {
	struct fmp_policy *policy; /**< command line flags are applied to it */
	const char *policy_file; /**< where it was read from; "": the built-in policy */
	struct fmp_evaluator evaluator;
	struct gw_service service[FMP_SERVICES_MAX]; /**< same index as in the evaluator */
	struct gw_tls *tls; /**< NULL: plain HTTP */
	int listen_fd;
	int key_agent_fd; /**< -1: there are no private keys */
	int client_agent_fd; /**< the agent of the keys of client certificates; -1: there are none */
	int fork_server_fd;
	int event_fd; /**< -1: print events on standard error */
	struct fmp_crash_note *crash_page; /**< only the listener maps it; NULL: there is no fmpd */
	int access_log_fd; /**< -1: no access log */
	int64_t clock_floor_s; /**< a clock behind this time is not set */
	bool verbose; /**< print good messages too */
};

#endif
