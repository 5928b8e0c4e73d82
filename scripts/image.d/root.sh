# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash disable=SC2154
#
# The root file system of an image: what fmp installs, the libraries it is linked with, busybox, the kernel's modules that
# a device may ask for, and the files of scripts/image.d/root. Sourced by scripts/image, which sets arch, debian (whose
# libraries), triplet, release (the kernel's), modules (where its modules are) and fmp_modules.

# What the kernel and its devices ask for by name; with all they need themselves.
image_modules() {
    cat <<'NAMES'
virtio_net
virtio_rng
smsc911x
smc91x
smsc
mii
nf_tables
nft_objref
nft_limit
nft_log
nft_reject_inet
nft_reject_netdev
nf_conntrack_netlink
inet_diag
tcp_diag
udp_diag
NAMES
}

# What the boot stage needs to reach the root.
boot_modules() {
    printf '%s\n' virtio_mmio virtio_blk mmc_block armmmci squashfs crc32c_generic ext4 overlay
}

# Of each, the files of it and of what it needs, in the order they are loaded in; none of what the kernel has built in.
module_files() {
    while read -r name; do
        /sbin/modprobe -d "$modules" -S "$release" --show-depends "$name" 2>/dev/null || true
    done | awk '$1 == "insmod" && !seen[$2]++ { print $2 }'
}

plain_module() { # FILE INTO
    case $1 in
    *.xz) xz -dc "$1" >"$2/$(basename "$1" .xz)" ;;
    *.zst) zstd -dqc "$1" >"$2/$(basename "$1" .zst)" ;;
    *) cp "$1" "$2/" ;;
    esac
}

# library NAME: its file.
library() {
    local dir
    for dir in "$PWD/build/vm/$arch/libxml2" "$debian/lib/$triplet" "$debian/usr/lib/$triplet" "$debian/lib"; do
        [ ! -e "$dir/$1" ] || { readlink -f "$dir/$1"; return; }
    done
    die "the image lacks the library $1"
}

# Of what is no program readelf says nothing.
needed() { { readelf -d "$@" 2>/dev/null || true; } | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort -u; }

# What programs in TREE are linked with, and these with.
install_libraries() { # TREE
    local tree=$1 name missing file programs
    mkdir -p "$tree/lib/$triplet"
    mapfile -t programs < <(find "$tree" -type f -perm -100)
    # The back end is loaded by its name.
    missing=$(echo libxmlsec1-openssl.so.1 && needed "${programs[@]}")
    while [ -n "$missing" ]; do
        for name in $missing; do
            file=$(library "$name")
            case $name in
            # Where programs look for it.
            ld-linux*) cp "$file" "$tree/lib/$name" ;;
            *) cp "$file" "$tree/lib/$triplet/$name" ;;
            esac
        done
        missing=$(needed "$tree/lib/$triplet"/* | while read -r name; do
            [ -e "$tree/lib/$triplet/$name" ] || [ -e "$tree/lib/$name" ] || echo "$name"
        done || true)
    done
}

# What is for a device is small; packet captures need a library with half a dozen others behind it.
make_programs() {
    make B="$image/build" CC="$triplet-gcc" SYSROOT="$debian" PREFIX=/usr PCAP= \
        CFLAGS="-Os -g -fstack-protector-strong -D_FORTIFY_SOURCE=2" "$@"
}

install_programs() { # TREE
    make_programs -s install DESTDIR="$1"
    install -m 755 "$image/build/bin/fmp-orders" "$1/usr/bin/"
    cp daemon/sample/orders.xsd "$1/usr/share/fmp/"
    # The policy is the device's own, see scripts/image.d/root/etc/init.d/first-boot.
    rm -f "$1/etc/fmp/policy.xml"
    # What a device has no use for.
    rm -rf "$1/usr/share/man" "$1/usr/share/bash-completion" "$1/usr/share/zsh" "$1/usr/share/fish" "$1/usr/lib/systemd" \
        "$1/usr/share/fmp/monitoring" "$1/usr/bin/fmp-flood"
}

# Applets under their names, where a program would be looked for.
install_busybox() { # TREE
    local applet
    mkdir -p "$1/bin" "$1/sbin" "$1/usr/bin" "$1/usr/sbin"
    cp "$debian/bin/busybox" "$1/bin/busybox"
    # Debian builds busybox alike for all of them.
    for applet in $(/bin/busybox --list); do
        [ -e "$1/usr/bin/$applet" ] || [ "$applet" = busybox ] || ln -s busybox "$1/bin/$applet"
    done
    ln -s ../bin/busybox "$1/sbin/init"
    ln -s ../bin/busybox "$1/sbin/modprobe"
    ln -s ../bin/busybox "$1/sbin/syslogd"
    ln -s ../bin/busybox "$1/sbin/reboot"
    ln -s ../bin/busybox "$1/bin/umount" 2>/dev/null || true
}

install_modules() { # TREE
    local into=$1/lib/modules/$release/kernel file
    mkdir -p "$into"
    image_modules | module_files | while read -r file; do
        plain_module "$file" "$into"
    done
    for file in $fmp_modules; do
        # In the place of the kernel's own of that name.
        cp "$file" "$into/"
    done
    find "$into" -name '*.ko' -exec "$triplet-strip" --strip-debug {} +
    cp "$modules/lib/modules/$release"/modules.{order,builtin,builtin.modinfo} "$1/lib/modules/$release/"
    /sbin/depmod -b "$1" "$release"
    rm -f "$1/lib/modules/$release"/modules.{order,builtin.modinfo}
}

install_files() { # TREE
    cp -r scripts/image.d/root/. "$1/"
    mkdir -p "$1"/{dev,proc,sys,run,tmp,root,etc/ssl,var/lib,var/log}
    ln -s ../run "$1/var/run"
    install -m 755 "$debian/usr/bin/openssl" "$1/usr/bin/"
    printf '[req]\ndistinguished_name = dn\n[dn]\n' >"$1/etc/ssl/openssl.cnf"
    mkdir -p "$1/usr/lib/ssl"
    ln -s ../../../etc/ssl/openssl.cnf "$1/usr/lib/ssl/openssl.cnf"
    printf '%s\n' root::0:0:root:/root:/bin/sh nobody:x:65534:65534::/:/bin/false >"$1/etc/passwd"
    printf '%s\n' root:x:0: nogroup:x:65534: fmpadmin:x:990: fmpreport:x:991: >"$1/etc/group"
    echo fmp-handheld >"$1/etc/hostname"
    printf '127.0.0.1 localhost\n::1 localhost\n' >"$1/etc/hosts"
    : >"$1/etc/resolv.conf"
    [ -z "$policy" ] || install -m 644 -D "$policy" "$1/etc/fmp/policy.xml"
}

# make_root TREE
make_root() {
    rm -rf "$1"
    mkdir -p "$1"
    install_programs "$1"
    install_busybox "$1"
    install_files "$1"
    install_libraries "$1"
    install_modules "$1"
    find "$1/usr/bin" "$1/usr/sbin" "$1/usr/libexec" "$1/lib/$triplet" -type f ! -name '*.sh' \
        -exec "$triplet-strip" --strip-unneeded {} + 2>/dev/null || true
}
