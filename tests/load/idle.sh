# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# FMP_LOAD_IDLE (10000) idle connections: what each costs, and that others are served beside them.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

n=${FMP_LOAD_IDLE:-10000}
most_mib=$((24 + n * 4 / 1000)) # MiB: a gateway's own, and 4 KiB a connection

held() {
    local before after
    before=$(rss_kib "$GATEWAY")
    hold "$n" || return 1
    after=$(rss_kib "$GATEWAY")
    echo "$n idle connections: $before -> $after KiB, $(((after - before) * 1024 / n)) bytes each" |
        tee "$T/figure"
    [ "$(descriptors "$GATEWAY")" -gt "$n" ] || { echo "not all are open"; return 1; }
    [ "$after" -lt $((most_mib * 1024)) ] || { echo "limit: $most_mib MiB"; return 1; }
}

served_beside() {
    "$BIN/fmp-orders-client" --endpoint "$URL" --count 20 --quiet
}

gone_again() {
    let_go
    grep -q '^closed 0$' "$T/hold.out" || { cat "$T/hold.out"; return 1; }
    wait_for 30 few_descriptors || { echo "descriptors: $(descriptors "$GATEWAY")"; return 1; }
}

if [ "$(ulimit -Hn)" -lt $((n + 300)) ]; then
    skip idle-connections "at most $(ulimit -Hn) descriptors here"
    exit 77
fi
ulimit -n "$(ulimit -Hn)"
service
policy "workers='2'" "" "header='10min' idle='10min'" "max='$((n + 100))' per-source='$((n + 100))'"
gateway --security Bc
descriptors=$(descriptors "$GATEWAY")
check "idle-connections" held
cat "$T/figure"
check served-beside-them served_beside
check gone-again gone_again
check ends-well gateway_ends
