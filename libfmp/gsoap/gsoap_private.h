/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the parts of the plugin: hooks (gsoap.c), attachments (gsoap_parts.c), reports (gsoap_report.c). */
#ifndef FMPI_GSOAP_GSOAP_PRIVATE_H
#define FMPI_GSOAP_GSOAP_PRIVATE_H

#include <fmp/gsoap.h>

#include <time.h>

#include <stdsoap2.h>

#include <fmp/report.h>

#include <fmp/internal/multipart.h>

struct fmpi_gsoap {
	struct fmp_gsoap_config cfg;
	ULONG64 body_bytes; /* longest body */
	/* The previous hooks, which ours call. */
	int (*chained_parse)(struct soap *soap);
	int (*chained_begin)(struct soap *soap);
	int (*chained_finish)(struct soap *soap);
	size_t (*chained_receive)(struct soap *soap, char *buf, size_t n);
	struct fmp_inspection verdict;
	bool held; /* the verdict is that of the message being served */
	struct fmp_multipart *parts; /* of the message being served, if it has attachments */
	char *written; /* that message as soap_serve() reads it */
	const char *next; /* rest of the forwarded bytes, while soap_serve() reads them */
	size_t left;
	bool feeding;
	bool fresh; /* only white space of the message has arrived */
	bool allowed; /* it was accepted, or is for a hook of the service */
	struct fmp_reporter *reporter;
	time_t retry;
};

uint64_t fmpi_gsoap_clock_ns(clockid_t clock);

/* Return: true: a full handshake was made for this message. Each handshake is returned once. */
bool fmpi_gsoap_take_handshake(struct soap *soap);

/* Report the sender of a message that was refused, if the service wants it. */
void fmpi_gsoap_report(struct soap *soap, struct fmpi_gsoap *d, size_t bytes, uint64_t cpu_ns);

/* Refuse a message without reading its body. Return: NULL. */
char *fmpi_gsoap_refuse(struct soap *soap, struct fmpi_gsoap *d, int status,
			enum fmp_event_kind kind, const char *why);

/* Split the message: its root part is inspected. Return: SOAP_OK, or soap->error. */
int fmpi_gsoap_open_parts(struct soap *soap, struct fmpi_gsoap *d, struct fmp_message *m);

/* Write the message as gSOAP is to read it. Return: SOAP_OK, or soap->error. */
int fmpi_gsoap_write_parts(struct soap *soap, struct fmpi_gsoap *d);

#endif
