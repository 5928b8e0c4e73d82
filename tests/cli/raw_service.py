# SPDX-License-Identifier: GPL-2.0
"""
A Web service for gateway_backend.sh and gateway_fields.sh that answers with any bytes, an answer or not.

Usage: raw_service.py SAID LOG [CERTIFICATE KEY]

Says its address as the programs do. For each request it reads the file SAID, whose first line is
"PIECE THEN [FROM]": the bytes behind that line are sent, PIECE at a time (0: at once), and THEN is
what follows: keep the connection, close or reset it, or be silent; with TLS, cut closes it without
saying so (close_notify). With FROM, the connection's first FROM - 1 requests are answered well
instead. LOG gets a line "CONNECTION REQUEST" for each,
LOG.head has the header of the latest.
"""
import itertools
import socket
import ssl
import struct
import sys
import threading

said, log = sys.argv[1:3]
context = None
if len(sys.argv) > 3:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*sys.argv[3:])
GOOD = b"HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 7\r\n\r\n<good/>"


def read_request(stream):
    length = 0
    line = stream.readline()
    lines = []
    while line.strip():
        lines.append(line)
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
        line = stream.readline()
    stream.read(length)
    if line == b"":
        return False
    with open(log + ".head", "wb") as out:
        out.writelines(lines)
    return True


def answer(connection, request):
    """Returns what follows."""
    with open(said, "rb") as file:
        head, _, text = file.read().partition(b"\n")
    words = head.decode().split()
    if len(words) > 2 and request < int(words[2]):
        connection.sendall(GOOD)
        return "keep"
    piece = int(words[0]) or len(text) or 1
    for at in range(0, len(text), piece):
        connection.sendall(text[at : at + piece])
    return words[1]


def say_goodbye(connection):
    try:
        connection.unwrap()
    except OSError:  # the other side need not answer that
        pass


def serve(connection, number):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if context:
        connection = context.wrap_socket(connection, server_side=True)
    stream = connection.makefile("rb")
    then = "keep"
    for request in itertools.count(1):
        try:
            if not read_request(stream):
                break
            with open(log, "a", encoding="ascii") as out:
                print(number, request, file=out)
            then = answer(connection, request)
        except OSError:
            break
        if then == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if then != "keep" and then != "silent":
            break
    if context and then == "close":
        say_goodbye(connection)
    stream.close()
    connection.close()


server = socket.create_server(("127.0.0.1", 0))
print("listening on 127.0.0.1:%d" % server.getsockname()[1], flush=True)
for each in itertools.count(1):
    threading.Thread(target=serve, args=(server.accept()[0], each), daemon=True).start()
