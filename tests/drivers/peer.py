#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The other end of a board's wire: hosts 10.9.0.2 to .9, and frames to order.

Usage: peer.py OWN-SOCKET BOARD-SOCKET

Speaks Ethernet frames over datagram sockets, as qemu's -nic dgram does. Answers ARP and echo
requests for its addresses; host N has the MAC address 02:66:6d:70:00:0N.

A datagram "burst COUNT SIZE HOST [GROUP]" to port 9000 makes it send COUNT UDP frames of SIZE
bytes, without checksum of the frame, from host HOST to the discard port of the sender, GROUP (1)
at a time so that no receiver's memory overflows, and then answer "sent".
"""
import os
import socket
import struct
import sys
import time

PAUSE = float(os.environ.get("FMP_PEER_PAUSE", "0.004"))


def mac_of(host):
    return bytes([0x02, 0x66, 0x6D, 0x70, 0x00, host])


def ip_of(host):
    return bytes([10, 9, 0, host])


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(host, to, proto, payload):
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), 0, 0, 64, proto, 0, ip_of(host), to)
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + payload


def udp(host, to, sport, dport, payload):
    return ipv4(host, to, 17, struct.pack("!HHHH", sport, dport, 8 + len(payload), 0) + payload)


class Peer:
    def __init__(self, own, board):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.sock.bind(own)
        self.board = board

    def send(self, host, to, proto, payload):
        frame = to + mac_of(host) + struct.pack("!H", proto) + payload
        self.sock.sendto(frame.ljust(60, b"\0"), self.board)

    def arp(self, frame):
        oper, sha, spa, tpa = struct.unpack("!6xH6s4s6x4s", frame[14:42])
        if oper == 1 and tpa[:3] == ip_of(0)[:3] and 2 <= tpa[3] <= 9:
            host = tpa[3]
            self.send(host, sha, 0x0806, struct.pack("!HHBBH6s4s6s4s", 1, 0x0800, 6, 4, 2, mac_of(host), tpa, sha, spa))

    def burst(self, frame, order):
        count, size, host, group = (int(word) for word in (order.split() + ["1"])[1:5])
        for number in range(count):
            payload = struct.pack("!I", number).ljust(size - 42, b"x")
            self.send(host, frame[6:12], 0x0800, udp(host, frame[26:30], 9, 9, payload))
            if number % group == group - 1:
                time.sleep(PAUSE)

    def ip(self, frame):
        header = (frame[14] & 15) * 4
        total = struct.unpack("!H", frame[16:18])[0]
        body = frame[14 + header : 14 + total]
        host = frame[33]
        if frame[23] == 1 and body[:1] == b"\x08":
            reply = b"\0\0\0\0" + body[4:]
            reply = reply[:2] + struct.pack("!H", checksum(reply)) + reply[4:]
            self.send(host, frame[6:12], 0x0800, ipv4(host, frame[26:30], 1, reply))
        elif frame[23] == 17 and body[2:4] == struct.pack("!H", 9000):
            order = body[8:].decode(errors="replace")
            if order.startswith("burst "):
                self.burst(frame, order)
            sport = struct.unpack("!H", body[:2])[0]
            self.send(host, frame[6:12], 0x0800, udp(host, frame[26:30], 9000, sport, b"sent\n"))

    def run(self):
        while True:
            frame = self.sock.recv(4096)
            proto = frame[12:14]
            if proto == b"\x08\x06":
                self.arp(frame)
            elif proto == b"\x08\x00":
                self.ip(frame)


if __name__ == "__main__":
    Peer(sys.argv[1], sys.argv[2]).run()
