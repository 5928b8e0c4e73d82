#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: hold.py PORT N [BYTE_EVERY_MS]

Opens N connections from addresses of 127.0.0.0/8 and keeps them until standard input ends: silent
after one whole request each, or, with BYTE_EVERY_MS, slow: a third of them drips a header byte by
byte for ever, a third a body, and a third reads the answer of /long so, 64 bytes at a time; again from
the start when the gateway closes one. Says `open` when all are there; at the end `closed K`: how many
the other side had closed.
"""
import resource
import selectors
import socket
import sys

REQUEST = (b"POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n"
           b"<a></b>")
DRIP = b"POST /orders HTTP/1.1\r\nHost: gw\r\nX-Slow: "
HEAD = b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 1000000\r\n\r\n"
ENVELOPE = (b"<s:Envelope xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><s:Body><a/></s:Body>"
            b"</s:Envelope>")
ASK = (b"POST /long HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n"
       % len(ENVELOPE)) + ENVELOPE


def connect(port, i):
    s = socket.socket()
    # What the kernel takes of an answer is not waited for: it is to be little.
    s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    s.bind(("127.%d.%d.1" % (1 + i // 250 % 250, 1 + i % 250), 0))
    s.connect(("127.0.0.1", port))
    return s


def answered(s):
    got = b""
    while b"</SOAP-ENV:Envelope>" not in got:
        more = s.recv(65536)
        if not more:
            raise ConnectionError("closed before the answer: %r" % got[:200])
        got += more


def silent(port, n):
    held = []
    for i in range(n):
        s = connect(port, i)
        s.sendall(REQUEST)
        answered(s)
        held.append(s)
    print("open", flush=True)
    sys.stdin.read()
    closed = 0
    for s in held:
        s.setblocking(False)
        try:
            closed += s.recv(1) == b""
        except BlockingIOError:
            pass
        except OSError:
            closed += 1
    print("closed", closed, flush=True)


class Header:
    """Each step a byte of a header."""

    def __init__(self, port, i):
        self.socket, self.sent = connect(port, i), 0

    def step(self):
        self.socket.sendall(DRIP[self.sent:self.sent + 1] or b"x")
        self.sent += 1


class Body:
    """Each step a byte of a body."""

    def __init__(self, port, i):
        self.socket = connect(port, i)
        self.socket.sendall(HEAD)

    def step(self):
        self.socket.sendall(b" ")


class Reader:
    """Each step a few bytes of an answer."""

    def __init__(self, port, i):
        self.socket = connect(port, i)
        self.socket.sendall(ASK)
        if self.socket.recv(12) != b"HTTP/1.1 200":
            raise ConnectionError("no answer that is long")

    def step(self):
        if not self.socket.recv(64):
            raise ConnectionError("closed")


def slow(port, n, every):
    kinds = Header, Body, Reader
    some = [kinds[i % 3](port, i) for i in range(n)]
    print("open", flush=True)
    end = selectors.DefaultSelector()
    end.register(sys.stdin, selectors.EVENT_READ)
    step = closed = 0
    while not end.select(every / n):
        i = step % n
        try:
            some[i].step()
        except OSError:
            closed += 1
            some[i].socket.close()
            some[i] = kinds[i % 3](port, i)
        step += 1
    print("closed", closed, flush=True)


def main():
    port, n = int(sys.argv[1]), int(sys.argv[2])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if len(sys.argv) > 3:
        slow(port, n, float(sys.argv[3]) / 1000)
    else:
        silent(port, n)


main()
