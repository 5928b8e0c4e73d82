# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# fmpd against this machine's nftables, in network namespaces of its own: the handheld
# 10.7.0.1 and behind a veth pair the attacker 10.7.0.2 and its innocent neighbour 10.7.0.3.

. tests/cli/lib_netns.sh
own_netns fmpd_layers "${1:-}" ip nft unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ip link set lo up
netns_behind v0 v1
ip addr add 10.7.0.1/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add 10.7.0.2/24 dev v1
far ip link set v1 up

up() { plane_layers 10.7.0.1:8080; }

send_bad() { # FROM
    far curl -s -m 2 -o /dev/null --interface "$1" -H 'Content-Type: text/xml' -H 'Expect:' \
        --data-binary "@$BAD" http://10.7.0.1:8080/orders
}
far_mac() { far ip -o link show v1 | sed 's/.*link.ether \([^ ]*\) .*/\1/'; }
state_of() { field 'select(.record == "source") | .state' why "$1"; }
blocked_after_sending() { # FROM
    send_bad "$1"
    [ "$(state_of "$1")" = malicious ]
}
decision() { field "select(.record == \"decision\") | $1" why "${2:-10.7.0.2}"; }
ratio_is_one() { [ "$(field 'select(.record == "status") | .enforcement_ratio == 1' status "$@")" = true ]; }
# What fmpd knows is what a dump finds.
whole() { ratio_is_one && ratio_is_one --verify; }
nft_has() { nft list ruleset | grep -q "$1"; }
nft_lacks() { ! nft_has "$1"; }
answers() { far ping -qc1 -W1 10.7.0.1; }
silent() { ! answers; }

# Invariant 4: one decision, one id on all layers, each layer's answer kept; and it works.
invariant_4_attack_is_blocked() {
    wait_for 10 blocked_after_sending 10.7.0.2 || return 1
    ctl why 10.7.0.2 >"$T/why"
    cat "$T/why" "$T/fmpd.err"
    grep -Eq '^  ip +enforced +enforced' "$T/why" && grep -Eq '^  mac +enforced +enforced' "$T/why" || return 1
    [ "$(decision .mac)" = "$(far_mac)" ] || return 1
    [ "$(nft list ruleset | grep -o "comment \"fmp $(decision .decision_id)\"" | wc -l)" = 3 ] || return 1
    whole && silent
}

# Invariant 10: killed, the rules stay; started again, they are adopted under their id.
invariant_10_adopted() {
    local id left now
    id=$(decision .decision_id) left=$(decision .left_ms)
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    silent || return 1
    up || return 1
    now=$(decision .left_ms)
    echo "decision $id with $left ms left, then $(decision .decision_id) with $now"
    [ "$(decision .decision_id)" = "$id" ] && [ "$now" -le "$left" ] && [ "$now" -gt $((left - 60000)) ] &&
        [ "$(decision .mac)" = "$(far_mac)" ] && whole && silent
}

# A rule that one layer alone still has comes back on the other.
adopted_from_one_layer() {
    local id
    id=$(decision .decision_id)
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    nft delete table inet fmp
    up && wait_for 10 nft_table_has 10.7.0.2 || return 1
    [ "$(decision .decision_id)" = "$id" ] && whole
}
nft_table_has() { nft list table inet fmp | grep -q "$1"; }

# Invariant 5: what is missing is put back, as soon as the kernel tells of it, and said.
invariant_5_flush_is_repaired_at_once() {
    local t0 t1
    t0=$(date +%s%N)
    nft flush ruleset
    wait_for 3 nft_has 10.7.0.2 || return 1
    t1=$(date +%s%N)
    echo "in force again after $(((t1 - t0) / 1000000)) ms"
    grep -q 'event=foreign.*changed by nft' "$T/fmpd.err" && whole || return 1
    wait_for 2 nft_has 'table netdev fmp' && [ "$(field 'select(.record == "status") | .repaired' status)" -ge 3 ]
}

