# SPDX-License-Identifier: GPL-2.0
"""CPU time of a request over kept-alive HTTP: the gateway's, and its peers'.

All of it, clients too, is on one processor, as in a handheld: no figure then holds what it costs to
wake another. With all processors only what people ask about first is measured once more.
"""

import os
import shutil
import statistics
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import gateway_servers as servers
from gateway_inspect import clock_once, inspection, limit

SECURE = ("BcS", "BcES")
IN_PROCESS = "fmp in process"

# metric -> what a microsecond is of it, digits, its floors: of two echoes and an inspection, of an
# echo and the limit. Where instructions are counted each takes a nanosecond.
FLOORS = {
    "http_cpu_us": (1, 1, ("http_limit_us", "http_raw_us")),
    "spread_cpu_us": (1, 1, ()),
    "http_instructions": (1000, None, ("http_limit_instructions", "http_raw_instructions")),
}


class Plan:
    """How often: in turns, so that what else the machine does meets all alike."""

    def __init__(self, turns):
        self.turns = turns
        self.requests = {1: 300, 10: 150, 100: 40, 1000: 10}
        self.warm = 20


def messages_of(maker, case, size, key, count):
    """So many; those with a signature all differ, or they would be replays."""
    if case == "BcS":
        return [text.encode() for text in maker.signed_texts(size, key, count)]
    if case == "BcES":
        return [text.encode() for text in maker.both_texts(size, key, count)]
    path = maker.encrypted(size) if case == "BcE" else maker.plain(size)
    with open(path, "rb") as file:
        return [file.read()] * count


def cost(server, warm, messages):
    """CPU microseconds of one request."""
    client = servers.Client(server)
    for message in warm:
        client.send(message)
    before = server.cpu_ns()
    for message in messages:
        client.send(message)
    used = server.cpu_ns() - before
    client.close()
    return used / len(messages) / 1000


def turns(plan, maker, orders, case, key, made, peers):
    """What each costs, turn by turn; ours are started anew each time, with nothing remembered.
    Under None what an inspection costs in process, and what its limit does."""
    warm, messages = made[: plan.warm], made[plan.warm :]
    one = maker.write("inspected.xml", made[0].decode())
    seen = {}
    for _ in range(plan.turns):
        with servers.Gateway(maker, case, orders.port) as ours:
            seen.setdefault(case, []).append(cost(ours, warm, messages))
        # A service that trusts its peers, Os, has no fmp in it.
        if case != "Os":
            with servers.InProcess(maker, case) as ours:
                seen.setdefault(IN_PROCESS, []).append(cost(ours, warm, messages))
        for name, peer in peers.items():
            seen.setdefault(name, []).append(cost(peer, warm, messages))
        floors = (inspection(maker, case, len(messages), one), limit(maker, case, key if case in SECURE else "rsa2048", len(messages), one))
        seen.setdefault(None, []).append([clock_once(*floor) for floor in floors])
    return seen


def resident(maker, orders, workers=8, bursts=2):
    """KiB of the gateway with so many workers, after all of them have had work, and after each time more."""
    made = messages_of(maker, "BcS", 1, "rsa2048", 60 * workers * bursts)

    def send(some):
        client = servers.Client(ours)
        for message in some:
            client.send(message)
        client.close()

    seen = []
    with servers.Gateway(maker, "BcS", orders.port, workers) as ours, ThreadPoolExecutor(workers) as threads:
        for burst in range(bursts):
            some = made[burst::bursts]
            for done in [threads.submit(send, some[n::workers]) for n in range(workers)]:
                done.result()
            seen.append(ours.rss_kib())
    return seen


