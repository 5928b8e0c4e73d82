# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# 200 clients that drip their header do not make a fast one's requests dearer by more than 10 %:
# CPU time of the gateway for each of them, in pairs of runs without and with the slow ones.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

requests=${FMP_LOAD_REQUESTS:-3000} pairs=${FMP_LOAD_PAIRS:-5}

# cost: CPU nanoseconds of one request
cost() {
    local before
    before=$(cpu_us)
    "$BIN/fmp-orders-client" --endpoint "$URL" --count "$requests" --quiet >/dev/null || return 1
    echo $((($(cpu_us) - before) * 1000 / requests))
}

not_slowed() {
    local alone beside ratio
    cost >/dev/null # warm
    for _ in $(seq "$pairs"); do
        alone=$(cost) || return 1
        hold 200 100 || return 1
        beside=$(cost) || return 1
        let_go
        echo "$alone $beside" | awk '{ printf "%.3f %d %d\n", $2 / $1, $1, $2 }' | tee -a "$T/ratios"
    done
    ratio=$(sort -n "$T/ratios" | sed -n "$((pairs / 2 + 1))p" | cut -d' ' -f1)
    echo "median ratio $ratio of $pairs pairs" | tee "$T/figure"
    awk -v r="$ratio" 'BEGIN { exit !(r <= 1.10) }'
}

service
policy 'workers="2"' '' 'header="10min"' 'max="1000" per-source="1000"' '<http requests="1000000"/>'
gateway --security Bc
check slow-clients-slow-nobody not_slowed
cat "$T/figure" "$T/ratios"
check ends-well gateway_ends
