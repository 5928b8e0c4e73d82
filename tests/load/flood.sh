# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# A mixed flood for FMP_LOAD_SECONDS (1800): memory stays flat, no descriptor and no worker is lost.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

seconds=${FMP_LOAD_SECONDS:-1800}

# sample: "listener's RSS, workers' RSS (KiB), listener's descriptors"
sample() {
    local pid sum=0
    for pid in $(workers); do
        sum=$((sum + $(rss_kib "$pid")))
    done
    echo "$(rss_kib "$GATEWAY") $sum $(descriptors "$GATEWAY")"
}

flood() {
    local flooder end
    before=$(workers)
    "$BIN/fmp-flood" --url "$URL" --rate "${FMP_LOAD_RATE:-400}" --duration "$seconds" --pool 50 --keepalive \
        --mix good=50,wellformed=10,schema=10,unsigned=5,oversize=2,nesting=8,dtd=10,http=5 \
        --json "$T/flood.json" --quiet >"$T/flood.log" 2>&1 &
    flooder=$!
    pids+=("$flooder")
    end=$((SECONDS + seconds))
    while [ "$SECONDS" -lt "$end" ] && kill -0 "$flooder" 2>/dev/null; do
        sample >>"$T/samples"
        sleep 2
    done
    wait "$flooder" || { cat "$T/flood.log"; return 1; }
    [ "$(jq '[.. | objects | .sent? // empty | numbers] | max' "$T/flood.json")" -gt "$seconds" ]
}

# The most of the last half against the most of the second quarter: the first one fills caches.
flat() { # COLUMN
    awk -v c="$1" '{ v[NR] = $c } END {
        for (i = int(NR / 4) + 1; i <= NR / 2; i++) if (v[i] > a) a = v[i]
        for (i = int(NR / 2) + 1; i <= NR; i++) if (v[i] > b) b = v[i]
        printf "%d KiB, later %d KiB of %d samples\n", a, b, NR
        exit !(NR >= 20 && b <= a * 1.05 + 256) }' "$T/samples"
}

no_worker_lost() {
    [ "$(workers)" = "$before" ] && ! grep -q 'worker died\|worker was' "$T/gateway.err"
}

no_descriptor_lost() {
    wait_for 20 few_descriptors || { echo "$(descriptors "$GATEWAY"), before $descriptors"; return 1; }
}

service
# A client that gives up is noticed when its answer is due: what waits then, and its memory, is
# bounded by the connections.
policy 'workers="2"' 'body="1MiB"' 'idle="5s"' 'max="128" per-source="128"'
gateway --security BcV
descriptors=$(descriptors "$GATEWAY")
check flood flood
check listener-memory-is-flat flat 1
flat 1
check workers-memory-is-flat flat 2
flat 2
check no-worker-lost no_worker_lost
check no-descriptor-lost no_descriptor_lost
check ends-well gateway_ends
