# SPDX-License-Identifier: GPL-2.0
"""
Clients for gateway_memory.sh that make a gateway hold what they send, or what it answers.

Usage: hold.py PORT SOURCE N FILE [MISSING]

N connections from SOURCE each send FILE as a message, without its last MISSING bytes. Then a line
"held", and one with each line of standard input: how many of them the gateway has not given up. Of
what it answers only the first bytes are read.
"""
import select
import socket
import sys

port, source, count, path = int(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4]
missing = int(sys.argv[5]) if len(sys.argv) > 5 else 0
with open(path, "rb") as file:
    message = file.read()
head = b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n"
request = (head % len(message) + message)[: -missing or None]
clients = []
for _ in range(count):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    clients.append(client)
    try:
        client.sendall(request)
    except OSError:
        pass


def is_open(client):
    poll = select.poll()
    poll.register(client, select.POLLIN)
    for _, what in poll.poll(0):
        if what & (select.POLLHUP | select.POLLERR):
            return False
        try:
            return not client.recv(16, socket.MSG_PEEK).startswith(b"HTTP/1.1 503")
        except OSError:
            return False
    return True


print("held", flush=True)
for _ in sys.stdin:
    print("open", sum(is_open(client) for client in clients), flush=True)
