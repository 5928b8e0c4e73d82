# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A flood for others to race with, and the books that must balance behind it. FMP_ROUNDS
# times each (1). Read after lib.sh, whose words it uses; numbers hold no blanks.
# shellcheck disable=SC2034,SC2086,SC2154,SC2317,SC2329

churn=$PWD/build/fuzz/churn
rounds=${FMP_ROUNDS:-1}
# turns N: of a loop. One processor meets nobody: a turn after another there shows what one alone does not.
turns() { echo $((($(nproc) > 1 ? $1 : ($1 + 1) / 2) * rounds)); }

before_each() { fresh; }

# air: the attacker sends without end; air_ends.
air() {
    air=
    air_on bb1
    before=$(dev_count rx_frames)
    wait_until 20 heard_more_than "${before:-0}"
}
# air_on DEVICE: from another device of the attacker, too.
air_on() {
    # Not by in_a: the one to be killed is the program itself.
    ip netns exec "$a" "$churn" air "$1" &
    air="$air $!"
    trap air_ends EXIT
}
air_ends() {
    kill $air 2>/dev/null || true
    wait $air 2>/dev/null || true
}
# by_flood VERDICT: a rule for each MAC address that the flood is from, as arguments.
by_flood() { for n in $(seq 0 23); do printf '02:66:75:7a:00:%02x,%s ' "$n" "$1"; done; }
heard_more_than() { [ "$(dev_count rx_frames)" -gt "$1" ]; }

# All that the filter saw are accounted for. The radio may have lost some of them to an
# overrun after the filter had its word.
all_accounted_for() {
    hg devs | grep '^bb0 ' >"$tmp/dev"
    sum=0
    for key in passed stopped_mac stopped_ip stopped_foreign dropped_late; do
        sum=$((sum + $(field $key <"$tmp/dev")))
    done
    radio=$(radio_count rx_frames)
    [ "$(field rx_frames <"$tmp/dev")" = $sum ] && [ "$radio" -le $sum ] &&
        [ $sum -le $((radio + $(radio_count rx_overruns))) ]
}
add_up() { (wait_until 20 all_accounted_for) || fail "$(cat "$tmp/dev"; in_h ethtool -S bb0)"; }
