# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The whole path on the virtual radio: tests/e2e/run inside the test VM.

if ! [ -x tests/e2e/run ]; then
    skip all "no tests/e2e/run"
elif one modules compile WERROR=1 modules vm-tests KERNEL=6.1 && built; then
    suite e2e scripts/vm --kernel 6.1 --mem 2048 --timeout 1500 \
        --log build/check/e2e-kernel.log -- tests/e2e/run || true
fi
