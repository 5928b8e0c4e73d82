#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: scripts/demo.d/plot.sh FIGURES.json PICTURE.png
#
# Draws what the demo measured: the handheld's CPU load by scenario, and the good answers a second that it gave meanwhile.

set -eu
[ $# = 2 ] || { sed -n 's/^# \(Usage.*\)/\1/p' "$0" >&2; exit 2; }
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT

# One line a scenario, in the order in which they ran: name, % malicious, % CPU, good answers a second.
jq -r '.rows | to_entries | map(.value + {order: .key}) | group_by(.case) | sort_by(.[0].order) | .[] |
    (map({(.metric): .value}) | add) as $m | [.[0].case, .[0].malicious, $m.cpu_load, $m.good_per_s] | @tsv' "$1" >"$rows"
[ -s "$rows" ] || { echo "${0##*/}: no figures in $1" >&2; exit 1; }

gnuplot <<PLOT
set terminal pngcairo size 1000,560 font ",11"
set output "$2"
set title "Load of the handheld, and what its friend gets, while an attacker sends (share of malicious messages below)"
set ylabel "CPU load of the handheld, %"
set y2label "good answers a second"
set yrange [0:*]
set y2range [0:*]
set y2tics
set ytics nomirror
set grid ytics
set key top right
set style fill solid 0.7
set boxwidth 0.6
set bmargin 4
plot "$rows" using 0:3:xtic(sprintf("%s\n%s %%", strcol(1), strcol(2))) with boxes lc rgb "#3b6ea5" title "CPU load", \\
     "" using 0:3:(sprintf("%.1f", \$3)) with labels offset 0,0.7 notitle, \\
     "" using 0:4 axes x1y2 with points pt 7 ps 1.6 lc rgb "#d9822b" title "good answers/s"
PLOT
