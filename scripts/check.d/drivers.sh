# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Drivers of the kernel that ask the module (kernel/drivers/): the patches apply and build against each kernel, emulated
# boards receive by two of them, and simulated radios by mac80211.

if ! [ -e build/vm/drivers/6.12/format ] || ! command -v spatch >/dev/null; then
    skip all "not set up (scripts/setup drivers)"
elif one modules compile WERROR=1 modules \
    KERNEL="6.1 6.12 armhf $([ ! -e build/vm/drivers/arm64-6.12/format ] || echo arm64 armhf-6.12 arm64-6.12)"; then
    suite patches scripts/drivers || true
    # As a part: what it exports is for its machines only.
    (. "$repo/scripts/lib/mac80211.sh") || true
    if one tools compile WERROR=1 board-tools; then
        FMP_VM_LOG=build/check/drivers-vexpress-kernel.log
        export FMP_VM_LOG
        suite vexpress tests/drivers/run vexpress || true
        if [ -e build/vm/qemu-arm/format ]; then
            FMP_VM_LOG=build/check/drivers-vexpress-smc91x-kernel.log
            suite vexpress-smc91x tests/drivers/run vexpress-smc91x || true
        else
            skip vexpress-smc91x "not set up (scripts/setup boards)"
        fi
    fi
fi
