# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module on a kernel for races: two processors, preemption, KASAN, lockdep, RCU checks,
# kmemleak. That a fault would be seen, the KUnit suites, all that tests/vm/run has, 200
# rounds of loading and unloading under traffic, 10,000,000 frames and 1,000,000 messages.
#
# FMP_DEBUG_FRAMES and FMP_DEBUG_MESSAGES: fewer of them.

# debug_suite NAME SECONDS COMMAND...
debug_suite() {
    name=$1 limit=$2
    shift 2
    suite "$name" scripts/vm --kernel debug --smp 2 --mem 2048 --timeout "$limit" \
        --log "build/check/$name-kernel.log" -- "$@" || true
}

if ! [ -e build/vm/debug/format ]; then
    skip all "not set up (scripts/setup debug; half an hour on two processors)"
elif one modules compile WERROR=1 modules vm-tests fuzzers KERNEL="debug debug-kunit"; then
    doing "on two emulated processors, each step checked: some hours in all"
    # A file of tests that takes a minute elsewhere.
    export FMP_FILE_SECONDS=3600
    suite debug-selftest tests/vm/plant_selftest.sh debug || true
    debug_suite debug-kunit 1800 tests/vm/kunit
    debug_suite debug 7200 tests/vm/run
    debug_suite debug-rounds 7200 tests/vm/rounds 200
    debug_suite debug-bulk 14400 tests/vm/bulk "${FMP_DEBUG_FRAMES:-10000000}"
    export FMP_FUZZ_MESSAGES="${FMP_DEBUG_MESSAGES:-1000000}"
    debug_suite debug-genl 14400 tests/fuzz/run genl
fi
