/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XML canonicalization without comments, for trees of fmpi_document_parse().
 *
 * What comes out of the exclusive one is what libxml2's xmlC14NExecute() gives, octet by octet;
 * that is what signers have met, where it differs from the standard too. tests/fuzz/fuzz_c14n.c
 * compares the two.
 */
#ifndef FMPI_XML_C14N_H
#define FMPI_XML_C14N_H

#include <libxml/tree.h>

#include "base/buffer.h"

/** Most prefixes of an InclusiveNamespaces; signers name a handful. */
#define FMPI_C14N_PREFIXES 16

/** struct fmpi_prefixes - of an InclusiveNamespaces; texts are inside the tree. */
struct fmpi_prefixes {
	unsigned n;
	struct {
		const char *p; /**< not ended by NUL */
		size_t len; /**< 0: the default namespace */
	} prefix[FMPI_C14N_PREFIXES];
};

/**
 * fmpi_prefixes_read() - a PrefixList
 *
 * Names, a blank between two. As xmlsec1 and libxml2 read it there is an empty one between
 * two blanks, and that is the default namespace. Return: 0; FMP_ERR_UNSUPPORTED for other
 * white space, and for more than FMPI_C14N_PREFIXES.
 */
int fmpi_prefixes_read(const char *list, struct fmpi_prefixes *out);

/**
 * fmpi_c14n_absolute() - has every namespace of the document an absolute URI?
 *
 * The standard wants none of the others canonicalized, wherever they stand.
 */
bool fmpi_c14n_absolute(const xmlNode *root);

/**
 * fmpi_c14n_room() - bytes of namespace declarations in all canonical forms of one signature
 * @len: of the message
 *
 * A namespace is declared once in a message and, exclusively, at each element that begins to use
 * it: without a limit the form of a message would grow with its square. A list of short elements
 * in another namespace than the list itself, the worst that is met, becomes about five times as long.
 */
static inline size_t fmpi_c14n_room(size_t len)
{
	return 8 * len;
}

/**
 * fmpi_c14n_exclusive() - append the canonical form of an element
 * @room: what it has for declarations is taken from that
 * @out: NULL: only that is done
 *
 * Return: 0, FMP_ERR_LIMIT without room, FMP_ERR_NOMEM, FMP_ERR_UNSUPPORTED for what no screened
 * message has or, with @out, where libxml2 leaves the standard; *out then holds a part.
 */
int fmpi_c14n_exclusive(const xmlNode *apex, const struct fmpi_prefixes *inclusive, size_t *room,
			struct fmpi_buffer *out);

/**
 * fmpi_c14n_inclusive() - append the canonical form of a document's element, all of its namespaces kept
 *
 * As the standard has it, but for namespaces whose URI is relative, which are written as any
 * other: a service may have one. Return: as above, but no screened message is unsupported.
 */
int fmpi_c14n_inclusive(const xmlNode *root, struct fmpi_buffer *out);

#endif
