# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# Neighbour messages that give an attacker's address somebody else's MAC, between his messages: nobody but he is blocked.
# The handheld 10.7.0.1, fd07::1, and behind its bridge br0 the attacker and a victim. Each way from an address of its own.

. tests/cli/lib_netns.sh
own_netns fmpd_framing "${1:-}" ip nft unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

VICTIM=00:00:5e:00:53:77
declare -A NS
host() { # NAME NUMBER MAC: another machine on the link
    netns_behind "$1" v1
    NS[$1]=$FAR
    ip link set "$1" master br0 up
    on "$1" ip link set v1 address "$3"
    on "$1" ip addr add "10.7.0.$2/24" dev v1
    on "$1" ip -6 addr add "fd07::$2/64" dev v1 nodad
    on "$1" ip link set v1 up
}
on() { # HOST COMMAND...
    nsenter -t "${NS[$1]}" -n "${@:2}"
}

ip link set lo up
ip link add br0 type bridge
ip addr add 10.7.0.1/24 dev br0
ip -6 addr add fd07::1/64 dev br0 nodad
ip link set br0 up
sysctl -qw net.ipv4.neigh.br0.locktime=0
export LOCKED=0.1
host attacker 66 00:00:5e:00:53:66
host victim 77 "$VICTIM"

layers_policy framing
# Two messages of this kind are too many.
sed -i 's|<block|<suspicion suspicious="50" malicious="100" half-life="1h"><event kind="dtd" rank="60"/></suspicion>&|' "$T/policy.xml"

decision() { field "select(.record == \"decision\") | $2" why "$1"; }
is_blocked() { [ "$(decision "$1" .state)" = "in force" ]; }
mac_is_free() { ! nft list ruleset | grep -q '[{ ]00:00:5e:00:53:'; }
answers() { on "$1" ping -qc1 -W1 "$2"; }

# The attacker has this address alone, and a MAC of which nobody remembers another one.
is_at() { # WAY ADDRESS/LENGTH
    ATTACKER=${MAC:-00:00:5e:00:53:$n}
    n=$((n + 1))
    on attacker ip link set v1 address "$ATTACKER"
    on attacker ip addr flush dev v1 scope global
    if [ "$1" = syn ]; then
        on attacker ip route replace 10.7.0.0/24 dev v1
    elif [[ $2 = *:* ]]; then
        on attacker ip addr add "$2" dev v1 nodad
    else
        on attacker ip addr add "$2" dev v1
    fi
    ip neigh flush dev br0
}
attack() { # WAY HOST ADDRESS/LENGTH
    is_at "$1" "$3"
    on attacker python3 tests/load/framing.py "$1" v1 "$2" "$PORT" "${3%/*}" "$VICTIM" 10.7.0.77 || return 1
    wait_for 5 is_blocked "${3%/*}"
    ctl why "${3%/*}" | tee "$T/why"
    is_blocked "${3%/*}"
}

# Without such messages his MAC is blocked, too.
unframed() { # HOST ADDRESS/LENGTH [WAY]
    attack "${3:-none}" "$1" "$2" && [ "$(decision "${2%/*}" .mac)" = "$ATTACKER" ] && answers victim 10.7.0.1 && ctl unblock "${2%/*}"
}

# Whoever takes the victim's MAC, too, while that is silent: it is remembered with the victim's good messages.
remembered() { # HOST ADDRESS/LENGTH
    local to=$1
    [[ $to = *:* ]] && to="[$to]"
    on victim curl -s -m 5 -o "$T/answer" -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' --data-binary "@$GOOD" \
        "http://$to:$PORT/orders" | grep -qx 200 && on victim ip link set v1 down || return 1
    MAC=$VICTIM attack none "$1" "$2" && grep -q 'an innocent address has the same MAC' "$T/why" && [ -z "$(decision "${2%/*}" .mac)" ] &&
        mac_is_free || return 1
    on attacker ip link set v1 address 00:00:5e:00:53:66
    on victim ip link set v1 up
    on victim ip -6 addr replace fd07::77/64 dev v1 nodad
    wait_for 10 answers victim "$1"
}

# framed WAY HOST ADDRESS WHY: blocked by its address alone, and why says so.
framed() {
    local way=$1 to=$2 own=$3 why=$4
    attack "$way" "$to" "$own" || return 1
    grep -q "$why" "$T/why" && [ -z "$(decision "${own%/*}" .mac)" ] && mac_is_free && answers victim 10.7.0.1 &&
        answers victim fd07::1 && [ -z "$(decision 10.7.0.77 .state)$(decision fd07::77 .state)" ]
}

service
if plane_layers "[::]:0"; then
    PORT=$(field 'select(.record == "gateway") | .listen' status | sed 's/.*://')
    wait_for 10 answers attacker 10.7.0.1
    wait_for 10 answers victim fd07::1
    carried='its own packets carried another MAC' changed='its neighbour entry named another MAC a short while ago'
    n=10
    check unframed-mac-is-blocked unframed 10.7.0.1 10.7.0.99/24
    check unframed-mac-is-blocked-ipv6 unframed fd07::1 fd07::99/64
    check mac-behind-long-options-is-blocked unframed fd07::1 fd07::98/64 options
    for way in arp-reply arp-announce arp-request arp-victim arp-back syn; do
        [ $way = arp-back ] || [ $way = syn ] && why=$changed || why=$carried
        check "$way-blocks-no-mac" framed "$way" 10.7.0.1 "10.7.0.$((100 + n))/24" "$why"
    done
    for way in na na-all ns; do
        check "$way-blocks-no-mac" framed "$way" fd07::1 "fd07::$((100 + n))/64" "$carried"
    done
    check mac-of-the-good-is-remembered remembered 10.7.0.1 "10.7.0.$((100 + n))/24"
    check mac-of-the-good-is-remembered-ipv6 remembered fd07::1 "fd07::$((100 + n))/64"
else
    check fmpd_starts false
fi
