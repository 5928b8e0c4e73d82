/* SPDX-License-Identifier: GPL-2.0 */
/* What the revocation lists in a store say of its CAs, and of whom they say nothing. */
#ifndef FMPI_INSPECT_REVOCATION_H
#define FMPI_INSPECT_REVOCATION_H

#include <openssl/x509.h>
#include <stdbool.h>
#include <stdint.h>

/**
 * fmpi_unrevoked() - the store without the CAs that are revoked, and without those that only such have issued
 *
 * OpenSSL looks no further than at the CA that a chain ends with, and not at that (X509_V_FLAG_PARTIAL_CHAIN).
 * Return: another store, with all of the lists; NULL without memory.
 */
X509_STORE *fmpi_unrevoked(X509_STORE *store);

/**
 * fmpi_is_revoked() - does a list of the store name it, however old that list is?
 * @issuer: who must have signed the list; NULL: not known, and the list is taken at its word
 */
bool fmpi_is_revoked(X509_STORE *store, const X509 *cert, const X509 *issuer);

/**
 * fmpi_is_revoked_since() - does a list name it that is newer than all of its issuer's that hold now?
 *
 * OpenSSL asks only those that hold: one that has ended already, before an older one does, it passes over.
 */
bool fmpi_is_revoked_since(X509_STORE *store, const X509 *cert, const X509 *issuer, int64_t now_s);

/**
 * fmpi_unlisted_ca() - the first CA of the store that issues signers and has no list that holds at now_s
 * @old: does it have one that does not?
 *
 * A CA that issues another one of the store is not expected to issue signers. Return: borrowed; NULL: there is none.
 */
X509 *fmpi_unlisted_ca(X509_STORE *store, int64_t now_s, bool *old);

/** fmpi_is_of_lists() - does this error of X509_verify_cert() tell of the lists, not of the certificate? */
bool fmpi_is_of_lists(int error);

#endif
