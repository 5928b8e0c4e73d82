# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Drivers of the kernel that ask the module (kernel/drivers/): the patches apply and build
# against each kernel, and an emulated board receives by one of them.

if ! [ -e build/vm/drivers/6.12/format ] || ! command -v spatch >/dev/null; then
    skip all "not set up (scripts/setup drivers)"
elif one modules compile WERROR=1 modules KERNEL="6.1 6.12 armhf"; then
    suite patches scripts/drivers || true
    # The hook in a mac80211 that asks.
    if one vm-tools compile WERROR=1 vm-tests; then
        FMP_MAC80211=build/drivers/6.12/mac80211/mac80211/mac80211.ko
        export FMP_MAC80211
        suite mac80211-6.12 scripts/vm --kernel 6.12 --smp 2 --timeout 1200 \
            --log build/check/drivers-mac80211-kernel.log -- tests/vm/run mac80211 || true
        unset FMP_MAC80211
    fi
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
