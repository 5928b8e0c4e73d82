# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154,SC2034,SC2016,SC2153 # counters set by name; variables of world.sh; jq programs
#
# What the demo reads and how it judges: counters before and after a window, one
# row a figure, the table, the verdicts. Sourced by scripts/demo.d/run.

TRACE=/sys/kernel/tracing/instances/fmp-demo

cgroup_usec() {
    local key value
    while read -r key value; do
        [ "$key" != usage_usec ] || echo "$value"
    done <"$CGROUP/$W$1/cpu.stat"
}

# layer_stat STATUS LAYER FIELD: from what the kernel said then, through fmpctl.
layer_stat() {
    jq -r --arg l "$2" --arg f "$3" \
        '[.. | objects | select(.record? == "layer" and .layer? == $l)][0][$f] // 0' "$1"
}

# The attacker holds its breath while the counters are read, so that they are of the
# same frames. It runs at a real-time priority, as another machine would: what it sends
# in one tick has arrived before the handheld's receiver runs.
attacker_signal() { [ -z "${ATTACKER_PID:-}" ] || kill "-$1" "$ATTACKER_PID"; }

snapshot() { # NAME
    attacker_signal STOP
    declare -g "tx_$1=$(dev_stat attacker tx_packets)" "rx_$1=$(dev_stat handheld rx_packets)"
    echo '{}' >"$WORLD_DIR/status_$1"
    [ -z "${FMPD_PID:-}" ] || ctl status --json >"$WORLD_DIR/status_$1"
    attacker_signal CONT
}

# delta LAYER FIELD
delta() { echo $(($(layer_stat "$WORLD_DIR/status_after" "$@") - $(layer_stat "$WORLD_DIR/status_before" "$@"))); }

row() {
    jq -nc --arg case "$1" --arg metric "$2" --argjson value "$3" --arg unit "$4" --argjson share "$5" \
        '{case: $case, metric: $metric, value: $value, unit: $unit, malicious: $share}' >>"$WORLD_DIR/rows"
}

fail() {
    say "   WRONG in $1: $2"
    FAILED=1
}

calc() { awk "BEGIN { printf \"%.${2:-2}f\", $1 }"; }

attacker_blocked() { ctl why "$ATTACKER_IP" --json | grep '"state":[ ]*"malicious"' >/dev/null; }
decision_id() { ctl why "$ATTACKER_IP" --json | jq -r '[.. | objects | .decision_id? // empty][0]'; }

# The first packet that netfilter drops, by the kernel's own clock; taken away again
# before anything is measured.
drop_watch_start() {
    local reason
    mkdir -p "$TRACE"
    echo boot >"$TRACE/trace_clock"
    # Whole input read, first hit printed: a pipe that breaks would end the run.
    reason=$(tr '{' '\n' <"$TRACE/events/skb/kfree_skb/format" |
        awk -F '[ ,]+' '/"NETFILTER_DROP"/ && !found { found = 1; print $1 == "" ? $2 : $1 }')
    echo "reason == $reason" >"$TRACE/events/skb/kfree_skb/filter"
    echo 1 >"$TRACE/events/skb/kfree_skb/enable"
}

drop_watch_stop() {
    echo 0 >"$TRACE/events/skb/kfree_skb/enable"
    rmdir "$TRACE"
}

first_drop() {
    if [ "$1" = ip ]; then
        grep -q NETFILTER_DROP "$TRACE/trace"
    else
        [ -n "$(first_hit_ns)" ]
    fi
}

first_hit_ns() {
    ctl why "$ATTACKER_IP" --json | jq -r '[.. | objects | .first_hit_ns? // empty | select(. > 0)] | min // empty'
}

# CLOCK_BOOTTIME of the message that made the source malicious.
threshold_ns() {
    ctl why "$ATTACKER_IP" --json | jq -r '[.. | objects | select(.record? == "decision") | .time_ns? // empty][0] // empty'
}

