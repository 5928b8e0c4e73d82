# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2119 # no option more
#
# Rules that another program puts back from a saved ruleset while no fmpd runs: what the state file says
# has ended, or all of another boot, is taken away. In a network namespace of its own.

. tests/cli/lib_netns.sh
own_netns fmpd_put_back "${1:-}" ip nft unshare

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh
. tests/cli/lib_plane.sh

ip link set lo up
ip link add v0 type veth peer name v1
ip addr add 192.0.2.1/24 dev v0
ip link set v0 up

up() { # [COMMAND...]: an fmpd that has taken up what there was
    start fmpd "$@" "$BIN/fmpd" --foreground --enforce "ip mac" --policy "$T/policy.xml" --control "$CONTROL" --state "$T/state"
    FMPD=$!
    wait_for 20 taken_up
}
taken_up() { [ "$(field 'select(.record == "status") | .resuming or .compared_ms == null' status)" = false ]; }
blocked() { ctl --json blocks | jq -r '[.[] | select(.record == "decision") | .addr] | sort | join(" ")'; }
in_kernel() { nft list ruleset | grep -oE "192.0.2.6[0-9]|02:00:5e:00:53:01" | sort -u | tr '\n' ' '; }
is_all() { # ADDRS: in the table and in the kernel
    [ "$(blocked)" = "$1" ] && [ "$(in_kernel)" = "${1:+$1 }" ] || { echo "table: $(blocked); kernel: $(in_kernel)"; cat "$T/fmpd.err"; return 1; }
}

saved() {
    up && ctl block 192.0.2.66 --for 1h >/dev/null && ctl block 192.0.2.67 --for 1h >/dev/null && nft list ruleset >"$T/saved" &&
        ctl unblock 192.0.2.66 >/dev/null && plane_ends
}
restore() { nft flush ruleset && nft -f "$T/saved" && [ "$(in_kernel)" = "192.0.2.66 192.0.2.67 " ]; }
same_boot() {
    restore && up && is_all 192.0.2.67 && grep -q '2 rules are taken away: another program put them back' "$T/fmpd.err" &&
        ctl unblock 192.0.2.67 >/dev/null && plane_ends
}
# Not even the newest decisions, whose end alone the file knows.
all_ended() { restore && up && is_all "" && ctl block 192.0.2.68 >/dev/null && plane_ends; }
# shellcheck disable=SC2016 # sh expands it
up_elsewhere() { # in another boot than the state file's
    echo 11111111-2222-3333-4444-555555555555 >"$T/boot"
    up unshare --mount sh -c 'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"' "$T/boot"
}
put_back_69() { nft add element inet fmp block4_32 '{ 192.0.2.69 timeout 1h comment "fmp 4000" }'; }
other_boot() { restore && put_back_69 && up_elsewhere && is_all 192.0.2.68; }
# What was decided after the file was written, and before a crash, is none of that.
crash_forgets_nothing() {
    ctl block 192.0.2.67 --for 1h >/dev/null && kill -9 "$FMPD" && { wait "$FMPD"; up; } && is_all "192.0.2.67 192.0.2.68"
}
# Nor what was decided in this boot, while the file is of the boot before; but what was put back goes all the same.
crash_after_boot() {
    plane_ends && up_elsewhere && ctl block 192.0.2.66 --for 1h >/dev/null && ctl block 02:00:5e:00:53:01 >/dev/null || return 1
    kill -9 "$FMPD" && { wait "$FMPD"; put_back_69; } && up_elsewhere && is_all "02:00:5e:00:53:01 192.0.2.66 192.0.2.67 192.0.2.68"
}

layers_policy put_back
check saved saved
check same_boot same_boot
check all_ended all_ended
check other_boot other_boot
check crash_forgets_nothing crash_forgets_nothing
check crash_after_boot crash_after_boot
