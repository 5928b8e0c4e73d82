#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Rooms: who may include and call whom.

Usage: rooms.py [--graph] [--objects DIR]

scripts/lint.d/rooms holds the order. Includes are read from the sources, calls from the symbols (`nm`) of the objects in
build/obj and build/kernel/VERSION: an undefined symbol is an edge to the object that defines it. If an object of userspace
is missing or older than its source, what is wrong with calls is printed and is no fault.

  --graph        print all edges between rooms, and all circles
  --objects DIR  the objects of userspace (build/obj)

Exit status: 0 all in order, 1 a fault.
"""

import glob
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


class Rules:
    """The file `rooms`."""

    def __init__(self, path):
        self.order = {}  # tree -> rooms from below to above
        self.allowed = set()  # (file, header or callee) against the order
        self.circles, self.open = [], []  # sets of files: by design, to be opened
        self.wide = {}  # folder -> units
        self.generated = set()
        self.used = set()
        tree = None
        with open(path, encoding="ascii") as text:
            for number, line in enumerate(text, 1):
                words = line.split("#")[0].split()
                if not words:
                    continue
                key, rest = words[0], words[1:]
                if key == "tree":
                    tree = rest[0]
                    self.order[tree] = []
                elif key == "generated:":
                    self.generated.update(rest)
                elif key == "wide:":
                    self.wide[rest[0]] = int(rest[1])
                elif key == "allow:":
                    self.allowed.add((rest[0], rest[1]))
                elif key == "circle:":
                    self.circles.append(frozenset(rest))
                elif key == "open:":
                    self.open.append(frozenset(rest))
                elif tree and len(words) == 1:
                    self.order[tree].append(key)
                else:
                    sys.exit(f"{path}:{number}: unknown line")


def tracked():
    if not os.path.exists(".git"):
        for top in ("libfmp", "kernel", "daemon"):
            for folder, _, files in os.walk(top):
                yield from (os.path.join(folder, name) for name in files)
        return
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "libfmp", "kernel", "daemon"],
        check=True, capture_output=True, text=True).stdout
    yield from (name for name in names.splitlines() if os.path.isfile(name))


class Sources:
    def __init__(self, rules):
        self.rules = rules
        self.files = sorted(name for name in tracked() if name.endswith((".c", ".h")))
        self.known = set(self.files)
        self.faults = []

    def fault(self, where, what):
        self.faults.append(f"{where}: {what}")

    def tree(self, name):
        """The longest tree of the rules that holds a file; else its program's folder, or its first folder."""
        held = [tree for tree in self.rules.order if name.startswith(tree + "/")]
        if held:
            return max(held, key=len)
        parts = name.split("/")
        return "/".join(parts[:2]) if parts[0] == "daemon" else parts[0]

    def room(self, name):
        rest = name[len(self.tree(name)) + 1:]
        return rest.split("/")[0] if "/" in rest else "."

    def resolve(self, name, quoted, header):
        """The file of ours that an include names; None if it is another's, False if there is none."""
        tree = self.tree(name)
        if tree.startswith("kernel"):
            paths = ["kernel/include", "kernel/include/uapi"]
        else:
            paths = ["libfmp/include", "libfmp", "kernel/include/uapi"]
        if quoted:
            paths.insert(0, os.path.dirname(name))
        for path in paths:
            found = os.path.normpath(os.path.join(path, header))
            if found in self.known:
                return found
        if header in self.rules.generated:
            return None
        if quoted or header.startswith("fmp/") or header == "net/fmp_rx.h":
            return False
        first = header.split("/")[0]
        if tree.startswith("kernel") or "/" not in header or first not in self.rules.order["libfmp"]:
            return None
        # libfmp has a room `net`, and so has the system.
        return None if os.path.exists("/usr/include/" + header) else False

    def includes(self):
        """(file, line, header, file of ours)"""
        for name in self.files:
            with open(name, encoding="utf-8", errors="replace") as text:
                for number, line in enumerate(text, 1):
                    match = INCLUDE.match(line)
                    if not match:
                        continue
                    found = self.resolve(name, match[1] == '"', match[2])
                    if found is False:
                        self.fault(f"{name}:{number}", f"includes {match[2]}, which is no file of ours")
                    elif found:
                        yield name, number, match[2], found

    def against(self, source, target):
        """Why an edge is against the order; "" if it is not."""
        one, other = self.tree(source), self.tree(target)
        if one != other:
            return ""
        order = self.rules.order.get(one)
        if order is None:
            return ""
        rooms = self.room(source), self.room(target)
        for room in rooms:
            if room not in order:
                return f"room {room} of {one} is not in scripts/lint.d/rooms"
        if order.index(rooms[1]) <= order.index(rooms[0]):
            return ""
        if (source, target) in self.rules.allowed:
            self.rules.used.add((source, target))
            return ""
        return f"room {rooms[0]} is below {rooms[1]}"

    def check_include(self, source, number, header, target):
        where = f"{source}:{number}"
        if source.startswith("daemon/"):
            if target.startswith("libfmp/") and not header.startswith("fmp/"):
                self.fault(where, f"includes {target}; programs include <fmp/...> of the library only")
            elif target.startswith("daemon/") and self.tree(target) != self.tree(source):
                self.fault(where, f"includes {target} of another program")
        elif target.startswith("daemon/"):
            self.fault(where, f"includes {target} of a program")
        why = self.against(source, target)
        if why:
            self.fault(where, f"includes {target}: {why}")

    def check_width(self, most=20):
        units = {}
        for name in self.files:
            if "/include/" not in name:
                units.setdefault(os.path.dirname(name), set()).add(os.path.basename(name)[:-2])
        for folder, names in sorted(units.items()):
            if len(names) > self.rules.wide.get(folder, most):
                self.fault(folder, f"holds {len(names)} units, {most} are the most")


