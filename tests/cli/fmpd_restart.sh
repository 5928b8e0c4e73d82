# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# fmpd starts with thousands of saved blocks, in a network namespace of its own: events that
# arrive meanwhile are evaluated at once. It gets its policy only after a client has sent a request,
# so that the request is there before the first of the blocks is known.

. tests/cli/lib_netns.sh
own_netns fmpd_restart "${1:-}" ip nft unshare

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

ip link set lo up
ip link add v0 type veth peer name v1
ip addr add 10.7.0.1/24 dev v0
ip link set v0 up
ip link set v1 up

# Far more than are taken up in the few turns that a client's question needs.
MANY=6000
cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="restart">
  <block layers="ip mac" mac="no" duration="1h"/>
  <enforce reconcile="1min" max-blocks="10000"/>
</policy>
EOF
for n in $(seq 0 $((MANY - 1))); do echo "100.64.$((n / 256)).$((n % 256))"; done >"$T/list"
LAST=100.64.$(((MANY - 1) / 256)).$(((MANY - 1) % 256))

# The reader of policies waits for a file.
mkdir "$T/held"
cp "$BIN/fmpd" "$T/held/"
cat >"$T/held/fmp-policy-load" <<EOF
#!/bin/sh
while [ ! -e "$T/go" ]; do sleep 0.05; done
exec "$(realpath "$BIN")/fmp-policy-load" "\$@"
EOF
chmod +x "$T/held/fmp-policy-load"

begin() { # [OPTION...]: an fmpd that has not seen its policy, with its socket
    rm -f "$T/go"
    start fmpd "$T/held/fmpd" --foreground --enforce "ip mac" --policy "$T/policy.xml" --control "$CONTROL" \
        --state "$T/state" "$@"
    FMPD=$!
    wait_for 20 test -S "$CONTROL"
}
go() { touch "$T/go"; }
total() { field "select(.record == \"status\") | $1" status; }
taken_up() { [ "$(total '.resuming or .compared_ms == null')" = false ]; }
line_of() { grep -n -m 1 "$1" "$T/fmpd.err" | cut -d: -f1; }
# first A B: does the log say A before B?
first() {
    echo "line $(line_of "$1"): $1; line $(line_of "$2"): $2"
    [ "$(line_of "$1")" -lt "$(line_of "$2")" ]
}

# asked ADDR COUNT [then-end]: reports of forged signatures (17 on the wire; four are too many), as they are sent before fmpd can read one, its answer behind that.
asked() {
    rm -f "$T/asked"
    python3 - "$CONTROL" "$T/asked" "$FMPD" "$@" <<'EOF' >"$T/answer" &
import os, signal, socket, sys
sys.path.insert(0, "tests/cli")
import control

path, told, fmpd, address, count = sys.argv[1:6]
client = control.connect(path)
client.settimeout(60)
report = control.message(control.EVENT, control.field(1, 17), control.field(2, 1),
                         control.field(3, bytes([4, 32]) + socket.inet_aton(address) + bytes(12)),
                         control.field(5, 8080), control.field(9, b"seen by a program"))
client.sendall(report * int(count))
open(told, "w").close()
for _ in range(int(count)):
    control.receive(client)
if "then-end" in sys.argv:
    os.kill(int(fmpd), signal.SIGTERM)
print("answered")
EOF
    ASKED=$!
    wait_for 20 test -e "$T/asked" || return 1
    go
    wait "$ASKED"
    grep -q answered "$T/answer"
}

prepare() {
    begin && go && wait_for 20 taken_up || { cat "$T/fmpd.err"; return 1; }
    ctl block --file "$T/list" --for 1h >"$T/out" && plane_ends && [ -s "$T/state" ]
}

all_in_force() { # HOW MANY
    wait_for 60 taken_up || return 1
    total '"\(.blocked) blocked, \(.enforced) of \(.wanted) rules, \(.repaired) repaired"'
    [ "$(total '.blocked')" = "$1" ] && [ "$(field 'select(.record == "status") | .enforced' status --verify)" = $((2 * $1)) ] &&
        [ "$(total '.foreign // 0')" = 0 ] && [ "$(total .repaired)" = 0 ]
}

# The attacker is found, and blocked, before the blocks of before are all known; none of them is lost
# or put in force a second time.
detection_does_not_wait() { # HOW MANY BEFORE
    begin && asked 192.0.2.66 4 || { cat "$T/fmpd.err"; return 1; }
    all_in_force $(($1 + 1)) || { cat "$T/fmpd.err"; return 1; }
    first 'event=decision .*addr=192.0.2.66 ' "event=adopt msg=\"$1 of [0-9]* blocks found" || { cat "$T/fmpd.err"; return 1; }
    [ "$(field 'select(.record == "decision") | .state' why 192.0.2.66)" = "in force" ]
}

