# SPDX-License-Identifier: GPL-2.0
"""client.py URL-OF-BASE: zeep against a service of store.wsdl."""
import sys

import requests
import zeep
from requests.auth import HTTPBasicAuth, HTTPDigestAuth

BASE = sys.argv[1]


def step(name, run):
    try:
        print("ok" if run() else "bad", name)
    except Exception as error:  # pylint: disable=broad-except
        print("bad", f"{name}: {type(error).__name__}: {str(error)[:300]}")


def client(path="/store", auth=None):
    session = requests.Session()
    session.auth = auth
    made = zeep.Client(BASE + WSDL, transport=zeep.Transport(session=session))
    return made.create_service("{urn:example:store}StoreBinding", BASE + path)


def content(size):
    return bytes((i * 31 + i // 251) & 0xFF for i in range(size))


def fault():
    try:
        STORE.fail("sold out")
    except zeep.exceptions.Fault as error:
        return error.message == "sold out"
    return False


WSDL = "/store?wsdl"
if requests.get(BASE + WSDL, timeout=10).status_code != 200:
    WSDL = "/store.wsdl"
STORE = None


def load():
    global STORE  # pylint: disable=global-statement
    STORE = client()
    return True


step("wsdl", load)
if STORE is not None:
    step("call", lambda: STORE.echo("Grüße & <Tags>") == "Grüße & <Tags>")
    step("fault", fault)
    step("cookies", lambda: [STORE.who().visits for _ in range(3)] == [0, 1, 2])
    step("basic", lambda: client("/basic/store", HTTPBasicAuth("jane", "correct horse")).who().user == "jane")
    step("digest", lambda: client("/digest/store", HTTPDigestAuth("jane", "correct horse")).who().user == "jane")
    step("binary", lambda: STORE.put(content(20000)).sum == sum(content(20000)) and STORE.get(20000) == content(20000))
