# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Other stacks as live clients of the gateway: tests/interop.

if ! compile WERROR=1 all >build/check/interop-build.log 2>&1; then
    report FAIL build
    show_tail build/check/interop-build.log
elif scripts/setup interop >build/check/interop-setup.log 2>&1; then
    suite live tests/interop/live.sh || true
    suite stacks tests/interop/stacks.sh || true
    suite wsdls tests/interop/wsdls.sh || true
    suite builtins tests/interop/builtins.sh || true
else
    report FAIL setup
    show_tail build/check/interop-setup.log
fi
