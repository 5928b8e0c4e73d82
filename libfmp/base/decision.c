// SPDX-License-Identifier: GPL-2.0
/* Names of layers and vetoes, and what a decision means to a layer. */
#include <fmp/decision.h>

#include <stdio.h>
#include <string.h>

static const char *const layer_names[FMP_LAYERS] = {
	[FMP_LAYER_IP] = "ip",
	[FMP_LAYER_MAC] = "mac",
	[FMP_LAYER_PREMAC] = "premac",
};

const char *fmp_layer_name(unsigned layer)
{
	return layer < FMP_LAYERS ? layer_names[layer] : "unknown";
}

/* Return: the bits of one word; 0: not a word of ours. */
static unsigned word_bits(const char *word, size_t len)
{
	if (len == 3 && !memcmp(word, "all", 3))
		return FMP_LAYERS_ALL;
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (strlen(layer_names[l]) == len && !memcmp(word, layer_names[l], len))
			return FMP_LAYER_BIT(l);
	}
	return 0;
}

bool fmp_set_name_valid(const char *name)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
	size_t len = strspn(name, allowed);

	return len && !name[len] && len < FMP_SET_NAME_MAX;
}

int fmp_layers_parse(const char *text, unsigned *bits)
{
	static const char space[] = " \t\r\n,";
	unsigned sum = 0, words = 0;
	bool none = false;

	if (!text)
		return FMP_ERR_SYNTAX;
	for (;;) {
		size_t len;

		text += strspn(text, space);
		len = strcspn(text, space);
		if (!len)
			break;
		words++;
		if (len == 4 && !memcmp(text, "none", 4)) {
			none = true;
		} else {
			unsigned add = word_bits(text, len);

			if (!add)
				return FMP_ERR_SYNTAX;
			sum |= add;
		}
		text += len;
	}
	/* "none" must be the only word, and an empty list is not "none". */
	if (!words || (none && words > 1))
		return FMP_ERR_SYNTAX;
	*bits = sum;
	return 0;
}

const char *fmp_layers_format(unsigned bits, char *buf, size_t size)
{
	size_t len = 0;

	if (!size)
		return buf;
	buf[0] = '\0';
	for (unsigned l = 0; l < FMP_LAYERS; l++) {
		if (!(bits & FMP_LAYER_BIT(l)) || len >= size)
			continue;
		len += (size_t)snprintf(buf + len, size - len, "%s%s", len ? " " : "",
					layer_names[l]);
	}
	if (!len)
		snprintf(buf, size, "none");
	return buf;
}

const char *fmp_action_kind_name(unsigned kind)
{
	static const char *const names[FMP_ACTION_KINDS] = {
		[FMP_ACTION_KIND_BLOCK] = "block",
		[FMP_ACTION_KIND_LIMIT] = "limit",
	};

	return kind < FMP_ACTION_KINDS ? names[kind] : "unknown";
}

const char *fmp_mac_veto_text(unsigned veto)
{
	static const char *const texts[FMP_MAC_VETOES] = {
		[FMP_MAC_OK] = "the MAC may be blocked",
		[FMP_MAC_UNKNOWN] = "no valid neighbour entry names its MAC",
		[FMP_MAC_OFFLINK] =
			"it is reached through a gateway, so its MAC is not on this link",
		[FMP_MAC_ROUTER] = "its MAC is a router's",
		[FMP_MAC_SHARED] = "an innocent address has the same MAC",
		[FMP_MAC_PROTECTED] = "its MAC is protected",
		[FMP_MAC_OWN] = "it is one of our own",
		[FMP_MAC_POLICY] = "the policy does not block MACs",
		[FMP_MAC_NARROWED] = "a limit, or a block of one port, binds the IP address alone",
		[FMP_MAC_RANDOM] =
			"its MAC is locally administered, and the policy's time for such ones is over",
		[FMP_MAC_DIFFERS] =
			"its own packets carried another MAC than its neighbour entry names",
		[FMP_MAC_CHANGED] = "its neighbour entry named another MAC a short while ago",
		[FMP_MAC_UNSEEN] = "no packet of its own told its MAC",
	};

	return veto < FMP_MAC_VETOES ? texts[veto] : "unknown";
}

bool fmp_mac_is_local(const struct fmp_addr *mac)
{
	return mac->family == FMP_FAMILY_MAC && (mac->bytes[0] & 2);
}

bool fmp_decision_may_pair(const struct fmp_decision *d)
{
	return d->mac_veto == FMP_MAC_OK && fmp_mac_is_local(&d->mac) && !d->manual &&
	       !fmp_decision_narrowed(d) && fmp_addr_is_ip(&d->source) &&
	       d->source.prefix_len == fmp_addr_max_prefix(d->source.family);
}

bool fmp_decision_narrowed(const struct fmp_decision *d)
{
	return d->action_kind != FMP_ACTION_KIND_BLOCK || d->dest_port;
}

unsigned fmp_decision_targets(const struct fmp_decision *d, enum fmp_layer layer,
			      struct fmp_addr targets[2])
{
	bool narrowed = fmp_decision_narrowed(d);
	unsigned n = 0;

	if (narrowed && layer == FMP_LAYER_PREMAC)
		return 0;
	if (fmp_addr_is_ip(&d->source))
		targets[n++] = d->source;
	if (layer == FMP_LAYER_IP || narrowed)
		return n;
	if (d->source.family == FMP_FAMILY_MAC)
		targets[n++] = d->source;
	else if (d->mac.family == FMP_FAMILY_MAC)
		targets[n++] = d->mac;
	return n;
}
