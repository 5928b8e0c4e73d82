/* SPDX-License-Identifier: GPL-2.0 */
/* Verification of the peer's certificate chain, for both ends of TLS. */
#ifndef GW_VERIFY_H
#define GW_VERIFY_H

#include <openssl/x509_vfy.h>

/**
 * gw_verify_chain() - X509_verify_cert(); also refuse RSA keys with an exponent that is expensive
 *
 * The peer's own key is used only afterwards. For SSL_CTX_set_cert_verify_callback(). Return: 1:
 * valid.
 */
int gw_verify_chain(X509_STORE_CTX *x, void *arg);

#endif
