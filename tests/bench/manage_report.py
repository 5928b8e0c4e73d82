# SPDX-License-Identifier: GPL-2.0
"""Tables, targets and a plot of `scripts/bench manage`'s rows."""

import json
import subprocess

PLOT = """
set terminal pngcairo size 1200,520 font "sans,12"
set output "{png}"
set multiplot layout 1,2 title "From a decision to the kernel" font "sans,14"
set logscale y
set grid ytics
set style fill solid 0.8
set boxwidth 0.35
set ylabel "ms"
set title "Bad message to first frame dropped"
$detect << END
{detect}
END
plot $detect using ($0-0.18):2:xtic(1) with boxes lc rgb '#3f8fd2' title "p50", \\
     $detect using ($0+0.18):3 with boxes lc rgb '#d62728' title "p99"
set title "Many blocks at once"
set logscale x
set xlabel "blocks"
set ylabel "s"
set key left
{bulk}
unset multiplot
"""


def value(rows, case, metric, entries=None):
    for row in rows:
        if row["case"] == case and row["metric"] == metric and row.get("entries") == entries:
            return row["value"]
    return None


def cases(rows):
    return list(dict.fromkeys(row["case"] for row in rows if row["metric"] == "detect_to_drop_p50_ms"))


def cell(rows, case, metric, entries=None):
    for row in rows:
        if row["case"] == case and row["metric"] == metric and row.get("entries") == entries:
            if row["value"] is None:
                return f"> {row['gave_up_s']} (at {row['reached']})"
            return f"{row['value']:,.2f}" if row["value"] < 100 else f"{row['value']:,.0f}"
    return ""


def table(rows):
    columns = [("p50, ms", "detect_to_drop_p50_ms", None), ("p99, ms", "detect_to_drop_p99_ms", None)]
    for metric, title in (("bulk_s", "{:,} blocks, s"), ("restart_s", "restart with {:,}, s"), ("rss_mb", "MB with {:,}")):
        entries = sorted({row["entries"] for row in rows if row["metric"] == metric})
        columns += [(title.format(n), metric, n) for n in entries]
    lines = ["| | " + " | ".join(cases(rows)) + " |", "|---|" + "---:|" * len(cases(rows))]
    for title, metric, entries in columns:
        lines.append(f"| {title} | " + " | ".join(cell(rows, case, metric, entries) for case in cases(rows)) + " |")
    return "\n".join(lines)


def targets(rows):
    """(target, measured, met or not) of what was measured."""
    found = []

    def at_most(words, measured, limit):
        if measured is not None:
            found.append((f"{words} <= {limit:g}", f"{measured:g}", measured <= limit))

    at_most("detection to first frame dropped, p99, ms", value(rows, "fmp", "detect_to_drop_p99_ms"), 1)
    waking = value(rows, "limit", "handover_p99_ms")
    if waking is not None and found:
        words, measured, met = found[0]
        found[0] = (words, f"{measured}; {waking:g} is waking as many processes", met)
    peers = [value(rows, case, "detect_to_drop_p50_ms") for case in cases(rows) if case in ("fail2ban", "crowdsec")]
    ours = value(rows, "fmp", "detect_to_drop_p50_ms")
    if peers and ours:
        times = min(peers) / ours
        found.append(("at least 100 times faster than the fastest polling peer (p50)", f"{times:.0f} times", times >= 100))
    at_most("10,000 blocks, s", value(rows, "fmp", "bulk_s", 10000), 0.5)
    at_most("65,536 blocks, s", value(rows, "fmp", "bulk_s", 65536), 3)
    at_most("restart with 65,536 blocks, s", value(rows, "fmp", "restart_s", 65536), 3)
    at_most("RSS with 10,000 blocked sources, MB", value(rows, "fmp", "rss_mb", 10000), 8)
    events = value(rows, "fmp", "events_per_s")
    if events is not None:
        found.append(("events a second in the engine >= 1,000,000", f"{events:,.0f}", events >= 1e6))
    return found


def plot(rows, png):
    detect = "\n".join(
        f"{case} {value(rows, case, 'detect_to_drop_p50_ms')} {value(rows, case, 'detect_to_drop_p99_ms')}" for case in cases(rows)
    )
    data, plots = [], []
    for number, case in enumerate(cases(rows)):
        points = [(r["entries"], r["value"]) for r in rows if r["case"] == case and r["metric"] == "bulk_s" and r["value"]]
        if points:
            data += [f"$bulk{number} << END", *(f"{n} {s}" for n, s in points), "END"]
            plots.append(f"$bulk{number} using 1:2 with linespoints lw 2 pt 7 title '{case}'")
    bulk = "\n".join(data + ["plot " + ", ".join(plots)]) if plots else ""
    subprocess.run(["gnuplot"], input=PLOT.format(png=png, detect=detect, bulk=bulk), text=True, check=True)


def report(rows, stem):
    """Writes all of them. Return: 0, or 1 if a target is missed."""
    with open(f"{stem}.json", "w", encoding="utf-8") as file:
        json.dump(rows, file, indent=1)
    verdicts = targets(rows)
    text = "# From a bad message to the kernel, and many blocks at once\n\n" + table(rows) + "\n"
    if any(row["value"] is None for row in rows):
        text += "\n`> N (at M)`: not done after N s, when M blocks were in force.\n"
    text += "\n| target | measured | |\n|---|---|---|\n"
    text += "".join(f"| {words} | {measured} | {'met' if met else '**missed**'} |\n" for words, measured, met in verdicts)
    events = value(rows, "fmp", "events_per_s")
    if events is not None:
        text += f"\nThe engine takes {events:,.0f} events a second on one processor.\n"
    with open(f"{stem}.md", "w", encoding="utf-8") as file:
        file.write(text)
    plot(rows, f"{stem}.png")
    print("\n" + text)
    return 0 if all(met for _, _, met in verdicts) else 1