# The same where no state is kept: the kernel alone knows.
no_state() {
    begin --state none && asked 192.0.2.67 4 || return 1
    all_in_force $((MANY + 3)) || { cat "$T/fmpd.err"; return 1; }
    first 'event=decision .*addr=192.0.2.67 ' "event=adopt msg=\"$((MANY + 2)) of" || { cat "$T/fmpd.err"; return 1; }
    # One id, one decision.
    ctl --json blocks | jq -e '[.[] | select(.record == "decision") | .decision_id] | length == (unique | length)' >/dev/null &&
        plane_ends
}

# Who asks what is blocked is told all of it, once it is known; the attacker who is found meanwhile does not
# wait for that.
question_keeps_nobody_waiting() {
    local questions
    plane_ends
    begin && rm -f "$T/questions" || return 1
    python3 - "$CONTROL" "$T/questions" "$LAST" <<'EOF' >"$T/told" &
import socket, sys
sys.path.insert(0, "tests/cli")
import control

path, told, address = sys.argv[1:4]
WHY, DECISIONS, ADDR = 0x0203, 0x020B, 4
source = control.field(ADDR, bytes([4, 32]) + socket.inet_aton(address) + bytes(12))
clients = [control.connect(path) for _ in range(2)]
clients[0].sendall(control.message(WHY, source))
clients[1].sendall(control.message(DECISIONS))
open(told, "w").close()
for client in clients:
    client.settimeout(60)
    found = 0
    while True:
        answer = control.receive(client)
        if answer[4:6] == control.END.to_bytes(2, "big"):
            break
        found += b"in force" in answer
    print(found)
EOF
    questions=$!
    wait_for 20 test -e "$T/questions" && asked 192.0.2.71 4 && wait "$questions" || { cat "$T/fmpd.err" "$T/told"; return 1; }
    cat "$T/told"
    first 'event=decision .*addr=192.0.2.71 ' "event=adopt msg=" || { cat "$T/fmpd.err"; return 1; }
    [ "$(head -n 1 "$T/told")" = 1 ] && [ "$(tail -n 1 "$T/told")" -ge "$MANY" ] && ctl unblock 192.0.2.71 >/dev/null
}

# A source's saved state is known before an event of it is evaluated: a blocked one is not blocked again.
blocked_is_known() {
    local id
    id=$(field 'select(.record == "decision") | .decision_id' why "$LAST")
    plane_ends
    begin && asked "$LAST" 8 || return 1
    all_in_force $((MANY + 1)) || { cat "$T/fmpd.err"; return 1; }
    grep "event=decision" "$T/fmpd.err" && return 1
    [ "$(field 'select(.record == "decision") | .decision_id' why "$LAST")" = "$id" ] &&
        [ "$(field 'select(.record == "source") | .events' why "$LAST")" = 8 ]
}

# One that is blocked by hand, and one that is unblocked, as if all were known.
hand_is_obeyed() {
    plane_ends
    begin && go && wait_for 20 ctl status || return 1
    ctl unblock "$LAST" >/dev/null && ctl block 192.0.2.68 >/dev/null && all_in_force $((MANY + 1)) || { cat "$T/fmpd.err"; return 1; }
    [ "$(field 'select(.record == "decision") | .state' why "$LAST")" = ended ]
}

# Thousands of blocks that are over keep nobody waiting, either: who asks for one more when they are, and then
# how many there are, is answered while most of them are still to end.
ends_keep_nobody_waiting() {
    local asked
    plane_ends
    nft flush ruleset
    rm -f "$T/state" "$T/asked"
    begin && go && wait_for 20 taken_up && ctl block --file "$T/list" --for 6s >"$T/out" || return 1
    kill -STOP "$FMPD"
    sleep 7
    python3 - "$CONTROL" "$T/asked" 192.0.2.72 <<'EOF' >"$T/left" &
import socket, struct, sys
sys.path.insert(0, "tests/cli")
import control

path, told, address = sys.argv[1:4]
BLOCK, ADDR, BLOCKED = 0x0204, 4, struct.pack(">HI", 39, 8)
client = control.connect(path)
client.settimeout(60)
source = bytes([4, 32]) + socket.inet_aton(address) + bytes(12)
client.sendall(control.message(BLOCK, control.field(ADDR, source)) + control.message(control.STATUS))
open(told, "w").close()
answer = b""
while BLOCKED not in answer:
    answer = control.receive(client)
at = answer.index(BLOCKED) + len(BLOCKED)
print(*struct.unpack(">Q", answer[at:at + 8]))
EOF
    asked=$!
    wait_for 20 test -e "$T/asked"
    kill -CONT "$FMPD"
    wait "$asked"
    echo "$(cat "$T/left") are blocked still"
    wait_for 60 all_ended && [ "$(cat "$T/left")" -gt $((MANY / 2)) ] && all_in_force 1
}
all_ended() { [ "$(total .blocked)" = 1 ]; }

