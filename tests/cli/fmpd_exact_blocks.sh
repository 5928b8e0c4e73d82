# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# The counts of a mixed flood whose sources nft blocks while it goes on, with two reloads in it: those of the sender's
# device, of nft, of fmpctl stats and why, of the metrics and of the access log are the same.
#
# The handheld 10.7.0.1 is reached by one veth pair. Chains of the test's own stand right in front of those of fmpd
# and right behind them: what the first sees and the second does not, fmpd's chain has dropped. So TCP's
# retransmissions are counted as often as they come.

. tests/cli/lib_netns.sh
own_netns fmpd_exact_blocks "${1:-}" ip nft jq python3 unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ATTACKER=10.7.0.2 FRIEND=10.7.0.3 LIMITED=10.7.0.4
METRICS=127.0.0.1:39336

ip link set lo up
netns_behind v0 v1
nft -f - <<EOF2 || { echo "skip fmpd_exact_blocks: no nftables here"; exit 0; }
table netdev witness {
    counter before {
    }
    counter behind {
    }
    chain before {
        type filter hook ingress device "v0" priority -501
        counter name before
    }
    chain behind {
        type filter hook ingress device "v0" priority -499
        counter name behind
    }
}
table inet witness {
    counter before {
    }
    counter behind {
    }
    chain before {
        type filter hook prerouting priority -451
        iif "v0" counter name before
    }
    chain behind {
        type filter hook prerouting priority -449
        iif "v0" counter name behind
    }
}
EOF2
ip addr add 10.7.0.1/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add $ATTACKER/24 dev v1
far ip addr add $FRIEND/24 dev v1
far ip addr add $LIMITED/24 dev v1
far ip link set v1 up

# Frames of senders that answer nothing, in turn, until it is ended; then how many of each.
cat >"$T/flood.py" <<'EOF2'
import ipaddress, json, signal, socket, struct, sys, time

def ipv4(mac, source, protocol=17):
    body = struct.pack("!HHHH", 4000, 9, 16, 0) + b"fmpflood"
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(body), 7, 0, 64, protocol, 0,
                       socket.inet_aton(source), socket.inet_aton("10.7.0.1"))
    total = sum(struct.unpack("!10H", head))
    total = (total >> 16) + (total & 0xffff)
    head = head[:10] + struct.pack("!H", ~(total + (total >> 16)) & 0xffff) + head[12:]
    return sys.argv[1], mac, 0x0800, head + body

def ipv6(mac, source):
    body = struct.pack("!HHHH", 4000, 9, 16, 0) + b"fmpflood"
    return sys.argv[1], mac, 0x86dd, (struct.pack("!IHBB", 6 << 28, len(body), 17, 64) +
                                      ipaddress.ip_address(source).packed + ipaddress.ip_address("2001:db8:7::1").packed + body)

def arp(mac, source):
    raw = lambda text: bytes.fromhex(text.replace(":", ""))
    return "ff:ff:ff:ff:ff:ff", mac, 0x0806, (struct.pack("!HHBBH", 1, 0x0800, 6, 4, 1) + raw(mac) + socket.inet_aton(source) +
                                              bytes(6) + socket.inet_aton("10.7.0.1"))

kinds = {
    "ip": ipv4("02:00:00:00:00:0a", "10.7.0.66"),
    "other": ipv4("02:00:00:00:00:0b", "10.7.0.67", 50),
    "mac": ipv4("00:00:5e:00:53:0c", "10.7.0.68"),
    "arp": arp("00:00:5e:00:53:0c", "10.7.0.68"),
    "v6": ipv6("02:00:00:00:00:0d", "2001:db8:66::5"),
    "limit": ipv4("02:00:00:00:00:0e", "10.7.0.4"),
    "spared": ipv4("00:00:5e:00:53:0c", "10.7.0.200"),
    "free": ipv4("02:00:00:00:00:0f", "10.7.0.70"),
}
sent = dict.fromkeys(kinds, 0)
ended = []
signal.signal(signal.SIGTERM, lambda *_: ended.append(1))
out = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
out.bind(("v1", 0))
while not ended:
    for kind, (to, mac, proto, payload) in kinds.items():
        raw = bytes.fromhex((to + mac).replace(":", "")) + struct.pack("!H", proto) + payload
        sent[kind] += out.send(raw) == len(raw)
    time.sleep(0.001)
json.dump(sent, open(sys.argv[2], "w"))
EOF2

