/* SPDX-License-Identifier: GPL-2.0 */
/* Who sent the message at hand: what was verified, for the service. */
#ifndef FMPI_INSPECT_IDENTITY_H
#define FMPI_INSPECT_IDENTITY_H

#include "inspector.h"

/** fmpi_identity_begin() - forget the sender of the previous message */
void fmpi_identity_begin(struct fmp_inspector *i);
/** fmpi_identity_set_signer() - the signature was verified */
void fmpi_identity_set_signer(struct fmp_inspector *i, const struct fmpi_signer *who);
/** fmpi_identity_set_user() - the UsernameToken was verified */
void fmpi_identity_set_user(struct fmp_inspector *i, const xmlNode *username);
/** fmpi_identity_commit() - the message is accepted: copy to the verdict */
void fmpi_identity_commit(const struct fmp_inspector *i, struct fmp_inspection *v);

#endif
