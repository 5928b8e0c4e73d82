# SPDX-License-Identifier: GPL-2.0
"""
Floods of TLS records by one client.

Usage: tls_flood.py KIND PORT SOURCE BURST [SECONDS]

Sends up to BURST records of a KIND in a row, from SOURCE; again every second on a new connection with SECONDS. Prints how
each connection ended: `closed` by the gateway, `open` still. Kinds:

  keyupdate, keyupdate-asked   KeyUpdates of TLS 1.3, those that want one back, too
  hello-again                  a ClientHello in a session of TLS 1.2, again and again
  alerts                       warnings in TLS 1.2, a byte of data behind each four, for OpenSSL bounds those in a row
  empty, padded                records of TLS 1.2 and 1.3 without data, with 1000 bytes of padding in TLS 1.3, as above
  byte-wise                    a body of one byte a record
  pieces                       ClientHello of 60 KiB, one byte a record
  slow-handshake               ClientHello alone, on 8 connections
  given-up                     ClientHello and a reset right behind it, on a connection each
"""
import socket
import ssl
import struct
import sys
import time

from tls_records import ALERT, DATA, HANDSHAKE, Peer, connect, hello, plain

HEAD = b"POST /orders HTTP/1.1\r\nHost: gw\r\nContent-Type: text/xml\r\nContent-Length: 900000\r\n\r\n"
TLS12 = ssl.TLSVersion.TLSv1_2


def keyupdate(peer, i):
    return peer.keys.key_update()


def keyupdate_asked(peer, i):
    return peer.keys.key_update(True)


def hello_again(peer, i):
    return peer.keys.record(HANDSHAKE, HELLO)


def alerts(peer, i):
    return peer.keys.record(ALERT, b"\1\x5a") + (peer.data(b"x") if i % 4 == 3 else b"")


def empty(peer, i):
    return peer.data(b"") + (peer.data(b"x") if i % 30 == 29 else b"")


def padded(peer, i):
    return peer.keys.record(0, b"\x17" + bytes(1000)) + (peer.data(b"x") if i % 30 == 29 else b"")


def byte_wise(peer, i):
    return peer.data(b"x")


KINDS = {"keyupdate": (keyupdate, None), "keyupdate-asked": (keyupdate_asked, None), "hello-again": (hello_again, TLS12),
         "alerts": (alerts, TLS12), "empty": (empty, TLS12), "padded": (padded, None), "byte-wise": (byte_wise, None)}
HELLO = hello()


def pieces(burst):
    """One message, as long as a ClientHello may be, with what an unknown extension makes it."""
    body = HELLO[4:]
    message = b"\1" + (len(body) + 60000).to_bytes(3, "big") + body + bytes(60000)
    return b"".join(plain(HANDSHAKE, message[i:i + 1]) for i in range(min(burst, len(message))))


def give_up(port, source):
    sock = connect(port, source)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.sendall(plain(HANDSHAKE, HELLO))
    sock.close()


def once(kind, port, source, burst):
    """Return: the sockets, and what is still to be sent on the first."""
    if kind == "given-up":
        for _ in range(burst):
            give_up(port, source)
        return [], b""
    if kind == "slow-handshake":
        socks = [connect(port, source) for _ in range(8)]
        for each in socks:
            each.sendall(plain(HANDSHAKE, HELLO))
        return socks, b""
    sock = connect(port, source)
    if kind == "pieces":
        return [sock], pieces(burst)
    make, version = KINDS[kind]
    peer = Peer(sock, version or ssl.TLSVersion.TLSv1_3)
    first = b"" if kind.startswith("key") or kind == "hello-again" else peer.data(HEAD)
    return [sock], first + b"".join(make(peer, i) for i in range(burst))


def ended(sock, out, patience):
    """Is it closed by the other side within so many seconds?"""
    try:
        sock.settimeout(patience)
        sock.sendall(out)
        while sock.recv(65536):
            pass
        return True
    except TimeoutError:
        return False
    except OSError:
        return True


def main():
    kind, port, source, burst = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 0
    end = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        try:
            socks, out = once(kind, port, source, burst)
        except OSError as error:
            print("refused", error, flush=True)
            socks = []
        for sock in socks:
            print("closed" if ended(sock, out, 0.5 if seconds else 10) else "open", flush=True)
            sock.close()
        if time.monotonic() >= end:
            return
        time.sleep(max(0, began + 1 - time.monotonic()))


if __name__ == "__main__":
    main()
