# SPDX-License-Identifier: GPL-2.0
"""Stands in for fmpd while a list is imported, and breaks it off.

breaks_off.py SOCKET close N   takes N requests, and closes the connection of the next without an answer
breaks_off.py SOCKET SIGNAL N  sends the client that signal before it answers request N, and goes on
Every address of a request for many is answered as blocked. Prints "ready" when it listens.
"""

import os
import signal
import socket
import struct
import sys

from control import field, message, receive

BLOCK_MANY, FLUSH, RECORD, END = 0x020c, 0x020e, 0x0280, 0x0281
KIND, CODE, MESSAGE, ADDR, WANTED, ENFORCED, UNBLOCKS, KEPT = 1, 2, 3, 4, 40, 41, 64, 116


def addresses(request):
    n, at = 0, 6
    while at < len(request):
        ident, length = struct.unpack(">HI", request[at:at + 6])
        n += ident == ADDR
        at += 6 + length
    return n


def answer(client, request):
    kind = struct.unpack(">H", request[4:6])[0]
    if kind == BLOCK_MANY:
        n = addresses(request)
        client.sendall(message(RECORD, field(KIND, b"bulk"), field(WANTED, n),
                               field(ENFORCED, n), field(KEPT, 0)))
    elif kind == FLUSH:
        client.sendall(message(RECORD, field(KIND, b"flushed"), field(UNBLOCKS, 7)))
    client.sendall(message(END, field(CODE, 0), field(MESSAGE, b"")))


def main():
    path, how, left = sys.argv[1], sys.argv[2], int(sys.argv[3])
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen()
    print("ready", flush=True)
    while True:
        client = listener.accept()[0]
        request = receive(client)
        if request:
            if how == "close" and not left:
                client.close()
                return
            left -= 1
            if how != "close" and not left:
                pid = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
                os.kill(pid, getattr(signal, how))
            answer(client, request)
        client.close()


main()