# Invariant 10: a chain that lets nothing of anybody through is mended, and said.
inv10_chain_is_ours() {
    local said
    said=$(grep -c 'event=foreign.*changed by nft' "$T/fmpd.err")
    nft 'chain inet fmp prerouting { policy drop; }; chain netdev fmp ingress_v0 { policy drop; }' || return 1
    wait_for 5 nft_lacks 'policy drop' && wait_for 5 whole && [ "$(grep -c 'event=foreign.*changed by nft' "$T/fmpd.err")" -gt "$said" ]
}

# A foreign element in our set goes, and is said.
foreign_rule_goes() {
    local set
    set=$(nft list table inet fmp | sed -n 's/^.set \(block4[^ ]*\) .*/\1/p' | head -n 1)
    nft add element inet fmp "$set" '{ 10.7.0.99 }' || return 1
    wait_for 3 nft_lacks 10.7.0.99 && grep -q ' 1 did not belong' "$T/fmpd.err"
}

unblock_frees() {
    ctl unblock 10.7.0.2 || return 1
    # At once and all of it, the MAC too: not when reconcile finds it.
    nft_lacks 'comment "fmp [0-9]' && wait_for 5 answers || return 1
    # And of a block that was not adopted.
    ctl block 10.7.0.2 && nft_has "$(far_mac).*comment \"fmp [0-9]" && ctl unblock 10.7.0.2 || return 1
    nft_lacks 'comment "fmp [0-9]' && wait_for 5 answers
}

# A MAC that somebody blocked by itself, and an address that was blocked with it: each ends by itself.
is_clean() { [ "$(state_of "$1")" = clean ]; }
mac_of_two_blocks() {
    local mac rc=0 repaired
    mac=$(far_mac)
    ctl block "$mac" >/dev/null && ctl block 10.7.0.2 >/dev/null && [ "$(decision .mac)" = "$mac" ] || return 1
    ctl unblock 10.7.0.2 >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 4 ] && grep -q "^  still in force: block $mac (decision " "$T/out" && nft_has "$mac.*comment \"fmp [0-9]" && silent || return 1
    ctl unblock "$mac" >/dev/null && nft_lacks 'comment "fmp [0-9]' && wait_for 5 answers || return 1
    ctl block 10.7.0.2 >/dev/null && ctl block "$mac" >/dev/null || return 1
    rc=0
    # The kernel's rule of it goes on for the other at once, and is no repair.
    repaired=$(totals .repaired)
    ctl unblock "$mac" >"$T/out" || rc=$?
    nft_has "$mac.*comment \"fmp [0-9]" || return 1
    cat "$T/out"
    [ "$rc" = 4 ] && grep -q "^  still in force: block 10.7.0.2 (decision " "$T/out" && ctl block "$mac" --for 1s >/dev/null &&
        wait_for 10 is_clean "$mac" && nft_has "$mac.*comment \"fmp $(decision .decision_id)\"" || { ctl why "$mac"; nft list ruleset; return 1; }
    ctl policy reload >/dev/null && whole && [ "$(totals .repaired)" = "$repaired" ] || { grep event=reconcile "$T/fmpd.err"; return 1; }
    ctl unblock 10.7.0.2 >/dev/null && wait_for 5 answers
}