time_to_block() {
    local drop event
    if [ "$1" = ip ]; then
        # "task-pid [cpu] flags seconds.micros: kfree_skb: ..."
        drop=$(sed -n '/NETFILTER_DROP/ { s/.* \([0-9]*\.[0-9]*\): kfree_skb.*/\1/p; q }' "$TRACE/trace")
        drop_watch_stop
        [ -n "$drop" ] || return 0
        drop=$(calc "$drop * 1000000000" 0)
    else
        drop=$(first_hit_ns)
    fi
    event=$(threshold_ns)
    if [ -n "$drop" ] && [ -n "$event" ]; then
        TIME_TO_BLOCK=$(calc "($drop - $event) / 1000000" 3)
    fi
}

# measure NAME SHARE: the window itself.
measure() {
    local name=$1 share=$2 t0 t1 cpu0 cpu1 a0 a1 f0 f1 us good=0 tx
    snapshot before
    # Frames missed meanwhile are made up for at once; that is not the window's business.
    [ "$share" = 0 ] || sleep 0.5
    t0=${EPOCHREALTIME/./} cpu0=$(cgroup_usec handheld) a0=$(cgroup_usec attacker) f0=$(cgroup_usec friend)
    tx=$(dev_stat attacker tx_packets)
    if [ "$share" -lt 100 ]; then
        friend_flood "$SECONDS_MEASURED" window
    else
        sleep "$SECONDS_MEASURED"
    fi
    cpu1=$(cgroup_usec handheld) a1=$(cgroup_usec attacker) f1=$(cgroup_usec friend) t1=${EPOCHREALTIME/./}
    tx=$(($(dev_stat attacker tx_packets) - tx))
    snapshot after
    us=$((t1 - t0))
    [ "$share" -ge 100 ] || good=$(jq '.good_per_s' "$WORLD_DIR/window.json")

    row "$name" cpu_load "$(calc "100 * ($cpu1 - $cpu0) / $us" 3)" % "$share"
    row "$name" cpu_load_attacker "$(calc "100 * ($a1 - $a0) / $us" 3)" % "$share"
    row "$name" cpu_load_friend "$(calc "100 * ($f1 - $f0) / $us" 3)" % "$share"
    row "$name" good_per_s "$good" 1/s "$share"
    row "$name" offered_frames_per_s "$(calc "1000000 * $tx / $us" 1)" 1/s "$share"
    row "$name" offered_frames "$((tx_after - tx_before))" frames "$share"
    row "$name" dropped_premac "$(delta premac dropped)" frames "$share"
    row "$name" dropped_late "$(delta premac dropped_late)" frames "$share"
    row "$name" dropped_mac "$(delta mac dropped)" frames "$share"
    row "$name" dropped_ip "$(delta ip dropped)" frames "$share"
    row "$name" passed_frames "$((rx_after - rx_before))" frames "$share"
    row "$name" aborted_bytes "$(delta premac stopped_bytes)" bytes "$share"
    row "$name" time_to_block "$TIME_TO_BLOCK" ms "$share"
    say "   handheld: $(value "$name" cpu_load) % CPU, $good good answers/s, attacker offered $(value "$name" offered_frames_per_s) frames/s"
}

# value CASE METRIC
value() { jq -r --arg c "$1" --arg m "$2" 'select(.case == $c and .metric == $m) | .value' "$WORLD_DIR/rows"; }

# must CASE TEXT CONDITION: a condition on the rows, in awk's words; numbers already put in.
must() {
    if awk "BEGIN { exit !($3) }"; then
        say "   ok    $2"
    else
        say "   WRONG $2"
        FAILED=1
    fi
}

has() { [ -n "$(value "$1" cpu_load)" ]; }

