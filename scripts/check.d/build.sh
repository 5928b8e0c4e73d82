# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# Everything compiles without a warning.

# What others made without WERROR proves nothing: then in a place of its own.
doing "compiling everything, warnings as errors"
place=build
[ ! -e build/bin ] || place=build/check/werror
one programs compile WERROR=1 B="$place" all || true
one tests compile WERROR=1 SAN=1 tests || true
one fuzzers compile WERROR=1 fuzz || true
. "$repo/scripts/lib/musl.sh"
one musl musl_sources || true

# modpost's warnings stop nothing by themselves.
modules() {
    compile WERROR=1 modules KERNEL="$1" >"$log.out" 2>&1 || { cat "$log.out"; return 1; }
    cat "$log.out"
    ! grep -i 'warning' "$log.out"
}
# An installed kernel gets the filter; the virtual radio only if it is asked for. What is asked of Kbuild is looked at, and
# what is installed of the modules that are there: to compile them once more would show nothing else.
installs_filter_alone() {
    headers=$(echo "$PWD"/build/vm/6.1/usr/src/linux-headers-*-amd64)
    for asked in '' BASEBAND=1; do
        # shellcheck disable=SC2086
        make modules KDIR="$headers" MAKE=echo $asked | grep -o 'CONFIG_FMP[^ ]*' >build/check/asked || true
        [ "$(cat build/check/asked)" = "${asked:+CONFIG_FMP_BASEBAND=m}" ] || { echo "$asked:"; cat build/check/asked; return 1; }
        rm -rf build/check/installed
        # shellcheck disable=SC2086
        compile WERROR=1 modules_install KERNEL=6.1 DESTDIR="$PWD/build/check/installed" $asked || return 1
        found=$(find build/check/installed -name '*.ko' -printf '%f\n' | sort | tr '\n' ' ')
        [ "$found" = "fmp.ko ${asked:+fmp_baseband.ko }" ] || { echo "$asked: $found"; return 1; }
    done
}

# A driver without the module: the virtual radio with CONFIG_FMP unset, which needs no function of ours; and one that
# uses each function there is.
stubs() {
    into=$PWD/build/check/stubs
    rm -rf "$into"
    mkdir -p "$into"
    cp -r kernel/baseband kernel/compat kernel/include "$into"
    # shellcheck disable=SC2016
    printf '%s\n' 'subdir-ccflags-y := -I$(src)/include -I$(src)/include/uapi' \
        'LINUXINCLUDE := -I$(src)/compat $(LINUXINCLUDE)' 'obj-m += baseband/ all.o' >"$into/Kbuild"
    {
        printf '#include <linux/module.h>\n#include <net/fmp_rx.h>\nstatic const void *const all[] __used = {\n'
        sed -n '/^#if IS_ENABLED(CONFIG_FMP)/,/^#else/s/.*\(fmp_rx_[a-z0-9_]*\)(.*/\t\1,/p' kernel/include/net/fmp_rx.h
        printf '};\nMODULE_LICENSE("GPL");\nMODULE_DESCRIPTION("stubs");\n'
    } >"$into/all.c"
    make -s -C "$PWD"/build/vm/6.12/usr/src/linux-headers-*-amd64 M="$into" CONFIG_FMP_BASEBAND=m \
        CONFIG_DEBUG_INFO_BTF_MODULES= W=1 CC="${CC:-gcc-12}" KCFLAGS=-Werror modules || return 1
    nm "$into/baseband/fmp_baseband.ko" "$into/all.ko" >"$into/names" || return 1
    ! grep ' U fmp_' "$into/names"
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

# The short form of the group `kernels`: objects only, by clang, whose one program compiles for all of them, for the
# newest kernel, for 32-bit ARM and for a big-endian machine; the tools that make modules of them may not run here.
. "$repo/scripts/lib/arch.sh"
. "$repo/scripts/lib/one_file.sh"
objects_for() { # RELEASE ARCHITECTURE
    headers=$repo/build/vm/headers/root/usr/src/linux-headers-$1 into=$repo/build/check/headers/$1
    common=${headers%-*}-common
    # shellcheck disable=SC2046
    set -- $(arch_of "$2")
    rm -rf "$into"
    mkdir -p "$into"
    cp -r Kbuild kernel "$into"
    as_one_file "$into/kernel/Kbuild"
    make -s -j "$(nproc)" -C "$headers" -f "$common/Makefile" KBUILD_OUTPUT="$headers" M="$into" W=1 CONFIG_OBJTOOL= \
        ARCH="$1" CROSS_COMPILE="$2" CC="$repo/scripts/lib/kernel_clang" KCFLAGS="-Werror -Wno-unused-variable" kernel/ \
        >"$into.out" 2>&1 || { cat "$into.out"; return 1; }
    [ -e "$into/kernel/fmp.o" ] || { echo "no fmp.o"; return 1; }
    # No atomics of 64 bits: each would take a spinlock on machines without them, which ARM before v6k is.
    if [ "$1" = arm ] && ! "$2objdump" -d "$into/kernel/fmp.o" >"$into.asm"; then
        echo "no objdump"
        return 1
    fi
    if [ "$1" = arm ] && awk '/^[0-9a-f]+ </ { f = $2 } / ldrexd|\tldrexd/ { print f }' "$into.asm" | sort -u | grep .; then
        echo "uses atomic64_t"
        return 1
    fi
    # As modpost does: what is in no object is in the kernel. Canary and tracer are the compiler's, and the module's
    # own name is made by modpost.
    find "$into" -name '*.o' -exec "$2nm" --defined-only {} + | awk 'NF == 3 { print $3 }' >"$into.defined"
    cut -f 2 "$headers/Module.symvers" | cat - "$into.defined" | sort -u >"$into.known"
    find "$into" -name '*.o' -exec "$2nm" -u {} + | awk '$1 == "U" { print $2 }' | sort -u |
        grep -vxE '__stack_chk_guard|mcount|__this_module|_GLOBAL_OFFSET_TABLE_' | comm -23 - "$into.known" >"$into.unknown"
    rm -rf "$into"
    ! [ -s "$into.unknown" ] || { echo "in no kernel: $(tr '\n' ' ' <"$into.unknown")"; return 1; }
}
if [ -e build/vm/headers/matrix ]; then
    mkdir -p build/check/headers
    while read -r release arch; do
        one "objects-$release" objects_for "$release" "$arch" || true
    done <build/vm/headers/matrix
else
    skip objects "not set up (scripts/setup)"
fi
