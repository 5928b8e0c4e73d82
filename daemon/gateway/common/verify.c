// SPDX-License-Identifier: GPL-2.0
#include "verify.h"

#include <fmp/internal/key_strength.h>

int gw_verify_chain(X509_STORE_CTX *x, void *arg)
{
	STACK_OF(X509) * chain;
	int rc = X509_verify_cert(x);

	if (rc != 1)
		return rc;
	chain = X509_STORE_CTX_get0_chain(x);
	for (int i = 0; i < sk_X509_num(chain); i++) {
		if (fmp_rsa_exponent_is_usable(X509_get0_pubkey(sk_X509_value(chain, i))))
			continue;
		X509_STORE_CTX_set_error_depth(x, i);
		X509_STORE_CTX_set_error(x, i ? X509_V_ERR_CA_KEY_TOO_SMALL
					      : X509_V_ERR_EE_KEY_TOO_SMALL);
		return 0;
	}
	return 1;
}
