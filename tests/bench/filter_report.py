#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Rows of `scripts/bench filter` to JSON and Markdown, and whether they meet their targets.

Usage: filter_report.py [--partial] [--arm] ROWS JSON MARKDOWN

What a passed frame may cost is a target for amd64; with --arm it is only said.

Exit status: 0 all targets met, 1 one is missed or, without --partial, not measured.
"""

import json
import sys

OURS = ("premac-mac", "premac-ip4", "premac-ip6")
NO_PEERS = OURS + ("mac80211-mac", "mac80211-ip4", "netdev-attach")


def read(path):
    """The rows, each once, in their order: a later one of the same name counts."""
    rows = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            rows[row["case"], row["entries"], row["result"]] = row
    return rows


class Targets:
    """What must hold, said as it is found."""

    def __init__(self, rows, partial, arm):
        self.rows = rows
        self.partial = partial
        self.arm = arm
        self.lines = []
        self.missed = False

    def value(self, case, entries, result):
        row = self.rows.get((case, entries, result))
        return row["value"] if row else None

    def family(self, case, result):
        """Values of a case by entries."""
        return {key[1]: row["value"] for key, row in self.rows.items() if key[0] == case and key[2] == result}

    def say(self, what, holds, figure):
        if holds is None:
            self.missed |= not self.partial
            self.lines.append(f"| {what} | not measured | |")
            return
        self.missed |= not holds
        self.lines.append(f"| {what} | {figure} | {'met' if holds else '**missed**'} |")

    def at_most(self, what, value, limit):
        self.say(what, None if value is None else value <= limit, f"{value}")

    def flat(self, case):
        drops = {n: v for n, v in self.family(case, "drop").items() if n <= 100000}
        what = f"{case}: drop flat within 5 % to 100,000 entries"
        if 1 not in drops or 100000 not in drops:
            self.say(what, None, "")
            return
        worst = max(abs(v - drops[1]) / drops[1] for v in drops.values())
        self.say(what, worst <= 0.05, f"{100 * worst:.1f} %")

    def times_cheaper(self):
        peers = [
            (row["value"], key[0])
            for key, row in self.rows.items()
            if key[2] == "drop" and key[0] not in NO_PEERS
        ]
        for case in ("premac-mac", "premac-ip4"):
            ours = self.family(case, "drop").get(1)
            what = f"{case}: at least 6 times cheaper than the cheapest peer"
            if not peers or ours is None:
                self.say(what, None, "")
                continue
            value, name = min(peers)
            self.say(what, value >= 6 * ours, f"{value / ours:.1f} times ({name}: {value})")

    def passes(self):
        for case, none in (("premac-mac", "none"), ("premac-ip4", "none"), ("premac-ip6", "none-ip6")):
            ours = self.family(case, "pass").get(1)
            base = self.value(none, 0, "pass")
            known = ours is not None and base is not None
            if self.arm and known:
                what = f"{case}: a passed frame costs more than without a filter, by"
                self.lines.append(f"| {what} | {ours - base:+d} | no target |")
                continue
            what = f"{case}: a passed frame costs at most 100 more than without a filter"
            self.say(what, ours - base <= 100 if known else None, f"{ours - base:+d}" if known else "")

    def attach(self):
        for n in (100, 10000, 100000):
            ours = self.value("netdev-attach", n, "drop")
            peer = self.value("nft netdev ingress, set", n, "drop")
            known = ours is not None and peer is not None
            self.say(
                f"netdev-attach: no dearer than an nft netdev set of {n:,}",
                ours <= peer if known else None,
                f"{ours} against {peer}" if known else "",
            )

    def check(self):
        self.at_most("premac-mac: drop <= 230", self.value("premac-mac", 1, "drop"), 230)
        self.at_most("premac-ip4: drop <= 260", self.value("premac-ip4", 1, "drop"), 260)
        for case in OURS:
            self.flat(case)
        for case in ("premac-mac", "premac-ip4"):
            self.at_most(f"{case}: drop <= 330 at 1,000,000 entries", self.value(case, 1000000, "drop"), 330)
        self.times_cheaper()
        self.passes()
        self.attach()


def table(rows):
    """Cases down, entries across; drop/pass in a cell."""
    sizes = sorted({key[1] for key in rows})
    cases = dict.fromkeys(key[0] for key in rows)
    out = ["| drop / pass | " + " | ".join(f"{n:,}" if n else "no rules" for n in sizes) + " |"]
    out.append("|---|" + "---:|" * len(sizes))
    for case in cases:
        cells = []
        for n in sizes:
            both = [rows.get((case, n, result)) for result in ("drop", "pass")]
            texts = [str(row["value"]) if row else "-" for row in both]
            cells.append(" / ".join(texts) if any(both) else "")
        out.append(f"| {case} | " + " | ".join(cells) + " |")
    return out


def main(argv):
    options = [arg for arg in argv[1:] if arg in ("--partial", "--arm")]
    paths = [arg for arg in argv[1:] if arg not in options]
    if len(paths) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows = read(paths[0])
    targets = Targets(rows, "--partial" in options, "--arm" in options)
    targets.check()
    with open(paths[1], "w", encoding="utf-8") as file:
        json.dump(list(rows.values()), file, indent=1)
        file.write("\n")
    text = ["# Instructions per 64-byte UDP frame", ""]
    text += ["By the number of rules. Making the frame (34 or 35) is included in every row;"]
    text += ["`-l2`: passed to the first reader above the driver, all others to a UDP socket. `none-...`: the"]
    text += ["same way in without a filter; by mac80211 and by veth it is another one than in the other rows.", ""]
    text += table(rows) + ["", "| target | measured | |", "|---|---|---|"] + targets.lines
    with open(paths[2], "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")
    print("\n".join(targets.lines))
    return 1 if targets.missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
