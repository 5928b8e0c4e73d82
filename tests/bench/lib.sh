# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2034
# Words of the filter benchmark, inside the VM: a run, a row, a check of what it gave.
#
# $ROWS is the file that rows go to, as JSON lines; $BATCHES how many batches a run has.

run_file=/sys/kernel/debug/fmp_bench/run
genl=$PWD/build/tests/vm/fmp_genl load=$PWD/build/tests/bench/fmp_load
modules=${FMP_MODULES:-$PWD/build/kernel/${FMP_KERNEL:-6.1}}

# Sources that no rule knows begin here.
unknown=8000000

wrong() {
    printf 'WRONG %s\n' "$*" >&2
    exit 1
}

# Of many sources a sample sends, evenly spaced: one that sends its first frame costs more,
# so each has to send once before the frames that are timed.
sample=1024

# start PATH IP FIRST COUNT BATCHES SINK
start() {
    local count=$4 stride=1
    if [ "$count" -gt $sample ]; then
        stride=$((count / sample)) count=$sample
    fi
    echo "$1 $2 $3 $count $stride $5 $6" >"$run_file"
}

# run PATH IP FIRST COUNT BATCHES SINK: leaves the answer in $answer.
run() {
    start "$@"
    read -r answer <"$run_file"
}

# got KEY: of the answer.
got() {
    local word
    for word in $answer; do
        [ "${word%%=*}" != "$1" ] || echo "${word#*=}"
    done
}

# row CASE ENTRIES RESULT [CHECK]: of the answer, after what became of the frames was checked.
row() {
    local frames=$((BATCHES * 64))
    case $3 in
    drop) [ "$(got "$4")" = "$frames" ] || wrong "$1 $2: of $frames frames: $answer" ;;
    pass) [ $(($(got socket) + $(got handler))) = "$frames" ] || wrong "$1 $2: of $frames frames: $answer" ;;
    esac
    printf '{"case": "%s", "entries": %d, "result": "%s", "metric": "instructions", "value": %d}\n' \
        "$1" "$2" "$3" "$(got ticks)" >>"$ROWS"
    printf '%-16s %8d %-5s %8d\n' "$1" "$2" "$3" "$(got ticks)"
}

# reason NAME REASON FIRST COUNT: the kernel drops these sources, on wire0, for that reason
# alone, as its tracepoint says; a cheap drop for another one would look like a fast filter.
reason() {
    local event=/sys/kernel/tracing/events/skb/kfree_skb trace=/sys/kernel/tracing/trace said
    : >$trace
    echo 'protocol == 0x0800' >$event/filter
    echo 1 >$event/enable
    echo "wire ip4 $3 1 1 1 stack" >"$run_file"
    [ "$4" = 1 ] || echo "wire ip4 $(($3 + $4 - 1)) 1 1 1 stack" >"$run_file"
    echo 0 >$event/enable
    said=$(sed -n 's/.* kfree_skb: .*reason: *//p' $trace | sort | uniq -c | xargs)
    [ "$said" = "$([ "$4" = 1 ] && echo 65 || echo 130) $2" ] || wrong "$1: dropped not for $2 alone: $said"
}

bench_up() {
    # fmp_bench stands in for a driver of it. On ARM the hook before it is another one.
    modprobe mac80211
    case ${FMP_KERNEL:-} in
    arm*) insmod "$modules/fmp.ko" max_rules=1100000 ;;
    *) insmod "$modules/fmp.ko" max_rules=1100000 mac80211=1 ;;
    esac
    insmod "$modules/fmp_bench.ko"
    local dev
    for dev in wire0 radio0; do
        sysctl -qw "net.ipv6.conf.$dev.accept_dad=0" "net.ipv6.conf.$dev.router_solicitations=0"
        ip link set "$dev" up
    done
    ip addr add 10.255.0.1/8 dev wire0
    ip addr add fd0b:0:0:1::1/32 dev wire0 nodad
    # The stack's own first times: routes, sockets, pages.
    run wire ip4 $unknown 1000 101 stack
    run wire ip6 $unknown 1000 101 stack
}

# prove_unit: a tick is an instruction, or all figures are worthless.
prove_unit() {
    echo nops >"$run_file"
    read -r answer <"$run_file"
    local off=$(($(got ticks) - $(got nops)))
    [ $off -ge 0 ] && [ $off -le 32 ] || wrong "a tick is not an instruction: $answer"
}
