# SPDX-License-Identifier: GPL-2.0
"""
Holds places of the gateway, each way from a source of its own.

Usage: hold_slots.py WAY PORT SOURCE SECONDS COUNT MESSAGE

Keeps COUNT connections open and opens each anew when it is closed, by whomever. Ways:
  silent    not a byte, closed by itself just before its time is over
  header    half a header, a byte more each second
  body      a whole header and half a body, a byte more each second
  idle      one good request, then nothing
  reader    a good request whose answer is not read
  newline   an empty line, again and again
  pipelined good requests, twenty behind each other, again and again
"""
import asyncio
import socket
import sys

way, port, source, seconds, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3], float(sys.argv[4]), int(sys.argv[5]), sys.argv[6]
with open(path, "rb") as file:
    body = file.read()
HEAD = b"POST /orders HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(body)
FIRST = {"silent": b"", "header": HEAD[:40], "body": HEAD + body[:100], "idle": HEAD + body, "reader": HEAD + body, "newline": b"\r\n",
         "pipelined": (HEAD + body) * 20}
DRIP = {"header": b"x", "body": b" ", "newline": b"\r\n"}
opened = 0


async def pipeline(loop, sock):
    """Twenty answers, then twenty requests more, until the gateway closes."""
    answers = 20
    while True:
        while answers:
            some = await asyncio.wait_for(loop.sock_recv(sock, 65536), 5)
            if not some:
                return
            answers -= some.count(b"HTTP/1.1 200 ")
        await loop.sock_sendall(sock, FIRST[way])
        answers = 20


async def hold():
    """One connection, until it is closed or was open for 4.5 s."""
    global opened
    loop = asyncio.get_running_loop()
    sock = socket.socket()
    sock.setblocking(False)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        sock.bind((source, 0))
        await asyncio.wait_for(loop.sock_connect(sock, ("127.0.0.1", port)), 10)
        opened += 1
        if FIRST[way]:
            await loop.sock_sendall(sock, FIRST[way])
        if way == "pipelined":
            await pipeline(loop, sock)
        for _ in range(9):
            if way == "reader":
                await asyncio.sleep(0.5)
                continue
            try:
                if not await asyncio.wait_for(loop.sock_recv(sock, 65536), 0.5):
                    break
            except asyncio.TimeoutError:
                pass
            if way in DRIP:
                await loop.sock_sendall(sock, DRIP[way])
    except OSError:
        pass
    finally:
        sock.close()


async def place(end):
    loop = asyncio.get_running_loop()
    while loop.time() < end:
        try:
            await hold()
        except asyncio.TimeoutError:
            pass
        # A place that is lost is not asked for more than twice a second: the flood is to hold, not to connect.
        await asyncio.sleep(0.5)


async def main():
    end = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(place(end) for _ in range(count)))


asyncio.run(main())
print(way, "opened", opened)
