# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# shellcheck disable=SC2154
#
# Framing by neighbour messages: nine attackers on the handheld's link for 45 s (FMP_FLOOD_SECONDS), each in a way and a
# network namespace of its own, with ever new addresses and MACs: bad messages, and 200 messages of the link a second that give the
# address a victim's MAC. No MAC but an attacker's own is blocked, nobody but the attackers is charged, and another client of the link is
# served: the 99th percentile of its times at most 1.5 times that of an idle gateway beside the attacked one.
#
# The handheld is 10.7.0.1 and fd07::1; behind its bridge br0 the victim .77, the client .50 and the attackers.

. tests/cli/lib_netns.sh
own_netns framing "${1:-}" ip nft unshare nsenter chrt jq

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

seconds=${FMP_FLOOD_SECONDS:-45}
VICTIM=00:00:5e:00:53:77
WAYS="arp-reply arp-announce arp-request arp-victim arp-back syn na na-all ns"
# So many seconds with each address.
TURN=6
declare -A NS

host() { # NAME NUMBER: another machine on the link
    netns_behind "$1" v1 address "00:00:5e:00:53:$2"
    NS[$1]=$FAR
    ip link set "$1" master br0 up
    on "$1" ip addr add "10.7.0.$2/16" dev v1
    on "$1" ip -6 addr add "fd07::$2/64" dev v1 nodad
    on "$1" ip link set v1 up
}
on() { # HOST COMMAND...
    nsenter -t "${NS[$1]}" -n "${@:2}"
}
answers() { on "$1" ping -qc1 -W1 "$2"; }

ip link set lo up
ip link add br0 type bridge
ip addr add 10.7.0.1/16 dev br0
ip -6 addr add fd07::1/64 dev br0 nodad
ip link set br0 up
sysctl -qw net.ipv4.neigh.br0.locktime=0
export LOCKED=0.1
host victim 77
host client 50

# attack WAY NUMBER: until it is ended, from 10.7.NUMBER.x or fd07::NUMBER:x.
attack() {
    local way=$1 number=$2 turn=1 own to length
    while :; do
        case $way in
            na* | ns) own=fd07::$number:$turn to=fd07::1 length=64 ;;
            *) own=10.7.$number.$turn to=10.7.0.1 length=16 ;;
        esac
        on "$way" ip link set v1 address "$(printf '00:00:5e:%d:00:%02d' "$number" "$turn")"
        on "$way" ip addr flush dev v1 scope global
        case $way in
            syn) on "$way" ip route replace 10.7.0.0/16 dev v1 ;;
            na* | ns) on "$way" ip addr add "$own/$length" dev v1 nodad ;;
            *) on "$way" ip addr add "$own/$length" dev v1 ;;
        esac
        on "$way" chrt --idle 0 python3 tests/load/framing.py "$way" v1 "$to" "$PORT" "$own" "$VICTIM" 10.7.0.77 "$TURN"
        turn=$((turn + 1))
    done
}

probe() {
    on client python3 tests/load/probe.py "$seconds" "10.7.0.1:$FREE_PORT" "10.7.0.1:$PORT" 10.7.0.50 "$message" | tee -a "$T/figures"
    return "${PIPESTATUS[0]}"
}

decided() { jq -r "select(.record == \"decision\" and .action == \"block\") | $1" "$T/watch.out"; }
charged() { jq -r 'select(.record == "event" and .kind != "good") | .addr' "$T/watch.out"; }

no_innocent_mac_is_blocked() {
    decided .mac_veto | sort | uniq -c | tee -a "$T/figures"
    ! decided '.mac // empty' | grep '^00:00:5e:00:53:' && ! nft list ruleset | grep '[{ ]00:00:5e:00:53:'
}

# And each way was noticed.
only_attackers_are_charged() {
    local n=10 way
    for way in $WAYS; do
        charged | grep -Eq "^(10\\.7\\.$n\\.|fd07::$n:)" || { echo "$way was not noticed"; return 1; }
        n=$((n + 1))
    done
    ! charged | grep -Ev '^(10\.7\.1[0-8]\.|fd07::1[0-8]:)'
}

message=$GOOD
service
layers_policy framing
sed -i -e 's|<block|<suspicion suspicious="50" malicious="100" half-life="1h"><event kind="dtd" rank="60"/></suspicion>&|' \
    -e 's|BcV|Bc|' "$T/policy.xml"
start free "$BIN/fmp-gateway" --policy "$T/policy.xml" --listen 10.7.0.1:0 --backend "$BACKEND"
listening free
FREE_PORT=$PORT
plane_layers "[::]:0" || { check fmpd_starts false; exit; }
PORT=$(field 'select(.record == "gateway") | .listen' status | sed 's/.*://')
start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
wait_for 10 answers victim 10.7.0.1
wait_for 10 answers client 10.7.0.1
wait_for 10 grep -q . "$T/watch.out"
n=10
for way in $WAYS; do
    host "$way" "$n"
    attack "$way" "$n" >>"$T/attackers" 2>&1 &
    pids+=($!)
    n=$((n + 1))
done
check others-are-served-while-attackers-frame twice probe
check no-innocent-mac-is-blocked-by-neighbour-messages no_innocent_mac_is_blocked
check attackers-alone-are-charged only_attackers_are_charged
sed 's/^/   /' "$T/figures"
