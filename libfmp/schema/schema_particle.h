/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Elements and wildcards that schema_text.c writes otherwise than they stand in the schema, for
 * libxml2 2.9.14 refuses or misreads them.
 *
 * An element, optional or repeated, in front of a wildcard that covers it: XSD 1.0 forbids that
 * (Unique Particle Attribution), XSD 1.1 does not, and ONVIF's schema has it. libxml2 compiles no
 * such type. The elements are left out or stand once, and the wildcard, which then covers them too,
 * is repeated: no valid message is refused.
 *
 * A repeated wildcard: libxml2 lets it lead back into what stands in front of it, so that after
 * (T*, any*) a T is taken behind the others. A sequence around it, repeated instead, does not.
 */
#ifndef FMPI_SCHEMA_SCHEMA_PARTICLE_H
#define FMPI_SCHEMA_SCHEMA_PARTICLE_H

#include "schema_set.h"

/** enum fmpi_particle - how a particle of an ambiguous type is written */
enum fmpi_particle {
	FMPI_PARTICLE_AS_IT_IS,
	FMPI_PARTICLE_LEFT_OUT,
	FMPI_PARTICLE_ONCE, /**< as often as it must be there */
	FMPI_PARTICLE_REPEATED, /**< the wildcard */
};

/** fmpi_particle_of() - how to write an element or wildcard. @own: namespace of its document */
enum fmpi_particle fmpi_particle_of(const struct fmpi_schema_set *s, const char *own,
				    const xmlNode *n);
/** fmpi_particle_is_wrapped() - is it a repeated wildcard, which gets a sequence around it? */
bool fmpi_particle_is_wrapped(const struct fmpi_schema_set *s, const char *own, const xmlNode *n);

#endif
