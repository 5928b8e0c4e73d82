#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Words that were replaced by those of the field.

Usage: glossary.py [--count | --all]

scripts/lint.d/glossary holds them. Looks at what git tracks, less data, licences and the record of changes.

  --count  what is found, by word and by file, with numbers
  --all    list words, too, that are a remark until they are gone

Exit status: 0 none is left that should be gone, 1 one is.
"""

import collections
import fnmatch
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# Not ours to word, or data: messages, captures, XSDs of standards, what a test expects byte by byte.
SKIPPED = ("CHANGELOG.md", "LICENSES/*", "scripts/lint.d/glossary*", "tests/golden/*", "tests/fuzz/corpus/*",
           "tests/fuzz/*.dict", "tests/interop/*", "tests/vectors/*", "*.pem", "*.crt", "*.xml", "*.xsd", "*.wsdl", "*.json",
           "*.svg", "*.pcap", "*.bin", "*.hex", "scripts/lint.d/analyzer.known")
# Where names are looked at; those of test cases are sentences.
CODE = ("libfmp/*.[ch]", "daemon/*.[ch]", "kernel/*.[ch]")
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# A function of one word, where it begins.
STATIC = re.compile(r"^static [^=;(]*?\b([a-z0-9]+)\(")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


class Glossary:
    def __init__(self, path):
        self.words, self.names, self.phrases, self.statics = {}, {}, {}, {}  # old -> new
        self.where = {}  # (kind, old) -> glob
        self.open, self.tests = set(), set()  # remarks until they are gone, everywhere or in tests/
        self.allowed = []  # (word, glob)
        self.used = set()
        self.kinds = {"word": self.words, "name": self.names, "phrase": self.phrases, "static": self.statics}
        with open(path, encoding="ascii") as text:
            for number, line in enumerate(text, 1):
                line = line.split("#")[0].rstrip()
                if not line:
                    continue
                fields = [field.strip() for field in line.split("|")]
                if fields[0] == "allow":
                    for glob in fields[2].split():
                        self.allowed.append((fields[1], glob))
                    continue
                kind, _, state = fields[0].partition(" ")
                if kind not in self.kinds or len(fields) not in (3, 4):
                    sys.exit(f"{path}:{number}: unknown line")
                for old in fields[1].split(","):
                    self.kinds[kind][old.strip()] = fields[2]
                    if len(fields) == 4:
                        self.where[kind, old.strip()] = fields[3].split()
                    if state:
                        {"open": self.open, "tests": self.tests}[state].add((kind, old.strip()))

    def allows(self, text, name, quoted):
        """An entry with quotes is a word of JSON: one that stands in quotes, or behind the dot of jq."""
        for word, glob in self.allowed:
            if (text == word or quoted and f'"{text}"' == word) and fnmatch.fnmatch(name, glob):
                self.used.add((word, glob))
                return True
        return False


def tracked():
    if os.path.exists(".git"):
        names = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True).stdout.splitlines()
    else:
        names = [os.path.relpath(os.path.join(folder, name)) for folder, _, files in os.walk(".") for name in files
                 if not folder.startswith("./build")]
    return sorted(name for name in names
                  if os.path.isfile(name) and not os.path.islink(name)
                  and not any(fnmatch.fnmatch(name, glob) for glob in SKIPPED))


def found_in(glossary, line):
    """(kind, old, what stands there, is it in quotes)"""
    for match in WORD.finditer(line):
        text = match[0]
        if "_" in text.strip("_") or HUMP.search(text):
            parts = [part.lower() for piece in text.split("_") for part in HUMP.split(piece) if part]
            for at, part in enumerate(parts):
                if part in glossary.names:
                    yield "name", part, text, False
                if at and f"{parts[at - 1]}_{part}" in glossary.names:
                    yield "name", f"{parts[at - 1]}_{part}", text, False
        elif text.strip("_").lower() in glossary.words:
            yield "word", text.strip("_").lower(), text, match.start() > 0 and line[match.start() - 1] in "\"'.`"
    static = STATIC.match(line)
    if static and glossary.statics and static[1] not in glossary.statics["*"].split()[1:]:
        yield "static", "*", static[1] + "()", False
    low = line.lower()
    for phrase in glossary.phrases:
        if re.search(rf"\b{phrase}\b", low):
            yield "phrase", phrase, phrase, False


def main():
    arguments = sys.argv[1:]
    if arguments not in ([], ["--count"], ["--all"]):
        print(__doc__.strip())
        sys.exit(0 if arguments in (["-h"], ["--help"]) else 2)
    os.chdir(os.path.join(HERE, "..", ".."))
    glossary = Glossary(os.path.join(HERE, "glossary"))
    by_word, by_file, shown, failed = collections.Counter(), collections.defaultdict(collections.Counter), [], 0
    for name in tracked():
        try:
            with open(name, encoding="utf-8") as text:
                lines = text.read().split("\n")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, 1):
            for kind, old, text, quoted in found_in(glossary, line):
                globs = glossary.where.get((kind, old), CODE if kind in ("name", "static") else ("*",))
                if not any(fnmatch.fnmatch(name, glob) for glob in globs) or glossary.allows(text, name, quoted):
                    continue
                new = glossary.kinds[kind][old]
                remark = (kind, old) in glossary.open or (kind, old) in glossary.tests and name.startswith("tests/")
                by_word[(old, new, kind, remark)] += 1
                by_file[name][text] += 1
                failed += not remark
                if not remark or arguments == ["--all"]:
                    shown.append(f"{name}:{number}: '{text}': the word is {new}")
    if arguments == ["--count"]:
        for (old, new, kind, remark), n in by_word.most_common():
            print(f"{n:5} {kind} {old} -> {new}{'' if remark else ' (gone: fails)'}")
        print()
        for name, words in sorted(by_file.items(), key=lambda item: -sum(item[1].values())):
            print(f"{sum(words.values()):5} {name}: " + ", ".join(f"{w} {n}" for w, n in words.most_common(12)))
        print(f"\n{sum(by_word.values())} in {len(by_file)} files; {failed} of words that are gone")
    else:
        print("\n".join(shown))
        rest = sum(by_word.values()) - failed
        if rest:
            print(f"{rest} of words that are to go: scripts/lint.d/glossary.py --all")
    sys.exit(1 if failed else 0)


main()
