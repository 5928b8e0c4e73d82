// SPDX-License-Identifier: GPL-2.0
#include "reply_stream.h"

#include <stdio.h>

void fmpd_reply_begin(struct fmpd_reply *o, const char *record)
{
	fmp_wire_begin(&o->w, o->scratch, sizeof(o->scratch), FMP_CTL_RECORD);
	fmp_wire_put_str(&o->w, FMP_F_RECORD, record);
}

void fmpd_reply_end(struct fmpd_reply *o)
{
	if (fmp_wire_end(&o->w) || (o->limit && evbuffer_get_length(o->to) > o->limit) ||
	    evbuffer_add(o->to, o->scratch, o->w.len))
		o->left_out++;
}

void fmpd_reply_finish(struct fmpd_reply *o, int code, const char *message)
{
	char text[700] = "";

	if (!code && o->left_out) {
		code = FMP_ERR_LIMIT;
		snprintf(text, sizeof(text), "%llu records are left out: too many for one answer",
			 (unsigned long long)o->left_out);
	} else {
		snprintf(text, sizeof(text), "%s", message);
	}
	fmp_wire_begin(&o->w, o->scratch, sizeof(o->scratch), FMP_CTL_END);
	fmp_wire_put_u64(&o->w, FMP_F_CODE, (uint64_t)(int64_t)code);
	fmp_wire_put_str(&o->w, FMP_F_MESSAGE, text);
	if (!fmp_wire_end(&o->w))
		evbuffer_add(o->to, o->scratch, o->w.len);
}

void fmpd_reply_put_u64(struct fmpd_reply *o, uint16_t id, uint64_t v)
{
	fmp_wire_put_u64(&o->w, id, v);
}

void fmpd_reply_put_str(struct fmpd_reply *o, uint16_t id, const char *s)
{
	fmp_wire_put_str(&o->w, id, s);
}

void fmpd_reply_put_addr(struct fmpd_reply *o, uint16_t id, const struct fmp_addr *a)
{
	fmp_wire_put_addr(&o->w, id, a);
}