# A MAC that a device made up is blocked for a short time only, its address to the end.
random_mac_goes_first() {
    local was repaired
    was=$(cat "$T/policy.xml")
    sed -i 's/mac="yes"/mac="yes" local-mac="3s"/; s/reconcile="30s"/reconcile="1s"/' "$T/policy.xml"
    ctl policy reload >/dev/null && ctl block 10.7.0.2 || return 1
    ctl why 10.7.0.2
    [ "$(decision .mac)" = "$(far_mac)" ] && ctl why 10.7.0.2 | grep -q 'for [1-3]s.*: it is locally administered' || return 1
    repaired=$(totals .repaired)
    [ "$(decision .mac_left_ms)" -le 3000 ] && whole || return 1
    wait_for 20 mac_is_over || { ctl why 10.7.0.2; return 1; }
    wait_for 20 nft_lacks "$(far_mac).*comment \"fmp [0-9]" || return 1
    # Its rule went by its own time: nobody has repaired anything.
    wait_for 5 whole && [ "$(totals .repaired)" = "$repaired" ] || { grep event=reconcile "$T/fmpd.err"; return 1; }
    ctl why 10.7.0.2
    [ "$(decision .state)" = "in force" ] && nft_table_has 10.7.0.2 && whole && silent || return 1
    ctl unblock 10.7.0.2 || return 1
    # None of them is.
    sed -i 's/local-mac="3s"/local-mac="0"/' "$T/policy.xml"
    ctl policy reload >/dev/null && ctl block 10.7.0.2 && mac_is_over && nft_lacks "$(far_mac).*comment \"fmp [0-9]" &&
        ctl unblock 10.7.0.2 || return 1
    # Another one a moment later may be anybody's, so only the address is blocked.
    sed -i 's/local-mac="0"/local-mac="3s"/' "$T/policy.xml"
    far ip link set v1 address 00:00:5e:00:53:07
    wait_for 10 answers && ctl policy reload >/dev/null && ctl block 10.7.0.2 || return 1
    ctl why 10.7.0.2
    [ -z "$(decision .mac)" ] && decision .mac_veto | grep -q 'named another MAC' && ctl unblock 10.7.0.2 || return 1
    echo "$was" >"$T/policy.xml"
    ctl policy reload >/dev/null && wait_for 5 answers
}
mac_is_over() { [ -z "$(decision .mac)" ] && decision .mac_veto | grep -q 'locally administered'; }

# Invariant 3: the neighbour behind the same MAC is innocent, so the MAC stays free.
invariant_3_shared_mac() {
    far ip addr add 10.7.0.3/24 dev v1
    # One slip makes it known, and no worse than clean.
    send_bad 10.7.0.3
    [ "$(state_of 10.7.0.3)" = clean ] || return 1
    wait_for 10 blocked_after_sending 10.7.0.2 || return 1
    ctl why 10.7.0.2
    [ -z "$(decision .mac)" ] && [ -n "$(decision .mac_veto)" ] || return 1
    far ping -qc1 -W1 -I 10.7.0.3 10.7.0.1 && ! far ping -qc1 -W1 -I 10.7.0.2 10.7.0.1
}

# Invariant 1: what becomes protected while it is blocked is freed at once: a new default gateway.
invariant_1_new_gateway_is_freed() {
    ip route add default via 10.7.0.2
    wait_for 5 is_free || { ctl why 10.7.0.2; return 1; }
    nft_lacks 'elements.*timeout.*10.7.0.2' && answers && ! ctl block 10.7.0.2 || return 1
    ip route del default
}
is_free() { [ -z "$(decision 'select(.state == "in force")')" ]; }

# What was learned of the gateway is known after a restart, when nobody has heard of it yet.
inv1_gateway_is_known_again() {
    local mac=00:00:5e:00:53:40
    ip route add 203.0.113.0/24 via 10.7.0.40
    ip neighbour replace 10.7.0.40 lladdr "$mac" dev v0 nud stale
    wait_for 5 protects "$mac" || { ctl protect list; return 1; }
    plane_ends
    ip neighbour del 10.7.0.40 dev v0
    # Without a file nobody knows.
    up_with_state || return 1
    protects "$mac" && return 1
    ip neighbour replace 10.7.0.40 lladdr "$mac" dev v0 nud stale
    wait_for 5 protects "$mac" || return 1
    plane_ends
    ip neighbour del 10.7.0.40 dev v0
    up_with_state && protects "$mac" || { ctl protect list; return 1; }
    ! ctl block "$mac" && ip route del 203.0.113.0/24
}
protects() { ctl --json protect list | jq -e --arg a "$1" 'map(select(.addr == $a)) | length == 1' >/dev/null; }
up_with_state() {
    plane --enforce "ip mac" --listen 10.7.0.1:8080 --state "$T/learned"
    wait_for 20 up_or_dead && gateway_up || { cat "$T/fmpd.err"; return 1; }
}

