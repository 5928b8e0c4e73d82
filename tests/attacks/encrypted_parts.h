/* SPDX-License-Identifier: GPL-2.0 */
/* Pieces of templates (expand.h) for messages that encrypt more than the Body. */
#ifndef FMP_TESTS_ATTACK_ENCRYPTED_PARTS_H
#define FMP_TESTS_ATTACK_ENCRYPTED_PARTS_H

#include "names.h"

#define WSSE11 "http://docs.oasis-open.org/wss/oasis-wss-wssecurity-secext-1.1.xsd"
#define GCM    XENC11 "aes128-gcm"
#define CBC    XENC "aes128-cbc"

#define DATUM_WITH(type, alg, id, info, value)                                              \
	"<xenc:EncryptedData xmlns:xenc=\"" XENC "\" Id=\"" id "\" Type=\"" XENC type       \
	"\"><xenc:EncryptionMethod Algorithm=\"" alg "\"></xenc:EncryptionMethod>" info     \
	"<xenc:CipherData><xenc:CipherValue>" value "</xenc:CipherValue></xenc:CipherData>" \
	"</xenc:EncryptedData>"
#define DATUM_OF(type, alg, id, value) DATUM_WITH(type, alg, id, "", value)
#define G(id, x)		       DATUM_OF("Element", GCM, id, "@{" x "@}")
#define C(id, x)		       DATUM_OF("Element", CBC, id, "@<" x "@>")
#define TO_BE(id)		       "<xenc:DataReference URI='#" id "'/>"
#define KEY_WITH(list)                                                                             \
	"<xenc:EncryptedKey xmlns:xenc='" XENC "' Id='ek'><xenc:EncryptionMethod Algorithm='" XENC \
	"rsa-oaep-mgf1p'/>"                                                                        \
	"<xenc:CipherData><xenc:CipherValue>@x</xenc:CipherValue></xenc:CipherData>" list          \
	"</xenc:EncryptedKey>"
#define KEY(refs) KEY_WITH("<xenc:ReferenceList>" refs "</xenc:ReferenceList>")
/* A list beside the key: then the data say which it is. */
#define NAMES_KEY(id)                                                                     \
	"<ds:KeyInfo xmlns:ds=\"" DS "\"><wsse:SecurityTokenReference xmlns:wsse=\"" WSSE \
	"\"><wsse:Reference URI=\"#" id                                                   \
	"\"></wsse:Reference></wsse:SecurityTokenReference></ds:KeyInfo>"
#define GK(id, x)  DATUM_WITH("Element", GCM, id, NAMES_KEY("ek"), "@{" x "@}")
#define CK(id, x)  DATUM_WITH("Element", CBC, id, NAMES_KEY("ek"), "@<" x "@>")
#define LIST(refs) "<xenc:ReferenceList xmlns:xenc='" XENC "'>" refs "</xenc:ReferenceList>"
#define BLOCK_ID(id, x)                                                                        \
	"<h:EncryptedHeader xmlns:h=\"" WSSE11 "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id "\">" x \
	"</h:EncryptedHeader>"
#define BLOCK_WITH(more, x) \
	"<h:EncryptedHeader xmlns:h='" WSSE11 "'" more ">" x "</h:EncryptedHeader>"
#define BLOCK(x) BLOCK_WITH("", x)

/* In their canonical form. */
#define USER_OF(name, more)                                                                  \
	"<wsse:UsernameToken xmlns:wsse=\"" WSSE "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"user\">" \
	"<wsse:Username>" name "</wsse:Username><wsse:Password>secret</wsse:Password>"       \
	"<wsse:Nonce>c2l4dGVlbiBsZXR0ZXJz</wsse:Nonce><wsu:Created>@N</wsu:Created>" more    \
	"</wsse:UsernameToken>"
#define USER USER_OF("jane", "")
#define ADDRESS(name, id, x)                                                             \
	"<wsa:" name " xmlns:wsa=\"" WSA "\" xmlns:wsu=\"" WSU "\" wsu:Id=\"" id "\">" x \
	"</wsa:" name ">"
#define TO	   ADDRESS("To", "to", "urn:here")
#define MESSAGE_ID ADDRESS("MessageID", "mid", "urn:uuid:1")

/* BcE: what stands in the Security header behind the key, beside it, and in the Body. */
#define SECRET(key, parts, blocks, body) OPEN HEADER(SECURITY(key parts) blocks) BODY(body) CLOSE

#endif
