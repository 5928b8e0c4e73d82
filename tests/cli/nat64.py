# SPDX-License-Identifier: GPL-2.0
"""What a network with a NAT64 translator says of it.

nat64.py ra DEVICE LIFETIME [PREFIX LENGTH SECONDS]...: a router advertisement (RFC 4861) of a router for LIFETIME
seconds, with PREF64 options (RFC 8781).
nat64.py dns ADDRESS FILE: a name server at ADDRESS, which answers for the AAAA records of ipv4only.arpa with those
that stand in FILE, "TTL ADDRESS" a line, at the time of each question; other questions with an error.
"""
import ipaddress
import socket
import struct
import sys

LENGTH_CODES = {96: 0, 64: 1, 56: 2, 48: 3, 40: 4, 32: 5}


def pref64(prefix, length, seconds):
    scaled = int(seconds) // 8 << 3 | LENGTH_CODES[int(length)]
    return struct.pack("!BBH", 38, 2, scaled) + ipaddress.IPv6Address(prefix).packed[:12]


def advertise(device, lifetime, words):
    message = struct.pack("!BBHBBHII", 134, 0, 0, 64, 0, int(lifetime), 0, 0)
    for i in range(0, len(words), 3):
        message += pref64(*words[i:i + 3])
    s = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
    s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
    s.sendto(message, ("ff02::1", 0, 0, socket.if_nametoindex(device)))


def answer(question, records):
    end = 12
    while question[end]:
        end += 1 + question[end]
    end += 5
    name, kind = question[12:end - 4], question[end - 4:end - 2]
    if name.lower() != b"\x08ipv4only\x04arpa\x00" or kind != b"\x00\x1c":
        return question[:2] + b"\x81\x85\x00\x01\x00\x00\x00\x00\x00\x00" + question[12:end]
    head = question[:2] + struct.pack("!HHHHH", 0x8180, 1, len(records), 0, 0)
    body = b"".join(b"\xc0\x0c\x00\x1c\x00\x01" + struct.pack("!IH", int(ttl), 16) +
                    ipaddress.IPv6Address(address).packed for ttl, address in records)
    return head + question[12:end] + body


def serve(address, file):
    s = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    s.bind((address, 53))
    print("ready", flush=True)
    while True:
        question, peer = s.recvfrom(512)
        with open(file, encoding="ascii") as f:
            records = [line.split() for line in f if line.strip()]
        s.sendto(answer(question, records), peer)
        print("asked", flush=True)


if sys.argv[1] == "ra":
    advertise(sys.argv[2], sys.argv[3], sys.argv[4:])
else:
    serve(*sys.argv[2:4])
