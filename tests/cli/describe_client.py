# SPDX-License-Identifier: GPL-2.0
"""
A client that knows a service by its URL alone, as generated ones begin.

Usage: describe_client.py URL

Fetches the WSDL, follows each import that it names, and posts to the address of its port. Prints
what it fetched and the status of the post; an import that can't be fetched ends it with 1.
"""

import sys
import urllib.parse
import urllib.request
import xml.etree.ElementTree as ET

WSDL, XSD = "{http://schemas.xmlsoap.org/wsdl/}", "{http://www.w3.org/2001/XMLSchema}"
SOAP = "{http://schemas.xmlsoap.org/wsdl/soap/}"
PLACES = {WSDL + "import": "location", XSD + "import": "schemaLocation", XSD + "include": "schemaLocation"}
PING = (
    b'<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>'
    b'<ping xmlns="urn:ping"><n>1</n></ping></s:Body></s:Envelope>'
)


def fetch(url, seen):
    if url in seen:
        return
    with urllib.request.urlopen(url, timeout=10) as answer:
        kind = answer.headers["Content-Type"]
        root = ET.fromstring(answer.read())
    seen[url] = root
    print("fetched", urllib.parse.urlsplit(url).query, kind)
    for element in root.iter():
        place = element.get(PLACES.get(element.tag, ""))
        if place:
            fetch(urllib.parse.urljoin(url, place), seen)


documents = {}
fetch(sys.argv[1], documents)
addresses = {a.get("location") for root in documents.values() for a in root.iter(SOAP + "address")}
for address in sorted(addresses):
    request = urllib.request.Request(address, PING, {"Content-Type": "text/xml", "SOAPAction": '"urn:ping:do"'})
    with urllib.request.urlopen(request, timeout=10) as answer:
        print("posted", address, answer.status)