judge() {
    local c
    say
    say "What each scenario should do:"
    for c in original2 original3; do
        has "$c" || continue
        must "$c" "$c: no frame is dropped anywhere" \
            "$(value $c dropped_premac) + $(value $c dropped_mac) + $(value $c dropped_ip) == 0"
    done
    for c in iptables1 iptables2; do
        has "$c" || continue
        must "$c" "$c: the attacker's frames die at IP ($(value $c dropped_ip)), none below" \
            "$(value $c dropped_ip) > 0 && $(value $c dropped_premac) + $(value $c dropped_mac) == 0"
    done
    for c in premac1 premac2; do
        has "$c" || continue
        must "$c" "$c: 99 % of the attacker's $(value $c offered_frames) frames die before the MAC ($(value $c dropped_premac)), none later" \
            "$(value $c dropped_premac) >= 0.99 * $(value $c offered_frames) && $(value $c dropped_mac) + $(value $c dropped_ip) == 0"
        must "$c" "$c: reception of $(value $c aborted_bytes) bytes was aborted" "$(value $c aborted_bytes) > 0"
    done
    if has premac2; then
        must premac2 "premac2: no frame reaches netdev ingress ($(value premac2 passed_frames) passed)" \
            "$(value premac2 passed_frames) <= 0.001 * $(value premac2 offered_frames)"
    fi
    if has off; then
        must off "off: the handheld that is switched off reads $(value off cpu_load) % (< 1 %)" "$(value off cpu_load) < 1"
    fi
    if has original && has premac1; then
        must premac1 "premac1: the friend gets $(value premac1 good_per_s) good answers/s, alone $(value original good_per_s) (>= 95 %)" \
            "$(value premac1 good_per_s) >= 0.95 * $(value original good_per_s)"
    fi
    # Like with like, as the paper's section 4.3: all messages malicious, then half of them.
    judge_ratio premac2 original2 0.10
    judge_ratio iptables2 original2 0.30 'the paper: 25 %'
    judge_ratio premac1 original3 0.90
    judge_ratio iptables1 original3 0.90 'the paper: 70 to 90 %'
    judge_ratio premac2 iptables2 0.50
    judge_offered
}

# judge_ratio CASE BASE LIMIT [NOTE]: what the block saves of the load that the same messages cause without it.
judge_ratio() {
    has "$1" && has "$2" || return 0
    must "$1" "CPU($1) is $(calc "100 * $(value "$1" cpu_load) / $(value "$2" cpu_load)" 1) % of CPU($2) (<= $(calc "100 * $3" 0) %${4:+; $4})" \
        "$(value "$1" cpu_load) <= $3 * $(value "$2" cpu_load)"
}

# Every scenario with an attacker has to be offered the same, or the rest compares nothing.
judge_offered() {
    local low high
    read -r low high < <(jq -sr '[.[] | select(.metric == "offered_frames_per_s" and .malicious > 0) |
        select(.case | contains("@") | not) | .value] | if length > 0 then "\(min) \(max)" else "0 0" end' "$WORLD_DIR/rows")
    must all "the attacker offered $low to $high frames/s in every scenario (within 5 %)" "$high <= 1.05 * $low"
}

report() {
    judge
    say
    report_table
}

report_table() {
    jq -sr '
        def f($m): map(select(.metric == $m)) | .[0].value | if . == null then "-" else tostring end;
        (["scenario", "malicious", "cpu %", "good/s", "offered/s", "premac", "late", "mac", "ip", "passed", "aborted B", "to block ms"]),
        (to_entries | map(.value + {order: .key}) | group_by(.case) | sort_by(.[0].order) | .[] |
            [.[0].case, "\(.[0].malicious) %", f("cpu_load"), f("good_per_s"), f("offered_frames_per_s"), f("dropped_premac"),
             f("dropped_late"), f("dropped_mac"), f("dropped_ip"), f("passed_frames"), f("aborted_bytes"), f("time_to_block")])
        | @tsv' "$WORLD_DIR/rows" | column -t -s "$(printf '\t')"
}

write_json() {
    jq -s --arg kernel "$(uname -r)" --arg machine "$(uname -m)" --arg clock "${FMP_ICOUNT:-}" \
        --argjson seconds "$SECONDS_MEASURED" \
        '{host: {kernel: $kernel, machine: $machine, icount_shift: $clock, window_s: $seconds}, rows: .}' \
        "$WORLD_DIR/rows" >"$1.new"
    mv "$1.new" "$1"
}
