# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# The whole plane without rights, on loopback: fmpd --enforce none with the real gateway and
# the sample service. It says what it would block; loopback itself is protected.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

OTHER=198.51.100.7
SCHEMA=10 # FMP_EVENT_SCHEMA on the wire

good_message() { [ "$(post "$GOOD")" = 200 ]; }

# No layer is there: nothing is in force, all is observed.
is_observed() { field 'select(.record == "decision" and .state == "observed" and .observe)' why "$1" | grep -q .; }
not_observed() { [ "$(field 'select(.record == "decision") | .state' why "$1")" != observed ]; }

# Bad messages from loopback cross the threshold; the decision is cancelled, and why says so.
loopback_is_protected() {
    local _
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do post "$BAD" >/dev/null; done
    ctl why 127.0.0.1 >"$T/why"
    cat "$T/why"
    grep -q 'protected: loopback' "$T/why" && grep -q ' schema ' "$T/why" || return 1
    [ "$(field 'select(.record == "protected") | .origin' why 127.0.0.1)" = loopback ] || return 1
    [ "$(field 'select(.record == "status") | .protected_hits' status)" -ge 1 ] || return 1
    not_observed 127.0.0.1 && grep -q 'not blocked: 127.0.0.1 is protected: loopback' "$T/fmpd.err"
}

# A program on this machine vouches for the source of what it saw.
reported_source_would_be_blocked() {
    [ "$(control report "$OTHER" "$SCHEMA" 12)" = "code 0" ] || return 1
    is_observed "$OTHER" || return 1
    ctl why --json "$OTHER" >"$T/why"
    cat "$T/why"
    jq -e '(map(select(.record == "answer" and .state == "observed")) | length) == 3 and
        (map(select(.record == "source"))[0] | .state == "malicious" and .rank > 0) and
        (map(select(.record == "event" and .kind == "schema" and .rank > 0)) | length) > 0' "$T/why" || return 1
    ctl why "$OTHER" | grep -q 'no MAC is blocked: .' && grep -q "would block $OTHER" "$T/fmpd.err"
}

# why heads with the threshold that counted.
why_heads_with_the_threshold() {
    ctl why "$OTHER" >"$T/why"
    head -3 "$T/why"
    head -1 "$T/why" | grep -Eqx "$OTHER is malicious: rank [0-9]+ of 100, newest: schema.*" &&
        sed -n 2p "$T/why" | grep -Eq '^  now rank [0-9]+, suspicious from 40 on, malicious from 100 on$'
}

unblock_reported() {
    ctl unblock "$OTHER" && not_observed "$OTHER" &&
        [ "$(field 'select(.record == "source") | .rank' why "$OTHER")" = 0 ] && ! ctl unblock "$OTHER"
}

refused_by_hand() { # ADDR
    local rc=0
    ctl block "$1" >"$T/out" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q 'is protected' "$T/err"
}

# A list: what is protected is refused by itself; a line that is no address refuses all of them.
blocks_of_a_file() {
    local rc=0 n
    printf '# found elsewhere\n198.51.100.20\n\n 2001:db8:5::/64 # a prefix\n127.0.0.1\n' >"$T/list"
    for n in $(seq 3000); do echo "100.64.$((n / 256)).$((n % 256))"; done >>"$T/list"
    ctl block --file "$T/list" --for 5min --reason imported >"$T/out" 2>"$T/err" || rc=$?
    cat "$T/out" "$T/err"
    [ "$rc" = 4 ] && grep -qx '3002 of 3003 blocked, some refused' "$T/out" && grep -q '^fmpctl: 127.0.0.1 is protected' "$T/err" &&
        is_observed 198.51.100.20 && is_observed 2001:db8:5::/64 && is_observed 100.64.11.184 && not_observed 127.0.0.1 || return 1
    ctl blocks | grep -q '198.51.100.20 .*imported' || return 1
    rc=0
    printf '198.51.100.21\n198.51.100.300\n' | ctl block --file - 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 2 ] && grep -q '^fmpctl: -:2: ' "$T/err" && not_observed 198.51.100.21 && ctl flush --manual --yes >/dev/null
}

