# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# The PXA270 board that `scripts/vm --board verdex` starts: a kernel of our own, and Debian 12 for ARM without
# floating point, of which its root in memory is packed. The board has no device that could bring files of this machine.
#
#   build/vm/armel/   rootfs/
#   build/vm/xscale/  release  vmlinuz  verdex.dtb  initrd  lib/modules/RELEASE/  build

# Read by scripts/setup after built.sh.
# shellcheck disable=SC2154

# What a finished directory was made from: rises when the steps below change.
armel_format=1

setup_armel() {
    dir=$repo/build/vm/armel
    from=$({ echo "$armel_format"; packages_listed armel.root; } | cksum)
    [ "$(cat "$dir/format" 2>/dev/null)" != "$from" ] || return 0
    want "Debian for armel" "Debian for armel into build/vm/armel" || return 0
    need_debian
    [ "$(bookworm_uri)" ] || machine_lists fresh
    rm -rf "$dir" "$dir.new"
    mkdir -p "$dir.new"
    retry mmdebstrap --quiet --variant=extract --architectures=armel \
        --include="$(packages_listed armel.root | tr '\n' ',')" bookworm "$dir.new/rootfs" "$(bookworm_uri)" ||
        die "cannot unpack Debian for armel"
    foreign_furnish "$dir.new/rootfs"
    echo "$from" >"$dir.new/format"
    mv "$dir.new" "$dir"
}

xscale_initrd_from() {
    { cat "$repo/build/vm/armel/format" "$repo/scripts/vm.d/memory"; echo "$kernel_format"; } | cksum
}

# What is for a compiler, or for those who read, stays here. The modules lie at their usual place.
make_xscale_initrd() { # DIR
    tree=$1/initrd.d
    rm -rf "$tree"
    cp -r --preserve=mode,links "$repo/build/vm/armel/rootfs" "$tree"
    (cd "$tree" && rm -rf usr/include usr/share usr/lib/*/perl* usr/lib/*/gconv usr/bin/perl* var/*)
    find "$tree/usr/lib" \( -name '*.[ao]' -o -name 'libperl*' \) -delete
    mkdir -p "$tree/lib/modules"
    cp -r "$1"/lib/modules/* "$tree/lib/modules/"
    rm -f "$tree"/lib/modules/*/build "$tree"/lib/modules/*/source
    ln -s bash "$tree/bin/sh"
    for applet in $(/bin/busybox --list); do
        [ "$(find "$tree/bin" "$tree/sbin" "$tree/usr/bin" "$tree/usr/sbin" -name "$applet")" ] ||
            ln -s /bin/busybox "$tree/usr/bin/$applet"
    done
    cp "$repo/scripts/vm.d/memory" "$tree/init"
    chmod 755 "$tree/init"
    (cd "$tree" && find . | cpio -o -H newc --quiet -R 0:0) | gzip -6 >"$1/initrd"
    xscale_initrd_from >"$1/initrd.from"
    rm -rf "$tree"
}

# The tree of a board that the kernel's source does not have.
setup_verdex_tree() {
    tree=$repo/build/vm/xscale/verdex.dtb
    from=$(cksum <"$repo/scripts/setup.d/xscale.dts")
    [ "$(cat "$tree.from" 2>/dev/null)" != "$from" ] || return 0
    want "device tree of verdex" "device tree of verdex" || return 0
    include=$repo/build/vm/xscale/build/source
    cpp -nostdinc -undef -D__DTS__ -P -x assembler-with-cpp -I "$include/arch/arm/boot/dts" -I "$include/include" \
        "$repo/scripts/setup.d/xscale.dts" | dtc -q -O dtb -o "$tree.new" - || die "cannot compile the device tree of verdex"
    mv "$tree.new" "$tree"
    echo "$from" >"$tree.from"
}

setup_xscale() {
    setup_packages packages.xscale
    setup_armel
    setup_built xscale zImage "about five minutes"
    [ ! -e "$repo/build/vm/xscale/build/source" ] || setup_verdex_tree
}
