/* SPDX-License-Identifier: GPL-2.0 */
/*
 * XML canonicalization without comments, for trees of fmpi_document_parse().
 *
 * The exclusive form is byte for byte that of libxml2's xmlC14NExecute(), also where libxml2
 * differs from the standard, because signers compute digests of that. tests/fuzz/fuzz_c14n.c
 * compares the two.
 */
#ifndef FMPI_XML_C14N_H
#define FMPI_XML_C14N_H

#include <libxml/tree.h>

#include "base/buffer.h"

/** Maximum prefixes of an InclusiveNamespaces; signers name a handful. */
#define FMPI_C14N_PREFIXES 16

/** struct fmpi_prefixes - prefixes of an InclusiveNamespaces; point into the tree. */
struct fmpi_prefixes {
	unsigned n;
	struct {
		const char *p; /**< not ended by NUL */
		size_t len; /**< 0: the default namespace */
	} prefix[FMPI_C14N_PREFIXES];
};

/**
 * fmpi_prefixes_read() - split a PrefixList
 *
 * Names are separated by one blank. As in xmlsec1 and libxml2, two consecutive blanks make an empty
 * name, which is the default namespace. Return: 0; FMP_ERR_UNSUPPORTED: other white space, or more
 * than FMPI_C14N_PREFIXES names.
 */
int fmpi_prefixes_read(const char *list, struct fmpi_prefixes *out);

/**
 * fmpi_c14n_absolute() - is every namespace URI of the document absolute?
 *
 * Canonical XML forbids to canonicalize a document with a relative one, wherever it is.
 */
bool fmpi_c14n_absolute(const xmlNode *root);

/**
 * fmpi_c14n_budget() - limit on bytes of namespace declarations in all canonical forms of one
 * signature
 * @len: of the message
 *
 * A message declares a namespace once; the exclusive form declares it at each element that starts
 * to use it. Without a limit the canonical form could grow with the square of the message. The
 * worst legitimate case, a list of short elements in another namespace than the list itself,
 * becomes about five times as long.
 */
static inline size_t fmpi_c14n_budget(size_t len)
{
	return 8 * len;
}

/**
 * fmpi_c14n_exclusive() - append the canonical form of an element
 * @budget: bytes left for declarations; the bytes used are subtracted
 * @out: NULL: only count declarations
 *
 * Return: 0; FMP_ERR_LIMIT: over budget; FMP_ERR_NOMEM; FMP_ERR_UNSUPPORTED: something that no screened
 * message has or, with @out, a case in which libxml2 differs from the standard. On failure *out
 * holds a part.
 */
int fmpi_c14n_exclusive(const xmlNode *apex, const struct fmpi_prefixes *inclusive, size_t *budget,
			struct fmpi_buffer *out);

/**
 * fmpi_c14n_inclusive() - append the canonical form of a document's root element with all its
 * namespaces
 *
 * Follows the standard, except that relative namespace URIs are written like any other, because
 * services use them. Return: as above, but no screened message is unsupported.
 */
int fmpi_c14n_inclusive(const xmlNode *root, struct fmpi_buffer *out);

#endif
