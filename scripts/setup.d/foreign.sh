# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# Debian 12 for another architecture, unpacked into build/vm/ARCHITECTURE/ and never installed: the
# root of the machine that `scripts/vm --kernel ARCHITECTURE` starts, and what is linked with.
#
#   release  vmlinuz  initrd  lib/modules/RELEASE/  rootfs/
#
# armhf, arm64: ARM of 32 or 64 bits; s390x: big-endian.

# Read by scripts/setup after kernel.sh.
# shellcheck disable=SC2034,SC2154

# What a finished directory was made from: rises when the steps below change.
foreign_format=3

foreign_listed() { # FLAVOUR
    packages_listed foreign.root | sed "s/FLAVOUR/$1/"
}

foreign_from() { # FLAVOUR
    { echo "$foreign_format"; foreign_listed "$1"; } | cksum
}

# What maintainer scripts would do and the tests need; they are programs of that processor.
foreign_furnish() (
    cd "$1" || exit
    printf '%s\n' root:x:0:0:root:/root:/bin/bash nobody:x:65534:65534::/:/usr/sbin/nologin >etc/passwd
    printf '%s\n' root:x:0: nogroup:x:65534: >etc/group
    echo 127.0.0.1 localhost >etc/hosts
    ln -sf mawk usr/bin/awk
    # Of the board that scripts/vm --board vexpress starts.
    for dtb in usr/lib/linux-image-*/vexpress-v2p-ca15-tc1.dtb; do
        [ ! -e "$dtb" ] || cp "$dtb" ../vexpress.dtb
    done
    rm -rf usr/share/doc usr/share/man usr/share/locale boot/System.map-* usr/lib/linux-image-*
)

# The headers' scripts and tools are programs, too: those of this machine.
foreign_headers() ( # ROOT FLAVOUR
    machine_lists
    kbuild=$(apt_fetch linux-kbuild-6.1) && [ "$kbuild" ] || die "cannot fetch linux-kbuild-6.1 through apt"
    rm -rf "$1"/usr/lib/linux-kbuild-6.1
    dpkg-deb -x "$kbuild" "$1"
    src=$(echo "$1"/usr/src/linux-headers-*-common)
    # shellcheck disable=SC2016
    printf 'include $(dir $(realpath $(lastword $(MAKEFILE_LIST))))../%s/Makefile\n' "${src##*/}" \
        >"$(echo "$1"/usr/src/linux-headers-*-"$2")/Makefile"
)

# On a board without PCI, virtio devices are in memory.
foreign_initrd() ( # FUNCTION ARGUMENT...
    initrd_modules="$initrd_modules virtio_mmio"
    "$@"
)

setup_foreign() { # ARCHITECTURE FLAVOUR
    setup_packages "packages.$1"
    dir=$repo/build/vm/$1
    if [ "$(cat "$dir/format" 2>/dev/null)" = "$(foreign_from "$2")" ]; then
        if [ "$(cat "$dir/initrd.from" 2>/dev/null)" != "$(foreign_initrd initrd_from)" ] &&
            want "boot stage of $1" "packing build/vm/$1/initrd"; then
            foreign_initrd make_initrd "$dir" "$(kernel_release "$1")" "$dir/rootfs/bin/busybox"
        fi
        return 0
    fi
    want "Debian for $1" "Debian for $1 into build/vm/$1" || return 0
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    retry mmdebstrap --quiet --variant=extract --architectures="$1" \
        --include="$(foreign_listed "$2" | tr '\n' ',')" bookworm "$dir.new/rootfs" "$(bookworm_uri)" ||
        die "cannot unpack Debian for $1"
    foreign_furnish "$dir.new/rootfs"
    foreign_headers "$dir.new/rootfs" "$2"
    ls "$dir.new/rootfs/lib/modules" >"$dir.new/release"
    rel=$(cat "$dir.new/release")
    ln -s rootfs/lib "$dir.new/lib"
    mv "$dir.new/rootfs/boot/vmlinuz-$rel" "$dir.new/vmlinuz"
    /sbin/depmod -b "$dir.new" "$rel"
    foreign_initrd make_initrd "$dir.new" "$rel" "$dir.new/rootfs/bin/busybox"
    foreign_from "$2" >"$dir.new/format"
    mv "$dir.new" "$dir"
}

setup_armhf() { setup_foreign armhf armmp; }
setup_arm64() { setup_foreign arm64 arm64; }
setup_s390x() { setup_foreign s390x s390x; }
