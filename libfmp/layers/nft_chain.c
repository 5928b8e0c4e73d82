// SPDX-License-Identifier: GPL-2.0
/* The chains of a table, and the hooks of its base chains. */
#include <layers/nft.h>

#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include <libnftnl/chain.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_tables.h>

/* Before defragmentation (-400): fragments of a blocked source take no memory. */
#define PRIORITY_IP	 -450
/* Before other ingress chains that use nft's named priorities. */
#define PRIORITY_INGRESS -500
#define TYPE		 "filter"

static bool is_inet(const struct nft_layer *l)
{
	return l->family == NFPROTO_INET;
}

static uint32_t hook_number(const struct nft_layer *l)
{
	return is_inet(l) ? NF_INET_PRE_ROUTING : NF_NETDEV_INGRESS;
}

static int32_t hook_priority(const struct nft_layer *l)
{
	return is_inet(l) ? PRIORITY_IP : PRIORITY_INGRESS;
}

const char *fmpi_nft_base_name(const struct nft_layer *l, const char *device,
			       char buf[NFT_CHAIN_NAMELEN])
{
	if (is_inet(l))
		snprintf(buf, NFT_CHAIN_NAMELEN, "prerouting");
	else
		snprintf(buf, NFT_CHAIN_NAMELEN, "ingress_%.*s", IF_NAMESIZE, device);
	return buf;
}

/* @device: NULL for the family inet, whose chain has none. */
static bool is_for_device(const struct nft_layer *l, const struct nft_base *b, const char *device)
{
	char name[NFT_CHAIN_NAMELEN];

	if (strcmp(b->name, fmpi_nft_base_name(l, device, name)) != 0)
		return false;
	return device ? b->n_devices == 1 && !strcmp(b->device, device) : !b->n_devices;
}

static bool is_as_built(const struct nft_layer *l, const struct nft_base *b)
{
	if (b->hook != hook_number(l) || b->priority != hook_priority(l) ||
	    b->policy != NF_ACCEPT || strcmp(b->type, TYPE) != 0)
		return false;
	if (is_inet(l))
		return is_for_device(l, b, NULL);
	for (unsigned i = 0; i < l->n_devices; i++)
		if (is_for_device(l, b, l->devices[i]))
			return true;
	return false;
}

bool fmpi_nft_has_base(const struct nft_layer *l, const struct nft_bases *bases, const char *name)
{
	for (size_t i = 0; i < bases->n; i++)
		if (!strcmp(bases->v[i].name, name))
			return is_as_built(l, &bases->v[i]);
	return false;
}

bool fmpi_nft_bases_as_built(const struct nft_layer *l, const struct nft_bases *bases)
{
	for (size_t i = 0; i < bases->n; i++)
		if (!is_as_built(l, &bases->v[i]))
			return false;
	return true;
}

/* @hook: make it a base chain; @device: for the family netdev */
static int put_chain(const struct nft_layer *l, struct nft_batch *b, uint16_t type,
		     const char *name, bool hook, const char *device)
{
	struct nftnl_chain *c = nftnl_chain_alloc();
	struct nlmsghdr *nlh = NULL;
	bool ok = c && !nftnl_chain_set_str(c, NFTNL_CHAIN_TABLE, NFT_TABLE) &&
		  !nftnl_chain_set_str(c, NFTNL_CHAIN_NAME, name);

	if (ok && hook) {
		nftnl_chain_set_u32(c, NFTNL_CHAIN_HOOKNUM, hook_number(l));
		nftnl_chain_set_s32(c, NFTNL_CHAIN_PRIO, hook_priority(l));
		nftnl_chain_set_u32(c, NFTNL_CHAIN_POLICY, NF_ACCEPT);
		ok = !nftnl_chain_set_str(c, NFTNL_CHAIN_TYPE, TYPE) &&
		     (!device || !nftnl_chain_set_str(c, NFTNL_CHAIN_DEV, device));
	}
	if (ok)
		nlh = fmpi_nft_batch_msg(b, type, l->family,
					 type == NFT_MSG_NEWCHAIN ? NLM_F_CREATE : 0, NFT_NOBODY);
	if (nlh) {
		nftnl_chain_nlmsg_build_payload(nlh, c);
		fmpi_nft_batch_done(b, nlh);
	}
	if (c)
		nftnl_chain_free(c);
	return nlh ? 0 : FMP_ERR_NOMEM;
}

static int put_base(const struct nft_layer *l, struct nft_batch *b, const struct nft_bases *there,
		    const char *device)
{
	char name[NFT_CHAIN_NAMELEN];

	fmpi_nft_base_name(l, device, name);
	if (fmpi_nft_has_base(l, there, name) || (device && !if_nametoindex(device)))
		return 0;
	return put_chain(l, b, NFT_MSG_NEWCHAIN, name, true, device);
}

int fmpi_nft_chains_put(const struct nft_layer *l, struct nft_batch *b,
			const struct nft_bases *there)
{
	int rc = 0;

	/* First, so that chains of the same names can be created. */
	for (size_t i = 0; !rc && i < there->n; i++)
		if (!is_as_built(l, &there->v[i]))
			rc = put_chain(l, b, NFT_MSG_DELCHAIN, there->v[i].name, false, NULL);
	if (!rc)
		rc = put_chain(l, b, NFT_MSG_NEWCHAIN, NFT_VERDICT, false, NULL);
	if (!rc)
		rc = put_chain(l, b, NFT_MSG_NEWCHAIN, NFT_BLOCKED, false, NULL);
	if (!rc && is_inet(l))
		rc = put_base(l, b, there, NULL);
	for (unsigned i = 0; !rc && !is_inet(l) && i < l->n_devices; i++)
		rc = put_base(l, b, there, l->devices[i]);
	return rc;
}
