// SPDX-License-Identifier: GPL-2.0
#include "tls_meter.h"

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <openssl/bio.h>
#include <openssl/ssl.h>

/* RFC 8446 5.1: a record's type is in its first byte or, if encrypted, inside. */
static void check_records(struct gw_tls_meter *m)
{
	if (m->empty > (m->open ? GW_TLS_METER_EMPTY_RECORDS : GW_TLS_METER_HANDSHAKE_RECORDS))
		m->why = m->open ? "too many TLS records without data"
				 : "a TLS handshake of too many records";
	else if (m->records > GW_TLS_METER_RECORDS + m->bytes / GW_TLS_METER_BYTES_PER_RECORD)
		m->why = "too many TLS records for the data in them";
}

static void on_message(int sent, int version, int type, const void *buf, size_t len, SSL *ssl,
		       void *arg)
{
	struct gw_tls_meter *m = arg;
	const unsigned char *first = buf;

	if (sent || !len)
		return;
	if (type == SSL3_RT_HEADER) {
		m->records++;
		/* In TLS 1.3 every encrypted record claims to be data until it is decrypted. */
		if (*first != SSL3_RT_APPLICATION_DATA || SSL_version(ssl) >= TLS1_3_VERSION)
			m->empty++;
		check_records(m);
	} else if (type == SSL3_RT_INNER_CONTENT_TYPE && *first == SSL3_RT_APPLICATION_DATA) {
		/* The header of this record may have come before the last request was complete. */
		m->empty -= m->empty > 0;
	}
}

void gw_tls_meter_attach(struct gw_tls_meter *m, SSL *ssl)
{
	SSL_set_msg_callback(ssl, on_message);
	SSL_set_msg_callback_arg(ssl, m);
}

long gw_tls_meter_before_read(struct gw_tls_meter *m, BIO *bio)
{
	if (!m->why && ++m->reads <= GW_TLS_METER_READS)
		return 1;
	BIO_clear_retry_flags(bio);
	/* The socket stays readable, so the loop comes back to it. */
	if (!m->why)
		BIO_set_retry_read(bio);
	m->reads = 0;
	return -1;
}

void gw_tls_meter_after_read(struct gw_tls_meter *m, bool any)
{
	/* OpenSSL returns to the loop. */
	if (!any)
		m->reads = 0;
}

static void on_data(struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *arg)
{
	struct gw_tls_meter *m = arg;

	m->bytes += info->n_added;
}

void gw_tls_meter_count_data(struct gw_tls_meter *m, struct bufferevent *bev)
{
	evbuffer_add_cb(bufferevent_get_input(bev), on_data, m);
}

void gw_tls_meter_reset(struct gw_tls_meter *m)
{
	m->open = true;
	m->empty = m->records = 0;
	m->bytes = 0;
}
