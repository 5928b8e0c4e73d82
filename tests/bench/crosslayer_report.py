#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Rows, tables and a plot of `scripts/bench crosslayer`.

Usage: crosslayer_report.py ROWS STEM

ROWS is what the demo wrote. Writes STEM.json (rows: case, malicious in %, metric cpu_load or
good_per_s, value), STEM.md, STEM.png.
"""

import json
import subprocess
import sys

METRICS = {"cpu_load": "CPU load of the handheld, %", "good_per_s": "Good answers a second"}
COLOURS = {"none": "#999999", "ip": "#e6a000", "premac": "#00876c", "fail2ban": "#d62728", "crowdsec": "#7f3f98"}

PLOT = """
set terminal pngcairo size 1200,520 font "sans,12"
set output "{png}"
set multiplot layout 1,2 title "Who blocks, and what is left for the good" font "sans,14"
set key bottom left
set grid
set xlabel "malicious messages, %"
set yrange [0:]
{panels}
unset multiplot
"""


def split(row):
    return {
        "case": row["case"].split("@")[0],
        "malicious": row["malicious"],
        "metric": row["metric"],
        "value": row["value"],
        "swept": "@" in row["case"],
    }


def table(rows, metric):
    found = [r for r in rows if r["metric"] == metric]
    swept = [r for r in found if r["swept"]]
    lines = [f"## {METRICS[metric]}", ""]
    if swept:
        shares = sorted({r["malicious"] for r in swept})
        lines += ["| malicious | " + " | ".join(f"{s} %" for s in shares) + " |", "|---|" + "---:|" * len(shares)]
        for case in dict.fromkeys(r["case"] for r in swept):
            values = {r["malicious"]: r["value"] for r in swept if r["case"] == case}
            lines.append(f"| {case} | " + " | ".join(f"{values[s]:.1f}" if s in values else "" for s in shares) + " |")
        lines.append("")
    single = [r for r in found if not r["swept"]]
    if single:
        lines += ["| scenario | malicious | |", "|---|---:|---:|"]
        lines += [f"| {r['case']} | {r['malicious']} % | {r['value']:.1f} |" for r in single] + [""]
    return lines


def panel(rows, metric, number):
    data, plots = [], []
    for case, colour in COLOURS.items():
        points = sorted((r["malicious"], r["value"]) for r in rows if r["swept"] and r["case"] == case and r["metric"] == metric)
        if points:
            name = f"$d{number}{case}"
            data += [f"{name} << END", *(f"{x} {y}" for x, y in points), "END"]
            plots.append(f"{name} using 1:2 with linespoints lw 2 pt 7 lc rgb '{colour}' title '{case}'")
    if not plots:
        return ""
    return "\n".join(data + [f'set title "{METRICS[metric]}"', "plot " + ", ".join(plots)])


def main():
    source, stem = sys.argv[1:]
    with open(source, encoding="utf-8") as file:
        rows = [split(row) for row in json.load(file)["rows"] if row["metric"] in METRICS]
    with open(f"{stem}.json", "w", encoding="utf-8") as file:
        json.dump([{k: v for k, v in row.items() if k != "swept"} for row in rows], file, indent=1)
    text = "# Who blocks, and what is left for the good\n\n" + "\n".join(line for metric in METRICS for line in table(rows, metric))
    with open(f"{stem}.md", "w", encoding="utf-8") as file:
        file.write(text)
    panels = "\n".join(panel(rows, metric, number) for number, metric in enumerate(METRICS))
    if any(row["swept"] for row in rows):
        subprocess.run(["gnuplot"], input=PLOT.format(png=f"{stem}.png", panels=panels), text=True, check=True)
    print(text)


main()