def symbols(objects, sources):
    """Symbols each object defines and lacks; sources of userspace without a fresh object, and those with one."""
    defined, lacking, stale, paths = {}, {}, [], {}
    modules = (sorted(glob.glob("build/kernel/*")) or ["build/kernel/none"])[0]
    for source in sources:
        kernel = source.startswith("kernel/")
        path = os.path.join(modules if kernel else objects, source[:-2] + ".o")
        if os.path.exists(path) and os.path.getmtime(path) >= os.path.getmtime(source):
            paths[path] = source
        elif not kernel:  # modules are not built everywhere, and KUnit's suites only for UML
            stale.append(source)
    said = subprocess.run(["nm", "-A", *paths], capture_output=True, text=True, check=True).stdout if paths else ""
    for line in said.splitlines():
        path, _, symbol = line.partition(":")
        kind, name = symbol.split()[-2:]
        if kind == "U":
            lacking.setdefault(paths[path], set()).add(name)
        elif kind in "TW" and not name.startswith("__SC"):  # functions, less the kernel's of tracepoints
            defined[(paths[path], name)] = True
    return defined, lacking, stale, set(paths.values())


def calls(sources, objects):
    """{(source, source): symbols}, what of userspace has no fresh object, and what was read."""
    files = [name for name in sources.files if name.endswith(".c")]
    defined, lacking, stale, read = symbols(objects, files)
    where = {}
    for source, name in defined:
        where[(sources.tree(source), name)] = source
    edges = {}
    for source, names in lacking.items():
        for name in names:
            target = where.get((sources.tree(source), name))
            if target is None and source.startswith("daemon/"):
                target = where.get(("libfmp", name))
            if target and target != source:
                edges.setdefault((source, target), set()).add(name)
    return edges, stale, read


def components(edges):
    """Strongly connected components of more than one node (Tarjan)."""
    after = {}
    for source, target in edges:
        after.setdefault(source, []).append(target)
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in after.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in sorted(after):
        if node not in index:
            visit(node)
    return sorted(found)


def label(sources, name):
    return f"{sources.tree(name)}/{sources.room(name)}"


def shown(names, most=4):
    names = sorted(names)
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def print_graph(sources, included, called):
    rooms = {}
    for kind, edges in (("includes", included), ("calls", called)):
        for source, target in edges:
            pair = label(sources, source), label(sources, target)
            if pair[0] != pair[1]:
                rooms.setdefault(pair, {}).setdefault(kind, set()).add((source, target))
    for pair, kinds in sorted(rooms.items()):
        print(f"{pair[0]} -> {pair[1]}: " + ", ".join(f"{len(edges)} {kind}" for kind, edges in kinds.items()))


def describe(sources, part, called):
    lines = []
    for source, target in sorted(called):
        if source in part and target in part:
            lines.append(f"    {source} -> {target}: {shown(called[source, target])}")
    return lines


def main():
    arguments = sys.argv[1:]
    objects = "build/obj"
    if "--objects" in arguments:
        at = arguments.index("--objects")
        objects = arguments[at + 1]
        del arguments[at:at + 2]
    if arguments not in ([], ["--graph"]):
        print(__doc__.strip())
        sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)
    os.chdir(os.path.join(HERE, "..", ".."))
    rules = Rules(os.path.join(HERE, "rooms"))
    sources = Sources(rules)
    included = {}
    for source, number, header, target in sources.includes():
        sources.check_include(source, number, header, target)
        included.setdefault((source, target), set()).add(number)
    sources.check_width()

    called, stale, read = calls(sources, objects)
    remarks = [] if not stale else [
        f"{objects}: {len(stale)} objects missing or older than their source, {stale[0]} the first: calls are no fault"]
    fault = remarks.append if stale else sources.faults.append
    against = 0
    for (source, target), names in sorted(called.items()):
        why = sources.against(source, target)
        if why:
            against += 1
            fault(f"{source}: calls {shown(names)} of {target}: {why}")

    between = {}
    for kind, edges in (("include", included), ("call", called)):
        between[kind] = components({(label(sources, a), label(sources, b)) for a, b in edges
                                    if label(sources, a) != label(sources, b) and (a, b) not in rules.used})
        for part in between[kind]:
            text = f"circle of rooms by {kind}: {' '.join(part)}"
            (sources.faults.append if kind == "include" else fault)(text)

    inside = components({(a, b) for a, b in list(called) + list(included) if label(sources, a) == label(sources, b)})
    for part in inside:
        if not any(circle.issuperset(part) for circle in rules.circles):
            still = any(circle.issuperset(part) for circle in rules.open)
            (remarks.append if still else fault)("\n".join([f"circle inside {label(sources, part[0])}: {' '.join(part)}", *describe(sources, part, called)]))
    for circle in rules.circles + rules.open:
        if circle <= read and not any(circle.issuperset(part) for part in inside):
            sources.faults.append(f"scripts/lint.d/rooms: no such circle any more: {' '.join(sorted(circle))}")
    if len(rules.circles) > 4:
        sources.faults.append("scripts/lint.d/rooms: more than four circles")
    if not stale:
        for pair in sorted(rules.allowed - rules.used):
            sources.faults.append(f"scripts/lint.d/rooms: no such edge any more: {' '.join(pair)}")

    if "--graph" in arguments:
        print_graph(sources, included, called)
        print(f"{len(called)} calls between files, {against} against the order; {len(inside)} circles inside rooms")
    for line in remarks + sources.faults:
        print(line)
    sys.exit(1 if sources.faults else 0)


main()
