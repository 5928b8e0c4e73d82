# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Other programs report sources: fmpctl report, PAM, who may and how fast.

# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/lib_plane.sh
. tests/cli/lib_plane.sh

# policy RATE GROUP
report_policy() {
    plane_policy reports
    sed -i "s|<enforce|<report rate=\"$1\" group=\"$2\"/><enforce|" "$T/policy.xml"
}
of() { field 'select(.record == "source") | '"$2" why "$1"; }
total() { field 'select(.record == "status") | '"$1" status; }

# reload RATE GROUP
reload() {
    report_policy "$1" "$2"
    ctl policy reload "$T/policy.xml" >/dev/null
}

reports_block() {
    local i
    for i in 1 2 3 4 5 6; do
        ctl report 192.0.2.7 login --detail "try $i" --port 22 --cpu-ms 3 || return 1
    done
    [ "$(of 192.0.2.7 .state)" = malicious ] || { echo "not blocked"; return 1; }
    ctl --json why 192.0.2.7 | jq -e '[.[] | select(.record == "event")] |
        length == 6 and all(.kind == "login" and .dest_port == 22) and .[5].detail == "try 6"' || return 1
    [ "$(of 192.0.2.7 .cpu_ms)" = 18 ] && [ "$(total .reports)" = 6 ]
}

# An address that may be forged gathers nothing.
unproven_counts_for_nothing() {
    ctl report 2001:db8::7 local --unproven || return 1
    [ "$(of 2001:db8::7 .rank)" = 0 ] && [ "$(of 2001:db8::7 .unproven)" = 1 ]
}

# What pam_exec says in the environment; names and local logins are nobody's.
pam_reports() {
    PAM_RHOST=192.0.2.40 PAM_SERVICE=sshd PAM_USER=$'ro\not' ctl report --pam || return 1
    PAM_RHOST=host.example PAM_SERVICE=sshd PAM_USER=root ctl report --pam 2>"$T/said" && grep -q 'the name host.example' "$T/said" || return 1
    PAM_RHOST=fe80::40%wlan0 PAM_SERVICE=sshd PAM_USER=root ctl report --pam 2>"$T/said" && [ ! -s "$T/said" ] || return 1
    for host in 192.0.2.0/24 fe80::/64 fe80::40% ff02::1 02:00:5e:00:53:01 '192.0.2.41;'; do
        PAM_RHOST=$host PAM_SERVICE=sshd PAM_USER=root ctl report --pam 2>"$T/said" && return 1
        grep -qF "$host" "$T/said" || { echo "$host: nothing is said"; return 1; }
    done
    env -u PAM_RHOST PAM_SERVICE=login PAM_USER=root "$BIN/fmpctl" --control "$CONTROL" report --pam || return 1
    [ "$(field 'select(.record == "event") | .detail' why 192.0.2.40)" = 'sshd refuses a login as ro?ot' ] ||
        return 1
    [ "$(field 'select(.record == "event") | .kind' why fe80::40%other)" = login ] && [ "$(total .reports)" = 9 ]
}

# says STATUS WORDS COMMAND...
says() {
    local want=$1 words=$2 rc=0
    shift 2
    "$@" >"$T/said" 2>&1 || rc=$?
    [ "$rc" = "$want" ] && grep -q -- "$words" "$T/said" || { echo "$*: $rc"; cat "$T/said"; return 1; }
}

wrong_use_is_told() {
    says 2 "no kind logn: did you mean 'login'? (there are: connection" ctl report 192.0.2.1 logn &&
        says 2 'no kind good' ctl report 192.0.2.1 good &&
        says 2 'one IP address' ctl report 192.0.2.0/24 login &&
        says 2 'one IP address' ctl report 02:00:5e:00:53:01 login &&
        says 2 'takes ADDR and KIND' ctl report 192.0.2.1 &&
        says 2 'takes a number up to 65535' ctl report 192.0.2.1 login --port 65536 &&
        says 2 'from PAM' ctl report --pam 192.0.2.1 &&
        says 3 "can't reach fmpd" "$BIN/fmpctl" --control "$T/nobody" report 192.0.2.1 login
}

# A good message is nobody's to tell of but the gateway's: credit would be for sale.
good_is_refused() {
    python3 - "$T/report" <<'EOF'
import sys
sys.path.insert(0, "tests/cli")
sys.argv = ["control", sys.argv[1], "report", "192.0.2.9", "0", "1"]
exec(open("tests/cli/control.py").read())
EOF
}

# Only reports can be said here; all else ends the conversation.
nothing_else_can_be_asked() {
    says 0 '^code' python3 tests/cli/control.py "$T/report" report 192.0.2.9 10 1 &&
        ! "$BIN/fmpctl" --control "$T/report" status >"$T/said" 2>&1 &&
        [ "$(total .version)" != "" ]
}

too_fast_is_lost() {
    local lost
    reload 2/s fmpreport || return 1
    python3 tests/cli/control.py "$T/report" report 192.0.2.50 10 20
    lost=$(total .reports_lost)
    # On one connection, within a few seconds at worst.
    [ "$lost" -ge 5 ] && [ "$lost" -le 18 ] || { echo "$lost lost"; return 1; }
    [ "$(of 192.0.2.50 .events)" = $((20 - lost)) ] || return 1
    grep -q 'reports faster than 2/s' "$T/fmpd.err" || return 1
    reload 0/s fmpreport || return 1
    says 1 'too many reports' ctl report 192.0.2.51 local
}