# Programs that report in one turn of the event loop share its transaction, and are answered behind it.
reports_at_once_are_one_transaction() {
    local monitor of_fmpd
    rm -f "$T/monitor"
    nft monitor >"$T/monitor" &
    monitor=$!
    pids+=("$monitor")
    wait_for 10 monitored begin || return 1
    python3 - "$CONTROL" "$FMPD" <<'EOF' || return 1
import os, signal, socket, sys, time
sys.path.insert(0, "tests/cli")
import control

path, fmpd = sys.argv[1], int(sys.argv[2])
clients = [control.connect(path) for _ in range(8)]
reports = [control.message(control.EVENT, control.field(1, 17), control.field(2, 1),
                           control.field(3, bytes([4, 32, 192, 0, 2, 80 + n]) + bytes(12)))
           for n in range(len(clients))]
for _ in range(3):
    for client, report in zip(clients, reports):
        client.sendall(report)
        control.receive(client)
os.kill(fmpd, signal.SIGSTOP)
while ") T " not in open(f"/proc/{fmpd}/stat").read():
    time.sleep(0.01)
for client, report in zip(clients, reports):
    client.sendall(report)
os.kill(fmpd, signal.SIGCONT)
for client in clients:
    client.settimeout(60)
    control.receive(client)
EOF
    nft list ruleset >"$T/ruleset"
    wait_for 10 monitored end || return 1
    kill "$monitor"
    of_fmpd=$(($(generations end | head -n 1) - $(generations begin | tail -n 1) - 1))
    echo "$of_fmpd transactions"
    [ "$(grep -o '192.0.2.8[0-7] ' "$T/ruleset" | wc -l)" = 16 ] && [ "$of_fmpd" -ge 2 ] && [ "$of_fmpd" -lt 8 ] && ctl flush >/dev/null
}
# Each transaction makes a generation of the rules.
generations() { # NAME
    grep -A 1 "table inet $1" "$T/monitor" | sed -n 's/^# new generation \([0-9]*\) .*/\1/p'
}
monitored() { # NAME
    nft add table inet "$1" && nft delete table inet "$1"
    grep -q "add table inet $1" "$T/monitor"
}

totals() { field "select(.record == \"status\") | $1" status "${@:2}"; }

# Invariant 5: status costs no dump: it says what was found, what was done since, and how old that is.
inv5_status_is_known() {
    local wanted
    ctl policy reload >/dev/null && wait_for 10 compared || return 1
    wanted=$(totals .wanted)
    ctl block 10.7.0.51 >/dev/null && ctl block 10.7.0.52 >/dev/null || return 1
    # No younger than what the newest repair found: nobody has looked since.
    totals '"compared \(.compared_ms), reconciled \(.last_reconcile_ms) ms ago"'
    [ "$(totals '.compared_ms == .last_reconcile_ms')" = true ] && [ "$(totals .wanted)" = $((wanted + 4)) ] && whole || return 1
    # By a dump now: the same rules.
    [ "$(totals '.compared_ms < .last_reconcile_ms' --verify)" = true ] &&
        [ "$(totals .wanted --verify)" = $((wanted + 4)) ] && [ "$(totals .enforced --verify)" = $((wanted + 4)) ] || return 1
    ctl unblock 10.7.0.51 >/dev/null && ctl unblock 10.7.0.52 >/dev/null && [ "$(totals .wanted)" = "$wanted" ] && whole &&
        ctl status | grep -q "of $wanted rules, compared with the kernel .* ago)"
}
compared() { [ "$(totals .compared_ms)" != "" ] && [ "$(totals .doubted)" = false ]; }

# A block that none of its layers is there for is not "all of nothing".
inv5_status_counts_what_no_layer_holds() {
    local wanted
    wanted=$(totals .wanted)
    ctl block 10.7.0.54 --layers premac >/dev/null
    [ "$(totals .wanted)" = $((wanted + 1)) ] && ! ratio_is_one && ! ratio_is_one --verify || return 1
    ctl unblock 10.7.0.54 >/dev/null
    whole
}

