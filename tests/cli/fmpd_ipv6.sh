# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# IPv6 attackers on the handheld's own link, whose /64 holds the handheld's address and so can't
# be blocked: the handheld fd07::1, and behind its bridge br0 the hosts "far" and "near".

. tests/cli/lib_netns.sh
own_netns fmpd_ipv6 "${1:-}" ip nft unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

declare -A NS
host() { # NAME ADDR MAC: another machine on the link
    netns_behind "$1" v1
    NS[$1]=$FAR
    ip link set "$1" master br0 up
    on "$1" ip link set v1 address "$3"
    on "$1" ip -6 addr add "$2/64" dev v1 nodad
    on "$1" ip link set v1 up
}
on() { # HOST COMMAND...
    local host=$1
    shift
    nsenter -t "${NS[$host]}" -n "$@"
}

ip link set lo up
ip link add br0 type bridge
ip -6 addr add fd07::1/64 dev br0 nodad
ip link set br0 up
host far fd07::66 00:00:5e:00:53:66
host near fd07::77 00:00:5e:00:53:77

layers_policy test
# The network has translators of its own, beside the well-known ones.
sed -i 's|</policy>|<nat64 prefix="2001:db8:64::/96 2001:db8:65::/48"/></policy>|' "$T/policy.xml"
up() { plane_layers "[fd07::1]:8080"; }

send_bad() { # HOST [OPTION...]
    on "$1" curl "${@:2}" -s -m 2 -o /dev/null -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$BAD" 'http://[fd07::1]:8080/orders'
}
source_of() { field "select(.record == \"source\") | $2" why "$1"; }
decision() { field "select(.record == \"decision\") | $2" why "$1"; }
blocked_after_sending() { # HOST ADDR
    send_bad "$1"
    [ "$(source_of "$2" .state)" = malicious ]
}
answers() { on "$1" ping -qc1 -W1 "${@:2}" fd07::1; }
silent() { ! answers "$@"; }

# The /64 can't be blocked; the attacker in it is, with his MAC, and nobody else.
attacker_of_the_own_64_is_blocked() {
    wait_for 10 answers near && send_bad near
    wait_for 10 blocked_after_sending far fd07::66 || { cat "$T/fmpd.err"; return 1; }
    ctl why fd07::66 >"$T/why"
    cat "$T/why"
    [ "$(decision fd07::66 '"\(.addr) \(.mac)"')" = "fd07::66 00:00:5e:00:53:66" ] &&
        grep -Eq '^  ip +enforced +enforced' "$T/why" && grep -Eq '^  mac +enforced +enforced' "$T/why" || return 1
    silent far && answers near && [ "$(source_of fd07::77 .state)" = clean ] || return 1
    # Nor does another address help him.
    on far ip -6 addr add fd07::67/64 dev v1 nodad && silent far -I fd07::67
}

# Of each address of the /64, blocked or not.
why_says_by_what_it_is_watched() {
    local a
    for a in fd07::66 fd07::77 fd07::1234; do
        ctl why "$a" >"$T/why"
        cat "$T/why"
        grep -q 'watched by itself: fd07::/64 .* fd07::1 (own)' "$T/why" &&
            [ "$(source_of "$a" '"\(.prefix) \(.holds) \(.origin)"')" = "fd07::/64 fd07::1 own" ] || return 1
    done
    [ -z "$(source_of fd07::1 .prefix)$(source_of 2001:db8::1 .prefix)" ] &&
        ctl why fd07::1 | grep -q 'never blocked; protected: own'
}

block_is_adopted() {
    local id
    id=$(decision fd07::66 .decision_id)
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    up && silent far && answers near && [ "$(decision fd07::66 .decision_id)" = "$id" ] &&
        ctl unblock fd07::66 && wait_for 5 answers far
}

# fe80::/64 holds the handheld's own address, too.
link_local_attacker_is_blocked() {
    local own addr _
    own=$(link_local ip -6 -o addr show dev br0)
    addr=$(link_local on far ip -6 -o addr show dev v1)
    wait_for 10 on far ping -qc1 -W1 "$own%v1" || return 1
    for _ in 1 2; do ctl report "$addr" crash; done
    ctl why "$addr"
    # His own other addresses, fd07::66 and fd07::67, do not vouch for his MAC.
    [ "$(decision "$addr" '"\(.addr) \(.mac)"')" = "$addr 00:00:5e:00:53:66" ] && ! on far ping -qc1 -W1 "$own%v1" && answers near &&
        ctl unblock "$addr" && wait_for 5 answers far
}
link_local() { "$@" scope link | sed 's/.*inet6 \([^/]*\).*/\1/'; }

