# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# What the hook before mac80211 is tried on beyond x86: a 6.12 for ARM of 32 and of 64 bits, and for each kernel the source
# of mac80211 that it was built from, as the prototypes between mac80211 and its drivers change in stable releases, too.
#
#   build/vm/armhf-6.12/, build/vm/arm64-6.12/   release  vmlinuz  initrd  lib/modules/RELEASE/  usr/src/linux-headers-*/
#   build/vm/drivers/KERNEL/                     the sources that drivers.sh tells of
#
# The root of these machines is that of armhf and arm64.

# Read by scripts/setup after kernels.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
arm_kernel_format=1

# From bookworm-backports, whose headers go with the compilers of Debian 12.
setup_arm_kernel() { # ARCHITECTURE FLAVOUR
    dir=$repo/build/vm/$1-6.12
    [ "$(cat "$dir/format" 2>/dev/null)" != "$arm_kernel_format" ] || return 0
    want "guest kernel 6.12 for $1" "guest kernel 6.12 for $1 into build/vm/$1-6.12" || return 0
    need_debian
    suite_lists bookworm-backports amd64 "$1"
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    rel=$(unpack_headers "$dir.new" "$2:$1") && rel=${rel% *} || die "cannot fetch kernel headers for $1"
    # shellcheck disable=SC2016
    printf 'include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../linux-headers-%s/Makefile\n' "${rel%-"$2"}-common" \
        >"$dir.new/usr/src/linux-headers-$rel/Makefile"
    deb=$(apt_fetch "linux-image-$rel:$1") && [ "$deb" ] || die "cannot fetch the kernel $rel"
    dpkg-deb -x "$deb" "$dir.new"
    rm -rf "$deb" "$dir.new/usr/share" "$dir.new"/usr/lib/linux-image-*
    mv "$dir.new/boot/vmlinuz-$rel" "$dir.new/vmlinuz"
    /sbin/depmod -b "$dir.new" "$rel"
    foreign_initrd make_initrd "$dir.new" "$rel" "$repo/build/vm/$1/rootfs/bin/busybox"
    echo "$rel" >"$dir.new/release"
    echo "$arm_kernel_format" >"$dir.new/format"
    mv "$dir.new" "$dir"
}

# The lists of $apt_opts know the kernel's headers, which say the version.
setup_kernel_source() { # KERNEL PACKAGE [:ARCHITECTURE]
    link=$repo/build/vm/drivers/$1
    from="$(kernel_release "$1") $(driver_directories | cksum)"
    [ "$(cat "$link.from" 2>/dev/null)" != "$from" ] || [ ! -e "$link/format" ] || return 0
    want "source of mac80211 for $1" "source of mac80211 for $1 into build/vm/drivers/$1" || return 0
    need_debian
    case $1 in
    newest) suite_lists trixie-backports amd64 ;;
    *-6.12) suite_lists bookworm-backports amd64 "${1%-6.12}" ;;
    *) suite_lists bookworm amd64 "$1" ;;
    esac
    # shellcheck disable=SC2086
    version=$(apt-cache $apt_opts show "linux-headers-$(kernel_release "$1")${3:-}" | sed -n 's/^Version: //p' | head -n 1)
    unpack_driver_sources "$2" "$version"
    mkdir -p "$repo/build/vm/drivers"
    link_driver_sources "$link"
    echo "$from" >"$link.from"
}

# Of kernels.sh: once the headers are here.
setup_newest_mac80211() {
    setup_kernel_source newest "linux-source-$(kernel_release newest | cut -d . -f 1,2)"
}

setup_mac80211() {
    setup_drivers
    setup_arm64
    setup_arm_kernel armhf armmp
    setup_arm_kernel arm64 arm64
    for arch in armhf arm64; do
        setup_kernel_source $arch linux-source-6.1 :$arch
        setup_kernel_source $arch-6.12 linux-source-6.12 :$arch
    done
}
