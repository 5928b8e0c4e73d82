/* SPDX-License-Identifier: GPL-2.0 */
/* Which ports of a WSDL are offered to clients, and where their addresses are. */
#ifndef FMPI_DESCRIBE_DESCRIPTION_PORTS_H
#define FMPI_DESCRIBE_DESCRIPTION_PORTS_H

#include <libxml/tree.h>
#include <stdbool.h>

/** Stands in the tree where the client's URL belongs. The tag URI is fmp's own: no file has it. */
#define FMPI_DESCRIPTION_HERE "urn:fmp:description:here:7d1c0f5e"

/**
 * fmpi_description_keep_ports() - open the addresses of offered ports, remove other ports
 * @port: offer only this port; "": all SOAP ports
 * @literal: without those of an encoded binding
 * @trees: all documents, for the bindings
 *
 * Return: false without memory.
 */
bool fmpi_description_keep_ports(xmlDoc *doc, const char *port, bool literal,
				 const xmlDoc *const *trees, unsigned n);

#endif
