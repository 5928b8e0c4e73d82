#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Makes vectors/agreement: orders encrypted by key agreement (XML Encryption 1.1, 5.6; RFC 9231), by
the package cryptography. Keys and messages are new with each run: agreement_vectors.py FOLDER"""
import base64
import os
import sys

from cryptography.hazmat.primitives import hashes, keywrap, serialization
from cryptography.hazmat.primitives.asymmetric import ec, x25519
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.concatkdf import ConcatKDFHash
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

XENC, XENC11 = 'http://www.w3.org/2001/04/xmlenc#', 'http://www.w3.org/2009/xmlenc11#'
MORE, MORE21 = 'http://www.w3.org/2001/04/xmldsig-more#', 'http://www.w3.org/2021/04/xmldsig-more#'
ORDER = ("<submitOrder xmlns='urn:fmp:orders'><orderId>1</orderId><customer>A</customer>"
         "<date>2026-11-21T02:00:00Z</date><item><sku>ABC-000000</sku><qty>1</qty><price>1</price>"
         "</item></submitOrder>")
DIGESTS = {256: (hashes.SHA256, XENC + 'sha256'), 384: (hashes.SHA384, MORE + 'sha384'),
           512: (hashes.SHA512, XENC + 'sha512')}
CURVES = {'p256': (ec.SECP256R1, '1.2.840.10045.3.1.7'), 'p384': (ec.SECP384R1, '1.3.132.0.34'),
          'p521': (ec.SECP521R1, '1.3.132.0.35')}
BITS = {'AlgorithmID': b'\0\1', 'PartyUInfo': b'sender', 'PartyVInfo': b'fmp'}


def b64(data):
    return base64.b64encode(data).decode()


def originator(key, name, der):
    form = serialization.PublicFormat
    enc = serialization.Encoding
    if der:
        text = b64(key.public_bytes(enc.DER, form.SubjectPublicKeyInfo))
        return f'<d11:DEREncodedKeyValue>{text}</d11:DEREncodedKeyValue>'
    text = b64(key.public_bytes(enc.X962, form.UncompressedPoint))
    return (f'<ds:KeyValue><d11:ECKeyValue><d11:NamedCurve URI="urn:oid:{CURVES[name][1]}"/>'
            f'<d11:PublicKey>{text}</d11:PublicKey></d11:ECKeyValue></ds:KeyValue>')


def concat(secret, digest, length):
    params = ' '.join(f'{name}="00{value.hex().upper()}"' for name, value in BITS.items())
    key = ConcatKDFHash(DIGESTS[digest][0](), length, b''.join(BITS.values())).derive(secret)
    return key, (f'<x11:KeyDerivationMethod Algorithm="{XENC11}ConcatKDF"><x11:ConcatKDFParams '
                 f'{params}><ds:DigestMethod Algorithm="{DIGESTS[digest][1]}"/>'
                 '</x11:ConcatKDFParams></x11:KeyDerivationMethod>')


def hkdf(secret, digest, length):
    salt, info = os.urandom(16), b'fmp orders'
    key = HKDF(DIGESTS[digest][0](), length, salt, info).derive(secret)
    return key, (f'<x11:KeyDerivationMethod Algorithm="{MORE21}hkdf"><m21:HKDFParams '
                 f'xmlns:m21="{MORE21}"><m21:PRF Algorithm="{MORE}hmac-sha{digest}"/>'
                 f'<m21:Salt>{b64(salt)}</m21:Salt><m21:Info>{b64(info)}</m21:Info>'
                 f'<m21:KeyLength>{length}</m21:KeyLength></m21:HKDFParams>'
                 '</x11:KeyDerivationMethod>')


def make(key, name, kdf, digest, wrap, der):
    montgomery = name == 'x25519'
    own = x25519.X25519PrivateKey.generate() if montgomery else ec.generate_private_key(
        CURVES[name][0]())
    secret = own.exchange(key.public_key()) if montgomery else own.exchange(
        ec.ECDH(), key.public_key())
    wrapping, method = kdf(secret, digest, wrap // 8)
    session, iv = os.urandom(16), os.urandom(12)
    data = iv + AESGCM(session).encrypt(iv, ORDER.encode(), None)
    agreement = MORE21 + 'x25519' if montgomery else XENC11 + 'ECDH-ES'
    return (
        '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Header><w:Security '
        'xmlns:w="http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd">'
        f'<x:EncryptedKey xmlns:x="{XENC}" xmlns:x11="{XENC11}" '
        'xmlns:ds="http://www.w3.org/2000/09/xmldsig#" xmlns:d11="http://www.w3.org/2009/xmldsig11#">'
        f'<x:EncryptionMethod Algorithm="{XENC}kw-aes{wrap}"/><ds:KeyInfo>'
        f'<x:AgreementMethod Algorithm="{agreement}">{method}<x:OriginatorKeyInfo>'
        f'{originator(own.public_key(), name, der)}</x:OriginatorKeyInfo><x:RecipientKeyInfo>'
        '<ds:X509Data><ds:X509SKI>AAAA</ds:X509SKI></ds:X509Data></x:RecipientKeyInfo>'
        '</x:AgreementMethod></ds:KeyInfo><x:CipherData><x:CipherValue>'
        f'{b64(keywrap.aes_key_wrap(wrapping, session))}</x:CipherValue></x:CipherData>'
        f'</x:EncryptedKey></w:Security></e:Header><e:Body><x:EncryptedData xmlns:x="{XENC}">'
        f'<x:EncryptionMethod Algorithm="{XENC11}aes128-gcm"/><x:CipherData><x:CipherValue>'
        f'{b64(data)}</x:CipherValue></x:CipherData></x:EncryptedData></e:Body></e:Envelope>')


def main():
    folder = sys.argv[1]
    for name in ('p256', 'p384', 'p521', 'x25519'):
        key = x25519.X25519PrivateKey.generate() if name == 'x25519' else ec.generate_private_key(
            CURVES[name][0]())
        with open(f'{folder}/{name}.key', 'wb') as f:
            f.write(key.private_bytes(serialization.Encoding.PEM,
                                      serialization.PrivateFormat.PKCS8,
                                      serialization.NoEncryption()))
        digest = 256 if name == 'x25519' else int(name[1:]) if name != 'p521' else 512
        for kdf in (concat, hkdf):
            for wrap in (128, 192, 256):
                der = name == 'x25519' or wrap == 256
                with open(f'{folder}/{name}-{kdf.__name__}-kw{wrap}.xml', 'w') as f:
                    f.write(make(key, name, kdf, digest, wrap, der) + '\n')


main()
