# SPDX-License-Identifier: GPL-2.0
"""A plot of `scripts/bench gateway`'s rows, as the paper's Figures 4 and 5."""

import subprocess

CASES = ("Os", "Bc", "BcV", "BcS", "BcE", "BcES")
COLOURS = ("#999999", "#3f8fd2", "#00876c", "#d62728", "#e6a000", "#7f3f98")

PLOT = """
set terminal pngcairo size 1200,560 font "sans,12"
set output "{png}"
set multiplot layout 1,2 title "Cost of a message by configuration and size" font "sans,14"
set key top left
set logscale xy
set grid
set xtics (1,10,100,1000)
set xrange [0.8:1250]
set xlabel "KB of the order"
{panels}
unset multiplot
"""


def panel(rows, metric, title, ylabel, number):
    lines, plots = [f"$data{number} << END"], []
    for case, colour in zip(CASES, COLOURS):
        found = [r for r in rows if r["case"] == case and r["metric"] == metric and r["key"] in ("none", "rsa2048")]
        if not found:
            continue
        lines += [f'"{case}"'] + [f"{r['size_kb']} {r['value']}" for r in found] + ["", ""]
        plots.append(
            f"$data{number} index {len(plots)} using 1:2 with linespoints lw 2 pt 7 lc rgb '{colour}' title columnheader(1)"
        )
    if not plots:
        return ""
    return "\n".join(lines + ["END", f'set title "{title}"', f'set ylabel "{ylabel}"', "plot " + ", ".join(plots)])


def plot(rows, png):
    panels = (
        panel(rows, "http_cpu_us", "CPU of a request over HTTP", "us", 1),
        panel(rows, "instructions", "Instructions of an inspection", "instructions", 2),
    )
    subprocess.run(["gnuplot"], input=PLOT.format(png=png, panels="\n".join(panels)), text=True, check=True)
