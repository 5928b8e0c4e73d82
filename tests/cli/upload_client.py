# SPDX-License-Identifier: GPL-2.0
"""
Send a request with attachments.

Usage: upload_client.py PORT PATH KIND FRAMING BYTES [FAULT]

KIND is mtom or swa, FRAMING length or chunks. Prints the status of the answer, or "none", and the SHA-256 of the body. FAULTs:
folded, an epilogue and a folded field, which are none; slow: over three seconds; gone: leave in the midst; silent: stop in the
midst; unreferenced, double, missing, oversize, header, cut, tail, chunk: attacks behind the first attachment; no-root; big-root.
"""
import hashlib
import socket
import sys
import time

port, path, kind, framing, size = int(sys.argv[1]), *sys.argv[2:5], int(sys.argv[5])
fault = sys.argv[6] if len(sys.argv) > 6 else ""
MTOM = kind == "mtom"
XOP = "http://www.w3.org/2004/08/xop/include"
include = f'<x:Include xmlns:x="{XOP}" href="cid:a%40x"/>' if MTOM else "QUJD"
if MTOM and fault == "missing":
    include += f'</f:data><f:more><x:Include xmlns:x="{XOP}" href="cid:b%40x"/></f:more><f:data>QUJD'
pad = "<!--" + "y" * 2000000 + "-->" if fault == "big-root" else ""
root = (
    '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><f:file xmlns:f="urn:f">'
    f"<f:data>{include}</f:data></f:file></s:Body></s:Envelope>{pad}"
).encode()
media = 'application/xop+xml; type="text/xml"' if MTOM else "text/xml"
head = f"--B-1\r\nContent-Type: {media}\r\nContent-ID: <r@x>\r\n\r\n".encode() + root
first = b"\r\n--B-1\r\nContent-Type: application/pdf\r\nContent-ID: <a@x>\r\n\r\n"
if fault == "folded":
    first = first.replace(b"pdf", b"pdf;\r\n\tname=a")
data = hashlib.sha256(b"x").digest() * (size // 32 + 1)
data = data[:size]
tail = b"\r\n--B-1--\r\n"
more = {
    "unreferenced": b"\r\n--B-1\r\nContent-ID: <c@x>\r\n\r\n" + data,
    "double": b"\r\n--B-1\r\nContent-ID: <a%40x>\r\n\r\n" + data,
    "oversize": data + data,
    "header": b"\r\n--B-1\r\nContent-ID : <c@x>\r\n\r\n" + data,
    "tail": b"\r\n--B-1--\r\n" + tail,
}.get(fault, b"")
if fault == "cut":
    tail = b"\r\n--B-1-"
if fault == "folded":
    tail += b"epilogue"
if fault == "no-root":
    head = b"--B-1\r\nContent-ID: <q@x>\r\n\r\n" + root
body = head + first + data + more + tail
start = 'start="<r@x>"; start-info="text/xml"; ' if MTOM else ""
kind_of = "application/xop+xml" if MTOM else "text/xml"
s = socket.create_connection(("127.0.0.1", port))
s.settimeout(60)
fields = f'POST {path} HTTP/1.1\r\nHost: h\r\nContent-Type: multipart/related; boundary=B-1; {start}type="{kind_of}"\r\nSOAPAction: ""\r\n'


def pieces():
    for at in range(0, len(body), 60000):
        yield body[at : at + 60000]


try:
    if framing == "length":
        s.sendall(fields.encode() + b"Content-Length: %d\r\n\r\n" % len(body))
    else:
        s.sendall(fields.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
    sent = 0
    for piece in pieces():
        if framing == "chunks":
            piece = b"%x\r\n%s\r\n" % (len(piece), piece)
        s.sendall(piece)
        sent += len(piece)
        if fault == "slow":
            time.sleep(3 * len(piece) / len(body))
        if fault == "chunk" and sent > len(body) // 2:
            s.sendall(b"xyz\r\n")
            break
        if fault == "gone" and sent > len(body) // 2:
            s.close()
            print("none")
            sys.exit()
        if fault == "silent" and sent > len(body) // 2:
            break
    else:
        if framing == "chunks":
            s.sendall(b"0\r\n\r\n")
except OSError:
    pass
try:
    answer = s.recv(4096)
    print(answer.split()[1].decode() if answer else "none", hashlib.sha256(body).hexdigest())
except OSError:
    print("none")
