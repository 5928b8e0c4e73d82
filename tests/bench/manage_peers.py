# SPDX-License-Identifier: GPL-2.0
"""What blocks in `scripts/bench manage`: fmp, and those that read logs.

Each has: name; start() and stop(); bad(probe, source): as many bad messages of a source as
get it blocked, returns when the last one was there, in ns; block(addresses): many at once;
blocked(): how many are in force; rss_kib(). What is configured is what their packages come
with, but for the log to read, the four messages that are too many, and CrowdSec's use_wal.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time

from manage_world import HANDHELD, PORT

TOO_MANY = 4
PEERS = os.path.abspath("build/vm/peers")
DTD = b'<!DOCTYPE a [<!ENTITY b "c">]><a/>'


def wait_until(what, condition, limit_s, every_s=0.02):
    until = time.monotonic() + limit_s
    look = time.monotonic()
    while not condition():
        if time.monotonic() > until:
            raise TimeoutError(f"{what}: not within {limit_s:.0f} s")
        # A look that takes long must not take the processor from what is waited for.
        time.sleep(max(every_s, time.monotonic() - look))
        look = time.monotonic()


def below(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            children = [int(child) for child in file.read().split()]
    except OSError:
        return []
    return children + [deeper for child in children for deeper in below(child)]


class Blocker:
    """Programs in the handheld's namespace, with a directory of their own."""

    limit_s = 5.0  # for a block to come
    start_s = 60  # for its programs to start, or end, or do as they are told
    until = None  # when all that must be over instead, of what is timed

    def __init__(self, world, directory):
        self.world = world
        self.dir = os.path.join(directory, self.name)
        os.makedirs(self.dir, exist_ok=True)
        self.running = []

    def wait_until(self, what, condition):
        wait_until(what, lambda: self.all_run() and condition(), self.left_s())

    def left_s(self):
        return self.start_s if self.until is None else max(self.until - time.monotonic(), 0)

    def all_run(self):
        for process in self.running:
            if process.poll() is not None:
                with open(process.said, encoding="utf-8", errors="replace") as file:
                    raise RuntimeError(f"{process.said}: ended with {process.returncode}:\n{file.read()[-2000:]}")
        return True

    def path(self, name):
        return os.path.join(self.dir, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def spawn(self, name, *command):
        with open(self.path(name + ".out"), "a", encoding="utf-8") as out:
            process = subprocess.Popen(self.world.command(*command), stdin=subprocess.DEVNULL, stdout=out, stderr=out)
        process.said = out.name
        self.running.append(process)
        return process

    def call(self, *command):
        try:
            done = subprocess.run(self.world.command(*command), capture_output=True, text=True, check=False, timeout=self.left_s())
        except subprocess.TimeoutExpired as late:
            raise TimeoutError(str(late)) from late
        if done.returncode:
            raise RuntimeError(f"{' '.join(command[:6])}: {done.stdout}{done.stderr}")
        return done.stdout

    def stop(self):
        for process in self.running:
            process.send_signal(signal.SIGTERM)
        for process in self.running:
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running = []

    def forget(self):
        """What it knows of blocks, before another measurement."""

    # Does it say itself that so many blocks are in force?
    tells = False

    def done(self, _entries):
        return False

    def processes(self):
        return [pid for process in self.running for pid in [process.pid] + below(process.pid)]

    def rss_kib(self):
        total = 0
        for pid in self.processes():
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                found = re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M)
                total += int(found.group(1)) if found else 0
        return total


