# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module in the test VM: tests/vm/run inside it, on each kernel. 6.12 gets two
# processors, so that one of the two can show races, and the tests that differ most from
# kernel to kernel; the group vm-long has it run all.

suite vm-selftest tests/vm/vm_selftest.sh || true

# The module's tests need no program of ours, only their own helpers.
if [ -x tests/vm/run ]; then
    doing "building the modules"
    # The flags of the group `build`: other flags would compile it all again.
    if one modules compile WERROR=1 modules vm-tests bench-tools KERNEL=both; then
        suite vm-6.1 scripts/vm --kernel 6.1 --timeout 2200 \
            --log build/check/vm-6.1-kernel.log -- tests/vm/run || true
        suite vm-6.12 scripts/vm --kernel 6.12 --smp 2 --timeout 1200 \
            --log build/check/vm-6.12-kernel.log -- tests/vm/run baseband drop enforce filter genl || true
        # That the figures of scripts/bench filter may be believed, not the figures.
        suite bench scripts/vm --icount 0 --timeout 600 --log build/check/bench-kernel.log \
            -- tests/bench/smoke || true
    fi
else
    skip module "no tests/vm/run"
fi
