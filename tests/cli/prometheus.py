# SPDX-License-Identifier: GPL-2.0
"""Usage: prometheus.py [-v NAME LABELS] <TEXT

Is TEXT what Prometheus reads (text format 0.0.4), and what its own linter would let pass? With -v the
value of one series is printed: NAME 'layer="ip"', or NAME ''.
"""
import re
import sys

NAME = r"[a-zA-Z_:][a-zA-Z0-9_:]*"
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"({NAME})(?:\{{({LABEL}(?:,{LABEL})*)\}})? (\S+)")
TYPES = ("counter", "gauge", "histogram", "summary", "untyped")


def fail(line, why):
    sys.exit(f"{why}: {line}")


def number(text, line):
    if not re.fullmatch(r"[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|Inf|NaN)", text):
        fail(line, "not a number")
    return float(text)


def family_of(name, types):
    for end in ("_bucket", "_sum", "_count"):
        base = name.removesuffix(end)
        if base != name and types.get(base) == "histogram":
            return base
    return name


def check_family(name, kind, line):
    if not name.startswith("fmp_"):
        fail(line, "not of our name space")
    if (kind == "counter") != name.endswith("_total"):
        fail(line, "counters, and they alone, end in _total")


def check_histogram(name, samples):
    buckets = [(key, v) for (n, key), v in samples.items() if n == name + "_bucket"]
    values = [v for _, v in buckets]
    ends = [float(re.search(r'le="([^"]*)"', key)[1]) for key, _ in buckets]
    if values != sorted(values) or ends != sorted(ends) or ends[-1] != float("inf"):
        fail(name, "buckets that do not sum up")
    if values[-1] != samples[name + "_count", ""] or (name + "_sum", "") not in samples:
        fail(name, "a histogram with parts that do not agree")


def read(text):
    helped, types, samples, done, current = set(), {}, {}, set(), None
    if not text.endswith("\n"):
        fail(text[-80:], "the last line has no end")
    for line in text.splitlines():
        if line.startswith("# HELP "):
            name, words = line[7:].split(" ", 1)
            if name in helped or not words.strip():
                fail(line, "helped twice, or not at all")
            helped.add(name)
        elif line.startswith("# TYPE "):
            name, kind = line[7:].split(" ")
            if name in types or name not in helped or kind not in TYPES:
                fail(line, "typed twice, before its help, or as nothing known")
            check_family(name, kind, line)
            types[name] = kind
            if current:
                done.add(current)
            current = name
        else:
            match = SAMPLE.fullmatch(line)
            if not match:
                fail(line, "no sample")
            name, labels, value = match[1], match[2] or "", number(match[3], line)
            if family_of(name, types) != current or current in done:
                fail(line, "outside of its family")
            if (name, labels) in samples:
                fail(line, "twice")
            if types[current] == "counter" and not value >= 0:
                fail(line, "a counter below zero")
            samples[name, labels] = value
    for name, kind in types.items():
        if kind == "histogram":
            check_histogram(name, samples)
    return samples


found = read(sys.stdin.read())
if sys.argv[1:2] == ["-v"]:
    print(f"{found[sys.argv[2], sys.argv[3]]:g}")
else:
    print(len(found))
