# SPDX-License-Identifier: GPL-2.0
"""One order by zeep, signed by xmlsec.

Usage: zeep_client.py WSDL URL CASE KEY CERTIFICATE

CASE: good, tampered (after signing), sha1, unsigned, expired (Timestamp). Exit status: 0 the
good one was answered with its sum, or the others by a Fault; 1 not so.
"""

import datetime
import sys

import xmlsec
from zeep import Client, exceptions
from zeep.plugins import HistoryPlugin
from zeep.transports import Transport
from zeep.wsse import utils
from zeep.wsse.signature import BinarySignature


class Signer:
    """Timestamp and signature; tampers after that, if it is to. Answers have no signature."""

    def __init__(self, case, key, certificate):
        self.case = case
        strong = case != "sha1"
        self.signature = BinarySignature(
            key, certificate,
            signature_method=xmlsec.Transform.RSA_SHA256 if strong else xmlsec.Transform.RSA_SHA1,
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
        return envelope, headers

    def verify(self, envelope):
        return envelope


def stamp(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def main(wsdl, url, case, key, certificate):
    history = HistoryPlugin()
    client = Client(wsdl, wsse=Signer(case, key, certificate), transport=Transport(timeout=20), plugins=[history])
    service = client.create_service("{urn:fmp:orders:svc}OrdersB", url)
    order = {
        "orderId": 1234567, "customer": "Jane O'Neil-Smith", "date": "2026-11-21T02:00:00Z",
        "item": [{"sku": "ABC-000001", "qty": 3, "price": "1.50", "note": "by zeep"}],
    }  # fmt: skip
    try:
        answer = service.submitOrder(**order)
    except exceptions.Fault as fault:
        print("Fault:", fault.message)
        return int(case == "good")
    print(answer)
    return int(case != "good" or str(answer["total"]) != "4.50")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
