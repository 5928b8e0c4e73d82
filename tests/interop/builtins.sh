#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Usage: tests/interop/builtins.sh [COUNT [NAME...]]
#
# The built-in schemas (libfmp/schema/known) beside the official ones, which other stacks bring along
# (tests/interop/builtins/list.tsv): COUNT (300) documents of each, legal ones and changed ones, are
# taken and refused by fmp as by the JDK's Xerces. Needs `scripts/setup interop`.
cd "$(dirname "$0")/../.." || exit 1

. tests/cli/lib.sh

COUNT=${1:-300}
shift || true
LIST=tests/interop/builtins/list.tsv
while read -r f; do
    [ -f "build/$f" ] || { echo "builtins.sh: run scripts/setup interop first"; exit 1; }
done < <(grep -v '^#' $LIST | cut -f 3 | sort -u)
java tests/interop/builtins/Mutants.java $LIST tests/interop/builtins/seeds "$T" "$COUNT" "$@" 2>"$T/java.err"
sed 's/^/    /' "$T/java.err"
failed=0 total=0
while IFS=$'\t' read -r name _; do
    [[ $# = 0 || " $* " == *" $name "* ]] || continue
    [ -f "$T/$name.verdicts" ] || { echo "FAILED $name: no documents"; failed=$((failed + 1)); continue; }
    (cd "$T/$name" && "$OLDPWD/build/bin/fmpctl" inspect --json --schema probe.xsd --config BcV ./*.xml) >"$T/$name.fmp" 2>"$T/$name.err"
    python3 tests/interop/builtins/compare.py "$name" "$T/$name.verdicts" "$T/$name.fmp" "$T/$name.err" || failed=$((failed + 1))
    total=$((total + 1))
done < <(grep -v '^#' $LIST)
echo "$total built-in schemas, $failed faults"
[ "$failed" = 0 ] || { bad=1; exit; }
echo "ok builtins"
