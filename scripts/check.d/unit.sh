# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Check programs under ASan and UBSan; each check counts.

export ASAN_OPTIONS=detect_leaks=1:strict_string_checks=1:detect_stack_use_after_return=1
export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
export CK_VERBOSITY=normal
# Check's 4 seconds are too few under sanitizers on a machine that is busy; what hangs is found by 60, too.
export CK_DEFAULT_TIMEOUT=60

# "100%: Checks: 12, Failures: 0, Errors: 0", one such line a suite.
unit() { # PROGRAM
    name=${1##*/} log=$(log_of "${1##*/}") start=$(date +%s) rc=0
    timeout -k 5 300 "$1" >"$log" 2>&1 </dev/null || rc=$?
    counts=$(sed -n 's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\)$/\1 \2 \3/p' "$log" |
        awk '{ all += $1; bad += $2 + $3 } END { print all + 0, bad + 0 }')
    all=${counts% *} bad=${counts#* }
    # A program that ends badly without saying which check failed.
    [ "$rc" = 0 ] || [ "$bad" != 0 ] || { all=$((all + 1)); bad=1; }
    if [ "$all" = 0 ]; then
        report FAIL "unit/$name" 1 "no check ran"
    elif [ "$bad" = 0 ]; then
        report ok "unit/$name" "$all" "$all checks, $(since "$start")"
    else
        [ "$all" = "$bad" ] || echo "ok $((all - bad)) unit/$name" >>"$results"
        report FAIL "unit/$name" "$bad" "$bad of $all checks, exit status $rc"
        show_tail "$log"
    fi
}

doing "building the unit tests"
if compile SAN=1 WERROR=1 tests >build/check/unit-build.log 2>&1; then
    # Only those whose source is there: others are left from before.
    for source in tests/unit/test_*.c; do
        [ -e "$source" ] || continue
        unit "build/san/tests/$(basename "$source" .c)"
    done
else
    report FAIL unit/build
    show_tail build/check/unit-build.log
fi
