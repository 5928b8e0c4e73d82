# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# A QEMU for the boards of tests/drivers/: Debian's source with qemu-arm.patch, compiled into the
# cache, once for all clones.
#
#   build/vm/qemu-arm/                     qemu-system-arm
#   build/vm/armhf/vexpress-smc91x.dtb     tree of a vexpress with an SMC91C111

# Read by scripts/setup after foreign.sh.
# shellcheck disable=SC2154

# Ours differs by one patch more.
qemu_source() {
    debian_source qemu "$built.source"
    source=$built.source/qemu
    patch -d "$source" -p1 -s <"$repo/scripts/setup.d/qemu-arm.patch" || die "our patch of qemu does not apply"
}

# For the boards of tests/drivers/ only, which takes half as long as for all.
compile_qemu() {
    qemu_source
    printf 'CONFIG_%s=y\n' VEXPRESS ARM_V7M VIRTIO_MMIO VIRTIO_9P FSDEV_9P >"$source/configs/devices/arm-softmmu/fmp.mak"
    mkdir "$source/b"
    (
        cd "$source/b" &&
            ../configure --target-list=arm-softmmu --with-devices-arm=fmp --without-default-devices \
                --without-default-features --enable-tcg --enable-virtfs --enable-attr --enable-cap-ng \
                --enable-fdt=system --meson=meson --disable-werror --prefix=/usr &&
            nice ninja -j"$(nproc)" qemu-system-arm
    ) >"$cache/qemu-arm.log" 2>&1 || {
        tail -n 20 "$cache/qemu-arm.log" >&2
        die "cannot compile qemu (log: $cache/qemu-arm.log)"
    }
    mkdir -p "$built"
    cp "$source/b/qemu-system-arm" "$built/"
    # What it reads when it starts a board.
    strip "$built/qemu-system-arm"
    rm -rf "$built.source"
}

setup_qemu_arm() {
    dir=$repo/build/vm/qemu-arm
    hash=$(sha256sum <"$repo/scripts/setup.d/qemu-arm.patch" | cut -c 1-12)
    built=$cache/qemu-arm-$hash
    [ "$(readlink "$dir")" != "$built" ] || [ ! -e "$built/format" ] || return 0
    want "qemu for boards" "qemu for boards into build/vm/qemu-arm" || return 0
    need_debian
    # The long part waits only for another one of its own kind.
    flock -u 9
    exec 8>"$cache/qemu-arm.lock"
    flock -n 8 || { echo "setup: waiting for another run that compiles qemu"; flock 8; }
    if ! [ -e "$built/format" ]; then
        echo "setup: compiling qemu; takes about a quarter of an hour on two processors"
        compile_qemu
        echo 1 >"$built/format"
    fi
    exec 8>&-
    flock 9
    ln -sfn "$built" "$dir"
}

# A Versatile Express with another Ethernet controller, which none has; to the driver they differ
# in the chip alone.
vexpress_smc91x_tree() {
    tree=$repo/build/vm/armhf/vexpress-smc91x.dtb
    [ ! -e "$tree" ] || return 0
    want "device tree of vexpress with smc91x" "device tree of vexpress with smc91x" || return 0
    cp "$repo/build/vm/armhf/vexpress.dtb" "$tree.new"
    node=/bus@8000000/motherboard-bus@8000000/ethernet@202000000
    fdtput -t s "$tree.new" $node compatible smsc,lan91c111 && fdtput -t i "$tree.new" $node reg-io-width 6 ||
        die "cannot change the device tree of vexpress"
    mv "$tree.new" "$tree"
}

setup_boards() {
    setup_packages packages.armhf packages.boards
    setup_armhf
    vexpress_smc91x_tree
    setup_xscale
    setup_qemu_arm
}
