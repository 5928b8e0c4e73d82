# SPDX-License-Identifier: GPL-2.0
"""
Clients for gateway_full.sh, of a gateway that takes eight connections.

Usage: full.py WHAT PORT FILE

idle: eight connect, then each sends FILE as a message; a ninth is answered, for one of them is idle.
nobody: the same eight are all there still when nobody else comes.
silent, slow: six of one client and two of another hold all places, without a byte or with half a header; a third one is
    answered, and one of the six is closed for it, none of the two.
new: eight clients with one silent connection each; a ninth is answered, and none of the last seven is closed at once.
each: eight clients with half a header each; nobody gives way, and a ninth is answered when one of them has gone.
refused: two of one client of a proxy in the middle of a header, six more of it are refused; another is answered.
"""
import socket
import struct
import sys
import time

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


def closed(clients):
    """How many of them the other side has closed."""
    n = 0
    for client in clients:
        client.setblocking(False)
        try:
            n += client.recv(1) == b""
        except BlockingIOError:
            pass
        except ConnectionResetError:
            n += 1
    return n


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
elif what in ("silent", "slow"):
    many = [connect("127.0.0.3") for _ in range(6)]
    few = [connect("127.0.0.4") for _ in range(2)]
    if what == "slow":
        for each in many + few:
            each.sendall(b"POST / HTTP/1.1\r\n")
        # A message of another one is behind these.
        time.sleep(0.2)
    ask(connect("127.0.0.2"))
    assert (closed(many), closed(few)) == (1, 0), (closed(many), closed(few))
elif what == "new":
    each = [connect("127.0.0.%d" % i) for i in range(3, 11)]
    ninth = connect("127.0.0.2")
    time.sleep(0.3)
    assert closed(each) == 0
    ask(ninth)
    assert closed(each) == 1 and closed(each[:1]) == 1
elif what == "each":
    each = [connect("127.0.0.%d" % i) for i in range(3, 11)]
    for one in each:
        one.sendall(b"POST / HTTP/1.1\r\n")
    time.sleep(0.2)
    ninth = connect("127.0.0.2")
    ninth.sendall(HEAD % len(message) + message)
    time.sleep(1.5)
    assert closed(each) == 0
    each[3].close()
    assert ninth.recv(65536).startswith(b"HTTP/1.1 200 ")
else:
    eight = [connect() for _ in range(8)]
    for _ in range(2 if what == "nobody" else 1):
        for each in eight:
            ask(each)
    if what == "idle":
        ask(connect())
