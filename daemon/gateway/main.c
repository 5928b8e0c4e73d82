// SPDX-License-Identifier: GPL-2.0
/* fmp-gateway: reads its settings, gives up its rights, serves. */
#include <errno.h>
#include <getopt.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmp/internal/policy_pack.h>
#include <fmp/internal/crash_note.h>

#include "service/access_log.h"
#include <fmp/internal/endpoint.h>
#include <fmp/internal/text.h>
#include "common/clock.h"
#include "common/settings.h"
#include "keys/agent_call.h"
#include "keys/key_agent.h"
#include "keys/remote_keys.h"
#include "listener.h"
#include "service/dns_helper.h"
#include "sandbox/sandbox.h"
#include "service/service.h"
#include "workers/fork_server.h"
#include "conn/tls.h"

#define KEEP_BYTES (8 << 20)

enum {
	EXIT_OK = 0,
	EXIT_REFUSED = 1,
	EXIT_USAGE = 2
};

/** struct options - of the command line */
struct options {
	const char *policy, *listen_on, *backend, *security, *schema, *trust, *key, *replay_file,
		*names_file;
	int policy_fd, listen_fd, event_fd, crash_page_fd;
	bool verbose, check;
};

static void usage(FILE *to)
{
	fputs("Usage: fmp-gateway [--policy FILE] --listen ADDR:PORT [--backend URL] [OPTIONS]\n"
	      "       fmp-gateway [--policy-fd N] --listen-fd N --event-fd N [--backend URL] [OPTIONS]\n"
	      "Inspects SOAP messages, forwards good ones to the backend, and replies to bad ones with\n"
	      "a Fault. Started by hand it prints events; fmpd starts it with file descriptors.\n\n"
	      "  --policy FILE       the policy (default: the balanced policy)\n"
	      "  --listen ADDR:PORT  where to listen; port 0 takes a free one and prints it\n"
	      "  --backend URL       the Web service, http://HOST[:PORT]/PATH, for services that\n"
	      "                      name none in the policy\n"
	      "  --security LEVEL    Os, Bc, BcV, BcS, BcE or BcES, instead of the policy's\n"
	      "  --schema FILE       XSD or WSDL of the service, instead of the policy's\n"
	      "  --trust FILE        PEM file of trusted CAs, instead of the policy's\n"
	      "  --key FILE          PEM private key to decrypt with, instead of the policy's\n"
	      "  --replay-file FILE  keeps replay keys for the next gateway; in a directory that others\n"
	      "                      can't write, on a file system in memory\n"
	      "  --names-file FILE   keeps addresses of backends for the next gateway, in case a name\n"
	      "                      does not resolve; in such a directory, too\n"
	      "  --policy-fd N       an inherited file with the policy, as read by fmpd\n"
	      "  --listen-fd N       an inherited listening socket\n"
	      "  --event-fd N        an inherited socket to fmpd; the gateway exits when it closes\n"
	      "  --note-fd N         the inherited crash attribution page\n"
	      "  --check             read policy, schemas and keys as if to start; report errors\n"
	      "  --verbose           print good messages too\n"
	      "  --help, --version\n\n"
	      "Exit status: 0 stopped; 1 could not start; 2 wrong usage.\n",
	      to);
}

static int parse_number(const char *text)
{
	char *end;
	long n = strtol(text, &end, 10);

	return end == text || *end || n < 0 || n > 65535 ? -1 : (int)n;
}

static bool parse_fd(const char *option, const char *text, int *fd)
{
	*fd = parse_number(text);
	if (*fd < 0)
		fmp_text_print(stderr,
			       "fmp-gateway: %s needs the number of an open file, not '%s'\n\n",
			       option, text);
	return *fd >= 0;
}

