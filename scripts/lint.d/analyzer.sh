# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# gcc's static analyzer on the module: paths to a NULL, to what was freed, to what was never set.

# What it says is said once, when a file is compiled: so all are, in a tree of their own. What
# is known not to be so stands in analyzer.known, which may list nothing else.
run_analyzer() {
    rm -rf build/kernel/6.1-analyzer
    # The kernel's Makefile takes LC_ALL away.
    env -u LC_ALL LANG=C LC_CTYPE=C LC_MESSAGES=C \
        make modules KERNEL=6.1-analyzer >"$log.out" 2>&1 || { cat "$log.out"; return 1; }
    # The options of a warning stand behind it, and paths depend on the machine.
    sed -n "s#^.*/\([^/]*\):[0-9]*:[0-9]*: warning: \(.*\) \[CWE-.*#\1: \2#p; t
        s#^.*/\([^/]*\):[0-9]*:[0-9]*: warning: #\1: #p" "$log.out" | sort -u >"$log.said"
    sed 's/[[:space:]]*#.*//; /^$/d' "$repo/scripts/lint.d/analyzer.known" | sort -u >"$log.known"
    if ! diff "$log.known" "$log.said" >"$log.diff"; then
        sed -n 's/^> /new: /p; s/^< /no longer said, take it off analyzer.known: /p' "$log.diff"
        cat "$log.out"
        return 1
    fi
}
if ! [ -e kernel/Kbuild ]; then
    skip analyzer "no module yet"
elif [ -e build/vm/6.1/release ]; then
    one analyzer run_analyzer || true
else
    skip analyzer "kernel 6.1 is not set up"
fi