# holds HOST ADDR: as many connections without a byte as one source may have, and one more; HELD ends them.
holds() {
    on "$1" python3 - "$2" >"$T/held" <<'PY' &
import socket, sys, time
held = []
for _ in range(33):
    held.append(socket.socket(socket.AF_INET6))
    held[-1].bind((sys.argv[1], 0))
    held[-1].connect(("fd07::1", 8080))
print("held", flush=True)
time.sleep(600)
PY
    HELD=$!
    pids+=("$HELD")
    wait_for 10 grep -q held "$T/held"
}
sends_good() { # HOST [OPTION...]
    [ "$(on "$1" curl "${@:2}" -s -m 3 -o /dev/null -w '%{http_code}' -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$GOOD" 'http://[fd07::1]:8080/orders')" = 200 ]
}
charged() { [ "$(source_of "$1" .events)" -gt 0 ]; }

# Who holds all that one source may have is refused more, and charged; his neighbour is served, and is not.
neighbours_connections_are_his_own() {
    local rc=0 before
    before=$(source_of fd07::77 .events)
    host gate fd07::99 00:00:5e:00:53:99
    wait_for 10 answers gate && wait_for 5 answers near && holds gate fd07::99 || return 1
    wait_for 5 charged fd07::99 && sends_good near && sends_good near || rc=1
    [ "$(source_of fd07::77 .events)" = "$before" ] && [ "$(source_of fd07::99 .addr)" = fd07::99 ] || { ctl sources; rc=1; }
    kill "$HELD"
    return "$rc"
}

# Two IPv4 hosts behind a translator share a /64 with all of IPv4, and nothing else.
translated_hosts_are_sources() {
    local a bad good net
    for net in 64:ff9b::@ 64:ff9b:1::7:@ 2001:db8:64::@; do
        bad=${net/@/c633:6401} good=${net/@/c633:6402}
        for a in "$bad" "$good"; do on gate ip -6 addr add "$a/128" dev v1 nodad && ip -6 route add "$a" via fd07::99 || return 1; done
        holds gate "$bad" || return 1
        wait_for 5 charged "$bad" && sends_good gate --interface "$good" || { echo "$good is not served"; kill "$HELD"; return 1; }
        kill "$HELD"
        wait_for 10 blocked_by_translation "$bad" || { ctl sources; return 1; }
        [ "$(decision "$bad" .addr)" = "$bad" ] || { ctl why "$bad"; return 1; }
        sends_good gate --interface "$good" && ! sends_good gate --interface "$bad" || { ctl why "$bad"; nft list ruleset; return 1; }
        [ "$(source_of "$good" .events)" = 0 ] && ctl unblock "$bad" || { ctl why "$good"; return 1; }
    done
    # RFC 6052 2.2, 48 bits: the address stands around a byte of zeros.
    for _ in 1 2; do ctl report 2001:db8:65:c633:64:100:: crash || return 1; done
    [ "$(decision 2001:db8:65:c633:64:100:: .addr)" = 2001:db8:65:c633:64:100:: ] &&
        [ "$(source_of 2001:db8:65:c633:64:200:: .state)" = unknown ] && ctl unblock 2001:db8:65:c633:64:100::
}
blocked_by_translation() { # ADDR
    send_bad gate --interface "$1"
    [ "$(source_of "$1" .state)" = malicious ]
}

