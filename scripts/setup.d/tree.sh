# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For scripts/check tree: the source of a kernel, with its ynl and kselftest, and DKMS, which is not installed.
#
#   build/vm/tree/source   Linux 6.12 of Debian, in the cache once for all clones
#   build/vm/tree/dkms     the unpacked package
#   build/vm/uml-tree      the first boot stage of the kernel that scripts/check tree makes from that source

# Read by scripts/setup after built.sh.
# shellcheck disable=SC2154

setup_tree() {
    dir=$repo/build/vm/tree
    boot=$repo/build/vm/uml-tree
    if [ -e "$dir/source/tools/testing/selftests/lib.mk" ] && [ -e "$dir/dkms/usr/sbin/dkms" ] &&
        [ "$(cat "$boot/initrd.from" 2>/dev/null)" = "$(built_initrd_from uml-tree)" ]; then
        return 0
    fi
    want "source of a kernel, DKMS" "source of a kernel and DKMS into build/vm/tree" || return 0
    need_debian
    mkdir -p "$dir"
    linux_source 6.12
    ln -sfn "$source" "$dir/source"
    deb=$(apt_fetch dkms) && [ "$deb" ] || die "cannot fetch dkms"
    rm -rf "$dir/dkms"
    dpkg-deb -x "$deb" "$dir/dkms"
    mkdir -p "$boot"
    make_built_initrd uml-tree "$boot"
}