# In force is what a layer holds; what is only watched, and what no layer is there for, is not.
state_says_what_holds() {
    local was rc=0
    was=$(cat "$T/policy.xml")
    ctl block 10.7.0.54 --layers premac >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 4 ] && grep -q ', not enforced, ' "$T/out" && [ "$(decision .state 10.7.0.54)" = "not enforced" ] || return 1
    ctl block 10.7.0.55 >"$T/out" || return 1
    grep -q ', in force, ' "$T/out" && [ "$(decision .state 10.7.0.55)" = "in force" ] || return 1
    sed -i 's|<block |&observe="yes" |' "$T/policy.xml"
    ctl policy reload >/dev/null && [ "$(decision .state 10.7.0.55)" = observed ] && [ "$(decision .state 10.7.0.54)" = observed ] &&
        ctl why 10.7.0.55 | grep -q ', only observed, nothing enforces it, ' && ctl --json blocks >"$T/blocks" &&
        jq -e '[.[] | select(.record == "decision") | .state] | length >= 2 and all(. == "observed")' "$T/blocks" || rc=1
    echo "$was" >"$T/policy.xml"
    ctl policy reload >/dev/null && wait_for 10 nft_table_has 10.7.0.55 && wait_for 10 is_in_force 10.7.0.55 || rc=1
    ctl --json blocks | jq -e '[.[] | select(.record == "decision") | .state] | index("not enforced") and index("in force")' || rc=1
    # What no layer had has ended all the same, whole.
    ctl unblock 10.7.0.54 >/dev/null || return 1
    ctl unblock 10.7.0.55 >"$T/out" || rc=1
    [ "$(decision .state 10.7.0.55)" = ended ] && [ "$rc" = 4 ]
}
is_in_force() { [ "$(decision .state "$1")" = "in force" ]; }

# What others change is in the figures, or status says that they are in doubt; never neither.
inv5_status_is_in_doubt() {
    local set was
    ctl block 10.7.0.53 >/dev/null || return 1
    set=$(nft list table inet fmp | sed -n 's/^.set \(block4[^ ]*\) .*/\1/p' | head -n 1) was=$(totals .repaired)
    # It hears of the change and of the question in one turn.
    kill -STOP "$FMPD"
    nft delete element inet fmp "$set" '{ 10.7.0.53 }' || { kill -CONT "$FMPD"; return 1; }
    ctl --json status >"$T/doubt" &
    local asked=$!
    kill -CONT "$FMPD"
    wait "$asked"
    cat "$T/doubt"
    jq -e --argjson was "$was" '.[0] | .doubted or .repaired > $was' "$T/doubt" || return 1
    wait_for 10 nft_table_has 10.7.0.53 && wait_for 10 compared && whole && [ "$(totals .repaired)" = $((was + 1)) ] &&
        ctl unblock 10.7.0.53 >/dev/null
}

# What a source has open when it is blocked ends, of any program; what others have stays.
open_connections_are_cut() {
    cat >"$T/server.py" <<'EOF'
import socket, sys
server = socket.create_server(("10.7.0.1", 9100))
print("listening", flush=True)
ends = [server.accept() for _ in range(2)]
print("accepted", flush=True)
for connection, peer in sorted(ends, key=lambda end: end[1][0] != sys.argv[1]):
    try:
        print(peer[0], connection.recv(1) or "closed", flush=True)
    except ConnectionAbortedError:
        print(peer[0], "cut", flush=True)
EOF
    local rc=0 a cuts
    cuts=$(grep -c event=cut "$T/fmpd.err")
    far ip addr add 10.7.0.60/24 dev v1 && far ip addr add 10.7.0.61/24 dev v1 || return 1
    start server python3 "$T/server.py" 10.7.0.60
    wait_for 10 grep -q listening "$T/server.out"
    nsenter -t "$FAR" -n python3 -c 'import socket, time
a, b = [socket.create_connection(("10.7.0.1", 9100), source_address=(one, 0)) for one in ("10.7.0.60", "10.7.0.61")]
time.sleep(600)' &
    a=$!
    pids+=("$a")
    wait_for 10 grep -q accepted "$T/server.out" && ctl block 10.7.0.60 --layers ip >/dev/null || rc=1
    wait_for 20 grep -q '10.7.0.60 cut' "$T/server.out" || { cat "$T/server.out" "$T/server.err" "$T/fmpd.err"; rc=1; }
    wait_for 20 cuts_are $((cuts + 1)) || rc=1
    ! grep -q 10.7.0.61 "$T/server.out" || rc=1
    ctl unblock 10.7.0.60 >/dev/null || rc=1
    kill "$a"
    return "$rc"
}