# An IPv4 host that comes by two translators is one: its points add up, and each form that is bad is blocked. A message
# has 10 points here, and 25 are too many.
host_behind_two_translators() {
    local one=64:ff9b::c633:6405 two=2001:db8:64::c633:6405 a
    for a in "$one" "$two" "$two"; do ctl report "$a" schema || return 1; done
    ctl sources | grep -E "^$two +198.51.100.5 +malicious" && ctl sources | grep -E "^$one +198.51.100.5 +clean" || { ctl sources; return 1; }
    ctl why "$two"
    [ "$(decision "$two" '"\(.addr) \(.ipv4)"')" = "$two 198.51.100.5" ] &&
        decision "$two" .reason | grep -q 'by all forms of 198.51.100.5' &&
        [ "$(source_of "$one" '.host_rank >= .malicious')" = true ] && [ "$(source_of 64:ff9b::c633:6406 '"\(.host_rank) \(.state)"')" = 'null unknown' ] &&
        ctl why "$one" | grep -q 'it is the IPv4 host 198.51.100.5, behind a translator' || return 1
    ctl report "$one" schema && [ "$(source_of "$one" .state)" = malicious ] && ctl blocks | grep -E "$one +198.51.100.5" || { ctl blocks; return 1; }
    [ "$(ctl sources 198.51.100.5 | grep -c 198.51.100.5)" = 2 ] && [ "$(source_of 198.51.100.5 '"\(.addr) \(.state)"')" = "$one malicious" ] || return 1
    # By its IPv4 address all of them end, and nothing is left of their points; by a form that one.
    ctl unblock 198.51.100.5 && [ -z "$(ctl --json blocks | jq -r '.[] | select(.ipv4 == "198.51.100.5") | .addr')" ] || { ctl blocks; return 1; }
    ctl report "$one" schema && ctl report "$two" schema && [ "$(source_of "$two" .state)" = clean ] || return 1
    for a in "$two" "$one"; do ctl report "$a" schema || return 1; done
    ctl unblock "$two" && [ "$(source_of "$one" .state)" = malicious ] && ctl unblock 198.51.100.5 && ! ctl unblock 198.51.100.5 || return 1
    # It is protected under all its names.
    ctl protect add 198.51.100.5 && ! ctl block "$one" && ctl why "$two" | grep 'never blocked; protected: manual (198.51.100.5)' &&
        ctl protect del 198.51.100.5
}

# So are its connections, and nobody else's.
connections_by_two_translators() {
    local rc=0 a
    for a in 64:ff9b::c633:6407 2001:db8:64::c633:6407 2001:db8:64::c633:6408; do
        on gate ip -6 addr add "$a/128" dev v1 nodad && ip -6 route add "$a" via fd07::99 || return 1
    done
    sends_good gate --interface 2001:db8:64::c633:6407 && holds gate 64:ff9b::c633:6407 && wait_for 5 charged 64:ff9b::c633:6407 || return 1
    ! sends_good gate --interface 2001:db8:64::c633:6407 && sends_good gate --interface 2001:db8:64::c633:6408 || rc=1
    kill "$HELD"
    return "$rc"
}

# Of a /64 that holds nobody protected all are one source.
another_64_is_one_source() {
    ctl report 2001:db8:9::1 crash && ctl report 2001:db8:9::2 crash || return 1
    [ "$(decision 2001:db8:9::3 .addr)" = 2001:db8:9::/64 ] && ctl unblock 2001:db8:9::/64
}

# One bad message from each of so many new addresses of far; they stand in $T/addresses.
rotate() { # FIRST LAST
    local n a
    for n in $(seq "$1" "$2"); do
        a=fd07::6:$n
        on far ip -6 addr add "$a/64" dev v1 nodad && send_bad far --interface "$a"
        wait_for 5 seen "$a" || return 1
        echo "$a: $(source_of "$a" '"\(.events) message, rank \(.rank) of \(.malicious), \(.state)"')"
    done
}
seen() { [ "$(source_of "$1" .events)" = 1 ]; }

