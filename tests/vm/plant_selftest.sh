#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/vm/plant_selftest.sh uml|debug
#
# Plants each fault that the kernel is built to find, and sees that it is found and fails
# the run; and what scripts/vm promises of that kernel: exit status and output, what lasts,
# the time limit. On the host. Writes `ok NAME` or `FAIL NAME`.

set -u
cd "$(dirname "$0")/../.." || exit 1
case ${1:-} in
uml) kernel=uml limit=240 ;;
debug) kernel="debug --smp 2" limit=900 ;;
*) echo "Usage: tests/vm/plant_selftest.sh uml|debug" >&2; exit 2 ;;
esac
plant=build/kernel/$1-kunit/fmp_plant.ko
tmp=$(mktemp -d "${TMPDIR:-/tmp}/plant-selftest.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
failed=0

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
    # shellcheck disable=SC2086
    scripts/vm --kernel $kernel --log "$tmp/log" --timeout $limit "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

mark=build/vm/selftest.$$
start=$(date +%s)
# shellcheck disable=SC2016
vm -- sh -c 'echo "out: $1"; echo err >&2; echo kept >"$2"; echo lost >README.selftest
    ip link add v0 type veth peer name v1 && exit 7' sh "it's \"one\" word  " $mark
enough=$(($(date +%s) - start + 5))
[ "$rc" = 7 ] && [ "$(cat "$tmp/out")" = "out: it's \"one\" word  " ] && [ "$(cat "$tmp/err")" = err ]
result exit-status-and-output $?
[ "$(cat $mark 2>/dev/null)" = kept ] && ! [ -e README.selftest ]
result build-lasts-rest-does-not $?
rm -f $mark README.selftest

# reported NAME WORDS: the run failed for it, and the log says why.
reported() {
    [ "$rc" = 125 ] && grep "$2" "$tmp/log" >/dev/null
    result "$1-fails" $?
}
# One at a time: KASAN and lockdep are silent after their first report.
planted() { # FAULT WORDS
    vm -- sh -c "insmod ${plant%/*}/fmp.ko && insmod $plant what=$1 && rmmod fmp_plant && rmmod fmp"
    reported "$@"
}
planted overrun 'KASAN: slab-out-of-bounds in fmp_plant_overrun'
planted inversion 'possible circular locking dependency'
planted leak 'new suspected memory leaks'
if [ "$1" = uml ]; then
    planted use_after_free 'KASAN: .*use-after-free in fmp_plant_use_after_free'
    planted rcu 'suspicious RCU usage'
    planted context 'WARNING: .* fmp_rx_header'
fi

# As long as a run took here and now, so that the machine is up before it is stopped.
limit=$enough
vm -- sh -c 'echo begun; while :; do :; done'
[ "$rc" = 124 ] && grep -q begun "$tmp/out" && ! pgrep -f "fmp_job=$tmp|path=$tmp" >/dev/null
result time-limit $?

exit $failed
