# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034,SC2154
# In a kernel's tree, where it lies beside the tests, lib.sh reads this at its end: modules are those that are
# installed, programs lie here too, and results are KTAP.

tools=$(cd "$lib" && pwd)
genl=$tools/fmp_genl
tcp=$tools/tcp_stream
fmp_load=$tools/fmp_load
in_tree=1

show_plan() { # TEST...
    number=0
    echo "TAP version 13"
    echo "1..$#"
}

show_result() { # STATUS TEST
    number=$((number + 1))
    case $1 in
    0) echo "ok $number $2" ;;
    77) echo "ok $number $2 # SKIP $(tail -n 1 "$tmp/out")" ;;
    *)
        sed 's/^/# /' "$tmp/out"
        echo "not ok $number $2"
        ;;
    esac
}

# 4 is how a test tells kselftest that it can't be run here.
skip_all() { # REASON
    echo "TAP version 13"
    echo "1..0 # SKIP $1"
    exit 4
}

[ "$(id -u)" = 0 ] || skip_all "needs root"
modules=$tmp/modules
mkdir "$modules"
for name in fmp fmp_baseband; do
    file=$(modinfo -n "$name" 2>/dev/null) || skip_all "this kernel has no $name"
    case $file in
    /*) ln -s "$file" "$modules/$name.ko" ;;
    # What is built in is there from the start, as it is.
    *)
        built_in=1
        load() { skip_all "$name is built in, and these tests load it themselves"; }
        ;;
    esac
done