# Nor does anybody wait for whoever ends them all: one who asks for a block behind him, and then how many
# there are, is answered while most of them are still to end; his own block stays.
flush_keeps_nobody_waiting() {
    local asked left ended
    wait_for 60 taken_up && ctl flush >/dev/null && ctl block --file "$T/list" >/dev/null && all_in_force "$MANY" || return 1
    rm -f "$T/asked"
    kill -STOP "$FMPD"
    python3 - "$CONTROL" "$T/asked" 192.0.2.73 <<'EOF' >"$T/flushed" &
import socket, struct, sys
sys.path.insert(0, "tests/cli")
import control

path, told, address = sys.argv[1:4]
BLOCK, FLUSH, ADDR, BLOCKED, UNBLOCKS = 0x0204, 0x020E, 4, 39, 64
TIMES = 4  # each answer is a turn, and the first may be in front of the flush's own


def number(client, ident):
    key = struct.pack(">HI", ident, 8)
    answer = b""
    while key not in answer:
        answer = control.receive(client)
    at = answer.index(key) + len(key)
    return struct.unpack(">Q", answer[at:at + 8])[0]


first, second = control.connect(path), control.connect(path)
first.settimeout(60)
second.settimeout(60)
first.sendall(control.message(FLUSH))
source = bytes([4, 32]) + socket.inet_aton(address) + bytes(12)
second.sendall(control.message(BLOCK, control.field(ADDR, source)) + TIMES * control.message(control.STATUS))
open(told, "w").close()
left = [number(second, BLOCKED) for _ in range(TIMES)][-1]
print(left, number(first, UNBLOCKS))
EOF
    asked=$!
    wait_for 20 test -e "$T/asked"
    kill -CONT "$FMPD"
    wait "$asked" || return 1
    read -r left ended <"$T/flushed"
    echo "$ended ended; when the other was answered $left were blocked"
    [ "$ended" = "$MANY" ] && [ "$left" -gt $((MANY / 2)) ] && [ "$(total .blocked)" = 1 ] && all_in_force 1 &&
        [ "$(field 'select(.record == "decision") | .state' why 192.0.2.73)" = "in force" ]
}

# Four may ask for it at once: the first of them ends the blocks, the others find none, a fifth is refused.
flushes_are_bounded() {
    ctl flush >/dev/null && ctl block --file "$T/list" >/dev/null && all_in_force "$MANY" || return 1
    python3 - "$CONTROL" "$FMPD" <<'EOF' >"$T/flushed" || return 1
import os, signal, struct, sys
sys.path.insert(0, "tests/cli")
import control

FLUSH, UNBLOCKS, CODE = 0x020E, struct.pack(">HI", 64, 8), struct.pack(">HI", 2, 8)


def number(answer, key):
    at = answer.index(key) + len(key)
    return struct.unpack(">q", answer[at:at + 8])[0]


# Let in, before it stands still.
clients = [control.connect(sys.argv[1]) for _ in range(21)]
for client in clients:
    client.settimeout(60)
    client.sendall(control.message(control.STATUS))
    while struct.unpack(">H", control.receive(client)[4:6])[0] != control.END:
        pass
os.kill(int(sys.argv[2]), signal.SIGSTOP)
for client in clients:
    client.sendall(control.message(FLUSH))
os.kill(int(sys.argv[2]), signal.SIGCONT)
ended, refused = [], 0
for client in clients:
    answer = control.receive(client)
    if UNBLOCKS in answer:
        ended.append(number(answer, UNBLOCKS))
        answer = control.receive(client)
    refused += number(answer, CODE) != 0 and b"too many" in answer
print(*sorted(ended), refused)
EOF
    cat "$T/flushed"
    [ "$(cat "$T/flushed")" = "$(printf '0 %.0s' {1..19})$MANY 1" ] && all_in_force 0
}

