// SPDX-License-Identifier: GPL-2.0
/* The values that options take, for completion and for suggestions. */
#include <string.h>

#include "fmpctl.h"

static const struct {
	const char *name, *words;
} values[] = {
	{ "policy", OPTION_VALUES_FILES },
	{ "against", OPTION_VALUES_FILES },
	{ "schema", OPTION_VALUES_FILES },
	{ "wsdl", OPTION_VALUES_FILES },
	{ "catalog", OPTION_VALUES_FILES },
	{ "ca", OPTION_VALUES_FILES },
	{ "key", OPTION_VALUES_FILES },
	{ "file", OPTION_VALUES_FILES },
	{ "plot", OPTION_VALUES_FILES },
	{ "from", OPTION_VALUES_FILES },
	{ "protect", OPTION_VALUES_FILES },
	{ "apf-version", "4 6" },
	{ "control", OPTION_VALUES_FILES },
	{ "kind", OPTION_VALUES_KINDS },
	{ "layers", "ip mac premac" },
	{ "config", "Os Bc BcV BcS BcE BcES" },
	{ "order", "sign-then-encrypt encrypt-then-sign encrypt-sign-encrypt" },
	{ "signatures", "fast xmlsec1" },
	{ "encryption", "aes128-gcm aes256-gcm aes128-cbc aes256-cbc" },
	{ "format", "auto timeline watch access pcap" },
	{ "for", "10s 1min 10min 1h 1d" },
	{ "duration", "10s 1min 10min 1h 1d" },
	{ "every", "10s 1min 10min 1h 1d" },
	{ "after", "10s 1min 10min 1h 1d" },
	{ "interval", "10s 1min 10min 1h 1d" },
};

const char *option_values(const char *name)
{
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		if (!strcmp(values[i].name, name))
			return values[i].words;
	return NULL;
}
