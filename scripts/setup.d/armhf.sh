# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A Debian 12 for 32-bit ARM, unpacked into build/vm/armhf/ and never installed: the root of
# the machine that `scripts/vm --kernel armhf` starts, and what is linked with.
#
#   release  vmlinuz  initrd  lib/modules/RELEASE/  rootfs/  vexpress.dtb

# Read by scripts/setup after kernel.sh.
# shellcheck disable=SC2034,SC2154

# What a finished directory was made from: rises when the steps below change.
armhf_format=3

armhf_from() {
    { echo "$armhf_format"; packages_listed armhf.root; } | cksum
}

# What maintainer scripts would do and the tests need; they are programs of that processor.
armhf_furnish() (
    cd "$1" || exit
    printf '%s\n' root:x:0:0:root:/root:/bin/bash nobody:x:65534:65534::/:/usr/sbin/nologin >etc/passwd
    printf '%s\n' root:x:0: nogroup:x:65534: >etc/group
    echo 127.0.0.1 localhost >etc/hosts
    ln -sf mawk usr/bin/awk
    # Of the board that scripts/vm --board vexpress starts.
    cp usr/lib/linux-image-*/vexpress-v2p-ca15-tc1.dtb ../vexpress.dtb
    rm -rf usr/share/doc usr/share/man usr/share/locale boot/System.map-* usr/lib/linux-image-*
)

# The headers' scripts and tools are programs, too: those of this machine.
armhf_headers() ( # ROOT
    machine_lists
    kbuild=$(apt_fetch linux-kbuild-6.1) && [ "$kbuild" ] || die "cannot fetch linux-kbuild-6.1 through apt"
    rm -rf "$1"/usr/lib/linux-kbuild-6.1
    dpkg-deb -x "$kbuild" "$1"
    src=$(echo "$1"/usr/src/linux-headers-*-common)
    # shellcheck disable=SC2016
    printf 'include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../%s/Makefile\n' "${src##*/}" \
        >"$(echo "$1"/usr/src/linux-headers-*-armmp)/Makefile"
)

# On a board without PCI, virtio devices are in memory.
armhf_initrd() ( # FUNCTION ARGUMENT...
    initrd_modules="$initrd_modules virtio_mmio"
    "$@"
)

setup_armhf() {
    setup_packages packages.armhf
    dir=$repo/build/vm/armhf
    if [ "$(cat "$dir/format" 2>/dev/null)" = "$(armhf_from)" ]; then
        if [ "$(cat "$dir/initrd.from" 2>/dev/null)" != "$(armhf_initrd initrd_from)" ] &&
            want "boot stage of armhf" "packing build/vm/armhf/initrd"; then
            armhf_initrd make_initrd "$dir" "$(kernel_release armhf)" "$dir/rootfs/bin/busybox"
        fi
        return 0
    fi
    want "Debian for 32-bit ARM" "Debian for 32-bit ARM into build/vm/armhf" || return 0
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    retry mmdebstrap --quiet --variant=extract --architectures=armhf \
        --include="$(packages_listed armhf.root | tr '\n' ',')" bookworm "$dir.new/rootfs" "$(bookworm_uri)" ||
        die "cannot unpack Debian for armhf"
    armhf_furnish "$dir.new/rootfs"
    armhf_headers "$dir.new/rootfs"
    ls "$dir.new/rootfs/lib/modules" >"$dir.new/release"
    rel=$(cat "$dir.new/release")
    ln -s rootfs/lib "$dir.new/lib"
    mv "$dir.new/rootfs/boot/vmlinuz-$rel" "$dir.new/vmlinuz"
    /sbin/depmod -b "$dir.new" "$rel"
    armhf_initrd make_initrd "$dir.new" "$rel" "$dir.new/rootfs/bin/busybox"
    armhf_from >"$dir.new/format"
    mv "$dir.new" "$dir"
}
