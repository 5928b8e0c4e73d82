// SPDX-License-Identifier: GPL-2.0
#include <fmp/report.h>

#include <stdlib.h>

#include <fmp/control.h>

#include "client.h"

#define ANSWER_MS 1000

/* Uses the protocol of the control socket, with one request: FMP_MSG_EVENT. */
struct fmp_reporter {
	struct fmp_client *client;
};

int fmp_reporter_open(const char *path, struct fmp_reporter **out, struct fmp_error *err)
{
	struct fmp_reporter *r = malloc(sizeof(*r));
	int rc;

	if (!r)
		return fmp_error_set(err, FMP_ERR_NOMEM, "no memory");
	rc = fmpi_client_open(path, FMP_REPORT_SOCKET, "report", &r->client, err);
	if (rc) {
		free(r);
		return rc;
	}
	*out = r;
	return 0;
}

void fmp_reporter_close(struct fmp_reporter *r)
{
	if (!r)
		return;
	fmp_client_close(r->client);
	free(r);
}

static int read_reply(struct fmp_wire_in *in, struct fmp_error *err)
{
	char message[sizeof(err->message)] = "";
	struct fmp_wire_field f;
	uint64_t code = 0;
	int rc;

	if (in->type != FMP_CTL_END)
		return fmp_error_set(err, FMP_ERR_SYNTAX, "fmpd answers what is no answer");
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id == FMP_F_CODE)
			rc = fmp_wire_get_u64(&f, &code);
		else if (f.id == FMP_F_MESSAGE)
			rc = fmp_wire_get_str(&f, message, sizeof(message));
		if (rc < 0)
			break;
	}
	if (rc < 0)
		return fmp_error_set(err, FMP_ERR_SYNTAX, "fmpd's answer does not decode");
	rc = (int)(int64_t)code;
	return rc < 0 ? fmp_error_set(err, (enum fmp_code)rc, "%s", message) : 0;
}

int fmp_report(struct fmp_reporter *r, const struct fmp_event *ev, struct fmp_error *err)
{
	struct fmp_wire_in in;
	uint8_t buf[1024];
	size_t len;
	int rc = fmp_event_encode(ev, buf, sizeof(buf), &len);

	if (rc)
		return fmp_error_set(err, (enum fmp_code)rc, "the event can't be encoded");
	rc = fmp_client_send(r->client, buf, len, err);
	if (!rc)
		rc = fmp_client_receive(r->client, ANSWER_MS, &in, err);
	return rc ? rc : read_reply(&in, err);
}
