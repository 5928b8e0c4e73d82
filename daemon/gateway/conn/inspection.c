// SPDX-License-Identifier: GPL-2.0
#include "inspection.h"

#include "../common/clock.h"
#include "connection_private.h"
#include "observe.h"

static const struct gw_service *get_service(const struct gw_connection *c)
{
	return &c->shared->settings->service[c->service];
}

const struct fmp_addr *gw_inspection_sender(const struct gw_connection *c)
{
	if (c->task.job.answer)
		return &c->reply.key;
	return c->client.family ? &c->client_key : &c->peer.group;
}

void gw_inspection_spend_budget(struct gw_connection *c)
{
	fmp_decrypt_budget_take(&c->shared->decrypt_budget, gw_inspection_sender(c),
				gw_clock_ns(CLOCK_BOOTTIME));
}

static bool is_decrypt_budget_spent(const struct gw_connection *c)
{
	return fmp_decrypt_budget_spent(&c->shared->decrypt_budget, gw_inspection_sender(c),
					gw_clock_ns(CLOCK_BOOTTIME));
}

bool gw_inspection_accepts_cbc(const struct gw_connection *c)
{
	return get_service(c)->evaluate->demands->algorithms.encryption & FMP_CIPHERS_CBC;
}

void gw_inspection_submit(struct gw_connection *c)
{
	if (c->task.job.wsa_action_decides || get_service(c)->evaluate->demands->repeats)
		c->task.job.source = *gw_inspection_sender(c);
	c->task.job.clock_unset = gw_clock_is_unset(&c->shared->clock);
	c->task.job.decrypt_budget_spent =
		(gw_inspection_accepts_cbc(c) || c->task.job.wsa_action_decides) &&
		is_decrypt_budget_spent(c);
	if (c->shared->settings->policy->block.observe)
		gw_observe_request(c);
	gw_pool_submit(c->shared->pool, &c->task);
}