# Each request a line: the status, and how many bytes of the message were handed to a connection.
post_from() { # ADDRESS FILE
    far curl -s -m 2 -o /dev/null -w '%{http_code} %{size_upload}\n' --interface "$1" -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$2" http://10.7.0.1:8080/orders
}
friend() { until [ -e "$T/enough" ]; do post_from $FRIEND "$GOOD"; done >"$T/good"; }
attacker() { until [ -e "$T/enough" ]; do post_from $ATTACKER "$BAD"; done >"$T/bad"; }
limited() { until is_malicious $LIMITED; do post_from $LIMITED "$BAD"; done >"$T/limited"; }
is_malicious() { [ "$(field 'select(.record == "source") | .state' why "$1")" = malicious ]; }

stat_of() { ctl stats | awk -v n="$1" '$1 == n { print $2 }'; }
metric() { curl -s "http://$METRICS/metrics" | awk -v n="$1" '$1 == n { print $2 }'; }
packets() { nft -j list counter "$1" "$2" "$3" | jq '.nftables[] | select(.counter) | .counter.packets'; } # FAMILY TABLE NAME
# What the elements of a table's block sets have counted, of all or of one decision. From the text: nft's JSON leaves
# out the counter behind a limit.
elements() { # FAMILY [DECISION]
    nft list table "$1" fmp | grep -o 'counter packets [0-9]* bytes [0-9]* [^,}]*comment "fmp [0-9]*"' |
        awk -v id="\"${2:-}\"" '"\"" $NF == id || id == "\"\"" { sum += $3 } END { print sum + 0 }'
}
frames_of() { ctl --json why "$2" | jq --arg l "$1" '[.[] | select(.record == "answer" and .layer == $l) | .frames // 0] | add // 0'; } # LAYER SOURCE

# What a reload must not set back: the flood goes on until so many more are dropped.
dropped_more() { [ "$(packets netdev fmp blocked)" -ge $((MAC_WAS + 200)) ] && [ "$(packets inet fmp blocked)" -ge $((IP_WAS + 50)) ]; }
goes_on() {
    MAC_WAS=$(packets netdev fmp blocked) IP_WAS=$(packets inet fmp blocked)
    wait_for 30 dropped_more
}

# By hand: before a frame of theirs comes, so that each one counts.
blocks() { ctl block 10.7.0.66 && ctl block 10.7.0.67 --layers ip && ctl block 00:00:5e:00:53:0c && ctl block 2001:db8:66::5; }

# By what they send.
convicts() { wait_for 20 is_malicious $ATTACKER && wait_for 20 is_malicious $LIMITED && goes_on; }

# Another protected set, and another list of devices: both build the tables anew where they stand.
reloads() {
    sed -i 's|</protect>|<address>10.7.0.201</address>&|' "$T/policy.xml"
    reloaded && goes_on || return 1
    ip link add late0 type veth peer name late1 && ip addr add 10.8.0.1/24 dev late0 && ip link set late0 up || return 1
    wait_for 10 nft_has_late && goes_on || return 1
    sed -i 's|<enforce reconcile="30s"/>|<enforce reconcile="30s"><device layers="ip">late0</device></enforce>|' "$T/policy.xml"
    reloaded && ! nft_has_late && goes_on
}
nft_has_late() { nft list table netdev fmp | grep -q late0; }

flood_with_reloads() {
    local rc=0 senders
    blocks || return 1
    nsenter -t "$FAR" -n python3 "$T/flood.py" "$(ip -j link show v0 | jq -r '.[0].address')" "$T/sent" &
    senders=($!)
    pids+=($!)
    friend & senders+=($!)
    attacker & senders+=($!)
    limited & senders+=($!)
    convicts && reloads || rc=1
    : >"$T/enough"
    kill "${senders[0]}"
    wait "${senders[@]}" || rc=1
    # Nothing comes any more, not even what TCP sends again.
    far ip link set v1 down
    return $rc
}

same() { # WHAT N N...
    local what=$1 n first=$2
    shift
    for n; do
        [ -n "$n" ] && [ "$n" = "$first" ] || { echo "$what: $*"; return 1; }
    done
}

# The sender's device, the witnesses and the raw sender: nothing is lost on the way.
arrives() {
    local sum
    cat "$T/sent"
    sum=$(jq 'add' "$T/sent")
    [ "$(packets netdev witness before)" -gt "$sum" ] &&
        same "sent and arrived" "$(far ip -s -j link show v1 | jq '.[0].stats64.tx.packets')" "$(packets netdev witness before)"
}

