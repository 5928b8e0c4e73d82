/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FMPI_WSS_PSS_H
#define FMPI_WSS_PSS_H

#include <xmlsec/xmlsec.h>
#include <xmlsec/transforms.h>

/**
 * fmpi_pss_register() - teach xmlsec1 the RSA-PSS methods of fmpi_signature_methods
 *
 * xmlsec1 has them from 1.3 on; Debian 12 and OpenWrt carry 1.2. Only verifies.
 * Return: 0, or -1 as xmlsec1 does.
 */
int fmpi_pss_register(void);

/** fmpi_pss_klass() - the xmlsec1 transform of a method; NULL if it isn't one of RSA-PSS. */
xmlSecTransformId fmpi_pss_klass(const char *uri);

#endif
