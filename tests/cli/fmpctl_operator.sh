# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# What an operator does by habit: ranges and several addresses at once, and blocks that would end
# the SSH session in which fmpctl is called. In a network namespace of its own.

. tests/cli/lib_netns.sh
own_netns fmpctl_operator "${1:-}" ip nft unshare nsenter script

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ip link set lo up
netns_behind v0 v1 address 00:16:3e:00:00:66
ip addr add 192.0.2.1/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add 192.0.2.66/24 dev v1
far ip link set v1 up
unset SSH_CONNECTION

exits() { # CODE COMMAND...
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "$*: exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}
blocked() { ctl --json blocks "$@" | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")'; }
is_blocked() { [ "$(blocked)" = "$1" ] || { echo "blocked: $(blocked)"; return 1; }; }

# unblock, blocks and sources with prefixes and several addresses.
ranges() {
    local a
    for a in 198.51.100.10 198.51.100.11 203.0.113.7; do ctl block $a >/dev/null || return 1; done
    exits 2 ctl unblock && exits 2 ctl blocks 198.51.100.1/24 && exits 1 ctl unblock 192.0.2.128/25 &&
        [ "$(blocked 198.51.100.0/24)" = "198.51.100.10 198.51.100.11" ] &&
        [ "$(blocked 203.0.113.7 198.51.100.11)" = "198.51.100.11 203.0.113.7" ] &&
        ctl blocks 192.0.2.0/24 | grep -q '^no such address is blocked$' || return 1
    # Of the answers only those of the decisions shown.
    ctl --json blocks 203.0.113.7 | jq -e '[.[].decision_id] | unique | length == 1' || return 1
    [ "$(ctl sources 198.51.100.0/24 | grep -c '^198')" = 2 ] && [ "$(ctl sources 198.51.100.10 203.0.113.7 | grep -c '^[12]')" = 2 ] || return 1
    exits 0 ctl unblock 198.51.100.0/24 && [ "$(grep -c 'is unblocked$' "$T/out")" = 2 ] && is_blocked 203.0.113.7 || return 1
    ctl block 198.51.100.10 >/dev/null
    exits 4 ctl unblock 198.51.100.10 198.51.100.99 203.0.113.7 && grep -q '198.51.100.99 is not blocked' "$T/err" && is_blocked ""
}
json_of_several() {
    ctl block 198.51.100.10 >/dev/null
    ctl block 198.51.100.11 >/dev/null
    ctl --json unblock 198.51.100.10 198.51.100.11 | jq -e '[.[] | select(.record == "decision")] | length == 2' && is_blocked ""
}

# refused COMMAND...: not on a terminal: nothing is blocked, and what to do is said.
refused() {
    exits 1 "$@" </dev/null && grep -q 'your SSH session comes from .* --yes ' "$T/err" && is_blocked ""
}
from_ssh() { SSH_CONNECTION="${FROM:-192.0.2.66} 50000 192.0.2.1 22" ctl "$@"; }
# As under sudo: only the environment of the shell above has it.
from_sudo() { SSH_CONNECTION="192.0.2.66 50000 192.0.2.1 22" bash -c 'env -u SSH_CONNECTION "$@"; exit $?' sudo "$BIN/fmpctl" --control "$CONTROL" "$@"; }
own_session() {
    refused from_ssh block 192.0.2.66 && refused from_ssh block 192.0.2.64/26 && refused from_sudo block 192.0.2.66 &&
        FROM=::ffff:192.0.2.66 refused from_ssh block 192.0.2.66 && FROM=fe80::1%v0 refused from_ssh block fe80::/64 || return 1
    ping -qc1 -W2 192.0.2.66 >/dev/null && refused from_ssh block 00:16:3e:00:00:66 || return 1
    printf '198.51.100.1\n192.0.2.64/26\n' >"$T/list"
    refused from_ssh block --file "$T/list" || return 1
    from_ssh --json block 192.0.2.66 </dev/null 2>/dev/null | jq -e '.[0].record == "error" and .[0].kind == "denied"' || return 1
    # Others' addresses are no question; with --yes none is.
    from_ssh block 192.0.2.67 >/dev/null && from_ssh block 192.0.2.66 --yes >/dev/null && is_blocked "192.0.2.66 192.0.2.67" &&
        ctl unblock 192.0.2.0/24 >/dev/null
}
at_terminal() { # ANSWER
    printf '%s\n' "$1" | SSH_CONNECTION="192.0.2.66 50000 192.0.2.1 22" timeout 10 script -qec \
        "$BIN/fmpctl --control $CONTROL block 192.0.2.66" /dev/null >"$T/out"
}
own_session_at_a_terminal() {
    at_terminal n && return 1
    grep -q '\[y/N\]' "$T/out" && is_blocked "" && at_terminal y && is_blocked 192.0.2.66 && ctl unblock 192.0.2.66 >/dev/null
}

# --short is one line; the whole of it fits in 80 columns and has no steps to which nothing came.
status_fits() {
    ctl status --short >"$T/out" && [ "$(wc -l <"$T/out")" = 1 ] &&
        grep -Eq '^fmpd .* operator: 0 blocked of [0-9]+ sources, enforced 100 % of 0 rules, gateway ready$' "$T/out" || return 1
    far curl -s -o /dev/null -H 'Content-Type: text/xml' --data-binary "@$GOOD" http://192.0.2.1:8080/orders || return 1
    wait_for 5 has_steps || return 1
    ctl status >"$T/out" && ! grep '.\{81\}' "$T/out" && grep -q '^schema ' "$T/out" && ! grep -q '^decrypt ' "$T/out" || return 1
    COLUMNS=60 ctl status >"$T/out" && ! grep '.\{61\}' "$T/out"
}
has_steps() { ctl status | grep -q '^schema '; }

# A source that burns now stands above those that were listed by hand and are silent.
top_burning() {
    ctl block 203.0.113.0/24 >/dev/null && ctl block 198.51.100.7 >/dev/null || return 1
    ctl top --once --interval 2s >"$T/out" &
    local top=$!
    sleep 0.5
    ctl report 198.51.100.9 login && ctl report 198.51.100.9 login || return 1
    wait "$top"
    [ "$(grep -A1 '^Source' "$T/out" | tail -n1 | cut -d' ' -f1)" = 198.51.100.9 ] || { cat "$T/out"; return 1; }
    ctl flush --yes >/dev/null
}

# watch goes on over a restart of fmpd; in JSON each line is an object with its time of day.
watch_outlives_a_restart() {
    local from
    ctl watch >"$T/watch" 2>&1 &
    pids+=($!)
    ctl --json watch >"$T/json" 2>&1 &
    pids+=($!)
    wait_for 5 grep -q protected "$T/json" || return 1
    from=$(date -u +%Y-%m-%dT%H:%M:%S)
    ctl report 198.51.100.9 login && wait_for 5 grep -q 'login from 198.51.100.9' "$T/watch" || return 1
    plane_ends
    wait_for 5 grep -q 'fmpd is gone' "$T/watch" && plane_layers 192.0.2.1:8080 || return 1
    wait_for 5 grep -q 'fmpd is back' "$T/watch" && wait_for 5 grep -q '"back"' "$T/json" || return 1
    ctl block 198.51.100.8 >/dev/null && wait_for 5 grep -q 'block 198.51.100.8' "$T/watch" &&
        wait_for 5 grep -q '"addr":"198.51.100.8"' "$T/json" || return 1
    ctl unblock 198.51.100.8 >/dev/null
    jq -se --arg from "$from" 'all(.time | test("^20[0-9-]+T[0-9:]+[.][0-9]{3}Z$")) and
        ([.[] | select(.record == "event")][0].time >= $from) and
        ([.[] | select(.record == "watch") | .state] == ["lost", "back"])' "$T/json" &&
        jq -s '.' "$T/json" >"$T/all" && python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/all" || return 1
    # Where there is none from the beginning, the socket is mistaken.
    exits 3 "$BIN/fmpctl" --control "$T/none" watch
}

# Another control socket does not make a second fmpd harmless: it would take the rules of the first away.
second_in_one_namespace() {
    exits 1 timeout 10 "$BIN/fmpd" --foreground --enforce ip --policy "$T/policy.xml" --control "$T/second" &&
        grep -q "the fmpd of pid $FMPD enforces in this network namespace already" "$T/err" && ctl status >/dev/null &&
        exits 1 "$BIN/fmpd" --teardown --control "$T/second" && grep -q "the fmpd of pid $FMPD" "$T/err" || return 1
    # Elsewhere there is room, and one that only observes disturbs nobody.
    exits 124 timeout 2 unshare --net "$BIN/fmpd" --foreground --enforce ip --policy "$T/policy.xml" --control "$T/second" &&
        exits 124 timeout 2 "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$T/second"
}

# stranger UID WORD COMMAND...: the command, while a process of that user holds the name of the lock; if WORD is listens it answers.
stranger() {
    unshare --net python3 - "$@" <<'EOF'
import os, signal, socket, subprocess, sys
ready, say = os.pipe()
child = os.fork()
if not child:
    os.setuid(int(sys.argv[1]))
    s = socket.socket(socket.AF_UNIX)
    s.bind("\0fmpd-enforces")
    if sys.argv[2] == "listens":
        s.listen()
    os.write(say, b"bound")
    signal.pause()
os.read(ready, 1)
rc = subprocess.call(sys.argv[3:])
os.kill(child, signal.SIGKILL)
sys.exit(rc)
EOF
}
# Any user can bind the name; only root, or the user of fmpd itself, is taken for an fmpd, and only if it answers.
stranger_holds_the_lock() {
    local third=("$BIN/fmpd" --foreground --enforce ip --policy "$T/policy.xml" --control "$T/third")
    exits 124 stranger "$(id -u)" is_silent timeout 2 "${third[@]}" &&
        grep -q 'a process that does not answer holds the lock of this network namespace' "$T/err" && grep -q 'event=start' "$T/err" || return 1
    exits 1 stranger "$(id -u)" listens timeout 10 "${third[@]}" && grep -q 'enforces in this network namespace already' "$T/err" || return 1
    setpriv --reuid 65534 --clear-groups true 2>/dev/null || return 0
    exits 124 stranger 65534 is_silent timeout 2 "${third[@]}" && grep -q 'a process that does not answer' "$T/err" &&
        exits 124 stranger 65534 listens timeout 2 "${third[@]}" && grep -q 'process [0-9]* of user 65534 holds the lock' "$T/err" &&
        grep -q 'event=start' "$T/err"
}

service
layers_policy operator
plane_layers 192.0.2.1:8080 || { echo "FAIL fmpd does not start"; exit 1; }
check ranges ranges
check second_in_one_namespace second_in_one_namespace
check stranger_holds_the_lock stranger_holds_the_lock
check json_of_several json_of_several
check own_session own_session
check own_session_at_a_terminal own_session_at_a_terminal
check status_fits status_fits
check top_burning top_burning
check watch_outlives_a_restart watch_outlives_a_restart