# Layer by layer: what a chain dropped, what its table counts, its elements, stats and the metrics.
layer_agrees() { # LAYER FAMILY
    local dropped spared
    dropped=$(($(packets "$2" witness before) - $(packets "$2" witness behind))) spared=$(packets "$2" fmp protected)
    [ "$dropped" -gt 500 ] && same "$1 dropped" "$dropped" "$(packets "$2" fmp blocked)" "$(stat_of "layer/$1/dropped")" \
        "$(metric "fmp_dropped_total{layer=\"$1\"}")" "$(($(elements "$2") - spared))" &&
        same "$1 spared" "$spared" "$(stat_of "layer/$1/protected_hits")" "$(metric "fmp_protected_hits_total{layer=\"$1\"}")"
}

# Messages: what the senders handed over, stats, the metrics, the access log.
messages_agree() {
    local good bad
    good=$(grep -c '^200 [1-9]' "$T/good") bad=$(cat "$T/bad" "$T/limited" | grep -c ' [1-9][0-9]*$')
    [ "$(wc -l <"$T/good")" = "$good" ] && [ "$good" -gt 3 ] && [ "$bad" -gt 10 ] || { sort "$T/good" | uniq -c; return 1; }
    wait_for 10 told "$good" "$bad" || { ctl stats | grep gateway; return 1; }
    same good "$good" "$(stat_of status/good)" "$(metric 'fmp_messages_total{result="good"}')" \
        "$(metric 'fmp_gateway_messages_total{result="accepted"}')" "$(grep -c ' kind=good ' "$T/log/access")" &&
        same bad "$bad" "$(stat_of status/events)" "$(metric 'fmp_messages_total{result="bad"}')" \
            "$(metric 'fmp_gateway_messages_total{result="rejected"}')" "$(metric 'fmp_events_total{kind="schema"}')" \
            "$(grep -c ' kind=schema ' "$T/log/access")" &&
        same all "$((good + bad))" "$(wc -l <"$T/log/access")"
}
told() { [ "$(stat_of gateway/accepted)" = "$1" ] && [ "$(stat_of gateway/rejected)" = "$2" ] && [ "$(stat_of gateway/lost)" = 0 ]; }

# Block by block: its element, and what why says of it.
why_agrees() { # LAYER FAMILY
    local source id sum=0 n
    for source in $ATTACKER $LIMITED 10.7.0.66 10.7.0.67 00:00:5e:00:53:0c 2001:db8:66::5; do
        id=$(field 'select(.record == "decision") | .decision_id' why "$source") n=$(frames_of "$1" "$source")
        same "$1 $source" "$(elements "$2" "$id")" "$n" || return 1
        sum=$((sum + n))
    done
    same "$1 all" "$sum" "$(($(packets "$2" fmp blocked) + $(packets "$2" fmp protected)))"
}

# What was sent from a source that was blocked before, to a frame.
sent_agrees() {
    same "an address" "$(jq .ip "$T/sent")" "$(frames_of mac 10.7.0.66)" && same "above the MAC layer" 0 "$(frames_of ip 10.7.0.66)" &&
        same "an address on the IP layer" "$(jq .other "$T/sent")" "$(frames_of ip 10.7.0.67)" &&
        same "a MAC" "$(jq '.mac + .arp + .spared' "$T/sent")" "$(frames_of mac 00:00:5e:00:53:0c)" &&
        same "a prefix" "$(jq .v6 "$T/sent")" "$(frames_of mac 2001:db8:66::5)" &&
        same "what is protected behind a blocked MAC" "$(jq .spared "$T/sent")" "$(stat_of layer/mac/protected_hits)"
}

# fmpd built its tables three times, and said of none that somebody else did.
own_changes_are_no_others() { ! grep event=foreign "$T/fmpd.err"; }

mkdir -m 777 "$T/log"
service
layers_policy exact
sed -i "s|<gateway |<groups><group name=\"limited\" address=\"$LIMITED\" action=\"limit\" rate=\"5/s\"/></groups>&access-log=\"$T/log/access\" |
    s|<enforce|<protect><address>10.7.0.200</address></protect><metrics listen=\"$METRICS\"/>&|" "$T/policy.xml"
if plane_layers 10.7.0.1:8080; then
    check flood_with_reloads flood_with_reloads
    check nothing_is_lost_on_the_way arrives
    check layer_mac_agrees layer_agrees mac netdev
    check layer_ip_agrees layer_agrees ip inet
    check why_agrees_mac why_agrees mac netdev
    check why_agrees_ip why_agrees ip inet
    check sent_agrees sent_agrees
    check messages_agree messages_agree
    check own_changes_are_no_others own_changes_are_no_others
else
    check fmpd_starts false
fi
