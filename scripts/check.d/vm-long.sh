# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# All of tests/vm/run, on 6.12 with two processors.

# A file of tests that takes a minute on a machine that does nothing else.
export FMP_FILE_SECONDS=1500
if one modules compile WERROR=1 modules vm-tests KERNEL=both; then
    suite vm-6.1 scripts/vm --kernel 6.1 --timeout 5400 --log build/check/vm-6.1-kernel.log -- tests/vm/run || true
    suite vm-6.12 scripts/vm --kernel 6.12 --smp 2 --timeout 5400 \
        --log build/check/vm-6.12-kernel.log -- tests/vm/run || true
fi
