# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# local-mac-pair: an address is blocked in frames of the MAC that its device made up, against this machine's
# nftables, in network namespaces of its own. Behind a veth pair is whoever has 10.7.0.2 just now.

. tests/cli/lib_netns.sh
own_netns fmpd_pair "${1:-}" ip nft unshare nsenter

. tests/cli/lib.sh
. tests/cli/lib_plane.sh

OLD=02:00:00:00:07:02 NEW=02:00:00:00:07:03 MADE=00:00:5e:00:53:07

ip link set lo up
netns_behind v0 v1 address "$OLD"
ip addr add 10.7.0.1/24 dev v0
ip link set v0 up
far ip link set lo up
far ip addr add 10.7.0.2/24 dev v1
far ip link set v1 up

policy() { # ATTRIBUTES [PROTECTED]
    cat >"$T/policy.xml" <<EOF
<?xml version="1.0" encoding="UTF-8"?>
<policy xmlns="urn:fmp:policy:1" name="pair">
  <block layers="ip mac" duration="10min" factor="2.0" $1/>
  <protect>${2:-}</protect>
</policy>
EOF
}
up() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    start fmpd "$BIN/fmpd" --foreground --enforce "ip mac" --policy "$T/policy.xml" --control "$CONTROL" "$@"
    FMPD=$!
    wait_for 20 ctl status || { cat "$T/fmpd.err"; return 1; }
}
killed() {
    kill -9 "$FMPD"
    wait "$FMPD" 2>/dev/null
    FMPD=
}
# anew ATTRIBUTES [PROTECTED]: nothing in force, nobody known. FIRST: who has the address before fmpd is there (OLD).
anew() {
    [ -z "${FMPD:-}" ] || plane_ends 2>/dev/null
    FMPD=
    "$BIN/fmpd" --teardown --control "$CONTROL" && policy "$@" && far_takes "${FIRST:-$OLD}" && up && wait_for 10 answers
}
far_takes() { # MAC
    far ip link set v1 address "$1"
    far ip neigh flush dev v1
    ip neigh flush dev v0
}
answers() { far ping -qc1 -W1 10.7.0.1; }
silent() { ! answers; }
# Four forgeries of 30 points.
offends() { control report 10.7.0.2 17 4; }
decision() { field "select(.record == \"decision\") | $1" why 10.7.0.2; }
source_of() { field "select(.record == \"source\") | $1" why 10.7.0.2; }
whole() { [ "$(field 'select(.record == "status") | .enforcement_ratio == 1' status --verify)" = true ]; }
pairs_in_nft() { nft list ruleset | grep -c "10\.7\.0\.2 \. $1"; }
is_pair() { # MAC
    ctl why 10.7.0.2
    [ "$(decision .pair_mac)" = "$1" ] && [ "$(pairs_in_nft "$1")" = 2 ] && whole
}
is_alone() {
    ctl why 10.7.0.2
    [ "$(decision .state)" = "in force" ] && [ -z "$(decision .pair_mac)" ] && [ "$(pairs_in_nft .)" = 0 ] &&
        [ "$(nft list ruleset | grep -c "10\.7\.0\.2 .*fmp $(decision .decision_id)\"")" = 2 ] && whole
}

# Who has the MAC is blocked, to the end; who has the address next is not.
inv3_next_holder_is_free() {
    anew 'mac="yes" local-mac="6s" local-mac-pair="yes"' && offends && [ "$(decision .mac)" = "$OLD" ] && is_pair "$OLD" && silent || return 1
    ctl why 10.7.0.2 | grep -q "^  only in frames of MAC $OLD" && ctl blocks | grep -q "10.7.0.2 *$OLD" || return 1
    wait_for 20 mac_is_over && is_pair "$OLD" && silent || return 1
    far_takes "$NEW"
    wait_for 10 answers || return 1
    far_takes "$OLD"
    wait_for 5 silent
}
mac_in_nft() { nft list ruleset | grep -q "[{ ] $1 .*comment"; }
mac_is_over() { [ -z "$(decision .mac)" ] && ! mac_in_nft "$OLD"; }

# Killed, with a state file and without, it is the same block.
inv10_pair_is_adopted() {
    local id
    id=$(decision .decision_id)
    killed
    silent && up && [ "$(decision .decision_id)" = "$id" ] && is_pair "$OLD" && silent || return 1
    plane_ends
    up --state "$T/state" && plane_ends && up --state "$T/state" && nft flush ruleset || return 1
    [ "$(decision .decision_id)" = "$id" ] && wait_for 10 is_pair "$OLD" && silent
}

# What others do to it is put right.
inv5_pair_is_mended() {
    nft delete element inet fmp pair4_32 "{ 10.7.0.2 . $OLD }" && nft add element inet fmp pair4_32 "{ 10.7.0.2 . $NEW }" || return 1
    wait_for 10 mended && is_pair "$OLD"
}
mended() { [ "$(pairs_in_nft "$OLD")" = 2 ] && [ "$(pairs_in_nft "$NEW")" = 0 ]; }