# Lists as they are published: comments of both kinds, CRLF, a byte order mark, ranges, host bits.
blocks_of_published_lists() {
    printf '\xef\xbb\xbf; DROP\n198.51.100.31 ; SBL1\r\n198.51.100.32\t# GB\r\n198.51.100.41 - 198.51.100.46\n198.51.100.52-198.51.100.52\n' >"$T/list"
    printf '2001:db8:7::ff-2001:db8:7::100\n203.0.113.77/28\n::ffff:203.0.113.129/121\n' >>"$T/list"
    ctl block --file "$T/list" --for 5min --reason published >"$T/out" 2>"$T/err" || { cat "$T/err"; return 1; }
    grep -qx "fmpctl: $T/list:7: 203.0.113.77/28 has bits behind its prefix, taken as 203.0.113.64/28" "$T/err" &&
        grep -q ':8: .* taken as 203.0.113.128/25$' "$T/err" || { cat "$T/err"; return 1; }
    ctl --json blocks | jq -r '[.[] | select(.record == "decision" and .reason == "published") | .addr] | sort | join(" ")' >"$T/out"
    cat "$T/out"
    [ "$(cat "$T/out")" = "198.51.100.31 198.51.100.32 198.51.100.41 198.51.100.42/31 198.51.100.44/31 198.51.100.46 198.51.100.52 2001:db8:7::100 2001:db8:7::ff 203.0.113.128/25 203.0.113.64/28" ] || return 1
    ctl flush --manual --yes >/dev/null
    local line
    for line in 198.51.100.9-198.51.100.8 198.51.100.9- -198.51.100.9 198.51.100.9-::1 198.51.100.0/30-198.51.100.9 \
        198.51.100.9/33 198.51.100.9/ 198.51.100.9/2x ::ffff:198.51.100.9/95 '{"cidr":"198.51.100.9/32"}'; do
        printf '198.51.100.8\n%s\n' "$line" >"$T/list"
        ctl block --file "$T/list" 2>"$T/err" && { echo "taken: $line"; return 1; }
        grep -q "^fmpctl: $T/list:2: " "$T/err" && not_observed 198.51.100.8 || { echo "$line"; cat "$T/err"; return 1; }
    done
}

# block_is ADDR MANUAL REASON MS: its block lasts longer than MS
block_is() {
    ctl --json blocks "$1" | jq -e --arg m "$2" --arg r "$3" --argjson ms "$4" '[.[] | select(.record == "decision")] |
        length == 1 and (.[0].manual | tostring) == $m and (.[0].reason | test($r)) and (.[0].left_ms == null or .[0].left_ms > $ms)' >/dev/null ||
        { echo "$*"; ctl --json blocks "$1"; return 1; }
}
import() { printf '%s\n' "${@:2}" | ctl block --file - --for "$1" --reason feed; }
# An import leaves the blocks of others, and longer ones of its own, as they are; its own it renews.
import_takes_nothing_over() {
    ctl block 198.51.100.61 --for 1d --reason "scans us" >/dev/null && ctl block 198.51.100.62 --for 0 --reason "scans us" >/dev/null &&
        ctl block 198.51.100.63 --for 1min --reason "scans us" >/dev/null || return 1
    for _ in 1 2 3 4 5 6; do ctl report 198.51.100.64 login >/dev/null; done
    is_observed 198.51.100.64 || return 1
    import 1h 198.51.100.61 198.51.100.62 198.51.100.63 198.51.100.64 198.51.100.65 >"$T/out" || return 1
    grep -qx '5 of 5 blocked, 4 of them by blocks that stay as they were' "$T/out" || { cat "$T/out"; return 1; }
    block_is 198.51.100.61 true 'scans us' 80000000 && block_is 198.51.100.62 true 'scans us' 80000000 &&
        block_is 198.51.100.63 true 'scans us' 1 && block_is 198.51.100.64 false . 1 || return 1
    import 2h 198.51.100.65 | grep -qx '1 of 1 blocked' && block_is 198.51.100.65 true feed 7000000 &&
        import 1min 198.51.100.65 | grep -q '1 of them' && block_is 198.51.100.65 true feed 7000000 || return 1
    ctl flush --manual --yes >/dev/null && is_observed 198.51.100.64 && ctl unblock 198.51.100.64 >/dev/null
}

