# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# All of tests/vm/run on User-Mode Linux with KASAN, lockdep and kmemleak, and the module
# loaded and unloaded under traffic.

if ! [ -e build/vm/uml/format ]; then
    skip all "not set up (scripts/setup uml)"
elif one modules compile WERROR=1 modules-uml vm-tests KERNEL=uml; then
    # A file of tests that takes two minutes on an idle machine may meet a busy one.
    export FMP_FILE_SECONDS=1800
    suite uml scripts/vm --kernel uml --timeout 7200 \
        --log build/check/uml-kernel.log -- tests/vm/run || true
    suite uml-rounds scripts/vm --kernel uml --timeout 1500 \
        --log build/check/uml-rounds-kernel.log -- tests/vm/rounds 5 || true
fi