cuts_are() { [ "$(grep -c 'event=cut msg="1 open connections of blocked sources are cut"' "$T/fmpd.err")" = "$1" ]; }

# A device that comes later gets its layer.
new_device_is_covered() {
    ip link add late7 type veth peer name late8
    ip addr add 10.8.0.1/24 dev late7
    ip link set late7 up
    wait_for 5 nft_has late7
}

# No MAC on one device: it has no hook, every other keeps its own; without the exception it has one again.
device_without_mac() {
    local was rc=0
    was=$(cat "$T/policy.xml")
    ip link add guest0 type veth peer name guest1
    ip addr add 10.9.0.1/24 dev guest0
    ip link set guest0 up
    wait_for 5 nft_has 'device "guest0"' || return 1
    sed -i 's|<enforce reconcile="30s"/>|<enforce reconcile="30s"><device layers="ip">guest0</device></enforce>|' "$T/policy.xml"
    ctl policy reload >/dev/null && wait_for 5 nft_lacks guest0 && nft_has 'device "v0"' && nft_has 'device "late7"' || rc=1
    field 'select(.layer == "mac") | .text' status >"$T/out"
    cat "$T/out"
    grep -q ' v0' "$T/out" && ! grep -q guest0 "$T/out" || rc=1
    # Of a source behind it the layer claims nothing.
    ctl block 10.9.0.7 >/dev/null && ctl block 10.7.0.77 >/dev/null || rc=1
    ctl why 10.9.0.7 | tee "$T/why"
    grep -Eq '^  ip +enforced  enforced' "$T/why" && grep -Eq '^  mac +enforced  no hook .*not at guest0, where its frames come in' "$T/why" || rc=1
    [ "$(kernel_of 10.9.0.7)" = "ip enforced,mac no hook" ] && [ "$(kernel_of 10.7.0.77)" = "ip enforced,mac enforced" ] || rc=1
    echo "$was" >"$T/policy.xml"
    ctl policy reload >/dev/null && wait_for 5 nft_has 'device "guest0"' && whole || rc=1
    [ "$(kernel_of 10.9.0.7)" = "ip enforced,mac enforced" ] || rc=1
    ctl unblock 10.9.0.7 >/dev/null && ctl unblock 10.7.0.77 >/dev/null || rc=1
    ip link del guest0
    return "$rc"
}

kernel_of() { ctl --json why "$1" | jq -r '[.[] | select(.record == "answer") | "\(.layer) \(.kernel)"] | join(",")'; }

# The IP layer has no MACs: of a block of one it says so, and nothing is missing there.
no_rule_is_not_missing() {
    ctl block 00:00:5e:00:53:77 >/dev/null && ctl why 00:00:5e:00:53:77 >"$T/why" || return 1
    cat "$T/why"
    grep -Eq '^  ip +absent  +it has no address of this layer$' "$T/why" && ! grep -q missing "$T/why" &&
        [ "$(kernel_of 00:00:5e:00:53:77)" = "ip null,mac enforced" ] && ctl unblock 00:00:5e:00:53:77 >/dev/null
}