block_ends() {
    ctl block 198.51.100.9 --for 1s --reason "a test" || return 1
    is_observed 198.51.100.9 && ctl blocks | grep -q '198.51.100.9 .*a test' || return 1
    wait_for 5 not_observed 198.51.100.9
}

block_without_end() {
    ctl block 198.51.100.0/28 --for 0 --layers ip >"$T/out" || return 1
    grep -q 'without end' "$T/out" || return 1
    [ "$(field 'select(.record == "decision") | .layers' why 198.51.100.3)" = ip ] && ctl unblock 198.51.100.0/28
}

# The end of one block frees nobody whom another one holds, and that is said.
unblock_names_what_still_holds() {
    local rc=0 id
    ctl block 198.51.100.0/24 --for 1h >/dev/null && ctl block 198.51.100.9 >/dev/null || return 1
    id=$(field 'select(.record == "decision") | .decision_id' why 198.51.100.0/24)
    ctl unblock 198.51.100.9 >"$T/out" || rc=$?
    cat "$T/out"
    [ "$rc" = 4 ] && grep -q '^Decision [0-9]*: unblock 198.51.100.9,' "$T/out" &&
        grep -Eqx "  still observed: block 198.51.100.0/24 \(decision $id\), (1h|59min.*) left" "$T/out" || return 1
    # Without one of its own nothing ends.
    rc=0
    ctl unblock 198.51.100.9 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q "198.51.100.9 has no block of its own: decision $id on 198.51.100.0/24 holds it" "$T/err" || return 1
    rc=0
    ctl block 198.51.100.9 >/dev/null && ctl --json unblock 198.51.100.9 >"$T/out" || rc=$?
    [ "$rc" = 4 ] && [ "$(jq -r 'map(select(.record == "covered") | .addr) | join(" ")' "$T/out")" = 198.51.100.0/24 ] &&
        python3 tests/cli/json_schema.py daemon/fmpctl/fmpctl.schema.json "$T/out" || return 1
    # Narrower ones end with the prefix.
    ctl block 198.51.100.9 >/dev/null && ctl unblock 198.51.100.0/24 >"$T/out" && not_observed 198.51.100.9 &&
        not_observed 198.51.100.0/24
}

protect_ends_block() {
    ctl block 198.51.100.9 >/dev/null && is_observed 198.51.100.9 || return 1
    ctl protect add 198.51.100.9 | grep -q manual || return 1
    not_observed 198.51.100.9 && refused_by_hand 198.51.100.9 && refused_by_hand 198.51.100.0/24 || return 1
    ctl protect del 198.51.100.9 && ! ctl protect del 198.51.100.9 2>/dev/null
    ctl block 198.51.100.9 >/dev/null && ctl unblock 198.51.100.9
}

watch_shows() {
    start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
    local watcher=$!
    # Until the watcher is subscribed there is nothing to see: so more than once.
    wait_for 10 watched
    local rc=$?
    kill "$watcher"
    return "$rc"
}
watched() {
    post "$BAD" >/dev/null
    jq -se 'any(.record == "event" and .kind == "schema" and .addr == "127.0.0.1" and .proven)' "$T/watch.out"
}

