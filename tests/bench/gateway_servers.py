# SPDX-License-Identifier: GPL-2.0
"""Servers that `scripts/bench gateway` sends messages to: ours, and its peers."""

import os
import re
import signal
import socket
import subprocess
import time

START_S = 180  # a JVM on a busy machine
ANSWER_S = 600  # where instructions are counted, time leaps while a file is read


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        below = [int(child) for child in file.read().split()]
    return below + [deeper for child in below for deeper in children(child)]


class Server:
    """A program that says `listening on ADDR:PORT`; used as a context."""

    path = "/orders"
    warm = 0  # requests until it is as fast as it gets

    def __init__(self, directory, command):
        self.command = command
        self.log = os.path.join(directory, re.sub(r"\W", "-", type(self).__name__) + ".log")
        self.process = None
        self.port = 0

    def __enter__(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        try:
            self.port = self.wait_for_port()
        except BaseException:
            self.__exit__()
            raise
        return self

    def wait_for_port(self):
        until = time.monotonic() + START_S
        while time.monotonic() < until and self.process.poll() is None:
            with open(self.log, encoding="utf-8") as log:
                found = re.search(r"^listening on \S+:(\d+)$", log.read(), re.M)
            if found:
                return int(found.group(1))
            time.sleep(0.02)
        with open(self.log, encoding="utf-8") as log:
            raise RuntimeError(f"{' '.join(self.command)} does not start:\n{log.read()}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def processes(self):
        return [self.process.pid] + children(self.process.pid)

    def cpu_ns(self):
        """CPU time of all threads so far, those of the kernel's work for them included."""
        total = 0
        for pid in self.processes():
            for task in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{task}/schedstat", encoding="ascii") as file:
                    total += int(file.read().split()[0])
        return total

    def rss_kib(self):
        """Proportional set size: what processes share is counted once."""
        total = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
                total += int(re.search(r"^Pss:\s+(\d+)", file.read(), re.M).group(1))
        return total


class Orders(Server):
    """The sample service that stands behind gateways; its own time is not theirs."""

    def __init__(self, directory):
        super().__init__(directory, ["build/bin/fmp-orders", "--listen", "127.0.0.1:0"])


def policy(maker, case, workers):
    """What ours are to demand of messages."""
    return maker.write(
        f"policy-{case}.xml",
        f'<policy xmlns="urn:fmp:policy:1" name="bench"><gateway security="{case}" user="nobody" workers="{workers}" '
        f'schema="{os.path.abspath("tests/interop/vectors/orders.xsd")}" trust="{maker.path("ca.crt")}" '
        f'key="{maker.path("server.key")}"><http requests="1000000"/>'
        '<limits body="8MiB" text="8MiB" elements="1000000"/></gateway></policy>',
    )


class Gateway(Server):
    """A proxy before the sample service."""

    def __init__(self, maker, case, backend, workers=2):
        super().__init__(maker.dir, [
            "build/bin/fmp-gateway", "--policy", policy(maker, case, workers), "--listen", "127.0.0.1:0",
            "--backend", f"http://127.0.0.1:{backend}/orders",
        ])  # fmt: skip


class InProcess(Server):
    """The sample service with fmp in it, and nothing before it."""

    def __init__(self, maker, case):
        super().__init__(maker.dir, [
            "build/bin/fmp-orders", "--threads", "1", "--listen", "127.0.0.1:0", "--in-process", policy(maker, case, 1),
        ])  # fmt: skip


class Echo(Server):
    """gSOAP's HTTP, and nothing of the message."""

    def __init__(self, maker):
        super().__init__(maker.dir, ["build/tests/bench/gsoap_peer", "echo", "127.0.0.1:0"])


class Wsse(Server):
    """The sample service with gSOAP's WSSE plugin."""

    def __init__(self, maker):
        super().__init__(maker.dir, ["build/tests/bench/gsoap_peer", "wsse", "127.0.0.1:0", maker.path("ca.crt")])


class ChosenPort(Server):
    """A program that is told its port: it listens once it lets one connect."""

    def __init__(self, directory):
        super().__init__(directory, [])
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.chosen = free.getsockname()[1]

    def wait_for_port(self):
        until = time.monotonic() + START_S
        while time.monotonic() < until and self.process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.chosen), 1).close()
                return self.chosen
            except ConnectionRefusedError:
                time.sleep(0.02)
        with open(self.log, encoding="utf-8") as log:
            raise RuntimeError(f"{self.command[0]} does not start:\n{log.read()}")


def filled(template, **values):
    """A file of peers/, with what @NAME@ stands for."""
    with open(f"tests/bench/peers/{template}", encoding="utf-8") as file:
        text = file.read()
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    return text


class ModSecurity(ChosenPort):
    """Apache with ModSecurity and its validateSchema, a proxy before the sample service."""

    def __init__(self, maker, backend):
        super().__init__(maker.dir)
        schema = os.path.abspath("tests/bench/peers/envelope.xsd")
        text = filled("modsecurity.conf", PORT=self.chosen, DIR=maker.dir, BACKEND=backend, SCHEMA=schema)
        self.command = ["apache2", "-DFOREGROUND", "-f", maker.write("apache.conf", text)]


class Cxf(Server):
    """Apache CXF with WSS4J; a JVM that has been warmed up."""

    warm = 1500

    def __init__(self, maker, libraries, case):
        super().__init__(maker.dir, [
            "java", "-Xmx256m", "-cp", f"{libraries}/*", "tests/bench/peers/CxfPeer.java", case,
            os.path.abspath("tests/interop/vectors/orders.xsd"), maker.path("ca.crt"),
        ])  # fmt: skip


class Client:
    """One kept-alive connection; every answer must be 200."""

    def __init__(self, server):
        self.server = server
        self.socket = socket.create_connection(("127.0.0.1", server.port), ANSWER_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def close(self):
        self.socket.close()

    def send(self, body):
        head = (
            f"POST {self.server.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.port}\r\n"
            f'Content-Type: text/xml; charset=utf-8\r\nSOAPAction: ""\r\nContent-Length: {len(body)}\r\n\r\n'
        )
        self.socket.sendall(head.encode() + body)
        got = b""
        while b"\r\n\r\n" not in got:
            got += self.receive()
        fields, got = got.split(b"\r\n\r\n", 1)
        if not fields.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"{type(self.server).__name__} answered:\n{fields.decode()}\n{got.decode()[:2000]}")
        length = re.search(rb"\r\ncontent-length: *(\d+)", fields, re.I)
        while len(got) < int(length.group(1)) if length else not got.endswith(b"\r\n0\r\n\r\n"):
            got += self.receive()

    def receive(self):
        some = self.socket.recv(1 << 20)
        if not some:
            with open(self.server.log, encoding="utf-8", errors="replace") as log:
                raise RuntimeError(f"{type(self.server).__name__} closed the connection:\n{log.read()[-2000:]}")
        return some


def terminate_on_signal():
    """So that contexts end what they started."""

    def end(number, _):
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, end)
