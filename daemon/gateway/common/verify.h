/* SPDX-License-Identifier: GPL-2.0 */
/* What both ends of TLS demand of the peer's chain of certificates. */
#ifndef GW_VERIFY_H
#define GW_VERIFY_H

#include <openssl/x509_vfy.h>

/**
 * gw_verify_chain() - X509_verify_cert(), and no RSA key in the chain with an exponent that is dear
 *
 * The peer's own key is used only behind it. For SSL_CTX_set_cert_verify_callback(). Return: 1 good.
 */
int gw_verify_chain(X509_STORE_CTX *x, void *arg);

#endif
