# SPDX-License-Identifier: GPL-2.0
"""
Clients for gateway_full.sh, of a gateway that takes eight connections.

Usage: full.py WHAT PORT FILE

idle: eight connect, then each sends FILE as a message; a ninth is answered, for one of them is idle.
nobody: the same eight are all there still when nobody else comes.
refused: two of one client of a proxy in the middle of a header, six more of it are refused; another is answered.
"""
import socket
import struct
import sys

what, port, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(path, "rb") as file:
    message = file.read()
HEAD = b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n"


def connect(source="127.0.0.1"):
    client = socket.create_connection(("127.0.0.1", port), 20, (source, 0))
    client.settimeout(20)
    return client


def ask(client):
    client.sendall(HEAD % len(message) + message)
    answer = client.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200 "), answer[:200]


def told(number):
    """A header of the PROXY protocol, of a client that is always the same."""
    ends = socket.inet_aton("198.51.100.7") + socket.inet_aton("192.0.2.66")
    return b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c" + ends + struct.pack(">HH", number, 80)


if what == "refused":
    held = [connect() for _ in range(2)]
    for number, each in enumerate(held):
        each.sendall(told(number + 1) + b"POST / HTTP/1.1\r\n")
    more = [connect() for _ in range(6)]
    for number, each in enumerate(more):
        each.sendall(told(number + 3))
    for each in more:
        try:
            assert each.recv(1) == b""
        except ConnectionResetError:
            pass
    ask(connect("127.0.0.2"))
else:
    eight = [connect() for _ in range(8)]
    for _ in range(2 if what == "nobody" else 1):
        for each in eight:
            ask(each)
    if what == "idle":
        ask(connect())
