# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# For scripts/check tree: the source of a kernel, with its ynl and kselftest, and DKMS, which is not installed.
#
#   build/vm/tree/source   Linux 6.12 of Debian, in the cache once for all clones
#   build/vm/tree/dkms     the unpacked package

# Read by scripts/setup after linux_source.sh.
# shellcheck disable=SC2154

setup_tree() {
    dir=$repo/build/vm/tree
    [ ! -e "$dir/source/tools/testing/selftests/lib.mk" ] || [ ! -e "$dir/dkms/usr/sbin/dkms" ] || return 0
    want "source of a kernel, DKMS" "source of a kernel and DKMS into build/vm/tree" || return 0
    need_debian
    mkdir -p "$dir"
    linux_source 6.12
    ln -sfn "$source" "$dir/source"
    deb=$(apt_fetch dkms) && [ "$deb" ] || die "cannot fetch dkms"
    rm -rf "$dir/dkms"
    dpkg-deb -x "$deb" "$dir/dkms"
}
