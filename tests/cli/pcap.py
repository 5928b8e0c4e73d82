# SPDX-License-Identifier: GPL-2.0
"""Writes captures of connections to a server, for fmpctl replay.

pcap.py FILE [--link ethernet|vlan|cooked|cooked2|raw|loopback] [--ng] [--swapped] [--micro] [--port N]

Standard input has a connection a line: SECONDS ADDRESS PORT WAYS FILE...
Each FILE is sent as the body of a POST request, "+FILE" as it is. WAYS are words with commas:

plain    handshake, requests, answers, end      blind    nobody answers the handshake
guess    as blind, and acknowledges a number    headless the capture starts behind the handshake
small    7 bytes a segment                      backward the segments of a request, last first
twice    each segment again, with other bytes   gap      the second segment is not there
reset    a RST with a wrong number first        again    a SYN with another number first
open     no end                                 tls      what is sent looks like TLS
"""

import ipaddress
import struct
import sys

SERVER4, SERVER6 = "192.0.2.1", "2001:db8::1"
FIN, SYN, RST, PSH, ACK = 1, 2, 4, 8, 16
LINKS = {"ethernet": 1, "vlan": 1, "cooked": 113, "cooked2": 276, "raw": 101, "loopback": 0}
START = 1795000000  # seconds since 1970


class Capture:
    def __init__(self, options):
        self.link, self.options, self.packets = options["link"], options, []

    def header(self, v6):
        kind = 0x86DD if v6 else 0x0800
        macs = bytes.fromhex("020000000001020000000002")
        return {
            "ethernet": macs + struct.pack(">H", kind),
            "vlan": macs + struct.pack(">HHHHH", 0x88A8, 7, 0x8100, 9, kind),
            "cooked": struct.pack(">HHH8sH", 0, 1, 6, macs[:6], kind),
            "cooked2": struct.pack(">HHIHBB8s", kind, 0, 2, 1, 0, 6, macs[:6]),
            "raw": b"",
            "loopback": struct.pack("<I", 30 if v6 else 2),
        }[self.link]

    def add(self, when, source, sport, dest, dport, seq, ack, flags, data=b""):
        tcp = struct.pack(">HHIIBBHHH", sport, dport, seq % 2**32, ack % 2**32, 6 << 4, flags, 8192, 0, 0)
        tcp += b"\1\1\1\0" + data
        source, dest = ipaddress.ip_address(source), ipaddress.ip_address(dest)
        if source.version == 6:
            # A destination option of padding before TCP.
            ip = struct.pack(">IHBB", 6 << 28, len(tcp) + 8, 60, 64) + source.packed + dest.packed
            ip += struct.pack(">BBBB4x", 6, 0, 1, 4)
        else:
            ip = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(tcp), 0, 0x4000, 64, 6, 0)
            ip += source.packed + dest.packed
        frame = self.header(source.version == 6) + ip + tcp
        if self.link == "ethernet" and len(frame) < 60:
            frame += b"\xee" * (60 - len(frame))  # padding of the link
        self.packets.append((when, frame))

    def classic(self, out):
        end = ">" if self.options["swapped"] else "<"
        nano = not self.options["micro"]
        out.write(struct.pack(end + "IHHiIII", 0xA1B23C4D if nano else 0xA1B2C3D4, 2, 4, 0, 0, 65535, LINKS[self.link]))
        for when, frame in self.packets:
            part = int(when % 1 * (10**9 if nano else 10**6))
            out.write(struct.pack(end + "IIII", START + int(when), part, len(frame), len(frame)) + frame)

    def ng(self, out):
        def block(kind, body):
            body += b"\0" * (-len(body) % 4)
            out.write(struct.pack("<II", kind, len(body) + 12) + body + struct.pack("<I", len(body) + 12))

        block(0x0A0D0D0A, struct.pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))
        # Of nanoseconds.
        block(1, struct.pack("<HHI", LINKS[self.link], 0, 65535) + struct.pack("<HHB3xHH", 9, 1, 9, 0, 0))
        for when, frame in self.packets:
            t = int((START + when) * 10**9)
            block(6, struct.pack("<IIIII", 0, t >> 32, t % 2**32, len(frame), len(frame)) + frame)


class Connection:
    def __init__(self, capture, when, address, port, ways):
        self.capture, self.when, self.address, self.sport, self.ways = capture, when, address, port, ways
        self.server = SERVER6 if ":" in address else SERVER4
        self.seq, self.ack = 2**32 - 100, 77_000_000  # it wraps on its way

    def put(self, flags, data=b"", seq=None):
        self.when += 0.0001
        seq = self.seq if seq is None else seq
        self.capture.add(self.when, self.address, self.sport, self.server, self.capture.options["port"], seq,
                         self.ack if flags & ACK else 0, flags, data)

    def answer(self, flags, data=b""):
        self.when += 0.0001
        self.capture.add(self.when, self.server, self.capture.options["port"], self.address, self.sport, self.ack,
                         self.seq, flags, data)
        self.ack += len(data) + bool(flags & (SYN | FIN))

    def begin(self):
        silent = {"blind", "guess"} & self.ways
        if "headless" not in self.ways:
            self.put(SYN)
            self.seq += 1
            if not silent:
                self.answer(SYN | ACK)
                self.put(ACK)
        if "guess" in self.ways:
            self.answer(SYN | ACK)
            self.ack += 4711
            self.put(ACK)
        if "again" in self.ways:
            self.put(SYN, seq=self.seq + 5000)
        if "reset" in self.ways:
            self.put(RST, seq=self.seq + 5000)

    def send(self, data):
        size = 7 if "small" in self.ways else 1000 if len(data) > 1000 else max(len(data) // 3, 1)
        parts = [(self.seq + at, data[at:at + size]) for at in range(0, len(data), size)]
        if "gap" in self.ways:
            del parts[1]
        if "backward" in self.ways:
            parts.reverse()
        for seq, part in parts:
            self.put(ACK | PSH, part, seq)
            if "twice" in self.ways:
                self.put(ACK | PSH, b"#" * len(part), seq)
        self.seq += len(data)
        if not {"blind", "guess"} & self.ways:
            self.answer(ACK | PSH, b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    def end(self):
        if "open" not in self.ways:
            self.put(FIN | ACK)
            self.seq += 1
            self.answer(FIN | ACK)


def request(name):
    if name.startswith("+"):
        with open(name[1:], "rb") as f:
            return f.read()
    with open(name, "rb") as f:
        body = f.read()
    return b"POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(body) + body


def main():
    options = {"link": "ethernet", "port": 8080, "ng": False, "swapped": False, "micro": False}
    args = sys.argv[2:]
    while args:
        name = args.pop(0)[2:]
        if name in ("link", "port"):
            value = args.pop(0)
            options[name] = int(value) if name == "port" else value
        else:
            options[name] = True
    capture = Capture(options)
    for line in sys.stdin:
        when, address, port, ways, *files = line.split()
        c = Connection(capture, float(when), address, int(port), set(ways.split(",")))
        c.begin()
        for f in files:
            c.send(b"\x16\x03\x01" + request(f) if "tls" in c.ways else request(f))
        c.end()
    capture.packets.sort(key=lambda p: p[0])
    with open(sys.argv[1], "wb") as out:
        (capture.ng if options["ng"] else capture.classic)(out)


main()