class Fmp(Blocker):
    name = "fmp"

    def __init__(self, world, directory, enforce="ip,mac"):
        super().__init__(world, directory)
        self.enforce = enforce
        # All attackers of this world have one MAC address.
        self.policy = self.write("policy.xml", f"""<policy xmlns="urn:fmp:policy:1" name="bench">
  <suspicion suspicious="50" malicious="100" max-sources="131072"><event kind="dtd" rank="{100 // TOO_MANY + 1}"/></suspicion>
  <block duration="1h" mac="no"/>
  <gateway security="Bc" workers="1" user="nobody"/>
  <enforce max-blocks="80000"/>
</policy>
""")  # fmt: skip

    def ctl(self, *command):
        return subprocess.run(
            ["build/bin/fmpctl", "--control", self.path("control"), *command], capture_output=True, text=True, check=False
        )

    def start(self):
        self.spawn("orders", "build/bin/fmp-orders", "--listen", "127.0.0.1:9000")
        self.spawn("fmpd", "build/bin/fmpd", "--foreground", "--policy", self.policy, "--enforce", self.enforce,
                   "--listen", f"{HANDHELD}:{PORT}", "--backend", "http://127.0.0.1:9000/",
                   "--control", self.path("control"))  # fmt: skip
        self.wait_until("fmpd", lambda: '"state":"ready"' in self.ctl("--json", "status").stdout)

    tells = True

    def done(self, entries):
        """Its own word for it: every block is in force on every layer, and was found there."""
        said = json.loads(self.ctl("--json", "status").stdout)
        return any(r["record"] == "status" and r["blocked"] == entries and r["enforcement_ratio"] == 1 and "compared_ms" in r for r in said)

    def rss_kib(self):
        """The plane's alone: gateway and workers have a target of their own."""
        with open(f"/proc/{self.running[1].pid}/status", encoding="ascii") as file:
            return int(re.search(r"^VmRSS:\s+(\d+)", file.read(), re.M).group(1))

    def bad(self, probe, source):
        for _ in range(TOO_MANY - 1):
            with probe.message(source, DTD) as connection:
                while connection.recv(4096):
                    pass
        last = probe.message(source, DTD)
        there = time.monotonic_ns()
        probe.keep(last)
        return there

    def block(self, addresses):
        done = self.ctl("block", "--for", "1h", "--file", self.write("list", "\n".join(addresses)))
        if done.returncode:
            raise RuntimeError(done.stdout + done.stderr)

    def blocked(self):
        return min(self.world.elements(family, "fmp") for family in ("inet", "netdev"))

    def clear(self):
        self.call("build/bin/fmpd", "--teardown")


class LogReader(Blocker):
    """Is told of bad messages by lines in a log."""

    limit_s = 60.0
    # A line of it: for fail2ban, which has taken the date out, and as CrowdSec's pattern.
    failregex = "^ gateway: bad message from <HOST>: "
    grok = "%{NOTSPACE:when} gateway: bad message from %{IP:source_ip}: %{WORD:kind}"

    def __init__(self, world, directory, log=None):
        super().__init__(world, directory)
        self.log = log or self.path("log")

    def line(self, source):
        when = time.strftime("%Y-%m-%dT%H:%M:%S%z")
        return f"{when} gateway: bad message from {source}: dtd\n"

    def append(self, text):
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(text)

    def bad(self, _probe, source):
        self.append(self.line(source) * TOO_MANY)
        return time.monotonic_ns()


class Fail2ban(LogReader):
    name = "fail2ban"

    def start(self):
        config = self.path("config")
        if not os.path.exists(config):
            shutil.copytree(f"{PEERS}/etc/fail2ban", config)
            for unwanted in os.listdir(f"{config}/jail.d"):
                os.unlink(f"{config}/jail.d/{unwanted}")
            self.write("config/filter.d/bench.conf", f"[Definition]\nfailregex = {self.failregex}\n")
            self.write("config/jail.local", f"""[bench]
enabled = true
filter = bench
logpath = {self.log}
maxretry = {TOO_MANY}
findtime = 1h
bantime = 1h
usedns = no
banaction = nftables-allports
action = %(banaction)s[name=bench, protocol="tcp,udp"]
""")  # fmt: skip
            self.write("config/fail2ban.local", f"""[Definition]
logtarget = {self.path("server.log")}
dbfile = {self.path("bans.sqlite3")}
""")
            self.append("")
        self.spawn("server", *self.program("server"), "-f", "start")
        self.wait_until("fail2ban", self.ready)

    def program(self, name):
        return ("env", f"PYTHONPATH={PEERS}/usr/lib/python3/dist-packages", "/usr/bin/python3", f"{PEERS}/usr/bin/fail2ban-{name}",
                "-c", self.path("config"), "-s", self.path("socket"), "-p", self.path("pid"))  # fmt: skip

    def ready(self):
        return not subprocess.run(
            self.world.command(*self.program("client"), "status", "bench"), capture_output=True, check=False
        ).returncode

    def block(self, addresses):
        for first in range(0, len(addresses), 1000):
            self.call(*self.program("client"), "set", "bench", "banip", *addresses[first : first + 1000])

    def blocked(self):
        return self.world.elements("inet", "f2b-table")

    def clear(self):
        subprocess.run(self.world.command("nft", "delete", "table", "inet", "f2b-table"), capture_output=True, check=False)

    def forget(self):
        os.unlink(self.path("bans.sqlite3"))
        self.write("log", "")


