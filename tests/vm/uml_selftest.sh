#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# What scripts/vm promises of User-Mode Linux, tried on the host: exit status and output,
# what lasts, and that every fault which the kernel is built to find is found and fails the
# run. Writes `ok NAME` or `FAIL NAME`.

set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d "${TMPDIR:-/tmp}/uml-selftest.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
plant=build/kernel/uml-kunit/fmp_plant.ko
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
    scripts/vm --kernel uml --log "$tmp/log" --timeout 120 "$@" >"$tmp/out" 2>"$tmp/err" || rc=$?
}

mark=build/vm/selftest.$$
# shellcheck disable=SC2016
vm -- sh -c 'echo "out: $1"; echo err >&2; echo kept >"$2"; echo lost >README.selftest
    ip link add v0 type veth peer name v1 && exit 7' sh "it's \"one\" word  " $mark
[ "$rc" = 7 ] && [ "$(cat "$tmp/out")" = "out: it's \"one\" word  " ] && [ "$(cat "$tmp/err")" = err ]
result exit-status-and-output $?
[ "$(cat $mark 2>/dev/null)" = kept ] && ! [ -e README.selftest ]
result build-lasts-rest-does-not $?
rm -f $mark README.selftest

# planted FAULT WORDS-OF-THE-REPORT
planted() {
    vm -- sh -c "insmod $plant what=$1 && rmmod fmp_plant"
    [ "$rc" = 125 ] && grep -q "$2" "$tmp/log"
    result "$1-fails" $?
}
planted overrun 'KASAN: slab-out-of-bounds in fmp_plant_overrun'
planted use_after_free 'KASAN: .*use-after-free in fmp_plant_use_after_free'
planted inversion 'possible circular locking dependency'
planted rcu 'suspicious RCU usage'
planted leak 'new suspected memory leaks'

vm -- sh -c 'echo c >/proc/sysrq-trigger 2>/dev/null; kill -KILL 1; sleep 1; exit 3'
[ "$rc" = 3 ]
result init-survives $?

vm --timeout 3 -- sh -c 'echo begun; while :; do :; done'
[ "$rc" = 124 ] && grep -q begun "$tmp/out"
result time-limit $?

exit $failed
