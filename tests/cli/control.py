# SPDX-License-Identifier: GPL-2.0
"""Speaks fmpd's control protocol as a client of its own would.

control.py SOCKET report ADDR KIND COUNT   reports bad messages of an address
control.py SOCKET turn ADDR KIND PID VERB  reports one, and "block"s or "unblock"s ADDR in the same turn of fmpd PID
control.py SOCKET garbage                  sends what does not decode: no message, no field
control.py SOCKET flood COUNT PID          asks for the status, never reads the answers
control.py SOCKET connect COUNT            opens that many connections at once
Prints what became of it: "code N", "closed", "open", "refused N", KiB that PID has grown.
"""

import os
import signal
import socket
import struct
import sys
import time

EVENT, STATUS, END = 0x0101, 0x0201, 0x0281
BY_HAND = {"block": 0x0204, "unblock": 0x0205}


def field(ident, value):
    if isinstance(value, int):
        value = struct.pack(">Q", value)
    return struct.pack(">HI", ident, len(value)) + value


def message(kind, *fields):
    body = struct.pack(">H", kind) + b"".join(fields)
    return struct.pack(">I", len(body)) + body


def connect(path):
    client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    client.connect(path)  # blocking: waits while the backlog is full
    client.settimeout(10)
    return client


def receive(client):
    """One message, or None when the peer closed."""
    data = b""
    while len(data) < 4 or len(data) < 4 + struct.unpack(">I", data[:4])[0]:
        want = 4 - len(data) if len(data) < 4 else 4 + struct.unpack(">I", data[:4])[0] - len(data)
        more = client.recv(want)
        if not more:
            return None
        data += more
    return data


def ipv4(address):
    return bytes([4, 32]) + socket.inet_aton(address) + bytes(12)


def bad_message(address, kind):
    return message(EVENT, field(1, kind), field(2, 1), field(3, ipv4(address)), field(5, 8080),
                   field(9, b"seen by a program"))


def report(client, address, kind, count):
    for _ in range(count):
        client.sendall(bad_message(address, kind))
        answer = receive(client)
        if answer is None or struct.unpack(">H", answer[4:6])[0] != END:
            return "closed"
        code = struct.unpack(">q", answer[12:20])[0]
    return f"code {code}"


def code_of_answer(client):
    while True:
        answer = receive(client)
        if answer is None:
            return None
        if struct.unpack(">H", answer[4:6])[0] == END:
            return struct.unpack(">q", answer[12:20])[0]


def is_stopped(pid):
    with open(f"/proc/{pid}/stat", encoding="ascii") as f:
        return f.read().rsplit(")", 1)[1].split()[0] == "T"


def turn(path, address, kind, pid, verb):
    """Both wait to be read when fmpd goes on: the report first, for it came first."""
    reporter, person = connect(path), connect(path)
    # Stopped before it asked epoll again, fmpd would look at the last one that it answered first.
    for client in (person, reporter):
        client.sendall(message(STATUS))
        code_of_answer(client)
    os.kill(pid, signal.SIGSTOP)
    try:
        while not is_stopped(pid):
            time.sleep(0.01)
        reporter.sendall(bad_message(address, kind))
        person.sendall(message(BY_HAND[verb], field(4, ipv4(address))))
    finally:
        os.kill(pid, signal.SIGCONT)
    code_of_answer(reporter)
    return f"code {code_of_answer(person)}"


def is_closed(client):
    try:
        while client.recv(65536):
            pass
        return "closed"
    except ConnectionResetError:
        return "closed"
    except TimeoutError:
        return "open"


def garbage(path):
    states = set()
    for nonsense in (bytes(range(256)), message(STATUS, b"\0\4\0\0\0\xff")):
        client = connect(path)
        client.settimeout(2)
        client.sendall(nonsense)
        states.add(is_closed(client))
    return " ".join(sorted(states))


def resident(pid):
    with open(f"/proc/{pid}/statm", encoding="ascii") as f:
        return int(f.read().split()[1]) * 4


def flood(client, count, pid):
    before = resident(pid)
    client.settimeout(1)
    try:
        for _ in range(count // 100):
            client.sendall(message(STATUS) * 100)
    except (TimeoutError, ConnectionError):
        pass  # not read on, or closed: either bounds it
    return resident(pid) - before


def connect_many(path, count):
    clients, refused = [], 0
    for _ in range(count):
        clients.append(connect(path))
    for client in clients:
        client.settimeout(5)
        try:
            client.sendall(message(0x02FF))
            refused += receive(client) is None
        except (ConnectionResetError, BrokenPipeError):
            refused += 1
    return f"refused {refused}"


def main():
    path, verb, *rest = sys.argv[1:]
    if verb == "connect":
        print(connect_many(path, int(rest[0])))
        return
    if verb == "garbage":
        print(garbage(path))
        return
    if verb == "turn":
        print(turn(path, rest[0], int(rest[1]), int(rest[2]), rest[3]))
        return
    client = connect(path)
    if verb == "report":
        print(report(client, rest[0], int(rest[1]), int(rest[2])))
    elif verb == "flood":
        print(flood(client, int(rest[0]), int(rest[1])))


if __name__ == "__main__":
    main()
