/* SPDX-License-Identifier: GPL-2.0 */
/* What libxml2 passes to an error handler: constant from 2.12 on, where GCC 14 takes nothing else */
#ifndef FMP_XML_ERROR_ARG_H
#define FMP_XML_ERROR_ARG_H

#include <libxml/xmlerror.h>
#include <libxml/xmlversion.h>

#if LIBXML_VERSION < 21200
typedef xmlError *fmpi_xml_error_arg;
#else
typedef const xmlError *fmpi_xml_error_arg;
#endif

#endif
