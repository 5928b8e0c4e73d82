# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# Floods by single peers: records of TLS, and places that are held. For 45 s each (FMP_FLOOD_SECONDS), those of a
# kind at once, each from an address of its own. Meanwhile another client asks this gateway and an idle one in turns: the
# 99th percentile of its times is at most 1.5 times that of the idle gateway, and the flooding addresses alone are charged.
#
# The flooders run when nothing else does (SCHED_IDLE): what is measured is the gateway, not that the machine has two processors. Each
# of the TLS floods held a gateway without bounds for seconds with one connection, at whatever priority it was sent.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

seconds=${FMP_FLOOD_SECONDS:-45}
message=$VECTORS/plain/plain-1k.xml
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$T/gw.key" -out "$T/gw.crt" -days 2 \
    -subj /CN=gw -addext subjectAltName=IP:127.0.0.1 2>/dev/null
chmod 644 "$T/gw.key"

# two_gateways KIND CONNECTIONS CHILD...: an idle one, FREE, and one for the floods, BUSY.
two_gateways() {
    local kind=$1 one
    policy 'workers="1" security="Bc"' '' 'header="5s" body="5s" idle="15s"' "$2" "${3:-}"
    for one in free busy; do
        start "$kind-$one" "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --backend "$BACKEND" --verbose
        GATEWAY=$!
        listening "$kind-$one"
        declare -ga "${one^^}=($GATEWAY $PORT)"
    done
}

flooder() { # COMMAND...
    chrt --idle 0 "$@" >>"$T/flooders" 2>&1 &
    pids+=($!)
    flooders+=($!)
}

probe() { # [CA]
    python3 tests/load/probe.py "$seconds" "${FREE[1]}" "${BUSY[1]}" 127.0.0.2 "$message" "$@" | tee -a "$T/figures"
    return "${PIPESTATUS[0]}"
}

# Each flood was there until the end, and is one that the gateway noticed.
only_flooders_are_charged() { # KIND ADDRESS...
    local kind=$1 address
    shift
    grep '^event ' "$T/$kind-busy.err" | grep -v 'kind=good' | sed 's/.* source=\([^ ]*\) .*/\1/' | sort | uniq -c | tee -a "$T/figures"
    ! grep '^event ' "$T/$kind-free.err" | grep -v 'kind=good' || return 1
    ! grep '^event .* source=127.0.0.2 ' "$T/$kind-busy.err" | grep -v 'kind=good' || return 1
    for address; do
        grep -q "^event .* source=$address " "$T/$kind-busy.err" || { echo "$address was not noticed"; return 1; }
    done
}

flooders_end() {
    kill "${flooders[@]}" 2>/dev/null
    wait "${flooders[@]}" 2>/dev/null
    flooders=()
    return 0
}

flooders=()
service
two_gateways tls '' "<tls certificate='$T/gw.crt' key='$T/gw.key'/>"
n=11
for kind in keyupdate keyupdate-asked hello-again alerts empty padded pieces byte-wise given-up; do
    flooder python3 tests/cli/tls_flood.py "$kind" "${BUSY[1]}" "127.0.0.$n" 5000 $((2 * seconds + 5))
    n=$((n + 1))
done
check others-are-served-in-floods-of-records twice probe "$T/gw.crt"
flooders_end
check records-are-charged-to-who-sends-them only_flooders_are_charged tls 127.0.0.1{1,2,3,4,5,6,7,8,9}
for GATEWAY in "${FREE[0]}" "${BUSY[0]}"; do
    check ends-well gateway_ends
done

two_gateways slots 'max="64" per-source="16"'
n=21
for way in silent header body idle reader newline pipelined; do
    flooder python3 tests/load/hold_slots.py "$way" "${BUSY[1]}" "127.0.0.$n" $((2 * seconds + 5)) 16 "$message"
    n=$((n + 1))
done
check others-are-served-while-places-are-held twice probe
flooders_end
check places-are-charged-to-who-holds-them only_flooders_are_charged slots 127.0.0.2{1,2,3}
for GATEWAY in "${FREE[0]}" "${BUSY[0]}"; do
    check ends-well gateway_ends
done
sed "s/^/   /" "$T/figures"
