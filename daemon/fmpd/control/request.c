// SPDX-License-Identifier: GPL-2.0
#include "request.h"

#include <string.h>

#include <fmp/decision.h>
#include <fmp/internal/text.h>

static int get_bool(const struct fmp_wire_field *f, bool *out)
{
	uint64_t v;
	int rc = fmp_wire_get_u64(f, &v);

	*out = !rc && v;
	return rc ? rc : v > 1 ? FMP_ERR_SYNTAX : 0;
}

static int decode_field(const struct fmp_wire_field *f, struct fmpd_request *r)
{
	char layers[64];
	int rc;

	switch (f->id) {
	case FMP_F_ADDR:
		return fmp_wire_get_addr(f, &r->addr);
	case FMP_F_DURATION_MS:
		rc = fmp_wire_get_u64(f, &r->duration_ms);
		r->has_duration = true;
		return rc;
	case FMP_F_LAYERS:
		rc = fmp_wire_get_str(f, layers, sizeof(layers));
		if (!rc)
			rc = fmp_layers_parse(layers, &r->layers);
		r->has_layers = true;
		return rc;
	case FMP_F_REASON:
		rc = fmp_wire_get_str(f, r->reason, sizeof(r->reason));
		if (!rc)
			fmp_text_clean(r->reason);
		return rc;
	case FMP_F_MANUAL:
		r->has_manual = true;
		return get_bool(f, &r->manual);
	case FMP_F_SET:
		return fmp_wire_get_str(f, r->set, sizeof(r->set));
	case FMP_F_KEPT:
		return get_bool(f, &r->except_kept);
	case FMP_F_VERIFY:
		return get_bool(f, &r->verify);
	case FMP_F_FILE:
		return fmp_wire_get_str(f, r->file, sizeof(r->file));
	default:
		return 0; /* of a newer client */
	}
}

/* Check that a request has the fields it needs, and that their values are valid. */
static int check_request(const struct fmpd_request *r, struct fmp_error *err)
{
	switch (r->type) {
	case FMP_CTL_WHY:
	case FMP_CTL_BLOCK:
	case FMP_CTL_UNBLOCK:
	case FMP_CTL_PROTECT_ADD:
	case FMP_CTL_PROTECT_DEL:
		if (!r->addr.family)
			return fmp_error_set(err, FMP_ERR_INVALID, "the request names no address");
		break;
	case FMP_CTL_POLICY_RELOAD:
		if (r->file[0] && r->file[0] != '/')
			return fmp_error_set(err, FMP_ERR_INVALID, "the path %s is not absolute",
					     r->file);
		break;
	case FMP_CTL_SET_KEEP:
		if (!*r->set)
			return fmp_error_set(err, FMP_ERR_INVALID, "the request names no set");
		break;
	case FMP_CTL_BLOCK_MANY:
	case FMP_CTL_STATUS:
	case FMP_CTL_SOURCES:
	case FMP_CTL_PROTECT_LIST:
	case FMP_CTL_WATCH:
	case FMP_CTL_DECISIONS:
	case FMP_CTL_POLICY_SHOW:
	case FMP_CTL_FLUSH:
		break;
	default:
		return fmp_error_set(err, FMP_ERR_UNSUPPORTED, "this fmpd knows no request %#x",
				     r->type);
	}
	if (r->has_duration && r->duration_ms > FMPD_DURATION_MAX_MS)
		return fmp_error_set(err, FMP_ERR_INVALID, "the duration is beyond 100 years");
	if (*r->set && !fmp_set_name_valid(r->set))
		return fmp_error_set(err, FMP_ERR_INVALID,
				     "a set's name has letters, digits, \"-\", \"_\" and \".\"");
	if (r->has_layers && !r->layers)
		return fmp_error_set(err, FMP_ERR_INVALID, "the request names no layer");
	return 0;
}

/* A request for many addresses repeats the address, and its own duration. */
static bool may_field_repeat(uint16_t type, uint16_t field)
{
	if (type != FMP_CTL_BLOCK_MANY && type != FMP_CTL_SET_KEEP)
		return false;
	return field == FMP_F_ADDR || (field == FMP_F_LEFT_MS && type == FMP_CTL_BLOCK_MANY);
}

int fmpd_request_decode(struct fmp_wire_in *in, struct fmpd_request *out, struct fmp_error *err)
{
	struct fmp_wire_field f;
	uint64_t seen[FMP_F_MAX / 64 + 1] = { 0 };
	int rc;

	memset(out, 0, sizeof(*out));
	out->type = in->type;
	out->many = *in;
	if (in->type == FMP_MSG_EVENT) {
		rc = fmp_event_decode(in, &out->event);
		if (rc == FMP_ERR_INVALID)
			return fmp_error_set(err, FMP_ERR_INVALID, FMPD_NO_EVENT);
		return rc;
	}
	while ((rc = fmp_wire_next(in, &f)) > 0) {
		if (f.id < FMP_F_MAX && !may_field_repeat(in->type, f.id)) {
			if (seen[f.id / 64] & 1ull << f.id % 64)
				return FMP_ERR_SYNTAX;
			seen[f.id / 64] |= 1ull << f.id % 64;
		}
		rc = decode_field(&f, out);
		if (rc)
			return FMP_ERR_SYNTAX;
	}
	/* Many addresses are read from the message itself. */
	if (may_field_repeat(in->type, FMP_F_ADDR))
		out->addr = (struct fmp_addr){ 0 };
	return rc ? rc : check_request(out, err);
}
