# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# fmpctl without a daemon: help, usage errors, exit codes.

. tests/cli/lib.sh

CTL=$BIN/fmpctl

# exits CODE COMMAND...
exits() {
    local want=$1 rc=0
    shift
    "$@" >"$T/out" 2>"$T/err" || rc=$?
    [ "$rc" = "$want" ] || { echo "exit status $rc, not $want"; cat "$T/out" "$T/err"; return 1; }
}

help_of() { # COMMAND
    exits 0 "$CTL" "$1" --help && grep -q "^usage: fmpctl $1" "$T/out"
}

usage_of() { # ARGS...
    exits 2 "$CTL" "$@" && [ ! -s "$T/out" ] && grep -q -- '--help' "$T/err"
}

all_commands_in_help() {
    local c
    "$CTL" --help >"$T/help" || return 1
    for c in status sources why block unblock blocks protect policy watch inspect replay flush simulate top stats learn export; do
        grep -q "^  $c " "$T/help" || { echo "no $c"; return 1; }
        help_of "$c" || return 1
    done
}

# What people type: help and version as commands.
help_command() {
    exits 0 "$CTL" help && cmp -s "$T/out" <("$CTL" --help) && exits 0 "$CTL" help block &&
        cmp -s "$T/out" <("$CTL" block --help) && usage_of help blok && grep -q "did you mean 'block'" "$T/err" &&
        exits 0 "$CTL" version && cmp -s "$T/out" <("$CTL" --version)
}

# meant WORD ARGS...: a slip is told what was meant.
meant() {
    local word=$1
    shift
    usage_of "$@" && grep -q "did you mean '$word'?" "$T/err" || { cat "$T/err"; return 1; }
}
slips() {
    meant status statsu && meant unblock unblok 192.0.2.1 && meant --verify status --verfy &&
        meant --control --contrl x status && meant --reason block 192.0.2.1 --reasn=x && meant schema simulate --kind shcema &&
        meant login report 192.0.2.1 logn && meant check policy chekc x && meant premac block 192.0.2.1 --layers perma &&
        meant list protect lsit && meant apf export afp && meant encrypt-then-sign inspect --order encrypt-then-sgn && meant fast inspect --signatures fats &&
        meant BcES inspect --config BcSE f && meant timeline learn --format timline && meant watch replay --format wacth f
}

# A word that is right is no slip, though something is missing behind it.
right_words_are_no_slips() {
    local words
    for words in 'policy check' 'policy diff a' 'protect add' 'report 192.0.2.1 login more'; do
        # shellcheck disable=SC2086 # words
        usage_of $words && ! grep 'did you mean' "$T/err" || { cat "$T/err"; return 1; }
    done
}

no_daemon() {
    exits 3 "$CTL" --control "$T/none" status && grep -q "$T/none" "$T/err"
}

no_daemon_json() {
    exits 3 "$CTL" status --json --control "$T/none" &&
        jq -e '.[0].record == "error" and .[0].kind == "io"' "$T/out"
}

version() {
    exits 0 "$CTL" --version && grep -Eq '^fmpctl [0-9]+\.[0-9]+' "$T/out"
}

daemon_help() {
    exits 0 "$BIN/fmpd" --help && grep -q -- '--enforce' "$T/out" &&
        exits 2 "$BIN/fmpd" --backend http://127.0.0.1/ && exits 2 "$BIN/fmpd" --enforce mac,ether &&
        exits 2 "$BIN/fmpd" --listen nowhere:80 --backend http://127.0.0.1/ &&
        exits 2 "$BIN/fmpd" stray
}

# What is asked for and can't be written is an error with words, of help, too.
cannot_write() {
    local words
    for words in "help why" --help --version "policy show policies/balanced.xml"; do
        # shellcheck disable=SC2086 # words
        { "$CTL" $words >/dev/full; } 2>"$T/err"
        [ $? = 4 ] && grep -qx "fmpctl: can't write to standard output: No space left on device" "$T/err" || { echo "$words"; cat "$T/err"; return 1; }
        # shellcheck disable=SC2086
        { "$CTL" $words >&-; } 2>"$T/err"
        [ $? = 4 ] && grep -qx "fmpctl: can't write to standard output: Bad file descriptor" "$T/err" || { echo "$words"; cat "$T/err"; return 1; }
    done
}

check all_commands_in_help all_commands_in_help
check version version
check cannot_write cannot_write
check help_command help_command
check slips slips
check no_command exits 2 "$CTL"
check unknown_command usage_of frobnicate
check unknown_option usage_of status --frobnicate
check stray_argument usage_of status now
check why_without_address usage_of why
check why_bad_address usage_of why 192.0.2.300
check why_host_bits usage_of why 192.0.2.1/24
check block_bad_duration usage_of block 192.0.2.1 --for soon
check block_bad_layers usage_of block 192.0.2.1 --layers "ip ether"
check protect_bad_verb usage_of protect drop 192.0.2.1
check policy_bad_verb usage_of policy eat
check policy_show_xml_of_whom usage_of policy show --xml
check policy_diff_of_one usage_of policy diff policies/balanced.xml
check top_too_often usage_of top --interval 10ms
check top_json usage_of top --json
check flush_both usage_of flush --manual --automatic
check inspect_no_file usage_of inspect --config Bc
check inspect_bad_config usage_of inspect --config XYZ file
check inspect_bad_now usage_of inspect --config Bc --now yesterday file
check right_words_are_no_slips right_words_are_no_slips
check no_daemon no_daemon
check no_daemon_json no_daemon_json
check fmpd_usage daemon_help