# Offended again while it is in force, whoever did: the address by itself, as for another offence.
second_mac_is_blocked_by_address() {
    local id
    id=$(decision .decision_id)
    far_takes "$NEW"
    wait_for 10 answers && wait_for 20 offends_until_alone && is_alone && silent || return 1
    [ "$(decision .decision_id)" -gt "$id" ] && [ "$(source_of .strikes)" = 2 ] && [ "$(decision .duration_ms)" = 1200000 ] || return 1
    far_takes "$OLD"
    wait_for 5 silent
}
offends_until_alone() { control report 10.7.0.2 17 1; [ -z "$(decision .pair_mac)" ]; }

# A MAC that a person has blocked stays so, and as long as he said, whatever becomes of a pair with it.
mac_by_hand_stands() {
    anew 'mac="yes" local-mac="6s" local-mac-pair="yes"' && ctl block "$OLD" --for 1h && offends && is_pair "$OLD" || return 1
    far_takes "$NEW"
    wait_for 10 answers && wait_for 20 offends_until_alone && mac_in_nft "$OLD" && is_alone || return 1
    ctl unblock "$OLD" && ! mac_in_nft "$OLD"
}

# And one that ends by its time leaves what others want.
mac_by_hand_ends() {
    FIRST=$MADE anew 'mac="yes"' && offends && [ "$(decision .mac)" = "$MADE" ] || return 1
    ctl block "$MADE" --for 2s && ! mac_is_of "$(decision .decision_id)" && wait_for 10 mac_is_of "$(decision .decision_id)" && whole
}
mac_is_of() { nft list ruleset | grep "[{ ] $MADE .*comment" | grep -q "fmp $1\""; }

# The time of a MAC goes on while nobody is here; behind it the address alone is blocked.
mac_time_goes_on() {
    anew 'mac="yes" local-mac="3s"' && plane_ends && rm -f "$T/state" && up --state "$T/state" && offends && [ "$(decision .mac)" = "$OLD" ] || return 1
    plane_ends
    nft flush ruleset
    sleep 3
    up --state "$T/state" && wait_for 10 is_alone && [ -z "$(decision .mac)" ] && ! mac_in_nft "$OLD"
}

# Of two paired addresses of one MAC: it is blocked as long as one of them is in a pair with it, and no longer.
mac_of_two_stands() {
    anew 'mac="yes" local-mac-pair="yes"' && offends && ip neigh replace 10.7.0.9 lladdr "$OLD" nud reachable dev v0 && control report 10.7.0.9 17 4 &&
        is_pair "$OLD" && mac_in_nft "$OLD" || return 1
    far_takes "$NEW"
    wait_for 10 answers && wait_for 20 offends_until_alone && is_alone_beside_pair && mac_in_nft "$OLD" && whole || return 1
    ip neigh replace 10.7.0.9 lladdr "$NEW" nud reachable dev v0
    wait_for 20 other_until_alone && ! mac_in_nft "$OLD" && whole
}
is_alone_beside_pair() { [ "$(pairs_in_nft .)" = 0 ] && [ "$(nft list ruleset | grep -c "10\.7\.0\.9 \. $OLD")" = 2 ]; }
other_until_alone() { control report 10.7.0.9 17 1; ! nft list ruleset | grep -q "10\.7\.0\.9 \. "; }

# A person takes his block of a MAC off a layer where a pair wants it: it stays there.
mac_on_fewer_layers_stands() {
    anew 'mac="yes" local-mac-pair="yes"' && offends && ctl block "$OLD" --layers mac || return 1
    off_the_layer && mac_in_nft "$OLD" && is_pair_in_nft || return 1
    anew 'mac="yes"' && ctl block "$OLD" --layers mac && mac_in_nft "$OLD" && off_the_layer && ! mac_in_nft "$OLD"
}
is_pair_in_nft() { [ "$(pairs_in_nft "$OLD")" = 2 ]; }
# Nobody holds it then, and fmpctl says so.
off_the_layer() { ! ctl block "$OLD" --layers premac; }

# What a person says of a source counts for what was decided just before, though no layer had it yet. Who of two
# that wait is read first is the kernel's business: in five turns the report once.
by_hand_in_the_same_turn() {
    once_of_five unblocked_in_the_same_turn && once_of_five blocked_in_the_same_turn
}
once_of_five() {
    local _
    for _ in 1 2 3 4 5; do "$@" && return; done
    return 1
}
unblocked_in_the_same_turn() {
    anew 'mac="yes" local-mac-pair="yes"' && control report 10.7.0.2 17 3 && control turn 10.7.0.2 17 "$FMPD" unblock | grep -qx "code 0" &&
        ! nft list ruleset | grep -q "10\.7\.0\.2" && ! mac_in_nft "$OLD" && whole && answers
}
blocked_in_the_same_turn() {
    anew 'mac="yes" local-mac-pair="yes"' && control report 10.7.0.2 17 3 && control turn 10.7.0.2 17 "$FMPD" block | grep -qx "code 0" &&
        [ "$(decision .decision_id)" = 2 ] && is_alone && silent
}