class Http:
    """All rows over HTTP. Peers that are not installed are said, not measured."""

    def __init__(self, maker, turns, sizes, keys):
        self.maker, self.plan, self.sizes, self.keys = maker, Plan(turns), sizes, keys
        self.missing = set()
        # Servers give up their rights and read here.
        os.chmod(maker.dir, 0o755)

    def peers(self, stack, orders, jvm=True):
        """name -> (the only case that it knows, server)"""
        java = None
        if jvm and os.path.exists("build/java"):
            with open("build/java", encoding="utf-8") as file:
                java = file.read().strip()
        make = {
            "gSOAP echo": (None, lambda: servers.Echo(self.maker)),
            "gSOAP WSSE": ("BcS", lambda: servers.Wsse(self.maker)),
            "ModSecurity": ("BcV", lambda: servers.ModSecurity(self.maker, orders.port)),
            "CXF": ("BcV", lambda: servers.Cxf(self.maker, java, "BcV")),
            "CXF WSS4J": ("BcS", lambda: servers.Cxf(self.maker, java, "BcS")),
        }
        found = {}
        for name, (case, start) in make.items():
            if (name.startswith("CXF") and not java) or (name == "ModSecurity" and not shutil.which("apache2")):
                self.missing.add(name)
                continue
            found[name] = (case, stack.enter_context(start()))
        return found

    def rows(self):
        everywhere = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {min(everywhere)})
        try:
            with ExitStack() as stack:
                orders = stack.enter_context(servers.Orders(self.maker.dir))
                peers = self.peers(stack, orders)
                for size in self.sizes:
                    for case in ("Os", "Bc", "BcV", "BcS", "BcE", "BcES"):
                        for key in self.keys if case in SECURE else ("rsa2048" if case == "BcE" else "none",):
                            yield from self.cell(orders, peers, case, size, key, "http_cpu_us")
        finally:
            os.sched_setaffinity(0, everywhere)
        with ExitStack() as stack:
            orders = stack.enter_context(servers.Orders(self.maker.dir))
            if len(everywhere) > 1:
                peers = self.peers(stack, orders)
                for case, key in (("BcV", "none"), ("BcS", "rsa2048")):
                    yield from self.cell(orders, peers, case, 1, key, "spread_cpu_us")
            for metric, kib in zip(("rss_mb", "rss_later_mb"), resident(self.maker, orders)):
                yield {"case": "BcS", "size_kb": 1, "key": "rsa2048", "metric": metric, "value": round(kib / 1024, 2)}

    def counted_rows(self):
        """In a machine whose nanoseconds are instructions; without a JVM, which takes too many of them to be warm."""
        with ExitStack() as stack:
            orders = stack.enter_context(servers.Orders(self.maker.dir))
            peers = self.peers(stack, orders, jvm=False)
            for case, key in (("Bc", "none"), ("BcV", "none"), ("BcS", "rsa2048")):
                yield from self.cell(orders, peers, case, 1, key, "http_instructions")

    def cell(self, orders, peers, case, size, key, metric):
        made = messages_of(self.maker, case, size, key, self.plan.warm + self.plan.requests[size])
        # gSOAP knows no ECDSA as XML signatures have it.
        able = {
            name: server
            for name, (only, server) in peers.items()
            if (only is None or (only == case and size <= 100)) and not (key == "p256" and name == "gSOAP WSSE")
        }
        # A peer that has to be warmed up is, once.
        for server in able.values():
            while server.warm > 0:
                cost(server, made, made[:1])
                server.warm -= len(made)
        seen = turns(self.plan, self.maker, orders, case, key, made, able)
        alone = seen.pop(None)
        scale, digits, floors = FLOORS[metric]
        echoes = seen["gSOAP echo"]
        below = zip(floors, (
            (2 * echo + ours for echo, (ours, _) in zip(echoes, alone)),
            (echo + raw for echo, (_, raw) in zip(echoes, alone)),
        ))  # fmt: skip

        def row(name, metric, values, **more):
            value = round(statistics.median(values) * scale, digits)
            return {"case": name, "size_kb": size, "key": key, "metric": metric, **more, "value": value}

        for name, values in seen.items():
            yield row(name, metric, values, of=case)
        for name, values in below:
            yield row(case, name, values)
