/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Templates. Plain text but for
 *
 *   @*  the piece, n times          @/  the close, n times
 *   @#  the number of the piece     @h  the same as 16 pairs of letters of one sum
 *   @0  a NUL                       @@  an @
 *   @O  an order                    @N @P @F  now, an hour ago, in an hour
 *   @B  the signed Body             @T  the signed Timestamp
 *   @K  the token                   @k  its Base64
 *   @S  SignedInfo                  @v  the signature's value
 *   @G  the whole Signature         @W  the whole Security header
 *   @b @t  digests of @B, @T        @1  SHA-1 of @B
 *   @X  the EncryptedKey            @D  the EncryptedData
 *   @A  the Assertion               @!  the Signature that it envelopes
 *   @a  digest of @A without @!     @s  the value of @!
 *   @i  certificate of its issuer   @j  of ATTACK_GOOD, in Base64
 *   @~  a comment, not signed       @H  the Signature of the holder of its key
 *   @x  the wrapped key             @d  the cipher text; @c the same in CBC
 *   @M  HMAC of @S by the secret   @C @2  certificates of the CA, of ATTACK_SECOND
 *   @E  a second SignedInfo         @e  its value
 *   @[ @]  around the letters of a path of certificates; see pki.c
 *   @{ @}  around what is to be a cipher text; @< @> the same in CBC
 *   @( @)  around what its digest is to stand for
 */
#ifndef FMP_TESTS_ATTACK_EXPAND_H
#define FMP_TESTS_ATTACK_EXPAND_H

#include <stdio.h>

#include "attack.h"

/** attack_expand() - template to text; what it needs of signatures and keys is made on the way. */
void attack_expand(struct attack_pki *pki, const struct attack *a, const char *text, FILE *out);

#endif