# INV1: neither an address that is protected later nor the one of a MAC that is stays blocked.
inv1_protected_later() {
    anew 'mac="yes" local-mac-pair="yes"' && offends && is_pair "$OLD" || return 1
    ctl protect add "$OLD" && [ "$(decision .state)" = ended ] && [ "$(pairs_in_nft .)" = 0 ] && answers || return 1
    ctl why 10.7.0.2 | grep -q 'protected: device' || return 1
    anew 'mac="yes" local-mac-pair="yes"' && offends && is_pair "$OLD" || return 1
    ctl protect add 10.7.0.2 && [ "$(decision .state)" = ended ] && [ "$(pairs_in_nft .)" = 0 ] && answers
}

# decided NAME FIELDS: the blocks that the watcher NAME was told of are those of a replay of all that he was
# told, which was twice four messages.
decided() {
    wait_for 10 told_all "$1" || return 1
    "$BIN/fmpctl" replay --json --policy "$T/policy.xml" "$T/$1.out" >"$T/replayed" || return 1
    jq -r ".[] | select(.record == \"block\") | \"$2\"" "$T/replayed" >"$T/again"
    jq -r "select(.record == \"decision\" and .action == \"block\") | \"$2\"" "$T/$1.out" >"$T/real"
    diff "$T/real" "$T/again"
}
told_all() { [ "$(jq -r 'select(.record == "event") | .kind' "$T/$1.out" | wc -l)" = 8 ]; }
watched() { # NAME
    start "$1" "$BIN/fmpctl" --control "$CONTROL" watch --json
    wait_for 10 grep -q '"protected"' "$T/$1.out"
}
# far_is MAC: and fmpd knows.
far_is() {
    far_takes "$1"
    wait_for 10 known_by "$1"
}
known_by() {
    ping -qc1 -W1 10.7.0.2
    [ "$(source_of .mac)" = "$1" ]
}
PAIR_QUIET=2.1 # seconds: what comes before counts for nothing

inv7_watched_again() {
    anew 'mac="yes" local-mac-pair="yes"' && watched second && offends && is_pair "$OLD" && far_is "$NEW" || return 1
    sleep "$PAIR_QUIET"
    offends && is_alone && decided second '\(.addr) \(.mac) \(.pair_mac)' && [ "$(wc -l <"$T/real")" = 2 ] &&
        [ "$(decision .duration_ms)" = "$(jq '.[-1].duration_ms' "$T/replayed")" ] || return 1
    # Its block ends when its MAC is protected; whoever has the address then is blocked by it.
    anew 'mac="yes" local-mac-pair="yes"' && watched unpaired && offends && is_pair "$OLD" && ctl protect add "$OLD" && [ "$(decision .state)" = ended ] && far_is "$NEW" ||
        return 1
    sleep "$PAIR_QUIET"
    offends && is_alone && decided unpaired '\(.addr) \(.mac)' && [ "$(wc -l <"$T/real")" = 2 ]
}

# One that is not blocked by itself at all is in a pair all the same.
mac_itself_is_never_blocked() {
    anew 'mac="yes" local-mac="0" local-mac-pair="yes"' && offends && is_pair "$OLD" && [ -z "$(decision .mac)" ] && silent
}

# By the address as ever: by hand, not asked for, a MAC given by a maker, protected, or somebody else's too.
inv3_vetoes() {
    anew 'mac="yes" local-mac-pair="yes"' && ctl block 10.7.0.2 && is_alone && silent || return 1
    anew 'mac="yes"' && offends && is_alone && silent || return 1
    FIRST=$MADE anew 'mac="yes" local-mac-pair="yes"' && offends && is_alone && silent || return 1
    anew 'mac="yes" local-mac-pair="yes"' "<mac>$OLD</mac>" && offends && [ -z "$(decision .state)" ] && answers || return 1
    anew 'mac="yes" local-mac-pair="yes"' || return 1
    far ip addr add 10.7.0.3/24 dev v1 && wait_for 10 far ping -qc1 -W1 -I 10.7.0.3 10.7.0.1 && control report 10.7.0.3 17 1 &&
        offends && is_alone && silent
}

check inv3_next_holder_is_free inv3_next_holder_is_free
check inv10_pair_is_adopted inv10_pair_is_adopted
check inv5_pair_is_mended inv5_pair_is_mended
check second_mac_is_blocked_by_address second_mac_is_blocked_by_address
check mac_by_hand_stands mac_by_hand_stands
check mac_by_hand_ends mac_by_hand_ends
check mac_time_goes_on mac_time_goes_on
check mac_of_two_stands mac_of_two_stands
check mac_on_fewer_layers_stands mac_on_fewer_layers_stands
check by_hand_in_the_same_turn by_hand_in_the_same_turn
check inv1_protected_later inv1_protected_later
check mac_itself_is_never_blocked mac_itself_is_never_blocked
check inv7_watched_again inv7_watched_again
check inv3_vetoes inv3_vetoes
