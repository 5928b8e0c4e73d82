# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# 200 clients that drip their header or their body, or read an answer as slowly, slow a fast one by no
# more than 10 %: the time of its requests, and CPU time of the gateway for each of them. There are two
# gateways, one with the slow clients and one without. They take turns that are short, so that whatever
# else the machine does meets both; of their ratios the median counts. All is on one processor: where
# two processes of a request are would make more of a difference than anything here.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/load/lib_load.sh

taskset -pc "$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')" $$ >/dev/null || exit 1
requests=${FMP_LOAD_REQUESTS:-200} pairs=${FMP_LOAD_PAIRS:-101}

# cost GATEWAY PORT: nanoseconds of one request, and CPU nanoseconds
cost() {
    local GATEWAY=$1 before said
    before=$(cpu_us)
    said=$("$BIN/fmp-orders-client" --endpoint "http://127.0.0.1:$2/orders" --count "$requests" --quiet) || return 1
    echo "$said" | awk -v cpu_us=$(($(cpu_us) - before)) -v n="$requests" \
        '{ printf "%.0f %.0f\n", $(NF - 1) * 1e9 / n, cpu_us * 1000 / n }'
}

# Each is the first one in every other pair.
pair() { # NUMBER
    local without with
    if [ $(($1 % 2)) = 0 ]; then
        without=$(cost "${FREE[@]}") && with=$(cost "${BUSY[@]}")
    else
        with=$(cost "${BUSY[@]}") && without=$(cost "${FREE[@]}")
    fi || return 1
    echo "$without $with" | awk '{ printf "%.3f %.3f %s\n", $3 / $1, $4 / $2, $0 }' >>"$T/ratios"
}

measured() {
    local n
    PORT=${BUSY[1]} hold 200 100 || return 1
    for n in $(seq "$pairs"); do
        pair "$n" || return 1
    done
    let_go
    grep -q '^closed 0$' "$T/hold.out" || { cat "$T/hold.out" "$T/hold.err"; return 1; }
}

# not_more COLUMN
not_more() {
    local ratio
    ratio=$(sort -n -k "$1,$1" "$T/ratios" | sed -n "$((pairs / 2 + 1))p" | cut -d' ' -f"$1")
    echo "median ratio $ratio of $pairs pairs" | tee -a "$T/figures"
    awk -v r="$ratio" 'BEGIN { exit !(r > 0 && r <= 1.10) }'
}

service
orders=$BACKEND
{
    echo '0 keep'
    printf 'HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\nContent-Length: 200000\r\n\r\n'
    head -c 200000 /dev/zero | tr '\0' x
} >"$T/said"
start long python3 tests/cli/raw_service.py "$T/said" "$T/log"
listening long
policy 'workers="2" security="Bc"' '' 'header="10min" body="10min"' 'max="1000" per-source="1000" memory="64MiB"' \
    "<http requests='1000000'/><services><service name='orders' path='/orders' backend='$orders'/>
     <service name='long' path='/long' backend='http://127.0.0.1:$PORT/'/></services>"
for one in free busy; do
    start "$one" "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0
    GATEWAY=$!
    listening "$one"
    declare -a "${one^^}=($GATEWAY $PORT)"
done
check turns-with-and-without-slow-clients measured
check slow-clients-slow-nobody not_more 1
check slow-clients-make-no-request-dearer not_more 2
cat "$T/figures"
for GATEWAY in "${FREE[0]}" "${BUSY[0]}"; do
    check ends-well gateway_ends
done
