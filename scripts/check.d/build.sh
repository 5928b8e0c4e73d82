# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Everything compiles without a warning.

# In a place of its own: objects that others made without WERROR prove nothing.
doing "compiling everything, warnings as errors"
one programs compile WERROR=1 B=build/check/werror all || true
one tests compile WERROR=1 SAN=1 tests || true
one fuzzers compile WERROR=1 fuzz || true

# modpost's warnings stop nothing by themselves.
modules() {
    compile WERROR=1 modules KERNEL="$1" >"$log.out" 2>&1 || { cat "$log.out"; return 1; }
    cat "$log.out"
    ! grep -i 'warning' "$log.out"
}
# An installed kernel gets the filter; the virtual radio only if it is asked for.
installs_filter_alone() {
    for asked in '' BASEBAND=1; do
        rm -rf build/check/installed
        compile modules_install KDIR="$(echo "$PWD"/build/vm/6.1/usr/src/linux-headers-*-amd64)" \
            DESTDIR="$PWD/build/check/installed" $asked || return 1
        found=$(find build/check/installed -name '*.ko' -printf '%f\n' | sort | tr '\n' ' ')
        [ "$found" = "fmp.ko ${asked:+fmp_baseband.ko }" ] || { echo "$asked: $found"; return 1; }
    done
}

# A driver without the module: the virtual radio with CONFIG_FMP unset, which needs no function of ours.
stubs() {
    into=$PWD/build/check/stubs
    rm -rf "$into"
    mkdir -p "$into"
    cp -r kernel/baseband kernel/compat kernel/include "$into"
    # shellcheck disable=SC2016
    printf '%s\n' 'subdir-ccflags-y := -I$(src)/include -I$(src)/include/uapi' \
        'LINUXINCLUDE := -I$(src)/compat $(LINUXINCLUDE)' 'obj-m += baseband/' >"$into/Kbuild"
    make -s -C "$PWD"/build/vm/6.12/usr/src/linux-headers-*-amd64 M="$into" CONFIG_FMP_BASEBAND=m \
        CONFIG_DEBUG_INFO_BTF_MODULES= W=1 CC="${CC:-gcc-12}" KCFLAGS=-Werror modules || return 1
    ! nm "$into/baseband/fmp_baseband.ko" | grep ' U fmp_'
}
if [ -e kernel/Kbuild ]; then
    one stubs stubs || true
    for version in 6.1 6.12; do
        one "modules-$version" modules "$version" || true
    done
    one modules-install installs_filter_alone || true
else
    skip modules "no kernel/Kbuild"
fi
