# SPDX-License-Identifier: GPL-2.0
"""What a gateway notes of whose bytes it reads.

Usage: note.py GATEWAY OUT ERR [ARGUMENT...]

Runs the gateway with such memory. Each source that is seen there becomes a line of standard
output, once, and `nobody` when a second has passed without any.
"""
import ipaddress
import mmap
import os
import signal
import struct
import subprocess
import sys
import time

fd = os.memfd_create("note", 0)
os.ftruncate(fd, 4096)
gateway = subprocess.Popen([sys.argv[1], "--note-fd", str(fd)] + sys.argv[4:], pass_fds=[fd],
                           stdout=open(sys.argv[2], "w"), stderr=open(sys.argv[3], "w"))
signal.signal(signal.SIGTERM, lambda *_: gateway.terminate())
page = mmap.mmap(fd, 4096)
seen = set()
last, idle = time.monotonic(), False
print("runs", gateway.pid, flush=True)
while gateway.poll() is None:
    busy, port, to, family = struct.unpack_from("=IHHB", page)
    now = time.monotonic()
    if busy:
        last, idle = now, False
        length = {4: 4, 6: 16}[family]
        source = ipaddress.ip_address(page[9:9 + length])
        line = f"{source} {'port' if port else 'no port'} {to}"
        if line not in seen:
            seen.add(line)
            print(line, flush=True)
    elif not idle and now - last > 1:
        idle = True
        print("nobody", flush=True)
sys.exit(gateway.returncode)