/* Return: -1 to continue, otherwise the exit status. */
static int read_options(int argc, char **argv, struct options *o)
{
	static const struct option options[] = { { "policy", required_argument, NULL, 'p' },
						 { "policy-fd", required_argument, NULL, 'P' },
						 { "listen", required_argument, NULL, 'l' },
						 { "listen-fd", required_argument, NULL, 'L' },
						 { "event-fd", required_argument, NULL, 'E' },
						 { "note-fd", required_argument, NULL, 'N' },
						 { "backend", required_argument, NULL, 'b' },
						 { "security", required_argument, NULL, 's' },
						 { "schema", required_argument, NULL, 'x' },
						 { "trust", required_argument, NULL, 't' },
						 { "key", required_argument, NULL, 'k' },
						 { "replay-file", required_argument, NULL, 'r' },
						 { "names-file", required_argument, NULL, 'n' },
						 { "check", no_argument, NULL, 'c' },
						 { "verbose", no_argument, NULL, 'v' },
						 { "help", no_argument, NULL, 'h' },
						 { "version", no_argument, NULL, 'V' },
						 { NULL, 0, NULL, 0 } };
	bool valid = true;
	int c;

	while (valid && (c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		switch (c) {
		case 'p':
			o->policy = optarg;
			break;
		case 'P':
			valid = parse_fd("--policy-fd", optarg, &o->policy_fd);
			break;
		case 'l':
			o->listen_on = optarg;
			break;
		case 'L':
			valid = parse_fd("--listen-fd", optarg, &o->listen_fd);
			break;
		case 'E':
			valid = parse_fd("--event-fd", optarg, &o->event_fd);
			break;
		case 'N':
			valid = parse_fd("--note-fd", optarg, &o->crash_page_fd);
			break;
		case 'b':
			o->backend = optarg;
			break;
		case 's':
			o->security = optarg;
			break;
		case 'x':
			o->schema = optarg;
			break;
		case 't':
			o->trust = optarg;
			break;
		case 'k':
			o->key = optarg;
			break;
		case 'r':
			o->replay_file = optarg;
			break;
		case 'n':
			o->names_file = optarg;
			break;
		case 'c':
			o->check = true;
			break;
		case 'v':
			o->verbose = true;
			break;
		case 'h':
			usage(stdout);
			return EXIT_OK;
		case 'V':
			puts("fmp-gateway " FMP_VERSION);
			return EXIT_OK;
		default:
			usage(stderr);
			return EXIT_USAGE;
		}
	}
	if (!valid || optind < argc || (!o->check && !o->listen_on == (o->listen_fd < 0))) {
		usage(stderr);
		return EXIT_USAGE;
	}
	return -1;
}

static int override_setting(char *setting, size_t size, const char *flag, struct fmp_error *err)
{
	if (!flag)
		return 0;
	if (strlen(flag) >= size)
		return fmp_error_set(err, FMP_ERR_LIMIT, "path is too long: %.100s", flag);
	strcpy(setting, flag);
	return 0;
}

/* The policy as fmpd read it, even if the file has changed since. */
static int map_policy(int fd, struct fmp_policy **out, struct fmp_error *err)
{
	struct stat st;
	void *bytes;
	int rc;

	if (fstat(fd, &st))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "--policy-fd %d", fd);
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return fmp_error_sys(err, FMP_ERR_IO, errno, "--policy-fd %d", fd);
	rc = fmp_policy_unpack(bytes, (size_t)st.st_size, out, err);
	munmap(bytes, (size_t)st.st_size);
	close(fd);
	return rc;
}

/* Only for the listener: forked processes do not inherit it. */
static int map_crash_page(int fd, struct gw_settings *s, struct fmp_error *err)
{
	void *page;

	if (fd < 0)
		return 0;
	page = mmap(NULL, FMP_CRASH_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED || madvise(page, FMP_CRASH_NOTE_BYTES, MADV_DONTFORK) || close(fd))
		return fmp_error_sys(err, FMP_ERR_IO, errno, "--note-fd %d", fd);
	s->crash_page = page;
	return 0;
}

/* Read the policy and apply the command line to it. */
static int read_policy(const struct options *o, struct gw_settings *s, struct fmp_error *err)
{
	struct fmp_policy_gateway *g;
	int rc = 0;

	if (o->policy_fd >= 0)
		rc = map_policy(o->policy_fd, &s->policy, err);
	else if (o->policy)
		rc = fmp_policy_load(o->policy, NULL, &s->policy, err);
	else if (!(s->policy = fmp_policy_default()))
		rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	if (rc)
		return rc;
	s->evaluator.policy = s->policy;
	s->policy_file = s->policy->file;
	s->clock_floor_s = gw_clock_floor(s->policy_file);
	g = &s->policy->gateway;
	if (s->policy->n_services && (o->security || o->schema || o->trust || o->key))
		return fmp_error_set(err, FMP_ERR_CONFLICT,
				     "--security, --schema, --trust and --key are of the one "
				     "service of a policy without <services>");
	if (o->security && fmp_security_parse(o->security, &g->security))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "--security is none of Os, Bc, BcV, BcS, BcE, BcES");
	rc = override_setting(g->schema, sizeof(g->schema), o->schema, err);
	if (!rc)
		rc = override_setting(g->trust, sizeof(g->trust), o->trust, err);
	if (!rc)
		rc = override_setting(g->key, sizeof(g->key), o->key, err);
	return rc;
}

/* Return: a listening socket, or an error code. */
static int listen_on(const char *text, struct fmp_error *err)
{
	struct fmp_error why = { 0 };
	struct fmp_endpoint at;
	char bound[80];
	bool waits;
	int fd = fmp_endpoint_parse(text, &at, &why);

	if (!fd)
		fd = fmp_endpoint_listen(&at, 0, &waits, &why);
	if (fd < 0)
		return fmp_error_set(err, fd, "--listen %s: %s", text, why.message);
	if (fmp_endpoint_format(fd, bound, sizeof(bound))) {
		printf("listening on %s%s\n", bound,
		       waits ? ", which is no address of this machine yet" : "");
		fflush(stdout);
	}
	return fd;
}

