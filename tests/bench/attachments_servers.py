# SPDX-License-Identifier: GPL-2.0
"""What `scripts/bench attachments` sends messages to, and by what."""

import os
import re
import shutil
import signal
import subprocess

from gateway_servers import ChosenPort, Server, children, filled

PACED = "build/tests/bench/paced"
NGINX = "build/vm/peers/usr/sbin/nginx"
TIMEOUT_S = 1800


class Sink(Server):
    """The service behind the proxies."""

    def __init__(self, directory):
        super().__init__(directory, [PACED, "serve", "127.0.0.1:0"])


class Gateway(Server):
    """Ours: the root is validated by the schema, the attachment checked as it passes."""

    def __init__(self, directory, backend):
        policy = os.path.join(directory, "attachments.xml")
        with open(policy, "w", encoding="utf-8") as file:
            file.write(
                '<policy xmlns="urn:fmp:policy:1" name="bench"><gateway security="BcV" user="nobody" workers="1" '
                f'schema="{os.path.abspath("tests/bench/peers/files.xsd")}"><http requests="1000000"/>'
                '<attachments bytes="16MiB"/></gateway></policy>'
            )
        super().__init__(directory, [
            "build/bin/fmp-gateway", "--policy", policy, "--listen", "127.0.0.1:0",
            "--backend", f"http://127.0.0.1:{backend}/orders",
        ])  # fmt: skip

    def peak_kib(self):
        """The most that its processes ever had, together."""
        total = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/status", encoding="ascii") as file:
                total += int(re.search(r"^VmHWM:\s+(\d+)", file.read(), re.M).group(1))
        return total


class Nginx(ChosenPort):
    """proxy_pass, and nothing of the message; with buffering, each request is written to a file first."""

    def __init__(self, directory, backend, buffering="off"):
        super().__init__(directory)
        path = os.path.join(directory, f"nginx-{buffering}.conf")
        with open(path, "w", encoding="utf-8") as file:
            file.write(filled("nginx.conf", PORT=self.chosen, DIR=directory, BACKEND=backend, BUFFERING=buffering))
        self.command = [NGINX, "-p", directory, "-c", path, "-e", os.path.join(directory, "nginx-error.log")]

    @staticmethod
    def is_installed():
        return os.path.exists(NGINX)


class CxfFiles(Server):
    """Apache CXF, which takes the file by MTOM and validates; a JVM that has been warmed up."""

    warm = 600

    def __init__(self, directory, libraries):
        super().__init__(directory, ["java", "-Xmx512m", "-cp", f"{libraries}/*", "tests/bench/peers/CxfFilesPeer.java"])


def load(server, request, requests, connections=1, rate=0):
    """Send so many. Return: requests a second, median and 99th percentile in us."""
    command = [PACED, "load", f"127.0.0.1:{server.port}", str(connections), str(requests), f"{rate:.2f}", request]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    found = re.match(r"rate (\S+) median (\S+) p99 (\S+)", done.stdout)
    if done.returncode or not found:
        raise RuntimeError(f"{type(server).__name__}: {done.stderr}")
    return [float(value) for value in found.groups()]


def cpu_us(server, request, requests):
    """CPU microseconds of one request."""
    load(server, request, max(10, requests // 10))
    before = server.cpu_ns()
    load(server, request, requests)
    return (server.cpu_ns() - before) / requests / 1000


def system_calls(server, request, requests):
    """Of one request; None without strace."""
    if not shutil.which("strace"):
        return None
    found = os.path.join(os.path.dirname(server.log), "system-calls")
    pids = [server.process.pid] + children(server.process.pid)
    load(server, request, 10)
    command = ["strace", "-f", "-c", "-U", "name,calls", "-o", found]
    with subprocess.Popen(command + [f"-p{pid}" for pid in pids], stderr=subprocess.PIPE, text=True) as tracer:
        for _ in pids:
            tracer.stderr.readline()
        load(server, request, requests)
        tracer.send_signal(signal.SIGINT)
        tracer.communicate()
    with open(found, encoding="utf-8") as file:
        total = re.search(r"^total +(\d+)|^ *(\d+) +total|^total.*?(\d+)", file.read(), re.M)
    return int(next(group for group in total.groups() if group)) / requests