class Sshguard(LogReader):
    """Knows no messages but those that it was made for: these are sshd's."""

    name = "sshguard"

    def line(self, source):
        return f"{time.strftime('%b %d %H:%M:%S')} handheld sshd[4711]: Invalid user admin from {source} port 4711\n"

    def start(self):
        libexec = f"{PEERS}/usr/libexec/sshguard"
        self.append("")
        self.write("blacklist.db", "") if not os.path.exists(self.path("blacklist.db")) else None
        # What its own script does with what sshguard.conf says.
        self.spawn("pipe", "sh", "-c", f"tail -n 0 -F {self.log} 2>/dev/null | {libexec}/sshg-parser | "
                   f"{libexec}/sshg-blocker -a {TOO_MANY * 10} -p 3600 -s 7200 -N 128 -n 32 "
                   f"-b {TOO_MANY * 10}:{self.path('blacklist.db')} | {libexec}/sshg-fw-nft-sets")  # fmt: skip
        self.wait_until("sshguard", lambda: not subprocess.run(
            self.world.command("nft", "list", "set", "ip", "sshguard", "attackers"), capture_output=True, check=False
        ).returncode)  # fmt: skip
        time.sleep(0.5)  # its tail

    def block(self, addresses):
        self.append("".join(self.line(source) * TOO_MANY for source in addresses))

    def blocked(self):
        return self.world.elements("ip", "sshguard", "attackers")

    def stop(self):
        pids = self.processes()
        for pid in pids:
            try:
                os.kill(pid, signal.SIGTERM)
            except ProcessLookupError:
                pass
        super().stop()
        # The last of the pipe takes its tables away, and might take those of the next one.
        self.wait_until("sshguard's end", lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pids))

    def clear(self):
        for family in ("ip", "ip6"):
            subprocess.run(self.world.command("nft", "delete", "table", family, "sshguard"), capture_output=True, check=False)

    def forget(self):
        self.write("blacklist.db", "")
        self.write("log", "")


