# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# A mixed flood for FMP_LOAD_SECONDS (1800): memory stays flat, no descriptor and no worker is lost.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

seconds=${FMP_LOAD_SECONDS:-1800}

flood() {
    local flooder
    before=$(workers)
    "$BIN/fmp-flood" --url "$URL" --rate "${FMP_LOAD_RATE:-400}" --duration "$seconds" --pool 50 --keepalive \
        --mix good=50,wellformed=10,schema=10,unsigned=5,oversize=2,nesting=8,dtd=10,http=5 \
        --json "$T/flood.json" --quiet >"$T/flood.log" 2>&1 &
    flooder=$!
    pids+=("$flooder")
    sample_while "$flooder" "$seconds"
    wait "$flooder" || { cat "$T/flood.log"; return 1; }
    [ "$(jq '[.. | objects | .sent? // empty | numbers] | max' "$T/flood.json")" -gt "$seconds" ]
}

service
# A client that gives up is noticed when its answer is due: what waits then, and its memory, is
# bounded by the connections.
policy 'workers="2"' 'body="1MiB"' 'idle="5s"' 'max="128" per-source="128"'
gateway --security BcV
descriptors=$(descriptors "$GATEWAY")
check flood flood
nothing_lost
