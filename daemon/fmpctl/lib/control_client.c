// SPDX-License-Identifier: GPL-2.0
#include "control_client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <fmp/internal/text.h>

#define ANSWER_TIMEOUT_MS 30000

void control_request_begin(struct control_request *req, enum fmp_ctl_type type)
{
	fmp_wire_begin(&req->w, req->buf, sizeof(req->buf), (uint16_t)type);
}

int control_print_error(const struct ctl *ctl, enum exit_code code, const struct fmp_error *err)
{
	char text[700];
	struct record r;

	fmp_error_format(err, text, sizeof(text));
	fprintf(stderr, "fmpctl: %s\n", text);
	if (!ctl->json || record_new(&r))
		return code;
	record_set_text(&r, FMP_F_RECORD, "error");
	record_set_text(&r, FMP_F_KIND, fmp_code_name(err->code));
	record_set_text(&r, FMP_F_MESSAGE, err->message);
	if (err->file[0])
		record_set_text(&r, FMP_F_FILE, err->file);
	if (err->line)
		record_set_number(&r, FMP_F_LINE, err->line);
	if (err->column)
		record_set_number(&r, FMP_F_COLUMN, err->column);
	print_json(&(struct records){ &r, 1, 1 });
	record_free(&r);
	return code;
}

/* Turn the end of a reply into the exit code; *err has the reason if no record came before it. */
static int take_end(struct fmp_wire_in *in, size_t n_records, struct fmp_error *err)
{
	struct record end;
	int64_t code;

	if (record_decode(in, &end)) {
		fmp_error_set(err, FMP_ERR_SYNTAX, "fmpd sent what does not decode");
		return EXIT_REFUSED;
	}
	code = (int64_t)record_number(&end, FMP_F_CODE);
	fmp_error_set(err,
		      code < 0 && code >= FMP_ERR_AGAIN ? (enum fmp_code)code : FMP_ERR_INVALID,
		      "%s", record_string(&end, FMP_F_MESSAGE));
	record_free(&end);
	if (code && !n_records)
		return EXIT_REFUSED;
	/* A message after records: a warning, or the reply is incomplete. */
	if (*err->message)
		fprintf(stderr, "fmpctl: %s\n", err->message);
	*err = (struct fmp_error){ 0 };
	return code ? EXIT_PARTLY : EXIT_OK;
}

int control_try(const struct ctl *ctl, struct control_request *req,
		int (*cb)(struct record *r, void *ctx), void *ctx, struct fmp_error *err)
{
	bool watch = req->w.buf[4] == FMP_CTL_WATCH >> 8 && req->w.buf[5] == (FMP_CTL_WATCH & 0xff);
	struct fmp_client *client;
	struct fmp_wire_in in;
	struct record r;
	size_t n = 0;
	int rc;

	if (fmp_wire_end(&req->w)) {
		fmp_error_set(err, FMP_ERR_LIMIT, "the request is too long");
		return EXIT_USAGE;
	}
	if (fmp_client_open(ctl->control, &client, err))
		return err->sys_errno == EACCES ? EXIT_REFUSED : EXIT_NO_DAEMON;
	rc = fmp_client_send(client, req->w.buf, req->w.len, err);
	while (!rc) {
		rc = fmp_client_receive(client, watch ? -1 : ANSWER_TIMEOUT_MS, &in, err);
		if (rc)
			break;
		if (in.type == FMP_CTL_END) {
			rc = take_end(&in, n, err);
			fmp_client_close(client);
			return rc;
		}
		if (in.type != FMP_CTL_RECORD)
			continue;
		rc = record_decode(&in, &r);
		if (rc) {
			fmp_error_set(err, (enum fmp_code)rc, "fmpd sent what does not decode");
			break;
		}
		n++;
		if (cb(&r, ctx)) {
			fmp_client_close(client);
			return EXIT_OK;
		}
	}
	fmp_client_close(client);
	return EXIT_NO_DAEMON;
}

int control_print_failure(const struct ctl *ctl, int code, const struct fmp_error *err)
{
	int rc = control_print_error(ctl, (enum exit_code)code, err);

	if (err->sys_errno == EACCES)
		fputs("fmpctl: root and members of the group fmpadmin may\n", stderr);
	return rc;
}

int control_stream(const struct ctl *ctl, struct control_request *req,
		   int (*cb)(struct record *r, void *ctx), void *ctx)
{
	struct fmp_error err = { 0 };
	int rc = control_try(ctl, req, cb, ctx, &err);

	return rc && *err.message ? control_print_failure(ctl, rc, &err) : rc;
}

static int add_record(struct record *r, void *ctx)
{
	return records_add(ctx, r);
}

int control_call(const struct ctl *ctl, struct control_request *req, struct records *out)
{
	*out = (struct records){ 0 };
	return control_stream(ctl, req, add_record, out);
}

/* json-c escapes C0 only. Write other control characters as \\uXXXX too, which JSON readers decode to the same text. */
static void write_json(const struct record *r)
{
	struct json_object *o = record_json(r);
	const char *s = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PLAIN |
								  JSON_C_TO_STRING_NOSLASHESCAPE);
	uint32_t c;
	size_t n;

	for (; *s; s += n) {
		n = fmp_text_next(s, &c);
		if (fmp_text_is_control(c) || (n == 1 && c == 0xfffd))
			printf("\\u%04x", (unsigned)c);
		else
			fwrite(s, 1, n, stdout);
	}
	json_object_put(o);
}

void print_json_line(const struct record *r)
{
	write_json(r);
	putchar('\n');
	fflush(stdout);
}

void print_json(const struct records *l)
{
	for (size_t i = 0; i < l->n; i++) {
		fputs(i ? ",\n" : "[", stdout);
		write_json(&l->r[i]);
	}
	puts(l->n ? "]" : "[]");
}

int parse_addr_argument(const char *command, const char *text, struct fmp_addr *out)
{
	struct fmp_error err;

	if (fmp_addr_parse(text, out, &err))
		return usage_error(command, "%s", err.message);
	return 0;
}
