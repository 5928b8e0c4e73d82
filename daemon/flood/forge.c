// SPDX-License-Identifier: GPL-2.0
/*
 * Sends frames with a forged source address or MAC and without a handshake: a firewall must not charge them to
 * the innocent host that they name.
 */
#include "forge.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "device.h"
#include "frame.h"
#include "message.h"
#include "options.h"
#include "pace.h"
#include "target.h"

#define PAYLOAD_MAX 1300u /* fits an MTU of 1500 with IPv6 and TCP */
#define BATCH	    64u

enum forge_kind {
	FORGE_SYN = 1,
	FORGE_DATA = 2,
	FORGE_BOTH = 3
};

struct forge {
	const char *device;
	struct fmp_addr src_ip, src_mac, dst_ip, dst_mac;
	uint16_t dport;
	double rate, count;
	double seed;
	enum forge_kind kinds;
	bool own_target, quiet, help;
	uint8_t frame[BATCH][FLOOD_ETH_HEADER + 1500];
};

static const char help[] =
	"Usage: fmp-flood forge --device DEV --src-ip A --dst-ip A --dst-mac M [OPTION]...\n"
	"\n"
	"Sends raw TCP frames with a forged source address, without a handshake, to prove\n"
	"that the host at this address is never blocked. Needs CAP_NET_RAW.\n"
	"\n"
	"  --device DEV     the device to send from\n"
	"  --src-ip ADDR    forged source address\n"
	"  --src-mac MAC    forged source MAC; default: the device's own\n"
	"  --dst-ip ADDR    target, within the same limits as --url\n"
	"  --dst-mac MAC    the target's MAC\n"
	"  --dport PORT     default 80\n"
	"  --kind KIND      syn, data (a segment with a malformed SOAP message) or both; default both\n"
	"  --rate N         frames a second, default 100\n"
	"  --count N        frames in all, default 1000\n"
	"  --seed N         of ports and sequence numbers; default 1\n"
	"  --quiet          no summary\n"
	"  --i-own-the-target, --help\n";

static int parse_mac(const char *text, struct fmp_addr *out, struct fmp_error *err)
{
	int rc = fmp_addr_parse(text, out, err);

	if (!rc && (out->family != FMP_FAMILY_MAC || out->prefix_len != 48))
		rc = fmp_error_set(err, FMP_ERR_SYNTAX, "\"%.40s\" is not a MAC", text);
	return rc;
}

static int parse_ip(const char *text, struct fmp_addr *out, struct fmp_error *err)
{
	int rc = fmp_addr_parse(text, out, err);

	if (!rc && (!fmp_addr_is_ip(out) || out->prefix_len != fmp_addr_max_prefix(out->family)))
		rc = fmp_error_set(err, FMP_ERR_SYNTAX, "\"%.40s\" is not an IP address", text);
	return rc;
}

static int parse_kind(const char *text, enum forge_kind *out, struct fmp_error *err)
{
	static const char *const names[] = { NULL, "syn", "data", "both" };
	unsigned k;

	for (k = FORGE_SYN; k <= FORGE_BOTH; k++) {
		if (strcmp(text, names[k]))
			continue;
		*out = (enum forge_kind)k;
		return 0;
	}
	return fmp_error_set(err, FMP_ERR_SYNTAX, "--kind: syn, data or both, not \"%.40s\"", text);
}

static int parse_option(struct forge *f, int opt, const char *arg, struct fmp_error *err)
{
	double v = 0;
	int rc;

	switch (opt) {
	case 'd':
		f->device = arg;
		return 0;
	case 's':
		return parse_ip(arg, &f->src_ip, err);
	case 'S':
		return parse_mac(arg, &f->src_mac, err);
	case 't':
		return parse_ip(arg, &f->dst_ip, err);
	case 'T':
		return parse_mac(arg, &f->dst_mac, err);
	case 'p':
		rc = flood_number("--dport", arg, 1, 65535, &v, err);
		f->dport = (uint16_t)v;
		return rc;
	case 'r':
		return flood_number("--rate", arg, 0.1, 1000000, &f->rate, err);
	case 'c':
		return flood_number("--count", arg, 1, 1e9, &f->count, err);
	case 'e':
		return flood_number("--seed", arg, 0, 1e15, &f->seed, err);
	case 'k':
		return parse_kind(arg, &f->kinds, err);
	case 'o':
		f->own_target = true;
		return 0;
	case 'q':
		f->quiet = true;
		return 0;
	case 'h':
		f->help = true;
		return 0;
	default:
		return fmp_error_set(err, FMP_ERR_INVALID, "see fmp-flood forge --help");
	}
}

static int parse_options(struct forge *f, int argc, char **argv, struct fmp_error *err)
{
	static const struct option longopts[] = {
		{ "device", required_argument, NULL, 'd' },
		{ "src-ip", required_argument, NULL, 's' },
		{ "src-mac", required_argument, NULL, 'S' },
		{ "dst-ip", required_argument, NULL, 't' },
		{ "dst-mac", required_argument, NULL, 'T' },
		{ "dport", required_argument, NULL, 'p' },
		{ "rate", required_argument, NULL, 'r' },
		{ "count", required_argument, NULL, 'c' },
		{ "seed", required_argument, NULL, 'e' },
		{ "kind", required_argument, NULL, 'k' },
		{ "i-own-the-target", no_argument, NULL, 'o' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	int opt, rc;

	f->dport = 80;
	f->rate = 100;
	f->count = 1000;
	f->seed = 1;
	f->kinds = FORGE_BOTH;
	while ((opt = getopt_long(argc, argv, "", longopts, NULL)) != -1) {
		rc = parse_option(f, opt, optarg, err);
		if (rc)
			return rc;
	}
	if (f->help)
		return 0;
	if (optind < argc)
		return fmp_error_set(err, FMP_ERR_INVALID, "\"%.60s\": see --help", argv[optind]);
	if (!f->device || !f->src_ip.family || !f->dst_ip.family || !f->dst_mac.family)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "--device, --src-ip, --dst-ip and --dst-mac are needed");
	if (f->src_ip.family != f->dst_ip.family)
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "--src-ip and --dst-ip are of different families");
	return 0;
}