/*
 * For all processes. glibc would return memory to the system after each large message and fetch it
 * again for the next one, which costs as much as parsing it.
 */
static void set_up_process(void)
{
	signal(SIGPIPE, SIG_IGN);
#ifdef M_TRIM_THRESHOLD /* musl keeps less memory by itself */
	mallopt(M_TRIM_THRESHOLD, KEEP_BYTES);
	mallopt(M_MMAP_THRESHOLD, KEEP_BYTES);
#endif
}

/* Prepare the services. Private keys are read by the key agent from the start. */
static int prepare_services(const struct options *o, struct gw_settings *s, struct fmp_error *err)
{
	int rc = 0;

	if (!o->check && gw_services_have_keys(s->policy)) {
		s->key_agent_fd = gw_key_agent_new(s->policy->gateway.user, err);
		rc = s->key_agent_fd < 0 ? s->key_agent_fd : 0;
	}
	if (!rc && !o->check && gw_services_have_client_keys(s->policy)) {
		s->client_agent_fd = gw_key_agent_new(s->policy->gateway.user, err);
		rc = s->client_agent_fd < 0 ? s->client_agent_fd : 0;
	}
	if (!rc)
		rc = fmp_inspect_global_init(err);
	if (!rc)
		rc = gw_services_new(s, o->backend, err);
	if (!rc && s->key_agent_fd >= 0)
		rc = gw_remote_keys_ready(s->key_agent_fd, err);
	if (!rc && s->client_agent_fd >= 0)
		rc = gw_remote_keys_ready(s->client_agent_fd, err);
	if (!rc)
		rc = gw_sandbox_check_memory(s->policy->gateway.worker_memory_bytes,
					     gw_services_max_body(s), err);
	/* DNS may not answer at boot, and delays only these services. */
	if (!rc)
		rc = gw_dns_helpers_start(s, o->check ? NULL : o->names_file, err);
	return rc;
}

/* Everything that needs files, names or privileges; cheap checks first. */
static int prepare_gateway(const struct options *o, struct gw_settings *s, struct fmp_error *err)
{
	int rc = gw_sandbox_hide_memory(err);

	if (!rc)
		rc = map_crash_page(o->crash_page_fd, s, err);
	if (!rc)
		rc = read_policy(o, s, err);
	s->evaluator.replay_file = o->replay_file;
	s->evaluator.check_only = o->check;
	if (!rc && o->check)
		rc = gw_sandbox_check_user(s->policy->gateway.user, err);
	if (!rc)
		rc = prepare_services(o, s, err);
	if (!rc && !o->check) {
		s->fork_server_fd = gw_fork_server_new(s, err);
		rc = s->fork_server_fd < 0 ? s->fork_server_fd : 0;
	}
	/* The fork server has it. */
	if (s->key_agent_fd >= 0)
		close(s->key_agent_fd);
	gw_client_agent_set(s->client_agent_fd);
	/* From here on there are secrets that workers must not have. */
	if (!rc)
		rc = gw_tls_new(&s->policy->gateway.tls, &s->tls, err);
	if (!rc && *s->policy->gateway.access_log) {
		s->access_log_fd = gw_access_log_open(s->policy->gateway.access_log, err);
		rc = s->access_log_fd < 0 ? s->access_log_fd : 0;
	}
	if (rc || o->check)
		return rc;
	s->event_fd = o->event_fd;
	s->verbose = o->verbose;
	s->listen_fd = o->listen_on ? listen_on(o->listen_on, err) : o->listen_fd;
	if (s->listen_fd < 0)
		return s->listen_fd;
	if (geteuid())
		fprintf(stderr, "fmp-gateway: not started as root: keeps uid %u\n",
			(unsigned)geteuid());
	return gw_sandbox_enter(GW_ROLE_LISTENER, s->policy->gateway.user,
				s->policy->gateway.connections, err);
}

int main(int argc, char **argv)
{
	struct options o = { .policy_fd = -1, .listen_fd = -1, .event_fd = -1, .crash_page_fd = -1 };
	struct gw_settings s = { .listen_fd = -1,
				 .key_agent_fd = -1,
				 .client_agent_fd = -1,
				 .fork_server_fd = -1,
				 .access_log_fd = -1 };
	struct fmp_error err = { 0 };
	char text[1024];
	int rc = read_options(argc, argv, &o);

	if (rc >= 0)
		return rc;
	set_up_process();
	if (prepare_gateway(&o, &s, &err)) {
		fprintf(stderr, "fmp-gateway: %s\n", fmp_error_format(&err, text, sizeof(text)));
		rc = EXIT_REFUSED;
	} else if (o.check) {
		rc = EXIT_OK;
	} else {
		rc = gw_listener_run(&s);
	}
	gw_dns_helpers_stop(&s);
	gw_services_free(&s);
	fmp_inspect_global_exit();
	gw_tls_free(s.tls);
	fmp_policy_free(s.policy);
	return rc;
}