# It ends before it knows all: nothing that it did not know is forgotten.
early_end_forgets_nothing() {
    local rc=0
    plane_ends
    begin && asked 192.0.2.69 4 then-end || return 1
    wait "$FMPD" || rc=$?
    FMPD=
    grep -c . "$T/fmpd.err"
    [ "$rc" = 0 ] && nft flush ruleset && begin && go && wait_for 60 taken_up || { cat "$T/fmpd.err"; return 1; }
    # Of the file alone: the kernel has lost all of it.
    total '"\(.blocked) blocked, \(.enforced) of \(.wanted) rules"'
    [ "$(total '.blocked == '$((MANY + 2))' and .enforced == .wanted')" = true ]
}

# Who has all layers compared waits for it, and nobody for him: of two who ask, both before fmpd can
# read, the first is told of the second's block.
verify_keeps_nobody_waiting() {
    local blocked wanted asked
    blocked=$(total .blocked)
    wanted=$(total .wanted)
    rm -f "$T/asked"
    kill -STOP "$FMPD"
    python3 - "$CONTROL" "$T/asked" 192.0.2.70 <<'EOF' >"$T/verified" &
import socket, struct, sys
sys.path.insert(0, "tests/cli")
import control

path, told, address = sys.argv[1:4]
BLOCK, ADDR, BLOCKED, WANTED, ENFORCED, VERIFY = 0x0204, 4, 39, 40, 41, 104
first, second = control.connect(path), control.connect(path)
first.settimeout(60)
first.sendall(control.message(control.STATUS, control.field(VERIFY, 1)))
source = bytes([4, 32]) + socket.inet_aton(address) + bytes(12)
second.sendall(control.message(BLOCK, control.field(ADDR, source)))
open(told, "w").close()
answer, at, found = control.receive(first), 6, {}
while at < len(answer):
    ident, size = struct.unpack(">HI", answer[at:at + 6])
    found[ident] = answer[at + 6:at + 6 + size]
    at += 6 + size
print(*(struct.unpack(">Q", found[n])[0] for n in (BLOCKED, WANTED, ENFORCED)))
EOF
    asked=$!
    wait_for 20 test -e "$T/asked"
    kill -CONT "$FMPD"
    wait "$asked" || return 1
    echo "$(cat "$T/verified"), before: $blocked blocked, $wanted wanted"
    [ "$(cat "$T/verified")" = "$((blocked + 1)) $((wanted + 2)) $((wanted + 2))" ] &&
        ctl unblock 192.0.2.70 >/dev/null
}

# Four bad messages of a source.
bad() { # ADDR...
    local address
    for address; do control report "$address" 17 4 >/dev/null || return 1; done
}

# Roll-up: two of a prefix were blocked before, the third blocks the prefix, as soon as it is asked for;
# beside one who was good it does not. Neither waits until all that was before is known.
roll_up_knows_its_prefix() {
    sed -i 's|duration="1h"/>|duration="1h"><rollup sources="3"/></block>|' "$T/policy.xml"
    begin && go && wait_for 60 taken_up || { cat "$T/fmpd.err"; return 1; }
    bad 198.51.100.1 198.51.100.2 203.0.113.1 203.0.113.2 || return 1
    # It is remembered for the bad one of its two.
    control report 203.0.113.9 17 1 >/dev/null && control report 203.0.113.9 0 1 >/dev/null && plane_ends || return 1
    begin && asked 198.51.100.3 4 && wait_for 60 taken_up || return 1
    first 'event=decision .*addr=198.51.100.0/24 ' 'event=state msg=' || { cat "$T/fmpd.err"; return 1; }
    plane_ends
    begin && asked 203.0.113.3 4 && wait_for 60 taken_up || return 1
    first 'event=decision .*addr=203.0.113.3 ' 'event=state msg=' || { cat "$T/fmpd.err"; return 1; }
}

check prepare prepare
check detection_does_not_wait detection_does_not_wait "$MANY"
check verify_keeps_nobody_waiting verify_keeps_nobody_waiting
check question_keeps_nobody_waiting question_keeps_nobody_waiting
check blocked_is_known blocked_is_known
check hand_is_obeyed hand_is_obeyed
check early_end_forgets_nothing early_end_forgets_nothing
plane_ends
check no_state_detection_does_not_wait no_state
check roll_up_knows_its_prefix roll_up_knows_its_prefix
check ends_keep_nobody_waiting ends_keep_nobody_waiting
check flush_keeps_nobody_waiting flush_keeps_nobody_waiting
check flushes_are_bounded flushes_are_bounded
