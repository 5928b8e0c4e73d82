#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What scripts/vm promises, tried on the host: exit status, output, what lasts and what
# does not, and that every way to fail is seen as one. Writes `ok NAME` or `FAIL NAME`.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/vm-selftest.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
failed=0

# A machine of ours is told from others by the place of its job.
TMPDIR=$tmp
export TMPDIR

result() { # NAME WHETHER
    if [ "$2" = 0 ]; then
        echo "ok $1"
    else
        echo "FAIL $1"
        sed 's/^/    /' "$tmp/out" "$tmp/err"
        failed=1
    fi
}

vm() { # runs scripts/vm, output in $tmp/out and $tmp/err, status in $rc
    rc=0
    scripts/vm --log "$tmp/log" "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

# No machine and no file of a job is left.
clean() {
    ! pgrep -f "path=$tmp/fmp-vm" >/dev/null && ! ls -d "$tmp"/fmp-vm.* >/dev/null 2>&1
}

mark=build/vm/selftest.$$
sh_in_guest=$(cat <<END
set -e
echo "out: \$1"
echo err >&2
echo again >/dev/stdout
[ "\$(pwd -P)" = "$(pwd -P)" ]
[ "\$(id -u)" = 0 ]
[ "\$FMP_SELFTEST" = handed ]
echo kept >$mark
echo lost >README.selftest.$$
ip link add v0 type veth peer name v1   # the kernel asks for the module itself
ping -c 1 -W 2 127.0.0.1 >/dev/null
[ -e /sys/fs/cgroup/cgroup.controllers ]
[ -d /sys/kernel/tracing/events ]
! ls -d /sys/class/net/e* 2>/dev/null
exit 7
END
)
start=$(date +%s)
for kernel in 6.1 6.12; do
    FMP_SELFTEST=handed vm --kernel $kernel -- sh -c "$sh_in_guest" sh "it's \"one\" word  "
    [ "$rc" = 7 ]
    result "exit-status-$kernel" $?
    [ "$(cat "$tmp/out")" = "out: it's \"one\" word  
again" ] && [ "$(cat "$tmp/err")" = err ]
    result "output-$kernel" $?
    [ "$(cat $mark 2>/dev/null)" = kept ] && ! [ -e README.selftest.$$ ]
    result "build-lasts-rest-does-not-$kernel" $?
    rm -f $mark README.selftest.$$
    grep -q "Linux version $kernel" "$tmp/log"
    result "kernel-log-$kernel" $?
done
# Two starts took so long here and now: enough time for one, on a busy machine too.
enough=$(($(date +%s) - start + 5))

mkdir "$tmp/dir"
vm --share "$tmp/dir:/mnt/dir" --smp 2 --net user -- sh -c 'nproc >/mnt/dir/n && cat /sys/class/dmi/id/product_version >/mnt/dir/q && ip -4 route show default | grep -q 10.0.2.2'
[ "$rc" = 0 ] && [ "$(cat "$tmp/dir/n")" = 2 ]
result share-smp-net $?
# Of the machine type of that version: pc-q35-VERSION.
awk -F - '{ split($3, v, "."); exit !(v[1] > 8 || (v[1] == 8 && v[2] >= 1)) }' "$tmp/dir/q"
result smp-qemu-8.1-or-newer $?

# Two processors' worth of work in deterministic time takes the same time twice.
# shellcheck disable=SC2016
count='read -r a _ </proc/uptime; i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; read -r b _ </proc/uptime; echo "$a $b"'
vm --icount 0 -- sh -c "$count"
first=$(cat "$tmp/out")
vm --icount 0 -- sh -c "$count"
echo "$first" "$(cat "$tmp/out")" | awk '{ d = ($2 - $1) - ($4 - $3); exit !(NF == 4 && $2 > $1 && d < 0.03 && d > -0.03) }'
result icount-repeats $?

vm -- sh -c 'echo c >/proc/sysrq-trigger; sleep 60'
[ "$rc" = 125 ] && grep -q 'panicked' "$tmp/err" && grep -q 'Kernel panic' "$tmp/log"
result panic-fails $?

vm -- sh -c 'echo b >/proc/sysrq-trigger; sleep 60'
[ "$rc" = 125 ] && grep -q 'ended before' "$tmp/err"
result missing-end-fails $?

vm -- sh -c 'echo 512 >/proc/sys/kernel/tainted'
[ "$rc" = 125 ] && grep -q 'tainted' "$tmp/err"
result taint-fails $?

vm -- sh -c 'echo "BUG: planted" >/dev/kmsg'
[ "$rc" = 125 ] && grep -q 'BUG: planted' "$tmp/err"
result report-in-log-fails $?

vm --allow-warn -- sh -c 'echo "BUG: planted" >/dev/kmsg; exit 3'
[ "$rc" = 3 ]
result allow-warn $?

vm --timeout "$enough" -- sh -c 'echo begun; sleep 100'
[ "$rc" = 124 ] && grep -q begun "$tmp/out" && clean
result time-limit $?

for signal in TERM KILL; do
    scripts/vm --log "$tmp/log" -- sh -c 'echo begun; sleep 100' >"$tmp/out" 2>"$tmp/err" &
    pid=$!
    n=0
    until grep -q begun "$tmp/out" || [ $n -gt 1800 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    kill -$signal $pid
    wait $pid 2>/dev/null
    n=0
    while pgrep -f "path=$tmp/fmp-vm" >/dev/null && [ $n -lt 50 ]; do
        n=$((n + 1))
        sleep 0.1
    done
    [ $n -lt 50 ]
    result "no-leftover-after-$signal" $?
done
rm -rf "$tmp"/fmp-vm.*

vm --kernel 5.4 -- true
[ "$rc" = 2 ]
result wrong-usage $?
vm --icount 0 --smp 2 -- true
[ "$rc" = 2 ]
result icount-one-processor $?

exit $failed
