# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2016 # jq programs
#
# fmp-flood against the sample service alone, over loopback: what it sends is taken, what it
# counts is what happened.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

flood() { "$BIN/fmp-flood" --url "$URL" --quiet --json "$T/f.json" "$@"; }
json() { jq -e "$@" "$T/f.json" || { cat "$T/f.json"; return 1; }; }

good_orders() {
    flood --rate 200 --count 100 && json '.sent == 100 and .good == 100 and .faults == 0
        and .kinds.good.good == 100 and .connects_tried == 100 and .latency_ms.count == 100'
}

keepalive_reuses() {
    flood --rate 200 --count 100 --keepalive --connections 3 &&
        json '.good == 100 and .connects_tried <= 3'
}

from_each_source() {
    flood --rate 100 --count 60 --sources 127.0.1.0/24/3 &&
        json '.good == 60 and (.sources | length) == 3 and all(.sources[]; .answered == 20 and .blocked == false)
            and .sources[0].addr == "127.0.1.1"'
}

big_orders() {
    flood --rate 20 --count 10 --size 300 && json '.good == 10 and .bytes_out > 3000000'
}

# The service itself knows a quantity that is no number; the rest is the gateway's business.
faults_are_counted() {
    flood --rate 100 --count 80 --mix good=1,schema=1 --seed 1 &&
        json '.kinds.good.good == 40 and .kinds.good.faults == 0 and .kinds.schema.faults > 5
            and .kinds.schema.good + .kinds.schema.faults == 40 and .faults == .kinds.schema.faults'
}

rate_is_kept() {
    flood --rate 250 --duration 2 && json '.sent_per_s > 240 and .sent_per_s <= 251 and .seconds < 2.1'
}

good_per_second_is_measured() {
    flood --rate 100 --duration 3 --warmup 1 --keepalive &&
        json '.good_per_s > 90 and .good_per_s < 110 and (.good_window_s - 2 | fabs) < 0.1
            and (.good_each_second | length) >= 2 and all(.good_each_second[]; . > 80)'
}

same_seed_same_bytes() {
    local first
    flood --rate 500 --count 50 --seed 7 && first=$(jq .bytes_out "$T/f.json") &&
        flood --rate 500 --count 50 --seed 7 && json --argjson first "$first" '.bytes_out == $first and .seed == 7'
}

summary_is_for_people() {
    "$BIN/fmp-flood" --url "$URL" --rate 100 --count 20 --mix good=1,schema=1 --progress >"$T/out" 2>"$T/err" &&
        grep -q '^20 requests sent in .* seed [0-9]' "$T/out" && grep -q '^latency ms: p50' "$T/out" &&
        ! grep -q "$(printf '\033')" "$T/out" "$T/err"
}

interrupted_it_still_sums_up() {
    local pid
    "$BIN/fmp-flood" --url "$URL" --quiet --json "$T/f.json" --rate 50 --duration 30 &
    pid=$!
    sleep 0.7
    kill -INT "$pid"
    wait "$pid" && json '.interrupted == true and .good > 10 and .seconds < 5'
}

refusals_are_counted() {
    URL=http://127.0.0.1:9/ flood --rate 50 --count 10 &&
        json '.refused == 10 and .sent == 0 and .sources_blocked == 1 and .sources[0].time_to_block_ms == null'
}

# A listener that never accepts: connects succeed, answers don't come.
silence_is_a_timeout() {
    local port
    start silent python3 -c '
import socket, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(64)
print("listening on 127.0.0.1:%d" % s.getsockname()[1], flush=True)
time.sleep(60)'
    wait_for 5 grep -q listening "$T/silent.out" || return 1
    port=$(sed 's/.*://' "$T/silent.out")
    # One after the other: by the usual timeout of two seconds that would take twenty.
    URL=http://127.0.0.1:$port/ flood --rate 50 --count 10 --timeout 200 --connections 1 &&
        json '.answer_timeouts == 10 and .sent == 10 and .good == 0 and .seconds < 10'
}

busy_connections_hold_back() {
    local port
    port=$(sed 's/.*://' "$T/silent.out")
    URL=http://127.0.0.1:$port/ flood --rate 100 --duration 1 --connections 4 --timeout 5000 &&
        json '.sent == 4 and .held_back > 80'
}

# What was due while all connections were busy is sent later, if a number was asked for.
count_is_met() {
    flood --rate 5000 --count 400 --keepalive --connections 1 &&
        json '.sent == 400 and .good == 400 and .connects_tried == 1 and .held_back > 0'
}

service
URL=$BACKEND
check flood_good_orders good_orders
check flood_keepalive_reuses keepalive_reuses
check flood_count_is_met count_is_met
check flood_from_each_source from_each_source
check flood_big_orders big_orders
check flood_faults_are_counted faults_are_counted
check flood_rate_is_kept rate_is_kept
check flood_good_per_second_is_measured good_per_second_is_measured
check flood_same_seed_same_bytes same_seed_same_bytes
check flood_summary_is_for_people summary_is_for_people
check flood_interrupted_it_still_sums_up interrupted_it_still_sums_up
check flood_refusals_are_counted refusals_are_counted
check flood_silence_is_a_timeout silence_is_a_timeout
check flood_busy_connections_hold_back busy_connections_hold_back
