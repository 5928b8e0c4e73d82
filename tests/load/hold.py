#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Usage: hold.py PORT N [BYTE_EVERY_MS]

Opens N connections from addresses of 127.0.0.0/8 and keeps them until standard input ends: silent
after one whole request each, or, with BYTE_EVERY_MS, dripping a header byte by byte for ever, and
again from the start when the gateway closes one. Says `open` when all are there; at the end
`closed K`: how many the other side had closed (silent ones only).
"""
import resource
import selectors
import socket
import sys

REQUEST = (b"POST / HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n"
           b"<a></b>")
DRIP = b"POST / HTTP/1.1\r\nHost: gw\r\nX-Slow: "


def connect(port, i):
    s = socket.socket()
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


def dripping(port, n, every):
    slow = [[connect(port, i), 0] for i in range(n)]
    print("open", flush=True)
    end = selectors.DefaultSelector()
    end.register(sys.stdin, selectors.EVENT_READ)
    step = 0
    while not end.select(every / n):
        one = slow[step % n]
        try:
            one[0].sendall(DRIP[one[1]:one[1] + 1] or b"x")
            one[1] += 1
        except OSError:
            one[0].close()
            one[:] = [connect(port, step % n), 0]
        step += 1


def main():
    port, n = int(sys.argv[1]), int(sys.argv[2])
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    if len(sys.argv) > 3:
        dripping(port, n, float(sys.argv[3]) / 1000)
    else:
        silent(port, n)


main()
