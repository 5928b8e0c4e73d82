#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""The settings of a policy: what the library knows against what is written of them.

Usage: policy_table.py TABLE [--markdown | --man]

TABLE is what policy_table.c prints. Compared with it: elements, attributes, types and words of fmp-policy.xsd; the table of
every setting and every default or range that is stated elsewhere in policies/README.md and fmp-policy(5); and the points of
event kinds in both. Kinds of events also with those of the shipped policies, of the README's table of whose fault they can
be, and of fmpctl.schema.json.

  --markdown  print the table of every setting for README.md
  --man       the same for fmp-policy(5)

Exit status: 0 they agree, 1 they do not.
"""

import json
import os
import re
import sys
import xml.etree.ElementTree as ET

XSD, README, MAN = "policies/fmp-policy.xsd", "policies/README.md", "policies/fmp-policy.5"
JSON_SCHEMA = "daemon/fmpctl/fmpctl.schema.json"
# A shipped policy -> its column of points in README.md.
SHIPPED = {"balanced": "balanced", "observe": "balanced", "cautious": "cautious", "permissive": "permissive"}
XS = "{http://www.w3.org/2001/XMLSchema}"
# The library's type -> types of the XSD; None: one of its own, without a name.
TYPES = {
    "name": {"Name"}, "word": {"Word", "PortName"}, "file": {"File"}, "count": {"Count"}, "duration": {"Duration"},
    "size": {"Size"}, "switch": {"YesNo"}, "layers": {"Layers"}, "security": {"Security"}, "parts": {"Parts"},
    "encrypted": {"Secrets", "EncryptedParts"}, "uris": {"URIs"}, "hosts": {None}, "purposes": {"Purposes"},
    "prefixes": {None}, "order": {"Order", "AnswersOrder"}, "headers": {"Headers"}, "signing": {"Signing"},
    "sealing": {"Sealing"}, "factor": {"Factor"}, "percent": {"Percent"}, "choice": {None}, "rate": {"Rate"},
    "algorithms": {"SignatureAlgorithms", "DigestAlgorithms", "Ciphers", "KeyTransports"},
}  # fmt: skip
# Attributes that have a reader of their own in the library, and no row in its tables.
OTHERS = {
    "policy": ["base"], "event": ["kind", "rank", "count", "within"], "proxy": ["address", "tells"],
    "issuer": ["name", "trust"], "device": ["layers"], "content": ["rules"], "rule": ["name", "xpath", "regex", "fold"],
    "list": ["name", "xpath", "max"], "header": ["name", "understood", "required", "signed", "handed-on"],
    "remove": ["name", "in"], "set": ["name", "value", "in"], "keep": ["name"],
}  # fmt: skip


class Setting:
    def __init__(self, element, name, kind, default, least, most, words):
        self.element, self.name, self.kind, self.default = element, name, kind, default
        self.least, self.most, self.words = least, most, words.split() if words != "-" else []

    def range(self):
        if self.least != "-":
            return f"{self.least}-{self.most}"
        if self.kind == "switch":
            return "yes, no"
        return ", ".join(self.words) if self.kind == "choice" else ""


class Library:
    def __init__(self, path):
        self.elements, self.attributes, self.settings, self.kinds = {}, {}, {}, {}
        with open(path, encoding="utf-8") as text:
            for line in text:
                what, *fields = line.rstrip("\n").split("\t")
                if what == "element":
                    self.elements[fields[0]] = fields[1]
                elif what == "event":
                    self.kinds[fields[0]] = fields[1]
                else:
                    self.attributes.setdefault(fields[0], []).append(fields[1])
                    if fields[2] != "-":
                        self.settings[fields[0], fields[1]] = Setting(*fields)
        for element, names in OTHERS.items():
            self.attributes.setdefault(element, []).extend(names)

    def rows(self):
        """(element, attribute, default, from-to) of every setting that stands once."""
        for (element, name), s in self.settings.items():
            if element in ("service", "client", "override", "group", "blocklist") or (element, name) == ("policy", "name"):
                continue
            default = "all but CBC" if (element, name) == ("algorithms", "encryption") else \
                "all" if s.kind == "algorithms" else "" if s.default == "-" else s.default
            yield element, name, s.kind, default, s.range()


faults = []


def fault(where, what):
    faults.append(f"{where}: {what}")


# ---- the XSD ----

class Schema:
    def __init__(self, path):
        self.root = ET.parse(path).getroot()
        self.named = {(node.tag[len(XS):], node.get("name")): node for node in self.root if node.get("name")}
        self.elements = {}  # element -> {attribute: node}
        self.visit(self.named["element", "policy"])

    def visit(self, node):
        held = {}
        kind = self.named.get(("complexType", node.get("type"))) if node.get("type") else node.find(XS + "complexType")
        children = []
        if kind is not None:
            self.collect(kind, held, children)
        self.elements.setdefault(node.get("name"), {}).update(held)
        for child in children:
            if child.get("name") not in self.elements:
                self.visit(child)

    def collect(self, node, held, children):
        for child in node:
            if child.tag == XS + "attribute":
                held[child.get("name")] = child
            elif child.tag == XS + "attributeGroup":
                self.collect(self.named["attributeGroup", child.get("ref")], held, children)
            elif child.tag == XS + "element":
                children.append(child)
            elif child.tag != XS + "simpleType":
                self.collect(child, held, children)

    def words(self, attribute):
        kind = attribute.get("type")
        node = self.named["simpleType", kind] if kind else attribute
        items = node.find(f".//{XS}list")
        if items is not None:
            node = self.named["simpleType", items.get("itemType")]
        return [value.get("value") for value in node.iter(XS + "enumeration")]


def check_schema(library):
    schema = Schema(XSD)
    for element in library.elements:
        if element not in schema.elements:
            fault(XSD, f"has no element <{element}>")
    for element in schema.elements:
        if element not in library.elements:
            fault(XSD, f"<{element}> is no element of libfmp/policy/settings.c")
    for element, attributes in schema.elements.items():
        known = library.attributes.get(element, [])
        for name in set(known) - set(attributes):
            fault(XSD, f"<{element}> has no attribute {name}")
        for name in set(attributes) - set(known):
            fault(XSD, f"<{element} {name}> is no attribute that libfmp/policy knows")
        for name in set(known) & set(attributes):
            setting = library.settings.get((element, name))
            if not setting:
                continue
            kind = attributes[name].get("type")
            if kind not in TYPES[setting.kind]:
                fault(XSD, f"<{element} {name}> is of type {kind}, in the library it is a {setting.kind}")
            if setting.words and sorted(schema.words(attributes[name])) != sorted(setting.words):
                fault(XSD, f"<{element} {name}> takes other words than the library: {' '.join(setting.words)}")
    kinds = [value.get("value") for value in schema.named["simpleType", "Kind"].iter(XS + "enumeration")]
    if kinds != list(library.kinds):
        fault(XSD, "its kinds of events are others than those of the library, or in another order")


# ---- texts ----

UNITS = {"d": 86400000, "h": 3600000, "min": 60000, "s": 1000, "ms": 1, "GiB": 1 << 30, "MiB": 1 << 20, "KiB": 1 << 10, "B": 1}


def plain(value):
    """A value without its spelling: 24h is 1d, 2.0 is 2.00."""
    value = value.strip().strip(".")
    match = re.fullmatch(r"(\d+)(d|h|min|s|ms|GiB|MiB|KiB|B)", value)
    if match:
        return str(int(match[1]) * UNITS[match[2]])
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(/s|%)?", value)
    return str(float(match[1])) if match else value


def check_default(where, setting, said):
    if setting.default == "-" or plain(said) == plain(setting.default):
        return
    if setting.kind == "layers" and said == "all":
        return
    if any(part.isdigit() for part in said) or said in ("yes", "no", "none", *setting.words):
        fault(where, f"<{setting.element} {setting.name}> has the default {setting.default}, not {said}")


def check_range(where, setting, said):
    match = re.fullmatch(r"([0-9.]+[A-Za-z/%]*) ?(?:-|to) ?([0-9.]+[A-Za-z/%]*)", said.strip())
    if not match or setting.least == "-":
        return
    low, high = match.groups()
    unit = re.sub(r"^[0-9.]+", "", high)
    # "1-256MiB", and numbers of bytes without a unit
    lows = {plain(low), plain(low + unit), plain(low + "B")}
    highs = {plain(high), plain(high + "B")}
    if plain(setting.least) not in lows or plain(setting.most) not in highs:
        fault(where, f"<{setting.element} {setting.name}> is {setting.least} to {setting.most}, not {said}")


def check_readme(library):
    element = None
    table = None
    seen = []
    with open(README, encoding="utf-8") as text:
        lines = text.read().split("\n")
    for number, line in enumerate(lines, 1):
        where = f"{README}:{number}"
        heading = re.match(r"## (.*)", line)
        begins = re.match(r"`<([a-z0-9]+)>`", line)
        if heading:
            found = re.findall(r"`<([a-z0-9]+)", heading[1])
            element = found[0] if len(found) == 1 else None
        elif begins and (not lines[number - 2].strip()):
            element = begins[1]
        if line.startswith("|"):
            cells = [cell.strip().strip("`") for cell in line.strip("|").split(" | ")]
            cells = [cell.strip("| `") for cell in cells]
            if table is None:
                table = cells
            elif not set(line) <= set("|- "):
                seen.append(check_row(library, where, element, table, cells))
            continue
        table = None
        if line.endswith("`") and number < len(lines) and lines[number].startswith("("):
            line += " " + lines[number]
        for name, said in re.findall(r"`([a-z0-9-]+)` \(([^)]*)\)", line):
            setting = library.settings.get((element, name))
            if setting:
                parts = re.split(r"[;,]", said)
                check_default(where, setting, parts[0].split(":")[0])
                for part in parts[1:]:
                    check_range(where, setting, part)
    for row in library.rows():
        if row not in seen:
            fault(README, f"the table of every setting lacks, or has otherwise: {markdown(row)}")
    for kind in library.kinds:
        if ("event", kind) not in seen:
            fault(README, f"no row of points of the kind {kind}")


def check_row(library, where, element, head, cells):
    row = dict(zip(head, cells + [""] * len(head)))
    if head[:2] == ["kind", "balanced"]:
        for kind in [row["kind"]]:
            if library.kinds.get(kind) != row["balanced"]:
                fault(where, f"the kind {kind} has {library.kinds.get(kind)} points, not {row['balanced']}")
        return ("event", row["kind"])
    if head[:3] == ["element", "attribute", "type"]:
        return tuple((cells + [""] * 5)[:5])
    if "default" in row:
        name = row.get("attribute")
        setting = library.settings.get((row.get("element", element), name))
        if not setting:
            if row.get("element", element) in library.elements:
                fault(where, f"<{row.get('element', element)}> has no attribute {name}")
            return None
        if row["default"]:
            check_default(where, setting, row["default"])
        elif setting.default != "-" and setting.kind not in ("parts", "encrypted", "algorithms"):
            fault(where, f"<{setting.element} {name}> has a default, {setting.default}")
        check_range(where, setting, row.get("from-to", ""))
    return None


def man_lines():
    """(number, macro, text) of fmp-policy(5)"""
    with open(MAN, encoding="utf-8") as text:
        for number, line in enumerate(text, 1):
            line = line.rstrip("\n").replace("\\-", "-").replace("\\(dq", '"')
            macro = re.match(r"\.([A-Z]+) ?(.*)", line)
            if not macro:
                yield number, "", line
            elif macro[1] in ("BR", "RB", "BI", "IB", "IR", "RI"):
                pieces = re.findall(r'"((?:[^"])*)"|(\S+)', macro[2])
                yield number, macro[1], "".join(a or b for a, b in pieces)
            else:
                yield number, macro[1], macro[2].strip('"')


def check_man(library):
    element, names, tag, table = None, [], False, False
    top = None
    rows, kinds, last = [], {}, None
    for number, macro, text in man_lines():
        where = f"{MAN}:{number}"
        if macro == "TS":
            table = True
        elif macro == "TE":
            table = False
        elif table:
            rows.append(tuple((text.split("\t") + [""] * 5)[:5]))
        elif macro == "SS":
            found = re.match(r"<([a-z0-9]+)>", text)
            element = top = found[1] if found else None
            names = []
        elif macro == "SH":
            element = top = None
        elif macro == "TP":
            tag = True
        elif tag:
            tag = False
            found = re.match(r"<([a-z0-9]+)", text)
            element = found[1] if found else top
            names = [] if found else re.findall(r"[a-z][a-z0-9-]+", text.split(" (")[0])
            last = None
        if table or not element:
            continue
        if element == "event":
            found = re.match(r"([0-9]+)\b", text)
            if last and found:
                kinds.setdefault(last, found[1])
            last = text if macro == "B" and text in library.kinds else None
            continue
        said = re.search(r"\bDefault:? ([^ ,;:]+)", text)
        if len(names) == 1 and said and (element, names[0]) in library.settings:
            check_default(where, library.settings[element, names[0]], said[1].rstrip("."))
        for name, inside in re.findall(r"([a-z0-9-]+)\"? (?:of an element )?(?:of a signature )?\(([^)]*)\)", text):
            setting = library.settings.get((element, name))
            if setting:
                parts = re.split(r"[;,]", inside)
                check_default(where, setting, parts[0].split(":")[0])
                for part in parts[1:]:
                    check_range(where, setting, part)
        found = re.search(r"([0-9.]+[A-Za-z%/]*) to ([0-9.]+[A-Za-z%/]*)", text)
        if len(names) == 1 and found and (element, names[0]) in library.settings:
            check_range(where, library.settings[element, names[0]], found[0].rstrip("."))
    for row in library.rows():
        if row not in rows:
            fault(MAN, f"the table of every setting lacks, or has otherwise: {' '.join(row)}")
    for row in rows:
        if row[0] in library.elements and row not in list(library.rows()):
            fault(MAN, f"the table of every setting has what the library has not: {' '.join(row)}")
    for kind, points in library.kinds.items():
        if kinds.get(kind) != points:
            fault(MAN, f"the kind {kind} has {points} points, not {kinds.get(kind)}")


# ---- kinds of events ----

def readme_rows(begins):
    """Rows, as dictionaries, of the tables of README.md whose head begins with these cells."""
    head, rows = None, []
    with open(README, encoding="utf-8") as text:
        for line in text:
            cells = [cell.strip() for cell in line.strip().strip("|").split(" | ")]
            if not line.startswith("|"):
                head = None
            elif head is None:
                head = cells
            elif head[:len(begins)] == begins and not set(line.strip()) <= set("|-"):
                rows.append(dict(zip(head, cells)))
    return rows


def check_kinds(library):
    kinds = list(library.kinds)
    points = {row["kind"].strip("`"): row for row in readme_rows(["kind", "balanced"])}
    for policy, column in SHIPPED.items():
        path = f"policies/{policy}.xml"
        ranks = {event.get("kind"): event.get("rank") for event in ET.parse(path).iter("{urn:fmp:policy:1}event")}
        if list(ranks) != kinds:
            fault(path, "its kinds of events are others than those of the library, or in another order: "
                  + " ".join(sorted(set(kinds) ^ set(ranks))))
        for kind in ranks:
            said = points.get(kind, {}).get(column)
            if kind in points and said != ranks[kind]:
                fault(README, f"the kind {kind} has {ranks[kind]} points in {path}, not {said}")
    excused = [kind for row in readme_rows(["kind", "without intent"]) for kind in re.findall(r"`([a-z]+)`", row["kind"])]
    for kind in sorted(set(kinds) ^ set(excused)):
        fault(README, f"the table of whose fault it can be lacks the kind {kind}, or has what is none")
    with open(JSON_SCHEMA, encoding="utf-8") as text:
        if json.load(text)["definitions"]["message"]["enum"] != ["good", *kinds]:
            fault(JSON_SCHEMA, '"message" has other kinds of events than the library, or in another order')


def markdown(row):
    element, name, kind, default, span = row
    return f"| `{element}` | `{name}` | {kind} | {default} | {span} |".replace("  ", " ")


def main():
    if len(sys.argv) not in (2, 3) or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] in (["-h"], ["--help"]) else 2)
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
    library = Library(sys.argv[1])
    if "--markdown" in sys.argv:
        print("| element | attribute | type | default | from-to |\n|---|---|---|---|---|")
        print("\n".join(markdown(row) for row in library.rows()))
        return
    if "--man" in sys.argv:
        print(".TS\nl1 l1 l1 l1 l.\nelement\tattribute\ttype\tdefault\tfrom-to\n_")
        print("\n".join("\t".join(row).rstrip("\t").replace("-", "\\-") for row in library.rows()))
        print(".TE")
        return
    check_schema(library)
    check_readme(library)
    check_man(library)
    check_kinds(library)
    print("\n".join(faults))
    sys.exit(1 if faults else 0)


main()
