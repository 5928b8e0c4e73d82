# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2154
# What a kernel's maintainers and distributors would try: the module in the kernel's tree, by Kconfig; by DKMS; and its
# netlink family by the kernel's own ynl. Such a kernel, booted: built in, and as modules under the kernel's own kselftest.
# And a router's flowtable beside fmpd.

into=build/check/tree
. "$repo/scripts/setup.d/built.sh"

# Without the rest of the kernel: modpost has nothing to resolve symbols with, so objects are what counts. With a mac80211
# that is a module, which what is built in must not need.
in_tree() { # y|m|n
    rm -rf "$into/out"
    printf 'CONFIG_%s\n' 64BIT=y MODULES=y NET=y INET=y NETDEVICES=y NETFILTER=y NETFILTER_ADVANCED=y \
        NETFILTER_INGRESS=y WIRELESS=y CFG80211=m MAC80211=m "FMP=$1" "FMP_BASEBAND=$1" >"$into/config"
    set -- "$1" -s -C "$into/linux" O="$PWD/$into/out" ARCH=um CC=gcc-12 HOSTCC=gcc-12
    value=$1
    shift
    make "$@" allnoconfig KCONFIG_ALLCONFIG="$PWD/$into/config" >/dev/null || return 1
    if [ "$value" = n ]; then
        ! grep -q '^CONFIG_FMP' "$into/out/.config"
        return
    fi
    grep -qx "CONFIG_FMP=$value" "$into/out/.config" || { echo "Kconfig did not take CONFIG_FMP=$value"; return 1; }
    make "$@" W=1 KCFLAGS=-Werror prepare net/fmp/ || return 1
    ! nm -u "$into"/out/net/fmp/hook/*.o "$into"/out/net/fmp/path/*.o | grep -E ' U (ieee80211|cfg80211|wiphy)' || return 1
    ls "$into/out/net/fmp/hook/mac80211.o" >/dev/null || return 1
    # What is built in is not linked to one object: its parts are in an archive.
    if [ "$value" = y ]; then
        ar t "$into/out/net/fmp/built-in.a" >"$into/parts" || return 1
        grep -q net/fmp/main.o "$into/parts" && grep -q net/fmp/baseband/main.o "$into/parts"
    else
        ls "$into"/out/net/fmp/fmp.o "$into"/out/net/fmp/baseband/fmp_baseband.o >/dev/null
    fi
}

# Compiles User-Mode Linux with the module in its tree, for scripts/vm --kernel uml-tree.
kernel_to_boot() ( # y|m
    source=$into/linux built=$PWD/$into/uml dir=build/vm/uml-tree
    rm -f "$dir/format"
    room_for_registers
    sed '/^CONFIG_FMP/d' scripts/setup.d/tree.config tests/vm/kselftest/config >"$into/config"
    printf 'CONFIG_%s\n' "FMP=$1" "FMP_BASEBAND=$1" >>"$into/config"
    kernel_make uml-tree -s allnoconfig KCONFIG_ALLCONFIG="$PWD/$into/config" || exit 1
    lost=$(config_taken "$into/config")
    [ -z "$lost" ] || { echo "Kconfig did not take: $lost"; exit 1; }
    kernel_make uml-tree -s -j"$(nproc)" linux modules || exit 1
    rm -rf build/vm/uml-tree/lib build/vm/uml-tree/linux
    kernel_make uml-tree -s modules_install INSTALL_MOD_PATH="$PWD/$dir" || exit 1
    cp "$built/include/config/kernel.release" "$dir/release"
    cp "$built/linux" "$dir/linux" && : >"$dir/format"
)

# The tests that scripts/kernel-tree put there, against the kernel's own headers.
selftests() {
    # A kernel for User-Mode Linux has no headers to export.
    make -s -C "$into/linux" O="$PWD/$into/headers" ARCH=x86_64 HOSTCC=gcc-12 headers &&
        make -C "$into/linux/tools/testing/selftests" TARGETS=net/fmp CC=gcc-12 USERCFLAGS=-Werror \
            KHDR_INCLUDES="-isystem $PWD/$into/headers/usr/include" all
}

# boot NAME COMMAND...
boot() {
    name=$1
    shift
    suite "$name" scripts/vm --kernel uml-tree --timeout 1800 --log "build/check/tree-$name-kernel.log" -- "$@" || true
}

schema() {
    PYTHONPATH=$into/linux/tools/net/ynl python3 -c '
import sys
from lib import SpecFamily
SpecFamily(*sys.argv[1:])' kernel/netlink/fmp.yaml "$into/linux/Documentation/netlink/genetlink-legacy.yaml"
}

dkms() {
    rm -rf "$into/dkms"
    mkdir -p "$into/dkms/src" "$into/dkms/tree" "$into/dkms/modules"
    cp -r kernel "$into/dkms/src/fmp-$version"
    headers=$(echo "$PWD"/build/vm/6.12/usr/src/linux-headers-*-amd64)
    release=$(cat build/vm/6.12/release)
    bash build/vm/tree/dkms/usr/sbin/dkms build "fmp/$version" -k "$release" --arch x86_64 --kernelsourcedir "$headers" \
        --dkmstree "$PWD/$into/dkms/tree" --sourcetree "$PWD/$into/dkms/src" --installtree "$PWD/$into/dkms/modules" ||
        { cat "$into"/dkms/tree/fmp/*/build/make.log; return 1; }
    # What it built: the module and not the virtual radio.
    built=$(ls "$into/dkms/tree/fmp/$version/$release/x86_64/module")
    [ "$built" = fmp.ko ] || { echo "built: $built"; return 1; }
}

if [ -e build/vm/tree/source/Makefile ] && [ -e build/vm/tree/dkms/usr/sbin/dkms ]; then
    mkdir -p "$into"
    version=$(sed -n 's/^VERSION := //p' Makefile)
    rm -rf "$into/linux"
    doing "copying a kernel's source"
    cp -r build/vm/tree/source/. "$into/linux"
    one schema schema || true
    if one kernel-tree scripts/kernel-tree "$into/linux"; then
        for value in y m n; do
            one "config-$value" in_tree $value || true
        done
        doing "compiling a kernel to boot, some minutes"
        if one selftests selftests && one vm-tests compile WERROR=1 vm-tests; then
            if one kernel-y kernel_to_boot y; then
                boot built-in sh tests/vm/built_in.sh
                boot kselftest-y tests/vm/selftests "$PWD/$into/linux" drop.sh
            fi
            if one kernel-m kernel_to_boot m; then
                boot kselftest-m tests/vm/selftests "$PWD/$into/linux"
            fi
        fi
    fi
    one dkms dkms || true
    if one modules compile WERROR=1 modules vm-tests KERNEL=6.12 && built; then
        suite flows scripts/vm --kernel 6.12 --timeout 900 --log build/check/tree-flows-kernel.log -- sh tests/vm/flows.sh || true
        suite ynl scripts/vm --kernel 6.12 --share "$(readlink -f build/vm/tree/source)" \
            --log build/check/tree-ynl-kernel.log -- sh tests/vm/ynl.sh || true
    fi
    rm -rf "$into"
else
    skip all "not set up (scripts/setup tree)"
fi
