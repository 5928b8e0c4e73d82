# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Drivers of the kernel that ask the module (kernel/drivers/): the patches apply and build against each kernel, emulated
# boards receive by two of them, and simulated radios by mac80211.

# board NAME PART: its suite, if what scripts/setup PART makes is here.
board() {
    FMP_VM_LOG=build/check/drivers-$1-kernel.log
    export FMP_VM_LOG
    case $2 in xscale) needed=build/vm/xscale ;; boards) needed=build/vm/qemu-arm ;; *) needed=build/vm/armhf ;; esac
    if [ -e $needed/format ]; then
        suite "$1" tests/drivers/run "$1" || true
    else
        skip "$1" "not set up (scripts/setup $2)"
    fi
}

if ! [ -e build/vm/drivers/6.12/format ] || ! command -v spatch >/dev/null; then
    skip all "not set up (scripts/setup drivers)"
elif one modules compile WERROR=1 modules \
    KERNEL="6.1 6.12 armhf $([ ! -e build/vm/xscale/format ] || echo xscale) $(
        [ ! -e build/vm/drivers/arm64-6.12/format ] || echo arm64 armhf-6.12 arm64-6.12)"; then
    suite patches scripts/drivers || true
    # As a part: what it exports is for its machines only.
    (. "$repo/scripts/lib/mac80211.sh") || true
    if one tools compile WERROR=1 board-tools; then
        board vexpress armhf
        board vexpress-smc91x boards
        board verdex xscale
    fi
fi
