# SPDX-License-Identifier: GPL-2.0
"""
A client that asks two gateways in turns, each time on a new connection, while one of them is flooded.

Usage: probe.py SECONDS FREE BUSY SOURCE MESSAGE [CA]

FREE, BUSY: ports of 127.0.0.1, or ADDRESS:PORT.

Prints how many requests each got, their 99th percentiles in ms, and the ratio of these. Both meet whatever else the machine
does: they are asked right behind each other, either one first in every other turn. Exit status 1: an answer was not 200, the
ratio is above 1.5.
"""
import math
import socket
import ssl
import sys
import time

MOST = 1.5



def place(text):
    address, _, port = text.rpartition(":")
    return address or "127.0.0.1", int(port)


seconds, free, busy, source, path = float(sys.argv[1]), place(sys.argv[2]), place(sys.argv[3]), sys.argv[4], sys.argv[5]
context = ssl.create_default_context(cafile=sys.argv[6]) if len(sys.argv) > 6 else None
with open(path, "rb") as file:
    body = file.read()
request = (b"POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: text/xml\r\nConnection: close\r\n"
           b"Content-Length: %d\r\n\r\n" % len(body) + body)


def ask(to):
    """Seconds until the whole answer is there."""
    began = time.monotonic()
    sock = socket.create_connection(to, 10, (source, 0))
    if context:
        sock = context.wrap_socket(sock, server_hostname=to[0])
    sock.sendall(request)
    answer = b""
    while more := sock.recv(65536):
        answer += more
    sock.close()
    if not answer.startswith(b"HTTP/1.1 200 "):
        sys.exit("%s:%d answered %r" % (*to, answer[:80]))
    return time.monotonic() - began


def percentile(times):
    return sorted(times)[math.ceil(len(times) * 0.99) - 1] * 1000


times = {free: [], busy: []}
end = time.monotonic() + seconds
turn = 0
while time.monotonic() < end:
    for to in ((free, busy), (busy, free))[turn % 2]:
        times[to].append(ask(to))
    turn += 1
    time.sleep(0.005)
p99 = [percentile(times[to]) for to in (free, busy)]
print("%d turns, p99 %.2f ms, flooded %.2f ms, ratio %.2f" % (turn, *p99, p99[1] / p99[0]))
sys.exit(p99[1] > MOST * p99[0])
