// SPDX-License-Identifier: GPL-2.0
#include "pcap_reader.h"

#include <stdlib.h>

#ifdef FMP_HAVE_PCAP
#include <pcap/pcap.h>
#endif

#include "http_exchange.h"
#include "packet.h"
#include "tcp_reassembly.h"

#define BUFFERED_MAX (64u << 20) /* bytes of bodies of all connections */

#ifdef FMP_HAVE_PCAP

#define LINKS_MAX 16

struct pcap_reader {
	struct fmp_addr links[LINKS_MAX];
	unsigned n_links;
	struct fmp_addr own; /* last one added to the log */
	const struct tcp_stream *current; /* the one being evaluated */
	struct offline_gateway gateway;
	struct tcp_reassembly *reassembly;
	struct pcap_counts counts;
	struct log_reader *reader; /* while a file is read */
	struct fmp_error *err;
};

static bool is_on_link(const struct pcap_reader *c, const struct fmp_addr *a)
{
	for (unsigned i = 0; i < c->n_links; i++)
		if (fmp_addr_contains(&c->links[i], a))
			return true;
	return false;
}

/* The server of an on-link client is this machine: add its address to the log. */
static int add_own_address(struct pcap_reader *c, const struct tcp_stream *s, uint64_t time_ns)
{
	struct log_entry e = { .what = LOG_LINK, .verb = "own", .addr = s->server };

	if (fmp_addr_equal(&c->own, &s->server))
		return 0;
	c->own = s->server;
	e.event.time_ns = time_ns;
	return log_add_entry(c->reader, &e, c->err);
}

static int on_event(const struct fmp_event *ev, void *ctx)
{
	struct log_entry e = { .what = LOG_EVENT, .event = *ev };
	struct pcap_reader *c = ctx;
	const struct tcp_stream *s = c->current;
	int rc = 0;

	/* The MAC may be a router's: use it only for hosts known to be on-link. */
	if (s && s->proven && s->mac.family && is_on_link(c, &ev->source)) {
		rc = add_own_address(c, s, ev->time_ns);
		e.mac = s->mac;
	}
	return rc ? rc : log_add_entry(c->reader, &e, c->err);
}

int pcap_reader_add_link(struct pcap_reader *c, const struct fmp_addr *prefix)
{
	if (c->n_links == LINKS_MAX)
		return FMP_ERR_LIMIT;
	c->links[c->n_links++] = *prefix;
	return 0;
}

static int on_bytes(struct tcp_stream *s, const uint8_t *p, size_t n, void *ctx)
{
	struct pcap_reader *c = ctx;

	c->current = s;
	return http_exchange_feed(&c->gateway, s, p, n);
}

static void on_closed(struct tcp_stream *s, void *ctx)
{
	struct pcap_reader *c = ctx;

	c->current = NULL;
	http_exchange_end(&c->gateway, s);
}

int pcap_reader_new(const struct fmp_policy *policy, uint16_t port, struct pcap_reader **out,
		    struct fmp_error *err)
{
	static const struct tcp_reassembly_ops ops = { .bytes = on_bytes, .closed = on_closed };
	struct pcap_reader *c = calloc(1, sizeof(*c));
	int rc;

	if (!c)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = offline_services_init(&c->gateway.services, policy, err);
	if (rc) {
		free(c);
		return rc;
	}
	c->gateway.port = port;
	c->gateway.event = on_event;
	c->gateway.ctx = c;
	c->reassembly = tcp_reassembly_new(port, &ops, c);
	if (!c->reassembly) {
		pcap_reader_free(c);
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	}
	*out = c;
	return 0;
}

void pcap_reader_free(struct pcap_reader *c)
{
	if (!c)
		return;
	tcp_reassembly_free(c->reassembly);
	offline_services_exit(&c->gateway.services);
	free(c);
}

void pcap_reader_finish(struct pcap_reader *c, struct pcap_counts *out)
{
	const struct tcp_reassembly_counters *n = tcp_reassembly_counters(c->reassembly);

	tcp_reassembly_close(c->reassembly);
	c->counts.connections = n->connections;
	c->counts.without_start = n->without_start;
	c->counts.gaps = n->gaps;
	c->counts.given_up = n->given_up;
	c->counts.encrypted = c->gateway.encrypted;
	c->counts.proxied = c->gateway.proxied;
	c->counts.uncharged = c->gateway.uncharged;
	*out = c->counts;
}