# Who stays below the threshold with each of his addresses is blocked nevertheless: by the last one, and his MAC.
attacker_that_changes_his_address() {
    # Three of 10 points each are too many, two are not.
    sed -i 's|<block|<suspicion suspicious="22" malicious="25" half-life="1h"/>&|' "$T/policy.xml"
    ctl flush >/dev/null && ctl policy reload >/dev/null && wait_for 5 answers far && wait_for 5 answers near && send_bad near
    rotate 1 3 || return 1
    ctl why fd07::6:3
    [ "$(source_of fd07::6:1 .state)" != malicious ] && [ "$(source_of fd07::6:2 .state)" != malicious ] &&
        [ "$(decision fd07::6:3 '"\(.addr) \(.mac)"')" = "fd07::6:3 00:00:5e:00:53:66" ] &&
        decision fd07::6:3 .reason | grep -q 'by the addresses of MAC 00:00:5e:00:53:66' || return 1
    silent far && silent far -I fd07::6:1 && answers near && [ "$(source_of fd07::77 .state)" != malicious ] || return 1
    # The sum is a source's by itself, that decides nothing.
    [ "$(source_of 00:00:5e:00:53:66 '.rank >= .malicious')" = true ] &&
        [ "$(source_of fd07::6:1 '.rank < .malicious and .mac_rank >= .malicious')" = true ] &&
        ctl why fd07::6:1 | grep -Eq '^  with all addresses of its MAC: rank (2[5-9]|30)$'
}

# Where no MAC may be blocked each further address is, as soon as it is used, and those alone.
attacker_whose_mac_is_spared() {
    ctl flush >/dev/null && sed -i 's/mac="yes"/mac="no"/' "$T/policy.xml" && ctl policy reload >/dev/null && wait_for 5 answers far || return 1
    rotate 11 14 || return 1
    [ "$(source_of fd07::6:12 .state)" != malicious ] && [ "$(decision fd07::6:13 '"\(.addr) \(.mac)"')" = "fd07::6:13 null" ] &&
        [ "$(decision fd07::6:14 '"\(.addr) \(.mac)"')" = "fd07::6:14 null" ] || return 1
    silent far -I fd07::6:13 && silent far -I fd07::6:14 && answers far -I fd07::6:12 && answers near
}

# What was seen of him is played again: the own /64, the sum under his MAC, the MAC in each decision and
# the /64 of others, all as they were.
invariant7_replayed() {
    local decided='{addr, mac, mac_veto, duration_ms, reason: (.reason | sub("^rank [0-9]+"; "rank"))}'
    ctl flush >/dev/null
    plane_ends
    rm -f "$T/state"
    sed -i 's/mac="no"/mac="yes"/' "$T/policy.xml"
    up && wait_for 5 answers far || return 1
    start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
    wait_for 5 grep -q '"fd07::1"' "$T/watch.out" || return 1
    rotate 21 23 || return 1
    for _ in 1 2 3; do ctl report 2001:db8:9::1 schema; done
    # Another address of our own: its /64 holds a protected one now.
    ip -6 addr add 2001:db8:8::1/64 dev br0 nodad
    wait_for 10 grep -q '"2001:db8:8::1".*"new"' "$T/watch.out" || return 1
    for _ in 1 2 3; do ctl report 2001:db8:8::6 schema; done
    wait_for 5 grep -q '"decision".*"2001:db8:8::6"' "$T/watch.out" || return 1
    grep '"record":"event"' "$T/watch.out" | head -n 1
    jq -c "select(.record == \"decision\") | $decided" "$T/watch.out" >"$T/real"
    "$BIN/fmpctl" --json replay --policy "$T/policy.xml" "$T/watch.out" |
        jq -c ".[] | select(.record == \"block\") | $decided" >"$T/again"
    cat "$T/real"
    diff "$T/real" "$T/again" && [ "$(wc -l <"$T/real")" = 3 ] && grep -q '"fd07::6:23","mac":"00:00:5e:00:53:66"' "$T/real" &&
        grep -q '"2001:db8:9::/64"' "$T/real"
}

service
if up; then
    check attacker_of_the_own_64_is_blocked attacker_of_the_own_64_is_blocked
    check why_says_by_what_it_is_watched why_says_by_what_it_is_watched
    check block_is_adopted block_is_adopted
    check link_local_attacker_is_blocked link_local_attacker_is_blocked
    check another_64_is_one_source another_64_is_one_source
    check attacker_that_changes_his_address attacker_that_changes_his_address
    check attacker_whose_mac_is_spared attacker_whose_mac_is_spared
    check invariant7_replayed invariant7_replayed
    check neighbours_connections_are_his_own neighbours_connections_are_his_own
    check translated_hosts_are_sources translated_hosts_are_sources
    check host_behind_two_translators host_behind_two_translators
    check connections_by_two_translators connections_by_two_translators
else
    check fmpd_starts false
fi