/* A malformed request in one segment: it would add rank if its source were believed. */
static int make_payload(struct forge *f, struct flood_text *out, struct fmp_error *err)
{
	struct flood_message_config cfg = { .host = "forged", .path = "/", .size = 600 };
	struct flood_message m = { 0 };
	struct flood_builder *b;
	int rc = flood_builder_new(&cfg, &b, err);

	if (rc)
		return rc;
	rc = flood_builder_build(b, FLOOD_WELLFORMED, (int64_t)time(NULL), &m, err);
	if (!rc) {
		flood_text_add(out, m.head.data, m.head.len);
		flood_text_add(out, m.body->data, m.body->len);
		if (out->failed)
			rc = fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
		if (out->len > PAYLOAD_MAX)
			out->len = PAYLOAD_MAX;
	}
	flood_message_free(&m);
	flood_builder_free(b);
	return rc;
}

static void sleep_ns(uint64_t ns)
{
	struct timespec ts = { .tv_sec = (time_t)(ns / 1000000000ull),
			       .tv_nsec = (long)(ns % 1000000000ull) };

	(void)clock_nanosleep(CLOCK_MONOTONIC, 0, &ts, NULL);
}

static uint64_t send_all(struct forge *f, int raw, struct flood_frame_spec *spec,
			 const struct flood_text *data)
{
	struct flood_random random = { .state = (uint64_t)f->seed };
	struct flood_bytes batch[BATCH];
	struct flood_pace pace;
	uint64_t sent = 0, made = 0, wait;

	flood_pace_init(&pace, f->rate, (uint64_t)f->count, flood_now_ns());
	while ((wait = flood_pace_wait(&pace, flood_now_ns())) != UINT64_MAX) {
		uint32_t due = flood_pace_due(&pace, flood_now_ns());
		unsigned n = 0;

		if (!due)
			sleep_ns(wait);
		while (due--) {
			bool syn = f->kinds == FORGE_SYN ||
				   (f->kinds == FORGE_BOTH && made % 2 == 0);

			spec->sport = (uint16_t)(1024 + flood_random_below(&random, 64512));
			spec->seq = (uint32_t)flood_random_next(&random);
			spec->ack = syn ? 0 : (uint32_t)flood_random_next(&random);
			spec->flags = syn ? FLOOD_TCP_SYN : FLOOD_TCP_ACK | FLOOD_TCP_PSH;
			spec->payload = data->data;
			spec->payload_len = syn ? 0 : data->len;
			batch[n].data = f->frame[n];
			batch[n].len = flood_frame_build(spec, f->frame[n], sizeof(f->frame[n]));
			made++;
			if (++n == BATCH || !due) {
				sent += flood_device_send(raw, batch, n);
				n = 0;
			}
		}
	}
	return sent;
}

static int run_forge(struct forge *f, struct fmp_error *err)
{
	struct flood_frame_spec spec = { .src = f->src_ip, .dst = f->dst_ip, .dport = f->dport };
	struct flood_text data = { 0 };
	struct flood_device dev;
	uint64_t sent = 0;
	int raw = -1, rc;

	rc = f->own_target ? 0 : flood_target_allowed(&f->dst_ip, err);
	if (!rc)
		rc = make_payload(f, &data, err);
	if (!rc)
		rc = flood_device_open(&dev, f->device, err);
	if (rc)
		goto out;
	memcpy(spec.src_mac, f->src_mac.family ? f->src_mac.bytes : dev.mac, 6);
	memcpy(spec.dst_mac, f->dst_mac.bytes, 6);
	raw = flood_device_raw(&dev, err);
	if (raw >= 0) {
		sent = send_all(f, raw, &spec, &data);
		close(raw);
		if (!f->quiet)
			printf("%" PRIu64 " forged frames sent out of %s\n", sent, dev.name);
		if (sent < (uint64_t)f->count)
			rc = fmp_error_set(err, FMP_ERR_IO, "%s took %" PRIu64 " of %.0f frames",
					   dev.name, sent, f->count);
	} else {
		rc = raw;
	}
	flood_device_close(&dev);
out:
	flood_text_free(&data);
	return rc;
}

int flood_forge_main(int argc, char **argv)
{
	struct forge *f = calloc(1, sizeof(*f));
	struct fmp_error err = { 0 };
	char text[800];
	int rc;

	if (!f)
		return FLOOD_EXIT_FAILED;
	rc = parse_options(f, argc, argv, &err);
	if (rc) {
		fprintf(stderr, "fmp-flood: %s\n", fmp_error_format(&err, text, sizeof(text)));
		free(f);
		return FLOOD_EXIT_USAGE;
	}
	if (f->help) {
		fputs(help, stdout);
		free(f);
		return FLOOD_EXIT_OK;
	}
	rc = run_forge(f, &err);
	free(f);
	if (rc)
		fprintf(stderr, "fmp-flood: %s\n", fmp_error_format(&err, text, sizeof(text)));
	return rc ? FLOOD_EXIT_FAILED : FLOOD_EXIT_OK;
}