class CrowdSec(LogReader):
    """The engine, its local API and the bouncer for nftables."""

    name = "crowdsec"
    starts = 0

    def configure(self):
        for sub in ("config/parsers/s00-raw", "config/parsers/s01-parse", "config/parsers/s02-enrich", "config/scenarios",
                    "config/postoverflows", "config/patterns", "data", "hub", "notifications", "plugins", "acquis.d"):  # fmt: skip
            os.makedirs(self.path(sub), exist_ok=True)
        shutil.copytree(f"{PEERS}/etc/crowdsec/patterns", self.path("config/patterns"), dirs_exist_ok=True)
        with open(f"{PEERS}/etc/crowdsec/config.yaml", encoding="utf-8") as file:
            config = file.read()
        config = re.sub(r"    online_client:.*\n      credentials_path:.*\n", "", config)
        for old, new in (("/etc/crowdsec/acquis.d", self.path("acquis.d")), ("/etc/crowdsec/notifications/", self.path("notifications")),
                         ("/var/lib/crowdsec/data/", self.path("data/")), ("/var/lib/crowdsec/hub/", self.path("hub/")),
                         ("/usr/lib/crowdsec/plugins/", self.path("plugins")), ("/etc/crowdsec/", self.path("config/")),
                         ("/var/log/", self.dir), ("daemonize: true", "daemonize: false"), ("media: file", "media: stdout"),
                         # What its log asks for: without, 10,000 decisions end in "database is locked".
                         ("  type: sqlite\n", "  type: sqlite\n  use_wal: true\n")):  # fmt: skip
            config = config.replace(old, new)
        self.write("config/config.yaml", config)
        for name in ("profiles.yaml", "simulation.yaml"):
            shutil.copy(f"{PEERS}/etc/crowdsec/{name}", self.path("config"))
        self.write("config/console.yaml", "share_manual_decisions: false\n")
        self.write("hub/.index.json", '{"parsers":{},"scenarios":{},"postoverflows":{},"collections":{}}')
        self.write("config/acquis.yaml", f"filenames:\n  - {self.log}\nlabels:\n  type: gateway\n")
        self.write("config/parsers/s00-raw/raw.yaml", """name: bench/raw
filter: "true"
onsuccess: next_stage
statics:
  - parsed: message
    expression: evt.Line.Raw
  - parsed: program
    expression: evt.Line.Labels.type
""")
        self.write("config/parsers/s01-parse/gateway.yaml", f"""name: bench/gateway
filter: "evt.Parsed.program == 'gateway'"
onsuccess: next_stage
grok:
  pattern: '{self.grok}'
  apply_on: message
statics:
  - meta: service
    value: gateway
  - meta: log_type
    value: bad_message
  - meta: kind
    expression: evt.Parsed.kind
  - meta: source_ip
    expression: evt.Parsed.source_ip
  - target: evt.StrTime
    expression: evt.Parsed.when
""")
        self.write("config/scenarios/bench.yaml", f"""type: leaky
name: bench/bad-messages
description: "bad messages"
filter: "evt.Meta.log_type == 'bad_message' && evt.Meta.kind != 'good'"
groupby: evt.Meta.source_ip
capacity: {TOO_MANY - 1}
leakspeed: 1h
blackhole: 1m
labels:
  remediation: true
""")
        self.append("")
        self.cscli("machines", "add", "bench", "--password", "bench", "-f", self.path("config/local_api_credentials.yaml"), "--force")
        self.key = re.search(r"^\s+([0-9A-Za-z+/=]{20,})\s*$", self.cscli("bouncers", "add", "bench"), re.M).group(1)

    def cscli(self, *command):
        return self.call(f"{PEERS}/usr/bin/cscli", "-c", self.path("config/config.yaml"), *command)

    def start(self):
        if not os.path.exists(self.path("config/config.yaml")):
            self.configure()
        self.starts += 1
        self.spawn("engine", f"{PEERS}/usr/bin/crowdsec", "-c", self.path("config/config.yaml"))
        self.wait_until("crowdsec", lambda: not subprocess.run(
            self.world.command("curl", "-s", "-o", "/dev/null", "http://127.0.0.1:8080/health"), check=False
        ).returncode)  # fmt: skip
        self.wait_until("crowdsec's reading", self.reads)
        self.start_bouncer()

    def reads(self):
        with open(self.path("engine.out"), encoding="utf-8") as file:
            return file.read().count("Starting processing data") == self.starts

    def start_bouncer(self):
        with open(f"{PEERS}/etc/crowdsec/bouncers/crowdsec-firewall-bouncer.yaml", encoding="utf-8") as file:
            config = file.read()
        for old, new in (("${BACKEND}", "nftables"), ("${API_KEY}", self.key), ("daemonize: true", "daemonize: false"),
                         ("log_mode: file", "log_mode: stdout"), ("/var/run/", self.dir), ("/var/log/", self.dir)):  # fmt: skip
            config = config.replace(old, new)
        self.write("bouncer.yaml", config)
        self.spawn("bouncer", f"{PEERS}/usr/bin/crowdsec-firewall-bouncer", "-c", self.path("bouncer.yaml"))
        self.wait_until("the bouncer", lambda: not subprocess.run(
            self.world.command("nft", "list", "table", "ip", "crowdsec"), capture_output=True, check=False
        ).returncode)  # fmt: skip

    def block(self, addresses):
        # Of more at once, SQLite may say "database is locked" while the bouncer reads.
        for first in range(0, len(addresses), 1000):
            rows = "".join(f"ban,1h,{source},ip,bench\n" for source in addresses[first : first + 1000])
            self.cscli("decisions", "import", "-i",
                       self.write("decisions.csv", "type,duration,value,scope,reason\n" + rows))  # fmt: skip

    def blocked(self):
        return self.world.elements("ip", "crowdsec")

    def forget(self):
        shutil.rmtree(self.path("data"))
        shutil.rmtree(self.path("config"))
        self.write("log", "")

    def clear(self):
        for family, table in (("ip", "crowdsec"), ("ip6", "crowdsec6")):
            subprocess.run(self.world.command("nft", "delete", "table", family, table), capture_output=True, check=False)


ALL = {kind.name: kind for kind in (Fmp, Fail2ban, Sshguard, CrowdSec)}
