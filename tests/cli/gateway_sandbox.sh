# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# What a gateway that runs may do, by the kernel's own account of each of its processes: who they
# are, their capabilities, their filter of system calls, the limits and descriptors of workers.

. tests/cli/lib.sh
. tests/cli/lib_gateway.sh

user=$(id -u)
[ "$user" != 0 ] || user=$(id -u nobody)

# is_so FILE LINE: stands there, whatever white space is between its words.
is_so() {
    tr -s '[:blank:]' ' ' <"$1" | grep -qxE "$2 ?" || { echo "$1: not '$2'"; return 1; }
}

# Of all processes: the listener, what forks workers, what keeps keys, the workers.
confined() { # PID
    local status=/proc/$1/status set
    is_so "$status" 'Seccomp: 2' && is_so "$status" 'NoNewPrivs: 1' || return 1
    is_so "$status" "Uid: $user $user $user $user" || return 1
    [ "$(id -u)" != 0 ] || is_so "$status" 'Groups:' || return 1
    for set in Inh Prm Eff Bnd Amb; do
        [ "$(id -u)" != 0 ] && [ $set = Bnd ] && continue
        is_so "$status" "Cap$set: 0+" || return 1
    done
    is_so "/proc/$1/limits" 'Max core file size 0 0 bytes'
}

all_confined() {
    local pid
    [ "$(workers | wc -l)" = 2 ] || { echo "workers: $(workers)"; return 1; }
    for pid in "$GATEWAY" $(pgrep -P "$GATEWAY"); do
        confined "$pid" || { cat "/proc/$pid/comm"; return 1; }
    done
}

filters() { # PID
    awk '/^Seccomp_filters:/ { print $2 }' "/proc/$1/status"
}

# A filter of their own stands on top of the listener's, which allows more.
workers_limited() {
    local pid
    for pid in $(workers); do
        [ "$(filters "$pid")" -gt "$(filters "$GATEWAY")" ] || { echo "filters: $(filters "$pid")"; return 1; }
        is_so "/proc/$pid/limits" "Max address space $((512 << 20)) $((512 << 20)) bytes" || return 1
        is_so "/proc/$pid/limits" 'Max cpu time 1200 1200 seconds' || return 1
        is_so "/proc/$pid/limits" 'Max open files 16 16 files' || return 1
    done
}

# few_open MEMFDS SOCKETS: beside the standard ones, and nothing else.
few_open() {
    local pid fd memfds sockets
    for pid in $(workers); do
        memfds=0 sockets=0
        for fd in "/proc/$pid/fd/"*; do
            case ${fd##*/},$(readlink "$fd") in
            0,/dev/null | 1,"$T/gateway.out" | 2,"$T/gateway.err") ;;
            *,/memfd:fmp-replay*) memfds=$((memfds + 1)) ;;
            *,socket:*) sockets=$((sockets + 1)) ;;
            *) echo "$fd is $(readlink "$fd")"; return 1 ;;
            esac
        done
        [ "$memfds,$sockets" = "$1,$2" ] || { ls -l "/proc/$pid/fd"; return 1; }
    done
}

# The table is memory: who could make it longer could take all of it.
table_has_its_length() {
    local pid
    for pid in $(workers); do
        grep -q '^Max file size  *[0-9]' "/proc/$pid/limits" || { grep 'file size' "/proc/$pid/limits"; return 1; }
    done
}

policy 'workers="2"'
service
gateway --security BcV
check plain-each-process-is-confined all_confined
check plain-workers-are-limited workers_limited
check plain-workers-have-the-listener-only few_open 0 1
check plain-serves test "$(post "$VECTORS/plain/plain-1k.xml")" = 200
check plain-the-same-after-a-message few_open 0 1
check plain-ends-well gateway_ends

policy 'workers="2"'
gateway --security BcES
check signed-each-process-is-confined all_confined
check signed-workers-are-limited workers_limited
check signed-workers-have-listener-agent-and-replay-table few_open 1 2
check signed-replay-table-has-its-length table_has_its_length
check signed-ends-well gateway_ends