# What a request sets off goes to the watchers, its answer to the one who asked.
answer_while_watched() {
    start watch "$BIN/fmpctl" --control "$CONTROL" watch --json
    local watcher=$! rc=0
    wait_for 10 watched || rc=1
    timeout 5 "$BIN/fmpctl" --control "$CONTROL" block 198.51.100.9 >"$T/out" || rc=1
    grep -q 'block 198.51.100.9' "$T/out" || rc=1
    [ "$(timeout 5 python3 tests/cli/control.py "$CONTROL" report 198.51.100.10 "$SCHEMA" 2)" = "code 0" ] || rc=1
    timeout 5 "$BIN/fmpctl" --control "$CONTROL" unblock 198.51.100.9 >/dev/null || rc=1
    wait_for 5 grep -q '198.51.100.10' "$T/watch.out" || rc=1
    jq -se '[.[] | select(.record == "decision" and .addr == "198.51.100.9") | .action] == ["block", "unblock"]' \
        "$T/watch.out" || rc=1
    kill "$watcher"
    return "$rc"
}

policy_shown() {
    [ "$(field 'select(.name == "name") | .value' policy show)" = first ] &&
        [ "$(field 'select(.name == "block/duration") | .value' policy show)" = 10min ] &&
        ctl policy show | grep -Eq '^gateway/security +BcV$'
}

