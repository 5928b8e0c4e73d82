# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# The network's own NAT64 prefix, as its router advertises it (RFC 8781) and as its name server tells it (RFC 7050):
# behind it two IPv4 hosts are two sources. "far" is the router, the translator and the name server.

. tests/cli/lib_netns.sh
own_netns fmpd_nat64 "${1:-}" ip nft unshare nsenter python3

if ! unshare -m true 2>/dev/null; then
    echo 'skip fmpd_nat64: needs a namespace of mounts'
    exit 0
fi

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

netns_behind v0 v1
ip link set lo up
sysctl -qw net.ipv6.conf.v0.accept_ra=2 net.ipv6.conf.v0.autoconf=0 net.ipv6.conf.v0.accept_dad=0
ip -6 addr add 2001:db8:1::1/64 dev v0 nodad
ip link set v0 up
far ip link set lo up
# One that does not forward says so, and is a default router no longer (RFC 4861 7.2.5).
far sysctl -qw net.ipv6.conf.all.forwarding=1 net.ipv6.conf.v1.accept_ra=0 net.ipv6.conf.v1.accept_dad=0
far ip -6 addr add 2001:db8:1::66/64 dev v1 nodad
far ip link set v1 up
RA64=2001:db8:64::/96 DNS48=2001:db8:65::/48

layers_policy test
up() { plane_layers "[2001:db8:1::1]:8080"; }
says() { far python3 tests/cli/nat64.py ra v1 "$@"; }
prefixes() { ctl --json status | jq -r '.[] | select(.record == "nat64") | "\(.addr) \(.origin)"' | sort | paste -sd,; }
knows() { [ "$(prefixes)" = "$1" ]; }
knows_of() { prefixes | grep -qF "$1"; }
finder() { pgrep -P "$FMPD" -x fmp-nat64; }
source_of() { field "select(.record == \"source\") | $2" why "$1"; }
decision() { field "select(.record == \"decision\") | $2" why "$1"; }
as() { # ADDR FILE: a message of a host behind the translator
    far curl -g -s -m 3 -o /dev/null -w '%{http_code}' --interface "$1" -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$2" 'http://[2001:db8:1::1]:8080/orders'
}
blocked_after_sending() { # ADDR
    as "$1" "$BAD" >/dev/null
    [ "$(source_of "$1" .state)" = malicious ]
}
host() { far ip -6 addr add "$1/128" dev v1 nodad; }

# Whose address is none of ours says so in vain, until it is a default router.
finder_has_no_rights() {
    local pid
    pid=$(finder) || { pgrep -aP "$FMPD"; return 1; }
    grep -E '^(Uid|CapEff|CapBnd|NoNewPrivs|Seccomp):' "/proc/$pid/status" | tee "$T/rights"
    grep -q $'^CapEff:\t0*$' "$T/rights" && grep -q $'^NoNewPrivs:\t1$' "$T/rights" && grep -q $'^Seccomp:\t2$' "$T/rights" &&
        ! grep -q $'^Uid:\t0\t' "$T/rights" && ls -l "/proc/$pid/fd" &&
        [ "$(find "/proc/$pid/fd" -type l -printf '%l\n' | grep -cv '^/dev/null$\|^pipe:\|^/')" = 2 ]
}

# before its prefix is known all behind the translator are one source
advertised_prefix_is_known() {
    says 0 2001:db8:64:: 96 600
    says 1800 2001:db8:64:: 96 600
    wait_for 10 knows "$RA64 RFC 8781" || { prefixes; cat "$T/fmpd.err"; return 1; }
    ctl status
    ctl status | grep -Eq "^NAT64 +$RA64 by RFC 8781, for another (9min|10min|5[0-9]s)" &&
        grep -q "$RA64 is the prefix of a translator by RFC 8781, for 600s" "$T/fmpd.err"
}

hosts_behind_it_are_sources() { # BAD GOOD
    [ "$(as "$2" "$GOOD")" = 200 ] && wait_for 10 blocked_after_sending "$1" || { ctl sources; return 1; }
    [ "$(decision "$1" .addr)" = "$1" ] && [ "$(as "$2" "$GOOD")" = 200 ] && [ "$(as "$1" "$GOOD")" = 000 ] || { ctl why "$1"; ctl why "$2"; return 1; }
    [ "$(source_of "$2" '"\(.addr) \(.events)"')" = "$2 0" ]
}

# Blocks stay where they were put, whatever becomes of the prefix.
prefix_is_taken_back() {
    says 1800 2001:db8:64:: 96 0
    wait_for 10 knows "" || { prefixes; return 1; }
    grep -q "$RA64 (RFC 8781) is no prefix of a translator any more: it was taken back" "$T/fmpd.err" &&
        [ "$(decision 2001:db8:64::c633:6401 .state)" != over ] && [ "$(as 2001:db8:64::c633:6401 "$GOOD")" = 000 ] &&
        [ "$(as 2001:db8:64::c633:6402 "$GOOD")" = 200 ]
}

# A prefix with our own address in it is not the translator's, nor is one of a length that none has; and who is no
# default router is not heard.
rogue_prefixes_are_not_taken() {
    says 1800 2001:db8:1:: 64 600 2001:db8:1:: 96 600 2001:db8:: 32 600 fe80:: 64 600 ::ffff:0:0 96 600
    wait_for 5 grep -q '2001:db8::/32 is said to be a translator.s prefix, and is not taken for one' "$T/fmpd.err" &&
        grep -q '2001:db8:1::/96 is said' "$T/fmpd.err" || { cat "$T/fmpd.err"; return 1; }
    says 0
    wait_for 5 no_default_route || return 1
    says 0 2001:db8:66:: 96 600
    says 1800 2001:db8:64:: 96 600
    wait_for 10 knows "$RA64 RFC 8781" || { prefixes; return 1; }
}
no_default_route() { ! ip -6 route show default | grep -q via; }

