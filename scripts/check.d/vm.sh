# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module in the test VM: tests/vm/run inside it. Each of its files on one kernel, and on both
# what differs most from kernel to kernel; the group vm-long has both run all. 6.12 gets two
# processors, so that one of the two can show races.

suite vm-selftest tests/vm/vm_selftest.sh || true

# The module's tests need no program of ours, only their own helpers.
if [ -x tests/vm/run ]; then
    doing "building the modules"
    # The flags of the group `build`: other flags would compile it all again.
    if one modules compile WERROR=1 modules vm-tests bench-tools KERNEL=both; then
        # The group e2e has nftables of 6.1 do its part.
        on_6_1=$(cd tests/vm && printf '%s\n' module_*.sh | grep -vx module_enforce.sh)
        # shellcheck disable=SC2086
        suite vm-6.1 scripts/vm --kernel 6.1 --timeout 2200 \
            --log build/check/vm-6.1-kernel.log -- tests/vm/run $on_6_1 || true
        suite vm-6.12 scripts/vm --kernel 6.12 --smp 2 --timeout 1200 \
            --log build/check/vm-6.12-kernel.log -- tests/vm/run drop enforce filter genl || true
        # That the figures of scripts/bench filter may be believed, not the figures.
        suite bench scripts/vm --icount 0 --timeout 600 --log build/check/bench-kernel.log \
            -- tests/bench/smoke || true
    fi
else
    skip module "no tests/vm/run"
fi
