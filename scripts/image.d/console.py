#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Runs a command on a device by its console: console.py SOCKET COMMAND [FILE]

The command reads FILE, if one is given. Writes what the command wrote and ends with its exit status; 125 if the
console does not answer in FMP_CONSOLE_SECONDS (60).
"""
import base64
import os
import re
import socket
import sys
import time

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__)
end = time.monotonic() + float(os.environ.get("FMP_CONSOLE_SECONDS", "60"))
data = b""
if len(sys.argv) == 4:
    with open(sys.argv[3], "rb") as file:
        data = file.read()

# The words come from the shell's answers only, never from a line that the console echoes.
command = sys.argv[2]
lines = ["stty -echo 2>/dev/null; PS1=; PS2="]
if data:
    # A terminal's line holds some hundreds of characters.
    text = base64.b64encode(data).decode()
    lines.append("cat >/tmp/console.in <<'_end_'")
    lines += [text[i:i + 200] for i in range(0, len(text), 200)]
    lines.append("_end_")
    command = "base64 -d </tmp/console.in | { " + command + "\n}"
lines.append(f"echo __be''gin__; {command}; echo __en''d__$?__")
request = ("\n".join(lines) + "\n").encode()

console = socket.socket(socket.AF_UNIX)
console.connect(sys.argv[1])
console.settimeout(1)
for i in range(0, len(request), 64):
    # An emulated UART has room for sixteen bytes, and drops what its driver does not fetch in time.
    console.sendall(request[i:i + 64])
    time.sleep(0.002)
got = b""
while time.monotonic() < end:
    try:
        piece = console.recv(65536)
    except TimeoutError:
        continue
    if not piece:
        break
    got += piece
    m = re.search(rb"__end__(\d+)__", got)
    if m:
        text = got[:m.start()].replace(b"\r", b"")
        begin = text.rfind(b"__begin__\n")
        sys.stdout.buffer.write(text[begin + 10:] if begin >= 0 else text)
        sys.exit(int(m.group(1)))
sys.stderr.write("console: no answer to: " + sys.argv[2] + "\n" + got[-2000:].decode(errors="replace") + "\n")
sys.exit(125)
