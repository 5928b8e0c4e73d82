# SPDX-License-Identifier: GPL-2.0
"""Messages for `scripts/bench gateway`: keys and encryption by openssl, signatures by xmlsec1."""

import base64
import ctypes
import ctypes.util
import os
import subprocess
import time

OASIS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-"
WSU = OASIS + "wss-wssecurity-utility-1.0.xsd"
WSSE = OASIS + "wss-wssecurity-secext-1.0.xsd"
X509 = OASIS + "wss-x509-token-profile-1.0#X509v3"
BASE64 = OASIS + "wss-soap-message-security-1.0#Base64Binary"
SOAP = "http://schemas.xmlsoap.org/soap/envelope/"
EXC = "http://www.w3.org/2001/10/xml-exc-c14n#"
XENC = "http://www.w3.org/2001/04/xmlenc#"
XENC11 = "http://www.w3.org/2009/xmlenc11#"
MORE = "http://www.w3.org/2001/04/xmldsig-more#"

DECLARATION = '<?xml version="1.0"?>\n'
BATCH = 100  # messages that one xmlsec1 signs

KEYS = {
    "rsa2048": (["rsa:2048"], "rsa-sha256"),
    "rsa3072": (["rsa:3072"], "rsa-sha256"),
    "p256": (["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], "ecdsa-sha256"),
}


def run(*command, data=None):
    return subprocess.run(command, input=data, check=True, capture_output=True).stdout


def b64(data):
    return base64.b64encode(data).decode()


def aes128_gcm(key, data):
    """IV, cipher text and tag: openssl's command line has no GCM."""
    lib = ctypes.CDLL(ctypes.util.find_library("crypto"))
    for name in ("EVP_CIPHER_CTX_new", "EVP_aes_128_gcm"):
        getattr(lib, name).restype = ctypes.c_void_p
    context, cipher = ctypes.c_void_p(lib.EVP_CIPHER_CTX_new()), ctypes.c_void_p(lib.EVP_aes_128_gcm())
    iv, out, tag, n = os.urandom(12), ctypes.create_string_buffer(len(data) + 16), ctypes.create_string_buffer(16), ctypes.c_int()
    good = lib.EVP_EncryptInit_ex(context, cipher, None, key, iv) == 1
    good = good and lib.EVP_EncryptUpdate(context, out, ctypes.byref(n), data, len(data)) == 1
    size = n.value
    good = good and lib.EVP_EncryptFinal_ex(context, ctypes.byref(out, size), ctypes.byref(n)) == 1
    good = good and lib.EVP_CIPHER_CTX_ctrl(context, 0x10, 16, tag) == 1  # EVP_CTRL_AEAD_GET_TAG
    lib.EVP_CIPHER_CTX_free(context)
    if not good:
        raise RuntimeError("libcrypto does not encrypt")
    return iv + out.raw[:size] + tag.raw


def payload(kilobytes):
    """An order of about so many KB."""
    items = []
    size = 200
    while size < kilobytes * 1000 or not items:
        n = len(items)
        items.append(
            f"<item><sku>ABC-{n % 1000000:06}</sku><qty>{n % 9 + 1}</qty><price>{n % 100}.{n % 100:02}</price>"
            f"<note>plain item number {n} in the order</note></item>"
        )
        size += len(items[-1])
    return (
        '<submitOrder xmlns="urn:fmp:orders"><orderId>1234567</orderId><customer>Jane O\'Neil-Smith</customer>'
        f"<date>2026-11-21T02:00:00Z</date>{''.join(items)}</submitOrder>"
    )


def reference(target, prefixes):
    return (
        f'<ds:Reference URI="#{target}"><ds:Transforms><ds:Transform Algorithm="{EXC}">'
        f'<ec:InclusiveNamespaces xmlns:ec="{EXC}" PrefixList="{prefixes}"/></ds:Transform></ds:Transforms>'
        f'<ds:DigestMethod Algorithm="{XENC}sha256"/><ds:DigestValue></ds:DigestValue></ds:Reference>'
    )


class Maker:
    """Keys and messages in one directory; messages are valid for an hour after they are made."""

    def __init__(self, directory):
        self.dir = directory
        os.makedirs(directory, exist_ok=True)
        self.make_key("ca", "rsa2048", [])
        for name in KEYS:
            self.make_key(name, name, ["-CA", self.path("ca.crt"), "-CAkey", self.path("ca.key")])
        self.make_key("server", "rsa2048", [])
        # Certificates begin when they are made.
        time.sleep(1)

    def path(self, name):
        return os.path.join(self.dir, name)

    def make_key(self, name, kind, issuer):
        extensions = ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "keyUsage=critical,digitalSignature"]
        run(
            "openssl", "req", "-x509", "-newkey", *KEYS[kind][0], "-nodes", "-days", "2", "-subj", f"/CN=bench {name}",
            "-keyout", self.path(name + ".key"), "-out", self.path(name + ".crt"), *issuer,
            *(extensions if issuer else []),
        )  # fmt: skip

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def envelope(self, header, body, body_id=""):
        return (
            f'<soapenv:Envelope xmlns:soapenv="{SOAP}"><soapenv:Header>{header}</soapenv:Header>'
            f'<soapenv:Body{body_id}>{body}</soapenv:Body></soapenv:Envelope>'
        )

    def security(self, parts):
        return f'<wsse:Security xmlns:wsse="{WSSE}" xmlns:wsu="{WSU}" soapenv:mustUnderstand="1">{parts}</wsse:Security>'

    def plain(self, kilobytes):
        return self.write("plain.xml", self.envelope("", payload(kilobytes)))

    def signed_text(self, kilobytes, key):
        return next(self.signed_texts(kilobytes, key, 1))

    def signed_texts(self, kilobytes, key, count):
        """So many messages that differ in an Id, and so in all that is signed."""
        der = run("openssl", "x509", "-in", self.path(key + ".crt"), "-outform", "DER")
        created, expires = (
            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + after)) for after in (-30, 3600)
        )
        signature = (
            '<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:SignedInfo>'
            f'<ds:CanonicalizationMethod Algorithm="{EXC}"><ec:InclusiveNamespaces xmlns:ec="{EXC}" PrefixList="soapenv"/>'
            f'</ds:CanonicalizationMethod><ds:SignatureMethod Algorithm="{MORE}{KEYS[key][1]}"/>'
            f"{reference('body-1', '')}{reference('time-1', 'wsse soapenv')}</ds:SignedInfo>"
            "<ds:SignatureValue></ds:SignatureValue><ds:KeyInfo><wsse:SecurityTokenReference>"
            f'<wsse:Reference URI="#token-1" ValueType="{X509}"/></wsse:SecurityTokenReference></ds:KeyInfo></ds:Signature>'
        )
        parts = (
            f'<wsse:BinarySecurityToken EncodingType="{BASE64}" ValueType="{X509}" wsu:Id="token-1">{b64(der)}'
            f"</wsse:BinarySecurityToken>{signature}"
            f'<wsu:Timestamp wsu:Id="time-1"><wsu:Created>{created}</wsu:Created><wsu:Expires>{expires}</wsu:Expires>'
            "</wsu:Timestamp>"
        )
        text = self.envelope(self.security(parts), payload(kilobytes), f' xmlns:wsu="{WSU}" wsu:Id="body-1"')
        for first in range(0, count, BATCH):
            templates = [
                self.write(f"template-{n}.xml", text.replace("time-1", f"time-{n}"))
                for n in range(first + 1, min(first + BATCH, count) + 1)
            ]
            signed = run(
                "xmlsec1", "--sign", "--privkey-pem", self.path(key + ".key"), "--id-attr:Id", f"{SOAP}:Body",
                "--id-attr:Id", f"{WSU}:Timestamp", *templates,
            )  # fmt: skip
            for template in templates:
                os.unlink(template)
            yield from (DECLARATION + one for one in signed.decode().split(DECLARATION)[1:])

    def signed(self, kilobytes, key):
        return self.write("signed.xml", self.signed_text(kilobytes, key))

    def encrypt(self, text):
        """Returns EncryptedKey and EncryptedData of a payload."""
        session = os.urandom(16)
        wrapped = run(
            "openssl", "pkeyutl", "-encrypt", "-certin", "-inkey", self.path("server.crt"),
            "-pkeyopt", "rsa_padding_mode:oaep", data=session,
        )  # fmt: skip
        cipher = aes128_gcm(session, text.encode())
        key = (
            f'<xenc:EncryptedKey xmlns:xenc="{XENC}" Id="EK-1"><xenc:EncryptionMethod Algorithm="{XENC}rsa-oaep-mgf1p"/>'
            f"<xenc:CipherData><xenc:CipherValue>{b64(wrapped)}</xenc:CipherValue></xenc:CipherData>"
            '<xenc:ReferenceList><xenc:DataReference URI="#ED-1"/></xenc:ReferenceList></xenc:EncryptedKey>'
        )
        data = (
            f'<xenc:EncryptedData xmlns:xenc="{XENC}" Id="ED-1" Type="{XENC}Content">'
            f'<xenc:EncryptionMethod Algorithm="{XENC11}aes128-gcm"/>'
            f"<xenc:CipherData><xenc:CipherValue>{b64(cipher)}</xenc:CipherValue></xenc:CipherData></xenc:EncryptedData>"
        )
        return key, data

    def encrypted(self, kilobytes):
        key, data = self.encrypt(payload(kilobytes))
        return self.write("encrypted.xml", self.envelope(self.security(key), data))

    def both_texts(self, kilobytes, key, count):
        """Signed, then encrypted: what is to be undone first stands first."""
        wrapped = data = None
        for text in self.signed_texts(kilobytes, key, count):
            start, end = text.index("<submitOrder"), text.index("</soapenv:Body>")
            if not data:
                wrapped, data = self.encrypt(text[start:end])
            text = text[:start] + data + text[end:]
            yield text.replace("<ds:Signature ", wrapped + "<ds:Signature ", 1)

    def both(self, kilobytes, key):
        return self.write("both.xml", next(self.both_texts(kilobytes, key, 1)))
