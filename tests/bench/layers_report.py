#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Rows of `scripts/bench layers` to JSON, Markdown and a plot.

Usage: layers_report.py ROWS STEM     writes STEM.json, STEM.md, STEM.png

Exit status: 0, or 1 if ours is not the cheapest way to drop a frame.
"""

import json
import subprocess
import sys

SIZES = (50, 1460)
PLACES = (
    ("none", 0),
    ("policy", 0),
    ("IP", 1),
    ("MAC: bad address", 0),
    ("MAC: bad address, stopped", 0),
    ("pre-MAC, IPv4", 1),
    ("pre-MAC, MAC", 1),
)
# Places that ours must beat; a radio that hears its own address alone does nothing, and is cheaper.
DEARER = ("none", "policy", "IP", "MAC: bad address")
OURS = ("pre-MAC, IPv4", "pre-MAC, MAC")
TOOLS = ("ebtables", "nft", "iptables", "pre-MAC, IPv4", "pre-MAC, MAC")
COLOURS = ("#7f3f98", "#00876c", "#3f8fd2", "#d62728", "#222222")
RULES = (0, 100, 500, 1000)

PLOT = """
set terminal pngcairo size 1200,1000 font "sans,12"
set output "{png}"
set multiplot layout 2,2 title "Drop by the last of N rules, emulated handheld (250 MIPS)" font "sans,14"
set key below horizontal
set format y "%.0f"
set grid
set xrange [0:1020]
set xtics 0,250,1000
set xlabel "rules"
{panels}
unset multiplot
"""


def read(path):
    rows = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            rows.append(json.loads(line))
    return rows


class Figures:
    """The rows by what they say."""

    def __init__(self, rows):
        self.value = {(r["case"], r["entries"], r["bytes"], r["metric"]): r["value"] for r in rows}

    def get(self, case, rules, size, metric):
        """Without a rule nothing is dropped: the frame reaches the application."""
        if rules == 0 and case in TOOLS and case != "ebtables":
            case = "none"
        return self.value.get((case, rules, size, metric))


def cell(value, form):
    return "-" if value is None else form.format(value)


def places(figures):
    out = ["## Where a frame is dropped (the paper's Table 1)", ""]
    out += ["| dropped at | rules | " + " | ".join(f"{s} B: CPU % | {s} B: frames/s | {s} B: us a frame" for s in SIZES) + " |"]
    out += ["|---|---:|" + "---:|" * (3 * len(SIZES))]
    for case, rules in PLACES:
        cells = []
        for size in SIZES:
            cells.append(cell(figures.get(case, rules, size, "cpu_percent"), "{:.2f}"))
            cells.append(cell(figures.get(case, rules, size, "frames_per_s"), "{:.0f}"))
            cells.append(cell(figures.get(case, rules, size, "cpu_us_per_frame"), "{:.2f}"))
        out.append(f"| {case} | {rules} | " + " | ".join(cells) + " |")
    return out


def by_rules(figures, title, metric, form):
    out = ["", f"## {title}", ""]
    out += ["| payload | filter | " + " | ".join(f"{n} rules" for n in RULES) + " |"]
    out += ["|---|---|" + "---:|" * len(RULES)]
    for size in SIZES:
        for tool in TOOLS:
            cells = [cell(figures.get(tool, n, size, metric), form) for n in RULES]
            out.append(f"| {size} B | {tool} | " + " | ".join(cells) + " |")
    return out


def panel(figures, size, metric, title, ylabel, extra, number):
    data = [f"$data{number} << END"]
    for tool in TOOLS:
        data.append(f'"{tool}"')
        for n in RULES:
            value = figures.get(tool, n, size, metric)
            if value is not None:
                data.append(f"{n} {value}")
        data += ["", ""]
    data.append("END")
    plots = ", ".join(
        f"$data{number} index {i} using 1:2 with linespoints lw 2 pt {i + 4} lc rgb '{COLOURS[i]}' title columnheader(1)"
        for i in range(len(TOOLS))
    )
    return "\n".join(data + [f'set title "{title}"', f'set ylabel "{ylabel}"', extra, "plot " + plots])


def plot(figures, png):
    panels = []
    for size in SIZES:
        panels.append(panel(figures, size, "cpu_percent", f"{size}-byte UDP: CPU of the handheld", "%",
                            "unset logscale y; set yrange [0:*]", 2 * len(panels)))
        panels.append(panel(figures, size, "capacity", f"{size}-byte UDP: frames/s that fill the CPU", "frames/s",
                            "set logscale y; set yrange [1000:200000]", 2 * len(panels) + 1))
    text = PLOT.format(png=png, panels="\n".join(panels))
    subprocess.run(["gnuplot"], input=text, text=True, check=True)


def missed_targets(figures):
    """Ours is the cheapest place to drop, and the cheapest at each number of rules, for each size."""
    wrong = []
    for size in SIZES:
        for case, rules in PLACES:
            other = figures.get(case, rules, size, "cpu_us_per_frame")
            if other is None:
                wrong.append(f"{case}, {size} bytes: not measured")
            elif case in DEARER:
                for our in OURS:
                    cost = figures.get(our, 1, size, "cpu_us_per_frame")
                    if cost is not None and cost >= other:
                        wrong.append(f"{size} bytes: {our} {cost} us, {case} {other} us")
        ours = [figures.get("pre-MAC, IPv4", n, size, "cpu_us_per_frame") for n in RULES[1:]]
        for n, cost in zip(RULES[1:], ours):
            for tool in ("ebtables", "nft", "iptables"):
                other = figures.get(tool, n, size, "cpu_us_per_frame")
                if cost is not None and other is not None and cost >= other:
                    wrong.append(f"{size} bytes, {n} rules: pre-MAC {cost} us, {tool} {other} us")
    return wrong


def main(argv):
    if len(argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    rows = read(argv[1])
    # What a frame costs gives what the handheld could take with nothing else to do.
    for row in [r for r in rows if r["metric"] == "cpu_us_per_frame"]:
        rows.append(dict(row, metric="capacity", value=round(1e6 / row["value"])))
    figures = Figures(rows)
    with open(argv[2] + ".json", "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
        file.write("\n")
    text = ["# UDP against an emulated handheld of 250 MIPS", ""]
    text += ["5000 frames/s of 50 bytes, 1000 frames/s of 1460 bytes; CPU of the handheld alone. Without a rule"]
    text += ["the frame reaches the application, with rules the last one drops it. `MAC: bad address` is a"]
    text += ["promiscuous radio whose stack drops; `stopped` is address recognition before the MAC: what it"]
    text += ["costs is waking the receiver, which is in all other rows too.", ""]
    text += places(figures)
    text += by_rules(figures, "CPU load in % (Figure 8)", "cpu_percent", "{:.2f}")
    text += by_rules(figures, "Frames taken per second (Figure 9)", "frames_per_s", "{:.0f}")
    text += by_rules(figures, "Frames per second that would fill the CPU", "capacity", "{:.0f}")
    with open(argv[2] + ".md", "w", encoding="utf-8") as file:
        file.write("\n".join(text) + "\n")
    plot(figures, argv[2] + ".png")
    wrong = missed_targets(figures)
    for line in wrong:
        print("WRONG " + line)
    print(f"{argv[2]}.json, .md, .png written")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