as() { setpriv --reuid 65534 --regid 65534 "$@"; }
knock() { python3 tests/cli/control.py "$T/report" report 192.0.2.60 10 1; }
# of_group GID DIR: one of that group alone knocks at the socket there.
of_group() { as --groups "$1" bash -c "$(declare -f knock); T=$2 knock" 2>&1; }
members_may() {
    reload 50/s daemon || return 1
    [ "$(as --clear-groups bash -c "$(declare -f knock); T=$T knock" 2>&1)" != 'code 0' ] || return 1
    [ -z "$(field 'select(.record == "source" and .events > 0) | .events' why 192.0.2.60)" ] || return 1
    [ "$(of_group 1 "$T")" = 'code 0' ] || return 1
    reload 50/s fmpreport || return 1
    [ "$(of_group 1 "$T")" != 'code 0' ]
}

# Who may not is told who may.
others_are_told() {
    local rc=0
    as --clear-groups "$BIN/fmpctl" --control "$T/control" report 192.0.2.61 local 2>"$T/err" || rc=$?
    [ "$rc" = 1 ] && grep -q "root and members of the policy's report group may" "$T/err" || { cat "$T/err"; return 1; }
    rc=0
    as --clear-groups "$BIN/fmpctl" --control "$T/control" status 2>"$T/err" || rc=$?
    [ "$rc" = 1 ] && grep -q 'Permission denied' "$T/err" && grep -q 'members of the group fmpadmin may' "$T/err" ||
        { cat "$T/err"; return 1; }
}

# Whoever knocks makes fmpd read no file: what the group's number is, it asks with each policy, and only then.
group_is_asked_with_the_policy() {
    local pid rc=0
    mkdir "$T/own"
    echo fmpreport:x:4711: >"$T/own/group"
    report_policy 50/s fmpreport
    # shellcheck disable=SC2016 # the inner shell expands it
    unshare -m sh -c 'mount --bind "$0/group" /etc/group && exec "$@"' "$T/own" "$BIN/fmpd" --foreground --enforce none \
        --policy "$T/policy.xml" --control "$T/own/control" --state none 2>"$T/err" &
    pid=$!
    pids+=("$pid")
    wait_for 20 "$BIN/fmpctl" --control "$T/own/control" status || rc=1
    [ "$(of_group 4711 "$T/own")" = 'code 0' ] || rc=2
    echo fmpreport:x:4712: >"$T/own/group"
    [ "$(of_group 4711 "$T/own")" = 'code 0' ] && [ "$(of_group 4712 "$T/own")" != 'code 0' ] || rc=3
    "$BIN/fmpctl" --control "$T/own/control" policy reload >/dev/null || rc=4
    [ "$(of_group 4711 "$T/own")" != 'code 0' ] && [ "$(of_group 4712 "$T/own")" = 'code 0' ] || rc=5
    cat "$T/err"
    kill "$pid"
    wait "$pid"
    return "$rc"
}

# Of one member all connections that there are; another one, and root, come in beside them.
hold='
import socket, sys, time
held = [socket.socket(socket.AF_UNIX) for _ in range(80)]
for s in held:
    s.connect(sys.argv[1])
print("held", flush=True)
time.sleep(600)'
one_member_leaves_room() {
    local rc=0
    reload 50/s daemon || return 1
    start held setpriv --reuid 65534 --regid 65534 --groups 1 bash -c 'exec python3 -c "$@"' bash "$hold" "$T/report"
    wait_for 20 grep -q held "$T/held.out" || { cat "$T"/held.*; return 1; }
    ctl report 192.0.2.61 local || rc=1
    setpriv --reuid 65533 --regid 65534 --groups 1 bash -c "$(declare -f knock); T=$T knock" >"$T/said" 2>&1
    grep -qx 'code 0' "$T/said" && [ "$rc" = 0 ] || { cat "$T/said"; return 1; }
}

report_policy 50/s fmpreport
start fmpd "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL"
FMPD=$!
wait_for 20 ctl status

check reports_block reports_block
check unproven_counts_for_nothing unproven_counts_for_nothing
check pam_reports pam_reports
check wrong_use_is_told wrong_use_is_told
check good_is_refused test "$(good_is_refused)" = 'code -2'
check nothing_else_can_be_asked nothing_else_can_be_asked
check too_fast_is_lost too_fast_is_lost
if [ "$(id -u)" = 0 ]; then
    check members_may members_may
    check others_are_told others_are_told
    check one_member_leaves_room one_member_leaves_room
else
    skip members_may 'only root can be somebody else'
    skip others_are_told 'only root can be somebody else'
    skip one_member_leaves_room 'only root can be somebody else'
fi
if [ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null; then
    check group_is_asked_with_the_policy group_is_asked_with_the_policy
else
    skip group_is_asked_with_the_policy 'no right to mount'
fi