blocked_now() { ctl --json blocks | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")'; }

flush() {
    [ "$(control report "$OTHER" "$SCHEMA" 12)" = "code 0" ] || return 1
    ctl block 198.51.100.20 >/dev/null && ctl block 198.51.100.32/28 >/dev/null || return 1
    blocked_now
    [ "$(blocked_now)" = "198.51.100.20 198.51.100.32/28 $OTHER" ] || return 1
    [ "$(ctl flush --automatic --reason "a test")" = "1 ended" ] || return 1
    [ "$(blocked_now)" = "198.51.100.20 198.51.100.32/28" ] && grep -q "$OTHER.*a test" "$T/fmpd.err" || return 1
    [ "$(control report "$OTHER" "$SCHEMA" 12)" = "code 0" ] || return 1
    [ "$(ctl flush --manual --json | jq .[0].unblocks)" = 2 ] && [ "$(blocked_now)" = "$OTHER" ] || return 1
    ctl block 198.51.100.20 >/dev/null
    # Asked at a terminal: no is no, and so is a word that begins otherwise.
    ! echo n | script -qec "$BIN/fmpctl --control $CONTROL flush" /dev/null || return 1
    [ "$(blocked_now)" = "198.51.100.20 $OTHER" ] || return 1
    echo y | script -qec "$BIN/fmpctl --control $CONTROL flush" /dev/null || return 1
    [ -z "$(blocked_now)" ] && [ "$(ctl flush --yes)" = "0 ended" ]
}

policy_name() { field 'select(.record == "status") | .name' status; }

reload_good() {
    sed 's/name="first"/name="second"/' "$T/policy.xml" >"$T/second.xml"
    local gw
    gw=$(gateway_pid)
    (cd "$T" && "$OLDPWD/$BIN_ABS/fmpctl" --control "$CONTROL" policy reload second.xml) || return 1
    [ "$(policy_name)" = second ] && wait_for 10 other_gateway "$gw" && good_message
}

reload_bad() {
    local rc=0
    sed 's/<block /<blok /' "$T/policy.xml" >"$T/bad.xml"
    ctl policy reload "$T/bad.xml" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -Eq "$T/bad.xml:[0-9]+:[0-9]+: " "$T/err" && [ "$(policy_name)" = second ]
}

hangup_bad_then_good() {
    cp "$T/second.xml" "$T/keep.xml"
    cp "$T/bad.xml" "$T/second.xml"
    kill -HUP "$FMPD"
    wait_for 5 grep -Eq "stays as it was: $T/second.xml:[0-9]+:[0-9]+: " "$T/fmpd.err" || return 1
    [ "$(policy_name)" = second ] || return 1
    sed 's/name="second"/name="third"/' "$T/keep.xml" >"$T/second.xml"
    kill -HUP "$FMPD"
    wait_for 5 has_name third && wait_for 10 gateway_up
}
has_name() { [ "$(policy_name)" = "$1" ]; }

gateway_killed() {
    local gw t0
    gw=$(gateway_pid)
    t0=${EPOCHREALTIME/./}
    kill -9 "$gw"
    wait_for 5 other_gateway "$gw" || return 1
    echo "back after $(((${EPOCHREALTIME/./} - t0) / 1000)) ms"
    [ $((${EPOCHREALTIME/./} - t0)) -lt 1000000 ] && kill -0 "$FMPD" && good_message &&
        [ "$(field 'select(.record == "gateway") | .restarts' status)" -ge 1 ]
}

garbage_closes_the_client_only() {
    [ "$(control garbage)" = closed ] && ctl status >/dev/null
}

# One that asks and never reads: fmpd stops reading too, and does not hoard answers.
greedy_client_is_bounded() {
    local grown
    grown=$(control flood 40000 "$FMPD")
    echo "fmpd grew by $grown KiB"
    [ "$grown" -lt 4000 ] && ctl status >/dev/null
}

connections_are_bounded() {
    [ "$(control connect 40)" = "refused 8" ] && wait_for 5 ctl status
}

second_fmpd_refused() {
    local rc=0
    "$BIN/fmpd" --foreground --enforce none --policy "$T/policy.xml" --control "$CONTROL" 2>"$T/err" || rc=$?
    [ "$rc" = 1 ] && grep -q 'an fmpd runs already' "$T/err" && ctl status >/dev/null
}

# Nothing is pending: it sleeps. Its gateway may say a word now and then.
idle_sleeps() {
    local a b
    sleep 1
    a=$(awk '/^voluntary/ { print $2 }' "/proc/$FMPD/status")
    sleep 3
    b=$(awk '/^voluntary/ { print $2 }' "/proc/$FMPD/status")
    echo "woke up $((b - a)) times in 3 s"
    [ $((b - a)) -le 3 ]
}

mode_of_socket() { [ "$(stat -c %a "$CONTROL")" = 660 ]; }

ends_gracefully() {
    local gw rc=0
    gw=$(gateway_pid)
    plane_ends || rc=$?
    [ "$rc" = 0 ] && [ ! -e "$CONTROL" ] && ! kill -0 "$gw" 2>/dev/null
}

killed_and_back() {
    local gw
    plane_up
    gw=$(gateway_pid)
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    wait_for 5 gone "$gw" || { echo "the gateway outlives fmpd"; return 1; }
    [ -S "$CONTROL" ] && plane_up && good_message && plane_ends
}

# An address that another program listens on is waited for, but not for long.
holder() { # SECONDS
    start holder python3 -c 'import socket, sys, time
server = socket.create_server(("127.0.0.1", 0))
print("listening on 127.0.0.1:%d" % server.getsockname()[1], flush=True)
time.sleep(float(sys.argv[1]))' "$1"
    listening holder
}
address_is_waited_for() {
    local rc=0
    holder 1
    plane_up --listen "127.0.0.1:$PORT" && good_message && plane_ends || return 1
    holder 600
    plane --listen "127.0.0.1:$PORT"
    wait "$FMPD" || rc=$?
    FMPD=
    [ "$rc" = 1 ] && grep -q "127.0.0.1:$PORT: can't listen: Address already in use" "$T/fmpd.err"
}

# The policy is read by a program of its own: what parses XML is no part of what has the rights.
no_xml_in_fmpd() {
    readelf -d "$BIN/fmpd" >"$T/needs" && grep -q 'NEEDED.*libnftnl' "$T/needs" && ! grep -E 'NEEDED.*(xml|crypto|pcre)' "$T/needs"
}

# Without that program, or with one of another build, fmpd says what is wrong and ends.
policy_reader_is_told() { # PROGRAM WORDS
    local rc=0
    rm -rf "$T/alone" && mkdir "$T/alone" && cp "$BIN/fmpd" "$T/alone/" || return 1
    [ -z "$1" ] || printf '#!/bin/sh\n%s\n' "$1" >"$T/alone/fmp-policy-load"
    chmod +x "$T"/alone/*
    timeout 60 "$T/alone/fmpd" --foreground --enforce none --policy policies/balanced.xml --control "$T/alone/control" \
        2>"$T/alone/err" || rc=$?
    cat "$T/alone/err"
    [ "$rc" = 1 ] && grep -q "$2" "$T/alone/err"
}

BIN_ABS=$(realpath --relative-to="$PWD" "$BIN")
service
plane_policy first
plane_up
# Who may use the socket is not root by it.
others_file_only_for_root() {
    local rc=0
    cp "$T/policy.xml" "$T/theirs.xml" && chmod 755 "$T" && chmod 644 "$T/theirs.xml" && chown :65534 "$CONTROL" || return 1
    as() { setpriv --reuid 65534 --regid 65534 --clear-groups "$BIN/fmpctl" --control "$CONTROL" "$@"; }
    as policy reload "$T/theirs.xml" 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q 'only root, or the user of fmpd' "$T/err" && as policy reload
}

mac_is_nothing_for_ip() {
    local rc=0
    ctl block 02:00:5e:00:53:77 --layers ip 2>"$T/err" || rc=$?
    cat "$T/err"
    [ "$rc" = 1 ] && grep -q "can't hold a MAC" "$T/err" && ! ctl blocks | grep -q 02:00:5e:00:53:77
}

check mode_of_socket mode_of_socket
check good_message good_message
check loopback_is_protected loopback_is_protected
check reported_source_would_be_blocked reported_source_would_be_blocked
check why_heads_with_the_threshold why_heads_with_the_threshold
check unblock_reported unblock_reported
check loopback_refused_by_hand refused_by_hand 127.0.0.1
check prefix_with_loopback_refused refused_by_hand 126.0.0.0/7
check blocks_of_a_file blocks_of_a_file
check blocks_of_published_lists blocks_of_published_lists
check import_takes_nothing_over import_takes_nothing_over
check block_ends block_ends
check block_without_end block_without_end
check unblock_names_what_still_holds unblock_names_what_still_holds
check protect_ends_block protect_ends_block
check watch_shows watch_shows
check answer_while_watched answer_while_watched
check policy_shown policy_shown
check flush flush
check reload_good reload_good
check reload_bad_keeps_the_old_one reload_bad
if [ "$(id -u)" = 0 ]; then
    check others_file_only_for_root others_file_only_for_root
fi
check mac_is_nothing_for_ip mac_is_nothing_for_ip
check hangup_bad_then_good hangup_bad_then_good
check gateway_killed gateway_killed
check garbage_closes_the_client_only garbage_closes_the_client_only
check greedy_client_is_bounded greedy_client_is_bounded
check connections_are_bounded connections_are_bounded
check second_fmpd_refused second_fmpd_refused
check idle_sleeps idle_sleeps
check ends_gracefully ends_gracefully
check killed_and_back killed_and_back
check address_is_waited_for address_is_waited_for
check no_xml_in_fmpd no_xml_in_fmpd
# An installed one would be found.
[ -e /usr/local/libexec/fmp-policy-load ] || check policy_reader_missing policy_reader_is_told "" "can't run .*fmp-policy-load"
check policy_reader_of_another_build policy_reader_is_told "echo fmp-pol 0.0.1" "not handed over by this build"
check policy_reader_dies policy_reader_is_told "kill -SEGV \$\$" "ended with signal 11"
