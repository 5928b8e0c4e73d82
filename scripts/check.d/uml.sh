# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The module on User-Mode Linux with KASAN, lockdep and kmemleak: the KUnit suites; and
# before, that a fault would be seen. The group uml-long goes on with all of tests/vm/run.

if ! [ -e build/vm/uml/format ]; then
    skip all "not set up (scripts/setup uml)"
else
    doing "building the modules"
    if one modules compile WERROR=1 modules-uml modules-uml-kunit vm-tests KERNEL="uml uml-kunit"; then
        suite uml-selftest tests/vm/plant_selftest.sh uml || true
        suite uml-kunit scripts/vm --kernel uml --timeout 1500 \
            --log build/check/uml-kunit-kernel.log -- tests/vm/kunit || true
    fi
fi
