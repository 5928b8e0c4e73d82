# SPDX-License-Identifier: GPL-2.0
"""One order by zeep, signed by xmlsec.

Usage: zeep_client.py WSDL URL CASE KEY CERTIFICATE SERVER

CASE, of the request: good, tampered (after signing), sha1, unsigned, expired (Timestamp), user
(jane's UsernameToken, and no signature), user-text (a password as it is, which zeep sends without a
Nonce), wrong-user (of another password), clear (where it is to be encrypted);
encrypted-CIPHER[-DIGEST] for the certificate SERVER: Signature and Body, with this DIGEST in
RSA-OAEP. Of the answer, which is then verified with the certificate SERVER: answer, answer-tampered
and answer-timestamp-tampered (on its way), answer-by-another (than whose certificate is known),
answer-unsigned. Exit status: 0 the good ones were answered with the sum, or the others
refused as they should be, by a Fault or by zeep; 1 not so.
"""

import datetime
import sys

import xmlsec
from zeep import Client, exceptions
from zeep.plugins import HistoryPlugin
from zeep.transports import Transport
from zeep.wsse import utils
from zeep.wsse.signature import BinarySignature, verify_envelope
from zeep.wsse.username import UsernameToken
from zeep_encryption import encrypt

WSU = "{http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd}"
DS = "{http://www.w3.org/2000/09/xmldsig#}"


class Signer:
    """Timestamp and signature; tampers after that, if it is to."""

    def __init__(self, case, key, certificate, server):
        self.case = case
        self.server = certificate if case == "answer-by-another" else server
        strong = case != "sha1"
        method = xmlsec.Transform.RSA_SHA256 if strong else xmlsec.Transform.RSA_SHA1
        if key.rpartition("/")[2].startswith("ec"):
            method = xmlsec.Transform.ECDSA_SHA256
        self.signature = BinarySignature(
            key, certificate, signature_method=method,
            digest_method=xmlsec.Transform.SHA256 if strong else xmlsec.Transform.SHA1,
        )  # fmt: skip

    def apply(self, envelope, headers):
        now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
        created = now - datetime.timedelta(hours=1 if self.case == "expired" else 0)
        security = utils.get_security_header(envelope)
        security.append(utils.WSU.Timestamp(
            utils.WSU.Created(stamp(created)), utils.WSU.Expires(stamp(created + datetime.timedelta(minutes=5))),
        ))  # fmt: skip
        if self.case != "unsigned":
            envelope, headers = self.signature.apply(envelope, headers)
        if self.case == "tampered":
            envelope.find(".//{urn:fmp:orders}qty").text = "4"
        if self.case.startswith("encrypted"):
            encrypt(envelope, self.server, *self.case.split("-")[1:])
        return envelope, headers

    def verify(self, envelope):
        """zeep's own verification, which goes by what is referred to: Body and Timestamp must be."""
        if not self.case.startswith("answer"):
            return envelope
        verify_envelope(envelope, self.server)
        signed = {reference.get("URI") for reference in envelope.iter(DS + "Reference")}
        for element in (envelope[-1], next(envelope.iter(WSU + "Timestamp"))):
            if "#" + element.get(WSU + "Id", "") not in signed:
                raise exceptions.SignatureVerificationFailed(f"{element.tag} is not signed")
        return envelope


class Road(Transport):
    """Where answers are tampered with: between the gateway and zeep."""

    def __init__(self, case):
        super().__init__(timeout=20)
        self.case = case

    def post_xml(self, address, envelope, headers):
        response = super().post_xml(address, envelope, headers)
        before = response.content
        if self.case == "answer-tampered":
            response._content = before.replace(b":total>4", b":total>5")
        elif self.case == "answer-timestamp-tampered":
            response._content = before.replace(b"<wsu:Expires>20", b"<wsu:Expires>21")
        if self.case.endswith("-tampered") and response.content == before:
            raise ValueError("nothing to tamper with: " + before.decode())
        return response


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def is_good(case):
    return case in ("good", "answer", "user") or case.startswith("encrypted")


def secure(case, key, certificate, server):
    if "user" not in case:
        return Signer(case, key, certificate, server)
    password = "another" if case == "wrong-user" else "correct horse, battery"
    return UsernameToken("jane", password, use_digest=case != "user-text")


def main(wsdl, url, case, key, certificate, server):
    history = HistoryPlugin()
    client = Client(wsdl, wsse=secure(case, key, certificate, server), transport=Road(case), plugins=[history])
    service = client.create_service("{urn:fmp:orders:svc}OrdersB", url)
    order = {
        "orderId": 1234567, "customer": "Jane O'Neil-Smith", "date": "2026-11-21T02:00:00Z",
        "item": [{"sku": "ABC-000001", "qty": 3, "price": "1.50", "note": "by zeep"}],
    }  # fmt: skip
    try:
        answer = service.submitOrder(**order)
    except exceptions.Fault as fault:
        print("Fault:", fault.message)
        return int(is_good(case) or case.startswith("answer"))
    except exceptions.SignatureVerificationFailed as why:
        print("refused:", why)
        return int(is_good(case) or not case.startswith("answer"))
    print(answer)
    return int(not is_good(case) or str(answer["total"]) != "4.50")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
