# SPDX-License-Identifier: GPL-2.0
"""What zeep leaves to others: xmlsec encrypts the Signature and the Body of its envelope."""

import xmlsec
from lxml import etree
from zeep.wsse import utils

XENC = "http://www.w3.org/2001/04/xmlenc#"
DS = "http://www.w3.org/2000/09/xmldsig#"
CIPHERS = {
    "gcm128": (xmlsec.Transform.AES128_GCM, 128),
    "gcm256": (xmlsec.Transform.AES256_GCM, 256),
    "cbc128": (xmlsec.Transform.AES128, 128),
    "cbc256": (xmlsec.Transform.AES256, 256),
}


def encrypt_key(data, digest):
    """The session key goes along with the first that it encrypts, until that is done."""
    info = xmlsec.template.encrypted_data_ensure_key_info(data, ns="ds")
    key = xmlsec.template.add_encrypted_key(info, xmlsec.Transform.RSA_OAEP)
    xmlsec.template.encrypted_data_ensure_cipher_value(key)
    if digest:
        etree.SubElement(key[0], f"{{{DS}}}DigestMethod", Algorithm=XENC + digest)


def encrypt(envelope, certificate, cipher, digest=None):
    """For the certificate: the Signature as an element, and what the Body holds."""
    transform, bits = CIPHERS[cipher]
    keys = xmlsec.KeysManager()
    keys.add_key(xmlsec.Key.from_file(certificate, xmlsec.KeyFormat.CERT_PEM))
    session = xmlsec.Key.generate(xmlsec.constants.KeyDataAes, bits, xmlsec.KeyDataType.SESSION)
    security = utils.get_security_header(envelope)
    key = None
    parts = (
        (security.find(f"{{{DS}}}Signature"), xmlsec.EncryptionType.ELEMENT),
        (envelope[-1], xmlsec.EncryptionType.CONTENT),
    )
    for number, (part, kind) in enumerate(parts):
        data = xmlsec.template.encrypted_data_create(envelope, transform, id=f"ED-{number}", type=kind, ns="xenc")
        xmlsec.template.encrypted_data_ensure_cipher_value(data)
        if key is None:
            encrypt_key(data, digest)
        context = xmlsec.EncryptionContext(keys)
        context.key = session
        context.encrypt_xml(data, part)
        if key is None:
            key = next(envelope.iter(f"{{{XENC}}}EncryptedKey"))
            info = key.getparent()
            info.getparent().remove(info)
            security.insert(0, key)
            references = etree.SubElement(key, f"{{{XENC}}}ReferenceList")
        etree.SubElement(references, f"{{{XENC}}}DataReference", URI=f"#ED-{number}")