router_goes_with_its_prefix() {
    says 0
    wait_for 10 knows "" || { ip -6 route; prefixes; return 1; }
}

# The name server is asked as soon as there is a way into the network.
resolved_prefix_is_known() {
    printf '20 2001:db8:65:c000:0:aa00::\n20 2001:db8:65:c000:0:ab00::\n' >"$T/records"
    says 1800
    wait_for 20 knows "$DNS48 RFC 7050" || { prefixes; cat "$T/fmpd.err" "$T/dns.out"; return 1; }
}
# Before its time is over it is asked again, and what is there no more goes.
resolved_prefix_is_asked_again() {
    local before
    before=$(grep -c asked "$T/dns.out")
    printf '20 2001:db8:66:c000:0:aa00::\n' >"$T/records"
    wait_for 30 knows "2001:db8:66::/48 RFC 7050" || { prefixes; return 1; }
    [ "$(grep -c asked "$T/dns.out")" -gt "$before" ] || return 1
    : >"$T/records"
    wait_for 30 knows "" || { prefixes; return 1; }
}

finder_is_replaced() {
    local pid
    pid=$(finder)
    kill -9 "$pid"
    wait_for 20 another_finder "$pid" || return 1
    says 1800 2001:db8:64:: 96 600
    wait_for 10 knows "$RA64 RFC 8781"
}
another_finder() {
    local pid
    pid=$(finder) && [ "$pid" != "$1" ]
}

policy_says_no() {
    sed -i 's|</policy>|<nat64 discover="no"/></policy>|' "$T/policy.xml"
    ctl policy reload || return 1
    wait_for 5 knows "" && ! finder
}

# All that was seen is played again: the prefixes as they came and went, and so the same decisions.
watch_is_played_again() {
    local decided='{addr, duration_ms, reason: (.reason | sub("rank [0-9]+"; "rank"))}'
    jq -c 'select(.record == "nat64") | "\(.addr) \(.state)"' "$T/watch.out" | paste -sd' ' | tee "$T/nat64"
    grep -qF "\"$RA64 new\" \"$RA64 gone\" \"$RA64 new\" \"$RA64 gone\" \"$DNS48 new\" \"$DNS48 gone\"" "$T/nat64" || return 1
    jq -c 'select(.record == "nat64")' "$T/watch.out" >"$T/records.json" && ctl --json status >"$T/status.json" &&
        python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/records.json" "$T/status.json" | grep -qx nat64 || return 1
    jq -c "select(.record == \"decision\" and .action == \"block\") | $decided" "$T/watch.out" >"$T/real"
    "$BIN/fmpctl" --json replay --policy "$T/policy.xml" "$T/watch.out" |
        jq -c ".[] | select(.record == \"block\") | $decided" >"$T/again"
    cat "$T/real"
    diff "$T/real" "$T/again" && [ "$(wc -l <"$T/real")" = 2 ]
}

mkdir "$T/etc"
# The second one is an IPv4 host behind the translator: protected, and no reason not to take the prefix.
printf "nameserver 2001:db8:1::66\nnameserver 2001:db8:64::192.0.2.53\n" >"$T/etc/resolv.conf"
: >"$T/records"
chmod 755 "$T/etc" && chmod 644 "$T/etc/resolv.conf"
for a in 2001:db8:64::c633:6401 2001:db8:64::c633:6402 2001:db8:65:c633:64:100:: 2001:db8:65:c633:64:200::; do host "$a"; done
start dns nsenter -t "$FAR" -n python3 tests/cli/nat64.py dns 2001:db8:1::66 "$T/records"
wait_for 10 grep -q ready "$T/dns.out"
service
BIN_FMPD=$BIN/fmpd
# Its name server is far's, in a namespace of mounts.
plane() {
    # shellcheck disable=SC2016 # for the shell inside
    start fmpd unshare -m sh -c 'mount --bind "$0" "$(readlink -f /etc/resolv.conf)" && exec "$@"' "$T/etc/resolv.conf" "$BIN_FMPD" \
        --foreground --policy "$T/policy.xml" --backend "$BACKEND" --control "$CONTROL" "$@"
    FMPD=$!
}
if up; then
    start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
    check finder_has_no_rights finder_has_no_rights
    check advertised_prefix_is_known advertised_prefix_is_known
    check hosts_behind_it_are_sources hosts_behind_it_are_sources 2001:db8:64::c633:6401 2001:db8:64::c633:6402
    check prefix_is_taken_back prefix_is_taken_back
    check rogue_prefixes_are_not_taken rogue_prefixes_are_not_taken
    check router_goes_with_its_prefix router_goes_with_its_prefix
    check resolved_prefix_is_known resolved_prefix_is_known
    check hosts_behind_the_resolved_one hosts_behind_it_are_sources 2001:db8:65:c633:64:100:: 2001:db8:65:c633:64:200::
    check resolved_prefix_is_asked_again resolved_prefix_is_asked_again
    check finder_is_replaced finder_is_replaced
    check watch_is_played_again watch_is_played_again
    check policy_says_no policy_says_no
else
    check fmpd_starts false
fi
