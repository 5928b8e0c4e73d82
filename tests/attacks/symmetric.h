/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of templates (expand.h) for messages that are signed by the key of an EncryptedKey. */
#ifndef FMP_TESTS_ATTACK_SYMMETRIC_H
#define FMP_TESTS_ATTACK_SYMMETRIC_H

#include "encrypted_parts.h"

#define SC13 "http://docs.oasis-open.org/ws-sx/ws-secureconversation/200512"

#define WRAPPED	  KEY_WITH("")
#define HMAC_INFO SIGNED_INFO_WITH(EXC, DSMORE "hmac-sha256", REF_TIME REF_BODY)
#define HMAC_WITH(info, way, value)                                                       \
	"<ds:Signature xmlns:ds=\"" DS "\" Id=\"sig\">" info "<ds:SignatureValue>" value  \
	"</ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference xmlns:wsse=\"" WSSE \
	"\">" way "</wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>"
#define BY_ID(id)	    "<wsse:Reference URI=\"#" id "\"></wsse:Reference>"
#define HMAC_BY(id, value)  HMAC_WITH("@S", BY_ID(id), value)
#define BY_SECRET(key, sig) OPEN HEADER(SECURITY(key "@T" sig)) "@B" CLOSE

#endif