keeps_few_rights() {
    [ "$(id -u)" = 0 ] || return 1
    local caps
    caps=$(awk '/^CapEff/ { print $2 }' "/proc/$FMPD/status")
    echo "effective capabilities $caps"
    # CAP_KILL 5, CAP_SETGID 6, CAP_SETUID 7, CAP_SETPCAP 8, CAP_NET_ADMIN 12
    [ "$((16#$caps & ~((1 << 5) | (1 << 6) | (1 << 7) | (1 << 8) | (1 << 12))))" = 0 ]
}

# The group of the control socket is found, and what finds groups does not stay in fmpd's memory.
control_is_the_groups() {
    local pid gid rc=0
    { cat /etc/group && echo fmpadmin:x:4711:; } >"$T/group"
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare -m sh -c 'mount --bind "$0/group" /etc/group && exec "$@"' "$T" "$BIN/fmpd" --foreground --enforce none \
        --policy "$T/policy.xml" --control "$T/admins" --state none 2>"$T/err" &
    pid=$!
    wait_for 20 "$BIN/fmpctl" --control "$T/admins" status || rc=1
    gid=$(stat -c %g "$T/admins")
    grep -c . "/proc/$pid/maps" && ! grep libnss_ "/proc/$pid/maps" || rc=1
    kill "$pid"
    wait "$pid"
    cat "$T/err"
    echo "group $gid"
    [ "$rc" = 0 ] && [ "$gid" = 4711 ]
}

demanded_layer_missing() {
    local rc=0
    unshare --net "$BIN/fmpd" --foreground --enforce premac --policy "$T/policy.xml" --control "$T/other" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q 'layer premac was asked for' "$T/err" && [ ! -e "$T/other" ]
}

teardown_waits_for_the_end() {
    ctl block 10.7.0.51 --for 10min >/dev/null || return 1
    ! "$BIN/fmpd" --teardown --control "$CONTROL" 2>"$T/teardown" &&
        grep -q "an fmpd runs at $CONTROL: end it first" "$T/teardown" && nft_has 10.7.0.51
}

ends_and_rules_stay() {
    ctl block 10.7.0.50 --for 10min >/dev/null && plane_ends && nft_has 10.7.0.50
}

teardown_takes_all() {
    nft add table inet other || return 1
    "$BIN/fmpd" --teardown --control "$CONTROL" || return 1
    [ "$(nft list tables)" = "table inet other" ]
}

service
layers_policy test
if up; then
    check invariant_4_attack_is_blocked invariant_4_attack_is_blocked
    check invariant_10_adopted invariant_10_adopted
    check adopted_from_one_layer adopted_from_one_layer
    check invariant_5_flush_is_repaired_at_once invariant_5_flush_is_repaired_at_once
    check inv10_chain_is_ours inv10_chain_is_ours
    check foreign_rule_goes foreign_rule_goes
    check unblock_frees unblock_frees
    check mac_of_two_blocks mac_of_two_blocks
    check random_mac_goes_first random_mac_goes_first
    check invariant_3_shared_mac invariant_3_shared_mac
    check invariant_1_new_gateway_is_freed invariant_1_new_gateway_is_freed
    check inv1_gateway_is_known_again inv1_gateway_is_known_again
    check open_connections_are_cut open_connections_are_cut
    check reports_at_once_are_one_transaction reports_at_once_are_one_transaction
    check inv5_status_is_known inv5_status_is_known
    check inv5_status_counts_what_no_layer_holds inv5_status_counts_what_no_layer_holds
    check state_says_what_holds state_says_what_holds
    check inv5_status_is_in_doubt inv5_status_is_in_doubt
    check new_device_is_covered new_device_is_covered
    check device_without_mac device_without_mac
    check no_rule_is_not_missing no_rule_is_not_missing
    check keeps_few_rights keeps_few_rights
    grep -q ^fmpadmin: /etc/group || check control_is_the_groups control_is_the_groups
    check demanded_layer_missing demanded_layer_missing
    check teardown_waits_for_the_end teardown_waits_for_the_end
    check ends_and_rules_stay ends_and_rules_stay
    check teardown_takes_all teardown_takes_all
else
    check fmpd_starts false
fi
