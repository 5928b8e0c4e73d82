# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# The decrypt budget of a remote service is that of its source key, as ranks and blocks are: a host with many IPv6 addresses
# of one prefix has one (invariant 13). In a network namespace, for its addresses.

. tests/cli/lib_netns.sh
own_netns gateway-decrypt-budget "${1:-}" ip
. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

CBC=$VECTORS/good/wss4j-enc-cbc256-1k.xml

# call SERVICE: prints the status of the call.
call() {
    curl -s -m 20 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'SOAPAction: ""' -H 'Expect:' \
        --data-binary '<any>thing</any>' "http://127.0.0.1:$PORT/$1"
}

# answer_with FILE: what the service sends from now on.
answer_with() {
    { echo '200 text/xml; charset=utf-8'; cat "$1"; } >"$T/said"
}

# The cipher text has another letter in each.
spend_budget() {
    local n status
    for n in 41 42 43 44 45 46; do
        sed "s|\(<xenc:CipherValue>[^<]\{$n\}\).\([^<]\{400,\}</xenc:CipherValue>\)|\1=\2|" "$CBC" >"$T/changed.xml"
        ! cmp -s "$T/changed.xml" "$CBC" || { echo "nothing is changed"; return 1; }
        answer_with "$T/changed.xml"
        status=$(call one)
        [ "$status" = 500 ] || { echo "status $status"; return 1; }
    done
}

budget_is_spent() { # SERVICE
    local status
    answer_with "$CBC"
    status=$(call "$1")
    [ "$status" = 502 ] || { echo "status $status"; return 1; }
    grep -q 'under CBC too many messages did not decrypt' "$T/gateway.err" || { tail "$T/gateway.err"; return 1; }
}

passes() { # SERVICE
    local status
    answer_with "$CBC"
    status=$(call "$1")
    [ "$status" = 200 ] || { echo "status $status"; tail "$T/gateway.err"; return 1; }
}

ip link set lo up
for address in fd00:7::1 fd00:7::2 fd00:8::1; do
    ip address add "$address/128" dev lo nodad
done
: >"$T/said"
HOST=:: start remote python3 tests/cli/remote.py "$T/said" "$T/remote.log"
listening remote
cat >"$T/policy.xml" <<EOF
<policy xmlns="urn:fmp:policy:1" name="budget">
  <gateway security="BcE" user="nobody" schema="$PWD/$VECTORS/orders.xsd" key="$PWD/$VECTORS/pki/server.key" max-age="0">
    <algorithms encryption="aes128-cbc aes256-cbc"/>
    <services>
      <client name="one" path="/one" backend="http://[fd00:7::1]:$PORT/ws"/>
      <client name="two" path="/two" backend="http://[fd00:7::2]:$PORT/ws"/>
      <client name="other" path="/other" backend="http://[fd00:8::1]:$PORT/ws"/>
    </services>
  </gateway>
</policy>
EOF
start gateway "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 127.0.0.1:0 --verbose
GATEWAY=$!
listening gateway
wait_for 20 grep -q ready "$T/gateway.err"

check passes passes two
check six-are-tried spend_budget
check address-is-refused budget_is_spent one
check other-address-of-the-key-is-refused budget_is_spent two
check other-host-passes passes other
check gateway-ends-well gateway_ends
