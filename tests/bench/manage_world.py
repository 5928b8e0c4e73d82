# SPDX-License-Identifier: GPL-2.0
"""Two network namespaces for `scripts/bench manage`: a handheld, and all its attackers.

Needs root. The attackers' namespace holds 198.18.0.0/16 as addresses of its own, so that a
message can come from any of them.
"""

import ctypes
import os
import socket
import subprocess
import time

HANDHELD = "198.19.0.1"
PORT = 8080
PROBE_PORT = 9999
CLONE_NEWNET = 0x40000000
IP_FREEBIND = 15
# One that is not there at once may be under way on another processor.
MISSES = 5
MISS_S = 0.002

libc = ctypes.CDLL(None, use_errno=True)


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def address(number):
    """The attacker of a number, 1 to 65535 of the first round; the second comes after."""
    return f"198.18.{number >> 8 & 255}.{number & 255}"


class Inside:
    """Sockets that are made in here are of the namespace."""

    def __init__(self, namespace):
        self.path = f"/run/netns/{namespace}"
        self.home = None

    def __enter__(self):
        self.home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        self.enter(self.path)

    def enter(self, where):
        fd = os.open(where, os.O_RDONLY) if isinstance(where, str) else where
        if libc.setns(fd, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"can't enter {where}")
        os.close(fd)

    def __exit__(self, *_):
        self.enter(self.home)


class World:
    def __init__(self):
        self.handheld = f"fmp-bench-h{os.getpid()}"
        self.attackers = f"fmp-bench-a{os.getpid()}"

    def __enter__(self):
        for namespace in (self.handheld, self.attackers):
            run("ip", "netns", "add", namespace)
            run("ip", "-n", namespace, "link", "set", "lo", "up")
        run("ip", "-n", self.handheld, "link", "add", "wlan0", "type", "veth", "peer", "name", "wlan0",
            "netns", self.attackers)  # fmt: skip
        for namespace, host in ((self.handheld, HANDHELD), (self.attackers, "198.19.0.2")):
            run("ip", "-n", namespace, "addr", "add", f"{host}/15", "dev", "wlan0")
            run("ip", "netns", "exec", namespace, "sysctl", "-qw", "net.ipv6.conf.wlan0.disable_ipv6=1")
            run("ip", "-n", namespace, "link", "set", "wlan0", "up")
        run("ip", "-n", self.attackers, "route", "add", "local", "198.18.0.0/16", "dev", "lo")
        return self

    def __exit__(self, *_):
        for namespace in (self.handheld, self.attackers):
            subprocess.run(["ip", "netns", "del", namespace], check=False)

    def command(self, *command):
        """For a program of the handheld's."""
        return ["ip", "netns", "exec", self.handheld, *command]

    def elements(self, *where):
        """Addresses in sets of nftables; where: family, table and set, or the first two."""
        kind = "set" if len(where) == 3 else "table"
        listed = subprocess.run(self.command("nft", "list", kind, *where), capture_output=True, text=True, check=False)
        return listed.stdout.count("198.18.") if not listed.returncode else 0


class Probe:
    """Frames of one attacker, until the first that does not arrive."""

    def __init__(self, world):
        self.world = world
        self.kept = None
        with Inside(world.handheld):
            self.receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.receiver.bind((HANDHELD, PROBE_PORT))
            self.receiver.setblocking(False)

    def sender(self, source, kind):
        with Inside(self.world.attackers):
            made = socket.socket(socket.AF_INET, kind)
        made.setsockopt(socket.IPPROTO_IP, IP_FREEBIND, 1)
        made.bind((source, 0))
        return made

    def arrived(self, wait_s=0.0):
        until = time.monotonic() + wait_s
        while True:
            try:
                self.receiver.recv(64)
                return True
            except BlockingIOError:
                if time.monotonic() >= until:
                    return False

    def keep(self, connection):
        """Not closed until the next one: that would be a frame more."""
        self.kept = connection

    def drain(self):
        while self.arrived():
            pass

    def until_dropped(self, frames, limit_s):
        """When the first frame was sent that did not arrive, in ns; None if none was lost."""
        until = time.monotonic_ns() + int(limit_s * 1e9)
        while True:
            sent = time.monotonic_ns()
            if sent > until:
                return None
            frames.sendto(b"x", (HANDHELD, PROBE_PORT))
            if self.arrived() or self.arrived(MISS_S):
                # An attacker is another machine: it takes no processor away from this one.
                # After half a second a millisecond more or less is nothing.
                time.sleep(0.001 if sent - until + limit_s * 1e9 > 5e8 else 0.00002)
                continue
            for _ in range(MISSES):
                frames.sendto(b"x", (HANDHELD, PROBE_PORT))
                if self.arrived(MISS_S):
                    break
            else:
                return sent

    def message(self, source, body):
        """A POST from an attacker, its answer not read yet."""
        connection = self.sender(source, socket.SOCK_STREAM)
        connection.settimeout(10)
        connection.connect((HANDHELD, PORT))
        connection.sendall(
            b"POST / HTTP/1.1\r\nHost: handheld\r\nContent-Type: text/xml\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body) + body
        )
        return connection
