# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module on a kernel for races: two processors, preemption, KASAN, lockdep, RCU checks,
# kmemleak. That a fault would be seen, the KUnit suites, all that tests/vm/run has, and 200
# rounds of loading and unloading under traffic.

# debug_suite NAME SECONDS COMMAND...
debug_suite() {
    name=$1 limit=$2
    shift 2
    suite "$name" scripts/vm --kernel debug --smp 2 --mem 2048 --timeout "$limit" \
        --log "build/check/$name-kernel.log" -- "$@" || true
}

if ! [ -e build/vm/debug/format ]; then
    skip all "not set up (scripts/setup debug; half an hour on two processors)"
elif one modules compile WERROR=1 modules vm-tests KERNEL="debug debug-kunit"; then
    doing "on two emulated processors, each step checked: about an hour in all"
    # A file of tests that takes a minute elsewhere.
    export FMP_FILE_SECONDS=3600
    suite debug-selftest tests/vm/plant_selftest.sh debug || true
    debug_suite debug-kunit 1800 tests/vm/kunit
    debug_suite debug 7200 tests/vm/run
    debug_suite debug-rounds 7200 tests/vm/rounds 200
fi
