# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpctl simulate: the table, the plots, and what it does not take.

. tests/cli/lib.sh

simulate() { "$BIN/fmpctl" simulate --policy policies/balanced.xml "$@"; }

table() {
    simulate --every 3s --good 20 --for 1h >"$T/out"
    cat "$T/out"
    grep -Eq '^ *45s +malicious +100 .* block +10min  rank 100 of 100, newest: schema$' "$T/out" &&
        [ "$(grep -c ' unblock$' "$T/out")" = 2 ] || return 1
    simulate --every 3s --good 20 --for 1h --json >"$T/json"
    jq -e '(map(select(.action == "block") | .duration_ms) == [600000, 1200000, 2400000]) and
        (.[-1] | .at_ms == 3600000 and .events + .good == 1200 and .kept_out > 900)' "$T/json"
}

# A kind that a policy gives no points to blocks nobody.
harmless() {
    simulate --kind good --for 1min --json | jq -e 'all(.rank == 0 and .state == "clean" and (has("action") | not))'
}

# One host with twenty addresses of the own /64: the fourth message is too much, and his MAC is known.
rotating() {
    set -- --kind signature --for 1min --every 10s --sources 20 --source 2001:db8:1::66
    simulate "$@" --own 2001:db8:1::2 --mac 00:00:5e:00:53:66 --json |
        jq -e '.[-1] | .events == 120 and .kept_out == 116' || return 1
    # Twenty hosts, and nobody of them too bad; twenty /64s.
    simulate "$@" --own 2001:db8:1::2 --json | jq -e '.[0] | .events == 20 and .kept_out == 0' &&
        simulate "$@" --json | jq -e '.[-1].events == 120 and all(has("mac") | not)' || return 1
    simulate --kind crash --mac 00:00:5e:00:53:66 --json |
        jq -e 'map(select(.action == "block"))[0] | .mac == "00:00:5e:00:53:66"'
}

# An override is tried by port and service, a group by address.
by_port_service_and_address() {
    local rc=0
    cat >"$T/rules.xml" <<EOF
<policy xmlns="urn:fmp:policy:1">
  <gateway><services><service name="orders" path="/o"/></services></gateway>
  <overrides><override port="22" malicious="50"/><override service="orders" malicious="60"/></overrides>
  <groups><group name="office" address="198.51.100.7" action="limit" malicious="90"/></groups>
</policy>
EOF
    set -- "$BIN/fmpctl" simulate --policy "$T/rules.xml" --kind dtd --for 1min
    "$@" --port 22 | grep -q 'rank [0-9]* of 50 (override of port 22)' && "$@" --port 23 | grep -q 'rank [0-9]* of 100, ' &&
        "$@" --service orders | grep -q 'rank [0-9]* of 60 (override of orders)' &&
        "$@" --source 198.51.100.7 | grep -q 'limited, its group is never blocked: rank [0-9]* of 90 (group office)' || return 1
    "$@" --service oders 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 2 ] && grep -q -- '--service oders is none of .*rules.xml.s services (orders)' "$T/err"
}

plotted_in_characters() {
    COLUMNS=60 simulate --for 1h --plot - >"$T/out"
    cat "$T/out"
    grep -Eq '^ +100 \|.*-' "$T/out" && grep -Eq '^ +40 \|.*\*' "$T/out" && grep -Eq '^ +blocked \|_*#+' "$T/out" || return 1
    # A title, the unit of time, and a mark at each decision.
    grep -q 'Rank of the first source under policy balanced' "$T/out" && grep -Eq '^ +0s +1h  time$' "$T/out" &&
        grep -Eq '^decisions \|\^ +\^ +\^ *$' "$T/out" || return 1
    # As wide as the terminal.
    [ "$(awk '/blocked \|/ { print length }' "$T/out")" = 60 ]
}

plotted_by_gnuplot() {
    simulate --for 1h --plot "$T/it's.svg" >/dev/null && grep -q '<svg' "$T/it's.svg" &&
        grep -q 'time in minutes' "$T/it's.svg" && grep -q 'policy balanced' "$T/it's.svg" && grep -q '>decision<' "$T/it's.svg" &&
        simulate --for 1h --plot "$T/p.png" >/dev/null && [ "$(head -c 4 "$T/p.png" | tail -c 3)" = PNG ] &&
        ! simulate --plot "$T/no/such/p.png" >/dev/null 2>&1
}

without_gnuplot() {
    mkdir "$T/empty"
    PATH=$T/empty simulate --plot "$T/q.svg" >"$T/out" 2>"$T/err"
    cat "$T/err"
    grep -q gnuplot "$T/err" && grep -q 'blocked |' "$T/out" && [ ! -e "$T/q.svg" ]
}

usage() {
    local rc args
    while read -r args; do
        rc=0
        # shellcheck disable=SC2086
        simulate $args >"$T/out" 2>"$T/err" || rc=$?
        [ "$rc" = 2 ] && [ ! -s "$T/out" ] || { echo "exit status $rc: $args"; return 1; }
    done <<'END'
stray
--kind evil
--every 0
--every soon
--for 0
--mac 192.0.2.1
--own 00:00:5e:00:53:66
--own 2001:db8::/64
--good 101
--good -1
--sources 0
--sources 2x
--source 192.0.2.0/24
--source nobody
--port 0
--every 1ms --for 10h --sources 100000
END
    rc=0
    "$BIN/fmpctl" simulate >/dev/null 2>&1 || rc=$?
    [ "$rc" = 2 ]
}

check rotating rotating
check table table
check harmless harmless
check by_port_service_and_address by_port_service_and_address
check plotted_in_characters plotted_in_characters
check plotted_by_gnuplot plotted_by_gnuplot
check without_gnuplot without_gnuplot
check usage usage
