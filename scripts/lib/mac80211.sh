# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# The hook before mac80211 with the radios of mac80211_hwsim, on each kernel that is set up: suites of scripts/check drivers.
# Given what scripts/check gives its groups, and the modules for 6.1, 6.12 and armhf.

. "$repo/scripts/lib/newest.sh"

# On ARM the machine's build/ is build/ARCHITECTURE/: what it needs goes there.
carry() { # KERNEL FILE...
    to=build/${1%-6.12}
    shift
    for file; do
        mkdir -p "$to/$(dirname "${file#build/}")"
        cp -L "$file" "$to/${file#build/}" || return 1
    done
}

# radios KERNEL mac80211-patched|mac80211|refused: what a device gets on that kernel, patched or with its own mac80211.
radios() {
    FMP_HOOK=$2 FMP_MAC80211=
    if [ "$2" = mac80211-patched ]; then
        FMP_MAC80211=build/drivers/$1/mac80211/mac80211/mac80211.ko
        case $1 in arm*) one "files-$1-patched" carry "$1" "$FMP_MAC80211" || return 1 ;; esac
    fi
    export FMP_HOOK FMP_MAC80211
    # An emulated ARM takes longer, on a busy machine much longer.
    limit=1200
    case $1 in arm*) limit=4000 ;; esac
    suite "mac80211-$1-${2#mac80211-}" scripts/vm --kernel "$1" --smp 2 --timeout $limit \
        --log "build/check/drivers-mac80211-$1-${2#mac80211-}-kernel.log" -- tests/vm/run mac80211
}

# Those helpers of tests/vm/ that these tests run.
radio_tools() { # ARCHITECTURE
    compile WERROR=1 "for-$1" GOALS="build/$1/tests/vm/fmp_genl build/$1/tests/vm/wifi_send"
}

fmp_newest() {
    rm -rf build/check/newest
    mkdir -p build/check/newest build/kernel/newest
    cp -r Kbuild kernel build/check/newest
    make_newest build/check/newest && cp build/check/newest/kernel/fmp.ko build/kernel/newest
}

if one vm-tools compile WERROR=1 vm-tests; then
    for kernel in 6.1 6.12; do
        radios $kernel mac80211-patched || true
    done
    if [ -e build/vm/kernels/matrix ] && [ -e build/vm/drivers/newest/format ]; then
        ! one modules-newest fmp_newest || radios newest mac80211-patched || true
    else
        skip mac80211-newest "not set up (scripts/setup kernels)"
    fi
fi

if ! [ -e build/vm/drivers/arm64-6.12/format ]; then
    skip mac80211-arm "not set up (scripts/setup mac80211)"
elif one vm-tools-armhf radio_tools armhf && one vm-tools-arm64 radio_tools arm64; then
    for kernel in armhf arm64 armhf-6.12 arm64-6.12; do
        # By ftrace on 64 bits from 6.2 on; patched everywhere.
        own=refused
        [ $kernel != arm64-6.12 ] || own=mac80211
        one files-$kernel carry $kernel build/kernel/$kernel/*.ko || continue
        radios $kernel $own || true
        radios $kernel mac80211-patched || true
    done
fi
