# SPDX-License-Identifier: GPL-2.0
"""One message in process: build/tests/bench/inspect, counted and timed; beside it zeep, timed."""

import os
import re
import statistics
import subprocess
import sys
import time

SCHEMA = "tests/interop/vectors/orders.xsd"
PROGRAM = "build/tests/bench/inspect"


def said(pattern, text, command, status):
    found = re.search(pattern, text)
    if status or not found:
        sys.exit(f"gateway: {' '.join(command)}:\n{text}")
    return found.group(1)


def count(directory, *arguments, times):
    """Instructions of one message."""
    profile = os.path.join(directory, "profile")
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", "--toggle-collect=once",
               "--toggle-collect=limit_once", PROGRAM, *arguments]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return int(said(r"Collected : (\d+)", done.stderr, command, done.returncode)) // times


def clock_once(*arguments, program=(PROGRAM,)):
    """CPU microseconds of one message."""
    command = [*program, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return float(said(r"cpu_us (\S+)", done.stdout + done.stderr, command, done.returncode))


def clock(*arguments, **options):
    """The same, the median of five runs."""
    return statistics.median(clock_once(*arguments, **options) for _ in range(5))


def inspection(maker, case, times, message):
    """The program's arguments: a message so many times through what a worker does with it."""
    return ("inspect", case, SCHEMA, maker.path("ca.crt"), maker.path("server.key"), str(int(time.time())), str(times), message)


def limit(maker, case, signer, times, message):
    """The same through what no gateway can do without."""
    return ("limit", case, maker.path(signer + ".key"), maker.path("server.key"), str(times), message)


def zeep():
    """The program that reads and verifies a message by zeep; None where that is not installed."""
    if not os.path.exists("build/python"):
        return None
    with open("build/python", encoding="utf-8") as file:
        return os.path.join(file.read().strip(), "bin/python"), "tests/bench/peers/zeep_verify.py"
