# SPDX-License-Identifier: GPL-2.0
"""
Clients for gateway_slow.sh that take their time with what they are answered.

Usage: slow_readers.py PORT FILE SOURCE BYTES EVERY_MS [SOURCE BYTES EVERY_MS]...

From each SOURCE one client sends FILE as a message and then reads BYTES of its answer every so often; with
0 BYTES, none at all. Prints for each "SOURCE STATUS LENGTH" of the answer's body that it read, or
"SOURCE reset".
"""
import socket
import sys
import threading
import time

port = int(sys.argv[1])
with open(sys.argv[2], "rb") as file:
    message = file.read()
HEAD = b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
PATIENCE_S = 60


def read(client, size, every):
    got = b""
    while True:
        # No sooner than it may: what a busy machine was late with is not read the faster for it.
        time.sleep(every)
        more = client.recv(size)
        if not more:
            return got
        got += more


def wait_for_reset(client):
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        error = client.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if error:
            raise OSError(error, "reset")
        time.sleep(0.05)
    return b""


def run(source, size, every):
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16384)
    client.settimeout(PATIENCE_S)
    client.bind((source, 0))
    client.connect(("127.0.0.1", port))
    client.sendall(HEAD % len(message) + message)
    try:
        head, _, body = (read(client, size, every) if size else wait_for_reset(client)).partition(b"\r\n\r\n")
        print("%s %s %d\n" % (source, head[9:12].decode(), len(body)), end="", flush=True)
    except OSError:
        print("%s reset\n" % source, end="", flush=True)


threads = []
for at in range(3, len(sys.argv), 3):
    what = sys.argv[at], int(sys.argv[at + 1]), int(sys.argv[at + 2]) / 1000
    threads.append(threading.Thread(target=run, args=what))
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