static int read_link_type(pcap_t *pcap, enum packet_link *out)
{
	switch (pcap_datalink(pcap)) {
	case DLT_EN10MB:
		*out = PACKET_ETHERNET;
		return 0;
	case DLT_LINUX_SLL:
		*out = PACKET_COOKED;
		return 0;
#ifdef DLT_LINUX_SLL2
	case DLT_LINUX_SLL2:
		*out = PACKET_COOKED2;
		return 0;
#endif
	case DLT_RAW:
	case DLT_IPV4:
	case DLT_IPV6:
		*out = PACKET_RAW;
		return 0;
	case DLT_NULL:
	case DLT_LOOP:
		*out = PACKET_LOOPBACK;
		return 0;
	default:
		return FMP_ERR_SYNTAX;
	}
}

static int take_packet(struct pcap_reader *c, enum packet_link link, const struct pcap_pkthdr *h,
		       const uint8_t *bytes)
{
	struct packet p;
	int rc = 0;

	c->counts.packets++;
	/* tv_usec has nanoseconds: the file was opened with that precision. Times before 1970 count as 0. */
	c->gateway.now_ns = h->ts.tv_sec < 0 ? 0
					     : (uint64_t)h->ts.tv_sec * 1000000000 +
						       (uint64_t)h->ts.tv_usec % 1000000000;
	switch (packet_parse(link, bytes, h->caplen, &p)) {
	case PACKET_TCP:
		rc = tcp_reassembly_add_segment(c->reassembly, &p);
		break;
	case PACKET_FRAGMENT:
		c->counts.fragments++;
		break;
	case PACKET_CUT:
		c->counts.cut++;
		break;
	case PACKET_OTHER:
		break;
	}
	while (c->gateway.buffered > BUFFERED_MAX && tcp_reassembly_evict_oldest(c->reassembly))
		;
	return rc;
}

static int read_packets(struct pcap_reader *c, pcap_t *pcap, const char *file)
{
	struct pcap_pkthdr *h;
	enum packet_link link;
	const uint8_t *bytes;
	unsigned number = 1;
	int got, rc = 0;

	if (read_link_type(pcap, &link)) {
		const char *name = pcap_datalink_val_to_name(pcap_datalink(pcap));

		return fmp_error_at(c->err, FMP_ERR_SYNTAX, file, 0, 0,
				    "link type %s is not supported", name ? name : "unknown");
	}
	while (!rc && (got = pcap_next_ex(pcap, &h, &bytes)) == 1) {
		rc = take_packet(c, link, h, bytes);
		number++;
	}
	if (rc == FMP_ERR_NOMEM)
		return fmp_error_set(c->err, rc, "no memory");
	if (!rc && got == PCAP_ERROR)
		return fmp_error_at(c->err, FMP_ERR_SYNTAX, file, number, 0,
				    "packet %u can't be read: %s", number, pcap_geterr(pcap));
	return rc;
}

int pcap_reader_read(struct pcap_reader *c, FILE *f, const char *file, struct log_reader *r,
		     struct fmp_error *err)
{
	char why[PCAP_ERRBUF_SIZE];
	pcap_t *pcap = pcap_fopen_offline_with_tstamp_precision(f, PCAP_TSTAMP_PRECISION_NANO, why);
	int rc;

	if (!pcap) {
		if (f != stdin)
			fclose(f);
		return fmp_error_at(err, FMP_ERR_SYNTAX, file, 0, 0, "not a capture: %s", why);
	}
	c->reader = r;
	c->err = err;
	rc = read_packets(c, pcap, file);
	pcap_close(pcap);
	return rc;
}

#else

int pcap_reader_new(const struct fmp_policy *policy, uint16_t port, struct pcap_reader **out,
		    struct fmp_error *err)
{
	return fmp_error_set(err, FMP_ERR_INVALID,
			     "captures can't be read: fmpctl was built without libpcap");
}

int pcap_reader_add_link(struct pcap_reader *c, const struct fmp_addr *prefix)
{
	return 0;
}

void pcap_reader_free(struct pcap_reader *c)
{
}

int pcap_reader_read(struct pcap_reader *c, FILE *f, const char *file, struct log_reader *r,
		     struct fmp_error *err)
{
	if (f != stdin)
		fclose(f);
	return fmp_error_set(err, FMP_ERR_INVALID, "no captures");
}

void pcap_reader_finish(struct pcap_reader *c, struct pcap_counts *out)
{
	*out = (struct pcap_counts){ 0 };
}

#endif
