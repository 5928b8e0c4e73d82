# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Running tests and counting them, for the groups of scripts/check.
# Given: repo, group, results (a file: "ok COUNT NAME", "FAIL 1 NAME", "skip 1 NAME").
# shellcheck disable=SC2154

red= plain=
if [ -t 1 ]; then
    red=$(printf '\033[31m') plain=$(printf '\033[0m')
fi

# report ok|FAIL|skip NAME [COUNT [REMARK]]
report() {
    case $1 in
    ok) printf 'ok %s%s\n' "$2" "${4:+ ($4)}" ;;
    FAIL) printf '%sFAIL %s%s%s\n' "$red" "$2" "${4:+ ($4)}" "$plain" ;;
    skip) printf 'skip %s: %s\n' "$2" "${4:-no reason given}" ;;
    esac
    echo "$1 ${3:-1} $2" >>"$results"
    if [ "$1" = skip ] && [ "${CI:-}" = true ] && ! skip_allowed "$2"; then
        printf '%sFAIL %s: a skip that tests/skips.allowed does not list%s\n' "$red" "$2" "$plain"
        echo "FAIL 1 $2" >>"$results"
    fi
}

skip() { # NAME REASON
    report skip "$group/$1" 1 "$2"
}

skip_allowed() {
    sed 's/[[:space:]]*#.*//' tests/skips.allowed 2>/dev/null | grep -qxF -- "$1"
}

log_of() { # NAME
    echo "build/check/$group-$(echo "$1" | tr '/ ' '--').log"
}

show_tail() { # LOG
    tail -n 40 "$1" | sed 's/^/    /'
    echo "    (log: $1)"
    tail -n 12 "$1" | remember "$1"
}

# The end of what a failed test said is kept for the summary: of a long run often only the last lines are seen.
remember() { # LOG, text on standard input
    {
        echo "    $1:"
        cut -c 1-200 | sed 's/^/      /'
    } >>"$results.said"
}

# What takes long is said before it starts.
doing() { # WORDS
    echo "   $*"
}

since() { # START
    echo "$(($(date +%s) - $1)) s"
}

# One test: a command, judged by its exit status; 77 means it could not be done here, and
# its last line says why.
one() { # NAME COMMAND...
    name=$1 log=$(log_of "$1") start=$(date +%s) rc=0
    shift
    "$@" >"$log" 2>&1 </dev/null || rc=$?
    case $rc in
    0) report ok "$group/$name" 1 "$(since "$start")" ;;
    77) skip "$name" "$(tail -n 1 "$log")" ;;
    *)
        report FAIL "$group/$name" 1 "exit status $rc, $(since "$start")"
        show_tail "$log"
        return 1
        ;;
    esac
}

# A command that is many tests: it writes `ok NAME`, `FAIL NAME`, `skip NAME: reason`;
# a line that begins with three spaces is shown as it comes.
# To be believed it must write at least one such line, and end with 0 just if none failed.
suite() { # NAME COMMAND...
    suite=$1 log=$(log_of "$1") start=$(date +%s)
    shift
    doing "$group/$suite: running"
    {
        rc=0
        "$@" </dev/null 2>&1 || rc=$?
        echo "$rc" >"$log.rc"
    } | tee "$log" | while IFS= read -r line; do
        case $line in
        'ok '*) report ok "$suite/${line#ok }" ;;
        'FAIL '*) report FAIL "$suite/${line#FAIL }" ;;
        'skip '*)
            line=${line#skip }
            report skip "$suite/${line%%: *}" 1 "${line#*: }"
            ;;
        # How far it is.
        '   '[!\ ]*) printf '%s\n' "$line" ;;
        esac
    done
    rc=$(cat "$log.rc")
    rm -f "$log.rc"
    doing "$group/$suite: $(since "$start")"
    if grep -q '^FAIL ' "$log"; then
        # What stands under a FAIL belongs to it.
        awk '/^(FAIL |vm: )/{ on = 1 } /^(ok|skip) /{ on = 0 } on' "$log" >"$log.failed"
        head -n 80 "$log.failed" | sed 's/^/    /'
        echo "    (log: $log)"
        tail -n 12 "$log.failed" | remember "$log"
        rm -f "$log.failed"
        return 1
    elif [ "$rc" != 0 ]; then
        # Its own tests passed, yet it failed: a fault the kernel reported, say.
        report FAIL "$group/$suite" 1 "exit status $rc"
        show_tail "$log"
        return 1
    elif ! grep -qE '^(ok|FAIL|skip) ' "$log"; then
        report FAIL "$group/$suite" 1 "no test ran"
        return 1
    fi
}

# make, one at a time: groups that run side by side build in the same places.
compile() {
    flock build/check/compile.lock make -j"$(nproc)" "$@"
}

# The programs that the groups run.
built() {
    [ -z "${built:-}" ] || return 0
    doing "building the programs"
    if compile WERROR=1 all >build/check/build.log 2>&1; then
        built=1
    else
        report FAIL "$group/build"
        show_tail build/check/build.log
        return 1
    fi
}

# Tests that are programs in a directory: `run` there stands for all, else each file for itself.
programs() { # DIR
    if [ -x "$1/run" ]; then
        suite "$group" "$1/run" || true
        return 0
    fi
    found=
    for file in "$1"/*; do
        [ -f "$file" ] && [ -x "$file" ] || continue
        found=1
        base=${file##*/}
        one "${base%.*}" "$file" || true
    done
    [ "$found" ] || skip all "no test in $1"
}

summary() {
    if grep -q '^FAIL ' "$results"; then
        doing "what failed:"
        sed -n 's/^FAIL [0-9]* /    /p' "$results"
        [ ! -e "$results.said" ] || head -n 60 "$results.said"
    fi
    awk '{ n[$1] += $2 }
        END {
            printf "%d passed, %d failed", n["ok"], n["FAIL"]
            if (n["skip"]) printf ", %d skipped", n["skip"]
            printf "\n"
            exit !(n["ok"] && !n["FAIL"])
        }' "$results"
}
